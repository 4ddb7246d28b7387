import type { Rows } from '../make-lake.ts'
import { dayAfter, type Row } from './dated-rows.ts'
import { documents, facts, filings, financials } from './rich-filings.ts'

/** The day after which every row of the rich lake is known. */
export const lastDay = '2025-06-30'

const tickers = ['ALFA', 'BETA', 'GAMA', 'DELT', 'EPSI'] as const

const companies: Row[] = [
  { ticker: 'ALFA', name: 'Alfa Drilling Corp', cik: '0000000011', sector: 'Energy', aliases: ['ALFB'] },
  {
    ticker: 'BETA',
    name: 'Beta Networks Inc',
    cik: '0000000022',
    sector: 'Technology',
    coverage: 'extended',
  },
  {
    ticker: 'GAMA',
    name: 'Gamma Foods Inc',
    cik: '0000000033',
    sector: 'Consumer',
    industry: 'Packaged foods',
  },
  { ticker: 'DELT', name: 'Delta Bank Group', cik: '0000000044', sector: 'Financials', industry: 'Banks' },
  // Covered only from a day on: before it, only other rows mention the company.
  {
    ticker: 'EPSI',
    name: 'Epsilon Paper plc',
    cik: '0000000055',
    sector: 'Materials',
    known_from: '2024-09-16',
  },
  {
    ticker: 'ALFA',
    name: 'Alfa Offshore Corp',
    cik: '0000000011',
    industry: 'Drilling',
    known_from: '2025-02-03',
  },
]

const directory: Row[] = [
  { registry: 'sec', position: 1, ticker: 'ALFA', cik: '0000000011', name: 'ALFA DRILLING CORP' },
  { registry: 'sec', position: 2, ticker: 'ZETA', cik: '0000000066', name: 'ZETA SHIPPING LTD', sic: '4412' },
  {
    registry: 'sec',
    position: 3,
    cik: '0000000044',
    name: 'DELTA BANK GROUP',
    sic: '6021',
    known_from: '2024-11-01',
  },
]

const links: Row[] = [
  {
    name: 'EPSILON PPR CAYMAN',
    ticker: 'EPSI',
    decided_at: '2024-12-02T10:00:00Z',
    known_from: '2024-12-02',
  },
  { name: 'EPSILON PPR CAYMAN', ticker: null, decided_at: '2025-05-05T10:00:00Z', known_from: '2025-05-05' },
]

const bond = (n: number, ticker: string, more: Row): Row => ({
  bond_id: `B${String(n).padStart(3, '0')}`,
  name: `${ticker} ${n}`,
  ticker,
  coupon_rate: 4 + (n % 5) * 0.5,
  rate_type: 'fixed',
  rate_structure: 'fixed',
  seniority: 'senior_unsecured',
  security_type: 'unsecured',
  instrument_type: 'senior_notes',
  issuer_type: n % 2 ? 'holdco' : 'opco',
  currency: 'USD',
  outstanding: (100 + n) * 1_000_000_00,
  issue_date: '2022-05-16',
  known_from: '2022-05-16',
  ...more,
})

const bonds: Row[] = [
  // Five bonds of one company in one tenor: enough for the outlier test.
  ...[1, 2, 3, 4, 5].map(n => bond(n, 'ALFA', { maturity_date: `2029-0${n}-15` })),
  bond(6, 'ALFA', { maturity_date: '2025-03-01' }),
  bond(7, 'ALFA', { maturity_date: '2033-06-01' }),
  { bond_id: 'B007', status: 'retired', known_from: '2024-11-20' },
  // A tap, reported later; and a wrong amount that is corrected the same year.
  { bond_id: 'B001', outstanding: 500 * 1_000_000_00, known_from: '2024-08-05' },
  { bond_id: 'B001', outstanding: 450 * 1_000_000_00, known_from: '2025-01-22' },
  bond(8, 'BETA', { maturity_date: '2027-03-01', coupon_rate: 0, rate_structure: 'zero' }),
  bond(9, 'BETA', { maturity_date: '2031-09-15' }),
  { bond_id: 'B009', status: 'defaulted', known_from: '2025-02-18' },
  bond(10, 'GAMA', { maturity_date: '2028-12-01', issue_date: '2024-07-01', known_from: '2024-07-01' }),
  bond(11, 'GAMA', { maturity_date: '2030-12-01', currency: 'EUR' }),
  bond(12, 'DELT', {
    maturity_date: '2034-01-15',
    rate_structure: 'fixed_to_float',
    last_fixed_date: '2033-01-15',
  }),
  bond(13, 'GAMA', {
    maturity_date: '2026-10-01',
    rate_type: 'floating',
    rate_structure: 'floating',
    benchmark: 'SOFR',
    spread_bps: 350,
    seniority: 'senior_secured',
    security_type: 'first_lien',
    instrument_type: 'term_loan_b',
    coupon_rate: null,
  }),
  // Issuers known only by name, until a company or a link says whose they are.
  bond(14, 'EPSI', {
    ticker: null,
    issuer_name: 'EPSILON PAPER PLC',
    maturity_date: '2029-11-01',
    known_from: '2024-02-01',
  }),
  bond(15, 'EPSI', {
    ticker: null,
    issuer_name: 'EPSILON PPR CAYMAN',
    maturity_date: '2028-02-01',
    known_from: '2024-03-01',
  }),
  bond(16, 'ZETA', {
    ticker: null,
    cik: '0000000066',
    issuer_name: 'Zeta Shipping Ltd',
    maturity_date: '2027-07-01',
  }),
  // A row without a known day.
  bond(17, 'ALFA', { maturity_date: '2032-01-15', known_from: null, issue_date: null }),
]

