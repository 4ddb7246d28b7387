import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import { Database } from '../../engine/database/database.ts'
import { Derivation, stepsFor } from '../../engine/derive/derive.ts'
import { open } from '../../engine/engine.ts'
import { DayFiles } from '../../engine/lake/day-files.ts'
import { batchFiles } from '../../engine/lake/imports.ts'
import { verifiedInputs } from '../../engine/lake/verify.ts'
import { HotMemory } from '../../engine/query/memory/memory.ts'
import { SnapshotDay } from '../../engine/snapshot/day.ts'
import type { DayTables } from '../../engine/snapshot/day-tables.ts'
import { derivedTables } from '../../engine/snapshot/derived-tables.ts'
import { builtLake } from '../built-lake.ts'
import { testFolder } from '../folder.ts'
import { lastDay, richRows } from '../point-in-time/rich-lake.ts'
import { until } from '../server/serving.ts'

const DAY = '2024-12-27'

const lake = await builtLake(t.teardown.bind(t), richRows, { asOf: lastDay })

const derivation = async () => {
  const db = await Database.create()
  t.teardown(() => db.close())
  const inputs = await verifiedInputs(lake, await batchFiles(lake))
  const steps: string[] = []
  const options = {
    asOf: DAY,
    undated: false,
    assumeSeniority: null,
    progress: (step: string) => steps.push(step),
  }
  const derived = new Derivation(db, async dataset => inputs.get(dataset) ?? [], options)
  const md5 = async () =>
    db.rows(
      `SELECT md5(string_agg(text, '' ORDER BY text)) AS md5 FROM (SELECT CAST(to_json(c) AS VARCHAR) AS text FROM companies c)`,
    )
  return { derived, steps, md5 }
}

t.test('companies are derived without tagged debt, prices and lists of statements', async t => {
  const made = stepsFor(['companies']).flatMap(({ makes }) => makes)
  for (const table of ['filed_terms', 'instruments_base', 'numbered_prices', 'financials', 'documents'])
    t.notOk(made.includes(table), table)
  t.ok(made.includes('statements_derived'))
})

t.test('debt instruments are derived without statements, which their reconciliation needs', async t => {
  const made = (table: string) => stepsFor([table]).flatMap(({ makes }) => makes)
  for (const table of ['statements_derived', 'companies', 'ratings'])
    t.notOk(made('instruments').includes(table), table)
  t.ok(made('debt_reconciliations').includes('statements_derived'))
})

t.test('what only needs to know a company derives no figures of companies', async t => {
  const engine = await open(lake)
  t.teardown(() => engine.close())
  await engine.ask('suggest', { q: 'alf', kind: 'company', as_of: '2024-12-20' })
  await engine.ask('compare.covenants', { ticker: ['ALFA', 'GAMA'], as_of: '2024-12-20' })
  await engine.ask('traverse.entities', {
    start: { type: 'company', id: 'ALFA' },
    relationships: ['subsidiaries'],
    as_of: '2024-12-20',
  })
  await engine.close()
  const files = readdirSync(`${lake.root}/days/2024-12-20`, { recursive: true }).map(file =>
    basename(String(file)),
  )
  t.ok(files.includes('known_companies.parquet'), files.join(' '))
  t.notOk(files.includes('companies.parquet'), files.join(' '))
})

t.test('an interrupted derivation resumes, with the same result', async t => {
  const { derived, steps, md5 } = await derivation()
  const cut = derived.make('companies').then(
    () => 'made',
    () => 'interrupted',
  )
  while (steps.length === 0) await turn()
  await derived.interrupt()
  t.equal(await cut, 'interrupted')
  const begun = steps.length
  await derived.interrupt()
  t.equal(steps.length, begun, 'nothing runs any more')
  await derived.make('companies')
  const whole = await derivation()
  await whole.derived.make('companies')
  t.strictSame(await md5(), await whole.md5())
})

t.test(
  'a derivation is interrupted some seconds after the last waiter leaves, unless one returns',
  async t => {
    const interrupted: number[] = []
    const tables = {
      database: { close() {} },
      interrupt: async () => {
        interrupted.push(performance.now())
      },
    } as unknown as DayTables
    const day = new SnapshotDay('s', DAY, 0, Promise.resolve(tables), new HotMemory(0))
    day.hold()
    await day.ready()
    day.release()
    day.hold()
    const left = performance.now()
    await sleep(6000)
    t.strictSame(interrupted, [], 'one waits')
    day.release()
    while (interrupted.length === 0 && performance.now() - left < 60_000) await sleep(50)
    t.equal(interrupted.length, 1)
    day.hold()
    t.equal(await day.ready(), day, 'who comes later asks anew')
    day.release()
    day.retire()
  },
)

t.test('a query about a past day keeps its own limits while the day is derived for others', async t => {
  const [engine, other] = [await open(lake), await open(lake)]
  t.teardown(() => {
    engine.close()
    other.close()
  })
  const ask = (options: { timeout?: number; signal?: AbortSignal } = {}) =>
    engine.call('search.companies', { as_of: DAY }, options)
  await t.rejects(ask({ timeout: 1 }), {
    code: 'QUERY_TIMEOUT',
    details: { timeout_ms: 1, as_of: DAY },
    message: /retry, finished parts/,
  })
  const past = { deadline: performance.now() - 1 }
  await t.rejects(engine.ask('search.companies', { as_of: DAY }, { timeout: 30_000 }, past), {
    code: 'QUERY_TIMEOUT',
  })
  const caller = new AbortController()
  const left = ask({ signal: caller.signal })
  const stayed = ask()
  await turn()
  caller.abort(new Error('the client left'))
  await t.rejects(left, /the client left/)
  const { data } = await stayed
  t.strictSame(data, (await other.call('search.companies', { as_of: DAY })).data)
  await t.rejects(engine.sql('SELECT count(*) FROM bonds', [], { asOf: DAY, timeout: 1 }), {
    code: 'QUERY_TIMEOUT',
  })
  t.strictSame(await engine.sql('SELECT count(*) AS n FROM companies', [], { asOf: DAY }), [
    { n: data.length },
  ])
})

t.test('a table that is asked for while others are stored gives back the claim of the day', async t => {
  const folder = testFolder(t, {})
  const kept = new DayFiles(folder)
  const asked = ['companies', 'collateral']
  let go = () => {}
  const gate = new Promise<void>(resolve => {
    go = resolve
  })
  let storing = false
  const keep = kept.keep.bind(kept)
  kept.keep = async (name, write) => {
    if (!asked.includes(name)) {
      storing = true
      await gate
    }
    return keep(name, write)
  }
  const inputs = await verifiedInputs(lake, await batchFiles(lake))
  const files = async (dataset: string) => inputs.get(dataset) ?? []
  const database = await Database.create()
  await database.run('CREATE SCHEMA stored')
  const tables = derivedTables({
    database,
    openDerivationDatabase: () => Database.create(),
    options: { asOf: DAY, undated: false, assumeSeniority: null },
    files,
    derivedFrom: files,
    kept,
  })
  t.teardown(() => {
    tables.close()
    database.close()
  })
  await tables.table('companies')
  await until(() => storing)
  await tables.table('collateral')
  go()
  await until(() => !readdirSync(folder).includes('deriving'))
  const claim = await new DayFiles(folder).claim()
  t.ok(claim, 'another process may derive the day')
  await claim?.()
})
