import type * as DuckDB from '@duckdb/node-api'
import type { DuckDBConnection, DuckDBInstance, DuckDBType } from '@duckdb/node-api'
import { elementAt, firstOf } from '../base/elements.ts'
import { QueryError } from '../base/errors.ts'
import { databaseThreads, memoryShare } from '../base/machine.ts'
import { currentSpan } from '../base/spans.ts'
import { duckdb } from './duckdb.ts'
import { bind, runWith, type SqlValue } from './parameters.ts'
import { plainColumn } from './plain-values.ts'
import { type Chunk, chunks, plainChunks, rowsOf } from './results.ts'
import { guarded, type RunOptions, translate } from './run-limits.ts'
import { Session } from './session.ts'
import { newSpillFolder } from './spill-folder.ts'
import { fill, putColumn, readNumbers, type ScalarFunction, scalarColumn, scalarTypes } from './vectors.ts'

const { DuckDBScalarFunction, StatementType } = duckdb

export interface DatabaseOptions {
  /** A database file; in memory by default. */
  readonly file?: string
  readonly readOnly?: boolean
  readonly memory?: string
  readonly threads?: number
  /** Where DuckDB may spill: by default a folder of this process; null keeps large sorts and joins in memory. */
  readonly temp?: string | null
  /** Interrupts all running and later statements once aborted. */
  readonly signal?: AbortSignal | undefined
}

/** A DuckDB instance. Each statement takes a connection from a pool. No other folder imports DuckDB. */
export class Database {
  private readonly instance: DuckDBInstance
  private readonly idle: DuckDBConnection[] = []
  private readonly open = new Set<DuckDBConnection>()
  /** Connections in use, or on their way to being. */
  private users = 0
  private closed = false
  /** Interrupts what still runs after the database was closed. */
  private closing: NodeJS.Timeout | null = null

  private readonly signal: AbortSignal | undefined

  private constructor(instance: DuckDBInstance, signal: AbortSignal | undefined) {
    this.instance = instance
    this.signal = signal
  }

  static async create(options: DatabaseOptions = {}): Promise<Database> {
    const config: Record<string, string> = {
      // Prevents network access: no extension is downloaded.
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      preserve_insertion_order: 'true',
      // DuckDB's own default is a folder where the process was started.
      temp_directory: (options.temp === undefined ? await newSpillFolder() : options.temp) ?? '',
    }
    config['memory_limit'] = options.memory ?? memoryShare(0.8)
    const threads = options.threads ?? databaseThreads()
    if (threads) config['threads'] = String(threads)
    if (options.readOnly) config['access_mode'] = 'READ_ONLY'
    const instance = await duckdb.DuckDBInstance.create(options.file ?? ':memory:', config)
    return new Database(instance, options.signal)
  }

  /**
   * From here on only these files and the contents of these folders can be read, the network cannot be used, and
   * settings are locked.
   */
  async confine({
    folders = [],
    files = [],
  }: {
    readonly folders?: readonly string[]
    readonly files?: readonly string[]
  }): Promise<void> {
    await this.run(`SET allowed_directories = [${folders.map(literal).join(', ')}];
      SET allowed_paths = [${files.map(literal).join(', ')}];
      SET enable_external_access = false; SET lock_configuration = true`)
  }

  /** Runs statements for their effect. */
  async run(sql: string, values: readonly SqlValue[] = [], options: RunOptions = {}): Promise<void> {
    await this.use(
      options,
      async connection => {
        await runWith(connection, sql, values)
      },
      sql,
    )
  }

  /** All rows as objects with plain values: numbers, text, ISO dates, booleans, lists, null. */
  async rows<T = Record<string, unknown>>(
    sql: string,
    values: readonly SqlValue[] = [],
    options: RunOptions = {},
  ): Promise<T[]> {
    return this.use(options, async connection => rowsOf<T>(await runWith(connection, sql, values)), sql)
  }

  /** The whole result by column, as plain values. */
  async columns(
    sql: string,
    values: readonly SqlValue[] = [],
    options: RunOptions = {},
  ): Promise<{ names: string[]; types: string[]; columns: unknown[][]; rowCount: number }> {
    const work = async (connection: DuckDBConnection) => {
      const result = await runWith(connection, sql, values)
      const types = result.columnTypes()
      const parts: unknown[][][] = types.map(() => [])
      for await (const chunk of chunks(result))
        for (const [j, type] of types.entries()) elementAt(parts, j).push(plainColumn(chunk, j, type))
      return {
        names: result.columnNames(),
        types: types.map(String),
        columns: parts.map(column => (column.length === 1 ? firstOf(column) : column.flat())),
        rowCount: result.rowCount,
      }
    }
    return this.use(options, work, sql)
  }

