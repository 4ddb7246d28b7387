// Indices below are within bounds by construction: checks would cost in the loops.

import { keep, type Mask, wordsFor } from './mask.ts'

/** Number of bitmaps along an order. They take as much memory as the column's values. */
const MARKS = 64

/**
 * Range lookups for positions of one order by the values of another column: two precomputed bitmaps give the
 * positions in a value range, and only rows between a bitmap and an end of the range are visited.
 */
export class Slices {
  /** Positions in value order. */
  private readonly places: Uint32Array
  private readonly step: number
  /** Bitmap i: the positions of the first `i * step` values. */
  private readonly marks: readonly Mask[]
  private readonly inside: Mask

  /** `rows` are in value order; `ranks` gives each row's position, if not its number. */
  constructor(rows: Uint32Array, ranks: Uint32Array | null) {
    const count = rows.length
    this.places = ranks ? rows.map(row => ranks[row]!) : rows
    this.step = Math.ceil(count / MARKS)
    const marks: Mask[] = []
    const mark = new Uint32Array(wordsFor(count))
    for (let i = 0; i <= MARKS; i++) {
      marks.push(mark.slice())
      this.flip(mark, i * this.step, Math.min(count, (i + 1) * this.step))
    }
    this.marks = marks
    this.inside = mark
  }

  get bytes(): number {
    return this.places.byteLength + (this.marks.length + 1) * this.inside.byteLength
  }

  /** Keeps the positions of values from index `first` up to `end`. */
  keep(mask: Mask, [first, end]: readonly [number, number], from: number, to: number): void {
    const { inside, marks, step } = this
    const before = Math.round(first / step)
    const upTo = Math.round(end / step)
    const [below, above] = [marks[before]!, marks[upTo]!]
    for (let w = from; w < to; w++) inside[w] = below[w]! ^ above[w]!
    this.flip(inside, before * step, first)
    this.flip(inside, upTo * step, end)
    keep(mask, inside, from, to)
  }

  /** Toggles the bits of the values between two indexes. */
  private flip(mask: Mask, a: number, b: number): void {
    const { places } = this
    const end = Math.min(Math.max(a, b), places.length)
    for (let k = Math.min(a, b); k < end; k++) {
      const position = places[k]!
      mask[position >>> 5]! ^= 1 << (position & 31)
    }
  }
}
