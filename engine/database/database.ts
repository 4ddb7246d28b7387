import { createRequire } from 'node:module'
import type * as DuckDB from '@duckdb/node-api'
import type {
  DuckDBConnection,
  DuckDBDataChunk,
  DuckDBInstance,
  DuckDBMaterializedResult,
  DuckDBResult,
  DuckDBType,
  DuckDBValue,
  DuckDBVector,
} from '@duckdb/node-api'
import { QueryError } from '../base/errors.ts'
import { yieldToEventLoop } from '../base/event-loop.ts'
import { exactDecimal, exactJson, setMember } from '../base/exact-number.ts'
import { memoryShare } from '../base/machine.ts'
import { newSpillFolder } from './spill-folder.ts'

// Node takes longer to find out what an `import` of CommonJS would give than to load all of it.
const duckdb: typeof DuckDB = createRequire(import.meta.url)('@duckdb/node-api')
const {
  BOOLEAN,
  DATE,
  DOUBLE,
  DuckDBArrayVector,
  DuckDBDateValue,
  DuckDBDecimalType,
  DuckDBDecimalValue,
  DuckDBListVector,
  DuckDBMapVector,
  DuckDBScalarFunction,
  DuckDBStructVector,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBUnionVector,
  StatementType,
  VARCHAR,
} = duckdb

/** Anything DuckDB takes as a parameter; dates and lists go as text and are cast in the SQL. */
export type SqlValue = string | number | bigint | boolean | null

/** One chunk of a result, column by column. Values are as DuckDB gives them; see `plain`. */
export interface Chunk {
  readonly rowCount: number
  readonly columns: readonly (readonly unknown[])[]
}

export interface Result {
  readonly names: readonly string[]
  readonly types: readonly string[]
  readonly chunks: AsyncIterable<Chunk>
}

export interface DatabaseOptions {
  /** A database file; in memory if not said. */
  readonly file?: string
  readonly readOnly?: boolean
  readonly memory?: string
  readonly threads?: number
  /** Where DuckDB may spill: a folder of this process if not said; null keeps large sorts and joins in memory. */
  readonly temp?: string | null
  /** Interrupts every statement that runs, or begins to, once it is aborted. */
  readonly signal?: AbortSignal | undefined
}

export interface RunOptions {
  /** Milliseconds after which the statement is interrupted and QUERY_TIMEOUT is thrown. */
  readonly timeout?: number
  /** Moment of `performance.now()` at which that happens; `timeout` after the statement begins if not said. */
  readonly deadline?: number | undefined
  readonly signal?: AbortSignal | undefined
}

const scalarTypes = { DOUBLE, DATE, VARCHAR, BOOLEAN }

/** Numbers, or days since 1970, with NaN for null; texts and truths with null for null. */
export type ScalarColumn = Float64Array | readonly (string | boolean | null)[]

/** A function for SQL, computed for a chunk of rows at a time. What it throws ends the statement with its message. */
export interface ScalarFunction {
  readonly name: string
  readonly takes: readonly (keyof typeof scalarTypes)[]
  readonly gives: keyof typeof scalarTypes
  /** May return columns longer than `rows`; numbers that are not finite are null. */
  readonly compute: (columns: readonly ScalarColumn[], rows: number) => ScalarColumn
}

/** DuckDB, and the only file that knows it. One instance; connections are pooled per statement. */
export class Database {
  private readonly instance: DuckDBInstance
  private readonly idle: DuckDBConnection[] = []
  private readonly open = new Set<DuckDBConnection>()
  private closed = false

  private readonly signal: AbortSignal | undefined

  private constructor(instance: DuckDBInstance, signal: AbortSignal | undefined) {
    this.instance = instance
    this.signal = signal
  }

  static async create(options: DatabaseOptions = {}): Promise<Database> {
    const config: Record<string, string> = {
      // Never reach for the network: no extension is fetched.
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      preserve_insertion_order: 'true',
      // DuckDB's own default is a folder where the process was started.
      temp_directory: (options.temp === undefined ? await newSpillFolder() : options.temp) ?? '',
    }
    config['memory_limit'] = options.memory ?? memoryShare(0.8)
    if (options.threads) config['threads'] = String(options.threads)
    if (options.readOnly) config['access_mode'] = 'READ_ONLY'
    const instance = await duckdb.DuckDBInstance.create(options.file ?? ':memory:', config)
    return new Database(instance, options.signal)
  }

