/**
 * The record tables of SPEC and CONTRACT 3, as a client reads them: what is in a record, and what it is.
 * An array lists all values there are; `string[]` is a list of texts; money is `cents`.
 */
export type Kind =
  | 'string'
  | 'integer'
  | 'cents'
  | 'number'
  | 'boolean'
  | 'date'
  | 'timestamp'
  | 'cusip'
  | 'string[]'
  | 'any'
export type Members = { readonly [name: string]: Kind | readonly string[] | Members }

export const company = {
  ticker: 'string',
  name: 'string',
  sector: 'string',
  industry: 'string',
  leverage_ratio: 'number',
  net_leverage_ratio: 'number',
  total_debt: 'cents',
  secured_debt: 'cents',
  debt_due_1yr: 'cents',
  debt_due_2yr: 'cents',
  nearest_maturity: 'date',
  // Beyond SPEC.
  cik: 'string',
  lei: 'string',
  unsecured_debt: 'cents',
  net_debt: 'cents',
  cash: 'cents',
  ebitda_ttm: 'cents',
  secured_leverage: 'number',
  interest_coverage: 'number',
  debt_due_3yr: 'cents',
  weighted_avg_maturity: 'number',
  entity_count: 'integer',
  guarantor_count: 'integer',
  bond_count: 'integer',
  has_structural_sub: 'boolean',
  has_floating_rate: 'boolean',
  has_near_term_maturity: 'boolean',
  has_holdco_debt: 'boolean',
  has_opco_debt: 'boolean',
  sp_rating: 'string',
  moodys_rating: 'string',
  fitch_rating: 'string',
  rating_bucket: ['IG', 'HY-BB', 'HY-B', 'HY-CCC', 'NR'],
  coverage: ['standard', 'extended'],
} as const satisfies Members

export const leverageDataQuality = {
  ebitda_source: 'string',
  ebitda_quarters: 'integer',
  is_annualized: 'boolean',
  ebitda_estimated: 'boolean',
  ttm_quarters: 'string[]',
} as const satisfies Members

export const companyMetadata = {
  qa_score: 'number',
  warnings: 'string[]',
  extracted_at: 'timestamp',
  source_filings: 'string[]',
  leverage_data_quality: leverageDataQuality,
} as const satisfies Members

const bondPrice = {
  last_price: 'number',
  ytm: 'number',
  spread: 'integer',
  staleness_days: 'integer',
  // Beyond SPEC.
  last_trade_date: 'date',
  duration: 'number',
  convexity: 'number',
  dv01: 'number',
  z_spread: 'number',
} as const satisfies Members

export const bond = {
  id: 'string',
  name: 'string',
  cusip: 'cusip',
  isin: 'string',
  company_ticker: 'string',
  ticker: 'string',
  company_name: 'string',
  coupon_rate: 'number',
  maturity_date: 'date',
  seniority: ['senior_secured', 'senior_unsecured', 'subordinated'],
  security_type: ['first_lien', 'second_lien', 'unsecured'],
  instrument_type: 'string',
  issuer_type: ['holdco', 'opco', 'subsidiary'],
  rate_type: ['fixed', 'floating'],
  outstanding: 'cents',
  benchmark: 'string',
  spread_bps: 'number',
  floor_bps: 'number',
  guarantor_count: 'integer',
  issuer: { name: 'string', entity_type: 'string' },
  collateral: { type: 'string', description: 'string', assets: 'string[]' },
  pricing: bondPrice,
  // Beyond SPEC.
  company_sector: 'string',
  issuer_id: 'string',
  commitment: 'cents',
  principal: 'cents',
  currency: 'string',
  issue_date: 'date',
  is_active: 'boolean',
  callable: 'boolean',
  rank: 'integer',
  rate_structure: 'string',
} as const satisfies Members

export const price = {
  cusip: 'cusip',
  bond_name: 'string',
  ...bondPrice,
  // Beyond SPEC.
  isin: 'string',
  company_ticker: 'string',
  price_source: 'string',
} as const satisfies Members

export const dailyPrice = {
  date: 'date',
  last_price: 'number',
  ytm: 'number',
  spread: 'integer',
  // Beyond SPEC.
  volume: 'cents',
  trade_count: 'integer',
} as const satisfies Members

export const statement = {
  ticker: 'string',
  fiscal_year: 'integer',
  fiscal_quarter: 'integer',
  filing_type: 'string',
  period_end_date: 'date',
  revenue: 'cents',
  operating_income: 'cents',
  net_income: 'cents',
  ebitda: 'cents',
  total_assets: 'cents',
  total_liabilities: 'cents',
  total_debt: 'cents',
  cash_and_equivalents: 'cents',
  operating_cash_flow: 'cents',
  capex: 'cents',
  free_cash_flow: 'cents',
  leverage_ratio: 'number',
  is_annualized: 'boolean',
  ebitda_estimated: 'boolean',
  // Beyond SPEC.
  company_name: 'string',
  gross_profit: 'cents',
  depreciation_amortization: 'cents',
  interest_expense: 'cents',
  stockholders_equity: 'cents',
  currency: 'string',
  filed_date: 'date',
  accession: 'string',
} as const satisfies Members

