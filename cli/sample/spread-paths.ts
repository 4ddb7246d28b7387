// Indices below are within bounds by construction: checks would cost in the loops.

import { toDay } from '../../engine/credit/calendar.ts'
import { spreadByRank } from './coupons.ts'
import { DEFAULT_DAY } from './instrument.ts'
import type { Issuer } from './issuers.ts'
import { tradingDays } from './market.ts'
import type { Random } from './random.ts'

/** A mean-reverting walk over the trading days, started from its stationary distribution. */
function walk(random: Random, step: number, pull: number): Float64Array {
  const path = new Float64Array(tradingDays.length)
  let x = (random.normal() * step) / Math.sqrt(2 * pull)
  for (let t = 0; t < path.length; t++) {
    path[t] = x
    x += -pull * x + step * random.normal()
  }
  return path
}

/** Market shocks: how far spreads jump (logarithm) and how fast that decays, by trading day. */
const frights = [
  { from: toDay(2023, 3, 10), height: 0.3, memory: 35 },
  { from: toDay(2023, 10, 2), height: 0.12, memory: 25 },
  { from: toDay(2024, 8, 2), height: 0.14, memory: 12 },
  { from: toDay(2025, 4, 3), height: 0.36, memory: 28 },
]

export interface Market {
  /** Five-year spread of an issuer in basis points by trading day. */
  readonly of: (issuer: Issuer) => Float64Array
}

/** Spreads move with the market, the sector and the issuer; weaker issuers move more. */
export function makeMarket(random: Random): Market {
  const market = walk(random.fork('market'), 0.011, 0.008)
  for (const { from, height, memory } of frights) {
    const start = tradingDays.findIndex(day => day >= from)
    for (let t = start; t < market.length; t++) market[t]! += height * Math.exp((start - t) / memory)
  }
  const sectors = new Map<string, Float64Array>()
  const sectorOf = (name: string) => {
    const known = sectors.get(name)
    if (known) return known
    const path = walk(random.fork(`sector ${name}`), 0.006, 0.01)
    sectors.set(name, path)
    return path
  }
  const defaultAt = tradingDays.findIndex(day => day >= DEFAULT_DAY)
  return {
    of(issuer) {
      const r = random.fork(`spread ${issuer.n}`)
      const own = walk(r, issuer.rank <= 10 ? 0.011 : 0.016, 0.009)
      const sector = sectorOf(issuer.industry.sector)
      const level = spreadByRank(issuer.rank) * Math.exp(r.normal() * 0.1)
      const beta = issuer.rank <= 10 ? 0.9 : 1.1
      const path = new Float64Array(tradingDays.length)
      for (let t = 0; t < path.length; t++) {
        const doom = issuer.is('defaulted') ? 1.5 * Math.max(0, 1 - Math.max(0, defaultAt - t) / 220) : 0
        path[t] = level * Math.exp(beta * market[t]! + sector[t]! + own[t]! + doom)
      }
      return path
    },
  }
}

/** The spread at a maturity in years relative to five years: curves slope up, less so for weaker issuers. */
export function termShape(rank: number, years: number): number {
  const slope = rank <= 10 ? 0.55 : rank <= 16 ? 0.2 : 0
  return 1 - slope + slope * (Math.max(0.25, years) / 5) ** 0.45
}
