import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { Test } from 'tap'
import { literal } from '../../engine/database/database.ts'
import { duckdb } from '../../engine/database/duckdb.ts'
import { root } from '../root.ts'

// Readers of Iceberg of other makes. .ci/programs.sh installs them where it can.

export const python = process.env['PYTHON'] ?? 'python3'
const hasPyiceberg = spawnSync(python, ['-c', 'import pyarrow, pyiceberg']).status === 0
export const noPyiceberg =
  !hasPyiceberg && 'pyiceberg and pyarrow are not installed, so they do not read the tables'

/** The file of an extension of DuckDB in a Python package of its version; null if it is not installed. */
const extension = (name: string): string | null => {
  const found = spawnSync(python, ['-c', `import duckdb_extension_${name} as e; print(e.__path__[0])`], {
    encoding: 'utf8',
  })
  return found.status === 0
    ? join(found.stdout.trim(), 'extensions', duckdb.version(), `${name}.duckdb_extension`)
    : null
}
const extensions = ['avro', 'iceberg'].map(extension)
const httpfs = extension('httpfs')
export const noExtension =
  extensions.includes(null) &&
  "DuckDB's extensions iceberg and avro are not installed, so they do not read the tables"
export const noBucketReaders =
  noPyiceberg ||
  noExtension ||
  (httpfs === null && "DuckDB's extension httpfs is not installed, so it reads no bucket")

/**
 * A DuckDB that reads Iceberg.
 * @param setup statements to begin with, for which the extension for buckets is loaded too
 */
export async function icebergDuckdb(t: Test, ...setup: readonly string[]) {
  const instance = await duckdb.DuckDBInstance.create()
  const connection = await instance.connect()
  t.teardown(() => {
    connection.closeSync()
    instance.closeSync()
  })
  for (const file of [...(setup.length > 0 ? [httpfs] : []), ...extensions])
    await connection.run(`LOAD ${literal(file!)}`)
  for (const sql of setup) await connection.run(sql)
  return async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJS()
}

export interface Job {
  readonly table: string
  readonly snapshot: number | null
  readonly to: string
  /** Of the bucket. */
  readonly properties?: Readonly<Record<string, string>>
}

interface Told {
  readonly fields: readonly (readonly [number, string, string, string | null])[]
  readonly refs: readonly string[]
  readonly snapshots: readonly number[]
  readonly counted: readonly number[]
}

export const readWithPyiceberg = (jobs: readonly Job[]): readonly Told[] =>
  JSON.parse(
    execFileSync(python, [join(root, 'test/lake/read-iceberg.py'), JSON.stringify(jobs)], {
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    }),
  )

/** Rows that one of two queries has and the other has not. */
export const differing = (a: string, b: string): string => {
  const only = (x: string, y: string) => `(SELECT count(*) FROM (${x} EXCEPT ALL ${y}))`
  return `SELECT ${only(a, b)}::INTEGER + ${only(b, a)}::INTEGER AS n`
}