export const covenant = {
  id: 'string',
  ticker: 'string',
  company_name: 'string',
  instrument_name: 'string',
  cusip: 'cusip',
  covenant_type: ['financial', 'negative', 'incurrence', 'protective'],
  covenant_name: 'string',
  test_metric: [
    'leverage_ratio',
    'first_lien_leverage',
    'secured_leverage',
    'net_leverage_ratio',
    'interest_coverage',
    'fixed_charge_coverage',
  ],
  threshold_value: 'number',
  threshold_type: 'string',
  test_frequency: 'string',
  description: 'string',
  has_step_down: 'boolean',
  step_down_schedule: 'any',
  cure_period_days: 'integer',
  put_price_pct: 'number',
  extraction_confidence: 'number',
  source_document_date: 'date',
} as const satisfies Members

export const rating = {
  ticker: 'string',
  company_name: 'string',
  agency: ['sp', 'moodys', 'fitch'],
  rating: 'string',
  rating_type: ['issuer', 'senior_secured', 'senior_unsecured', 'subordinated', 'corporate_family'],
  outlook: 'string',
  effective_date: 'date',
  rating_bucket: ['IG', 'HY-BB', 'HY-B', 'HY-CCC', 'NR'],
  source_section_type: ['nrsro_17g7', 'llm_extraction', 'imported'],
  // Beyond SPEC.
  id: 'string',
  cusip: 'cusip',
  sector: 'string',
  rating_rank: 'integer',
} as const satisfies Members

export const section = {
  id: 'string',
  ticker: 'string',
  company_name: 'string',
  doc_type: 'string',
  filing_date: 'date',
  section_type: 'string',
  section_title: 'string',
  snippet: 'string',
  relevance_score: 'number',
  // Beyond SPEC.
  accession: 'string',
  content_length: 'integer',
} as const satisfies Members

export const spread = {
  ticker: 'string',
  company_name: 'string',
  spread_date: 'date',
  tenor: ['1Y', '3Y', '5Y', '7Y', '10Y'],
  spread_bps: 'number',
  trade_count: 'integer',
  bond_count: 'integer',
  source: ['bond_spread_proxy', 'trade_repository', 'settlement_price'],
} as const satisfies Members

export const collateral = {
  type: [
    'real_estate',
    'equipment',
    'receivables',
    'inventory',
    'securities',
    'vehicles',
    'ip',
    'cash',
    'energy_assets',
    'general_lien',
  ],
  description: 'string',
  assets: 'string[]',
  // Beyond SPEC.
  id: 'string',
  bond_id: 'string',
  bond_name: 'string',
  cusip: 'cusip',
  company_ticker: 'string',
  company_name: 'string',
  priority: ['first_lien', 'second_lien'],
  estimated_value: 'cents',
  valuation_date: 'date',
  valuation_source: 'string',
  jurisdiction: 'string',
} as const satisfies Members

export const entity = {
  id: 'string',
  name: 'string',
  entity_type: ['holdco', 'opco', 'finco', 'subsidiary', 'jv', 'vie'],
  jurisdiction: 'string',
  is_guarantor: 'boolean',
  is_vie: 'boolean',
  guarantee_type: 'string',
  debt_at_entity: { count: 'integer', total: 'cents' },
  level: 'integer',
} as const satisfies Members

const fits: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  string: v => typeof v === 'string' && v !== '',
  integer: v => Number.isSafeInteger(v),
  cents: v => Number.isSafeInteger(v),
  number: v => Number.isFinite(v),
  boolean: v => typeof v === 'boolean',
  date: v => typeof v === 'string' && /^\d{4}-\d\d-\d\d$/.test(v) && !Number.isNaN(Date.parse(v)),
  timestamp: v => typeof v === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(v),
  cusip: v => typeof v === 'string' && /^[0-9A-Z*@#]{9}$/.test(v),
  'string[]': v => Array.isArray(v) && v.every(item => typeof item === 'string'),
  any: () => true,
}

/** Violations of a record table: a missing member, another type, or a member that never has a value. */
export function faultsOf(
  members: Members,
  rows: readonly Readonly<Record<string, unknown>>[],
  within = '',
): string[] {
  return Object.entries(members).flatMap(([name, kind]) => {
    const at = `${within}${name}`
    if (rows.some(row => !Object.hasOwn(row, name))) return [`${at} is absent`]
    const values = rows.map(row => row[name]).filter(value => value !== null)
    if (values.length === 0) return [`${at} never has a value`]
    if (Array.isArray(kind)) {
      const other = values.find(value => !kind.includes(value))
      return other === undefined ? [] : [`${at} is ${JSON.stringify(other)}`]
    }
    if (typeof kind === 'object')
      return faultsOf(kind as Members, values as Record<string, unknown>[], `${at}.`)
    const other = values.find(value => !fits[kind as Kind](value))
    return other === undefined ? [] : [`${at} is ${JSON.stringify(other)}, no ${kind}`]
  })
}
