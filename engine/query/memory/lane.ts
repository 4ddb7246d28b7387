import type { Database } from '../../database/database.ts'
import type { Columns } from '../../schema/column.ts'
import type { Plan } from '../plan/plan.ts'
import type { HotMemory } from './memory.ts'
import { HotTable, type Need, type Question } from './table.ts'

/** Which lane answers a plan, and if not memory, why. */
export type Choice =
  | { readonly lane: 'memory'; readonly table: HotTable; readonly question: Question }
  | { readonly lane: 'duckdb'; readonly why: string }

const cold = (why: string): Choice => ({ lane: 'duckdb', why })

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 2 ** 20).toLocaleString('en-US')} MB`

/** The memory lane: the tables of a day, as far as they fit. */
export class HotLane {
  private readonly database: Database
  private readonly memory: HotMemory
  private readonly tables = new Map<string, HotTable>()
  private readonly missed = new Set<string>()
  private readonly over = new AbortController()

  constructor(database: Database, memory: HotMemory) {
    this.database = database
    this.memory = memory
  }

  /**
   * Chooses the lane of a plan, which must then be answered synchronously. A table that is queried again is loaded
   * meanwhile, so a one-off query does not pay for it.
   */
  choose(plan: Plan, kinds: Columns): Choice {
    if (this.memory.limit === 0) return cold('no memory is reserved for tables')
    const table = this.table(plan.table, kinds)
    if (!table.answers(plan)) return cold(this.whyNot(table, table.need(plan)))
    const question = table.question(plan)
    if (!question) return cold('a filter needs DuckDB')
    if (plan.group && !table.canGroup(plan))
      return cold(`${plan.group.value} is not in whole tenths, or there are too many groups`)
    this.memory.touch(table)
    return { lane: 'memory', table, question }
  }

  /** Why a table lacks what is needed; loads it if it is queried again. */
  private whyNot(table: HotTable, need: Need): string {
    const unheld = table.unheld(need)
    if (unheld.length) return `${unheld.join(', ')} ${unheld.length > 1 ? 'are' : 'is'} not loaded in memory`
    const cost = table.cost(need)
    if (cost > this.memory.limit)
      return `${table.name} would take ${megabytes(cost)} of the ${megabytes(this.memory.limit)} reserved for tables`
    // A failure here also fails in DuckDB's lane, which reports it.
    if (this.missed.has(table.name)) this.prepare(table, need).catch(() => {})
    this.missed.add(table.name)
    return `${table.name} is not in memory yet`
  }

  /**
   * A table that has these columns; null if they are not loaded yet or cannot be. One that is requested again is
   * loaded meanwhile.
   */
  hold(name: string, kinds: Columns, columns: Plan['columns']): HotTable | null {
    if (this.memory.limit === 0) return null
    const table = this.table(name, kinds)
    if (table.holds(columns)) {
      this.memory.touch(table)
      return table
    }
    this.whyNot(table, { columns: columns.map(column => column.name), orders: [] })
    return null
  }

  /** Loads what a plan needs into memory, unless that exceeds the limit. */
  async warm(plan: Plan, kinds: Columns): Promise<void> {
    const table = this.table(plan.table, kinds)
    // An order for looking up few rows is known to be needed once the column's dictionary is loaded.
    for (let needed = 0; needed < 2; needed++) await this.prepare(table, table.need(plan))
  }

  /** The names of the tables of which something is loaded. */
  loaded(): string[] {
    return [...this.tables.values()]
      .filter(table => table.loaded().columns.length > 0)
      .map(({ name }) => name)
  }

  /** Loads what another lane has of a table, unless that would evict something. */
  async loadAs(other: HotLane, name: string): Promise<void> {
    const model = other.tables.get(name)
    if (!model || this.memory.sizeOf(model) > this.memory.free) return
    await this.prepare(this.table(name, model.kinds), model.loaded())
  }

  private prepare(table: HotTable, need: Need): Promise<void> {
    return table.prepare(need, this.memory.limit, this.over.signal)
  }

  private table(name: string, kinds: Columns): HotTable {
    let table = this.tables.get(name)
    if (!table) {
      table = new HotTable(name, kinds, this.database, this.memory)
      this.tables.set(name, table)
    }
    return table
  }

  /** Releases everything. The database may be closed only after this returns. */
  async close(): Promise<void> {
    this.over.abort()
    const tables = [...this.tables.values()]
    this.tables.clear()
    await Promise.all(tables.map(table => table.settled()))
    for (const table of tables) {
      table.drop()
      this.memory.forget(table)
    }
  }
}
