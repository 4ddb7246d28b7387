// Indices below are within bounds by construction: checks would cost in the loops.

import { elementAt } from '../base/elements.ts'
import { ACTIVE, type BondIndex, EXTENDED, FLOATS, PERPETUAL } from './resolve/bond-index.ts'
import { type FoundIssuers, findIssuers, type IssuerMatch } from './resolve/find-issuers.ts'
import type { BondDescription, WrittenCoupon, WrittenMaturity } from './resolve/read-description.ts'

/**
 * How one part of a description agrees with a bond: `score` of at most `weight`, negative if it is evidence against.
 */
export interface FieldMatch {
  readonly asked: string | number
  readonly weight: number
  readonly score: number
}

export interface BondMatch {
  readonly row: number
  /** The sum over the parts. */
  readonly score: number
  /** 0 to 0.99: this bond's share in the odds of all candidates and of no bond. */
  readonly confidence: number
  /** Everything written is true of the bond and names its issuer. */
  readonly isFull: boolean
}

export interface MatchBounds {
  /** Rows that may be returned; default all. */
  readonly among?: ReadonlySet<number> | undefined
  /** Leaves out companies of extended coverage. */
  readonly isStandard: boolean
  /** The issuer, given separately as a ticker. */
  readonly isNamed: boolean
}

/** Weights of the parts in log odds: measured on fund holdings, see docs/conventions.md. */
const weights = {
  issuer: 10,
  /** The whole name is written, not a prefix shared by several names. */
  wholeName: 3,
  issuerAgainst: -4,
  /** Written words that name something else: `Hospitality` after `Apple`. */
  unexplained: -12,
  /** The most by which the name of a company without bonds counts for none of them. */
  elsewhere: 9,
  coupon: 6,
  roundedCoupon: 4,
  couponAgainst: -9,
  couponUnknown: -2,
  couponFloats: -3,
  day: 7,
  month: 5,
  year: 3,
  otherDay: 2,
  dayFirst: 4,
  otherMonth: -4,
  otherYear: -9,
  maturityUnknown: -2,
  floats: 3,
  isFixed: -5,
  perpetual: 4,
  isDated: -6,
  kind: 0.7,
  fragment: 14,
  otherIdentifier: -10,
  isOver: -1.5,
} as const

/** The score of "no bond of the lake is meant". */
const NONE = 11
/** Coupon and maturity alone fit many bonds, most of them in no lake. */
const UNNAMED = -2
/** Bonds this far behind the best are not returned, nor those with a lower score. */
const FAR_BEHIND = 9
const LEAST_SCORE = -4
/** The same for a bond of another issuer than the one written. */
const LEAST_OF_OTHERS = 2
/** A description is never as certain as an identifier. */
const MOST_CONFIDENCE = 0.99
/** Maximum number of bonds to compare where only a kind is written. */
const MOST_COMPARED = 20_000

/** A description prepared for comparison with bonds. */
interface Comparison {
  readonly index: BondIndex
  readonly description: BondDescription
  readonly issuers: FoundIssuers
  readonly fragments: readonly Fragment[]
  readonly isNamed: boolean
}

/** A partial identifier, and the bonds whose CUSIP, ISIN or id contains it. */
interface Fragment {
  readonly text: string
  readonly rows: ReadonlySet<number>
}

/** Whether anything written distinguishes bonds: `notes` does not. */
export const saysSomething = (d: BondDescription): boolean =>
  d.words.length + d.kinds.length + d.fragments.length > 0 ||
  d.coupon !== undefined ||
  d.maturity !== undefined ||
  d.floats === true ||
  d.perpetual === true