  /**
   * The result in chunks as it is produced: memory does not grow with rows. Holds a connection until the end.
   * @param options.few the rows are few, and made before the first chunk: the statement is planned once then
   */
  async *stream(
    sql: string,
    values: readonly SqlValue[] = [],
    options: RunOptions & { readonly few?: boolean } = {},
  ): AsyncGenerator<Chunk & { names: readonly string[]; types: readonly string[] }> {
    const connection = await this.take()
    const guard = guarded(connection, options, this.signal)
    const span = statementSpan(sql)
    let failure: unknown
    try {
      yield* plainChunks(
        options.few ? await runWith(connection, sql, values) : await connection.stream(sql, ...bind(values)),
      )
    } catch (error) {
      failure = translate(error, guard)
      throw failure
    } finally {
      guard.clear()
      span?.end(failure)
      // A partly read stream leaves the connection busy, so it is not reused.
      if (guard.fired) this.drop(connection)
      else this.give(connection)
    }
  }

  /**
   * Runs a user's statement, like `stream`. Checks DuckDB's own type of the prepared statement, uses a read-only
   * transaction and a dedicated connection: no setting, variable or temporary table survives it.
   */
  async *query(
    statement: AdmittedStatement,
    values: readonly SqlValue[] | Readonly<Record<string, SqlValue>> = [],
    options: RunOptions = {},
  ): AsyncGenerator<Chunk & { names: readonly string[]; types: readonly string[] }> {
    const connection = await this.take(false)
    const guard = guarded(connection, options)
    try {
      await connection.run('BEGIN TRANSACTION READ ONLY')
      const prepared = await prepareAdmitted(connection, statement)
      checkNames(prepared, values)
      prepared.bind(...bind(values as readonly SqlValue[]))
      yield* plainChunks(await prepared.stream())
    } catch (error) {
      throw translate(error, guard)
    } finally {
      guard.clear()
      this.drop(connection)
    }
  }

  /**
   * Appends columns to a table; all have `rowCount` rows, in the table's column order. Typed arrays are copied whole
   * where the column has their type; NaN in a Float64Array is null. A decimal is given as the integer of its last
   * place.
   */
  async append(table: string, columns: readonly ArrayLike<unknown>[], rowCount: number): Promise<void> {
    await this.use({}, async connection => {
      const appender = await connection.createAppender(table)
      const types: DuckDBType[] = []
      for (let j = 0; j < appender.columnCount; j++) types.push(appender.columnType(j))
      for (let start = 0; start < rowCount; start += 2048) {
        const size = Math.min(2048, rowCount - start)
        const chunk = duckdb.DuckDBDataChunk.create(types, size)
        for (const [j, column] of columns.entries()) fill(chunk, j, column, start, size)
        appender.appendDataChunk(chunk)
      }
      appender.closeSync()
    })
  }

  /**
   * A numeric result in parts of about `rows` rows: one Float64Array per column, NaN for null. Columns must be DOUBLE,
   * INTEGER, or BIGINT up to 2^53. No row objects are made.
   */
  async *numbers(sql: string, rows = 65_536): AsyncGenerator<{ columns: Float64Array[]; rowCount: number }> {
    const connection = await this.take()
    try {
      const result = await connection.stream(sql)
      const width = result.columnCount
      let columns = Array.from({ length: width }, () => new Float64Array(rows + 2048))
      let rowCount = 0
      for (;;) {
        const chunk = await result.fetchChunk()
        if (!chunk || chunk.rowCount === 0) break
        for (let j = 0; j < width; j++) readNumbers(chunk, j, elementAt(columns, j), rowCount)
        rowCount += chunk.rowCount
        if (rowCount < rows) continue
        yield { columns: columns.map(c => c.subarray(0, rowCount)), rowCount }
        columns = Array.from({ length: width }, () => new Float64Array(rows + 2048))
        rowCount = 0
      }
      if (rowCount > 0) yield { columns: columns.map(c => c.subarray(0, rowCount)), rowCount }
    } finally {
      this.give(connection)
    }
  }

  /**
   * Adds a function to SQL. DuckDB calls it from its threads, one at a time on the JavaScript thread, so a statement
   * that uses it must be awaited without blocking that thread.
   */
  async define({ name, takes, gives, compute }: ScalarFunction): Promise<void> {
    await this.use({}, async connection =>
      connection.registerScalarFunction(
        DuckDBScalarFunction.create({
          name,
          parameterTypes: takes.map(type => scalarTypes[type]),
          returnType: scalarTypes[gives],
          // Null is passed to the function like any other argument.
          specialHandling: true,
          mainFunction(_, chunk, result) {
            const columns = takes.map((_, j) => scalarColumn(chunk.getColumnVector(j), chunk.rowCount))
            putColumn(result, compute(columns, chunk.rowCount), chunk.rowCount)
          },
        }),
      ),
    )
  }

