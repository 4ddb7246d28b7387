// Indices below are within bounds by construction: checks would cost in the loops.

/** The one-factor Hull-White model of the short rate: dr = (theta(t) - reversion x r) dt + volatility dW. */
export interface HullWhite {
  /** Standard deviation of the short rate over a year: 0.01 is 100 basis points. */
  readonly volatility: number
  /** Per year. */
  readonly reversion: number
}

/** What a bond pays and who may end it, by level of the lattice; per 100 par. */
export interface LevelTerms {
  readonly payment: Float64Array
  /** The most the bond is worth after the level's payment, because the issuer may call it; Infinity without a call. */
  readonly ceiling: Float64Array
  /** The least, because the holder may put it; -Infinity without a put. */
  readonly floor: Float64Array
}

/**
 * A trinomial lattice of the short rate's deviation from its mean. The curve enters only as the discount factor of
 * each step, so one layout serves every curve and spread of a bond. All arrays are reused by the next layout; nodes
 * have no objects. Branching depends on the lengths of two adjacent steps alone, so levels share its tables.
 */
export class Lattice {
  /** Number of steps; levels are numbered from 0 to `steps`. */
  steps = 0
  /** Time of each level in years. */
  years = new Float64Array(0)
  /** Lengths of steps in years that occur, and which of them each step has. */
  #lengths: number[] = []
  #lengthAt = new Int32Array(0)
  /** Nodes on each side of the middle one, by level. */
  #width = new Int32Array(0)
  /** Where the middle node of a level's branching table is. */
  #middle = new Int32Array(0)
  /** The expected discount over a step at deviations alone: a curve's discount factor is divided by it. */
  #norm = new Float64Array(0)
  #factor = new Float64Array(0)
  // Branching tables: the middle one of the three nodes reached, and probabilities times the discount at the deviation.
  #reached = new Int32Array(0)
  #down = new Float64Array(0)
  #mid = new Float64Array(0)
  #up = new Float64Array(0)
  // Values of two adjacent levels, and state prices.
  #here = new Float64Array(0)
  #next = new Float64Array(0)
  #centre = 0

  /**
   * Lays the lattice out over days from settlement, ascending, with about so many steps in all: each gap between days
   * is divided evenly. Returns the level of each day.
   */
  layOut(days: readonly number[], stepsWanted: number, { reversion, volatility }: HullWhite): Int32Array {
    const levels = this.#divide(days, stepsWanted)
    const steps = this.steps
    const [lengths, lengthAt] = [this.#lengths, this.#lengthAt]
    const spacings = lengths.map(dt => volatility * Math.sqrt(3 * variance(reversion, dt)))
    const decays = lengths.map(dt => Math.exp(-reversion * dt))

    // Tables by the step before a level and the step after it; the first level has a single node.
    const tableOf = new Map<number, { before: number; after: number; width: number; middle: number }>()
    const lengthOf = (i: number) => (i < 0 ? -1 : lengthAt[i]!)
    const tableAt = (i: number) => lengthOf(i - 1) * lengths.length + lengthOf(i)
    let width = 0
    let widest = 0
    for (let i = 0; i < steps; i++) {
      const [before, after] = [i === 0 ? 0 : spacings[lengthOf(i - 1)]!, lengthOf(i)]
      this.#width[i] = width
      widest = Math.max(widest, width)
      const key = tableAt(i)
      const table = tableOf.get(key)
      if (table) table.width = Math.max(table.width, width)
      else tableOf.set(key, { before, after, width, middle: 0 })
      if (volatility > 0) width = nearest(width * before * decays[after]!, spacings[after]!) + 1
    }
    this.#width[steps] = width
    widest = Math.max(widest, width)

    let size = 0
    for (const table of tableOf.values()) {
      table.middle = size + table.width
      size += 2 * table.width + 1
    }
    this.#reserve(size, widest)
    for (const { before, after, width, middle } of tableOf.values())
      this.#fillTable(middle, width, before, spacings[after]!, decays[after]!, lengths[after]!)
    for (let i = 0; i < steps; i++) this.#middle[i] = tableOf.get(tableAt(i))!.middle
    this.#normalize()
    return levels
  }

  /** Divides the gaps between days evenly. */
  #divide(days: readonly number[], stepsWanted: number): Int32Array {
    const longest = days.at(-1)! / stepsWanted
    const levels = new Int32Array(days.length)
    let steps = 0
    let before = 0
    for (const [i, day] of days.entries()) {
      if (day > before) steps += Math.max(1, Math.round((day - before) / longest))
      levels[i] = steps
      before = day
    }
    this.steps = steps
    if (this.years.length <= steps) {
      const capacity = 2 * steps + 1
      this.years = new Float64Array(capacity)
      this.#lengthAt = new Int32Array(capacity)
      this.#width = new Int32Array(capacity)
      this.#middle = new Int32Array(capacity)
      this.#norm = new Float64Array(capacity)
      this.#factor = new Float64Array(capacity)
    }
    this.#lengths = []
    const lengthOf = new Map<string, number>()
    let [level, from] = [0, 0]
    for (const [i, day] of days.entries()) {
      const to = levels[i]!
      const [gap, count] = [day - from, to - level]
      if (count === 0) continue
      const key = `${gap}/${count}`
      if (!lengthOf.has(key)) lengthOf.set(key, this.#lengths.push(gap / count / 365) - 1)
      this.#lengthAt.fill(lengthOf.get(key)!, level, level + count)
      for (let n = 1; n <= count; n++) this.years[level + n] = (from + (gap * n) / count) / 365
      from = day
      level = to
    }
    return levels
  }

  #reserve(tableSize: number, widest: number): void {
    if (this.#down.length < tableSize) {
      const capacity = 2 * tableSize
      this.#reached = new Int32Array(capacity)
      this.#down = new Float64Array(capacity)
      this.#mid = new Float64Array(capacity)
      this.#up = new Float64Array(capacity)
    }
    this.#centre = widest + 1
    if (this.#here.length < 2 * widest + 3) {
      this.#here = new Float64Array(4 * widest + 3)
      this.#next = new Float64Array(4 * widest + 3)
    }
  }

