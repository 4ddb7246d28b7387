import { elementAt, firstOf, lastOf } from '../base/elements.ts'
import { bond, cashFlows, yieldToCall, yieldToMaturity } from '../credit/bond.ts'
import { type Day, dayIn, formatDay, parseDay, settlementDay } from '../credit/calendar.ts'
import { discountFactor, interpolate, type ParCurve, type SpotCurve } from '../credit/curve.ts'
import type { DayCount } from '../credit/day-count.ts'
import { discountMargin } from '../credit/floating.ts'
import { dirtyFromFlows, solveYield } from '../credit/solve-yield.ts'
import type { Frequency, NoYieldReason, Redemption } from '../credit/terms.ts'
import { type Curves, curvesOf, reaches } from './curves.ts'
import type { Workbench } from './recomputation.ts'
import { sinkingPortfolio } from './sinking.ts'
import { type Chosen, dailyPrices, type Report } from './trades.ts'
import { dayOf, grouped, instrument, RowBuffer, records } from './workbench.ts'

interface BondTerms {
  readonly coupon: number | null
  readonly maturity: Day | null
  /** Final maturity of a fixed-to-float bond, whose `maturity` is its last fixed day; else null. */
  readonly final: Day | null
  readonly accrual: Day | null
  readonly firstCoupon: Day | null
  readonly frequency: number | null
  readonly dayCount: string | null
  readonly floats: boolean
  readonly defaultedFrom: Day | null
  readonly isUsd: boolean
  readonly margin: number | null
  readonly floor: number | null
  readonly callable: boolean | null
  readonly calls: string | null
  readonly sinking: string | null
}

export interface DailyPrice {
  readonly bond_id: string
  readonly company_id: string | null
  readonly date: string
  readonly price_source: string
  readonly price_basis: string
  readonly last_price: number
  readonly accrued: number | null
  readonly ytm: number | null
  readonly duration: number | null
  readonly convexity: number | null
  readonly dv01: number | null
  readonly spread: number | null
  readonly z_spread: number | null
  readonly ytw: number | null
  readonly ytw_date: string | null
  readonly ytc: number | null
  readonly discount_margin: number | null
  readonly remaining_years: number | null
  readonly vwap: number | null
  readonly volume: number | null
  readonly volume_capped: boolean | null
  readonly trade_count: number
  readonly known_from: string | null
  readonly yield_null_because: string | null
  readonly spread_null_because: string | null
  readonly ytw_null_because: string | null
  readonly ytc_null_because: string | null
  readonly margin_null_because: string | null
}

const dayCounts: Readonly<Record<string, DayCount>> = {
  'ACT/ACT': 'ACT/ACT',
  'ACT/360': 'ACT/360',
  'ACT/365': 'ACT/365F',
}

