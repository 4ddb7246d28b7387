// Indices below are within bounds by construction: checks would cost in the loops.

import { memoize } from '../../base/memoize.ts'
import type { Database } from '../../database/database.ts'
import type { Chunk } from '../../database/results.ts'
import { stored } from '../../database/views.ts'
import { objectWriter } from '../../encode/row-text.ts'
import type { Columns } from '../../schema/column.ts'
import type { Condition } from '../../schema/filter.ts'
import type { Sort } from '../../schema/sort.ts'
import { type Plan, sourceColumn } from '../plan/plan.ts'
import { type HotColumn, isLoadable, mostBytes, passOf, valuesAt } from './column.ts'
import { type RowRuns, rowRuns } from './group-key.ts'
import { canGroup, type GroupValues, groupRows } from './groups.ts'
import { loadColumns } from './load.ts'
import { countBits, countRuns, positionsOf, runsOfMask, valuesOf } from './mask.ts'
import type { HotMemory } from './memory.ts'
import { isRunLengthEncodable, runsWhere } from './runs.ts'
import { partOfColumn } from './statistics.ts'
import { type PageRows, passes, type Range, type Test, View } from './view.ts'

/** What a query needs of a table. */
export interface Need {
  readonly columns: readonly string[]
  readonly orders: readonly (readonly Sort[])[]
}

/** Receives the needs of a query one by one; the same need may come more than once. */
interface Needing {
  column(name: string): boolean
  order(order: readonly Sort[]): boolean
  /** The columns of an answer. */
  shape(columns: Plan['columns']): boolean
}

/** A plan prepared for its table. */
export interface Question {
  readonly plan: Plan
  readonly where: readonly Test[]
  readonly after: readonly Test[]
}

const keyOf = memoize((order: readonly Sort[]) => JSON.stringify(order.map(s => [s.column, s.descending])))

const alone = new Map<string, readonly Sort[]>()

function orderOf(column: string): readonly Sort[] {
  let order = alone.get(column)
  if (!order) {
    order = [{ column, descending: false }]
    alone.set(column, order)
  }
  return order
}

const AS_IT_LIES: readonly Sort[] = []
const NO_TESTS: readonly Test[] = []
/** The answer's columns, mapped to table columns, and as one cache key. */
const shapeOf = memoize((columns: Plan['columns']) => ({
  names: columns.map(sourceColumn),
  key: columns.map(c => (c.from === undefined ? c.name : `${c.name}=${c.from}`)).join(),
}))

/** Rows per chunk, as from DuckDB. */
const CHUNK_ROWS = 2048

/** A filter on a column with more distinct words uses the column's own order. */
const MANY_WORDS = 256

/** A range filter on a column with more rows uses the column's own order. */
const MANY_ROWS = 4096

/** Rows in shorter runs than this, on average, are gathered before grouping. */
const STREWN = 64

/** Overhead of a Buffer and its map entry. */
const BUFFER_BYTES = 160

/** A table in memory: columns and orders, each loaded or computed on first use. */
export class HotTable {
  readonly name: string
  private readonly database: Database
  readonly kinds: Columns
  private readonly memory: HotMemory
  private rowCount: number | null = null
  private columns = new Map<string, HotColumn | null>()
  private views = new Map<string, View>()
  private orders = new Map<string, readonly Sort[]>()
  private jsonByColumns = new Map<string, Map<number, Buffer>>()
  /** Known-loaded columns of answers, and orders, by plan. */
  private shapes = new WeakSet<Plan['columns']>()
  private ordering = new WeakMap<readonly Sort[], View>()
  private preparing: Promise<void> = Promise.resolve()

  constructor(name: string, kinds: Columns, database: Database, memory: HotMemory) {
    this.name = name
    this.kinds = kinds
    this.database = database
    this.memory = memory
  }

  drop(): void {
    this.columns = new Map()
    this.views = new Map()
    this.orders = new Map()
    this.jsonByColumns = new Map()
    this.shapes = new WeakSet()
    this.ordering = new WeakMap()
  }

  /** The columns and orders that answer a plan. */
  need(plan: Plan): Need {
    const columns = new Set<string>()
    const orders = new Set<readonly Sort[]>()
    this.needs(plan, {
      column: name => Boolean(columns.add(name)),
      order: order => Boolean(orders.add(order)),
      shape: shape => shapeOf(shape).names.every(name => columns.add(name)),
    })
    return { columns: [...columns], orders: [...orders] }
  }