/** Fridays from 2024-01-05 to the last day. */
const fridays = Array.from({ length: 78 }, (_, i) => dayAfter('2024-01-05', 7 * i)).filter(
  day => day <= lastDay,
)

// Two weeks without a curve: spreads use the last one, and then none.
const curve: Row[] = fridays
  .filter(day => day < '2024-08-10' || day > '2024-08-25')
  .flatMap((date, i) =>
    [6, 12, 24, 36, 60, 84, 120, 360].map(tenor_months => ({
      date,
      tenor_months,
      rate: Math.round((3.5 + (i % 7) * 0.05 + tenor_months / 400) * 100) / 100,
      publisher: 'treasury',
      known_from: date,
    })),
  )

const trade = (
  id: string,
  bond_id: string,
  trade_date: string,
  price: number | null,
  more: Row = {},
): Row => ({
  trade_id: id,
  bond_id,
  trade_date,
  price,
  trade_time: '10:00:00',
  quantity: 1_000_000_00,
  known_from: trade_date,
  ...more,
})

const trades: Row[] = [
  ...fridays.flatMap((day, i) =>
    [1, 2, 3, 4, 5].map(n =>
      // The fifth bond is at times far from the others.
      trade(`T${i}-${n}`, `B00${n}`, day, 98 + ((i * n) % 9) / 4 - (n === 5 && i % 6 === 0 ? 25 : 0)),
    ),
  ),
  ...fridays.filter((_, i) => i % 3 === 0).map((day, i) => trade(`G${i}`, 'B010', day, 101 - (i % 4))),
  // Cancelled, corrected and reversed, each weeks after its trade.
  trade('T10-2C', 'B002', fridays[10]!, null, {
    action: 'cancel',
    original_trade_id: 'T10-2',
    reported_date: '2024-05-20',
    known_from: '2024-05-20',
  }),
  trade('T20-3X', 'B003', fridays[20]!, 91.5, {
    action: 'correction',
    original_trade_id: 'T20-3',
    reported_date: '2024-07-15',
    known_from: '2024-07-15',
  }),
  trade('T40-1R', 'B001', fridays[40]!, null, {
    action: 'reversal',
    original_trade_id: 'T40-1',
    reported_date: '2024-12-09',
    known_from: '2024-12-09',
  }),
  trade('W1', 'B010', '2024-06-28', 99, { when_issued: true }),
  trade('E1', 'B009', '2024-10-04', 55, { price_estimated: true }),
]

const prices: Row[] = [
  ...fridays
    .filter((_, i) => i % 4 === 0)
    .flatMap((price_date, i) =>
      ['B007', 'B008', 'B009', 'B011', 'B012', 'B014', 'B015', 'B016'].map((bond_id, j) => ({
        bond_id,
        price_date,
        price: 95 + ((i + j) % 8) - (bond_id === 'B009' && price_date > '2025-02' ? 60 : 0),
        price_source: 'fund_mark',
        // Public two months later.
        known_from: dayAfter(price_date, 60),
      })),
    ),
  // The same day's vendor price, restated.
  { bond_id: 'B008', price_date: '2024-11-01', price: 88, price_source: 'vendor', known_from: '2024-11-01' },
  {
    bond_id: 'B008',
    price_date: '2024-11-01',
    price: 89.25,
    price_source: 'vendor',
    known_from: '2025-01-10',
  },
  { bond_id: 'B016', price_date: '2025-01-10', price: 97, price_source: 'vendor', known_from: null },
]

const rating = (ticker: string, agency: string, letter: string, day: string, more: Row = {}): Row => ({
  ticker,
  agency,
  rating: letter,
  effective_date: day,
  known_from: day,
  ...more,
})

const ratings: Row[] = [
  rating('ALFA', 'sp', 'BB-', '2024-01-10', { outlook: 'stable' }),
  rating('ALFA', 'sp', 'BB-', '2024-06-10', { outlook: 'positive' }),
  rating('ALFA', 'sp', 'BB', '2025-05-20', { outlook: 'stable' }),
  rating('ALFA', 'moodys', 'Ba3', '2024-02-01'),
  rating('ALFA', 'moodys', 'WR', '2025-01-15'),
  rating('ALFA', 'fitch', 'BB+', '2024-09-02', { rating_type: 'corporate_family' }),
  rating('BETA', 'fitch', 'A', '2024-02-01'),
  rating('BETA', 'fitch', 'CCC+', '2025-02-19'),
  rating('GAMA', 'sp', 'BBB', '2023-03-03', { known_from: '2024-04-04' }),
  rating('GAMA', 'moodys', 'Baa3', '2024-10-10', { cusip: null, rating_type: 'senior_unsecured' }),
  rating('EPSI', 'sp', 'B+', '2024-05-05', { ticker: null, company_name: 'Epsilon Paper plc' }),
  rating('DELT', 'sp', 'A-', '2024-01-02', { effective_date: null, known_from: '2024-03-12' }),
  rating('DELT', 'sp', 'BBB+', '2024-01-02', { effective_date: null, known_from: null }),
]

