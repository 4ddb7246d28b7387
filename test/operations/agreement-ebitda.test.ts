import t from 'tap'
import { open } from '../../engine/engine.ts'
import { covenantsIn } from '../../engine/filing/facts/covenants.ts'
import { build } from '../../engine/snapshot/build.ts'
import { section } from '../filing/facts/section.ts'
import { makeLake } from '../make-lake.ts'

const MILLION = 1_000_000_00

// Add-backs as in public credit agreements: the whole list is of eBay's of 2020 (exhibit 10.02 to its report of June 2023), whose figures
// are in no data here; the statements of the companies are made up.
const PLAIN =
  '(a) interest expense for such period, (b) depreciation and amortization expense for such period, (c) income tax expense for such period, (d) impairment of goodwill or Intangible Assets for such period, (e) stock-based compensation expense and (f) restructuring charges arising from Specified Dispositions'
const WHOLE = `${PLAIN}, (g) payroll taxes on exercise of stock options, (h) transaction fees and expenses arising from Acquisitions and (i) losses attributable to the early extinguishment of Indebtedness`
const CAPPED = `${PLAIN} in an aggregate amount not to exceed $25,000,000`

/** The covenant of an agreement with a definition of EBITDA, read from its text. */
const leverage = (ticker: string, addBacks: string | null) => {
  const [row] = covenantsIn(
    section(
      `${addBacks === null ? '' : `SECTION 1.01. Definitions. "Leverage Ratio" means the ratio of Consolidated Debt to Consolidated EBITDA. "Consolidated EBITDA" means, for any period, Consolidated Net Income plus the following to the extent deducted: ${addBacks}.\n\n`}SECTION 6.09. Leverage Ratio. The Borrower shall not permit the Leverage Ratio to exceed 4.00 to 1.00.\n`,
    ),
  )
  const { definitions, covenant_name, test_metric, threshold_value, threshold_type } = row!
  return {
    ticker,
    covenant_type: 'financial',
    covenant_name,
    test_metric,
    threshold_value,
    threshold_type,
    definitions: definitions == null ? null : JSON.stringify(definitions),
    source_document_date: '2024-01-10',
    known_from: '2024-01-10',
  }
}

const year = (ticker: string, figures: Readonly<Record<string, number>>) => ({
  ticker,
  fiscal_year: 2024,
  fiscal_quarter: 4,
  period_months: 12,
  period_end_date: '2024-12-31',
  filing_type: '10-K',
  filed_date: '2025-02-20',
  known_from: '2025-02-20',
  accession: `${ticker}-25-1`,
  ...Object.fromEntries(Object.entries(figures).map(([name, millions]) => [name, millions * MILLION])),
})
const charges = { share_based_compensation: 60, impairments: 25, restructuring_charges: 15 }
const figures = { ebitda: 900, total_debt: 3600, interest_expense: 200 }
const tickers = ['FORM', 'PART', 'CAPS', 'MISS', 'NONE']

const lake = await makeLake(t.teardown, {
  companies: tickers.map(ticker => ({ ticker, name: `${ticker} Corp`, sector: 'Energy' })),
  financials: tickers.map(ticker => year(ticker, { ...figures, ...(ticker === 'MISS' ? {} : charges) })),
  covenants: [
    leverage('FORM', PLAIN),
    leverage('PART', WHOLE),
    leverage('CAPS', CAPPED),
    leverage('MISS', PLAIN),
    leverage('NONE', null),
  ],
})
await build(lake, { as_of: '2025-04-30' })
const engine = await open(lake)
t.teardown(() => engine.close())

const fields = [
  'ebitda_basis',
  'ebitda',
  'ratio',
  'headroom_percent',
  'status',
  'add_backs',
  'add_backs_unknown',
]
const one = async (ticker: string, input: Record<string, unknown> = {}) =>
  (await engine.call('search.headroom', { ticker, ...input })).data[0] as unknown as Record<string, unknown>

t.test('EBITDA is the agreement’s where the statements tag all that it adds back', async t => {
  // 900 + 60 + 25 + 15 = 1,000; 3,600 / 1,000 = 3.6; (1,000 - 3,600 / 4) / 1,000 = 10%.
  t.strictSame(await one('FORM', { fields }), {
    ebitda_basis: 'agreement',
    ebitda: 1000 * MILLION,
    ratio: 3.6,
    headroom_percent: 10,
    status: 'met',
    add_backs: 100 * MILLION,
    add_backs_unknown: null,
  })
})

t.test('EBITDA is that of the statements where they do not tag an add-back, which is named', async t => {
  // 3,600 / 900 = 4.0: at the level.
  t.strictSame(await one('PART', { fields }), {
    ebitda_basis: 'statements',
    ebitda: 900 * MILLION,
    ratio: 4,
    headroom_percent: 0,
    status: 'met',
    add_backs: 100 * MILLION,
    add_backs_unknown: [
      'payroll taxes on exercise of stock options',
      'transaction fees and expenses arising from Acquisitions',
      'losses attributable to the early extinguishment of Indebtedness',
    ],
  })
  const { _explain } = (await one('PART', { explain: true })) as { _explain: Record<string, unknown> }
  t.match(
    _explain['ebitda_basis'],
    /^EBITDA of the statements: .* do not tag, payroll taxes .*; transaction fees/,
  )
  t.match(_explain['agreement_ebitda'], { term: 'Consolidated EBITDA', added: 100 * MILLION })
})

t.test('asked for, what is tagged is added though the rest is not known', async t => {
  t.match(await one('PART', { fields, add_backs: true }), {
    ebitda_basis: 'agreement_in_part',
    ebitda: 1000 * MILLION,
    ratio: 3.6,
  })
  t.match(await one('NONE', { fields, add_backs: true }), {
    ebitda_basis: 'statements',
    ebitda: 900 * MILLION,
  })
})

t.test('an add-back up to a limit is not the whole charge', async t => {
  t.match(await one('CAPS', { fields }), {
    ebitda_basis: 'statements',
    add_backs: 85 * MILLION,
    add_backs_unknown: ['restructuring charges arising from Specified Dispositions, up to a limit'],
  })
})

t.test('a charge that is not tagged, and an agreement without a definition, are told apart', async t => {
  t.match(await one('MISS', { fields }), {
    ebitda_basis: 'statements',
    add_backs: null,
    add_backs_unknown: [
      'impairment of goodwill or Intangible Assets for such period',
      'stock-based compensation expense',
      'restructuring charges arising from Specified Dispositions',
    ],
  })
  const { _explain } = (await one('NONE', { explain: true })) as { _explain: Record<string, unknown> }
  t.equal(
    _explain['ebitda_basis'],
    'EBITDA of the statements: no definition with what the agreement adds back is known',
  )
})

t.test('a shock moves the EBITDA of the agreement', async t => {
  // 1,000 less a quarter; 3,600 / 750.
  t.match(await one('FORM', { ebitda_shock: -25, fields }), {
    ebitda: 750 * MILLION,
    ratio: 4.8,
    status: 'failed',
  })
})