  /** Everything that is loaded. */
  loaded(): Need {
    const columns = [...this.columns].filter(([, column]) => column !== null).map(([name]) => name)
    return { columns, orders: [...this.orders.values()] }
  }

  /** Whether everything that a plan needs is loaded. */
  answers(plan: Plan): boolean {
    return this.needs(plan, this.here)
  }

  /** Whether the values of these columns are loaded. */
  holds(columns: Plan['columns']): boolean {
    return this.here.shape(columns)
  }

  private readonly here: Needing = {
    column: name => Boolean(this.columns.get(name)),
    order: order => this.viewOf(order) !== undefined,
    shape: columns => {
      if (this.shapes.has(columns)) return true
      const isHere = shapeOf(columns).names.every(this.here.column)
      if (isHere) this.shapes.add(columns)
      return isHere
    },
  }

  /** Whether everything that a plan needs passes. */
  private needs({ columns, where, after, pick, order, group }: Plan, needing: Needing): boolean {
    for (const conditions of [where, after])
      for (const condition of conditions) {
        if (!needing.column(condition.column)) return false
        const looked = !group && !pick && this.isLookedUp(condition, order[0])
        if (looked && !needing.order(orderOf(condition.column))) return false
      }
    if (group) {
      const { by, value, time, company, metrics } = group
      if (!needing.column(value) || !by.every(b => needing.column(b.column))) return false
      if (metrics.includes('companies') && !needing.column(company)) return false
      if (metrics.includes('change') && !needing.column(time)) return false
      return needing.order(AS_IT_LIES)
    }
    if (!needing.shape(columns)) return false
    for (const one of pick ? [order, orderOfPick(pick)] : [order]) {
      for (const { column } of one) if (!needing.column(column)) return false
      if (!needing.order(one)) return false
    }
    return true
  }

  /** Whether a condition's column needs its own order, besides the answer's. */
  private isLookedUp({ column, op }: Condition, lead: Sort | undefined): boolean {
    const known = this.columns.get(column)
    // In table order, a run-length-encodable column is filtered by its runs.
    if (!lead && known && isRunLengthEncodable(known)) return false
    if (op === 'in') return (this.columns.get(column)?.words?.length ?? 0) > MANY_WORDS
    return (op === 'ge' || op === 'le') && column !== lead?.column && (this.rowCount ?? 0) > MANY_ROWS
  }

  /** The columns that cannot be loaded; null stands for one whose values did not fit. */
  unheld({ columns }: Need): string[] {
    const cannot = (name: string) =>
      !this.kinds[name] || !isLoadable(this.kinds[name]!) || this.columns.get(name) === null
    return columns.filter(cannot)
  }

  private async measured(): Promise<number> {
    const [row] = await this.database.rows<{ n: number }>(`SELECT count(*) AS n FROM ${stored(this.name)}`)
    return row!.n
  }

  /** Upper bound of missing bytes, except for words; 0 before the rows are counted. */
  cost({ columns, orders }: Need): number {
    const missing = columns.filter(name => !this.columns.has(name))
    const views = orders.filter(order => !this.views.has(keyOf(order)))
    const bytes = [
      ...missing.map(name => (this.kinds[name] ? mostBytes(this.kinds[name]!) : 0)),
      ...views.map(order => (order.length ? 4 : 0) + 1 / 8),
    ]
    return (this.rowCount ?? 0) * bytes.reduce((sum, each) => sum + each, 0)
  }

  /** Loads what is missing, one query after another, unless it exceeds the given number of bytes. */
  prepare(need: Need, limit: number, signal: AbortSignal): Promise<void> {
    const mine = this.preparing.then(() => this.load(need, limit, signal))
    this.preparing = mine.catch(() => {})
    return mine
  }

  /** Resolves when nothing is loading. */
  settled(): Promise<void> {
    return this.preparing
  }