/** The bonds that a description may mean, most likely first; ties in the order of answers. */
export function matchBonds(
  index: BondIndex,
  description: BondDescription,
  { among, isStandard, isNamed }: MatchBounds,
): BondMatch[] {
  const comparison = compared(index, description, isNamed)
  const rows: number[] = []
  const scores: number[] = []
  let best = Number.NEGATIVE_INFINITY
  for (const row of among ?? candidates(comparison)) {
    if (isStandard && index.flags[row]! & EXTENDED) continue
    const score = scoreOf(comparison, row)
    if (score > best) best = score
    rows.push(row)
    scores.push(score)
  }
  const none = NONE + elsewhereScore(comparison)
  const top = Math.max(best, none)
  const odds = scores.reduce((sum, score) => sum + Math.exp(score - top), Math.exp(none - top))
  const least = Math.max(LEAST_SCORE, best - FAR_BEHIND)
  const matches: BondMatch[] = []
  for (const [i, row] of rows.entries()) {
    const score = scores[i]!
    const isOther = comparison.issuers.asked.length > 0 && !comparison.issuers.matches.has(index.keyOf[row]!)
    if (score < least || (isOther && score < LEAST_OF_OTHERS)) continue
    const confidence = Math.min(MOST_CONFIDENCE, Math.exp(score - top) / odds)
    matches.push({ row, score, confidence, isFull: isFull(comparison, row) })
  }
  return matches.sort((a, b) => b.score - a.score || index.ranks[a.row]! - index.ranks[b.row]!)
}

/** How a bond's score was formed. */
export function explainMatch(
  index: BondIndex,
  description: BondDescription,
  { isNamed }: MatchBounds,
  row: number,
): FieldMatch[] {
  return partsOf(compared(index, description, isNamed), row)
}

function compared(index: BondIndex, description: BondDescription, isNamed: boolean): Comparison {
  return {
    index,
    description,
    issuers: findIssuers(index, nameIn(index, description)),
    // A fragment in no identifier is not a partial identifier.
    fragments: description.fragments
      .map(text => ({ text, rows: rowsWithFragment(index, text) }))
      .filter(({ rows }) => rows.size > 0),
    isNamed,
  }
}

/** The issuer's words; if there are none, a ticker that is spelled like a security word. */
function nameIn({ byTicker }: BondIndex, { words, first }: BondDescription): readonly string[] {
  return words.length === 0 && first !== undefined && byTicker.has(first) ? [first] : words
}

const CUSIP_LENGTH = 9

function rowsWithFragment(index: BondIndex, fragment: string): ReadonlySet<number> {
  const found = new Set<number>()
  for (const [identifier, rows] of index.byIdentifier)
    if (identifier.includes(fragment)) for (const row of rows) found.add(row)
  // The last character of a CUSIP is only a check digit.
  return found.size === 0 && fragment.length === CUSIP_LENGTH
    ? rowsWithFragment(index, fragment.slice(0, -1))
    : found
}

/** The bonds to compare: of the named issuers, and with the written coupon and maturity. */
function candidates({ index, description, issuers, fragments }: Comparison): ReadonlySet<number> {
  const { coupon, maturity, kinds } = description
  const rows = new Set<number>()
  for (const key of likelyKeys(issuers)) for (const row of index.keys[key]!.rows) rows.add(row)
  for (const fragment of fragments) for (const row of fragment.rows) rows.add(row)
  if (coupon && maturity)
    for (const row of withCoupon(index, coupon)) {
      const score = maturityScore(index, row, maturity)
      if (score > 0) rows.add(row)
    }
  if (rows.size > 0 || issuers.asked.length > 0) return rows
  if (coupon) return new Set(withCoupon(index, coupon))
  if (maturity) return new Set(withMaturity(index, maturity))
  if (kinds.length > 0 || description.floats || description.perpetual)
    for (let row = 0; row < index.rowCount && rows.size < MOST_COMPARED; row++)
      if (isOfKind(index, row, description)) rows.add(row)
  return rows
}

/** Issuers far less likely than the best are dropped. */
function likelyKeys({ matches }: FoundIssuers): number[] {
  let best = 0
  for (const match of matches.values()) best = Math.max(best, issuerScore(match))
  return [...matches].filter(([, match]) => issuerScore(match) > best - FAR_BEHIND).map(([key]) => key)
}

