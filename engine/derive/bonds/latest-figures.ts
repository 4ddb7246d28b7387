import { elementAt, firstOf } from '../../base/elements.ts'
import { bond, yieldToCall, yieldToWorst } from '../../credit/bond.ts'
import { type Day, formatDay, settlementDay } from '../../credit/calendar.ts'
import { callsIn, HIGHEST_YIELD_TO_CALL, redemptionsAhead } from '../../credit/calls.ts'
import { bootstrapSpot, type ParCurve, parYieldAt, type SpotCurve, zSpread } from '../../credit/curve.ts'
import type { CurveHistory } from '../../credit/curve-history.ts'
import type { DayCount } from '../../credit/day-count.ts'
import { discountMargin } from '../../credit/floating.ts'
import { spreadOfPrice } from '../../credit/options/measures.ts'
import { withoutOptions } from '../../credit/options/priced-bond.ts'
import type { FixedFlows } from '../../credit/options/promised.ts'
import { repaymentsIn, sinkingFlows, yieldOfFlows } from '../../credit/options/sinking.ts'
import type { Bond, Frequency, Redemption, Yield } from '../../credit/terms.ts'
import type { Database } from '../../database/database.ts'
import { pricingMaturity } from './analytics.ts'
import { dayNumber } from './instruments.ts'

interface Priced {
  readonly bond_id: string
  readonly date: number
  readonly clean: number
  readonly ytm: number | null
  readonly spread: number | null
  readonly coupon: number | null
  readonly maturity: number
  readonly years: number
  readonly accrual: number | null
  readonly first_coupon: number | null
  readonly frequency: number | null
  readonly day_count: DayCount | null
  readonly floating: boolean
  readonly margin: number | null
  readonly floor: number | null
  readonly currency: string
  readonly callable: boolean | null
  readonly calls: string | null
  readonly sinking: string | null
}

/** The tenor, in years, of the Treasury yield used as the index of a floating-rate note. */
export const INDEX_TENOR_YEARS = 0.25

type Reasoned<T> =
  | { readonly value: T; readonly reason: null }
  | { readonly value: null; readonly reason: string }
const none = (reason: string) => ({ value: null, reason }) as const

/**
 * `latest_figures`: figures that need a solver, for each bond's latest price only rather than the whole history: the
 * Z-spread, yield to call and to worst, and the discount margin of a floating-rate note. Call terms are the source's own,
 * else those of the company's filings.
 */
export async function deriveLatestFigures(db: Database, curves: CurveHistory): Promise<void> {
  const rows = await db.rows<Priced>(`
    SELECT b.id AS bond_id, ${dayNumber('p.date')} AS date, a.clean, a.ytm, a.spread, a.remaining_years AS years, b.coupon_rate AS coupon,
      ${dayNumber(pricingMaturity)} AS maturity, ${dayNumber('coalesce(b.accrual_date, b.issue_date)')} AS accrual,
      ${dayNumber('b.first_coupon_date')} AS first_coupon, b.coupon_frequency AS frequency,
      replace(b.day_count, 'ACT/365', 'ACT/365F') AS day_count, b.rate_structure IS NOT DISTINCT FROM 'floating' AS floating,
      b.spread_bps AS margin, b.floor_bps AS floor, coalesce(b.currency, 'USD') AS currency,
      coalesce(b.callable, f.callable) AS callable, coalesce(b.call_schedule, f.call_schedule) AS calls,
      b.sinking_schedule AS sinking
    FROM (SELECT max(n) AS n FROM numbered_prices GROUP BY bond) JOIN numbered_prices p USING (n) JOIN price_analytics a USING (n)
    JOIN bonds_base b ON b.no = p.bond LEFT JOIN filed_terms f ON f.id = b.id ORDER BY b.no`)
  const spots = new Map<number, SpotCurve | null>()
  const spotOn = (day: number): SpotCurve | null => {
    if (!spots.has(day)) {
      const par = curves.at(day)
      spots.set(day, par && bootstrapSpot(par))
    }
    return spots.get(day)!
  }
  const figures = rows.map(row => {
    const worst = worstOf(row)
    const margin = marginOf(row, curves)
    const settle = settlementDay(row.date)
    const { years } = row
    const curve = row.ytm === null ? null : curves.at(row.date)
    const par = curve && parYieldAt(curve, years)
    return {
      settles: formatDay(settle),
      curveDay: curve && formatDay(curve.day),
      curvePoints: curve && JSON.stringify(pointsAround(curve, years)),
      par: par && rounded(par.ratePct, 6),
      z: row.spread === null || row.currency !== 'USD' ? null : zSpreadOf(row, spotOn(row.date)),
      ytc: worst.value?.call.value ?? null,
      ytcReason: worst.value ? worst.value.call.reason : worst.reason,
      ytw: worst.value?.ytw ?? null,
      ytwDay: worst.value ? formatDay(worst.value.day) : null,
      ytwReason: worst.reason,
      margin: margin.value,
      marginReason: margin.reason,
    }
  })
  await db.run(
    'CREATE OR REPLACE TABLE latest_figures (bond_id VARCHAR, settles VARCHAR, curve_date VARCHAR, ' +
      'curve_points VARCHAR, par_yield DOUBLE, z_spread DOUBLE, ytc DOUBLE, ytc_null_because VARCHAR, ytw DOUBLE, ytw_day VARCHAR, ' +
      'ytw_null_because VARCHAR, discount_margin DOUBLE, margin_null_because VARCHAR)',
  )
  await db.append(
    'latest_figures',
    [
      rows.map(r => r.bond_id),
      ...(
        [
          'settles',
          'curveDay',
          'curvePoints',
          'par',
          'z',
          'ytc',
          'ytcReason',
          'ytw',
          'ytwDay',
          'ytwReason',
          'margin',
          'marginReason',
        ] as const
      ).map(name => figures.map(f => f[name])),
    ],
    rows.length,
  )
}

