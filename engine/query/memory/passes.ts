// Indices below are within bounds by construction: checks would cost in the loops.

import type { Values } from './column.ts'

/** Values, and 16-bit ones also in pairs: reading pairs halves the time of a pass. */
export interface PairedValues {
  readonly values: Values
  readonly pairs: Int32Array | null
}

export const pairedValues = (values: Values): PairedValues => ({
  values,
  pairs:
    values instanceof Int16Array
      ? new Int32Array(values.buffer, values.byteOffset, values.length >>> 1)
      : null,
})

/** Fewer values are read one by one. */
const LONG = 32

/** Passes over a range: its pairs, and the odd values at its ends. */
function inPairs(
  { values, pairs }: PairedValues,
  start: number,
  end: number,
  each: (values: Values, start: number, end: number) => void,
  eachPair: (pairs: Int32Array, start: number, end: number) => void,
): void {
  if (!pairs || end - start < LONG) each(values, start, end)
  else {
    // No pass depends on the order within a pair.
    const [first, last] = [(start + 1) >>> 1, end >>> 1]
    each(values, start, 2 * first)
    eachPair(pairs, first, last)
    each(values, 2 * last, end)
  }
}

/** Counts each value at its index beyond `base`. */
export function countValues(
  counts: Int32Array,
  base: number,
  of: PairedValues,
  start: number,
  end: number,
): void {
  inPairs(
    of,
    start,
    end,
    (values, from, to) => countEach(counts, base, values, from, to),
    (pairs, from, to) => countPairs(counts, base, pairs, from, to),
  )
}

function countEach(counts: Int32Array, base: number, values: Values, from: number, to: number): void {
  for (let i = from; i < to; i++) counts[base + values[i]!]!++
}

function countPairs(counts: Int32Array, base: number, pairs: Int32Array, from: number, to: number): void {
  for (let i = from; i < to; i++) {
    const pair = pairs[i]!
    counts[base + ((pair << 16) >> 16)]!++
    counts[base + (pair >> 16)]!++
  }
}

/** Maximum number of bits per bin index. */
export const MOST_BITS = 11
const MOST_BINS = 1 << MOST_BITS

/** Two counters per bin, so consecutive equal values seldom depend on each other. */
export const newBins = (): Int32Array => new Int32Array(2 * MOST_BINS)

export const inBin = (bins: Int32Array, bin: number): number => bins[bin]! + bins[bin | MOST_BINS]!

export function clearBins(bins: Int32Array, used: number): void {
  bins.fill(0, 0, used)
  bins.fill(0, MOST_BINS, MOST_BINS + used)
}

/** Counts values by their bits from `shift` up, relative to `low`. */
export function countBins(
  bins: Int32Array,
  low: number,
  shift: number,
  of: PairedValues,
  start: number,
  end: number,
): void {
  inPairs(
    of,
    start,
    end,
    (values, from, to) => binEach(bins, low, shift, values, from, to),
    (pairs, from, to) => binPairs(bins, low, shift, pairs, from, to),
  )
}

function binEach(
  bins: Int32Array,
  low: number,
  shift: number,
  values: Values,
  from: number,
  to: number,
): void {
  for (let i = from; i < to; i++) bins[(values[i]! - low) >>> shift]!++
}

function binPairs(
  bins: Int32Array,
  low: number,
  shift: number,
  pairs: Int32Array,
  from: number,
  to: number,
): void {
  for (let i = from; i < to; i++) {
    const pair = pairs[i]!
    bins[(((pair << 16) >> 16) - low) >>> shift]!++
    bins[MOST_BINS + (((pair >> 16) - low) >>> shift)]!++
  }
}

/** The same for values from `low` up to `low + width` only. */
export function countBinsWithin(
  bins: Int32Array,
  low: number,
  width: number,
  shift: number,
  { values }: PairedValues,
  start: number,
  end: number,
): void {
  for (let i = start; i < end; i++) {
    const above = (values[i]! - low) >>> 0
    if (above < width) bins[above >>> shift]!++
  }
}

/** Collects the values from `low` up to `low + width` into `found`, in any order. */
export function collectWithin(
  found: Int32Array,
  low: number,
  width: number,
  of: PairedValues,
  start: number,
  end: number,
): void {
  let count = 0
  inPairs(
    of,
    start,
    end,
    (values, from, to) => {
      count = collectEach(found, count, low, width, values, from, to)
    },
    (pairs, from, to) => {
      count = collectPairs(found, count, low, width, pairs, from, to)
    },
  )
}

function collectEach(
  found: Int32Array,
  count: number,
  low: number,
  width: number,
  values: Values,
  from: number,
  to: number,
): number {
  let at = count
  for (let i = from; i < to; i++) {
    const value = values[i]!
    if ((value - low) >>> 0 < width) found[at++] = value
  }
  return at
}

function collectPairs(
  found: Int32Array,
  count: number,
  low: number,
  width: number,
  pairs: Int32Array,
  from: number,
  to: number,
): number {
  let at = count
  for (let i = from; i < to; i++) {
    const pair = pairs[i]!
    const one = (pair << 16) >> 16
    const other = pair >> 16
    if ((one - low) >>> 0 < width) found[at++] = one
    if ((other - low) >>> 0 < width) found[at++] = other
  }
  return at
}
