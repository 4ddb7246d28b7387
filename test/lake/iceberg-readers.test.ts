import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { makeSample } from '../../cli/sample.ts'
import { Database, literal, quote } from '../../engine/database/database.ts'
import { open } from '../../engine/engine.ts'
import { keepTables, writeIceberg } from '../../engine/lake/iceberg/keep-tables.ts'
import { snapshotNumber } from '../../engine/lake/iceberg/table-metadata.ts'
import { ensureLake, openLake } from '../../engine/lake/lake.ts'
import { currentManifest } from '../../engine/lake/snapshot.ts'
import { tables } from '../../engine/schema/resources/tables.ts'
import { snippetsOf } from '../docs/snippets.ts'
import { testFolder } from '../folder.ts'
import { root } from '../root.ts'
import { copySample, madeSample } from '../sample-lake.ts'
import { bondsSql, snapshotOf } from './iceberg-lake.ts'
import {
  differing,
  icebergDuckdb,
  noExtension,
  noPyiceberg,
  python,
  readWithPyiceberg,
} from './read-iceberg.ts'

// Each table of the sample is read and compared, which takes a busy machine minutes.
t.setTimeout(3_600_000)

/** A folder with the sample in `lake`. */
async function withSample(t: Test): Promise<string> {
  const folder = testFolder(t)
  const lake = join(folder, 'lake')
  await copySample(lake)
  const { signal } = new AbortController()
  if (!madeSample) await makeSample(lake, { scale: 1, seed: 1, signal }, () => {})
  return folder
}

t.test('pyiceberg reads every table of the sample as it is stored', { skip: noPyiceberg }, async t => {
  const folder = await withSample(t)
  const lake = await openLake(join(folder, 'lake'))
  const { id, tables: stored } = await currentManifest(lake)
  const open = await writeIceberg(lake)
  t.equal(open.length, tables.length)
  const jobs = open.map(({ table, metadata }) => ({
    // Some by the folder with its version hint, some by the file that catalogs are given.
    table: table < 'd' ? join(lake.root, 'iceberg', table) : metadata,
    snapshot: null,
    to: join(folder, `${table}.parquet`),
  }))
  const told = readWithPyiceberg(jobs)
  const db = await Database.create()
  t.teardown(() => db.close())
  for (const [i, { table, rows }] of open.entries()) {
    const own = `SELECT * FROM read_parquet(${literal(join(lake.root, 'snapshots', id, `${table}.parquet`))})`
    const theirs = `SELECT * FROM read_parquet(${literal(jobs[i]!.to)})`
    const described = async (sql: string) =>
      await db.rows<{ name: string; type: string }>(
        `SELECT column_name AS name, column_type AS type FROM (DESCRIBE ${sql})`,
      )
    t.strictSame(await described(theirs), await described(own), `${table} has our columns and types`)
    t.strictSame(await db.rows(differing(own, theirs)), [{ n: 0 }], `${table} has our rows`)
    t.equal(rows, stored.find(({ name }) => name === table)?.rows)
    t.strictSame(told[i]?.counted, rows > 0 ? [rows] : [])
    t.strictSame(told[i]?.refs, [id, 'main'].sort())
  }
  const bonds = told[open.findIndex(({ table }) => table === 'bonds')]!
  t.match(
    bonds.fields.find(([, name]) => name === 'coupon_rate'),
    [10, 'coupon_rate', 'double', /Unit: percent\./],
  )
})

t.test("DuckDB's extension reads every table of the sample as we answer", { skip: noExtension }, async t => {
  const folder = await withSample(t)
  const lake = await openLake(join(folder, 'lake'))
  const { id } = await currentManifest(lake)
  const rows = await icebergDuckdb(t)
  const scan = (table: string) => `SELECT * FROM iceberg_scan(${literal(join(lake.root, 'iceberg', table))})`
  for (const { table } of await writeIceberg(lake)) {
    const own = `SELECT * FROM read_parquet(${literal(join(lake.root, 'snapshots', id, `${table}.parquet`))})`
    t.strictSame(await rows(differing(own, scan(table))), [[0]], `${table} has our rows`)
  }
  // A filter on a dotted column, and one that the bounds answer.
  const engine = await open(lake.root)
  t.teardown(() => engine.close())
  const figures = (ytm: string) =>
    `count(*)::DOUBLE AS n, count(${ytm})::DOUBLE AS priced, sum(outstanding)::DOUBLE AS owed, max(maturity_date)::VARCHAR AS last`
  const ours = await engine.sql(`SELECT ${figures('pricing.ytm')} FROM bonds WHERE pricing.ytm > 8`)
  const [theirs] = await rows(
    `SELECT ${figures('"pricing.ytm"')} FROM (${scan('bonds')}) WHERE "pricing.ytm" > 8`,
  )
  t.ok((theirs?.[0] as number) > 0)
  t.strictSame(theirs, Object.values(ours[0]!))
  t.strictSame(await rows(`SELECT count(*)::INTEGER FROM (${scan('bonds')}) WHERE coupon_rate > 1000`), [[0]])
})