  private async load(need: Need, limit: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    this.rowCount ??= await this.measured()
    if (this.unheld(need).length > 0 || this.cost(need) > limit) return
    const { columns, orders } = need
    const from = stored(this.name)
    const missing = columns.filter(name => !this.columns.has(name))
    const kinds = Object.fromEntries(missing.map(name => [name, this.kinds[name]!]))
    for (const [name, column] of await loadColumns(this.database, from, this.rowCount, kinds, signal)) {
      this.columns.set(name, column)
      this.memory.touch(this, column?.bytes ?? 0)
    }
    for (const order of orders) {
      const key = keyOf(order)
      if (this.views.has(key) || order.some(s => !this.columns.get(s.column))) continue
      signal.throwIfAborted()
      const keys = order.map(s => ({ column: this.column(s.column), descending: s.descending }))
      this.views.set(key, await View.of(keys, this.rowCount, bytes => this.memory.touch(this, bytes)))
      this.orders.set(key, order)
    }
  }

  column(name: string): HotColumn {
    return this.columns.get(name)!
  }

  view(order: readonly Sort[]): View {
    return this.viewOf(order)!
  }

  private viewOf(order: readonly Sort[]): View | undefined {
    const known = this.ordering.get(order)
    if (known) return known
    const view = this.views.get(keyOf(order))
    if (view) this.ordering.set(order, view)
    return view
  }

  /** A plan with its conditions as numeric tests; null if one needs DuckDB. */
  question(plan: Plan): Question | null {
    const where = this.tests(plan.where)
    const after = where && this.tests(plan.after)
    return after && { plan, where, after }
  }

  private tests(conditions: readonly Condition[]): readonly Test[] | null {
    if (conditions.length === 0) return NO_TESTS
    const tests: Test[] = []
    for (const condition of conditions) {
      const column = this.column(condition.column)
      const pass = passOf(column, condition)
      if (!pass) return null
      tests.push({ name: condition.column, column, pass })
    }
    return tests
  }

  /** The rows of a page. */
  find({ plan: { pick, order, limit, offset }, where, after }: Question): PageRows {
    const view = this.view(order)
    const most = limit ?? Number.POSITIVE_INFINITY
    if (pick) return view.page(this.picked(pick, where, after), offset, most)
    const tests = after.length ? [...where, ...after] : where
    if (tests.length === 0) return view.all(offset, most)
    const few = this.few(tests)
    if (few) return view.page(few, offset, most)
    const { mask, from, to } = view.select(tests, this.ordered)
    const total = countBits(mask, from, to)
    return { total, rows: positionsOf(mask, from, to, offset, most).map(p => view.row(p)) }
  }

  /** The total number of matching rows. */
  count(question: Question): number {
    const { plan, where, after } = question
    if (plan.pick) return this.find(question).total
    const tests = [...where, ...after]
    const few = this.few(tests)
    if (few) return few.length
    const { stretches, looked } = this.still(tests)
    if (looked.length === 0) return rowRuns(stretches).count
    const { mask, from, to } = this.view(AS_IT_LIES).within(stretches, looked, this.ordered)
    return countBits(mask, from, to)
  }

  /** Row ranges that pass the tests on run-length-encodable columns, and the remaining tests. */
  private still(tests: readonly Test[]): { stretches: Int32Array; looked: readonly Test[] } {
    let stretches: Int32Array = Int32Array.of(0, this.rowCount!)
    const looked: Test[] = []
    for (const test of tests)
      if (isRunLengthEncodable(test.column))
        stretches = runsWhere(test.column, passes(test.column, test.pass), stretches)
      else looked.push(test)
    return { stretches, looked }
  }

  canGroup({ group, pick }: Plan): boolean {
    return !pick && canGroup(group!, name => this.column(name))
  }

  /** The page of a grouped query. */
  groups({ plan, where, after }: Question): GroupValues {
    const { chosen, column } = this.chosen([...where, ...after])
    return groupRows(plan, plan.group!, chosen, column)
  }

  /** The matching rows in place; scattered ones are gathered into columns of their own. */
  private chosen(tests: readonly Test[]): { chosen: RowRuns; column: (name: string) => HotColumn } {
    const column = (name: string) => this.column(name)
    const { stretches, looked } = this.still(tests)
    if (looked.length === 0) return { chosen: rowRuns(stretches), column }
    const { mask, from, to } = this.view(AS_IT_LIES).within(stretches, looked)
    const count = countBits(mask, from, to)
    if (count >= countRuns(mask, from, to) * STREWN)
      return { chosen: rowRuns(runsOfMask(mask, from, to)), column }
    const together = new Map<string, HotColumn>()
    return {
      chosen: rowRuns(Int32Array.of(0, count)),
      column: name => {
        let one = together.get(name)
        if (!one) {
          const all = this.column(name)
          one = partOfColumn(all, valuesOf(all.values, mask, from, to, count))
          together.set(name, one)
        }
        return one
      },
    }
  }

