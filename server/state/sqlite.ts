import { closeSync, openSync, statSync } from 'node:fs'
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
import { cachedPerTick } from '../../engine/base/cached-per-tick.ts'
import { QueryError } from '../../engine/base/errors.ts'
import { type HeaderFile, openHeader } from './header-file.ts'
import { type Store, stateDamaged, stateUnavailable } from './store.ts'
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
  let header: HeaderFile | undefined
  try {
    checkLeftovers(path)
    makePrivate(path)
    const file = fileAt(path)
    header = openHeader(path)
    const opened = header
    const database = new Libsql(path)
    await whenFree(() => database.pragma('journal_mode = WAL'))
    // The first look opens the other files of the database.
    await whenFree(() => database.prepare('select count(*) from sqlite_master').all())
    const checkIdentity = identityOf(path, file)
    checkIdentity()
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
      checkIdentity,
      checkFile: () => checkHeader(path, opened),
      explain,
      close: () => db.destroy().finally(() => opened.close()),
    }
  } catch (error) {
    header?.close()
    throw explain(error) ?? error
  }
}

/** Counts changes: those that other connections have committed, and those that are added. */
function counting(database: Libsql.Database) {
  const version = database.prepare('pragma data_version').raw()
  const look = cachedPerTick(() => (version.get() as [number])[0])
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

/** Device and inode of the file that a path names; null where there is none. */
function fileAt(path: string): string | null {
  const info = statSync(path, { throwIfNoEntry: false })
  return info ? `${info.dev}:${info.ino}` : null
}

/** What SQLite keeps beside a database that is open: its newest changes, and the locks on them. */
const COMPANIONS = ['-wal', '-shm']
/** How long a look at those is good: the file itself is looked at in every turn of the event loop. */
const COMPANIONS_MS = 50

/**
 * Throws where a path names another file than the one that was opened. SQLite goes on writing to a file that was
 * deleted or replaced, while every process that starts later uses the file at the path.
 */
function identityOf(path: string, opened: string | null): () => void {
  const companions = () => COMPANIONS.map(end => fileAt(path + end)).join(' ')
  const beside = companions()
  let lookedAt = performance.now()
  const look = cachedPerTick(() => {
    const found = fileAt(path)
    if (found !== opened) return found === null ? MISSING : REPLACED
    if (performance.now() < lookedAt + COMPANIONS_MS) return null
    if (companions() !== beside) return COMPANION_REPLACED
    lookedAt = performance.now()
    return null
  })
  return () => {
    const found = look()
    if (found) throw stateUnavailable(found.reason, `state store ${path}: ${found.says}`)
  }
}

const MISSING = {
  reason: 'missing',
  says: 'the file was deleted while in use: put it back; or stop the server, and delete what is left of it (-wal, -shm) to begin with an empty one',
} as const
const REPLACED = {
  reason: 'replaced',
  says: 'the file was replaced while in use: restart the server to use the new one, or put the old one back',
} as const
const COMPANION_REPLACED = {
  reason: 'replaced',
  says: 'its -wal or -shm file was deleted or replaced while in use: restart the server',
} as const

/**
 * Throws where a database is gone and its companions are not. A server may have them open still, and would share them
 * with a new database of the same name. The companions are looked at first: whoever makes a database makes them later.
 */
function checkLeftovers(path: string): void {
  const left = COMPANIONS.filter(end => fileAt(path + end) !== null)
  if (left.length === 0 || (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0) return
  const names = left.map(end => path + end).join(' and ')
  throw stateUnavailable(
    'missing',
    `state store ${path}: the file was deleted, and ${names} left: put it back; or stop the server that uses it and delete those too, to begin with an empty one`,
  )
}

const MAGIC = 'SQLite format 3\0'

/** Throws where the file does not begin as a SQLite database does: it was cut or written over while in use. */
function checkHeader(path: string, header: HeaderFile): void {
  if (header.read(MAGIC.length).toString('latin1') !== MAGIC)
    throw stateDamaged(`state store ${path}: ${DAMAGED}`)
}

const DAMAGED =
  'is damaged: stop the server, move the file away with its -wal and -shm, and restore it from a backup'

const LOCKED = 'another process keeps it locked: end that process ("fuser FILE" names it), then try again'

const advice: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such folder',
  ENOTDIR: 'there is no such folder',
  EISDIR: 'it is a folder: name a file with --state',
  EACCES:
    'there is no permission to read and write it: check its owner and permissions, and those of its folder',
  EROFS: 'the disk is read-only; name a file elsewhere with --state',
  ENOSPC: 'the disk is full',
  SQLITE_FULL: 'the disk is full',
  SQLITE_IOERR: 'the disk cannot be read or written',
  SQLITE_READONLY:
    'it is read-only: check its owner and permissions, those of its folder, and that the disk is writable',
  SQLITE_CANTOPEN: 'it cannot be opened: check its owner and permissions, and those of its folder',
}

function explained(path: string, error: unknown): QueryError | null {
  if (error instanceof QueryError) return error
  const code = codeOf(error)
  const where = `state store ${path}`
  if (code === 'SQLITE_NOTADB')
    return stateDamaged(
      `${where}: is not a SQLite database: name another file with --state, or restore this one`,
    )
  if (code.startsWith('SQLITE_CORRUPT')) return stateDamaged(`${where}: ${DAMAGED}`)
  if (/^SQLITE_(BUSY|LOCKED)/.test(code))
    return stateUnavailable('locked', `${where}: ${LOCKED.replace('FILE', path)}`)
  const cannotOpen = error instanceof Error && error.message.startsWith('ConnectionFailed')
  const key = cannotOpen
    ? isFolder(path)
      ? 'EISDIR'
      : 'SQLITE_CANTOPEN'
    : Object.keys(advice).find(c => code === c || code.startsWith(`${c}_`))
  return key ? new QueryError('STORAGE_FAILED', `${where}: ${advice[key]}`, { code: key }) : null
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
