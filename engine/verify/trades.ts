import { elementAt } from '../base/elements.ts'
import type { Day } from '../credit/calendar.ts'
import { NO_REFERENCE, priceSlips } from '../credit/price-slips.ts'
import { priceSources } from '../schema/vocabulary.ts'

/** A trade report, or another price (`is_trade` false), of one bond. */
export interface Report {
  readonly id: string
  readonly day: Day
  readonly is_trade: boolean
  readonly action: string | null
  readonly number: string | null
  readonly undoes: string | null
  readonly price: number | null
  readonly basis: string | null
  readonly time: string | null
  readonly reported: Day
  readonly quantity: number | null
  readonly capped: boolean | null
  readonly side: string | null
  readonly counterparty: string | null
  readonly trade_count: number | null
  readonly when_issued: boolean | null
  readonly special: boolean | null
  readonly agency: boolean | null
  readonly commission: boolean | null
  readonly kind: string
  readonly known: string | null
  readonly ingested: string
  readonly source: string
}

export interface Excluded {
  readonly report: Report
  readonly reason: string
  readonly factor: number | null
  readonly reference: number | null
  readonly referenceDay: Day | null
}

export interface Chosen {
  readonly day: Day
  readonly price: number
  readonly isDirty: boolean
  readonly kind: string
  readonly vwap: number | null
  readonly volume: number | null
  readonly capped: boolean | null
  readonly trades: number
  readonly known: string | null
}

type Order = (a: Report, b: Report) => number
const compare = <T extends string | number>(a: T, b: T) => (a < b ? -1 : a > b ? 1 : 0)
const byText =
  (pick: (r: Report) => string | null): Order =>
  (a, b) =>
    compare(pick(a) ?? '', pick(b) ?? '')
const inOrder =
  (...orders: readonly Order[]): Order =>
  (a, b) => {
    for (const order of orders) {
      const found = order(a, b)
      if (found !== 0) return found
    }
    return 0
  }
const lastBy = (rows: readonly Report[], order: Order): Report =>
  rows.reduce((last, row) => (order(row, last) > 0 ? row : last))

/** Reports by their common fields, in order: the first cancel matches the first report, and so on. */
function lined(rows: readonly Report[], key: (r: Report) => unknown[], order: Order): Map<string, Report[]> {
  const lines = new Map<string, Report[]>()
  for (const row of [...rows].sort(order)) {
    const name = JSON.stringify(key(row))
    lines.set(name, [...(lines.get(name) ?? []), row])
  }
  return lines
}

const alike = (r: Report) => [r.day, r.time, r.price, r.quantity, r.side, r.counterparty]
const byReport = inOrder(
  (a, b) => compare(a.reported, b.reported),
  byText(r => r.source),
)

/** The trades of a bond that stand, processed one by one, and the others with the reason. */
export function standingTrades(trades: readonly Report[]): { standing: Report[]; excluded: Excluded[] } {
  const excluded: Excluded[] = []
  let standing = trades.filter(t => (t.action === 'trade' || t.action === 'correction') && t.price !== null)
  const leave = (reason: string, isOut: (t: Report) => boolean) => {
    const out = new Set(standing.filter(isOut))
    for (const report of out)
      excluded.push({ report, reason, factor: null, reference: null, referenceDay: null })
    standing = standing.filter(t => !out.has(t))
  }
  const undoing = (action: string, samePrice: boolean) => (t: Report) =>
    t.number !== null &&
    trades.some(
      u =>
        u !== t &&
        u.action === action &&
        u.undoes === t.number &&
        (!samePrice || u.price === null || u.price === t.price),
    )
  const numbers = new Map<string, number>()
  for (const { number } of trades) if (number !== null) numbers.set(number, (numbers.get(number) ?? 0) + 1)
  const named = (v: Report) =>
    v.undoes !== null && (numbers.get(v.undoes) ?? 0) - (v.number === v.undoes ? 1 : 0) > 0

  const acting = new Set(trades.filter(t => t.action !== 'trade').map(t => t.action))
  if (acting.has('cancel')) leave('cancelled', undoing('cancel', true))
  if (acting.has('correction')) leave('corrected', undoing('correction', false))
  if (acting.has('reversal')) {
    leave('reversed', undoing('reversal', true))
    const unnamed = lined(
      trades.filter(t => t.action === 'reversal' && !named(t)),
      alike,
      byReport,
    )
    const lines = lined(standing, alike, byReport)
    const gone = new Set<Report>()
    for (const [key, reversals] of unnamed)
      for (const [i, v] of reversals.entries()) {
        const t = lines.get(key)?.[i]
        if (t && v.reported >= t.reported) gone.add(t)
      }
    leave('reversed', t => gone.has(t))
  }
  leave('when_issued', t => t.when_issued === true)
  leave('special_price', t => t.special === true)
  leave('agency_duplicate', t => t.counterparty === 'customer' && t.agency === true && t.commission === false)
  const between = standing.filter(t => t.counterparty === 'dealer' && t.side !== null)
  const byTime = inOrder(
    byText(r => r.time),
    byText(r => r.number),
    byText(r => r.source),
  )
  const sides = lined(between, r => [r.day, r.price, r.quantity, r.side], byTime)
  const twice = new Set<Report>()
  for (const buys of sides.values())
    for (const [i, buy] of buys.entries())
      if (
        buy.side === 'buy' &&
        (sides.get(JSON.stringify([buy.day, buy.price, buy.quantity, 'sell'])) ?? []).length > i
      )
        twice.add(buy)
  leave('interdealer_duplicate', t => twice.has(t))
  return { standing, excluded }
}

