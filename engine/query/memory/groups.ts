// Indices below are within bounds by construction: checks would cost in the loops.

import { daysBehind, type Grouping, type Metric, type Plan, seriesMetrics } from '../plan/plan.ts'
import { type HotColumn, isNone, type Values } from './column.ts'
import { type Columns, type GroupKey, keyOf, type Part, partOf, type RowRuns } from './group-key.ts'
import { countValues, pairedValues } from './passes.ts'
import { rounded, Statistics, spanOf } from './statistics.ts'

/** A result by column, as from DuckDB's lane. */
export interface GroupValues {
  readonly columns: readonly (readonly unknown[])[]
  readonly rowCount: number
  readonly total: number
}

/** Maximum number of counters for counting every value of every group. */
const MOST_COUNTS = 1 << 22
/** Runs longer than this are copied whole. */
const LONG = 64

/** Whether memory can form these groups: by words and days, over values that are whole numbers of a unit. */
export const canGroup = (group: Grouping, column: Columns): boolean =>
  Statistics.canRead(column(group.value)) && keyOf(group, column) !== null

/** The page of a grouped plan over the matching rows. */
export function groupRows(plan: Plan, group: Grouping, chosen: RowRuns, column: Columns): GroupValues {
  const { key, parts } = keyOf(group, column)!
  const values = column(group.value)
  const ofSeries = seriesMetrics(group)
  const statistics = new Statistics(
    values,
    new Set([...(ofSeries.length ? (['median'] as const) : []), ...group.metrics]),
    group.scale,
  )
  const { low, high } = spanOf(values)
  const isFew = (counts: number) => counts <= MOST_COUNTS && counts <= chosen.count
  const when = group.metrics.includes('change') && !ofSeries.includes('change') ? column(group.time) : null
  let grounds: Grounds | undefined
  const grouped = () => {
    grounds ??= groundsOf(key, chosen)
    return grounds
  }
  const found =
    !when && isFew(key.size * (high - low + 1))
      ? byCounts(key, chosen, values, statistics)
      : byGroup(key, chosen, values, statistics, when, grouped())
  if (group.metrics.includes('companies')) {
    const companyPart = partOf({ name: 'companies', column: group.company }, column(group.company))!
    const companies = isFew(key.size * companyPart.size)
      ? countMarked(key, chosen, companyPart, found.groups)
      : countSeen(key, chosen, companyPart, found.groups, grouped())
    for (const count of companies) statistics.put('companies', count)
  }
  const day = parts.findIndex(part => part.column === column(group.time) && !part.places)
  return paged(plan, parts, key, ofSeries.length ? withSeries(key, found, day, ofSeries) : found)
}

/** The results of each group, in the order of group numbers. */
interface Found {
  readonly groups: readonly number[]
  readonly metrics: ReadonlyMap<Metric, readonly (number | null)[]>
}

/** With few groups: how often each value occurs in each, in one pass. */
function byCounts(key: GroupKey, chosen: RowRuns, values: HotColumn, statistics: Statistics): Found {
  const { low, high } = spanOf(values)
  const width = high - low + 1
  const counts = new Int32Array(key.size * width)
  if (key.holdsStill) {
    const all = pairedValues(values.values)
    key.eachRun(chosen, (group, start, end) => countValues(counts, group * width - low, all, start, end))
  } else
    key.eachBlock(chosen, (groups, start, end) =>
      countInto(counts, groups, values.values, { start, end, low, width }),
    )
  const groups: number[] = []
  for (let group = 0; group < key.size; group++)
    if (statistics.addCounts(counts.subarray(group * width, (group + 1) * width), low)) groups.push(group)
  return { groups, metrics: statistics.columns }
}

function countInto(
  counts: Int32Array,
  groups: Values,
  values: Values,
  { start, end, low, width }: Record<'start' | 'end' | 'low' | 'width', number>,
): void {
  for (let i = start; i < end; i++) counts[groups[i - start]! * width + values[i]! - low]!++
}

/** The rows of each group: in place if the table is sorted accordingly, else after gathering them. */
interface Grounds {
  readonly sizes: Int32Array
  readonly starts: Int32Array
  readonly together: boolean
}

function groundsOf(key: GroupKey, chosen: RowRuns): Grounds {
  const sizes = new Int32Array(key.size)
  const starts = new Int32Array(key.size).fill(-1)
  let together = key.holdsStill
  if (!together) key.eachBlock(chosen, (groups, start, end) => addSizes(sizes, groups, end - start))
  else
    key.eachRun(chosen, (group, start, end) => {
      sizes[group]! += end - start
      if (starts[group] === -1) starts[group] = start
      else together = false
    })
  if (!together) layOut(sizes, starts)
  return { sizes, starts, together }
}