  /**
   * From here on nothing is reached but these files and what lies below these folders, nothing reaches the network, and
   * settings stay.
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
    await this.use(options, async connection => {
      await connection.run(sql, ...bind(values))
    })
  }

  /** All rows as objects with plain values: numbers, text, ISO dates, booleans, lists, null. */
  async rows<T = Record<string, unknown>>(
    sql: string,
    values: readonly SqlValue[] = [],
    options: RunOptions = {},
  ): Promise<T[]> {
    return this.use(options, async connection => rowsOf<T>(await connection.run(sql, ...bind(values))))
  }

  /** The whole result column by column, plain values. */
  async columns(
    sql: string,
    values: readonly SqlValue[] = [],
    options: RunOptions = {},
  ): Promise<{ names: string[]; types: string[]; columns: unknown[][]; rowCount: number }> {
    return this.use(options, async connection => {
      const result = await connection.run(sql, ...bind(values))
      const types = result.columnTypes()
      const parts: unknown[][][] = types.map(() => [])
      for await (const chunk of chunks(result))
        for (const [j, type] of types.entries()) parts[j]!.push(plainColumn(chunk, j, type))
      return {
        names: result.columnNames(),
        types: types.map(String),
        columns: parts.map(column => (column.length === 1 ? column[0]! : column.flat())),
        rowCount: result.rowCount,
      }
    })
  }

  /** The result in chunks as it is made: memory does not grow with rows. The connection is held until the end. */
  async *stream(
    sql: string,
    values: readonly SqlValue[] = [],
    options: RunOptions = {},
  ): AsyncGenerator<Chunk & { names: readonly string[]; types: readonly string[] }> {
    const connection = await this.take()
    const guard = deadline(connection, { signal: this.signal, ...options })
    try {
      yield* plainChunks(await connection.stream(sql, ...bind(values)))
    } catch (error) {
      throw translate(error, guard)
    } finally {
      guard.clear()
      // A half-read stream leaves the connection busy: it is not used again.
      if (guard.fired) this.drop(connection)
      else this.give(connection)
    }
  }

