import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { Database, literal } from '../../engine/database/database.ts'
import type { DerivationCache } from '../../engine/derive/cache/derivation-cache.ts'
import { open } from '../../engine/engine.ts'
import { LakeCache } from '../../engine/lake/derivation-cache.ts'
import type { Lake } from '../../engine/lake/lake.ts'
import { build } from '../../engine/snapshot/build.ts'
import { writeStored } from '../../engine/snapshot/derived-tables.ts'
import { testFolder } from '../folder.ts'
import { addRows, makeLake } from '../make-lake.ts'
import { derivation } from './derivation.ts'
import { type Row, report, year } from './reports.ts'

// Lakes are built, and days derived twice.
t.setTimeout(400_000)

const of = (cik: string, rows: readonly Row[]): Row[] =>
  rows.map(row => ({ ...row, cik, company_name: `Company ${cik}`, accession: `${cik}${row['accession']}` }))

/** Over a thousand facts. */
const longHistory = (cik: string): Row[] =>
  of(cik, Array.from({ length: 37 }, (_, i) => year(1988 + i)).flat())

const restated = report(
  { form: '10-K/A', filed: '2019-09-10', fy: 2018 },
  ['Revenues', 1250, '2018-12-31', '2018-01-01'],
  ['LongTermDebtNoncurrent', 340, '2018-12-31'],
)

/** What `year` files without a form or a day of its period, which a list of filings says. */
const withoutForms = (rows: readonly Row[], from: string): Row[] =>
  rows.map(row => (String(row['filed_date']) < from ? row : { ...row, form: null }))

/** Operating income with the sum of two segments, which becomes known later; where costs say so, it is theirs and not the company's. */
const segment = (rows: readonly Row[], known: string, { isTotal }: { isTotal: boolean }): Row[] => [
  ...rows.flatMap(row =>
    isTotal && row['concept'] === 'us-gaap:OperatingIncomeLoss'
      ? [{ ...row, concept: 'us-gaap:CostsAndExpenses', value: 0 }]
      : [],
  ),
  ...rows.flatMap(row =>
    row['concept'] !== 'us-gaap:OperatingIncomeLoss'
      ? [row]
      : [
          row,
          ...['a:OneMember', 'a:OtherMember'].map(member => ({
            ...row,
            value: Number(row['value']) / 2,
            known_from: known,
            dimensions: `us-gaap:StatementBusinessSegmentsAxis=${member}`,
          })),
        ],
  ),
]

const listed = withoutForms(longHistory('0000000103'), '2015-01-01')
const listedLate = withoutForms(longHistory('0000000104'), '2015-01-01')
const filingsOf = (rows: readonly Row[], late: boolean): Row[] =>
  [...new Map(rows.map(row => [row['accession'], row])).values()].map(row => ({
    cik: row['cik'],
    accession: row['accession'],
    form: String(row['filed_date']).slice(5, 7) === '02' ? '10-K' : '10-Q',
    filed_date: row['filed_date'],
    known_from: late ? '2023-06-01' : row['filed_date'],
  }))

function loadedQuarter(fiscalYear: number, quarter: number): Row {
  const end = new Date(Date.UTC(fiscalYear, quarter * 3, 0)).toISOString().slice(0, 10)
  const filed = new Date(Date.UTC(fiscalYear, quarter * 3 + 1, 10)).toISOString().slice(0, 10)
  return {
    cik: '0000000111',
    fiscal_year: fiscalYear,
    fiscal_quarter: quarter,
    period_end_date: end,
    revenue: (100 + quarter) * 1_000_000_00,
    operating_income: 20_000_000_00,
    depreciation_amortization: 5_000_000_00,
    interest_expense: 3_000_000_00,
    total_debt: 400_000_000_00,
    cash_and_equivalents: 50_000_000_00,
    filed_date: filed,
    known_from: filed,
  }
}

