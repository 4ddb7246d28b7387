import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { type Engine, open } from '../../engine/engine.ts'
import { makeCorrections } from '../../engine/ingest/make-corrections.ts'
import { build } from '../../engine/snapshot/build.ts'
import { makeLake } from '../make-lake.ts'

/**
 * Public filings worked by hand: figures that a company tags, what an analyst computes from its documents, and what
 * the engine answers. Where the two differ, the case says why. docs/desk.md shows them.
 */
interface Figure {
  readonly by_hand: number | string
  /** The engine's, if another; null if it has none. */
  readonly engine?: number | string | null
  readonly because?: string
}

interface Question {
  readonly operation: string
  readonly args: Readonly<Record<string, unknown>>
  /** Asked before or after the corrections of the case. */
  readonly corrected?: boolean
  readonly arithmetic: string
  readonly figures: Readonly<Record<string, Figure>>
}

interface Case {
  readonly ticker: string
  readonly name: string
  readonly cik: string
  readonly known_from: string
  readonly as_of: string
  readonly sources: readonly string[]
  readonly covenants?: readonly Readonly<Record<string, unknown>>[]
  /** What the debt table of the report says, as ingest reads it. */
  readonly instruments?: readonly Readonly<Record<string, unknown>>[]
  readonly corrections?: readonly {
    readonly name: string
    readonly fields: Readonly<Record<string, string>>
    readonly because: string
  }[]
  readonly questions: readonly Question[]
  readonly facts: readonly (readonly [
    string,
    string,
    string | null,
    string,
    number,
    string | null,
    string | null,
  ])[]
}

const folder = 'test/golden/desk'
const cases = readdirSync(folder)
  .sort()
  .map(file => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Case)

const lake = await makeLake(t.teardown, {
  companies: cases.map(({ ticker, name, cik }) => ({ ticker, name, cik, sector: 'Industrials' })),
  facts: cases.flatMap(({ cik, ticker, known_from, facts }) =>
    facts.map(([concept, unit, period_start, period_end, value, dimensions, form]) => ({
      cik,
      concept,
      unit,
      period_start,
      period_end,
      value,
      dimensions,
      form,
      accession: `${ticker}-${form ?? 'filing'}`,
      filed_date: known_from,
      known_from,
    })),
  ),
  instruments: cases.flatMap(({ ticker, known_from, instruments = [] }) =>
    instruments.map(instrument => ({ ticker, ...instrument, known_from })),
  ),
  covenants: cases.flatMap(({ ticker, known_from, covenants = [] }) =>
    covenants.map(covenant => ({ ticker, ...covenant, source_document_date: known_from, known_from })),
  ),
})
await build(lake, { as_of: '2025-08-30' })

type Row = Readonly<Record<string, unknown>>

/** Figures of an answer by the names of the cases: columns, or columns of a year of the wall or of a class. */
async function answer(engine: Engine, { ticker, as_of }: Case, { operation, args }: Question) {
  const { data } = (await engine.call(operation as 'search.headroom', { ticker, as_of, ...args })) as {
    data: unknown
  }
  const named = (rows: readonly Row[], name: (row: Row) => string) =>
    rows.flatMap(row =>
      Object.entries(row).map(([column, value]) => [`${name(row)}.${column}`, value] as const),
    )
  if (operation === 'search.maturities')
    return new Map(
      named(data as Row[], ({ year, period_end }) =>
        year === null ? 'no year' : `${year}${period_end === null ? ' on' : ''}`,
      ),
    )
  if (Array.isArray(data)) return new Map(Object.entries((data as Row[])[0] ?? {}))
  const recovery = data as Row & { readonly classes: readonly Row[] }
  return new Map([
    ...Object.entries(recovery),
    ...named(
      recovery.classes,
      row => `${/guarantee nothing/.test(`${row['level']}`) ? 'apart ' : ''}${row['class']}`,
    ),
  ])
}

const RATIOS = /ratio|percent|^cover|turns/
const inMillions = (name: string, value: unknown) =>
  typeof value === 'number' && !RATIOS.test(name) ? value / 1e8 : value

