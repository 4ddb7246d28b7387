import type { Context, ListAnswer } from '../operation.ts'
import { stored } from '../views.ts'

const needs = ['company_id', 'spread_date', 'tenor', 'source']

const steps = [
  'fixed-rate senior unsecured bonds with a price',
  'bucketed by remaining years: 1Y [1,2), 3Y [2,4), 5Y [4,6), 7Y [6,8.5), 10Y [8.5,12]',
  'price at least 60, not estimated, at least one year left',
  'outliers out: leave-one-out 3 sigma in groups of 4 or more, else range and distance from the issuer median',
  'median, at least -200, in tenths of a basis point',
]

/** The bonds behind each spread of a page, and those of the same company and day that a step left out. */
export const explainSpreads = (context: Context): NonNullable<ListAnswer['explain']> => ({
  needs,
  async of(rows) {
    if (rows.length === 0) return []
    await context.tables('spread_inputs')
    const keys = rows.map(() => '(?, CAST(? AS DATE))').join(', ')
    const inputs = await context.database.rows<Record<string, unknown>>(
      `SELECT company_id, CAST(spread_date AS VARCHAR) AS spread_date, tenor, bond_id, cusip, bond_name, last_price, ytm,
         spread_bps, remaining_years, trade_count, outcome, source
       FROM ${stored('spread_inputs')} WHERE (company_id, spread_date) IN (${keys}) ORDER BY bond_id`,
      rows.flatMap(row => [String(row['company_id']), String(row['spread_date'])]),
    )
    return rows.map(row => {
      if (row['source'] !== 'bond_spread_proxy')
        return { source: row['source'], formula: 'as loaded by the operator' }
      const those = inputs
        .filter(i => i['company_id'] === row['company_id'] && i['spread_date'] === row['spread_date'])
        .map(({ company_id: _c, spread_date: _d, ...input }) => input)
      return {
        formula: 'median of the spreads of the bonds used',
        steps,
        used: those.filter(i => i['outcome'] === 'used' && i['tenor'] === row['tenor']),
        left_out: those.filter(
          i => i['outcome'] !== 'used' && (i['tenor'] === row['tenor'] || i['tenor'] === null),
        ),
      }
    })
  },
})
