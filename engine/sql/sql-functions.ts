// Indices below are within bounds by construction: checks would cost in the loops.

import {
  accruedInterest,
  bond,
  cashFlows,
  dv01FromDuration,
  paysOnMonthEnds,
  yieldToCall,
  yieldToWorst,
} from '../credit/bond.ts'
import { parseDay, settlementDay } from '../credit/calendar.ts'
import { spotRate, zSpread } from '../credit/curve.ts'
import { yearFraction } from '../credit/day-count.ts'
import { discountMargin } from '../credit/floating.ts'
import { cusipFromIsin, isCusip, isIsin, isLei } from '../credit/identifiers.ts'
import { ratingRank } from '../credit/rating-scale.ts'
import { isFrequency } from '../credit/schedule.ts'
import { dirtyFromFlows, type Valuation } from '../credit/solve-yield.ts'
import { type Bond, NO_YIELD_REASONS, type Redemption } from '../credit/terms.ts'
import { bondAnalytics, DAY_COUNTS, NO_DAY } from '../credit/yields.ts'
import {
  boolean,
  bps,
  type Column,
  date,
  integer,
  json,
  nullable,
  number,
  oneOf,
  percent,
  shaped,
  text,
  years,
} from '../schema/column.ts'
import { isCivilDate } from '../schema/written-day.ts'
import {
  type ArgsOf,
  type Numbers,
  numbers,
  optional,
  type SqlFunction,
  sqlFunction,
  type Words,
  words,
} from './sql-function.ts'

const [FIRST_DAY, LAST_DAY] = [parseDay('0001-01-01'), parseDay('9999-12-31')]

/** False for null, and for days outside four-digit years, such as SQL's infinite dates. */
const isDay = (day: number): boolean => day >= FIRST_DAY && day <= LAST_DAY

const dayCounts = ['30/360', 'ACT/ACT', 'ACT/360', 'ACT/365', 'ACT/365F'] as const
const dayCountAt = (position: number) => DAY_COUNTS[Math.min(position, DAY_COUNTS.length - 1)]

const price = numbers(number('Clean price.', { unit: 'percent of par' }))
const ytm = numbers(percent('Yield, compounded at the coupon frequency.'))
const maturity = numbers(date('Maturity; of a fixed-to-float bond its last fixed day.'))
const terms = { coupon: numbers(percent('Coupon a year.')), maturity }
const settle = numbers(date('Settlement day; `settlement_date(trade_date)` gives that of a trade.'))
const tradeDate = numbers(date('Trade date; settlement follows the rule of that time.'))
const frequency = numbers(number('1, 2, 3, 4, 6 or 12; 0 is read as 2.', { unit: 'per year' }))
const dayCount = numbers(oneOf(dayCounts, 'Day count.'))
const conventions = {
  frequency: optional(frequency, 2),
  day_count: optional(dayCount, '30/360'),
  accrual_date: optional(numbers(date('First accrual date; without it every period is regular.')), null),
  first_coupon_date: optional(numbers(date('First coupon date, if the accrual date implies another.')), null),
}
const atYield = { ytm, ...terms, settle, ...conventions }
const atPrice = { price, ...terms, settle, ...conventions }

const pctOfPar = (doc: string): Column => number(doc, { unit: 'percent of par' })

type Terms = ArgsOf<typeof terms & typeof conventions>

/** The bond of a row, or null if its terms are unknown or invalid. */
function bondAt(args: Terms, i: number): Bond | null {
  const [coupon, maturity, accrual] = [args.coupon[i]!, args.maturity[i]!, args.accrual_date[i]!]
  const frequency = args.frequency[i]! || 2
  if (!Number.isFinite(coupon) || !isDay(maturity) || !isFrequency(frequency)) return null
  const accrualStart = isDay(accrual) ? accrual : null
  if (accrualStart !== null && accrualStart >= maturity) return null
  const first = args.first_coupon_date[i]!
  return bond({
    coupon,
    maturity,
    frequency,
    dayCount: dayCountAt(args.day_count[i]!)!,
    accrualStart,
    firstCoupon: isDay(first) ? first : null,
  })
}

function eachNumber(rows: number, of: (i: number) => number | null): Numbers {
  const out = new Float64Array(rows)
  for (let i = 0; i < rows; i++) out[i] = of(i) ?? Number.NaN
  return out
}

const eachWord = <T extends string | boolean>(
  column: Words,
  rows: number,
  of: (word: string) => T | null,
): (T | null)[] =>
  Array.from({ length: rows }, (_, i) => {
    const word = column[i] ?? null
    return word === null ? null : of(word)
  })