async function check(t: Test, corrected: boolean) {
  const engine = await open(lake)
  for (const each of cases)
    for (const question of each.questions.filter(q => (q.corrected ?? false) === corrected))
      await t.test(`${each.name}, ${question.operation} ${JSON.stringify(question.args)}`, async t => {
        const answered = await answer(engine, each, question)
        for (const [name, figure] of Object.entries(question.figures)) {
          const differs = figure.engine !== undefined
          const expected = differs ? figure.engine : figure.by_hand
          const found = inMillions(name, answered.get(name))
          if (typeof expected === 'number')
            t.ok(
              typeof found === 'number' &&
                Math.abs(found - expected) <= Math.max(0.006, Math.abs(expected) * 1e-4),
              `${name} is ${expected}`,
              { found },
            )
          else t.equal(found, expected, `${name} is ${expected}`)
          if (differs) t.ok(figure.because, `${name} says why it is not ${figure.by_hand}`)
        }
      })
  return engine
}

t.test('public filings worked by hand', async t => {
  const engine = await check(t, false)
  for (const { ticker, as_of, corrections = [] } of cases)
    for (const { name, fields, because } of corrections) {
      const { data } = await engine.call('search.instruments', { ticker, as_of, fields: 'id,name' })
      const { id } = data.find(row => row.name === name) as { id: string }
      await makeCorrections(
        lake,
        Object.entries(fields).map(([field, value]) => ({
          corrects: 'instruments',
          row_id: id,
          action: 'set',
          field,
          value,
        })),
        { because, by: 'analyst', from: as_of },
      )
    }
  engine.close()
  await build(lake, { as_of: '2025-08-30' })
  const corrected = await check(t, true)
  corrected.close()
})

const TABLES = {
  'search.headroom': 'Headroom',
  'search.maturities': 'Maturity walls',
  'search.liquidity': 'Liquidity',
  'recovery.company': 'Waterfalls',
} as const

/** Figures are in millions of dollars, ratios as they are. */
const shown = (value: number | string | null): string =>
  typeof value === 'number'
    ? value.toLocaleString('en-US', { maximumFractionDigits: 2 })
    : value === null
      ? 'none'
      : `\`${value}\``

const argsOf = (args: Question['args']): string =>
  Object.entries(args)
    .map(([name, value]) => `, \`${name}=${String(value)}\``)
    .join('')

function tableOf(operation: keyof typeof TABLES): string {
  const asked = cases.flatMap(each =>
    each.questions.filter(question => question.operation === operation).map(question => ({ each, question })),
  )
  const lines = asked.flatMap(({ each, question }) => [
    `**${each.name}**, as of ${each.as_of}${argsOf(question.args)}${question.corrected ? ', rank corrected' : ''}. ${question.arithmetic}.`,
    '',
    '| Figure | By hand | Tranche | Why they differ |',
    '| --- | ---: | ---: | --- |',
    ...Object.entries(question.figures).map(
      ([name, { by_hand, engine, because }]) =>
        `| ${name} | ${shown(by_hand)} | ${shown(engine === undefined ? by_hand : engine)} | ${because ?? ''} |`,
    ),
    '',
  ])
  return [`### ${TABLES[operation]}`, '', ...lines].join('\n')
}

t.test('docs/desk.md shows the cases as they are', async t => {
  const path = 'docs/desk.md'
  const [begin, end] = ['<!-- cases -->', '<!-- end of cases -->']
  const page = readFileSync(path, 'utf8')
  const sources = cases.map(({ name, sources }) => `| ${name} | ${sources.join('; ')} |`)
  const tables = (Object.keys(TABLES) as (keyof typeof TABLES)[]).map(tableOf)
  const written = [begin, '', '| Company | Source |', '| --- | --- |', ...sources, '', ...tables, end].join(
    '\n',
  )
  const from = page.indexOf(begin)
  const updated = page.slice(0, from) + written + page.slice(page.indexOf(end) + end.length)
  if (process.env['UPDATE']) writeFileSync(path, updated)
  else t.equal(page, updated, 'UPDATE=1 node dist/test/operations/desk-cases.test.js writes them')
})
