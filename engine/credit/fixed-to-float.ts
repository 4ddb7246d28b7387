// Indices below are within bounds by construction: checks would cost in the loops.

import { bond, modifiedDuration, yieldToMaturity } from './bond.ts'
import { addMonths, type Day } from './calendar.ts'
import { snapToEighth } from './coupon-snap.ts'

export type PublishedRisk = {
  /** Percent. */
  coupon: number
  /** Clean, per 100 par. */
  price: number
  settle: Day
  maturity: Day
  /** The day interest starts to accrue, and the first coupon date where the schedule's rule would choose another. */
  accrualStart?: Day | null
  firstCoupon?: Day | null
  /** Years. */
  publishedModifiedDuration: number
  /** Percent, to maturity: of a bond that floats later it holds a forecast of the floating coupons. */
  publishedYieldToMaturity?: number | null
  /** Percent; the lowest yield the publisher gives. */
  publishedYieldToWorst?: number | null
  /** Banks, insurers and brokers: whose debt has this form. */
  isFinancial?: boolean
}

/** Months before maturity at which fixed coupons end: nearly always a year (4NC3, 6NC5, 11NC10), else that of a reset. */
const SHAPES = [
  { months: 12, isCommon: true },
  { months: 60, isCommon: false },
  { months: 24, isCommon: false },
] as const

/** Durations are published with two decimals: half a unit of the last, and a hair, in years. */
const ROUNDING = 0.006
/** What else parts a published duration from ours for the same cash flows, as a share: rounded coupons and prices. */
const SAME_DURATION = 0.003
/** The same where the last fixed day is ours, and not the publisher's. */
const LIKE_DURATION = 0.01
/** How far, in percent, a published yield may lie from ours for the same cash flows, and from when on it is another. */
const SAME_YIELD = 0.01
const OTHER_YIELD = 0.03

type Bullet = { ytm: number; duration: number }

/**
 * The last fixed day of a bond that a publisher treats as fixed-to-float, or null where nothing says so. Either its
 * modified duration is that of the bullet to that day and not of the bullet to maturity; or its yield to worst is, while
 * its duration or its yield to maturity is not that of a bullet to maturity, so that no ordinary call explains it. A
 * yield alone may agree by chance: that is believed of financial issuers, and of others with a duration like no bullet's.
 * Rarer shapes than a year need both.
 */
export function looksFixedToFloat(published: PublishedRisk): Day | null {
  const held = bullet(published, published.maturity)
  if (held === null) return null
  for (const { months, isCommon } of SHAPES) {
    const lastFixed = addMonths(published.maturity, -months)
    const shorter = bullet(published, lastFixed)
    if (shorter === null) continue
    const byDuration = hasDurationOf(published, shorter, held)
    const byYield = hasYieldOf(published, shorter, held)
    if (isCommon ? byDuration || byYield : byDuration && byYield) return lastFixed
  }
  return null
}

const isDuration = (said: number, { duration }: Bullet, share: number): boolean =>
  Math.abs(said - duration) <= ROUNDING + share * duration

function hasDurationOf(
  { publishedModifiedDuration: said }: PublishedRisk,
  shorter: Bullet,
  held: Bullet,
): boolean {
  const isNearer = 2 * Math.abs(said - shorter.duration) < Math.abs(said - held.duration)
  return isNearer && isDuration(said, shorter, LIKE_DURATION) && !isDuration(said, held, SAME_DURATION)
}

function hasYieldOf(published: PublishedRisk, shorter: Bullet, held: Bullet): boolean {
  const { publishedYieldToWorst: worst, publishedYieldToMaturity: toMaturity, isFinancial } = published
  if (worst == null) return false
  const isShorter = Math.abs(worst - shorter.ytm) <= SAME_YIELD && Math.abs(worst - held.ytm) > OTHER_YIELD
  const isBulletInYield = toMaturity == null || Math.abs(toMaturity - held.ytm) <= OTHER_YIELD
  const isBulletInDuration = isDuration(published.publishedModifiedDuration, held, SAME_DURATION)
  return isShorter && (!isBulletInDuration || (isFinancial === true && !isBulletInYield))
}

function bullet(
  { coupon, price, settle, accrualStart, firstCoupon }: PublishedRisk,
  maturity: Day,
): Bullet | null {
  const terms = bond({
    coupon,
    maturity,
    accrualStart: accrualStart ?? null,
    firstCoupon: firstCoupon ?? null,
  })
  const { ytm } = yieldToMaturity(terms, price, settle)
  return ytm === null ? null : { ytm, duration: modifiedDuration(terms, ytm, settle) }
}

/** A bond of a bank, insurer or broker at its newest price. Spreads are in basis points, null where there is none. */
export interface IssuersBond {
  readonly coupon: number
  /** As far as something states or shows it. */
  readonly structure: 'fixed' | 'fixed_to_float' | null
  readonly day: Day
  /** To maturity. */
  readonly years: number
  /** With the yield to maturity. */
  readonly spread: number | null
  /** With the yield to a year before maturity. */
  readonly shorterSpread: number | null
}

