import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { Database, literal } from '../../engine/database/database.ts'
import { formatNames } from '../../engine/encode/formats.ts'
import { testFolder } from '../folder.ts'
import { bondColumns, bonds, bytesOf, rowsOf, writeTo } from './rows.ts'

process.env['TMPDIR'] = testFolder(t)

/** Files in the temporary folder, except the process's folder for spill files. */
const left = () => readdirSync(tmpdir()).filter(name => !name.startsWith('tranche-spill-'))

t.test('DuckDB reads bonds back from Parquet with their types', async t => {
  const dir = testFolder(t)
  const file = join(dir, 'bonds.parquet')
  await writeTo(file, 'parquet', rowsOf(bondColumns, bonds), { about: { as_of: '2026-01-02' } })
  const db = await Database.create()
  t.teardown(() => db.close())
  const { names, types, columns } = await db.columns(`SELECT * FROM read_parquet(${literal(file)})`)
  t.strictSame(names, Object.keys(bondColumns))
  t.strictSame(types, [
    'VARCHAR',
    'VARCHAR',
    'DOUBLE',
    'DATE',
    'BIGINT',
    'BIGINT',
    'BOOLEAN',
    'DOUBLE',
    'DOUBLE',
    'VARCHAR[]',
    'TIMESTAMP WITH TIME ZONE',
    'VARCHAR',
  ])
  const read = bonds.map((_, i) => columns.map(column => column[i]))
  t.strictSame(
    read,
    bonds.map(b => [...b.slice(0, 11), typeof b[11] === 'string' ? JSON.stringify(JSON.parse(b[11])) : null]),
  )
  const metadata = await db.rows<{ k: string; v: string }>(
    `SELECT decode(key) AS k, decode(value) AS v FROM parquet_kv_metadata(${literal(file)})`,
  )
  const said = Object.fromEntries(metadata.map(({ k, v }) => [k, v]))
  t.equal(said['as_of'], '2026-01-02')
  t.strictSame(JSON.parse(said['tranche:columns']!).outstanding, {
    unit: 'cents',
    description: 'Amount outstanding.',
  })
})

t.test('an empty result is a file with columns and no rows, and leaves no temporary file', async t => {
  const file = join(testFolder(t), 'none.parquet')
  await writeTo(file, 'parquet', rowsOf(bondColumns, []))
  t.strictSame(left(), [])
  const db = await Database.create()
  t.teardown(() => db.close())
  t.strictSame(await db.rows(`SELECT count(*) AS n, count(cusip) AS c FROM read_parquet(${literal(file)})`), [
    { n: 0, c: 0 },
  ])
})

t.test('a failing source leaves no temporary file', async t => {
  const rows = rowsOf(bondColumns, bonds)
  const failing = {
    columns: rows.columns,
    chunks: (async function* () {
      yield* rows.chunks
      throw new Error('the disk is gone')
    })(),
  }
  await t.rejects(bytesOf('parquet', failing), { message: 'the disk is gone' })
  t.strictSame(left(), [])
})

// Python is not compiled: `dist` refers to the source folder.
const readBack = [import.meta.dirname, join(import.meta.dirname, '../../../test/encode')]
  .map(folder => join(folder, 'read-back.py'))
  .find(file => existsSync(file))!

const python = process.env['PYTHON'] ?? 'python3'
const skip =
  spawnSync(python, ['-c', 'import pyarrow']).status !== 0 &&
  'pyarrow is not installed, so its view of the files is not seen'

t.test('pyarrow, pandas and polars read the file with its units', { skip }, async t => {
  const dir = testFolder(t)
  const about = { snapshot: 's1', as_of: '2026-01-02' }
  for (const format of formatNames)
    await writeTo(join(dir, `rows.${format}`), format, rowsOf(bondColumns, bonds), { about })
  const found = JSON.parse(execFileSync(python, [readBack, dir], { encoding: 'utf8' }))
  const compact = (value: unknown) => (value == null ? null : JSON.stringify(JSON.parse(value as string)))
  const wanted = bonds.map(bond =>
    Object.fromEntries(
      Object.keys(bondColumns).map((name, j) => [
        name,
        name === 'detail'
          ? compact(bond[j])
          : name === 'seen_at' && bond[j]
            ? (bond[j] as string).replace('Z', '000+00:00')
            : bond[j],
      ]),
    ),
  )
  for (const format of ['arrow', 'parquet']) {
    t.strictSame(found[format].rows, wanted)
    t.strictSame(found[format].about, about)
    t.match(found[format].schema, [
      {},
      {},
      { name: 'coupon_rate', type: 'double', unit: 'percent', description: 'Coupon.' },
      { name: 'maturity_date', type: 'date32[day]', unit: '', description: 'Maturity.' },
      { name: 'outstanding', type: 'int64', unit: 'cents', description: 'Amount outstanding.' },
    ])
  }
  if (found.pandas)
    t.strictSame(
      found.pandas.csv.map((row: string[]) => row[1]),
      bonds.map(b => b[1] ?? ''),
    )
  if (found.polars) {
    t.equal(found.polars.ndjson, 4)
    t.equal(found.polars.csv, 4)
    t.strictSame(found.polars.parquet, found.polars.arrow)
  }
})