  /** Values of some rows by column, as from DuckDB's lane. */
  values(columns: Plan['columns'], rows: readonly number[]): unknown[][] {
    return columns.map(column => valuesAt(this.column(sourceColumn(column)), rows))
  }

  /** The same in chunks, for streaming: the values stay valid whatever is evicted meanwhile. */
  chunks(wanted: Plan['columns'], rows: readonly number[]): Iterable<Chunk> {
    const columns = wanted.map(column => this.column(sourceColumn(column)))
    return (function* () {
      for (let start = 0; start < rows.length; start += CHUNK_ROWS) {
        const some = rows.slice(start, start + CHUNK_ROWS)
        yield {
          rowCount: some.length,
          columns: columns.map(column => valuesAt(column, some)),
        }
      }
    })()
  }

  /** Rows as JSON, with a comma before each; a row's JSON is cached per set of columns. */
  json(columns: Plan['columns'], rows: readonly number[]): Buffer[] {
    const { key } = shapeOf(columns)
    let cached = this.jsonByColumns.get(key)
    if (!cached) {
      cached = new Map()
      this.jsonByColumns.set(key, cached)
    }
    const pieces: (Buffer | undefined)[] = []
    for (const row of rows) pieces.push(cached.get(row))
    if (pieces.includes(undefined)) {
      const missing = rows.filter((_, i) => !pieces[i])
      const write = objectWriter(columns)
      const values = this.values(columns, missing)
      let bytes = 0
      for (const [i, row] of missing.entries()) {
        const json = Buffer.from(`,${write(values, i)}`)
        cached.set(row, json)
        bytes += json.byteLength + BUFFER_BYTES
      }
      for (const [i, row] of rows.entries()) pieces[i] ??= cached.get(row)
      this.memory.touch(this, bytes)
    }
    return pieces as Buffer[]
  }

  /** The order by one column, if it is loaded. */
  private readonly ordered = (column: string): View | undefined => this.viewOf(orderOf(column))

  /** The matching rows, where one test leaves few: looked up in the order of its column. */
  private few(tests: readonly Test[]): number[] | null {
    for (const test of tests) {
      const index = this.ordered(test.name)
      const ranges = index?.ranges(test)
      if (!index || !ranges) continue
      const count = ranges.reduce((sum, [from, to]) => sum + to - from, 0)
      if (count > this.rowCount! >>> 6) continue
      const others = tests.filter(t => t !== test)
      return passing(index, ranges, others)
    }
    return null
  }

  /** The first matching row of each group, if it passes the conditions applied afterwards. */
  private picked(pick: NonNullable<Plan['pick']>, first: readonly Test[], then: readonly Test[]): number[] {
    const view = this.view(orderOfPick(pick))
    const per = pick.per.map(name => this.column(name).values)
    const { mask, from, to } = view.select(first)
    const later = then.map(({ column, pass }) => ({ values: column.values, test: passes(column, pass) }))
    const rows: number[] = []
    let last = -1
    for (let w = from; w < to; w++) {
      let left = mask[w]!
      while (left !== 0) {
        const row = view.row((w << 5) + 31 - Math.clz32(left & -left))
        left &= left - 1
        if (last >= 0 && per.every(values => Object.is(values[row], values[last]))) continue
        last = row
        if (later.every(({ values, test }) => test(values[row]!))) rows.push(row)
      }
    }
    return rows
  }
}

export const orderOfPick = memoize(({ per, by }: NonNullable<Plan['pick']>): readonly Sort[] => [
  ...per.map(column => ({ column, descending: false })),
  ...by.filter(s => !per.includes(s.column)),
])

function passing(index: View, ranges: readonly Range[], tests: readonly Test[]): number[] {
  const checks = tests.map(({ column, pass }) => ({ values: column.values, test: passes(column, pass) }))
  const rows: number[] = []
  for (const [from, to] of ranges)
    for (let p = from; p < to; p++) {
      const row = index.row(p)
      if (checks.every(({ values, test }) => test(values[row]!))) rows.push(row)
    }
  return rows
}
