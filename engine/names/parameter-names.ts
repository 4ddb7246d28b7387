import { nearest } from './nearest.ts'

/**
 * Names that interfaces use for one parameter. Of several in a group that an operation has, the first is meant; a word in two
 * groups means the parameter of the first group that the operation has.
 */
const synonyms: readonly (readonly string[])[] = [
  ['sql', 'query', 'statement', 'q', 'text'],
  ['q', 'query', 'search', 'text', 'keyword', 'keywords', 'term', 'name'],
  ['limit', 'size', 'page_size', 'per_page', 'count', 'top', 'n', 'rows', 'max_rows', 'max_results', 'take'],
  ['offset', 'page', 'skip', 'start_row', 'cursor'],
  ['sort', 'order', 'order_by', 'sort_by', 'order_dir', 'sort_dir', 'direction'],
  ['fields', 'columns', 'cols', 'select', 'attributes', 'props'],
  [
    ...[
      'from',
      'date_from',
      'from_date',
      'since',
      'period_after',
      'filed_after',
      'due_after',
      'matures_after',
    ],
    ...['start', 'start_date', 'begin', 'begin_date', 'after', 'min_date', 'date_gte'],
  ],
  [
    ...['to', 'date_to', 'to_date', 'until', 'period_before', 'filed_before', 'due_before', 'matures_before'],
    ...['end', 'end_date', 'before', 'max_date', 'date_lte'],
  ],
  ['offset', 'start'],
  ['as_of', 'date', 'on', 'at', 'day', 'asof_date', 'valuation_date', 'point_in_time'],
  ['dates', 'days', 'date'],
  ['every', 'frequency', 'freq', 'interval', 'aggregation'],
  ['company_name', 'name'],
  ['ticker', 'symbol', 'company', 'company_id', 'company_ticker', 'issuer', 'stock', 'cik', 'name'],
  ['cusip', 'bond', 'bond_id', 'identifier', 'id', 'security', 'security_id', 'instrument'],
  ['isin', 'identifier', 'security'],
  ['data_type', 'resource', 'type', 'table', 'dataset'],
  ['resource', 'data_type', 'type', 'table', 'dataset'],
  ['doc_type', 'document_type', 'form', 'filing_type', 'type', 'kind'],
  ['covenant_type', 'type', 'kind', 'category'],
  ['collateral_type', 'type', 'kind', 'category'],
  ['instrument_type', 'type', 'kind', 'category'],
  ['rating_type', 'type', 'kind', 'category'],
  ['format', 'output', 'output_format', 'file_type', 'accept'],
  [
    'rating_bucket',
    'rating',
    'bucket',
    'grade',
    'credit_rating',
    'sp_rating',
    'moodys_rating',
    'fitch_rating',
  ],
  ['maturity_after', 'matures_after', 'due_after', 'min_maturity', 'maturity_from'],
  ['maturity_before', 'matures_before', 'due_before', 'max_maturity', 'maturity_to'],
  ['min_ytm', 'min_yield', 'yield_min', 'yield_gte'],
  ['max_ytm', 'max_yield', 'yield_max', 'yield_lte'],
  ['min_spread', 'spread_min', 'min_oas'],
  ['max_spread', 'spread_max', 'max_oas'],
  ['min_outstanding', 'min_amount', 'min_size', 'min_principal'],
  ['max_outstanding', 'max_amount', 'max_size'],
  ['min_leverage', 'leverage_min', 'leverage_gte', 'leverage'],
  ['max_leverage', 'leverage_max', 'leverage_lte'],
  ['period', 'quarter', 'fiscal_period', 'year', 'fiscal_year'],
  ['params', 'parameters', 'args', 'values', 'bind', 'bindings'],
  ['explain', 'lineage', 'debug', 'verbose'],
  ['snapshot', 'snapshot_id', 'version'],
]

/** `orderBy`, `order-by` and `Order_By` as `order_by`. */
const snake = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]/g, '_')
    .toLowerCase()

/** The parameter that was probably meant by a name: itself written otherwise, a synonym, else the nearest. */
export function meantParameter(written: string, allowed: readonly string[]): string | undefined {
  if (written.length > 64) return undefined
  const name = snake(written)
  const joined = name.replaceAll('_', '')
  const same = allowed.find(other => other.replaceAll('_', '') === joined)
  if (same !== undefined) return same
  const groups = synonyms.filter(names => names.some(other => other.replaceAll('_', '') === joined))
  for (const names of groups) {
    const meant = names.find(other => allowed.includes(other))
    if (meant !== undefined) return meant
  }
  // A word whose meaning is known is no misspelling of another, but may be its singular or plural.
  return groups.length > 0
    ? allowed.find(other => other === `${name}s` || name === `${other}s`)
    : nearest(written, allowed)
}

/** Why operations lack a parameter that others have; told where they have the parameter `beside`, if one is named. */
const reasons: Readonly<Record<string, { readonly beside?: string; readonly says: string }>> = {
  reported: {
    beside: 'ticker',
    says: 'its rows are as last known on the day; first prints are of companies, financials, debt reconciliations, headroom, liquidity, maturities and recovery',
  },
  isin: { beside: 'cusip', says: 'resolve finds the bond of an ISIN; give its CUSIP as cusip here' },
  q: { beside: 'ticker', says: 'suggest finds a company by name; give its ticker here' },
}

/** Why an operation lacks a parameter that others have; null if there is nothing to say. */
export function whyNoParameter(written: string, allowed: readonly string[]): string | null {
  const name = written.toLowerCase()
  if (!Object.hasOwn(reasons, name) || allowed.includes(name)) return null
  const { beside, says } = reasons[name] as { beside?: string; says: string }
  return beside === undefined || allowed.includes(beside) ? says : null
}
