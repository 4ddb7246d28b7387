import type { Database } from '../../database/database.ts'
import type { Columns } from '../../schema/column.ts'
import type { Plan } from '../plan/plan.ts'
import type { HotMemory } from './memory.ts'
import { HotTable, type Need, type Question } from './table.ts'

/** Which lane answers a plan, and why not from memory where it does not. */
export type Choice =
  | { readonly lane: 'memory'; readonly table: HotTable; readonly question: Question }
  | { readonly lane: 'duckdb'; readonly why: string }

const cold = (why: string): Choice => ({ lane: 'duckdb', why })

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 2 ** 20).toLocaleString('en-US')} MB`

/** The tables of a day in memory: the lane for pages over what fits. */
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
   * Chooses the lane of a plan, which must then be answered at once. A table that is asked about again is read into
   * memory meanwhile: who asks once does not pay for it.
   */
  choose(plan: Plan, kinds: Columns): Choice {
    if (this.memory.limit === 0) return cold('no memory is set aside for tables')
    const table = this.table(plan.table, kinds)
    if (!table.answers(plan)) return cold(this.whyNot(table, table.need(plan)))
    const question = table.question(plan)
    if (!question) return cold('a filter is for DuckDB')
    if (plan.group && !table.canGroup(plan))
      return cold(`${plan.group.value} is not in whole tenths, or there are too many groups`)
    this.memory.touch(table)
    return { lane: 'memory', table, question }
  }

  /** Says why a table does not hold what is needed, and has it read where it is asked about again. */
  private whyNot(table: HotTable, need: Need): string {
    const unheld = table.unheld(need)
    if (unheld.length) return `${unheld.join(', ')} ${unheld.length > 1 ? 'are' : 'is'} not held in memory`
    const cost = table.cost(need)
    if (cost > this.memory.limit)
      return `${table.name} would take ${megabytes(cost)} of the ${megabytes(this.memory.limit)} set aside for tables`
    // What fails here fails in DuckDB's lane too, which tells of it.
    if (this.missed.has(table.name)) this.prepare(table, need).catch(() => {})
    this.missed.add(table.name)
    return `${table.name} is not in memory yet`
  }

  /** A table that holds these columns; null where it does not yet, or may not. One that is asked for again is read meanwhile. */
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

  /** Reads what a plan needs into memory, unless it is more than may be held. */
  async warm(plan: Plan, kinds: Columns): Promise<void> {
    const table = this.table(plan.table, kinds)
    // An order to look few rows up in is known to be needed when the words of its column are.
    for (let needed = 0; needed < 2; needed++) await this.prepare(table, table.need(plan))
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

  /** Lets go of everything. The database may be closed when this returns, and not before. */
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
