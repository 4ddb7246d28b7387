// Indices below are within bounds by construction: checks would cost in the loops.

import { bond, cashFlows } from '../../engine/credit/bond.ts'
import { addBusinessDays, type Day, formatDay, settlementDay } from '../../engine/credit/calendar.ts'
import type { CurveHistory } from '../../engine/credit/curve-history.ts'
import { averageLife, repaymentsIn, sinkingFlows } from '../../engine/credit/options/sinking.ts'
import { dirtyFromFlows } from '../../engine/credit/solve-yield.ts'
import { tenorOf } from '../../engine/credit/spread-series.ts'
import type { Database } from '../../engine/database/database.ts'
import type { prices } from '../../engine/schema/datasets/prices.ts'
import type { spreads } from '../../engine/schema/datasets/spreads.ts'
import { trades } from '../../engine/schema/datasets/trades.ts'
import { spreadByRank } from './coupons.ts'
import type { Instrument } from './instrument.ts'
import { coverage, type Issuer } from './issuers.ts'
import { firstDay, lastDay, tradingDays } from './market.ts'
import type { Random } from './random.ts'
import { type Market, termShape } from './spread-paths.ts'
import { insertStaged, type Row, type Staged } from './tables.ts'

interface Quoted {
  readonly issuer: Issuer
  readonly instrument: Instrument
  readonly cusip: string
  /** Trading frequency, before scaling. */
  readonly liquidity: number
  /** Basis points over the issuer's curve, constant over its life. */
  readonly basis: number
  readonly first: number
  /** Trading day from which it no longer trades. */
  readonly end: number
}

const YEAR = 365.25
const yearsLeft = (matures: Day, day: Day) => (matures - day) / YEAR

const indexFrom = (day: Day): number => {
  let [low, high] = [0, tradingDays.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (tradingDays[middle]! < day) low = middle + 1
    else high = middle
  }
  return low
}

function quotedBonds(
  issuers: readonly Issuer[],
  debts: readonly (readonly Instrument[])[],
  random: Random,
): Quoted[] {
  return issuers.flatMap((issuer, n) => {
    const r = random.fork(`liquidity ${issuer.n}`)
    const ofIssuer = Math.exp(r.normal() * 0.7) * (issuer.debt / 5e9) ** 0.3
    return debts[n]!.flatMap(instrument => {
      const { pricing, issued, matures, retired, row } = instrument
      const draw = [r.normal(), r.normal(), r.next()] as const
      if ((pricing !== 'liquid' && pricing !== 'traded') || !row.cusip) return []
      // Trading ends a month before maturity; one in twelve has not traded for some months.
      const isForgotten = draw[2] < 0.08 && pricing === 'traded'
      const last = Math.min(
        retired ?? matures - 30,
        isForgotten ? lastDay - 60 - Math.floor(draw[2] * 3000) : lastDay + 1,
      )
      return [
        {
          issuer,
          instrument,
          cusip: row.cusip,
          liquidity: ofIssuer * Math.exp(draw[0] * 0.5) * (pricing === 'liquid' ? 1 : 0.45),
          basis: draw[1] * Math.min(60, 4 + spreadByRank(issuer.rank) * 0.04),
          first: indexFrom(Math.max(firstDay, issued)),
          end: indexFrom(last),
        },
      ]
    })
  })
}

/** The tenor of a bond on a day, as an index in the list of tenors, or -1. */
const bucketOf = (q: Quoted, t: number): number => {
  if (q.instrument.pricing !== 'liquid') return -1
  return tenorOf(yearsLeft(q.instrument.matures, tradingDays[t]!))
}

const chanceOf = (q: Quoted, scale: number) => Math.min(0.9, q.liquidity * scale)