const covenant = (
  id: string | null,
  ticker: string,
  name: string,
  day: string | null,
  more: Row = {},
): Row => ({
  id,
  ticker,
  covenant_type: 'financial',
  covenant_name: name,
  test_metric: 'leverage_ratio',
  threshold_type: 'maximum',
  threshold_value: 4.5,
  known_from: day,
  ...more,
})

const covenants: Row[] = [
  covenant('c1', 'ALFA', 'Maximum leverage', '2024-03-01'),
  covenant('c1', 'ALFA', 'Maximum leverage', '2024-12-01', { threshold_value: 5.25 }),
  covenant(null, 'GAMA', 'Maximum leverage', '2024-06-01', { threshold_value: 4 }),
  covenant('c3', 'BETA', 'Change of control put', '2024-03-01', {
    covenant_type: 'protective',
    test_metric: null,
  }),
  covenant('c4', 'BETA', 'Minimum coverage', null, {
    test_metric: 'interest_coverage',
    threshold_type: 'minimum',
  }),
]

const collateral: Row[] = [
  {
    id: 'k1',
    bond_id: 'B013',
    ticker: 'GAMA',
    type: 'equipment',
    description: 'Mills',
    priority: 'first_lien',
    estimated_value: 40_000_000_00,
    known_from: '2024-03-01',
  },
  {
    id: 'k1',
    bond_id: 'B013',
    ticker: 'GAMA',
    type: 'equipment',
    description: 'Mills',
    priority: 'first_lien',
    estimated_value: 31_000_000_00,
    known_from: '2025-03-01',
  },
  { id: 'k2', bond_id: 'B013', type: 'real_estate', description: 'Warehouses', known_from: '2024-10-01' },
]

const entity = (id: string, ticker: string, more: Row = {}): Row => ({
  id,
  ticker,
  name: `${ticker} ${id}`,
  entity_type: 'opco',
  ...more,
})

const entities: Row[] = [
  ...tickers.map((ticker, i) => entity(`e${i}`, ticker, { entity_type: 'holdco' })),
  entity('e10', 'ALFA', { parent_id: 'e0', is_guarantor: true, known_from: '2024-03-01' }),
  entity('e10', 'ALFA', { parent_id: 'e0', removed_date: '2025-01-01', known_from: '2025-01-15' }),
  entity('e11', 'ALFA', { parent_id: 'e0', jurisdiction: 'Delaware', known_from: '2024-10-01' }),
  entity('e12', 'GAMA', { parent_id: 'e2', entity_type: 'vie', known_from: '2024-05-01' }),
]

const ownership: Row[] = [
  { parent_id: 'e0', child_id: 'e12', ownership_pct: 40, known_from: '2024-08-01' },
  { parent_id: 'e0', child_id: 'e12', ownership_pct: 55, known_from: '2025-04-01' },
]

const guarantees: Row[] = [
  { guarantor_id: 'e10', bond_id: 'B001', guarantee_type: 'full', known_from: '2024-03-01' },
  { guarantor_id: 'e11', bond_id: 'B001', known_from: '2024-10-01' },
]

const spreads: Row[] = fridays
  .filter((_, i) => i % 5 === 0)
  .flatMap((spread_date, i) =>
    ['BETA', 'DELT'].map(ticker => ({
      ticker,
      spread_date,
      tenor: '5Y',
      spread_bps: 150 + i * 2,
      feed: 'trade_repository',
      known_from: dayAfter(spread_date, 3),
    })),
  )

/**
 * A small lake in which much becomes known late: restatements, cancels, changed ratings, links, amounts and entities,
 * bonds that retire and default, gaps in the curve, and undated rows.
 */
export const richRows: Rows = Object.fromEntries(
  Object.entries({
    companies,
    directory,
    links,
    bonds,
    treasury_yields: curve,
    trades,
    prices,
    ratings,
    covenants,
    collateral,
    entities,
    ownership,
    guarantees,
    financials,
    facts,
    filings,
    documents,
    spreads,
  }).map(([name, rows]) => [name, rows.map((row, i) => ({ source: `${name}.csv:${i + 2}`, ...row }))]),
)

/** The number of undated rows, without reference rows. */
export const undatedRows = ['bonds', 'prices', 'ratings', 'covenants', 'financials', 'documents']
  .flatMap(name => richRows[name]!)
  .filter(row => row['known_from'] === null).length