const facts: readonly Row[] = [
  ...longHistory('0000000101'),
  ...of('0000000101', restated),
  // Few.
  ...of('0000000102', [...year(2021), ...year(2022)]),
  ...listed,
  ...listedLate,
  // Segments that another source adds later.
  ...longHistory('0000000105').slice(0, 1_000),
  ...segment(of('0000000105', year(2023)), '2024-06-01', { isTotal: true }),
  ...longHistory('0000000108').slice(0, 1_000),
  ...segment(of('0000000108', year(2023)), '2024-06-01', { isTotal: false }),
  // Without accession numbers: the filings of two years.
  ...[2022, 2023]
    .flatMap(each => segment(of('0000000109', year(each)), `${each + 1}-06-01`, { isTotal: true }))
    .map(row => ({ ...row, accession: null })),
  // Used with links of a linkbase.
  ...longHistory('0000000110').map(row => ({ ...row, source: 'linked-2020.xml' })),
  ...longHistory('0000000106'),
  ...longHistory('0000000107'),
  // Of no known day: in no past day.
  ...of(
    '0000000107',
    report({ form: '10-K', filed: '2018-02-15', fy: 2017 }, ['Assets', 4000, '2017-12-31']),
  ).map(row => ({ ...row, filed_date: null, known_from: null })),
]

const rows = {
  companies: ['101', '102', '103', '104', '105', '106', '107', '108', '109', '110', '111'].map(n => ({
    cik: `0000000${n}`,
    ticker: `C${n}`,
    name: `Company 0000000${n}`,
  })),
  facts,
  filings: [...filingsOf(listed, false), ...filingsOf(listedLate, true)],
  calculations: [
    {
      document: 'linked-2020',
      role: 'http://linked.test/debt',
      parent: 'us-gaap:LongTermDebt',
      child: 'us-gaap:LongTermDebtNoncurrent',
      weight: 1,
    },
  ],
  financials: [
    // Loaded alone, restated once.
    ...[2018, 2019, 2020, 2021].flatMap(fiscalYear =>
      [1, 2, 3, 4].map(quarter => loadedQuarter(fiscalYear, quarter)),
    ),
    { ...loadedQuarter(2019, 2), revenue: 95_000_000_00, filed_date: '2020-03-01', known_from: '2020-03-01' },
    {
      cik: '0000000106',
      fiscal_year: 2020,
      fiscal_quarter: 2,
      period_end_date: '2020-06-30',
      revenue: 77_000_000_00,
      filed_date: '2020-09-01',
      known_from: '2020-09-01',
    },
  ],
}

const lake = await makeLake(t.teardown, rows)

/** A cache that notes the companies whose statements a day derives: the newest, or all. */
function watched(
  cache: LakeCache,
  statements: 'newest_statements' | 'statements' = 'newest_statements',
): DerivationCache & { readonly derived: number } {
  return {
    derived: 0,
    find: (step, keys) => cache.find(step, keys),
    async keep(step, keys, ...rest) {
      if (step === statements) (this as { derived: number }).derived += keys.length
      await cache.keep(step, keys, ...rest)
    },
  }
}

async function figuresOf(t: Test, lake: Lake, asOf: string, cache?: DerivationCache) {
  const { made, rows } = await derivation(t, lake, asOf, cache)
  await made.make('companies_by_age')
  return { companies: await rows('companies_by_age'), quarantine: await rows('quarantine') }
}

/** All statements of a day, and what is derived from them. */
async function statementsOf(t: Test, lake: Lake, asOf: string, cache?: DerivationCache) {
  const { made, rows } = await derivation(t, lake, asOf, cache)
  await made.make('financials', 'restatements', 'companies_by_age')
  const tables = [
    'financials',
    'restatements',
    'companies_by_age',
    'statements_derived',
    'statements_left',
    'quarantine',
  ]
  return Promise.all(tables.map(async table => [table, await rows(table)] as const))
}

/** Days, and how many companies each derives: of those of which something is told later, on days with other facts than a day before. */
const days: readonly (readonly [asOf: string, derived: number])[] = [
  // The segments are told, and nothing else became known of that company since.
  ['2024-12-31', 1],
  ['2024-05-31', 2],
  ['2020-09-01', 2],
  // The day before a loaded statement.
  ['2020-08-31', 0],
  ['2019-09-10', 2],
  ['2012-01-01', 2],
]

t.test('a past day finds the statements that a build derived', async t => {
  await build(lake)
  for (const [asOf, derived] of days) {
    const cache = watched(new LakeCache(lake))
    t.strictSame(await figuresOf(t, lake, asOf, cache), await figuresOf(t, lake, asOf), asOf)
    t.equal(cache.derived, derived, `${asOf}: companies derived`)
  }
})

