// Indices below are within bounds by construction: checks would cost in the loops.

import { keep, type Mask, wordsFor } from './mask.ts'

/** Marks along the order of values. They take as much as the values of a column. */
const MARKS = 64

/**
 * The positions of one order by the values of another column: which of them lie within a span of values is read off two
 * marks, and of the rows between a mark and an end of the span.
 */
export class Slices {
  /** Positions in the order of their values. */
  private readonly places: Uint32Array
  private readonly step: number
  /** The positions of the first `i * step` values. */
  private readonly marks: readonly Mask[]
  private readonly inside: Mask

  /** `rows` are in the order of the values; `ranks` say where each row stands, if not where its number says. */
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

  /** Keeps the positions of the values from the `first`, up to `end`. */
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

  /** Turns the bits of the values between two places. */
  private flip(mask: Mask, a: number, b: number): void {
    const { places } = this
    const end = Math.min(Math.max(a, b), places.length)
    for (let k = Math.min(a, b); k < end; k++) {
      const position = places[k]!
      mask[position >>> 5]! ^= 1 << (position & 31)
    }
  }
}
