// Indices below are within bounds by construction: checks would cost in the loops.

import { createHash } from 'node:crypto'
import { seek } from '../keyword/keyword.ts'
import type { Matches } from '../keyword/matches.ts'
import { DotProducts, LARGEST_OF_QUERY, longestQuery } from './dot-products.ts'
import { readLengths, VectorFiles } from './vector-files.ts'

/** Minimum cosine of a match. */
export const LEAST_COSINE = 0.3

/**
 * How far rounding can move a product with a normalised vector: six standard errors of 1 / sqrt 12, exceeded by at
 * most one vector in 500 million.
 */
const ROUNDING = 6 / Math.sqrt(12)
/** Histogram bins of cosines from 0 to 1, much narrower than the error of the high bytes. */
const GROUPS = 1 << 12

export interface SemanticMatches extends Matches {
  /** The best passage of each section. */
  readonly passages: Uint32Array
}

export const nothing: SemanticMatches = {
  sections: new Uint32Array(0),
  scores: new Float32Array(0),
  passages: new Uint32Array(0),
}

/** A query prepared for comparison. */
interface Asked {
  /** In the integers used for comparison. */
  readonly length: number
  /** How far its own rounding can move a cosine. */
  readonly slack: number
}

/** Sections, with bounds of their best passage's cosine: equal if computed at full width. */
interface Bounds extends Room {
  readonly passagesFrom: Uint32Array
}

interface Room {
  readonly sections: Uint32Array
  readonly lows: Float32Array
  readonly highs: Float32Array
  /** The passage of the lower bound. */
  readonly passages: Uint32Array
}

const roomFor = (sections: number): Room => ({
  sections: new Uint32Array(sections),
  lows: new Float32Array(sections),
  highs: new Float32Array(sections),
  passages: new Uint32Array(sections),
})

/**
 * The vectors of all passages, in memory, compared one by one. High bytes bound every cosine; those that may be among
 * the best or above the minimum are recomputed at full width, so ranking, scores and totals are those of 16 bits.
 */
export class PassageVectors {
  private readonly products: DotProducts
  /** In high bytes. */
  private readonly lengths: Float32Array
  private readonly wide: number
  /** Every passage as if it were a section. */
  private each: Uint32Array | null = null
  /** Buffers reused between queries: allocating them costs more than filling them. */
  private room = roomFor(0)

  constructor(folder: string, wide: number) {
    this.wide = wide
    this.lengths = readLengths(folder)
    this.products = new DotProducts(this.count, wide)
    const files = new VectorFiles(folder, wide)
    try {
      files.read(this.products.high, this.products.low)
    } finally {
      files.close()
    }
  }

  get count(): number {
    return this.lengths.length
  }

  /** Fingerprint of the vectors of some passages. */
  digest(from: number, to: number): string {
    const hash = createHash('sha256')
    for (const bytes of [this.products.high, this.products.low])
      hash.update(bytes.subarray(from * this.wide, to * this.wide))
    return hash.digest('hex')
  }

  /**
   * Sections whose best passage has a cosine of at least 0.3 with a query. Filters apply first: excluded sections are
   * not compared. The best `wanted` scores are exact; the others are lower bounds below them.
   * @param counted whether all such sections are needed, not only the best
   */
  nearest(
    query: Float32Array,
    passagesFrom: Uint32Array,
    {
      allowed,
      wanted,
      counted,
      least = LEAST_COSINE,
    }: { allowed: Uint8Array | null; wanted: number; counted: boolean; least?: number },
  ): SemanticMatches {
    const asked = this.ask(query)
    if (!asked) return nothing
    const bounds = this.bounds(asked, passagesFrom, allowed, least)
    this.settleBest(asked, bounds, wanted)
    const { sections, lows, passages } = bounds
    if (counted) this.settle(asked, bounds, lows, -1, least)
    let found = 0
    for (let place = 0; place < sections.length; place++) {
      if (lows[place]! < least) continue
      sections[found] = sections[place]!
      lows[found] = lows[place]!
      passages[found++] = passages[place]!
    }
    return {
      sections: sections.slice(0, found),
      scores: lows.slice(0, found),
      passages: passages.slice(0, found),
    }
  }

  /** The passages nearest to a query, nearest first, at any distance. */
  best(query: Float32Array, count: number): { passages: number[]; cosines: number[] } {
    const asked = this.ask(query)
    if (!asked) return { passages: [], cosines: [] }
    this.each ??= new Uint32Array(this.count + 1).map((_, passage) => passage)
    // A bound reached by this many of a subset is reached by as many of all, so most need no second look.
    const some = this.each.subarray(0, 1 + (this.count >> 5))
    const reached = reachedBy(this.bounds(asked, some, null, -1).lows, count)
    const bounds = this.bounds(asked, this.each, null, reached)
    const least = this.settleBest(asked, bounds, count)
    const { lows, passages } = bounds
    const found: { passage: number; cosine: number }[] = []
    for (const [place, cosine] of lows.entries())
      if (cosine >= least) found.push({ passage: passages[place]!, cosine })
    const nearest = found.sort((a, b) => b.cosine - a.cosine || a.passage - b.passage).slice(0, count)
    return { passages: nearest.map(n => n.passage), cosines: nearest.map(n => n.cosine) }
  }