function addSizes(sizes: Int32Array, groups: Values, count: number): void {
  for (let i = 0; i < count; i++) sizes[groups[i]!]!++
}

/** With many groups: each group's values together. */
function byGroup(
  key: GroupKey,
  chosen: RowRuns,
  values: HotColumn,
  statistics: Statistics,
  when: HotColumn | null,
  { sizes, starts, together }: Grounds,
): Found {
  const all = pairedValues(together ? values.values : movedTogether(key, chosen, starts, values.values))
  const rows = together || !when ? null : movedTogether(key, chosen, starts, null)
  const groups: number[] = []
  for (let group = 0; group < key.size; group++) {
    const size = sizes[group]!
    if (size === 0) continue
    groups.push(group)
    const start = starts[group]!
    statistics.add(all, start, start + size)
    const row = (i: number) => (rows ? rows[start + i]! : start + i)
    if (when) statistics.put('change', changeOf(size, row, values.values, when, statistics.scale))
  }
  return { groups, metrics: statistics.columns }
}

/** The number of distinct words of a part in each group, by marking each as it occurs. */
function countMarked(key: GroupKey, chosen: RowRuns, part: Part, groups: readonly number[]): number[] {
  const both = key.and(part)
  const marks = new Uint8Array(both.size)
  if (both.holdsStill)
    both.eachRun(chosen, group => {
      marks[group] = 1
    })
  else both.eachBlock(chosen, (numbers, start, end) => markEach(marks, numbers, end - start))
  return groups.map(group => {
    let count = 0
    // Index 0 is null.
    for (let at = group * part.size + 1; at < (group + 1) * part.size; at++) count += marks[at]!
    return count
  })
}

function markEach(marks: Uint8Array, numbers: Values, count: number): void {
  for (let i = 0; i < count; i++) marks[numbers[i]!] = 1
}

/** The same with many groups: whether a word occurred in the current group. */
function countSeen(
  key: GroupKey,
  chosen: RowRuns,
  { column, size }: Part,
  groups: readonly number[],
  { sizes, starts, together }: Grounds,
): number[] {
  const words = together ? column.values : movedTogether(key, chosen, starts, column.values)
  const seen = new Int32Array(size).fill(-1)
  return groups.map(group => {
    let count = 0
    const end = starts[group]! + sizes[group]!
    for (let i = starts[group]!; i < end; i++) {
      const word = words[i]!
      if (seen[word] === group) continue
      seen[word] = group
      count++
    }
    return seen[column.none] === group ? count - 1 : count
  })
}

/** Turns group sizes into group starts. */
function layOut(sizes: Int32Array, starts: Int32Array): void {
  let sum = 0
  for (let group = 0; group < sizes.length; group++) {
    starts[group] = sum
    sum += sizes[group]!
  }
}

const shortRoom = new Int16Array(1 << 16)

/** Reusable buffers for moving numbers, to avoid allocating at each query. */
const room = (short: boolean, count: number): Values =>
  short ? (count > shortRoom.length ? new Int16Array(count) : shortRoom) : new Int32Array(count)

/** Values by group, or their row numbers, in table order within a group. */
function movedTogether(key: GroupKey, chosen: RowRuns, starts: Int32Array, values: Values | null): Values {
  const next = starts.slice()
  const moved = room(values instanceof Int16Array, chosen.count)
  if (!key.holdsStill)
    key.eachBlock(chosen, (groups, start, end) => {
      if (values) moveEach(moved, next, groups, values, start, end)
      else for (let i = start; i < end; i++) moved[next[groups[i - start]!]!++] = i
    })
  else
    key.eachRun(chosen, (group, start, end) => {
      let at = next[group]!
      next[group] = at + end - start
      if (values && end - start > LONG) moved.set(values.subarray(start, end), at)
      else for (let i = start; i < end; i++) moved[at++] = values ? values[i]! : i
    })
  return moved
}

function moveEach(
  moved: Values,
  next: Int32Array,
  groups: Values,
  values: Values,
  start: number,
  end: number,
): void {
  for (let i = start; i < end; i++) moved[next[groups[i - start]!]!++] = values[i]!
}

