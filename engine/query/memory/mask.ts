// Indices below are within bounds by construction: checks would cost in the loops.

import type { Values } from './column.ts'

/** A bitmap: one bit per position, 32 per word, lowest bit first. */
export type Mask = Uint32Array

export const wordsFor = (positions: number): number => (positions + 31) >>> 5

/** Sets the bits from `from` up to `to`, clears the others. */
export function setRange(mask: Mask, from: number, to: number): void {
  mask.fill(0)
  setBits(mask, from, to)
}

/** Sets the bits of runs, clears the others. */
export function setRuns(mask: Mask, stretches: Int32Array): void {
  mask.fill(0)
  for (let s = 0; s < stretches.length; s += 2) setBits(mask, stretches[s]!, stretches[s + 1]!)
}

function setBits(mask: Mask, from: number, to: number): void {
  if (from >= to) return
  const [first, last] = [from >>> 5, (to - 1) >>> 5]
  const head = 0xffff_ffff << (from & 31)
  const tail = 0xffff_ffff >>> (31 - ((to - 1) & 31))
  if (first === last) mask[first]! |= head & tail
  else {
    mask[first]! |= head
    mask.fill(0xffff_ffff, first + 1, last)
    mask[last]! |= tail
  }
}

export function keep(mask: Mask, other: Mask, from: number, to: number): void {
  for (let w = from; w < to; w++) mask[w]! &= other[w]!
}

/** Keeps positions whose value is within a range, inclusive. NaN never is. */
export function keepWithin(
  mask: Mask,
  values: Values,
  [low, high]: readonly [number, number],
  from: number,
  to: number,
): void {
  for (let w = from; w < to; w++) {
    let left = mask[w]!
    let passing = 0
    const at = w << 5
    if (left === 0xffff_ffff)
      for (let bit = 0; bit < 32; bit++) {
        const value = values[at + bit]!
        if (value >= low && value <= high) passing |= 1 << bit
      }
    else
      while (left !== 0) {
        const bit = 31 - Math.clz32(left & -left)
        left &= left - 1
        const value = values[at + bit]!
        if (value >= low && value <= high) passing |= 1 << bit
      }
    mask[w] = passing
  }
}

/** Keeps positions whose value passes. */
export function keepWhere(
  mask: Mask,
  values: Values,
  passes: (value: number) => boolean,
  from: number,
  to: number,
): void {
  for (let w = from; w < to; w++) {
    let left = mask[w]!
    let passing = 0
    const at = w << 5
    while (left !== 0) {
      const bit = 31 - Math.clz32(left & -left)
      left &= left - 1
      if (passes(values[at + bit]!)) passing |= 1 << bit
    }
    mask[w] = passing
  }
}

/** Positions with a value within the range. */
export function maskOf(values: Values, span: readonly [number, number]): Mask {
  const words = wordsFor(values.length)
  const mask = new Uint32Array(words)
  setRange(mask, 0, values.length)
  keepWithin(mask, values, span, 0, words)
  return mask
}

export function countBits(mask: Mask, from: number, to: number): number {
  let count = 0
  for (let w = from; w < to; w++) count += bitsOf(mask[w]!)
  return count
}

function bitsOf(word: number): number {
  let w = word - ((word >>> 1) & 0x5555_5555)
  w = (w & 0x3333_3333) + ((w >>> 2) & 0x3333_3333)
  return (((w + (w >>> 4)) & 0x0f0f_0f0f) * 0x0101_0101) >>> 24
}

/** Up to `most` set positions, after skipping `skip`. */
export function positionsOf(mask: Mask, from: number, to: number, skip: number, most: number): number[] {
  const positions: number[] = []
  let passed = 0
  for (let w = from; w < to && positions.length < most; w++) {
    let left = mask[w]!
    const here = bitsOf(left)
    if (passed + here <= skip) {
      passed += here
      continue
    }
    while (left !== 0 && positions.length < most) {
      if (passed++ >= skip) positions.push((w << 5) + 31 - Math.clz32(left & -left))
      left &= left - 1
    }
  }
  return positions
}

/** The runs of set bits, as alternating starts and ends. */
export function runsOfMask(mask: Mask, from: number, to: number): Int32Array {
  const stretches = new Int32Array(2 * countRuns(mask, from, to))
  let at = 0
  let last = 0
  for (let w = from; w < to; w++) {
    const word = mask[w]!
    let edges = word ^ ((word << 1) | last)
    last = word >>> 31
    for (; edges !== 0; edges &= edges - 1) stretches[at++] = (w << 5) + 31 - Math.clz32(edges & -edges)
  }
  if (last) stretches[at] = to << 5
  return stretches
}

/** The number of runs of set bits. */
export function countRuns(mask: Mask, from: number, to: number): number {
  let count = 0
  let last = 0
  for (let w = from; w < to; w++) {
    const word = mask[w]!
    count += bitsOf(word & ~((word << 1) | last))
    last = word >>> 31
  }
  return count
}

/** The values at the `count` set bits, gathered. */
export function valuesOf<T extends Values>(
  values: T,
  mask: Mask,
  from: number,
  to: number,
  count: number,
): T {
  const together = new (values.constructor as new (length: number) => T)(count)
  let at = 0
  for (let w = from; w < to; w++)
    for (let left = mask[w]!; left !== 0; left &= left - 1)
      together[at++] = values[(w << 5) + 31 - Math.clz32(left & -left)]!
  return together
}