  private ask(query: Float32Array): Asked | null {
    let largest = 0
    let square = 0
    for (const value of query) {
      largest = Math.max(largest, Math.abs(value))
      square += value * value
    }
    if (!(largest > 0) || !Number.isFinite(square)) return null
    const scale = Math.min(LARGEST_OF_QUERY / largest, longestQuery(this.wide) / Math.sqrt(square))
    const rounded = new Int16Array(this.wide)
    for (let i = 0; i < query.length; i++) rounded[i] = Math.round(query[i]! * scale)
    this.products.ask(rounded)
    const length = Math.sqrt(rounded.reduce((sum, number) => sum + number * number, 0))
    return { length, slack: ROUNDING / length }
  }

  /** Bounds of the cosine of each section's best passage, where it may reach the minimum. */
  private bounds(
    { length, slack }: Asked,
    passagesFrom: Uint32Array,
    allowed: Uint8Array | null,
    least: number,
  ): Bounds {
    const { lengths } = this
    const { products } = this.products
    const count = passagesFrom.length - 1
    if (this.room.sections.length < count) this.room = roomFor(count)
    const { sections, lows, highs, passages } = this.room
    const reached = least - slack
    let found = 0
    for (let from = 0; from < count; ) {
      let to = from
      if (allowed) {
        while (from < count && allowed[from] === 0) from++
        for (to = from; to < count && allowed[to] === 1; ) to++
      } else to = count
      if (from === to) break
      this.products.fill(passagesFrom[from]!, passagesFrom[to]!)
      for (let section = from; section < to; section++) {
        let low = -1
        let high = -1
        let at = passagesFrom[section]!
        const end = passagesFrom[section + 1]!
        for (let p = passagesFrom[section]!; p < end; p++) {
          const near = products[p]! / length
          const own = lengths[p]!
          if (own === 0 || near + ROUNDING < own * reached) continue
          const above = (near + ROUNDING) / own + slack
          const below = (near - ROUNDING) / own - slack
          if (above > high) high = above
          if (below > low) {
            low = below
            at = p
          }
        }
        if (high < least) continue
        sections[found] = section
        lows[found] = low
        highs[found] = high
        passages[found++] = at
      }
      from = to
    }
    return {
      passagesFrom,
      sections: sections.subarray(0, found),
      lows: lows.subarray(0, found),
      highs: highs.subarray(0, found),
      passages: passages.subarray(0, found),
    }
  }

  /** Computes the possible best at full width, and returns a cosine that these and few others reach. */
  private settleBest(asked: Asked, bounds: Bounds, wanted: number): number {
    const { lows, highs } = bounds
    this.settle(asked, bounds, lows, reachedBy(lows, wanted))
    const least = reachedBy(lows, wanted)
    this.settle(asked, bounds, highs, least)
    return least
  }

  /**
   * Full-width comparison of sections whose bound is at least `from` and below `to`, for passages that may be the
   * best.
   */
  private settle(
    { length, slack }: Asked,
    { passagesFrom, sections, lows, highs, passages }: Bounds,
    bound: Float32Array,
    from: number,
    to = Infinity,
  ): void {
    const { lengths } = this
    const { products } = this.products
    for (let place = 0; place < sections.length; place++) {
      if (bound[place]! < from || bound[place]! >= to) continue
      const low = lows[place]!
      if (low === highs[place]!) continue
      const section = sections[place]!
      const end = passagesFrom[section + 1]!
      let best = -Infinity
      for (let p = passagesFrom[section]!; p < end; p++) {
        const own = lengths[p]!
        if (own === 0 || products[p]! / length + ROUNDING < own * (low - slack)) continue
        const cosine = this.products.whole(p) / (own * length)
        if (cosine <= best) continue
        best = cosine
        passages[place] = p
      }
      // Rounding may exceed 1.
      const cosine = Math.max(-1, Math.min(best, 1))
      lows[place] = cosine
      highs[place] = cosine
    }
  }
}

/** A cosine that at least `count` of them reach, and few more. */
function reachedBy(cosines: Float32Array, count: number): number {
  if (count >= cosines.length) return -1
  const groups = new Uint32Array(2 * GROUPS + 1)
  for (let i = 0; i < cosines.length; i++) groups[((cosines[i]! + 1) * GROUPS) | 0]!++
  let least = groups.length
  for (let reached = 0; reached < count && least > 0; ) reached += groups[--least]!
  return least / GROUPS - 1
}

/** Sections of the nearest passages that are near enough. */
export function sectionsOf(
  nearest: { passages: readonly number[]; cosines: readonly number[] },
  passagesFrom: Uint32Array,
): SemanticMatches {
  const best = new Map<number, { cosine: number; passage: number }>()
  for (const [i, passage] of nearest.passages.entries()) {
    const cosine = Math.min(nearest.cosines[i]!, 1)
    if (cosine < LEAST_COSINE) continue
    const section = seek(passagesFrom, passage + 1, 0) - 1
    if (cosine > (best.get(section)?.cosine ?? 0)) best.set(section, { cosine, passage })
  }
  const found = [...best].sort((a, b) => a[0] - b[0])
  return {
    sections: Uint32Array.from(found, ([section]) => section),
    scores: Float32Array.from(found, ([, { cosine }]) => cosine),
    passages: Uint32Array.from(found, ([, { passage }]) => passage),
  }
}
