import { closeSync, openSync } from 'node:fs'
import { setImmediate as nextTurn, setTimeout } from 'node:timers/promises'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteDialect,
  sql,
} from 'kysely'
import Libsql from 'libsql'
import { damaged, QueryError } from '../../engine/errors.ts'
import { onceATurn } from '../../engine/once-a-turn.ts'
import type { Store } from './store.ts'
import type { Tables } from './tables.ts'

type Statement = ReturnType<Libsql.Database['prepare']>

interface Prepared {
  readonly statement: Statement
  /** Gives rows. */
  readonly reads: boolean
}

const begin = CompiledQuery.raw('begin immediate')
const commit = CompiledQuery.raw('commit')

/** How long one statement waits for other processes that write. */
const PATIENCE_MS = 10_000

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '')

/** SQLite's own way of waiting would put the whole process to sleep. */
async function whenFree<T>(work: () => T): Promise<T> {
  const until = performance.now() + PATIENCE_MS
  for (let attempt = 0; ; attempt++) {
    try {
      return work()
    } catch (error) {
      if (!codeOf(error).startsWith('SQLITE_BUSY') || performance.now() > until) throw error
    }
    await (attempt < 5 ? nextTurn() : setTimeout(1 + Math.random() * Math.min(attempt, 20)))
  }
}

/** Statements that are kept prepared; the shapes of our statements are fewer. */
const STATEMENTS = 200

class Connection implements DatabaseConnection {
  readonly #database: Libsql.Database
  readonly #statements = new Map<string, Prepared>()

  constructor(database: Libsql.Database) {
    this.#database = database
  }

  executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    return whenFree(() => {
      const { statement, reads } = this.#prepare(sql)
      if (reads) return { rows: statement.all(parameters as unknown[]) as R[] }
      return { rows: [], numAffectedRows: BigInt(statement.run(parameters as unknown[]).changes) }
    })
  }

  // biome-ignore lint/correctness/useYield: nothing here is streamed
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('statements of the state store are not streamed')
  }

  #prepare(text: string): Prepared {
    const known = this.#statements.get(text)
    if (known) return known
    const statement = this.#database.prepare(text)
    const made = { statement, reads: statement.reader }
    if (this.#statements.size >= STATEMENTS) this.#statements.clear()
    this.#statements.set(text, made)
    return made
  }
}

/** One connection, lent to one transaction after the other in the order in which they asked. */
class LibsqlDriver implements Driver {
  readonly #database: Libsql.Database
  readonly #connection: Connection
  #last: Promise<void> = Promise.resolve()
  #free: () => void = () => {}

  constructor(database: Libsql.Database) {
    this.#database = database
    this.#connection = new Connection(database)
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const before = this.#last
    let free = () => {}
    this.#last = new Promise(resolve => {
      free = resolve
    })
    await before
    this.#free = free
    return this.#connection
  }

  async releaseConnection(): Promise<void> {
    this.#free()
  }

  /** The right to write is taken at once: one that is asked for later is refused when another process has written. */
  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(begin)
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(commit)
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // Where the disk failed SQLite has rolled back by itself, and another rollback would hide that failure.
    if (this.#database.inTransaction) await connection.executeQuery(CompiledQuery.raw('rollback'))
  }

  async destroy(): Promise<void> {
    this.#database.close()
  }
}

class LibsqlDialect extends SqliteDialect {
  readonly #database: Libsql.Database

  constructor(database: Libsql.Database) {
    super({ database: database as never })
    this.#database = database
  }

  override createDriver(): Driver {
    return new LibsqlDriver(this.#database)
  }
}

export async function openSqlite(path: string): Promise<Store> {
  const explain = (error: unknown) => explained(path, error)
  try {
    makePrivate(path)
    const database = new Libsql(path)
    await whenFree(() => database.pragma('journal_mode = WAL'))
    // Commits are in the hands of the system, which is enough when a process is killed. Waiting for the disk at each
    // request would cost a hundred times as much as the commit; `durably` waits.
    database.pragma('synchronous = NORMAL')
    database.pragma('foreign_keys = ON')
    const db = new Kysely<Tables>({ dialect: new LibsqlDialect(database) })
    const changes = counting(database)
    return {
      kind: 'sqlite',
      db,
      words: { serial: 'integer primary key autoincrement', bytes: 'blob', jsonArray: 'json_group_array' },
      each: json => sql`json_each(${json})`,
      transaction: work => db.transaction().execute(work),
      durably: work =>
        db.connection().execute(async one => {
          await sql`pragma synchronous = full`.execute(one)
          try {
            return await one.transaction().execute(work)
          } finally {
            changes.add()
            await sql`pragma synchronous = normal`.execute(one)
          }
        }),
      changes: changes.count,
      prepareTables: async () => {},
      explain,
      close: () => db.destroy(),
    }
  } catch (error) {
    throw explain(error) ?? error
  }
}

/** Counts changes: those that other connections have committed, and those that are added. */
function counting(database: Libsql.Database) {
  const version = database.prepare('pragma data_version').raw()
  const look = onceATurn(() => (version.get() as [number])[0])
  let changes = 0
  let last: unknown
  return {
    count() {
      const now = look()
      if (now !== last) changes++
      last = now
      return changes
    },
    add() {
      changes++
    },
  }
}

/** SQLite gives its other files the permissions of this one. */
function makePrivate(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

const advice: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such folder',
  ENOTDIR: 'there is no such folder',
  EACCES: 'there is no permission to write here',
  EROFS: 'the disk is read-only; name a file elsewhere with --state',
  ENOSPC: 'the disk is full',
  SQLITE_FULL: 'the disk is full',
  SQLITE_IOERR: 'the disk cannot be read or written',
  SQLITE_READONLY: 'there is no permission to write it',
  SQLITE_CANTOPEN: 'it cannot be opened',
  SQLITE_BUSY: 'other processes keep it busy: try again',
  SQLITE_LOCKED: 'other processes keep it busy: try again',
}

function explained(path: string, error: unknown): QueryError | null {
  const code = codeOf(error)
  const where = `state store ${path}`
  if (code === 'SQLITE_NOTADB')
    return damaged(where, 'is not a SQLite database: name another file with --state')
  if (code.startsWith('SQLITE_CORRUPT')) return damaged(where, 'is damaged: restore it from a copy')
  const cannotOpen = error instanceof Error && error.message.startsWith('ConnectionFailed')
  const key = cannotOpen
    ? 'SQLITE_CANTOPEN'
    : Object.keys(advice).find(c => code === c || code.startsWith(`${c}_`))
  return key ? new QueryError('STORAGE_FAILED', `${where}: ${advice[key]}`, { code: key }) : null
}