/** Basis points between both readings of a price from which on they can be told apart, and below which either will do. */
const TELLING_BPS = 15
const ALIKE_BPS = 10
/** By how much the better reading must lie nearer to the issuer's other bonds, or to those of other banks, basis points. */
const NEARER_BPS = 10
const NEARER_TO_PEERS_BPS = 25
/** What an even coupon needs beside that: a spread so far too low, and so near when read otherwise, of an issuer of such bonds. */
const TOO_LOW_BPS = 25
const NEAR_BPS = 25
/** Years between bonds that are compared; all of the issuer's where too few are so near. */
const COMPARED_YEARS = 3
const FEWEST_COMPARED = 2
const FEWEST_PEERS = 10
/** Of the issuer's bonds with uneven coupons, the share that shows what the others are, as long as such bonds run. */
const MOST_OF_THEM = 2 / 3
const LONGEST_YEARS = 11

/**
 * Which bonds of each issuer float in their last year, where their lists publish no yield. A bond is read both ways, and
 * the reading whose spread is that of the issuer's other bonds of the day holds, else that of other banks' bonds. Coupons of
 * such bonds are set by a spread and seldom even: one with an uneven coupon and a spread below the Treasury curve is no
 * bullet, and what prices leave open is decided by the issuer's other bonds with uneven coupons, of any day. True for bonds
 * of unknown structure only.
 */
export function floatInLastYear(issuers: readonly (readonly IssuersBond[])[]): boolean[][] {
  const anchors = issuers.map(bonds => bonds.flatMap(anchorOf))
  const peers = anchors.flat()
  return issuers.map((bonds, i) => floatsOf(bonds, anchors[i]!, peers))
}

function floatsOf(
  bonds: readonly IssuersBond[],
  anchors: readonly Anchor[],
  peers: readonly Anchor[],
): boolean[] {
  const read = bonds.map(each => each.structure ?? byPrice(each, anchors, peers))
  const shown = read.map(structure => (structure === 'perhaps_floating' ? null : structure))
  const uneven = bonds.flatMap((each, i) => (isUneven(each.coupon) && shown[i] !== null ? [shown[i]!] : []))
  const floating = uneven.filter(structure => structure === 'fixed_to_float').length
  const isUsual = uneven.length >= FEWEST_COMPARED && floating >= uneven.length * MOST_OF_THEM
  return bonds.map((each, i) => {
    if (each.structure !== null) return false
    if (read[i] === 'perhaps_floating') return isUsual
    if (shown[i] !== null) return shown[i] === 'fixed_to_float'
    return isUsual && isUneven(each.coupon) && each.years > 1 && each.years <= LONGEST_YEARS
  })
}

/** Neither a multiple of a twentieth nor an eighth, also where it is rounded to two decimals. */
const isUneven = (coupon: number): boolean =>
  !isMultiple(coupon, 0.05) && !isMultiple(snapToEighth(coupon), 0.125)

const isMultiple = (value: number, of: number): boolean =>
  Math.abs(value / of - Math.round(value / of)) < 1e-6

interface Anchor {
  readonly bps: number
  readonly day: Day
  readonly years: number
}

/** The spread of a bond whose reading is known, or makes no difference. */
function anchorOf({ structure, spread, shorterSpread, day, years }: IssuersBond): Anchor[] {
  const bps = structure === 'fixed_to_float' ? shorterSpread : spread
  if (bps === null) return []
  if (structure !== null) return [{ bps, day, years }]
  if (shorterSpread === null || Math.abs(shorterSpread - bps) > ALIKE_BPS) return []
  return [{ bps: (bps + shorterSpread) / 2, day, years }]
}

function byPrice(
  { coupon, day, years, spread, shorterSpread }: IssuersBond,
  anchors: readonly Anchor[],
  peers: readonly Anchor[],
): 'fixed' | 'fixed_to_float' | 'perhaps_floating' | null {
  if (spread === null || shorterSpread === null || Math.abs(shorterSpread - spread) < TELLING_BPS) return null
  if (isUneven(coupon) && spread < 0 && shorterSpread > spread) return 'fixed_to_float'
  const near = (those: readonly Anchor[]) =>
    those.filter(each => each.day === day && Math.abs(each.years - years) <= COMPARED_YEARS)
  const own = [near(anchors), anchors.filter(each => each.day === day)].find(
    those => those.length >= FEWEST_COMPARED,
  )
  const compared = own ?? near(peers)
  if (!own && compared.length < FEWEST_PEERS) return null
  const middle = medianOf(compared.map(({ bps }) => bps))
  const nearer = own ? NEARER_BPS : NEARER_TO_PEERS_BPS
  const [far, farShorter] = [Math.abs(spread - middle), Math.abs(shorterSpread - middle)]
  if (far + nearer < farShorter) return 'fixed'
  if (farShorter + nearer >= far) return null
  if (isUneven(coupon)) return 'fixed_to_float'
  return own && spread < middle - TOO_LOW_BPS && farShorter <= NEAR_BPS ? 'perhaps_floating' : null
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const half = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2
}
