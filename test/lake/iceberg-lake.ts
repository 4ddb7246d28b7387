import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import avro from 'avsc'
import type { Test } from 'tap'
import { Database, literal } from '../../engine/database/database.ts'
import type { TableMetadata } from '../../engine/lake/iceberg/table-metadata.ts'
import { ensureLake, type Lake } from '../../engine/lake/lake.ts'
import { type Manifest, publish } from '../../engine/lake/snapshot.ts'
import { testFolder } from '../folder.ts'

/** Queries of the files of a snapshot, by table. */
export type Tables = Readonly<Record<string, string>>

/** Bonds with a column of each kind: texts, cents, percent, days, lists, decimals, and names with dots. */
export const bondsSql = `SELECT * FROM (VALUES
    ('AMBRA', '9902CMA06', 4.125::DOUBLE, DATE '2029-06-15', true, 125000000000, 1::DECIMAL(9, 4), ['first', 'Ünïted'], 6.5::DOUBLE, 'Ambrarrow Bancorp Holdings'),
    ('AMBRA', '9902CMB13', NULL, DATE '2031-01-01', false, 9007199254740993, 0.9375, [], NULL, NULL),
    ('ZRNYN', '99ZVHQA67', 13.5, NULL, NULL, NULL, NULL, NULL, -0.25, '𝔷ornyne')
  ) AS bonds(company_ticker, cusip, coupon_rate, maturity_date, is_active, outstanding, price_factor,
    "collateral.assets", "pricing.ytm", company_name)`

/** Publishes a snapshot of some tables as a build of that day does. */
export const snapshotOf = (
  lake: Lake,
  day: number,
  tables: Tables,
  ...rest: readonly [objection?: Parameters<typeof publish>[3], published?: Parameters<typeof publish>[4]]
): Promise<Manifest> =>
  publish(
    lake,
    async folder => {
      const db = await Database.create({ threads: 1 })
      try {
        for (const [name, sql] of Object.entries(tables))
          await db.run(
            `COPY (${sql}) TO ${literal(join(folder, `${name}.parquet`))} (FORMAT parquet, COMPRESSION zstd)`,
          )
      } finally {
        db.close()
      }
      return {
        as_of: '2026-01-02',
        options: {},
        inputs: [],
        tables: Object.keys(tables).map(name => ({ name, file: `${name}.parquet` })),
      }
    },
    new Date(Date.UTC(2026, 0, day)),
    ...rest,
  )

/** An empty lake in the folder of a test. */
export const newLake = async (t: Test): Promise<Lake> => ensureLake(join(testFolder(t), 'lake'))

/** The table's newest metadata, as its version hint names it. */
export function published(root: string, table = 'bonds'): TableMetadata & { readonly version: number } {
  const folder = join(root, 'iceberg', table, 'metadata')
  const version = Number(readFileSync(join(folder, 'version-hint.text'), 'utf8'))
  return { ...JSON.parse(readFileSync(join(folder, `v${version}.metadata.json`), 'utf8')), version }
}

/** The ids in the lake of a table's snapshots. */
export const historyOf = (metadata: TableMetadata) =>
  metadata.snapshots.map(one => one.summary['tranche.snapshot'])

export const pathOf = (url: string) =>
  url.startsWith('file:') ? decodeURI(url.slice('file://'.length)) : url

interface Decoded {
  readonly schema: { readonly fields: readonly { readonly name: string; readonly 'field-id': number }[] }
  readonly metadata: Readonly<Record<string, string>>
  // biome-ignore lint/suspicious/noExplicitAny: rows of two kinds
  readonly rows: readonly any[]
}

/** An Avro file, whole. */
export async function decoded(path: string): Promise<Decoded> {
  const rows: unknown[] = []
  const decoder = avro.createFileDecoder(path)
  for await (const row of decoder) rows.push(row)
  const { meta } = avro.extractFileHeader(path, { decode: false }) as { meta: Record<string, Buffer> }
  const metadata = Object.fromEntries(Object.entries(meta).map(([key, value]) => [key, String(value)]))
  return { schema: JSON.parse(metadata['avro.schema']!), metadata, rows }
}

/** The data file that a table's current snapshot names. */
export async function dataFile(metadata: TableMetadata) {
  const entry = metadata.snapshots.find(one => one['snapshot-id'] === metadata['current-snapshot-id'])!
  const list = await decoded(pathOf(entry['manifest-list']))
  const manifest = await decoded(pathOf(list.rows[0].manifest_path))
  return { list, manifest, file: manifest.rows[0].data_file }
}