/** Which bonds trade on which days: the draws, and the scale that gives the spread series its size. */
function schedule(quoted: readonly Quoted[], random: Random): Uint8Array[] {
  const days = tradingDays.length
  const draws = quoted.map(q => {
    const r = random.fork(`days ${q.cusip}`)
    return Float32Array.from({ length: days }, () => r.next())
  })
  const buckets = quoted.map(q =>
    Int8Array.from({ length: days }, (_, t) => (t >= q.first && t < q.end ? bucketOf(q, t) : -1)),
  )
  // Defaulted bonds are not in the spread series.
  for (const [i, q] of quoted.entries()) if (q.instrument.defaulted !== null) buckets[i]!.fill(-1)
  const firstOfIssuer = quoted.map((q, i) => (i > 0 && quoted[i - 1]!.issuer === q.issuer ? 0 : 1))

  const cells = (scale: number): number => {
    let count = 0
    let seen = new Uint8Array(days)
    for (const [i, q] of quoted.entries()) {
      if (firstOfIssuer[i]) seen = new Uint8Array(days)
      const chance = chanceOf(q, scale)
      const draw = draws[i]!
      const bucket = buckets[i]!
      for (let t = q.first; t < q.end; t++) {
        const b = bucket[t]!
        if (b < 0 || draw[t]! >= chance || seen[t]! & (1 << b)) continue
        seen[t]! |= 1 << b
        count++
      }
    }
    return count
  }
  let [low, high] = [0.001, 2]
  for (let i = 0; i < 20; i++) {
    const middle = (low + high) / 2
    if (cells(middle) < coverage.spreadCells) low = middle
    else high = middle
  }
  return quoted.map((q, i) => {
    const chance = chanceOf(q, high)
    return Uint8Array.from({ length: days }, (_, t) =>
      t >= q.first && t < q.end && draws[i]![t]! < chance ? 1 : 0,
    )
  })
}

/** Price and modified duration of a bond on a trading day. */
export interface Quote {
  readonly price: number
  readonly duration: number
}

export type Quoter = (
  issuer: Issuer,
  instrument: Instrument,
  t: number,
  basisBps: number,
  noise: number,
) => Quote

/** Prices from the real Treasury curve, the issuer's spread and the bond's own basis. */
export function makeQuoter(market: Market, curves: CurveHistory): Quoter {
  const paths = new Map<number, Float64Array>()
  const terms = new Map<string, ReturnType<typeof bond>>()
  const pathOf = (issuer: Issuer) => {
    let path = paths.get(issuer.n)
    if (!path) {
      path = market.of(issuer)
      paths.set(issuer.n, path)
    }
    return path
  }
  return (issuer, instrument, t, basisBps, noise) => {
    const day = tradingDays[t]!
    if (instrument.defaulted !== null && day >= instrument.defaulted)
      return { price: 27 + basisBps * 0.03 + noise * 1.5 + Math.sin(t / 40) * 2, duration: 1 }
    const { coupon, key, matures, issued, seniority, row } = instrument
    const rung = seniority === 'senior_secured' ? 0.75 : seniority === 'subordinated' ? 1.5 : 1
    const spreadAt = (years: number) => pathOf(issuer)[t]! * rung * termShape(issuer.rank, years) + basisBps
    if (coupon === null) {
      const spread = spreadAt(yearsLeft(matures, day))
      return { price: 100 - (spread - (row.spread_bps ?? 0)) * 0.012 + noise * 0.05, duration: 0.25 }
    }
    let b = terms.get(key)
    if (!b) {
      b = bond({ coupon, maturity: matures, accrualStart: coupon === 0 ? null : issued })
      terms.set(key, b)
    }
    const settle = Math.max(settlementDay(day), issued)
    const sinking = row.sinking_schedule
      ? sinkingFlows(b, settle, repaymentsIn(JSON.stringify(row.sinking_schedule))!)
      : null
    const years = sinking === null ? yearsLeft(matures, day) : averageLife(sinking)
    const spread = spreadAt(years)
    const bump = noise * Math.min(12, 1.5 + spread * 0.01)
    const flows = sinking ?? cashFlows(b, settle)
    const value = dirtyFromFlows(
      flows,
      Math.max(0.2, curves.interpolateAt(day, years) + (spread + bump) / 100),
    )
    return { price: value.price - flows.accrued, duration: value.modDuration }
  }
}