  /** One connection for several statements: temporary tables, transactions. */
  async session<T>(work: (session: Session) => Promise<T>, options: RunOptions = {}): Promise<T> {
    return this.use(options, connection => work(new Session(connection)))
  }

  /** Interrupts every running statement. One that is between two of its tasks may continue: call again. */
  interrupt(): void {
    if (this.closed) return
    for (const connection of this.open) connection.interrupt()
  }

  /**
   * Refuses further statements and interrupts those that run. A connection is closed when its work has ended: DuckDB's
   * threads use it until then.
   */
  close(): void {
    if (this.closed) return
    this.interrupt()
    this.closed = true
    for (const connection of this.idle) this.disconnect(connection)
    if (this.users === 0) this.instance.closeSync()
    else
      this.closing = setInterval(() => {
        for (const connection of this.open) connection.interrupt()
      }, AGAIN_MS).unref()
  }

  /** @param sql the statement, if the work is one */
  private async use<T>(
    options: RunOptions,
    work: (connection: DuckDBConnection) => Promise<T>,
    sql?: string,
  ): Promise<T> {
    const connection = await this.take()
    const guard = guarded(connection, options, this.signal)
    const span = sql === undefined ? undefined : statementSpan(sql)
    let failure: unknown
    try {
      return await work(connection)
    } catch (error) {
      failure = translate(error, guard)
      throw failure
    } finally {
      guard.clear()
      span?.end(failure)
      this.give(connection)
    }
  }

  /** @param reuse an idle connection is good enough */
  private async take(reuse = true): Promise<DuckDBConnection> {
    if (this.closed) throw isClosed()
    this.users++
    try {
      const connection = (reuse && this.idle.pop()) || (await this.instance.connect())
      this.open.add(connection)
      if (!this.closed) return connection
      this.disconnect(connection)
      throw isClosed()
    } catch (error) {
      this.leave()
      throw error
    }
  }

  private give(connection: DuckDBConnection): void {
    if (this.closed) this.disconnect(connection)
    else this.idle.push(connection)
    this.leave()
  }

  private drop(connection: DuckDBConnection): void {
    this.disconnect(connection)
    this.leave()
  }

  private disconnect(connection: DuckDBConnection): void {
    this.open.delete(connection)
    connection.closeSync()
  }

  private leave(): void {
    if (--this.users > 0 || !this.closed) return
    if (this.closing) clearInterval(this.closing)
    this.instance.closeSync()
  }
}

/** The span of a statement. Its text is left out: it may hold what a caller asked for. */
const statementSpan = (sql: string) =>
  currentSpan()?.child('DuckDB', {
    'db.system.name': 'duckdb',
    'db.operation.name': /^\s*([A-Za-z]+)/.exec(sql)?.[1]?.toUpperCase(),
  })

const isClosed = () => new Error('the database is closed')

/** How often what still runs in a closed database is interrupted: one between two of its tasks misses it. */
const AGAIN_MS = 20

/** A statement admitted by `admitStatement`: the text, and the SELECT that it is or explains. */
export interface AdmittedStatement {
  readonly text: string
  readonly select: string
}

/** Prepares a statement that DuckDB must itself classify as a SELECT or, for an explanation, an EXPLAIN. */
async function prepareAdmitted(
  connection: DuckDBConnection,
  { text, select }: AdmittedStatement,
): Promise<DuckDB.DuckDBPreparedStatement> {
  const prepared = await connection.prepare(select)
  if (prepared.statementType !== StatementType.SELECT) throw notSelect()
  if (text === select) return prepared
  const explain = await connection.prepare(text)
  if (explain.statementType !== StatementType.EXPLAIN) throw notSelect()
  return explain
}

/** Throws if a value belongs to nothing in the statement: DuckDB does not say which. */
function checkNames(
  prepared: DuckDB.DuckDBPreparedStatement,
  values: readonly SqlValue[] | Readonly<Record<string, SqlValue>>,
): void {
  const { parameterCount } = prepared
  if (Array.isArray(values)) {
    if (values.length > parameterCount)
      throw new QueryError(
        'INVALID_SQL',
        `params has ${values.length} values, the statement takes ${parameterCount}`,
      )
    return
  }
  for (const name of Object.keys(values))
    try {
      prepared.parameterIndex(name)
    } catch {
      throw new QueryError(
        'INVALID_SQL',
        `params has ${name.slice(0, 100)}, which the statement does not use`,
      )
    }
}

const notSelect = () => new QueryError('INVALID_SQL', 'only SELECT and EXPLAIN of one are allowed')

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`
/** A text as SQL. A NUL, as the name of a member of a damaged zip may hold, would end the statement. */
export const literal = (text: string): string =>
  text.includes('\0')
    ? `(${text.split('\0').map(literal).join(' || chr(0) || ')})`
    : `'${text.replaceAll("'", "''")}'`