t.test(
  'so it does all of their statements, but of days since which the calendar or a slip was seen otherwise',
  async t => {
    // Companies of which something is told later, with a row of no known day, and with a loaded statement by then.
    for (const [asOf, derived] of [
      ['2024-05-31', 3],
      ['2019-09-10', 3],
      ['2019-09-09', 0],
      ['2012-01-01', 3],
    ] as const) {
      const cache = watched(new LakeCache(lake), 'statements')
      t.strictSame(await statementsOf(t, lake, asOf, cache), await statementsOf(t, lake, asOf), asOf)
      t.equal(cache.derived, derived, `${asOf}: companies derived`)
    }
  },
)

t.test('a build after new facts derives the days that they add', async t => {
  const lake = await makeLake(t.teardown, {
    ...rows,
    facts: facts.filter(row => row['cik'] === '0000000101' && String(row['filed_date']) < '2023-04-01'),
  })
  await build(lake)
  const before = watched(new LakeCache(lake))
  await figuresOf(t, lake, '2020-01-01', before)
  t.equal(before.derived, 0)
  await addRows(lake, {
    facts: facts.filter(row => row['cik'] === '0000000101' && String(row['filed_date']) >= '2023-04-01'),
  })
  await build(lake)
  for (const asOf of ['2020-01-01', '2023-05-01', '2024-09-01']) {
    const cache = watched(new LakeCache(lake))
    t.strictSame(await figuresOf(t, lake, asOf, cache), await figuresOf(t, lake, asOf), asOf)
    t.equal(cache.derived, 0, asOf)
  }
})

t.test('a build that stores nothing leaves no past days', async t => {
  const lake = await makeLake(t.teardown, {
    ...rows,
    facts: facts.filter(row => row['cik'] === '0000000101'),
  })
  await build(lake, { full: true })
  const cache = watched(new LakeCache(lake))
  t.strictSame(await figuresOf(t, lake, '2020-01-01', cache), await figuresOf(t, lake, '2020-01-01'))
  t.equal(cache.derived, 2, 'of facts, and loaded')
})

/** What users see of the financials of a day. */
async function seenOn(asOf: string): Promise<unknown> {
  const engine = await open(lake)
  try {
    const fields = 'ticker,period_end_date,revenue,is_original,is_latest,is_newest,valid_to,newest_to'
    const pages = [{ fields }, { fields, sort: '-revenue' }, { ticker: 'C101', fields: '_explain' }].map(
      asked => engine.ask('search.financials', { ...asked, as_of: asOf, limit: 100 }),
    )
    const rows = await engine.sql(
      'FROM financials ORDER BY company_id, basis, period_end_date, version',
      [],
      {
        asOf,
      },
    )
    return [rows, ...(await Promise.all(pages)).map(({ data }) => data)]
  } finally {
    engine.close()
  }
}

t.test(
  'financials as of a day are those of the snapshot that were known by then, and few others',
  async t => {
    await build(lake)
    const folder = testFolder(t, {})
    for (const [asOf, others] of [
      ['2024-12-31', 2],
      ['2019-09-10', 5],
      ['2012-01-01', 6],
    ] as const) {
      const before = await seenOn(asOf)
      const [made] = await readdir(join(lake.root, 'days', asOf))
      const files = await readdir(join(lake.root, 'days', asOf, made!))
      t.notOk(files.includes('financials.parquet'), 'nothing is copied')
      const other = files.find(name => name.startsWith('other_companies-') && name.endsWith('.parquet'))
      const db = await Database.create({})
      t.teardown(() => db.close())
      const companies = join(lake.root, 'days', asOf, made!, other!)
      t.match(
        await db.rows(`SELECT count(*) AS n FROM read_parquet(${literal(companies)})`),
        [{ n: others }],
        asOf,
      )
      const engine = await open(lake)
      await engine.deriveDays({ dates: [asOf], tables: ['financials'] })
      engine.close()
      t.strictSame(before, await seenOn(asOf), `${asOf}: the same in a file`)
      const alone = await derivation(t, lake, asOf)
      await alone.made.make('financials')
      const file = join(folder, `${asOf}.parquet`)
      await writeStored(alone.db, 'financials', file)
      const own = await readFile(join(lake.root, 'days', asOf, made!, 'financials.parquet'))
      t.ok(own.equals(await readFile(file)), `${asOf}: the same bytes as derived`)
    }
  },
)