const staging: Staged[] = [
  { name: 'cusip', type: 'VARCHAR', sql: n => n },
  { name: 'trade_id', type: 'INTEGER', sql: n => `'S' || lpad(cast(${n} as varchar), 8, '0')` },
  { name: 'action', type: 'VARCHAR', sql: n => n },
  { name: 'original_trade_id', type: 'INTEGER', sql: n => `'S' || lpad(cast(${n} as varchar), 8, '0')` },
  { name: 'trade_date', type: 'INTEGER', sql: n => `date '1970-01-01' + ${n}` },
  {
    name: 'trade_time',
    type: 'INTEGER',
    sql: n =>
      `lpad(cast(${n} // 3600 as varchar), 2, '0') || ':' || lpad(cast(${n} // 60 % 60 as varchar), 2, '0') || ':' || lpad(cast(${n} % 60 as varchar), 2, '0')`,
  },
  { name: 'reported_date', type: 'INTEGER', sql: n => `date '1970-01-01' + ${n}` },
  { name: 'price', type: 'DOUBLE', sql: n => n },
  { name: 'quantity', type: 'DOUBLE', sql: n => `cast(${n} as bigint)` },
  { name: 'quantity_capped', type: 'BOOLEAN', sql: n => n },
  { name: 'side', type: 'VARCHAR', sql: n => n },
  { name: 'counterparty', type: 'VARCHAR', sql: n => n },
  { name: 'when_issued', type: 'BOOLEAN', sql: n => n },
  { name: 'price_estimated', type: 'BOOLEAN', sql: n => n },
]

interface Print {
  cusip: string
  day: Day
  seconds: number
  price: number
  isHigh: boolean
  isWhenIssued?: boolean
  isEstimated?: boolean
}

const sizes = [
  25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_000_000, 4_000_000, 8_000_000, 15_000_000,
]

/** The trade reports, by column. */
function makeTape(random: Random) {
  const columns = staging.map(() => [] as unknown[])
  const push = (...values: unknown[]) => {
    for (const [i, value] of values.entries()) columns[i]!.push(value)
  }
  let count = 0
  return {
    columns,
    get length() {
      return columns[0]!.length
    },
    /** A trade; returns its number. */
    print({ cusip, day, seconds, price, isHigh, isWhenIssued = false, isEstimated = false }: Print): number {
      const size = sizes[Math.min(9, Math.floor(Math.abs(random.normal()) * 3.4))]!
      const cap = isHigh ? 5_000_000 : 1_000_000
      const isCapped = size > cap
      const id = ++count
      const counterparty = random.next()
      push(
        cusip,
        id,
        'trade',
        null,
        day,
        seconds,
        day,
        Math.round(price * 1000) / 1000,
        Math.min(size, cap) * 100,
        isCapped,
        random.chance(0.5) ? 'buy' : 'sell',
        counterparty < 0.55
          ? 'customer'
          : counterparty < 0.85
            ? 'dealer'
            : counterparty < 0.97
              ? 'ats'
              : 'affiliate',
        isWhenIssued,
        isEstimated,
      )
      return id
    },
    /** A later report about a trade. */
    amend(
      action: 'cancel' | 'correction' | 'reversal',
      original: number,
      print: Print,
      reported: Day,
      price: number | null,
    ) {
      push(
        print.cusip,
        ++count,
        action,
        original,
        print.day,
        print.seconds,
        reported,
        price,
        null,
        null,
        null,
        null,
        false,
        false,
      )
    },
  }
}