const skipEither = noPyiceberg || noExtension

t.test('earlier snapshots are read with the columns that they had', { skip: skipEither }, async t => {
  const folder = testFolder(t)
  // A space in the path is no character of a URL.
  const lake = await ensureLake(join(folder, 'a lake'))
  const keep = () => keepTables(lake).then(() => {})
  const ratings = (columns: string) => ({ bonds: bondsSql, ratings: `SELECT ${columns}` })
  const first = await snapshotOf(
    lake,
    1,
    ratings("'F' AS ticker, 'BB' AS \"issuer.rating\", 7::INTEGER AS rank"),
  )
  await writeIceberg(lake)
  const second = await snapshotOf(
    lake,
    2,
    ratings("['NEW'] AS tags, 8::BIGINT AS rank, 'GM' AS ticker, 'BBB' AS \"issuer.rating\""),
    undefined,
    keep,
  )
  const table = join(lake.root, 'iceberg', 'ratings')
  const numbers = [first, second].map(({ id }) => snapshotNumber(id))
  const jobs = [...numbers, null].map(snapshot => ({
    table,
    snapshot,
    to: join(folder, `${snapshot}.parquet`),
  }))
  const told = readWithPyiceberg([
    ...jobs,
    { table: join(lake.root, 'iceberg', 'bonds'), snapshot: null, to: join(folder, 'bonds.parquet') },
  ])
  t.strictSame(told[0]?.snapshots, numbers)
  const rows = await icebergDuckdb(t)
  const read = (file: string) => rows(`SELECT * FROM read_parquet(${literal(file)})`)
  const before = [['F', 'BB', 7]]
  t.strictSame(await read(jobs[0]!.to), before)
  const now = [['NEW'], 8n, 'GM', 'BBB']
  for (const { to } of jobs.slice(1)) t.strictSame(await read(to), [now])
  t.strictSame(
    await rows(`SELECT * FROM iceberg_scan(${literal(table)}, snapshot_from_id => ${numbers[0]})`),
    before,
  )
  t.strictSame(await rows(`SELECT * FROM iceberg_scan(${literal(table)})`), [now])
  // Nulls, empty lists, cents beyond 2^53, decimals, days and letters of all planes.
  const own = `SELECT * FROM (${bondsSql})`
  t.strictSame(
    await rows(differing(own, `SELECT * FROM read_parquet(${literal(join(folder, 'bonds.parquet'))})`)),
    [[0]],
  )
  const scanned = `SELECT * FROM iceberg_scan(${literal(join(lake.root, 'iceberg', 'bonds'))})`
  t.strictSame(await rows(differing(own, scanned)), [[0]])
  const names = ['company_name', 'maturity_date', 'outstanding'].map(quote)
  t.match(
    await rows(`SELECT ${names} FROM (${scanned}) WHERE company_name > 'Ambrarrow Bancorp H' ORDER BY 1`),
    {
      length: 2,
    },
  )
})

/** Iceberg's jar for Spark, which SPARK_PYTHON has. */
const sparkJar = process.env['TRANCHE_ICEBERG_SPARK']
const noSpark = sparkJar === undefined && '.ci/nightly spark reads the tables with Spark'

t.test('Spark reads every table of the sample as it is stored', { skip: noSpark }, async t => {
  const folder = await withSample(t)
  const lake = await openLake(join(folder, 'lake'))
  const { id } = await currentManifest(lake)
  const open = await writeIceberg(lake)
  const script = join(root, 'test/lake/read-iceberg-spark.py')
  const told = execFileSync(process.env['SPARK_PYTHON'] ?? python, [script, sparkJar!, lake.root, id], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  t.strictSame(
    told.trimEnd().split('\n'),
    open.map(({ table, rows }) => `${table}: ${rows} rows, 0 others, ${rows} by the tag`),
  )
})

t.test('the Python of docs/open-tables.md runs', { skip: noPyiceberg }, async t => {
  const folder = await withSample(t)
  await writeIceberg(await openLake(join(folder, 'lake')))
  for (const { at, language, text } of snippetsOf('docs/open-tables.md')) {
    if (language !== 'python') continue
    const { status, stdout, stderr } = spawnSync(python, ['-c', text], { cwd: folder, encoding: 'utf8' })
    t.equal(status, 0, `${at} ${stderr}`)
    t.not(stdout.trim(), '', at)
  }
})