/** A figure of bonds that settle before they mature. */
const figure = (
  args: Terms & { settle: Numbers },
  rows: number,
  of: (bond: Bond, settle: number, i: number) => number | null,
): Numbers =>
  eachNumber(rows, i => {
    const terms = bondAt(args, i)
    const at = args.settle[i]!
    return terms && isDay(at) && at < terms.maturity ? of(terms, at, i) : null
  })

/** A figure of bonds at given yields. */
const figureAtYield =
  (of: (value: Valuation, accrued: number) => number) =>
  (args: ArgsOf<typeof atYield>, rows: number): Numbers =>
    figure(args, rows, (terms, at, i) => {
      const flows = cashFlows(terms, at)
      const value = dirtyFromFlows(flows, args.ytm[i]!)
      return value.price > 0 && value.growth > 0 ? of(value, flows.accrued) : null
    })

const days = (column: Numbers): Int32Array => Int32Array.from(column, day => (isDay(day) ? day : NO_DAY))

const yieldsOf = (args: ArgsOf<typeof atPrice>) =>
  bondAnalytics({
    coupon: args.coupon,
    price: args.price,
    settle: days(args.settle),
    maturity: days(args.maturity),
    accrualStart: days(args.accrual_date),
    firstCoupon: days(args.first_coupon_date),
    // An invalid frequency must not become a valid one by truncation to 32 bits.
    frequency: Uint8Array.from(args.frequency, f => (f === 0 || isFrequency(f) ? f : 255)),
    dayCount: Uint8Array.from(args.day_count, position => DAY_COUNTS.indexOf(dayCountAt(position)!)),
  })

const schedules = new Map<string, readonly Redemption[] | null>()

/** Cached: the same bonds, and schedules, repeat from price to price. */
function callsOf(schedule: string): readonly Redemption[] | null {
  if (schedule.length > 4000) return parseCalls(schedule)
  let calls = schedules.get(schedule)
  if (calls === undefined) {
    calls = parseCalls(schedule)
    if (schedules.size >= 5000) schedules.clear()
    schedules.set(schedule, calls)
  }
  return calls
}

/** The calls in `[{"date": "2027-06-01", "price": 102.5}]`; null if the text has another form. */
function parseCalls(schedule: string): Redemption[] | null {
  let entries: unknown
  try {
    entries = JSON.parse(schedule)
  } catch {
    return null
  }
  if (!Array.isArray(entries)) return null
  const calls: Redemption[] = []
  for (const entry of entries as ({ date?: unknown; price?: unknown } | null)[]) {
    const { date, price } = entry ?? {}
    if (typeof date !== 'string' || typeof price !== 'number' || !isCivilDate(date)) return null
    calls.push({ day: parseDay(date), price })
  }
  return calls
}

const callSchedule = words(
  json('Calls, `[{"date":"2027-06-01","price":102.5}]`; `[]` for none, null if unknown.'),
)
const atCalls = { price, ...terms, settle, call_schedule: callSchedule, ...conventions }

const worstOf =
  (of: (worst: { ytw: number; redemption: Redemption }) => number) =>
  (args: ArgsOf<typeof atCalls>, rows: number): Numbers =>
    figure(args, rows, (terms, at, i) => {
      const schedule = args.call_schedule[i] ?? null
      const calls = schedule === null ? null : callsOf(schedule)
      const worst = calls && yieldToWorst(terms, args.price[i]!, at, calls)
      return worst && worst.reason === null ? of(worst) : null
    })

const ten = "5, DATE '2035-06-15', DATE '2025-06-16'"
const called = `106, 7, DATE '2032-12-15', DATE '2025-12-18', '[{"date":"2027-12-15","price":103.5}]'`