/** Fills the trades table and returns how many there are. */
export async function insertTrades(
  db: Database,
  issuers: readonly Issuer[],
  debts: readonly (readonly Instrument[])[],
  quote: Quoter,
  random: Random,
): Promise<number> {
  const quoted = quotedBonds(issuers, debts, random)
  const trading = schedule(quoted, random)
  const estimated = issuers.flatMap((issuer, n) =>
    debts[n]!.filter(i => i.pricing === 'estimated' && i.row.cusip).map(instrument => ({
      issuer,
      instrument,
    })),
  )
  const r = random.fork('tape')
  const tape = makeTape(r)
  for (let t = 0; t < tradingDays.length; t++) {
    const day = tradingDays[t]!
    for (const [i, q] of quoted.entries()) {
      const { cusip, issuer, instrument } = q
      const isHigh = issuer.rank <= 10
      if (t === q.first && instrument.issued === day && t > 4 && r.chance(0.6)) {
        const price = quote(issuer, instrument, t, q.basis, 0).price
        for (let back = 3; back >= 1; back--)
          tape.print({
            cusip,
            day: tradingDays[t - back]!,
            seconds: r.whole(34_200, 61_200),
            price: price + r.normal() * 0.1,
            isHigh,
            isWhenIssued: true,
          })
      }
      if (!trading[i]![t]) continue
      const { price, duration } = quote(issuer, instrument, t, q.basis, r.normal())
      const wide = Math.min(0.6, duration * 0.01 * (1 + spreadByRank(issuer.rank) / 150))
      const prints =
        1 + Math.min(11, Math.floor(-Math.log(1 - r.next()) * (0.7 + Math.min(2, q.liquidity * 0.5))))
      let seconds = r.whole(30_600, 48_000)
      for (let k = 0; k < prints; k++) {
        const print: Print = {
          cusip,
          day,
          seconds,
          price: Math.max(1, price + (k === prints - 1 ? 0 : r.normal() * wide)),
          isHigh,
        }
        seconds = Math.min(64_000, seconds + r.whole(60, 4000))
        const mishap = k < prints - 1 ? r.next() : 1
        const later = addBusinessDays(day, r.whole(1, 4))
        if (mishap < 0.0015) {
          const wrong = { ...print, price: print.price * r.pick([0.9, 1.1, 0.85, 1.12]) }
          const id = tape.print(wrong)
          // Half of the slips are corrected some days later; the others remain.
          if (mishap < 0.0008 && later <= lastDay)
            tape.amend('correction', id, wrong, later, Math.round(print.price * 1000) / 1000)
          continue
        }
        const id = tape.print(print)
        if (mishap < 0.005)
          tape.amend('cancel', id, print, mishap < 0.004 || later > lastDay ? day : later, null)
        else if (mishap < 0.006 && later <= lastDay) tape.amend('reversal', id, print, later, null)
      }
    }
    if (t % 3 === 0)
      for (const { issuer, instrument } of estimated)
        if (instrument.issued < day && day < instrument.matures - 30)
          tape.print({
            cusip: instrument.row.cusip!,
            day,
            seconds: 61_200,
            price: quote(issuer, instrument, t, 10, 0.3 * r.normal()).price,
            isHigh: true,
            isEstimated: true,
          })
  }
  await insertStaged(db, trades, staging, tape.columns, tape.length)
  return tape.length
}

/** Prices other than trades, for secured, subordinated and other notes outside the spread series. */
export function priceRows(
  issuers: readonly Issuer[],
  debts: readonly (readonly Instrument[])[],
  quote: Quoter,
  random: Random,
): Row<typeof prices>[] {
  const rows: Row<typeof prices>[] = []
  const monthEnds = tradingDays.flatMap((day, t) =>
    t + 1 < tradingDays.length && formatDay(day).slice(0, 7) !== formatDay(tradingDays[t + 1]!).slice(0, 7)
      ? [t]
      : [],
  )
  const sources = ['vendor', 'fund_mark', 'fund_mark', 'estimated'] as const
  let n = 0
  for (const [at, issuer] of issuers.entries())
    for (const instrument of debts[at]!) {
      const { row, pricing, seniority, issued, matures, coupon } = instrument
      const isOutside = pricing === 'traded' || pricing === 'none'
      if (!row.cusip || !isOutside || coupon === null || seniority === 'senior_unsecured') continue
      if (++n % 2) continue
      const price_source = sources[(n / 2) % sources.length]!
      for (const t of monthEnds) {
        const day = tradingDays[t]!
        if (day <= issued || day >= (instrument.retired ?? matures - 30)) continue
        const { price } = quote(issuer, instrument, t, 12, random.normal())
        rows.push({
          cusip: row.cusip,
          isin: row.isin ?? null,
          price_date: formatDay(day),
          price: Math.round(price * 1000) / 1000,
          price_basis: 'clean',
          price_source,
          currency: 'USD',
        })
      }
    }
  return rows
}

/** A few loaded spreads, as an operator would have them: weekly, for three issuers. */
export function loadedSpreadRows(issuers: readonly Issuer[], market: Market): Row<typeof spreads>[] {
  const some = issuers.filter(i => i.hasSpreads && i.coverage === 'standard' && i.rank <= 10).slice(0, 3)
  const tenors = [
    ['1Y', 1],
    ['3Y', 3],
    ['5Y', 5],
    ['7Y', 7],
    ['10Y', 10],
  ] as const
  return some.flatMap((issuer, n) => {
    const path = market.of(issuer)
    return tradingDays.flatMap((day, t) =>
      t < tradingDays.length - 40 || t % 5
        ? []
        : tenors.map(([tenor, years]) => ({
            ticker: issuer.ticker,
            spread_date: formatDay(day),
            tenor,
            spread_bps: Math.round(path[t]! * termShape(issuer.rank, years) * 8) / 10,
            trade_count: n % 2 ? null : 4,
            feed: n % 2 ? ('settlement_price' as const) : ('trade_repository' as const),
          })),
    )
  })
}