const termsOf = (row: Priced): Bond =>
  bond({
    coupon: row.coupon!,
    maturity: row.maturity,
    accrualStart: row.accrual,
    firstCoupon: row.first_coupon,
    ...(row.frequency && { frequency: row.frequency as Frequency }),
    ...(row.day_count && { dayCount: row.day_count }),
  })

/** The tenors around a maturity, with their rates; one if the maturity is outside. */
export function pointsAround(
  { tenorYears, ratePct }: ParCurve,
  years: number,
): { years: number; rate: number }[] {
  const after = tenorYears.findIndex(tenor => tenor >= years)
  const last = tenorYears.length - 1
  const at = after < 0 ? [last] : after === 0 || tenorYears[after] === years ? [after] : [after - 1, after]
  return at.map(i => ({ years: elementAt(tenorYears, i), rate: elementAt(ratePct, i) }))
}

const rounded = (value: number, digits: number) => Math.round(value * 10 ** digits) / 10 ** digits

function zSpreadOf(row: Priced, spot: SpotCurve | null): number | null {
  if (spot === null) return null
  const flows = flowsTo(row)
  if (flows !== null) {
    const spread = spreadOfPrice(withoutOptions(flows, spot), row.clean + flows.accrued)
    return spread === null ? null : rounded(spread * 10_000, 2)
  }
  const { bps } = zSpread(termsOf(row), row.clean, settlementDay(row.date), spot)
  return bps === null ? null : rounded(bps, 2)
}

/** The flows of a sinking bond up to a redemption, by default its maturity; null of any other bond. */
function flowsTo({ sinking, ...row }: Priced, redemption?: Redemption): FixedFlows | null {
  const schedule = sinking === null ? null : repaymentsIn(sinking)
  return schedule && sinkingFlows(termsOf({ ...row, sinking }), settlementDay(row.date), schedule, redemption)
}

type Worst = { readonly call: Reasoned<number>; readonly ytw: number; readonly day: Day }

/** Yield to the next call and the lowest over calls and maturity; the yield to maturity of a noncallable bond. */
function worstOf(row: Priced): Reasoned<Worst> {
  const { ytm } = row
  if (ytm === null) return none('no_yield')
  const toMaturity = (reason: string) => ({
    value: { call: none(reason), ytw: ytm, day: row.maturity },
    reason: null,
  })
  if (row.calls === null) return row.callable === false ? toMaturity('noncallable') : none('no_call_terms')
  const schedule = callsIn(row.calls)
  if (schedule === null) return none('no_call_terms')
  const terms = termsOf(row)
  const settle = settlementDay(row.date)
  const ahead = redemptionsAhead(schedule, settle, row.maturity)
  if (ahead.length === 0) return toMaturity('no_call_ahead')
  const { ytw, redemption } =
    row.sinking === null ? yieldToWorst(terms, row.clean, settle, ahead) : sinkingToWorst(row, ytm, ahead)
  if (ytw === null) return none('no_yield')
  const { ytm: ytc } =
    row.sinking === null
      ? yieldToCall(terms, row.clean, settle, firstOf(ahead))
      : sinkingToCall(row, firstOf(ahead))
  const call: Reasoned<number> =
    ytc === null
      ? none('no_convergence')
      : ytc > HIGHEST_YIELD_TO_CALL
        ? none('above_50_percent')
        : { value: rounded(ytc, 6), reason: null }
  return { value: { call, ytw: rounded(ytw, 6), day: redemption.day }, reason: null }
}

/** As `yieldToCall`, of what a sinking bond still owes on the day. */
function sinkingToCall(row: Priced, call: Redemption): Yield {
  const flows = flowsTo(row, call)
  return flows === null ? { ytm: null, reason: 'no_terms' } : yieldOfFlows(flows, row.clean)
}

/** As `yieldToWorst`, from the yield to maturity. */
function sinkingToWorst(row: Priced, toMaturity: number, calls: readonly Redemption[]) {
  let worst = { ytw: toMaturity, redemption: { day: row.maturity, price: 100 } }
  for (const call of calls) {
    const { ytm } = sinkingToCall(row, call)
    if (ytm !== null && ytm < worst.ytw) worst = { ytw: ytm, redemption: call }
  }
  return worst
}

/** Discount margin in basis points, with the three-month Treasury yield as the index. */
function marginOf(row: Priced, curves: CurveHistory): Reasoned<number> {
  if (!row.floating) return none('not_floating')
  if (row.sinking !== null) return none('floating_with_sinking')
  if (row.margin === null) return none('no_margin')
  if (row.maturity === null) return none('no_terms')
  if (row.currency !== 'USD') return none('not_usd')
  const indexPct = curves.interpolateAt(row.date, INDEX_TENOR_YEARS)
  if (Number.isNaN(indexPct)) return none('no_curve')
  const { bps, reason } = discountMargin(
    {
      maturity: row.maturity,
      frequency: (row.frequency ?? 4) as Frequency,
      quotedMarginBps: row.margin,
      floorBps: row.floor,
    },
    { settle: settlementDay(row.date), cleanPrice: row.clean, indexPct },
  )
  return bps === null ? none(reason) : { value: rounded(bps, 2), reason: null }
}