function* withCoupon({ byCoupon }: BondIndex, { rate }: WrittenCoupon): Generator<number> {
  const at = Math.round(rate * 100)
  for (const hundredths of [at - 1, at, at + 1]) yield* byCoupon.get(hundredths) ?? []
}

function* withMaturity({ byMonth }: BondIndex, { year, isShort, month }: WrittenMaturity): Generator<number> {
  const months = month === undefined ? Array.from({ length: 12 }, (_, i) => i + 1) : [month]
  for (const century of isShort ? [0, 100] : [0])
    for (const each of months) yield* byMonth.get((year + century) * 100 + each) ?? []
}

const isOfKind = ({ kinds, flags }: BondIndex, row: number, description: BondDescription): boolean =>
  description.kinds.every(kind => kinds[row]!.has(kind)) &&
  (!description.floats || (flags[row]! & FLOATS) !== 0) &&
  (!description.perpetual || (flags[row]! & PERPETUAL) !== 0)

/** The whole name is no evidence if it is only a part of what was written. */
const issuerScore = ({ written, name, unexplained }: IssuerMatch): number =>
  weights.issuer * written +
  weights.issuerAgainst * (1 - written) +
  weights.unexplained * unexplained +
  weights.wholeName * name * (1 - unexplained)

/** How much better a company without bonds is named than any with bonds: then none of the bonds is meant. */
function elsewhereScore({ index, issuers }: Comparison): number {
  let [own, other] = [weights.issuerAgainst as number, weights.issuerAgainst as number]
  for (const [key, match] of issuers.matches) {
    const score = issuerScore(match)
    if (elementAt(index.keys, key).rows.length > 0) own = Math.max(own, score)
    else other = Math.max(other, score)
  }
  return Math.min(Math.max(other - own, 0), weights.elsewhere)
}

function couponScore({ coupons, flags }: BondIndex, row: number, { rate, decimals }: WrittenCoupon): number {
  const own = coupons[row]!
  if (Number.isNaN(own)) return flags[row]! & FLOATS ? weights.couponFloats : weights.couponUnknown
  const off = Math.abs(own - rate)
  // Lists round coupons to two decimals.
  if (off < 0.0051) return weights.coupon
  if (decimals <= 1 && off <= 0.0501) return weights.roundedCoupon
  if (decimals > 2 && off < 0.01 && mayBeSnapped(own, rate)) return weights.roundedCoupon
  return flags[row]! & FLOATS ? weights.couponFloats : weights.couponAgainst
}

/** Whether an eighth may stand for the written coupon: of a list with two decimals both are the same number. */
const mayBeSnapped = (own: number, rate: number): boolean =>
  Number.isInteger(own * 8) && Math.round(own * 100) === Math.round(rate * 100)

function maturityScore(index: BondIndex, row: number, written: WrittenMaturity): number {
  const own = index.maturities[row]!
  if (own === 0) return weights.maturityUnknown
  const year = Math.floor(own / 10_000)
  if (written.isShort ? year % 100 !== written.year % 100 : year !== written.year) return weights.otherYear
  if (written.month === undefined) return weights.year
  const [month, day] = [Math.floor(own / 100) % 100, own % 100]
  if (written.day === undefined) return month === written.month ? weights.month : weights.otherMonth
  if (month === written.month) return day === written.day ? weights.day : weights.otherDay
  const isSwapped = written.isDayFirstPossible && month === written.day && day === written.month
  return isSwapped ? weights.dayFirst : weights.otherMonth
}

const fullMaturity = ({ month, day }: WrittenMaturity): number =>
  day !== undefined ? weights.day : month !== undefined ? weights.month : weights.year