/** The median of the last day minus that of the first. */
function changeOf(
  size: number,
  row: (i: number) => number,
  values: Values,
  when: HotColumn,
  scale: number,
): number | null {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let i = 0; i < size; i++) {
    const day = when.values[row(i)]!
    if (isNone(day, when.none)) continue
    if (day < first) first = day
    if (day > last) last = day
  }
  const medianOn = (day: number): number => {
    const those: number[] = []
    for (let i = 0; i < size; i++) if (when.values[row(i)] === day) those.push(values[row(i)]!)
    those.sort((a, b) => a - b)
    const middle = (those.length - 1) / 2
    return (those[Math.floor(middle)]! + those[Math.ceil(middle)]!) / 2
  }
  return first > last ? null : rounded((medianOn(last) - medianOn(first)) / scale, 4)
}

/** Metrics of a day within its series: the groups that differ only by day. */
function withSeries(key: GroupKey, found: Found, day: number, metrics: readonly Metric[]): Found {
  const medians = found.metrics.get('median')! as readonly number[]
  const series = key.series(found.groups, day)
  const columns = metrics.map(metric => {
    const days = daysBehind[metric]
    const column: (number | null)[] = new Array(medians.length)
    for (const groups of series)
      if (metric === 'percentile_rank') rankInto(column, groups, medians)
      else if (days === undefined) changeInto(column, groups, medians)
      else averageInto(column, groups, medians, days)
    return [metric, column] as const
  })
  return { ...found, metrics: new Map([...found.metrics, ...columns]) }
}

function averageInto(
  column: (number | null)[],
  groups: readonly number[],
  medians: readonly number[],
  days: number,
): void {
  for (const [i, group] of groups.entries()) {
    let sum = 0
    for (const behind of groups.slice(Math.max(0, i - days + 1), i + 1)) sum += medians[behind]!
    column[group] = i + 1 < days ? null : rounded(sum / days, 4)
  }
}

/** From each day of a series to the next; the first has none before it. */
function changeInto(column: (number | null)[], groups: readonly number[], medians: readonly number[]): void {
  let before: number | undefined
  for (const group of groups) {
    const median = medians[group]!
    column[group] = before === undefined ? null : rounded(median - before, 4)
    before = median
  }
}

function rankInto(column: (number | null)[], groups: readonly number[], medians: readonly number[]): void {
  const before: number[] = []
  for (const group of groups) {
    const median = medians[group]!
    let [low, high] = [0, before.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (before[middle]! > median) high = middle
      else low = middle + 1
    }
    before.splice(low, 0, median)
    column[group] = rounded((100 * (low + 1)) / before.length, 2)
  }
}

function paged(
  { columns, order, offset, limit }: Plan,
  parts: readonly Part[],
  key: GroupKey,
  { groups, metrics }: Found,
): GroupValues {
  const places = key.places(groups)
  const partAt = (name: string) => parts.findIndex(p => p.name === name)
  const end = limit === null ? groups.length : offset + limit
  const isSorted =
    order.every(({ column, descending }, i) => !descending && partAt(column) === i) &&
    places.every(of => !of.includes(0))
  const page = isSorted
    ? Array.from({ length: Math.max(0, Math.min(end, groups.length) - offset) }, (_, i) => offset + i)
    : sortedBy(
        order.map(({ column, descending }) => {
          const part = partAt(column)
          return ranksOf(
            part >= 0 ? Array.from(places[part]!, p => p || null) : metrics.get(column as Metric)!,
            descending,
          )
        }),
        groups.length,
      ).slice(offset, end)
  return {
    columns: columns.map(({ name }) => {
      const part = partAt(name)
      if (part < 0) {
        const of = metrics.get(name as Metric)!
        return page.map(i => of[i]!)
      }
      const { value } = parts[part]!
      return page.map(i => value(places[part]![i]!))
    }),
    rowCount: page.length,
    total: groups.length,
  }
}

/** Numbers that sort as requested, missing ones last. */
const ranksOf = (values: readonly (number | null)[], descending: boolean): Float64Array =>
  Float64Array.from(values, v => (v === null ? Number.POSITIVE_INFINITY : descending ? -v : v))

function sortedBy(ranks: readonly Float64Array[], count: number): number[] {
  const sorted = Uint32Array.from({ length: count }, (_, i) => i)
  sorted.sort((a, b) => {
    for (const rank of ranks) {
      const [x, y] = [rank[a]!, rank[b]!]
      if (x !== y) return x < y ? -1 : 1
    }
    return a - b
  })
  return [...sorted]
}
