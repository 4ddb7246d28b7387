import { quote } from '../database/database.ts'
import { isNumeric } from '../schema/column.ts'
import { tables } from '../schema/resources/tables.ts'

/** An impossible state, whatever the inputs: the rows of `table` for which `broken` holds. */
export interface Invariant {
  readonly table: string
  readonly field: string
  readonly says: string
  readonly broken: string
}

const invariant = (table: string, field: string, says: string, broken: string): Invariant => ({
  table,
  field,
  says,
  broken,
})

const own: readonly Invariant[] = [
  invariant('companies', 'net_debt', 'net debt is total debt less cash', 'net_debt <> total_debt - cash'),
  invariant(
    'companies',
    'unsecured_debt',
    'secured and unsecured debt are total debt',
    'unsecured_debt <> total_debt - secured_debt',
  ),
  invariant('companies', 'unsecured_debt', 'unsecured debt is not negative', 'unsecured_debt < 0'),
  invariant(
    'companies',
    'debt_excluding_finance',
    'debt without the finance arm is at most total debt',
    'debt_excluding_finance > total_debt * 1.01',
  ),
  invariant(
    'companies',
    'debt_due_2yr',
    'debt due is cumulative',
    'debt_due_1yr > debt_due_2yr OR debt_due_2yr > debt_due_3yr',
  ),
  invariant(
    'companies',
    'leverage_ratio',
    'leverage needs positive EBITDA',
    'leverage_ratio IS NOT NULL AND coalesce(ebitda_ttm <= 0, TRUE)',
  ),
  invariant(
    'companies',
    '_metadata.qa_score',
    'a score is between 0 and 1',
    'NOT "_metadata.qa_score" BETWEEN 0 AND 1',
  ),
  invariant(
    'financials',
    'leverage_ratio',
    'leverage is not negative',
    'leverage_ratio < 0 AND total_debt >= 0',
  ),
  invariant(
    'financials',
    'filed_date',
    'a statement is filed after its period',
    'filed_date < period_end_date',
  ),
  invariant(
    'financials',
    'known_from',
    'a statement is known after its period',
    'known_from < period_end_date',
  ),
  invariant(
    'financials',
    'free_cash_flow',
    'free cash flow is operating cash flow less capital expenditure',
    'free_cash_flow <> operating_cash_flow - capex',
  ),
  invariant('bonds', 'maturity_date', 'a bond matures after its issue', 'maturity_date < issue_date'),
  invariant(
    'bonds',
    'pricing.staleness_days',
    'a price is not of the future',
    '"pricing.staleness_days" < 0',
  ),
  invariant(
    'pricing_history',
    'last_price',
    'a price is positive',
    "last_price <= 0 AND price_basis = 'clean'",
  ),
  invariant(
    'pricing_history',
    'ytm',
    'a yield is there or a reason is',
    '(ytm IS NULL) = (yield_null_because IS NULL)',
  ),
  invariant(
    'pricing_history',
    'spread',
    'a spread is there or a reason is',
    '(spread IS NULL) = (spread_null_because IS NULL)',
  ),
  invariant('pricing_history', 'known_from', 'a price is known on its day or later', 'known_from < date'),
  invariant(
    'spreads',
    'spread_bps',
    'a spread of the bond-derived series is at least -200',
    "spread_bps < -200 AND source = 'bond_spread_proxy'",
  ),
  invariant(
    'spreads',
    'spread_bps',
    'spreads are exact in tenths of a basis point',
    "source = 'bond_spread_proxy' AND spread_bps <> round(spread_bps * 10) / 10",
  ),
  invariant(
    'spreads',
    'bond_count',
    'bonds stand behind a derived spread',
    "source = 'bond_spread_proxy' AND coalesce(bond_count, 0) < 1",
  ),
  invariant('ratings', 'rating_rank', 'ranks are 1 to 22', 'NOT rating_rank BETWEEN 1 AND 22'),
]

/** `[table, column, referenced table, key there]` */
const references: readonly (readonly [string, string, string, string])[] = [
  ...tables
    .filter(t => t.columns['company_id'] && t.table !== 'companies')
    .map(t => [t.table, 'company_id', 'companies', 'company_id'] as const),
  ['pricing', 'bond_id', 'bonds', 'id'],
  ['pricing_history', 'bond_id', 'bonds', 'id'],
  ['spread_inputs', 'bond_id', 'bonds', 'id'],
  ['collateral', 'bond_id', 'bonds', 'id'],
]

export const invariants: readonly Invariant[] = [
  ...own,
  ...references.map(([table, column, to, key]) =>
    invariant(
      table,
      column,
      `${column} is in ${to}`,
      `${column} IS NOT NULL AND ${column} NOT IN (SELECT ${key} FROM kept_${to})`,
    ),
  ),
  ...tables.flatMap(t =>
    Object.entries(t.columns)
      .filter(([, column]) => isNumeric(column) && !['cents', 'integer'].includes(column.kind))
      .map(([name]) => invariant(t.table, name, 'a figure is finite', `NOT isfinite(${quote(name)})`)),
  ),
  ...tables.flatMap(t =>
    Object.entries(t.columns)
      .filter(([, column]) => !column.nullable)
      .map(([name]) => invariant(t.table, name, 'it is never missing', `${quote(name)} IS NULL`)),
  ),
]
