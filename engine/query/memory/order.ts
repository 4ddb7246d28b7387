// Indices below are within bounds by construction: checks would cost in the loops.

import { yieldToEventLoop } from '../../base/event-loop.ts'
import type { HotColumn } from './column.ts'

export interface Key {
  readonly column: HotColumn
  readonly descending: boolean
}

const LAST = 0xffff_ffff

/**
 * Row numbers in the order of the keys, nulls last: a stable radix sort from the last key to the first. Yields to the
 * event loop between passes.
 */
export async function sortedRows(keys: readonly Key[], count: number): Promise<Uint32Array> {
  let rows = new Uint32Array(count)
  let spare = new Uint32Array(count)
  for (let i = 0; i < count; i++) rows[i] = i
  for (const key of keys.toReversed())
    for (const digits of digitsOf(key, count))
      for (const shift of [0, 16]) {
        if (pass(digits, shift, rows, spare)) [rows, spare] = [spare, rows]
        await yieldToEventLoop()
      }
  return rows
}

/** Distributes rows by 16 bits of their key; false if all have the same. */
function pass(digits: Uint32Array, shift: number, from: Uint32Array, to: Uint32Array): boolean {
  const count = from.length
  const starts = new Uint32Array(65_536)
  for (let i = 0; i < count; i++) starts[(digits[i]! >>> shift) & 0xffff]!++
  if (count === 0 || starts[(digits[0]! >>> shift) & 0xffff] === count) return false
  let sum = 0
  for (let d = 0; d < 65_536; d++) {
    const size = starts[d]!
    starts[d] = sum
    sum += size
  }
  for (let i = 0; i < count; i++) {
    const row = from[i]!
    to[starts[(digits[row]! >>> shift) & 0xffff]!++] = row
  }
  return true
}

/** Values as unsigned numbers of the same order, least significant 32 bits first. */
function digitsOf({ column, descending }: Key, count: number): Uint32Array[] {
  const { values, none } = column
  if (!(values instanceof Float64Array)) {
    const digits = new Uint32Array(count)
    for (let i = 0; i < count; i++) {
      const place = values[i]! - none - 1
      digits[i] = place < 0 ? LAST : descending ? LAST - 1 - place : place
    }
    return [digits]
  }
  const low = new Uint32Array(count)
  const high = new Uint32Array(count)
  const one = new Float64Array(1)
  const bits = new Uint32Array(one.buffer)
  for (let i = 0; i < count; i++) {
    const value = values[i]!
    if (Number.isNaN(value)) {
      low[i] = LAST
      high[i] = LAST
      continue
    }
    // Minus zero is zero.
    one[0] = value + 0
    const negative = bits[1]! >>> 31 === 1
    const flipped = negative !== descending
    low[i] = flipped ? ~bits[0]! : bits[0]!
    high[i] = (flipped ? ~bits[1]! : bits[1]!) ^ (negative ? 0 : 0x8000_0000)
  }
  return [low, high]
}