  /**
   * The three nodes that follow each node and their probabilities, which match the mean and variance of the process
   * (Hull and White 1994), times the discount at the node's deviation.
   */
  #fillTable(middle: number, width: number, before: number, after: number, decay: number, dt: number): void {
    for (let j = -width; j <= width; j++) {
      const [at, x] = [middle + j, j * before]
      const discount = Math.exp(-x * dt)
      const mean = x * decay
      const k = nearest(mean, after)
      // In units of the spacing, whose square is three variances.
      const off = after > 0 ? mean / after - k : 0
      this.#reached[at] = k
      this.#down[at] = after > 0 ? ((1 + 3 * off * off - 3 * off) / 6) * discount : 0
      this.#mid[at] = after > 0 ? ((2 - 3 * off * off) / 3) * discount : 1
      this.#up[at] = after > 0 ? ((1 + 3 * off * off + 3 * off) / 6) * discount : 0
    }
  }

  /** State prices forward through the lattice, as shares of each level's discount factor. */
  #normalize(): void {
    const [reached, downs, mids, ups, centre] = [this.#reached, this.#down, this.#mid, this.#up, this.#centre]
    let [here, next] = [this.#here, this.#next]
    here[centre] = 1
    for (let i = 0; i < this.steps; i++) {
      const width = this.#width[i]!
      const middle = this.#middle[i]!
      const wider = this.#width[i + 1]!
      next.fill(0, centre - wider, centre + wider + 1)
      let sum = 0
      for (let j = -width; j <= width; j++) {
        const at = middle + j
        const k = centre + reached[at]!
        const state = here[centre + j]!
        const down = state * downs[at]!
        const mid = state * mids[at]!
        const up = state * ups[at]!
        next[k - 1]! += down
        next[k]! += mid
        next[k + 1]! += up
        sum += down + mid + up
      }
      this.#norm[i] = sum
      const share = 1 / sum
      for (let k = centre - wider; k <= centre + wider; k++) next[k]! *= share
      const swapped = here
      here = next
      next = swapped
    }
  }

  /**
   * The value at settlement of a bond, per 100 par and dirty, with the discount factors of every level. The issuer
   * calls and the holder puts wherever that is better for them.
   */
  value(discount: Float64Array, { payment, ceiling, floor }: LevelTerms): number {
    const { steps } = this
    const [reached, downs, mids, ups, centre] = [this.#reached, this.#down, this.#mid, this.#up, this.#centre]
    for (let i = 0; i < steps; i++) this.#factor[i] = discount[i + 1]! / discount[i]! / this.#norm[i]!
    let [here, next] = [this.#here, this.#next]
    const last = this.#width[steps]!
    next.fill(payment[steps]!, centre - last - 1, centre + last + 2)
    for (let i = steps - 1; i >= 0; i--) {
      const [width, middle, factor] = [this.#width[i]!, this.#middle[i]!, this.#factor[i]!]
      const [paid, most, least] = [payment[i]!, ceiling[i]!, floor[i]!]
      for (let j = -width; j <= width; j++) {
        const at = middle + j
        const k = centre + reached[at]!
        let value = factor * (downs[at]! * next[k - 1]! + mids[at]! * next[k]! + ups[at]! * next[k + 1]!)
        if (value < least) value = least
        if (value > most) value = most
        here[centre + j] = value + paid
      }
      const swapped = here
      here = next
      next = swapped
    }
    return next[centre]!
  }
}

/** Variance of the deviation after a step, at a volatility of one. */
const variance = (reversion: number, dt: number): number =>
  reversion === 0 ? dt : -Math.expm1(-2 * reversion * dt) / (2 * reversion)

/** The node nearest to a deviation. */
const nearest = (deviation: number, spacing: number): number =>
  spacing > 0 ? Math.floor(deviation / spacing + 0.5) : 0
