import type { Day } from '../../engine/credit/calendar.ts'
import { yearOf } from './instrument.ts'
import type { Random } from './random.ts'

const SPREADS = [35, 40, 46, 53, 62, 72, 85, 102, 126, 160, 208, 248, 302, 362, 425, 520, 690, 880, 1120]

/** Basis points over Treasuries that five-year senior debt pays, by rank on the rating scale (AAA is 1). */
export function spreadByRank(rank: number): number {
  const spread = SPREADS[rank - 1]
  if (spread === undefined) throw new RangeError(`no issuer has rank ${rank}`)
  return spread
}

/** Percent, by year from 2014 on. */
const TREASURY = [1.7, 1.6, 1.4, 2, 2.8, 2, 0.5, 1, 3.1, 4.1, 4.2]
const TREASURY_NOW = 4.1

/** A coupon that sells at par, in whole eighths of a percent. `extra` is in basis points. */
export function couponAt(issued: Day, rank: number, extra: number, random: Random): number {
  const treasury = TREASURY[Math.max(0, yearOf(issued) - 2014)] ?? TREASURY_NOW
  const fair = treasury + (spreadByRank(rank) * Math.exp(random.normal() * 0.12) + extra) / 100
  return Math.min(13.5, Math.max(0.75, Math.round(fair * 8) / 8))
}
