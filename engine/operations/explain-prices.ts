import { formatDay, parseDay, settlementDay } from '../credit/calendar.ts'
import { stored } from '../database/views.ts'
import type { Context, ListAnswer } from './operation.ts'

/** The formula of each price figure. */
const formulas = {
  last_price: 'last trade of the day after cleaning, else a vendor price, a fund mark, an estimate; clean',
  vwap: 'sum(price x quantity) / sum(quantity) of those trades',
  ytm: 'semiannual street yield to maturity, or to the last fixed day; simple interest in the last coupon period',
  spread: '100 x (ytm - par_yield), par_yield linear between the tenors around remaining_years',
  z_spread: 'basis points, compounded twice a year, to add to every Treasury spot rate to give the price',
  duration: '-(dP/dy) / P of the dirty price, years',
  convexity: '(d2P/dy2) / P of the dirty price',
  dv01: 'duration x dirty price / 100, cents per 100 par',
  ytw: "lowest yield over maturity and calls ahead; a call in force is at 30 days' notice",
  ytc: "yield to the next call; a call in force is at 30 days' notice; withheld above 50 percent, annualised from a few weeks",
  discount_margin:
    'margin over the index, held flat at the three-month Treasury yield, that gives the price on ACT/360',
  staleness_days: 'as-of date - date of the price',
}

const needs = [
  'bond_id',
  'ytm',
  'spread',
  'last_trade_date',
  'staleness_days',
  'price_source',
  'price_basis',
  'accrued',
  'remaining_years',
  'source',
  'yield_null_because',
  'spread_null_because',
  'ytw_null_because',
  'ytc_null_because',
  'margin_null_because',
  'ytm_withheld',
  'spread_withheld',
  'compared_with',
  'compared_spread',
  'compared_bonds',
  'published_ytm',
  'published_ytw',
  'published_spread',
  'published_duration',
  'list_name',
] as const

/** The inputs of a price, its yield and its spread: source, settlement, terms, curve and its tenors. */
export const explainPrices = (context: Context): NonNullable<ListAnswer['explain']> => ({
  needs,
  async of(rows) {
    if (rows.length === 0) return []
    const [{ parYieldAt }, { curveHistory }, { pointsAround }] = await Promise.all([
      import('../credit/curve.ts'),
      import('../derive/bonds/curve-table.ts'),
      import('../derive/bonds/latest-figures.ts'),
    ])
    await context.tables('bonds', 'treasury_yields')
    const curves = await curveHistory(context.database, stored('treasury_yields'))
    const ids = [...new Set(rows.map(row => String(row['bond_id'])))]
    const bonds = await context.database.rows<{ id: string; explained: string }>(
      `SELECT id, CAST(_explain AS VARCHAR) AS explained FROM ${stored('bonds')} WHERE id IN (${ids.map(() => '?').join(', ')})`,
      ids,
    )
    const terms = new Map(bonds.map(b => [b.id, (JSON.parse(b.explained) as { terms: unknown }).terms]))
    return rows.map(row => {
      const day = parseDay(String(row['last_trade_date']))
      const years = row['remaining_years'] as number | null
      const curve = curves.at(day)
      const par = curve && years !== null ? parYieldAt(curve, years) : null
      return {
        price: {
          from: row['source'],
          price_source: row['price_source'],
          basis: row['price_basis'],
          date: row['last_trade_date'],
          staleness_days: row['staleness_days'],
          settles: formatDay(settlementDay(day)),
          accrued: row['accrued'],
          remaining_years: years,
        },
        terms: terms.get(String(row['bond_id'])) ?? null,
        curve:
          curve === null || years === null
            ? null
            : {
                date: formatDay(curve.day),
                points: pointsAround(curve, years),
                par_yield: par?.ratePct ?? null,
                is_extrapolated: par?.isExtrapolated ?? null,
              },
        null_because: {
          ytm: row['yield_null_because'],
          spread: row['spread_null_because'],
          ytw: row['ytw_null_because'],
          ytc: row['ytc_null_because'],
          discount_margin: row['margin_null_because'],
        },
        withheld:
          row['ytm_withheld'] === null
            ? null
            : {
                ytm: row['ytm_withheld'],
                spread: row['spread_withheld'],
                compared_with: row['compared_with'],
                compared_spread: row['compared_spread'],
                compared_bonds: row['compared_bonds'],
              },
        published: publishedOf(row),
        formulas,
      }
    })
  },
})

/** What the list behind a price publishes, and our difference from it; null if nothing. */
function publishedOf(row: Readonly<Record<string, unknown>>) {
  const [ytm, ytw, spread, duration] = published.map(name => row[`published_${name}`] as number | null)
  if ([ytm, ytw, spread, duration].every(value => value == null)) return null
  const less = (ours: unknown, theirs: number | null | undefined, times = 1) =>
    typeof ours === 'number' && theirs != null ? Math.round((ours - theirs) * times * 100) / 100 : null
  return {
    list: row['list_name'],
    ytm,
    ytw,
    spread,
    duration,
    ytm_difference_bps: less(row['ytm'], ytm, 100),
    spread_difference_bps: less(row['spread'], spread),
  }
}

const published = ['ytm', 'ytw', 'spread', 'duration'] as const

/** The inputs of a bond's terms and latest price, as stored, with the formulas. */
export const explainBonds = (): NonNullable<ListAnswer['explain']> => ({
  needs: ['_explain'],
  of: async rows =>
    rows.map(row => {
      const stored = row['_explain']
      return { ...(typeof stored === 'string' ? JSON.parse(stored) : (stored as object)), formulas }
    }),
})
