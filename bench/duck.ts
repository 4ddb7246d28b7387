import {
  type DuckDBConnection,
  DuckDBInstance,
  type DuckDBPreparedStatement,
  type DuckDBValue,
} from '@duckdb/node-api'

export type Value = string | number | boolean

/** DuckDB as one would use it by hand. */
export class Duck {
  private readonly instance: DuckDBInstance
  private readonly connection: DuckDBConnection

  static async open(): Promise<Duck> {
    const instance = await DuckDBInstance.create(':memory:')
    return new Duck(instance, await instance.connect())
  }

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection) {
    this.instance = instance
    this.connection = connection
  }

  async run(sql: string): Promise<void> {
    await this.connection.run(sql)
  }

  /** Rows as JSON-compatible objects. */
  async rows<T = Record<string, unknown>>(sql: string): Promise<T[]> {
    return (await this.connection.runAndReadAll(sql)).getRowObjectsJson() as T[]
  }

  async prepare(sql: string): Promise<Statement> {
    return new Statement(await this.connection.prepare(sql))
  }

  /** A result by column. */
  async columns(sql: string): Promise<readonly (readonly DuckDBValue[])[]> {
    return (await this.connection.runAndReadAll(sql)).getColumns()
  }

  close(): void {
    this.connection.closeSync()
    this.instance.closeSync()
  }
}

/** A prepared statement with values bound for each call. */
export class Statement {
  private readonly prepared: DuckDBPreparedStatement

  constructor(prepared: DuckDBPreparedStatement) {
    this.prepared = prepared
  }

  async rows(values: readonly Value[] = []): Promise<Record<string, unknown>[]> {
    this.prepared.bind([...values])
    return (await this.prepared.runAndReadAll()).getRowObjectsJson() as Record<string, unknown>[]
  }
}