/** The same as the sum of `partsOf`, without allocating them. */
function scoreOf({ index, description, issuers, fragments, isNamed }: Comparison, row: number): number {
  const { coupon, maturity, kinds, floats, perpetual } = description
  const flags = index.flags[row]!
  const match = issuers.matches.get(index.keyOf[row]!)
  let score = 0
  if (issuers.asked.length > 0) score += match ? issuerScore(match) : weights.issuerAgainst
  else if (isNamed) score += weights.issuer
  for (const fragment of fragments) score += fragmentScore(fragment, row)
  if (!match && !isNamed && fragments.length === 0) score += UNNAMED
  if (coupon) score += couponScore(index, row, coupon)
  if (maturity) score += maturityScore(index, row, maturity)
  for (const kind of kinds) score += kindScore(index, row, kind)
  if (floats) score += flags & FLOATS ? weights.floats : weights.isFixed
  if (perpetual) score += flags & PERPETUAL ? weights.perpetual : weights.isDated
  return flags & ACTIVE ? score : score + weights.isOver
}

const fragmentScore = ({ rows }: Fragment, row: number): number =>
  rows.has(row) ? weights.fragment : weights.otherIdentifier

/** If a bond has no kind, a word for one counts neither way. */
function kindScore({ kinds }: BondIndex, row: number, kind: string): number {
  const own = kinds[row]!
  return own.size === 0 ? 0 : own.has(kind) ? weights.kind : -weights.kind
}

function partsOf(comparison: Comparison, row: number): FieldMatch[] {
  const { index, description, issuers, fragments, isNamed } = comparison
  const { coupon, maturity, kinds, floats, perpetual } = description
  const flags = index.flags[row]!
  const match = issuers.matches.get(index.keyOf[row]!)
  const parts: FieldMatch[] = []
  const part = (asked: string | number, weight: number, score: number) =>
    parts.push({ asked, weight, score: Math.round(score * 1e4) / 1e4 })
  if (issuers.asked.length > 0)
    part(
      issuers.asked.join(' '),
      weights.issuer + weights.wholeName,
      match ? issuerScore(match) : weights.issuerAgainst,
    )
  else if (isNamed) part('ticker', weights.issuer, weights.issuer)
  for (const fragment of fragments) part(fragment.text, weights.fragment, fragmentScore(fragment, row))
  if (!match && !isNamed && fragments.length === 0) part('no issuer', 0, UNNAMED)
  if (coupon) part(coupon.rate, weights.coupon, couponScore(index, row, coupon))
  if (maturity) part(writtenDay(maturity), fullMaturity(maturity), maturityScore(index, row, maturity))
  for (const kind of kinds) part(kind, weights.kind, kindScore(index, row, kind))
  if (floats) part('FRN', weights.floats, flags & FLOATS ? weights.floats : weights.isFixed)
  if (perpetual) part('PERP', weights.perpetual, flags & PERPETUAL ? weights.perpetual : weights.isDated)
  if (!(flags & ACTIVE)) part('no longer active', 0, weights.isOver)
  return parts
}

const two = (value: number): string => String(value).padStart(2, '0')

/** `2029-08-08`, `2029-08` or `2029`. */
const writtenDay = ({ year, month, day }: WrittenMaturity): string =>
  [String(year), ...(month === undefined ? [] : [two(month)]), ...(day === undefined ? [] : [two(day)])].join(
    '-',
  )

function isFull(comparison: Comparison, row: number): boolean {
  const { index, description, issuers, fragments, isNamed } = comparison
  const { coupon, maturity, kinds, floats, perpetual } = description
  const match = issuers.matches.get(index.keyOf[row]!)
  return (
    (issuers.asked.length > 0 ? match?.isExact === true : isNamed || fragments.length > 0) &&
    fragments.every(({ rows }) => rows.has(row)) &&
    (!coupon || couponScore(index, row, coupon) === weights.coupon) &&
    (!maturity || maturityScore(index, row, maturity) === fullMaturity(maturity)) &&
    kinds.every(kind => index.kinds[row]!.has(kind)) &&
    (!floats || (index.flags[row]! & FLOATS) !== 0) &&
    (!perpetual || (index.flags[row]! & PERPETUAL) !== 0)
  )
}