  /**
   * Runs the statement of a user, as `stream`. DuckDB's own type of the prepared statement is checked again, the transaction cannot write, and the connection serves nothing else: no setting, variable or temporary
   * table outlives it.
   */
  async *query(
    statement: AdmittedStatement,
    values: readonly SqlValue[] | Readonly<Record<string, SqlValue>> = [],
    options: RunOptions = {},
  ): AsyncGenerator<Chunk & { names: readonly string[]; types: readonly string[] }> {
    if (this.closed) throw new Error('the database is closed')
    const connection = await this.instance.connect()
    this.open.add(connection)
    const guard = deadline(connection, options)
    try {
      await connection.run('BEGIN TRANSACTION READ ONLY')
      const prepared = await prepareAdmitted(connection, statement)
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
   * Appends columns to a table; all are `rowCount` long and in the table's column order. Typed arrays go over whole
   * where the column has their type; NaN in a Float64Array is null. A decimal is the whole number of its last place.
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
   * A result of numbers, in parts of about `rows`: one Float64Array a column, NaN for null. Columns must be DOUBLE or
   * INTEGER. Nothing is made a row.
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
        for (let j = 0; j < width; j++) readNumbers(chunk, j, columns[j]!, rowCount)
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
   * Adds a function to SQL. DuckDB calls it from its threads one at a time on that of JavaScript, so that nothing but an
   * `await` may stand between a statement that names it and its result.
   */
  async define({ name, takes, gives, compute }: ScalarFunction): Promise<void> {
    await this.use({}, async connection =>
      connection.registerScalarFunction(
        DuckDBScalarFunction.create({
          name,
          parameterTypes: takes.map(type => scalarTypes[type]),
          returnType: scalarTypes[gives],
          // Null is an argument like another.
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

  /** Interrupts every statement that runs now. One that is between two of its tasks may go on: call again. */
  interrupt(): void {
    if (this.closed) return
    for (const connection of this.open) connection.interrupt()
  }

  close(): void {
    if (this.closed) return
    this.interrupt()
    this.closed = true
    for (const connection of this.open) connection.closeSync()
    this.instance.closeSync()
  }

  private async use<T>(options: RunOptions, work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    const connection = await this.take()
    const guard = deadline(connection, { signal: this.signal, ...options })
    try {
      return await work(connection)
    } catch (error) {
      throw translate(error, guard)
    } finally {
      guard.clear()
      this.give(connection)
    }
  }

  private async take(): Promise<DuckDBConnection> {
    if (this.closed) throw new Error('the database is closed')
    const connection = this.idle.pop() ?? (await this.instance.connect())
    this.open.add(connection)
    return connection
  }

  private give(connection: DuckDBConnection): void {
    if (this.closed) return
    this.idle.push(connection)
  }

  private drop(connection: DuckDBConnection): void {
    this.open.delete(connection)
    if (!this.closed) connection.closeSync()
  }
}

/** A statement that `admitStatement` has let in: the text, and the SELECT that it is or explains. */
export interface AdmittedStatement {
  readonly text: string
  readonly select: string
}

/** Prepares a statement that DuckDB itself must call a SELECT or, where it explains one, an EXPLAIN. */
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

const notSelect = () => new QueryError('INVALID_SQL', 'only SELECT and EXPLAIN of one are allowed')

/** The chunks of a result in plain values; a result without rows is one empty chunk. */
async function* plainChunks(
  result: DuckDBResult,
): AsyncGenerator<Chunk & { names: readonly string[]; types: readonly string[] }> {
  const names = result.columnNames()
  const types = result.columnTypes()
  const typeNames = types.map(String)
  let first = true
  for (;;) {
    const chunk = await result.fetchChunk()
    if (!chunk || chunk.rowCount === 0) break
    first = false
    const columns = types.map((type, j) => plainColumn(chunk, j, type))
    yield { names, types: typeNames, rowCount: chunk.rowCount, columns }
  }
  if (first) yield { names, types: typeNames, rowCount: 0, columns: names.map(() => []) }
}

/** A vector of DuckDB whose values stand in a typed array. */
interface TypedVector {
  readonly items?: Float64Array | Int32Array | Uint8Array
  setItem(index: number, value: null): void
  flush(): void
}

function fill(
  chunk: DuckDBDataChunk,
  j: number,
  column: ArrayLike<unknown>,
  start: number,
  size: number,
): void {
  const vector = chunk.getColumnVector(j) as unknown as TypedVector
  const { items } = vector
  if (items instanceof Float64Array && column instanceof Float64Array) {
    const part = column.subarray(start, start + size)
    items.set(part)
    for (let i = 0; i < size; i++) if (Number.isNaN(part[i]!)) vector.setItem(i, null)
    vector.flush()
  } else if (
    (items instanceof Int32Array && column instanceof Int32Array) ||
    (items instanceof Uint8Array && column instanceof Uint8Array)
  ) {
    items.set(column.subarray(start, start + size))
    vector.flush()
  } else {
    const { type } = chunk.getColumnVector(j)
    const part: DuckDBValue[] = new Array(size)
    for (let i = 0; i < size; i++) part[i] = (column[start + i] ?? null) as DuckDBValue
    if (type instanceof DuckDBDecimalType)
      for (const [i, units] of part.entries())
        if (typeof units === 'bigint') part[i] = new DuckDBDecimalValue(units, type.width, type.scale)
    chunk.setColumnValues(j, part)
  }
}

function readNumbers(chunk: DuckDBDataChunk, j: number, into: Float64Array, at: number): void {
  const vector = chunk.getColumnVector(j) as unknown as ReadVector
  const rows = chunk.rowCount
  const isThere = presence(vector)
  into.set((vector.items as Float64Array | Int32Array).subarray(0, rows), at)
  for (let i = 0; i < rows; i++) if (!isThere(i)) into[at + i] = Number.NaN
}

function scalarColumn(vector: DuckDBVector, rows: number): ScalarColumn {
  const { items, dataView } = vector as unknown as ReadVector
  const isThere = presence(vector as unknown as ReadVector)
  if (dataView && vector.type === VARCHAR) {
    const read = textReader(vector as unknown as ReadVector, dataView, rows)
    return Array.from({ length: rows }, (_, row) => (isThere(row) ? read(row) : null))
  }
  if (!(items instanceof Float64Array || items instanceof Int32Array)) return vector.toArray() as string[]
  const column = Float64Array.from(items)
  for (let i = 0; i < rows; i++) if (!isThere(i)) column[i] = Number.NaN
  return column
}

function putColumn(vector: DuckDBVector, column: ScalarColumn, rows: number): void {
  const { items } = vector as unknown as { items: Float64Array | Int32Array }
  for (let i = 0; i < rows; i++) {
    const value = column[i]!
    if (typeof value !== 'number') vector.setItem(i, value as DuckDBValue)
    else if (Number.isFinite(value)) items[i] = value
    else vector.setItem(i, null as unknown as DuckDBValue)
  }
  vector.flush()
}

/** Statements on one connection. */
export class Session {
  private readonly connection: DuckDBConnection

  constructor(connection: DuckDBConnection) {
    this.connection = connection
  }

  async run(sql: string, values: readonly SqlValue[] = []): Promise<void> {
    await this.connection.run(sql, ...bind(values))
  }

  /** Copies a result of fixed-width columns without nulls into arrays of as many rows and the same width. */
  async fill(sql: string, into: readonly Numbers[], atOnce = MOST_AT_ONCE): Promise<void> {
    const bytes = into.reduce((sum, { byteLength }) => sum + byteLength, 0)
    let at = 0
    const put = (chunk: DuckDBDataChunk) => {
      for (const [j, values] of into.entries()) {
        const { items } = chunk.getColumnVector(j) as unknown as { items: Numbers }
        values.set(items.length === chunk.rowCount ? items : items.subarray(0, chunk.rowCount), at)
      }
      at += chunk.rowCount
    }
    if (bytes <= atOnce) {
      const result = await this.connection.run(sql)
      for (let i = 0; i < result.chunkCount; i++) {
        put(result.getChunk(i))
        if (i % CHUNKS_A_TURN === 0) await yieldToEventLoop()
      }
      return
    }
    const result = await this.connection.stream(sql)
    for (;;) {
      const chunk = await result.fetchChunk()
      if (!chunk || chunk.rowCount === 0) return
      put(chunk)
    }
  }

  async rows<T = Record<string, unknown>>(sql: string, values: readonly SqlValue[] = []): Promise<T[]> {
    return rowsOf<T>(await this.connection.run(sql, ...bind(values)))
  }
}

/** The blocks of a result that DuckDB holds. Where there are several, each has its turn: it is a millisecond's work. */
async function* chunks(result: DuckDBMaterializedResult): AsyncGenerator<DuckDBDataChunk> {
  const { chunkCount } = result
  for (let i = 0; i < chunkCount; i++) {
    if (chunkCount > 1) await yieldToEventLoop()
    yield result.getChunk(i)
  }
}

async function rowsOf<T>(result: DuckDBMaterializedResult): Promise<T[]> {
  const names = result.columnNames()
  const types = result.columnTypes()
  const rows: T[] = []
  for await (const chunk of chunks(result)) {
    const columns = types.map((type, j) => plainColumn(chunk, j, type))
    for (let i = 0; i < chunk.rowCount; i++) {
      const row: Record<string, unknown> = {}
      for (const [j, name] of names.entries()) row[name] = columns[j]![i]
      rows.push(row as T)
    }
  }
  return rows
}

/** Bytes that DuckDB may hold, so that each block is there at once: waiting for one takes as long as reading it. */
const MOST_AT_ONCE = 1 << 27
/** Blocks that are copied before others have their turn: about a millisecond. */
const CHUNKS_A_TURN = 32

/** Takes a result column: where its values go, in the width that DuckDB holds them. */
export type Numbers = Float64Array | Int32Array | Int16Array | Uint32Array | Uint16Array | Uint8Array

interface Guard {
  readonly fired: boolean
  readonly timeout: number
  clear(): void
}

function deadline(connection: DuckDBConnection, options: RunOptions): Guard {
  const { timeout = 0, signal, deadline: moment } = options
  const left = moment === undefined ? timeout : Math.max(1, moment - performance.now())
  const state = { fired: false, timeout, clear }
  // DuckDB forgets an interrupt that arrives between two of its tasks, so it is said until the end.
  let again: NodeJS.Timeout | undefined
  const interrupt = () => {
    state.fired = true
    connection.interrupt()
    again ??= setInterval(() => connection.interrupt(), 20)
  }
  const timer = timeout ? setTimeout(interrupt, left) : undefined
  if (signal?.aborted) interrupt()
  signal?.addEventListener('abort', interrupt, { once: true })
  function clear() {
    clearTimeout(timer)
    clearInterval(again)
    signal?.removeEventListener('abort', interrupt)
  }
  return state
}

function translate(error: unknown, guard: Guard): unknown {
  const message = error instanceof Error ? error.message : String(error)
  if (guard.fired && guard.timeout > 0 && /interrupt/i.test(message))
    return new QueryError(
      'QUERY_TIMEOUT',
      `the statement ran past its limit of ${guard.timeout} ms and was stopped`,
      { timeout_ms: guard.timeout },
    )
  if (/^Out of Memory Error/i.test(message))
    return new QueryError('MEMORY_LIMIT', 'the statement ran out of its memory: ask for less at a time')
  return error
}

/** Values and their types: DuckDB takes a whole number for a BIGINT, also one that no BIGINT holds. */
function bind(values: readonly SqlValue[]): [DuckDBValue[], DuckDBType[]] {
  const typeOf = (value: SqlValue) =>
    typeof value === 'number' && !Number.isSafeInteger(value) ? DOUBLE : undefined
  const types = Array.isArray(values)
    ? values.map(typeOf)
    : Object.fromEntries(Object.entries(values).map(([name, value]) => [name, typeOf(value)]))
  return [values, types] as [DuckDBValue[], DuckDBType[]]
}

/** Days from 1970 on, up to 2149. */
const days: (string | undefined)[] = []
const MOST_DAYS = 1 << 16

/** A day since 1970 as `YYYY-MM-DD`; the days of a lake are few and come again and again. */
export function epochDay(day: number): string {
  const known = days[day]
  if (known !== undefined) return known
  const time = new Date(day * 86_400_000)
  // DuckDB's infinite dates lie outside what a civil date can be.
  const text = Number.isNaN(time.getTime())
    ? day > 0
      ? 'infinity'
      : '-infinity'
    : time.toISOString().split('T')[0]!
  if (day < 0 || day >= MOST_DAYS) return text
  while (days.length <= day) days.push(undefined)
  days[day] = text
  return text
}

/** Whole numbers are numbers as long as they are exact, and stay bigint beyond 2^53. */
const wholeNumber = (value: bigint): number | bigint => {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

/** `2026-01-31T10:30:00Z`, with as many digits of a second as there are. */
export function instant(micros: bigint): string {
  const seconds = micros >= 0n ? micros / 1_000_000n : -((-micros + 999_999n) / 1_000_000n)
  const fraction = micros - seconds * 1_000_000n
  const whole = new Date(Number(seconds) * 1000)
  if (Number.isNaN(whole.getTime())) return micros > 0n ? 'infinity' : '-infinity'
  if (fraction % 1000n !== 0n)
    return whole.toISOString().replace('.000Z', `.${String(fraction).padStart(6, '0')}Z`)
  return new Date(Number(micros / 1000n)).toISOString()
}

/** A vector of a result: values in the width that DuckDB gives them, and a bit a row, set where there is one. Maps have no bits. */
interface ReadVector {
  readonly items?: ArrayLike<number> | BigInt64Array
  readonly dataView?: DataView
  readonly validity?: { readonly data: BigUint64Array | null }
  getItem(row: number): unknown
}

/** Tells whether a row has a value. */
function presence({ validity }: ReadVector): (row: number) => boolean {
  const data = validity?.data
  if (!data) return () => true
  const bits = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  return row => (bits[row >> 3]! & (1 << (row & 7))) !== 0
}

const untouched = /^(DOUBLE|FLOAT|INTEGER|SMALLINT|TINYINT|UINTEGER|USMALLINT|UTINYINT)$/

/** A column of a chunk in plain values, read where they lie. */
function plainColumn(chunk: DuckDBDataChunk, j: number, type: DuckDBType): unknown[] {
  const vector = chunk.getColumnVector(j) as unknown as ReadVector
  const rows = chunk.rowCount
  const isThere = presence(vector)
  const read = reader(vector, String(type), rows)
  const values: unknown[] = new Array(rows)
  for (let i = 0; i < rows; i++) values[i] = isThere(i) ? read(i) : null
  return values
}

/** How the value of a row is read where there is one. */
function reader(vector: ReadVector, type: string, rows: number): (row: number) => unknown {
  const { items, dataView } = vector
  if (items && untouched.test(type)) return row => items[row]
  if (items && type === 'DATE') return row => epochDay(items[row] as number)
  if (items instanceof BigInt64Array && type === 'BIGINT') return wholeReader(items)
  if (dataView && type === 'VARCHAR') return textReader(vector, dataView, rows)
  if (type === 'BIGNUM') return row => String(vector.getItem(row))
  return nestedReader(vector as unknown as DuckDBVector)
}

/**
 * How values of structs, lists, maps and unions are read. The package's own values would lose a member called
 * `__proto__`.
 */
function nestedReader(vector: DuckDBVector): (row: number) => unknown {
  const isThere = presence(vector as unknown as ReadVector)
  if (vector instanceof DuckDBStructVector) {
    const { entryNames } = vector.type as DuckDB.DuckDBStructType
    const members = entryNames.map((name, j) => [name, nestedReader(vector.entryVectorAt(j))] as const)
    return row => {
      if (!isThere(row)) return null
      const struct = {}
      for (const [name, read] of members) setMember(struct, name, read(row))
      return struct
    }
  }
  if (vector instanceof DuckDBListVector) {
    const read = nestedReader(vector.childVector)
    return row =>
      isThere(row)
        ? Array.from({ length: vector.getEntryLength(row) }, (_, k) => read(vector.getEntryOffset(row) + k))
        : null
  }
  if (vector instanceof DuckDBArrayVector) {
    const read = nestedReader((vector as unknown as { childData: DuckDBVector }).childData)
    const { length } = vector.type as DuckDB.DuckDBArrayType
    return row => (isThere(row) ? Array.from({ length }, (_, k) => read(row * length + k)) : null)
  }
  if (vector instanceof DuckDBMapVector) {
    const read = nestedReader((vector as unknown as { listVector: DuckDBVector }).listVector)
    return row => {
      const entries = read(row) as { key: unknown; value: unknown }[] | null
      if (!entries) return null
      const map = {}
      for (const { key, value } of entries)
        setMember(map, typeof key === 'object' ? exactJson(key) : String(key), value)
      return map
    }
  }
  if (vector instanceof DuckDBUnionVector) {
    const { structVector } = vector as unknown as { structVector: DuckDB.DuckDBStructVector }
    const { memberTags } = vector.type as DuckDB.DuckDBUnionType
    const members = memberTags.map((_, j) => nestedReader(structVector.entryVectorAt(j + 1)))
    return row => {
      const tag = structVector.getItemValue(row, 0)
      if (tag === null) return null
      const union = {}
      setMember(union, memberTags[Number(tag)]!, members[Number(tag)]!(row))
      return union
    }
  }
  const { dataView } = vector as unknown as ReadVector
  if (dataView && vector.type === VARCHAR) {
    const read = textReader(vector as unknown as ReadVector, dataView, vector.itemCount)
    return row => (isThere(row) ? read(row) : null)
  }
  return row => plain(vector.getItem(row))
}

/** Whole numbers out of their halves: a bigint is made of those alone that are no exact number. */
function wholeReader(items: BigInt64Array): (row: number) => number | bigint {
  const halves = new Int32Array(items.buffer, items.byteOffset, items.length * 2)
  return row => {
    const number = halves[2 * row + 1]! * 2 ** 32 + (halves[2 * row]! >>> 0)
    return Number.isSafeInteger(number) ? number : items[row]!
  }
}

/**
 * Texts come again and again, and decoding takes long: of each of 256 places the last text is kept. A text is four words,
 * its length and its bytes or, of a long one, the first of them and where it lies: in one chunk same words are same texts.
 */
function textReader(vector: ReadVector, view: DataView, rows: number): (row: number) => string {
  const words = new Uint32Array(view.buffer, view.byteOffset, rows * 4)
  const kept = new Int32Array(256).fill(-1)
  const texts: string[] = []
  const same = (a: number, b: number) =>
    words[a] === words[b] &&
    words[a + 1] === words[b + 1] &&
    words[a + 2] === words[b + 2] &&
    words[a + 3] === words[b + 3]
  return row => {
    const at = row * 4
    const mixed = words[at + 1]! ^ words[at + 2]! ^ Math.imul(words[at + 3]!, 31)
    const place = Math.imul(mixed, 0x9e3779b1) >>> 24
    const before = kept[place]!
    if (before < 0 || !same(before, at)) {
      kept[place] = at
      texts[place] = (beginsWithMark(words, at) ? BYTE_ORDER_MARK : '') + (vector.getItem(row) as string)
    }
    return texts[place]!
  }
}

const BYTE_ORDER_MARK = '\uFEFF'

/** DuckDB's client drops a U+FEFF (EF BB BF) at the start of a text as if it were the byte order mark of a file. */
const beginsWithMark = (words: Uint32Array, at: number): boolean =>
  words[at]! >= 3 && (words[at + 1]! & 0xff_ff_ff) === 0xbf_bb_ef

function plain(value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (typeof value === 'bigint') return wholeNumber(value)
  if (typeof value !== 'object') return value
  if (value instanceof DuckDBDateValue) return epochDay(value.days)
  if (value instanceof DuckDBTimestampValue || value instanceof DuckDBTimestampTZValue)
    return instant(value.micros)
  if (value instanceof DuckDBDecimalValue) return exactDecimal(value.toString())
  return String(value)
}

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`
