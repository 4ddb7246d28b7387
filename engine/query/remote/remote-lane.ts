import { elementAt, firstOf } from '../../base/elements.ts'
import { QueryError } from '../../base/errors.ts'
import { append } from '../../base/lists.ts'
import { quote } from '../../database/database.ts'
import type { Chunk } from '../../database/results.ts'
import type { RunOptions } from '../../database/run-limits.ts'
import type { Columns } from '../../schema/column.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { trinoDialect } from '../dialects/trino.ts'
import type { Plan } from '../plan/plan.ts'
import { countSql, pageSql, presentSql } from '../plan/plan-sql.ts'
import { schemaOf } from './address.ts'
import type { TrinoClient } from './trino-client.ts'
import { MissingOnRemote } from './trino-errors.ts'
import { declaredChunk } from './trino-values.ts'

/** The tables of one snapshot on a remote engine, which holds each snapshot in a schema of its own. */
export class RemoteLane {
  private readonly client: TrinoClient
  private readonly snapshot: string
  /** Rows of each table, as the snapshot's manifest has them. */
  private readonly rows: ReadonlyMap<string, number>
  private readonly schema: string
  private readonly dialect: Dialect
  private readonly checked = new Set<string>()

  constructor(client: TrinoClient, snapshot: string, rows: ReadonlyMap<string, number>) {
    const { catalog } = client.address
    this.client = client
    this.snapshot = snapshot
    this.rows = rows
    this.schema = schemaOf(client.address, snapshot)
    this.dialect = trinoDialect(`${quote(catalog)}.${quote(this.schema)}`)
  }

  /** The number of rows of a table; null if the snapshot does not have it. */
  rowsOf(table: string): number | null {
    return this.rows.get(table) ?? null
  }

  /** The page of a plan by column, and how many rows match in all. */
  async page(
    plan: Plan,
    kinds: Columns,
    limits: RunOptions,
  ): Promise<{ columns: readonly (readonly unknown[])[]; rowCount: number; total: number }> {
    const counting = new AbortController()
    const { signal } = limits
    const both = signal ? AbortSignal.any([signal, counting.signal]) : counting.signal
    // A total in each row would bring all rows to one node.
    const total = plan.limit === null ? null : this.count(plan, kinds, { ...limits, signal: both })
    total?.catch(() => {})
    try {
      const columns: unknown[][] = plan.columns.map(() => [])
      let rowCount = 0
      for await (const chunk of this.chunks(plan, kinds, limits)) {
        rowCount += chunk.rowCount
        for (const [j, values] of chunk.columns.entries()) append(elementAt(columns, j), values)
      }
      const isLast = plan.limit === null || rowCount < plan.limit
      if (isLast && (rowCount > 0 || plan.offset === 0))
        return { columns, rowCount, total: plan.offset + rowCount }
      return { columns, rowCount, total: await (total ?? this.count(plan, kinds, limits)) }
    } finally {
      counting.abort()
    }
  }

  /** The rows of a plan's page as they arrive. */
  async *chunks(plan: Plan, kinds: Columns, limits: RunOptions): AsyncGenerator<Chunk> {
    await this.check(plan.table, limits)
    const { text } = pageSql(plan, kinds, false, this.dialect)
    try {
      for await (const page of this.client.pages(text, limits)) yield declaredChunk(page, plan.columns)
    } catch (error) {
      throw await this.causeOf(error, plan.table, limits)
    }
  }

  async count(plan: Plan, kinds: Columns, limits: RunOptions): Promise<number> {
    await this.check(plan.table, limits)
    const { text } = countSql(plan, kinds, 'count(*)', this.dialect)
    return firstOf(await this.rowsOn(plan.table, text, limits))[0] as number
  }

  async present(plan: Plan, kinds: Columns, column: string, limits: RunOptions): Promise<Set<string>> {
    await this.check(plan.table, limits)
    const { text } = presentSql(plan, kinds, column, this.dialect)
    return new Set((await this.rowsOn(plan.table, text, limits)).map(([word]) => word as string))
  }

  /** Compares the remote's table with the snapshot's before its first use: an answer never mixes snapshots. */
  private async check(table: string, limits: RunOptions): Promise<void> {
    if (this.checked.has(table)) return
    const counted = await this.rowsOn(table, `SELECT count(*) FROM ${this.dialect.table(table)}`, limits)
    const rows = firstOf(counted)[0] as number
    const own = this.rows.get(table)
    if (rows !== own)
      throw this.differs(`has ${rows} rows of ${table}, and the snapshot ${own}: register it again`)
    this.checked.add(table)
  }

  private rowsOn(table: string, sql: string, limits: RunOptions): Promise<(readonly unknown[])[]> {
    return this.client.rows(sql, limits).catch(async error => {
      throw await this.causeOf(error, table, limits)
    })
  }

  /** The cause of a failed statement. A table that was there may have been dropped since, and is checked anew. */
  private async causeOf(error: unknown, table: string, limits: RunOptions): Promise<unknown> {
    if (!(error instanceof MissingOnRemote)) return error
    this.checked.delete(table)
    return this.missing(table, limits)
  }

  /** The remote does not have a table: the snapshots that it has. */
  private async missing(table: string, limits: RunOptions): Promise<QueryError> {
    const { catalog, prefix } = this.client.address
    const schemas = await this.client.rows(`SHOW SCHEMAS FROM ${quote(catalog)}`, limits).catch(() => [])
    const names = schemas.map(([name]) => String(name))
    if (names.includes(this.schema)) return this.differs(`has no table ${table}: register the snapshot again`)
    const others = names.filter(name => name.startsWith(`${prefix}_`)).sort()
    const held = others.length > 0 ? `; it has ${others.slice(-3).join(', ')}` : ''
    return this.differs(`does not have the schema ${this.schema}${held}: register the snapshot there`)
  }

  private differs(why: string): QueryError {
    const { snapshot } = this
    return new QueryError(
      'REMOTE_SNAPSHOT_MISSING',
      `the remote engine does not hold snapshot ${snapshot} whole: it ${why}`,
      { snapshot },
    )
  }
}
