import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { random } from '../../cli/sample/random.ts'
import { type Engine, open } from '../../engine/engine.ts'
import { ensureLake, type Lake } from '../../engine/lake/lake.ts'
import { currentManifest } from '../../engine/lake/snapshot.ts'
import { operations } from '../../engine/operations/api.ts'
import { rawViews, tables } from '../../engine/schema/resources/tables.ts'
import { build } from '../../engine/snapshot/build.ts'
import { storedTables } from '../../engine/snapshot/derived-tables.ts'
import { makeLake } from '../make-lake.ts'
import { patient, serving, stateOf } from '../server/serving.ts'
import { answerOf, type Difference, firstDifference, rowsOf } from './compare-lakes.ts'
import { daysToTry } from './days-to-try.ts'
import { GrowingLake } from './growing-lake.ts'
import { type Question, questionsTo, readPools } from './questions.ts'
import { lastDay, richRows } from './rich-lake.ts'

/**
 * Days of a built lake to try, at least two, and their seed; the lake is that of a folder which gets files of days, or a small one.
 * `TRANCHE_BUILT_DAYS=200 TRANCHE_LEAK_LAKE=DIR` for a long run.
 */
const count = Math.max(2, Number(process.env['TRANCHE_BUILT_DAYS'] ?? 2))
const seed = process.env['TRANCHE_LEAK_SEED'] ?? '1'
const folder = process.env['TRANCHE_LEAK_LAKE']
/**
 * Tables are compared on each day, as they are written: what is read of them cannot differ then. Of so many days one is
 * also asked in every lane, and of two the first; of so many of those, datasets are compared row by row, and what takes further days is asked.
 */
const EVERY_ASKED = count < 10 ? 2 : 5
const EVERY_OTHER = 2
t.setTimeout(Math.max(15, count) * 60_000)

const lake = folder ? await ensureLake(folder) : await makeLake(t.teardown, richRows)
if (!folder) await build(lake, { asOf: lastDay })
const { as_of } = await currentManifest(lake)
const full = await open(lake)
t.teardown(() => full.close())
const statements = await open(lake, { hotMemory: '0MB' })
t.teardown(() => statements.close())
const pools = await readPools(full)

const server = await serving(t, ['--lake', lake.root, '--state', join(lake.root, 'state.db'), ...patient])
const state = await stateOf(t, lake.root)
const keys: string[] = []
for (let i = 0; i < 8; i++)
  keys.push((await state.createKey({ email: `quant${i}@fund.example`, tier: 'business' })).key)

/** Members of `meta` come in another order where rows are streamed. */
const sorted = (meta: object) => Object.fromEntries(Object.entries(meta).sort(([a], [b]) => (a < b ? -1 : 1)))

/** An answer without the details of an error: the parameters that are allowed are others over HTTP. */
const withoutDetails = (answer: string): string => {
  const { code, message, meta, ...data } = JSON.parse(answer) as Record<string, unknown>
  return JSON.stringify(code === undefined ? { ...data, meta: sorted(meta as object) } : { code, message })
}

/** What a server answers, as `answerOf` of the library; null where it has no GET of the operation. */
async function overHttp({ name, input }: Question): Promise<string | null> {
  const { path = '', method } = operations.find(o => o.name === name)!
  if (method !== 'GET') return null
  const rest = new Map(Object.entries(input).map(([key, value]) => [key, String(value)]))
  // An export is CSV unless asked for otherwise.
  if (name === 'export') rest.set('format', 'json')
  const place = path.replace(/\{(\w+)\}/g, (_, key: string) => {
    const value = rest.get(key) ?? ''
    rest.delete(key)
    return encodeURIComponent(value)
  })
  const key = keys[asked++ % keys.length]!
  const answer = await fetch(`${server.url}${place}?${new URLSearchParams([...rest])}`, {
    headers: { 'X-API-Key': key },
  })
  const body = (await answer.json()) as Record<string, unknown>
  if (body['error']) {
    const { code, message } = body['error'] as Record<string, unknown>
    return JSON.stringify({ code, message })
  }
  const { meta, ...data } = body
  const {
    snapshot: _,
    warnings: __,
    lane: ___,
    request_id: ____,
    ...others
  } = meta as Record<string, unknown>
  return JSON.stringify({ ...data, meta: sorted(others) })
}
let asked = 0

const panelResources = ['companies', 'bonds', 'financials', 'ratings', 'spreads']