/** Bisection for the spread at which the flows are worth the price: slow but simple. */
function zSpreadBps(
  flows: { days: readonly Day[]; amounts: readonly number[] },
  settle: Day,
  dirty: number,
  spot: SpotCurve,
): number | null {
  const worth = (bps: number) => {
    let sum = 0
    for (const [i, day] of flows.days.entries()) {
      const years = (day - settle) / 365
      // The equivalent semiannual rate, plus the spread.
      const half = discountFactor(spot, years) ** (-1 / (2 * years)) - 1 + bps / 20_000
      if (half <= -1) return Number.POSITIVE_INFINITY
      sum += elementAt(flows.amounts, i) / (1 + half) ** (2 * years)
    }
    return sum
  }
  let [low, high] = [-20_000, 20_000]
  while (worth(high) > dirty) {
    high *= 10
    if (high > 1e12) return null
  }
  for (let i = 0; i < 200 && high - low > 1e-7; i++) {
    const middle = (low + high) / 2
    if (worth(middle) > dirty) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** Yield, risk and spread of one price, from cash flow schedules rather than annuities. */
function analysed(chosen: Chosen, terms: BondTerms, curves: Curves) {
  const settle = settlementDay(chosen.day)
  const { coupon, maturity, final } = terms
  const floats = terms.floats || (final !== null && maturity !== null && settle >= maturity && settle < final)
  const none = { accrued: null, ytm: null, duration: null, convexity: null, dv01: null, spread: null }
  const toMaturity = maturity === null ? null : (maturity - settle) / 365.25
  const left = (reason: NoYieldReason, accrued: number | null, last_price = chosen.price) => ({
    ...none,
    accrued,
    last_price,
    remaining_years: toMaturity,
    yield_null_because: floats ? 'floating' : reason,
    spread_null_because: floats ? 'floating' : reason,
  })
  if (coupon === null || maturity === null) return left('no_terms', null)
  const own = asBond(terms, coupon, maturity, chosen.day)
  const asClean = yieldToMaturity(own, chosen.price, settle)
  if (asClean.reason !== null) return left(asClean.reason, null)
  const { accrued } = cashFlows(own, settle)
  const last_price = chosen.isDirty ? chosen.price - accrued : chosen.price
  const without = (reason: string) => ({
    ...left('no_terms', accrued, last_price),
    yield_null_because: reason,
    spread_null_because: reason,
  })
  const sinking = floats || terms.sinking === null ? undefined : sinkingPortfolio(own, settle, terms.sinking)
  if (sinking === null) return without('unusable_sinking_schedule')
  const { ytm, reason } =
    sinking !== undefined
      ? solveYield(sinking, last_price + accrued)
      : chosen.isDirty
        ? yieldToMaturity(own, last_price, settle)
        : asClean
  if (floats || reason !== null) return left(reason ?? 'no_terms', floats ? accrued : null, last_price)
  const remaining_years = sinking?.life ?? toMaturity!
  // A few points of par with an impossible yield: a recovery value.
  if (last_price <= 20 && ytm >= 20) return { ...without('priced_for_default'), remaining_years }
  const flows = sinking ?? cashFlows(own, settle)
  const { price, modDuration, convexity } = dirtyFromFlows(flows, ytm)
  const curve = curves(chosen.day)
  const isReached = curve !== null && reaches(curve.par.tenorYears, remaining_years)
  const par = isReached ? interpolate(curve.par, remaining_years) : null
  return {
    last_price,
    accrued,
    ytm,
    duration: modDuration,
    convexity,
    dv01: (modDuration * price) / 100,
    spread: par ? (ytm - par.ratePct) * 100 : null,
    remaining_years,
    yield_null_because: null,
    spread_null_because: par ? null : curve ? 'outside_curve' : 'no_curve',
  }
}

const asBond = (terms: BondTerms, coupon: number, maturity: Day, day: Day) =>
  bond({
    coupon,
    maturity,
    accrualStart: terms.accrual,
    firstCoupon: terms.firstCoupon,
    frequency: (terms.frequency || 2) as Frequency,
    dayCount: dayCounts[terms.dayCount ?? ''] ?? '30/360',
    isDefaulted: terms.defaultedFrom !== null && day >= terms.defaultedFrom,
  })

type Analysed = ReturnType<typeof analysed>

const notLatest = {
  z_spread: null,
  ytw: null,
  ytw_date: null,
  ytc: null,
  discount_margin: null,
  ytw_null_because: null,
  ytc_null_because: null,
  margin_null_because: null,
}

/** Figures of the latest price only: Z-spread, yields to calls, discount margin. */
function latestFigures(day: Day, { last_price, ytm, spread }: Analysed, terms: BondTerms, curves: Curves) {
  const settle = settlementDay(day)
  const curve = curves(day)
  const margin = marginOf(day, last_price, terms, curve?.par ?? null)
  const shared = {
    ...notLatest,
    discount_margin: typeof margin === 'number' ? margin : null,
    margin_null_because: typeof margin === 'number' ? null : margin,
  }
  if (ytm === null) return { ...shared, ytw_null_because: 'no_yield', ytc_null_because: 'no_yield' }
  const own = asBond(terms, terms.coupon!, terms.maturity!, day)
  const { sinking } = terms
  const flows = sinking === null ? cashFlows(own, settle) : sinkingPortfolio(own, settle, sinking)!
  const spot = spread !== null && terms.isUsd ? (curve?.spot() ?? null) : null
  const z_spread = spot && zSpreadBps(flows, settle, last_price + flows.accrued, spot)
  const calls = callsOf(terms)
  const noTerms = 'no_call_terms'
  if (calls === null) return { ...shared, z_spread, ytw_null_because: noTerms, ytc_null_because: noTerms }
  let worst = { ytw: ytm, day: own.maturity }
  const yields = ahead(calls, settle, own.maturity).map(call => ({
    day: call.day,
    ytw:
      sinking === null
        ? yieldToCall(own, last_price, settle, call).ytm
        : solveYield(sinkingPortfolio(own, settle, sinking, call)!, last_price + flows.accrued).ytm,
  }))
  for (const { day, ytw } of yields) if (ytw !== null && ytw < worst.ytw) worst = { ytw, day }
  return {
    ...shared,
    z_spread,
    ytw: worst.ytw,
    ytw_date: formatDay(worst.day),
    ...toCall(terms, yields[0]),
  }
}

/** The yield to the next call, withheld above 50 percent. */
function toCall({ calls }: BondTerms, next: { readonly ytw: number | null } | undefined) {
  const none = (ytc_null_because: string) => ({ ytc: null, ytc_null_because })
  if (next === undefined) return none(calls === null ? 'noncallable' : 'no_call_ahead')
  if (next.ytw === null) return none('no_convergence')
  return next.ytw > 50 ? none('above_50_percent') : { ytc: next.ytw, ytc_null_because: null }
}

/** Calls by day; empty if the bond is noncallable, null if unknown. */
function callsOf({ calls, callable }: BondTerms): Redemption[] | null {
  if (calls === null) return callable === false ? [] : null
  const parsed: unknown = JSON.parse(calls)
  if (!Array.isArray(parsed)) return null
  const read = parsed.map((call): Redemption | null => {
    const { date, price = 100 } = (call ?? {}) as { date?: string; price?: number }
    const day = dayIn(String(date))
    return day !== null && typeof price === 'number' ? { day, price } : null
  })
  return read.includes(null) ? null : (read as Redemption[]).sort((a, b) => a.day - b.day)
}

/** Calls before maturity that are still possible: one in force already, at thirty days' notice. */
function ahead(calls: readonly Redemption[], settle: Day, maturity: Day): Redemption[] {
  const notice = settle + 30
  const begun = calls.filter(call => call.day <= notice)
  const later = calls.filter(call => call.day > notice)
  const now = begun.length > 0 ? [{ day: notice, price: lastOf(begun).price }] : []
  return [...now, ...later].filter(call => call.day < maturity)
}

/** Basis points, with the three-month Treasury yield as the index; or why there is none. */
function marginOf(day: Day, price: number, terms: BondTerms, par: ParCurve | null): number | string {
  if (!terms.floats) return 'not_floating'
  if (terms.sinking !== null) return 'floating_with_sinking'
  if (terms.margin === null) return 'no_margin'
  if (terms.maturity === null) return 'no_terms'
  if (!terms.isUsd) return 'not_usd'
  const index = par && reaches(par.tenorYears, 0.25) ? interpolate(par, 0.25) : null
  if (!index) return 'no_curve'
  const { bps, reason } = discountMargin(
    {
      maturity: terms.maturity,
      frequency: (terms.frequency ?? 4) as Frequency,
      quotedMarginBps: terms.margin,
      floorBps: terms.floor,
    },
    { settle: settlementDay(day), cleanPrice: price, indexPct: index.ratePct },
  )
  return bps ?? reason!
}

const dayOrNull = (day: string | null) => (day === null ? null : parseDay(day))

const priceColumns = {
  bond_id: 'VARCHAR',
  company_id: 'VARCHAR',
  date: 'VARCHAR',
  price_source: 'VARCHAR',
  price_basis: 'VARCHAR',
  last_price: 'DOUBLE',
  accrued: 'DOUBLE',
  ytm: 'DOUBLE',
  duration: 'DOUBLE',
  convexity: 'DOUBLE',
  dv01: 'DOUBLE',
  spread: 'DOUBLE',
  z_spread: 'DOUBLE',
  ytw: 'DOUBLE',
  ytw_date: 'VARCHAR',
  ytc: 'DOUBLE',
  discount_margin: 'DOUBLE',
  remaining_years: 'DOUBLE',
  vwap: 'DOUBLE',
  volume: 'DOUBLE',
  volume_capped: 'BOOLEAN',
  trade_count: 'INTEGER',
  known_from: 'VARCHAR',
  yield_null_because: 'VARCHAR',
  spread_null_because: 'VARCHAR',
  ytw_null_because: 'VARCHAR',
  ytc_null_because: 'VARCHAR',
  margin_null_because: 'VARCHAR',
}

interface ExcludedPrice {
  bond_id: string
  date: string
  trade_id: string | null
  time: string | null
  price_source: string
  price: number
  source: string
  reason: string
  factor: number | null
  reference_price: number | null
  reference_date: string | null
}

const excludedColumns = {
  bond_id: 'VARCHAR',
  date: 'VARCHAR',
  trade_id: 'VARCHAR',
  time: 'VARCHAR',
  price_source: 'VARCHAR',
  price: 'DOUBLE',
  source: 'VARCHAR',
  reason: 'VARCHAR',
  factor: 'DOUBLE',
  reference_price: 'DOUBLE',
  reference_date: 'VARCHAR',
}

/**
 * `made_prices`: the price of every bond and day with the figures computed from it; `made_excluded`: the reports and
 * prices excluded, with the reason.
 */
export async function makePrices(bench: Workbench, progress: (done: number) => void): Promise<void> {
  const { db } = bench
  const terms = await termsById(bench)
  const curves = await curvesOf(bench)
  const made = await RowBuffer.table<DailyPrice>(db, 'made_prices', priceColumns)
  const left = await RowBuffer.table<ExcludedPrice>(db, 'made_excluded', excludedColumns)
  let done = 0
  for await (const those of grouped(reportsOf(bench), r => r.id)) {
    const { id } = firstOf(those)
    const own = terms.get(id)!
    const { chosen, excluded } = dailyPrices(
      those,
      day => own.defaultedFrom !== null && day >= own.defaultedFrom,
    )
    const latest = chosen.reduce((last, c) => Math.max(last, c.day), Number.NEGATIVE_INFINITY)
    for (const price of chosen) {
      const figures = analysed(price, own, curves)
      await made.add({
        bond_id: id,
        company_id: own.company,
        date: formatDay(price.day),
        price_source: price.kind,
        price_basis: price.isDirty ? 'dirty' : 'clean',
        vwap: price.vwap,
        volume: price.volume,
        volume_capped: price.capped,
        trade_count: price.trades,
        known_from: price.known,
        ...figures,
        ...(price.day === latest ? latestFigures(price.day, figures, own, curves) : notLatest),
      })
    }
    for (const { report, reason, factor, reference, referenceDay } of excluded)
      await left.add({
        bond_id: id,
        date: formatDay(report.day),
        trade_id: report.number,
        time: report.time,
        price_source: report.kind,
        price: report.price!,
        source: report.source,
        reason,
        factor,
        reference_price: reference,
        reference_date: referenceDay === null ? null : formatDay(referenceDay),
      })
    done += chosen.length
    progress(done)
  }
  await made.flush()
  await left.flush()
}

/** A row of terms as DuckDB returns it; each value is converted by its declared type. */
type TermsRow = Readonly<
  Record<
    | 'rate_structure'
    | 'maturity'
    | 'id'
    | 'company_id'
    | 'coupon_rate'
    | 'last_fixed_date'
    | 'accrual'
    | 'first_coupon_date'
    | 'coupon_frequency'
    | 'day_count'
    | 'status'
    | 'defaulted_from'
    | 'currency'
    | 'spread_bps'
    | 'floor_bps'
    | 'callable'
    | 'call_schedule'
    | 'sinking_schedule',
    never
  >
>

async function termsById({ db }: Workbench): Promise<Map<string, BondTerms & { company: string | null }>> {
  const terms = new Map<string, BondTerms & { company: string | null }>()
  for await (const row of records<TermsRow>(
    db,
    `SELECT s.id, t.company_id, t.coupon_rate, CAST(t.maturity_date AS VARCHAR) AS maturity, t.last_fixed_date, t.first_coupon_date, t.rate_structure,
       coalesce(s.accrual_date, s.issue_date) AS accrual, s.coupon_frequency, s.day_count, s.status, s.defaulted_from, s.currency,
       s.spread_bps, s.floor_bps, ifnull(s.callable, f.callable) AS callable, ifnull(s.call_schedule, f.call_schedule) AS call_schedule,
       s.sinking_schedule
     FROM made_stated s JOIN made_terms t USING (id) LEFT JOIN made_filed_terms f USING (id)`,
  )) {
    const isLater = row.rate_structure === 'fixed_to_float'
    const final = dayOrNull(row.maturity)
    terms.set(row.id, {
      company: row.company_id,
      coupon: row.coupon_rate,
      maturity: isLater ? (dayOrNull(row.last_fixed_date) ?? final) : final,
      final: isLater ? final : null,
      accrual: dayOrNull(row.accrual),
      firstCoupon: dayOrNull(row.first_coupon_date),
      frequency: row.coupon_frequency,
      dayCount: row.day_count,
      floats: row.rate_structure === 'floating',
      defaultedFrom: row.status === 'defaulted' ? dayOrNull(row.defaulted_from) : null,
      isUsd: (row.currency ?? 'USD') === 'USD',
      margin: row.spread_bps,
      floor: row.floor_bps,
      callable: row.callable,
      calls: row.call_schedule,
      sinking: row.sinking_schedule,
    })
  }
  return terms
}

/** Trade reports and other prices, bond by bond. */
const reportsOf = ({ db }: Workbench): AsyncIterable<Report> =>
  records<Report>(
    db,
    `SELECT r.* FROM (
      SELECT ${instrument('t')} AS id, ${dayOf('t.trade_date')} AS day, TRUE AS is_trade, coalesce(t.action, 'trade') AS action,
        t.trade_id AS number, t.original_trade_id AS undoes, t.price, 'clean' AS basis, t.trade_time AS time,
        ${dayOf('coalesce(t.reported_date, t.trade_date)')} AS reported, CAST(t.quantity AS DOUBLE) AS quantity, t.quantity_capped AS capped,
        t.side, t.counterparty, CAST(NULL AS INTEGER) AS trade_count, t.when_issued, t.special_price AS special, t.is_agency AS agency,
        t.has_commission AS commission, CASE WHEN t.price_estimated THEN 'estimated' ELSE 'trade' END AS kind,
        t.known_from AS known, CAST(t.ingested_at AS VARCHAR) AS ingested, t.source FROM raw_trades t
      UNION ALL
      SELECT ${instrument('p')}, ${dayOf('p.price_date')}, FALSE, NULL, NULL, NULL, p.price, p.price_basis, NULL, ${dayOf('p.price_date')},
        CAST(p.volume AS DOUBLE), NULL, NULL, NULL, CAST(p.trade_count AS INTEGER), NULL, NULL, NULL, NULL, p.price_source, p.known_from,
        CAST(p.ingested_at AS VARCHAR), p.source FROM raw_prices p) r
     JOIN made_terms s ON s.id = r.id ORDER BY r.id`,
  )