/** The SQL functions. They return null where the maths has no answer; only an unknown day count is an error. */
export const sqlFunctions: readonly SqlFunction[] = [
  sqlFunction({
    name: 'bond_price',
    doc: 'Clean price at a yield; simple interest in the last coupon period.',
    params: atYield,
    result: nullable(pctOfPar('Clean price.')),
    example: `round(bond_price(4.5, ${ten}), 6)`,
    shows: 103.989895,
    compute: figureAtYield((value, accrued) => value.price - accrued),
  }),
  sqlFunction({
    name: 'bond_dirty_price',
    doc: 'Price with accrued interest at a yield.',
    params: atYield,
    result: nullable(pctOfPar('Dirty price.')),
    example: `round(bond_dirty_price(4.5, ${ten}), 6)`,
    shows: 104.003784,
    compute: figureAtYield(value => value.price),
  }),
  sqlFunction({
    name: 'bond_accrued',
    doc: 'Interest accrued to the settlement day.',
    params: { ...terms, settle, ...conventions },
    result: nullable(pctOfPar('Accrued interest.')),
    example: `round(bond_accrued(${ten}), 6)`,
    shows: 0.013889,
    compute: (args, rows) => figure(args, rows, accruedInterest),
  }),
  sqlFunction({
    name: 'bond_yield',
    doc: 'Yield to maturity of a clean price, street convention. `bond_reason` says why there is none.',
    params: atPrice,
    result: nullable(percent('Yield.')),
    example: `round(bond_yield(104, ${ten}), 6)`,
    shows: 4.498763,
    compute: args => yieldsOf(args).ytm,
  }),
  sqlFunction({
    name: 'bond_reason',
    doc: 'Why `bond_yield` of the same arguments is null; null if it is not.',
    params: atPrice,
    result: nullable(
      oneOf(
        NO_YIELD_REASONS.filter(reason => reason !== null),
        'Reason.',
      ),
    ),
    example: "bond_reason(99, 5, DATE '2025-06-15', DATE '2025-06-16')",
    shows: 'matured',
    compute: args => Array.from(yieldsOf(args).reason, code => NO_YIELD_REASONS[code]!),
  }),
  sqlFunction({
    name: 'bond_yield_to_call',
    doc: 'Yield to one call of a clean price.',
    params: {
      price,
      ...terms,
      settle,
      call_date: numbers(date('Day of the call.')),
      call_price: optional(numbers(pctOfPar('Price at which it is called.')), 100),
      ...conventions,
    },
    result: nullable(percent('Yield.')),
    example:
      "round(bond_yield_to_call(106, 7, DATE '2032-12-15', DATE '2025-12-18', DATE '2027-12-15', 103.5), 6)",
    shows: 5.466403,
    compute: (args, rows) =>
      figure(args, rows, (terms, at, i) => {
        const call = { day: args.call_date[i]!, price: args.call_price[i]! }
        return isDay(call.day) ? yieldToCall(terms, args.price[i]!, at, call).ytm : null
      }),
  }),
  sqlFunction({
    name: 'bond_yield_to_worst',
    doc: 'The lowest yield over maturity and the calls ahead; null if the calls are unknown.',
    params: atCalls,
    result: nullable(percent('Yield.')),
    example: `round(bond_yield_to_worst(${called}), 6)`,
    shows: 5.466403,
    compute: worstOf(({ ytw }) => ytw),
  }),
  sqlFunction({
    name: 'bond_worst_date',
    doc: 'The redemption that gives the yield to worst: a call, else maturity.',
    params: atCalls,
    result: nullable(date('Day of the redemption.')),
    example: `bond_worst_date(${called})`,
    shows: '2027-12-15',
    compute: worstOf(({ redemption }) => redemption.day),
  }),
  sqlFunction({
    name: 'bond_duration',
    doc: 'Modified duration at a yield.',
    params: atYield,
    result: nullable(years('Modified duration.')),
    example: `round(bond_duration(4.5, ${ten}), 6)`,
    shows: 7.856025,
    compute: figureAtYield(value => value.modDuration),
  }),
  sqlFunction({
    name: 'bond_macaulay',
    doc: 'Macaulay duration at a yield.',
    params: atYield,
    result: nullable(years('Macaulay duration.')),
    example: `round(bond_macaulay(4.5, ${ten}), 6)`,
    shows: 8.032786,
    compute: figureAtYield(value => value.modDuration * value.growth),
  }),
  sqlFunction({
    name: 'bond_convexity',
    doc: 'Convexity at a yield.',
    params: atYield,
    result: nullable(number('Convexity.', { unit: 'years squared' })),
    example: `round(bond_convexity(4.5, ${ten}), 6)`,
    shows: 74.506595,
    compute: figureAtYield(value => value.convexity),
  }),
  sqlFunction({
    name: 'bond_dv01',
    doc: 'Price change for a one basis point fall in yield.',
    params: atYield,
    result: nullable(number('DV01.', { unit: 'cents per 100 par' })),
    example: `round(bond_dv01(4.5, ${ten}), 6)`,
    shows: 8.170564,
    compute: figureAtYield(value => dv01FromDuration(value.modDuration, value.price)),
  }),
  sqlFunction({
    name: 'bond_spread',
    doc: 'A yield less the interpolated par yield of Treasuries at the remaining maturity (nominal or G-spread).',
    params: { ytm, maturity, trade_date: tradeDate },
    result: nullable(bps('Spread; the tables round it to whole basis points.')),
    example: "bond_spread(5.4, DATE '2035-06-15', DATE '2025-06-13')",
    onCurves: (args, rows, { par }) =>
      eachNumber(rows, i => {
        const [maturity, traded] = [args.maturity[i]!, args.trade_date[i]!]
        if (!isDay(maturity) || !isDay(traded)) return null
        const left = maturity - settlementDay(traded)
        return left > 0 ? (args.ytm[i]! - par.interpolateAt(traded, left / 365.25)) * 100 : null
      }),
  }),
  sqlFunction({
    name: 'z_spread',
    doc: 'Z-spread: the shift of all Treasury spot rates at which the cash flows are worth the clean price.',
    params: { price, ...terms, trade_date: tradeDate, ...conventions },
    result: nullable(bps('Spread, compounded twice a year.')),
    example: "z_spread(98.2, 5, DATE '2035-06-15', DATE '2025-06-13')",
    onCurves: (args, rows, { spotOn }) =>
      eachNumber(rows, i => {
        const terms = bondAt(args, i)
        const traded = args.trade_date[i]!
        const spot = isDay(traded) ? spotOn(traded) : null
        return terms && spot && zSpread(terms, args.price[i]!, settlementDay(traded), spot).bps
      }),
  }),
  sqlFunction({
    name: 'discount_margin',
    doc: 'Margin over its index at which the flows of a floating-rate note are worth the clean price; ACT/360, with the index held flat.',
    params: {
      price,
      maturity: numbers(date('Maturity.')),
      settle,
      index_rate: numbers(percent('Index.')),
      spread_bps: numbers(bps('Quoted margin over the index.')),
      frequency: optional(frequency, 4),
      floor_bps: optional(numbers(bps('Floor of the index rate.')), null),
      current_coupon: optional(numbers(percent('The current coupon, if set at another index rate.')), null),
    },
    result: nullable(bps('Discount margin.')),
    example: "round(discount_margin(99, DATE '2030-12-15', DATE '2025-12-15', 4.3, 120), 4)",
    shows: 142.8599,
    compute: (args, rows) =>
      eachNumber(rows, i => {
        const [maturity, at, margin] = [args.maturity[i]!, args.settle[i]!, args.spread_bps[i]!]
        const [index, floor, running] = [args.index_rate[i]!, args.floor_bps[i]!, args.current_coupon[i]!]
        const frequency = args.frequency[i]! || 4
        if (!isDay(maturity) || !isDay(at) || !isFrequency(frequency) || Number.isNaN(index + margin))
          return null
        const floorBps = Number.isNaN(floor) ? null : floor
        const market = { settle: at, cleanPrice: args.price[i]!, indexPct: index }
        return discountMargin(
          { maturity, frequency, quotedMarginBps: margin, floorBps },
          Number.isNaN(running) ? market : { ...market, currentCouponPct: running },
        ).bps
      }),
  }),
  sqlFunction({
    name: 'year_fraction',
    doc: 'Years between two days by a day count. ACT/ACT (ICMA) splits them at the regular coupon dates, counted back from the maturity, else from the second day.',
    params: {
      day_count: dayCount,
      from_date: numbers(date('First day.')),
      to_date: numbers(date('Second day.')),
      frequency: optional(frequency, 2),
      maturity: optional(
        numbers(
          date(
            'Determines the regular dates, and with 30/360 whether the end of February counts as the 30th.',
          ),
        ),
        null,
      ),
    },
    result: nullable(years('Years.')),
    example: "year_fraction('30/360', DATE '2025-01-31', DATE '2025-07-31')",
    shows: 0.5,
    compute: (args, rows) =>
      eachNumber(rows, i => {
        const [from, to, end] = [args.from_date[i]!, args.to_date[i]!, args.maturity[i]!]
        const frequency = args.frequency[i]! || 2
        const count = dayCountAt(args.day_count[i]!)
        if (!count || !isDay(from) || !isDay(to) || !isFrequency(frequency)) return null
        const anchor = isDay(end) ? end : to
        const endOfMonth = (isDay(end) || count === 'ACT/ACT') && paysOnMonthEnds(anchor, count)
        return yearFraction(count, from, to, { anchor, months: 12 / frequency, endOfMonth })
      }),
  }),
  sqlFunction({
    name: 'settlement_date',
    doc: 'The regular-way settlement day of a trade: T+3 before 2017-09-05, T+2 to 2024-05-27, T+1 since, on US bond-market days.',
    params: { trade_date: numbers(date('Day of the trade.')) },
    result: nullable(date('Settlement day.')),
    example: "settlement_date(DATE '2025-07-03')",
    shows: '2025-07-07',
    compute: ({ trade_date }, rows) =>
      eachNumber(rows, i => (isDay(trade_date[i]!) ? settlementDay(trade_date[i]!) : null)),
  }),
  sqlFunction({
    name: 'treasury_yield',
    doc: 'The Treasury par yield at a maturity: linear between tenors, flat a little way outside them and null beyond the reach of the curve, from the last curve at or before the day that is at most 7 days old.',
    params: { date: numbers(date('Day.')), years: numbers(years('Maturity.')) },
    result: nullable(percent('Par yield, compounded twice a year.')),
    example: "treasury_yield(DATE '2025-06-13', 8.5)",
    onCurves: (args, rows, { par }) =>
      eachNumber(rows, i => (args.years[i]! >= 0 ? par.interpolateAt(args.date[i]!, args.years[i]!) : null)),
  }),
  sqlFunction({
    name: 'treasury_spot',
    doc: 'The Treasury spot rate at a maturity, bootstrapped on a semiannual grid from the par curve that `treasury_yield` reads.',
    params: { date: numbers(date('Day.')), years: numbers(years('Maturity.')) },
    result: nullable(percent('Spot rate, compounded twice a year.')),
    example: "treasury_spot(DATE '2025-06-13', 8.5)",
    onCurves: (args, rows, { spotOn }) =>
      eachNumber(rows, i => {
        const spot = args.years[i]! >= 0 ? spotOn(args.date[i]!) : null
        return spot && Math.expm1(spotRate(spot, args.years[i]!) / 200) * 200
      }),
  }),
  sqlFunction({
    name: 'treasury_curve_date',
    doc: 'The day of the Treasury curve used for a day; null if none is at most 7 days old.',
    params: { date: numbers(date('Day.')) },
    result: nullable(date('Day of the curve.')),
    example: "treasury_curve_date(DATE '2025-06-15')",
    onCurves: (args, rows, { par }) => eachNumber(rows, i => par.servingDay(args.date[i]!)),
  }),
  sqlFunction({
    name: 'is_cusip',
    doc: 'Nine characters with a valid check digit.',
    params: { cusip: words(text('In upper case.')) },
    result: nullable(boolean('Holds.')),
    example: "is_cusip('037833100')",
    shows: true,
    compute: ({ cusip }, rows) => eachWord(cusip, rows, isCusip),
  }),
  sqlFunction({
    name: 'is_isin',
    doc: 'Twelve characters with a valid check digit.',
    params: { isin: words(text('In upper case.')) },
    result: nullable(boolean('Holds.')),
    example: "is_isin('US0378331005')",
    shows: true,
    compute: ({ isin }, rows) => eachWord(isin, rows, isIsin),
  }),
  sqlFunction({
    name: 'is_lei',
    doc: 'Twenty characters with valid check digits.',
    params: { lei: words(text('In upper case.')) },
    result: nullable(boolean('Holds.')),
    example: "is_lei('HWUPKR0MPOU8FGXBT394')",
    shows: true,
    compute: ({ lei }, rows) => eachWord(lei, rows, isLei),
  }),
  sqlFunction({
    name: 'cusip_from_isin',
    doc: 'The CUSIP inside a US or Canadian ISIN; null for others.',
    params: { isin: words(text('In upper case.')) },
    result: nullable(shaped('cusip', 'CUSIP.')),
    example: "cusip_from_isin('US0378331005')",
    shows: '037833100',
    compute: ({ isin }, rows) => eachWord(isin, rows, cusipFromIsin),
  }),
  sqlFunction({
    name: 'rating_rank',
    doc: "Rank of a long-term rating letter, S&P's, Moody's or Fitch's: 1 (AAA) to 22 (D); null off the scale (NR, WR).",
    params: { rating: words(text('Letter, with or without its watch marks.')) },
    result: nullable(integer('Rank.')),
    example: "rating_rank('Baa3')",
    shows: 10,
    compute: ({ rating }, rows) =>
      eachNumber(rows, i => {
        const letter = rating[i] ?? null
        return letter === null ? null : ratingRank('', letter)
      }),
  }),
]