/** Prices a power of ten away from their neighbours; only checked where prices vary widely or are far from par. */
function slipsAmong(seen: readonly Report[], isDefaulted: (day: Day) => boolean): Excluded[] {
  const prices = seen.map(r => r.price!)
  const [least, most] = [prices.reduce((a, b) => Math.min(a, b)), prices.reduce((a, b) => Math.max(a, b))]
  if (!(most > 5 * least || least < 2 || most > 350)) return []
  const sorted = [...seen].sort(
    inOrder(
      (a, b) => compare(a.day, b.day),
      (a, b) => compare(Number(a.is_trade), Number(b.is_trade)),
      byText(r => r.time),
      byText(r => r.kind),
      byText(r => r.number),
      byText(r => r.source),
    ),
  )
  const { factor, reference, referenceDay } = priceSlips({
    bond: new Int32Array(sorted.length),
    day: Int32Array.from(sorted, r => r.day),
    price: Float64Array.from(sorted, r => r.price!),
    isDefaulted: Uint8Array.from(sorted, r => (isDefaulted(r.day) ? 1 : 0)),
  })
  return sorted.flatMap((report, i) =>
    Number.isNaN(elementAt(factor, i))
      ? []
      : [
          {
            report,
            reason: 'price_slip',
            factor: elementAt(factor, i),
            reference: elementAt(reference, i),
            referenceDay: referenceDay[i] === NO_REFERENCE ? null : elementAt(referenceDay, i),
          },
        ],
  )
}

function groupBy<K>(rows: readonly Report[], key: (r: Report) => K): Map<K, Report[]> {
  const groups = new Map<K, Report[]>()
  for (const row of rows) {
    const those = groups.get(key(row))
    if (those) those.push(row)
    else groups.set(key(row), [row])
  }
  return groups
}

/** One price per day: the last standing trade, else a vendor's price, a fund's mark, an estimate. */
export function dailyPrices(
  reports: readonly Report[],
  isDefaulted: (day: Day) => boolean,
): { chosen: Chosen[]; excluded: Excluded[] } {
  const { standing, excluded } = standingTrades(reports.filter(r => r.is_trade))
  const newest = inOrder(
    byText(r => r.known),
    byText(r => r.ingested),
    (a, b) => compare(b.source, a.source),
  )
  const marks = [
    ...groupBy(
      reports.filter(r => !r.is_trade),
      r => `${r.day} ${r.kind}`,
    ).values(),
  ].map(those => lastBy(those, newest))
  const seen = [...standing, ...marks]
  const slips = seen.length > 0 ? slipsAmong(seen, isDefaulted) : []
  const slipped = new Set(slips.map(s => s.report))
  const chosen: Chosen[] = []
  for (const [day, all] of groupBy(
    seen.filter(r => !slipped.has(r)),
    r => r.day,
  )) {
    const kind = priceSources.find(k => all.some(r => r.kind === k))!
    const own = all.filter(r => r.kind === kind)
    const trades = own.filter(r => r.is_trade)
    const mark = own.find(r => !r.is_trade)
    const source = trades.reduce((most, r) => (r.source > most ? r.source : most), '')
    if (mark && (trades.length === 0 || mark.source < source)) {
      const { price, basis, quantity, trade_count, known } = mark
      chosen.push({
        day,
        price: price!,
        isDirty: basis === 'dirty',
        kind,
        vwap: null,
        volume: quantity,
        capped: null,
        trades: trade_count ?? 0,
        known,
      })
      continue
    }
    const last = lastBy(
      trades,
      inOrder(
        byText(r => r.time),
        byText(r => r.number),
        byText(r => r.source),
      ),
    )
    const sized = trades.filter(r => r.quantity !== null)
    const volume = sized.reduce((sum, r) => sum + r.quantity!, 0)
    const paid = sized.reduce((sum, r) => sum + BigInt(Math.round(r.price! * 1e6)) * BigInt(r.quantity!), 0n)
    chosen.push({
      day,
      price: last.price!,
      isDirty: false,
      kind,
      vwap: volume > 0 ? Number(paid) / volume / 1e6 : null,
      volume: sized.length > 0 ? volume : null,
      capped: trades.some(r => r.capped === true),
      trades: trades.length,
      known: trades.reduce<string | null>(
        (most, r) => (r.known !== null && (most === null || r.known > most) ? r.known : most),
        null,
      ),
    })
  }
  return { chosen, excluded: [...excluded, ...slips] }
}
