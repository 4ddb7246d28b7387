import type { Column } from '../column.ts'
import { epochDay, instant } from '../database.ts'
import type { Condition } from '../filter.ts'

/** The widths in use: four, so that a loop over any of them stays one that the compiler can unroll. */
export type Values = Float64Array | Int32Array | Int16Array | Uint8Array

/**
 * A column in memory. Every value stands as a number: as itself, times `scale`, as its day since 1970, or as the place
 * of its word among `words`, which are sorted as DuckDB sorts them.
 */
export interface HotColumn {
  readonly column: Column
  readonly values: Values
  /** What stands for null: less than every value, or NaN. */
  readonly none: number
  readonly scale: number
  /** The words by place, from 1; null where values are numbers. */
  readonly words: readonly (string | boolean | readonly string[] | null)[] | null
  /** The places of a word as conditions name it: in small letters where case does not matter. */
  readonly places: ReadonlyMap<string | boolean, readonly number[]> | null
  readonly bytes: number
}

/** What a condition lets pass: values within any of the spans, ends included, and nulls where `absent`. */
export interface Pass {
  readonly spans: readonly (readonly [low: number, high: number])[]
  readonly absent: boolean
}

export const isNone = (value: number, none: number): boolean => value === none || Number.isNaN(value)

/** The values of some rows as an answer gives them. */
export function valuesAt(
  { column, values, none, scale, words }: HotColumn,
  rows: readonly number[],
): unknown[] {
  if (words) {
    if (column.kind !== 'list') return rows.map(row => words[values[row]!])
    return rows.map(row => (words[values[row]!] as string[] | null)?.slice() ?? null)
  }
  const say = sayer(column, scale)
  return rows.map(row => {
    const value = values[row]!
    return isNone(value, none) ? null : say(value)
  })
}

function sayer({ kind }: Column, scale: number): (value: number) => unknown {
  if (kind === 'date') return epochDay
  if (kind === 'timestamp') return value => instant(BigInt(value))
  return value => value / scale
}

const least = ({ none }: HotColumn): number => (Number.isNaN(none) ? Number.NEGATIVE_INFINITY : none + 1)

/** Kinds whose values are not compared with those of a filter. */
const unasked: ReadonlySet<string> = new Set(['timestamp', 'list', 'json'])

/** What a condition asks of the numbers that stand for values; null where it has to be asked of DuckDB. */
export function passOf(column: HotColumn, condition: Condition): Pass | null {
  if (condition.op === 'present') return within(column, [[least(column), Number.POSITIVE_INFINITY]])
  if (condition.op === 'absent') return { spans: [], absent: true }
  if (unasked.has(column.column.kind)) return null
  if (condition.op === 'in') return within(column, spansOfValues(column, condition.values))
  if (column.words) return null
  const low = condition.op === 'ge' ? atLeast(column, condition.value) : least(column)
  const high = condition.op === 'le' ? atMost(column, condition.value) : Number.POSITIVE_INFINITY
  return within(column, [[low, high]])
}

const within = (column: HotColumn, spans: Pass['spans']): Pass => ({
  spans: spans.map(([low, high]) => [Math.max(low, least(column)), high] as const).filter(([l, h]) => l <= h),
  absent: false,
})

function spansOfValues(column: HotColumn, values: readonly (string | number | boolean)[]): Pass['spans'] {
  const { places } = column
  const caseless = column.column.kind === 'text' && !column.column.format
  const found = new Set<number>()
  for (const value of values) {
    if (places)
      for (const place of places.get(caseless ? String(value).toLowerCase() : (value as string)) ?? [])
        found.add(place)
    else {
      const low = atLeast(column, value as string | number)
      if (low === atMost(column, value as string | number)) found.add(low)
    }
  }
  return merged([...found].sort((a, b) => a - b))
}

/** Places that follow one another as one span. */
function merged(sorted: readonly number[]): Pass['spans'] {
  const spans: [number, number][] = []
  for (const value of sorted) {
    const last = spans.at(-1)
    if (last && value === last[1] + 1 && Number.isInteger(value)) last[1] = value
    else spans.push([value, value])
  }
  return spans
}

const numberOf = ({ column }: HotColumn, value: string | number): number =>
  column.kind === 'date' ? Date.parse(value as string) / 86_400_000 : Number(value)

/** The least number that stands for a value not below `value`. */
function atLeast(column: HotColumn, value: string | number): number {
  const { scale } = column
  const asked = numberOf(column, value)
  if (scale === 1) return asked
  let low = Math.ceil(asked * scale)
  while ((low - 1) / scale >= asked) low--
  while (low / scale < asked) low++
  return low
}

function atMost(column: HotColumn, value: string | number): number {
  const { scale } = column
  const asked = numberOf(column, value)
  if (scale === 1) return asked
  let high = Math.floor(asked * scale)
  while ((high + 1) / scale <= asked) high++
  while (high / scale > asked) high--
  return high
}

/** Bytes that a value of a column takes at most. */
export function mostBytes({ kind }: Column): number {
  if (kind === 'boolean' || kind === 'enum') return 1
  return kind === 'date' || kind === 'text' || kind === 'list' ? 4 : 8
}

/** JSON that is only shown on request may be long, and stays in the files. */
export const isHeld = (column: Column): boolean => column.kind !== 'json' || !column.on_request