/** The checksums of every table as of a day, whose files the engine writes. */
async function tablesOf(engine: Engine, lake: Lake, day: string): Promise<Map<string, string>> {
  await engine.deriveDays({ dates: [day], tables: tables.map(({ table }) => table) })
  const place = join(lake.root, 'days', day)
  const found = new Map<string, string>()
  // Beside tables there may be what is read with the snapshot's own.
  const stored = new Set(storedTables.map(name => `${name}.json`))
  for (const key of await readdir(place))
    for (const name of (await readdir(join(place, key))).filter(name => stored.has(name)))
      found.set(name, await readFile(join(place, key, name), 'utf8'))
  return found
}

const lists = operations.filter(({ name }) =>
  [
    ...panelResources,
    'pricing',
    'collateral',
    'instruments',
    'covenants',
    'restatements',
    'reconciliations',
    'indices',
  ].includes(name.replace('search.', '')),
)
const ALL_ROWS = 10_000

const INDEXED = ['search.documents', 'suggest']

/** What a lake without a search index can answer; on some days also what needs other days. */
const askable = (i: number) =>
  operations.filter(
    ({ name, params }) =>
      !INDEXED.includes(name) && (i % (EVERY_ASKED * EVERY_OTHER) === 0 || !params['since']),
  )

const growing = await GrowingLake.of(t.teardown, lake, seed)
const days = (await daysToTry(lake, as_of!, count, random(`days ${seed}`))).sort()
const tablesSeen: string[] = []
for (const [i, day] of days.entries()) {
  t.test(`as of ${day} the built lake equals one that never had later data, in every lane`, async t => {
    const drawn = random(`built ${seed} ${day}`)
    await growing.growTo(day)
    const partial = await open(growing.lake)
    t.teardown(() => partial.close())
    const differences: Difference[] = []
    const compare = (question: string, a: string, b: string | null) => {
      if (b !== null && a !== b) differences.push({ question, ...firstDifference(a, b) })
    }
    const [those, these] = [await tablesOf(partial, growing.lake, day), await tablesOf(full, lake, day)]
    tablesSeen.push([...these.values()].join())
    t.ok(these.size >= 20, `${these.size} tables`)
    for (const [name, record] of these) compare(`table ${name}`, record, those.get(name) ?? '')
    if (i % EVERY_ASKED !== 0) {
      t.strictSame(differences, [])
      return
    }
    for (const view of i % (EVERY_ASKED * EVERY_OTHER) === 0 ? rawViews : [])
      compare(`SELECT * FROM ${view}`, await rowsOf(full, view, day), await rowsOf(partial, view, day))
    let answered = 0
    const questions = askable(i).flatMap(operation =>
      questionsTo(operation, day, pools, drawn, operation.params['since'] ? 1 : 2),
    )
    for (const question of questions) {
      const answer = await answerOf(full, question)
      if (!/^\{"code":|^\{"(data|ratings)":\[\]/.test(answer)) answered++
      const said = `${question.name} ${JSON.stringify(question.input)}`
      compare(said, answer, await answerOf(partial, question))
      compare(`${said} by statements`, answer, await answerOf(statements, question))
      compare(`${said} over HTTP`, withoutDetails(answer), await overHttp(question))
    }
    for (const list of lists) {
      const { name } = list
      const whole = await answerOf(full, { name, input: { as_of: day, limit: ALL_ROWS } })
      const byStatements = await answerOf(statements, { name, input: { as_of: day, limit: ALL_ROWS } })
      compare(`all of ${name} by statements`, whole, byStatements)
      const resource = name.replace('search.', '')
      if (!panelResources.includes(resource)) continue
      const { data } = (await full.ask('panel', { resource, dates: [day] })) as { data: object[] }
      const rows = data.map(({ as_of: _, ...row }: { as_of?: string }) => row)
      const envelope = JSON.parse(whole) as Record<string, object[]>
      compare(
        `panel of ${name}`,
        JSON.stringify(envelope['data'] ?? envelope['ratings']),
        JSON.stringify(rows),
      )
    }
    t.strictSame(differences, [])
    t.comment(`${questions.length} questions, ${answered} with rows`)
  })
}

t.test('tables of days between which something became known differ', async t => {
  t.ok(new Set(tablesSeen).size > 1, `${new Set(tablesSeen).size} states on ${days.length} days`)
})
