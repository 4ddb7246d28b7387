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
  /** The day interest starts to accrue, and the first coupon date if the schedule's rule would choose another. */
  accrualStart?: Day | null
  firstCoupon?: Day | null
  /** Years. */
  publishedModifiedDuration: number
  /** Percent, to maturity; for a bond that floats later it includes forecast floating coupons. */
  publishedYieldToMaturity?: number | null
  /** Percent; the publisher's yield to worst. */
  publishedYieldToWorst?: number | null
  /** Banks, insurers and brokers, which issue such debt. */
  isFinancial?: boolean
}

/** Months before maturity at which fixed coupons end: usually a year (4NC3, 6NC5, 11NC10), else the last reset. */
const SHAPES = [
  { months: 12, isCommon: true },
  { months: 60, isCommon: false },
  { months: 24, isCommon: false },
] as const

/** Durations are published with two decimals: half a unit of the last place plus a margin, in years. */
const ROUNDING = 0.006
/**
 * Other differences between a published duration and ours for the same cash flows, as a share: rounded coupons and
 * prices.
 */
const SAME_DURATION = 0.003
/** The same where the last fixed day is inferred rather than published. */
const LIKE_DURATION = 0.01
/**
 * Tolerance, in percent, between a published yield and ours for the same cash flows, and the difference from which
 * they are distinct.
 */
const SAME_YIELD = 0.01
const OTHER_YIELD = 0.03

type Bullet = { ytm: number; duration: number }

/**
 * The last fixed day of a bond that a publisher treats as fixed-to-float; null without evidence. Either its modified
 * duration is that of the bullet to that day and not to maturity; or its yield to worst is, while its duration or
 * yield to maturity is not that of a bullet to maturity, so no ordinary call explains it. A yield alone may agree by
 * chance: it suffices for financial issuers, and for others if the duration fits no bullet. Shapes other than one
 * year need both.
 */
export function looksFixedToFloat(published: PublishedRisk): Day | null {
  const toMaturity = bullet(published, published.maturity)
  if (toMaturity === null) return null
  for (const { months, isCommon } of SHAPES) {
    const lastFixed = addMonths(published.maturity, -months)
    const shorter = bullet(published, lastFixed)
    if (shorter === null) continue
    const byDuration = hasDurationOf(published, shorter, toMaturity)
    const byYield = hasYieldOf(published, shorter, toMaturity)
    if (isCommon ? byDuration || byYield : byDuration && byYield) return lastFixed
  }
  return null
}

const isDuration = (published: number, { duration }: Bullet, share: number): boolean =>
  Math.abs(published - duration) <= ROUNDING + share * duration

function hasDurationOf(
  { publishedModifiedDuration: published }: PublishedRisk,
  shorter: Bullet,
  toMaturity: Bullet,
): boolean {
  const isNearer = 2 * Math.abs(published - shorter.duration) < Math.abs(published - toMaturity.duration)
  return (
    isNearer &&
    isDuration(published, shorter, LIKE_DURATION) &&
    !isDuration(published, toMaturity, SAME_DURATION)
  )
}

function hasYieldOf(published: PublishedRisk, shorter: Bullet, full: Bullet): boolean {
  const { publishedYieldToWorst: worst, publishedYieldToMaturity: toMaturity, isFinancial } = published
  if (worst == null) return false
  const isShorter = Math.abs(worst - shorter.ytm) <= SAME_YIELD && Math.abs(worst - full.ytm) > OTHER_YIELD
  const isBulletInYield = toMaturity == null || Math.abs(toMaturity - full.ytm) <= OTHER_YIELD
  const isBulletInDuration = isDuration(published.publishedModifiedDuration, full, SAME_DURATION)
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

/** A bond of a bank, insurer or broker at its newest price. Spreads are in basis points, or null. */
export interface IssuersBond {
  /** The legal entity: of a bank's group, the holding company may issue bonds that float, and others bullets. */
  readonly entity: string
  readonly coupon: number
  /** Known from a source or from published figures; null if unknown. */
  readonly structure: 'fixed' | 'fixed_to_float' | null
  readonly day: Day
  /** To maturity. */
  readonly years: number
  /** From the yield to maturity. */
  readonly spread: number | null
  /** From the yield to a year before maturity. */
  readonly shorterSpread: number | null
}

/**
 * Basis points between the two readings of a price from which they can be told apart, and below which either is
 * acceptable.
 */
const TELLING_BPS = 15
const ALIKE_BPS = 10
/**
 * How much closer, in basis points, the better reading must be to the issuer's other bonds, or to other banks' bonds.
 */
const NEARER_BPS = 10
const NEARER_TO_PEERS_BPS = 25
/**
 * Further conditions for an even coupon: a spread this much too low as a bullet, and this close when read otherwise,
 * from an issuer of such bonds.
 */
const TOO_LOW_BPS = 25
const NEAR_BPS = 25
/** Maturity window, in years, of comparable bonds; all of the issuer's where too few are within it. */
const COMPARED_YEARS = 3
const FEWEST_COMPARED = 2
const FEWEST_PEERS = 10
/** Share of the legal entity's uneven-coupon bonds that decides the rest, up to the longest maturity of such bonds. */
const MOST_OF_THEM = 2 / 3
const LONGEST_YEARS = 11

/**
 * Which bonds of each issuer float in their last year, where their lists publish no yield. A bond is read both ways;
 * the reading whose spread fits the issuer's other bonds that day wins, else the one that fits other banks' bonds.
 * Coupons of such bonds are set by a spread and are rarely even: an uneven coupon with a spread below Treasuries is
 * not a bullet, and what prices leave open follows the other uneven-coupon bonds of the same legal entity, of any day. True
 * only for bonds of unknown structure.
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
  const entities = [...new Set(bonds.map(({ entity }) => entity))]
  const usual = new Set(
    entities.filter(entity => {
      const uneven = bonds.flatMap((each, i) =>
        each.entity === entity && isUneven(each.coupon) && shown[i] !== null ? [shown[i]!] : [],
      )
      const floating = uneven.filter(structure => structure === 'fixed_to_float').length
      return uneven.length >= FEWEST_COMPARED && floating >= uneven.length * MOST_OF_THEM
    }),
  )
  return bonds.map((each, i) => {
    if (each.structure !== null) return false
    if (read[i] === 'perhaps_floating') return usual.has(each.entity)
    if (shown[i] !== null) return shown[i] === 'fixed_to_float'
    return usual.has(each.entity) && isUneven(each.coupon) && each.years > 1 && each.years <= LONGEST_YEARS
  })
}

/** Neither a multiple of a twentieth nor an eighth, even rounded to two decimals. */
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
