import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { fillTables, sampleDatasets } from '../../cli/sample/generate.ts'
import { curveFiles, inputFolder } from '../../cli/sample/market.ts'
import { random } from '../../cli/sample/random.ts'
import { tableOf } from '../../cli/sample/tables.ts'
import { Database, literal } from '../../engine/database/database.ts'
import { type Engine, open } from '../../engine/engine.ts'
import { ingest } from '../../engine/ingest/ingest.ts'
import { ensureLake, type Lake } from '../../engine/lake/lake.ts'
import { datasetNamed } from '../../engine/schema/datasets/datasets.ts'
import { build } from '../../engine/snapshot/build.ts'
import { removeFolder } from '../folder.ts'
import { compareLakes } from './compare-lakes.ts'
import { givenOnly } from './given-only.ts'
import { questionsToAll, readPools } from './questions.ts'
import { richRows } from './rich-lake.ts'

/** Days tried on the sample; `TRANCHE_LEAK_DAYS=50` for a long run. */
const days = Number(process.env['TRANCHE_LEAK_DAYS'] ?? 1)
const seed = process.env['TRANCHE_LEAK_SEED'] ?? '1'
t.setTimeout(Math.max(15, days) * 60_000)

async function scratch(t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tranche-test-'))
  t.teardown(() => removeFolder(folder))
  return folder
}

async function opened(t: Test, lake: Lake): Promise<Engine> {
  const engine = await open(lake)
  t.teardown(() => engine.close())
  return engine
}

/** One file per dataset and quarter in which its rows became known. */
async function writeQuarters(folder: string): Promise<{ path: string; dataset: string; quarter: string }[]> {
  const files: { path: string; dataset: string; quarter: string }[] = []
  for (const [dataset, rows] of Object.entries(richRows)) {
    const quarters = new Map<string, string[]>()
    for (const { source: _, ...row } of rows) {
      const day = row['known_from'] as string | null | undefined
      if (!day && !datasetNamed(dataset)!.reference) continue
      const quarter = day ? `${day.slice(0, 4)}Q${Math.ceil(Number(day.slice(5, 7)) / 3)}` : 'always'
      quarters.set(quarter, [...(quarters.get(quarter) ?? []), JSON.stringify(row)])
    }
    for (const [quarter, lines] of quarters) {
      const path = join(folder, `${dataset}-${quarter}.ndjson`)
      await writeFile(path, `${lines.join('\n')}\n`)
      files.push({ path, dataset, quarter })
    }
  }
  return files
}

t.test('files ingested later, or in another order, do not change an earlier day', async t => {
  const folder = await scratch(t)
  await mkdir(join(folder, 'files'))
  const files = await writeQuarters(join(folder, 'files'))
  const lakeOf = async (name: string, those: typeof files, asOf: string) => {
    const lake = await ensureLake(join(folder, name))
    for (const dataset of new Set(those.map(file => file.dataset))) {
      const paths = those.filter(file => file.dataset === dataset).map(file => file.path)
      const report = await ingest(lake, paths, { dataset })
      t.strictSame([...new Set(report.files.map(file => file.status))], ['taken'], `${name} takes ${dataset}`)
      t.equal(
        report.files.reduce((sum, file) => sum + file.rejected, 0),
        0,
        `${name} takes all of ${dataset}`,
      )
    }
    await build(lake, { asOf })
    return opened(t, lake)
  }
  const day = '2024-09-30'
  const full = await lakeOf('full', files, '2025-06-30')
  const early = files.filter(({ quarter }) => quarter === 'always' || quarter <= '2024Q3').reverse()
  const partial = await lakeOf('partial', early, day)
  const questions = questionsToAll(day, await readPools(full), random(`ingested ${seed}`), 4)
  t.strictSame((await compareLakes(full, partial, day, questions)).differences, [])
})

/** Number of companies of the sample to test with: all of them take minutes. */
const COMPANIES = 6

// At each change the lakes above, of leak.test.ts and of growing-lake.test.ts stand for it.
const byNight = process.env['TRANCHE_LEAK_DAYS']
  ? false
  : 'the sample is compared by night: TRANCHE_LEAK_DAYS=1'

t.test('the sample as of a day equals a sample without later data', { skip: byNight }, async t => {
  const folder = await scratch(t)
  const lake = await ensureLake(join(folder, 'lake'))
  const db = await Database.create()
  await fillTables(db, 1)
  await db.run(`
    CREATE TABLE chosen AS SELECT ticker FROM sample_companies ORDER BY md5(ticker || ${literal(seed)}) LIMIT ${COMPANIES};
    CREATE TABLE chosen_bonds AS SELECT DISTINCT cusip, isin, bond_id FROM sample_bonds WHERE ticker IN (FROM chosen);
    CREATE TABLE chosen_entities AS SELECT id FROM sample_entities WHERE ticker IN (FROM chosen)`)
  const ofBond = `EXISTS (SELECT 1 FROM chosen_bonds b WHERE b.cusip = s.cusip OR b.isin = s.isin OR b.bond_id = s.bond_id)`
  const chosen: Record<string, string> = {
    trades: ofBond,
    prices: ofBond,
    // Of other companies too: what finds no row is listed as not applied.
    corrections: 'TRUE',
    guarantees: 'guarantor_id IN (FROM chosen_entities)',
    ownership: 'child_id IN (FROM chosen_entities)',
    filings: 'cik IN (SELECT cik FROM sample_companies WHERE ticker IN (FROM chosen))',
    indices: 'TRUE',
  }
  for (const dataset of sampleDatasets) {
    const path = join(folder, `${dataset.name}.parquet`)
    const where = chosen[dataset.name] ?? 'ticker IN (FROM chosen)'
    await db.run(
      `COPY (SELECT * FROM ${tableOf(dataset)} s WHERE ${where}) TO ${literal(path)} (FORMAT parquet)`,
    )
    await ingest(lake, [path], { dataset: dataset.name })
  }
  db.close()
  await ingest(lake, [join(inputFolder(), curveFiles[0])])
  await ingest(lake, [join(inputFolder(), curveFiles[1])], { dataset: 'treasury_yields' })
  const { as_of } = await build(lake)
  const full = await opened(t, lake)
  const pools = await readPools(full)
  for (let i = 0; i < days; i++) {
    const drawn = random(`sample ${seed} ${i}`)
    const day = new Date(Date.parse(as_of!) - drawn.whole(1, 500) * 86_400_000).toISOString().slice(0, 10)
    const partial = await open(await givenOnly(t.teardown, lake, { day, seed: `${seed} ${i}` }))
    const asked = questionsToAll(day, pools, drawn, 4)
    t.strictSame((await compareLakes(full, partial, day, asked)).differences, [], day)
    partial.close()
  }
})
