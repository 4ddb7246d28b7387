import { randomUUID } from 'node:crypto'
import {
  accessSync,
  closeSync,
  constants,
  fsyncSync,
  openSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
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
  /** Returns rows. */
  readonly reads: boolean
}

const begin = CompiledQuery.raw('begin immediate')
const commit = CompiledQuery.raw('commit')

/** How long a statement waits for other writing processes. */
const PATIENCE_MS = 10_000

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '')

/** SQLite's own waiting would block the whole process. */
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

/** Cached prepared statements; there are fewer distinct ones. */
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

/** One connection, used by one transaction after the other in the order requested. */
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

  /** The write lock is taken at once: upgrading later fails if another process has written. */
  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(begin)
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(commit)
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // If the disk failed, SQLite has rolled back by itself, and another rollback would hide that failure.
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
  const explain = (error: unknown) => explainedSqlite(path, error)
  let header: HeaderFile | undefined
  try {
    checkLeftovers(path)
    makePrivate(path)
    const file = fileAt(path)
    header = openHeader(path)
    const opened = header
    const database = new Libsql(path)
    await whenFree(() => database.pragma('journal_mode = WAL'))
    // The first read opens the database's other files.
    await whenFree(() => database.prepare('select count(*) from sqlite_master').all())
    const checkIdentity = identityOf(path, file)
    checkIdentity()
    // Commits are left to the system, which suffices if a process is killed. Waiting for the disk at each request
    // would cost a hundred times as much as the commit; `durably` waits.
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

/** Counts changes: commits of other connections, and those added. */
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

/** Device and inode of a path's file; null if there is none. */
function fileAt(path: string): string | null {
  const info = statSync(path, { throwIfNoEntry: false })
  return info ? `${info.dev}:${info.ino}` : null
}

/** The companion files of an open database: its newest changes, and the locks on them. */
const COMPANIONS = ['-wal', '-shm']
/** How long a check of those is valid; the file itself is checked on every tick of the event loop. */
const COMPANIONS_MS = 50

/**
 * Throws if a path refers to another file than the opened one. SQLite keeps writing to a deleted or replaced file,
 * while later processes use the file at the path.
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
  says: 'the file was deleted while in use: put it back; or stop the server and delete its remaining files (-wal, -shm) to start with an empty one',
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
 * Throws if a database is missing but its companion files exist. A server may still have them open, and would share
 * them with a new database of the same name. The companions are checked first: a new database creates them later.
 */
function checkLeftovers(path: string): void {
  const left = COMPANIONS.filter(end => fileAt(path + end) !== null)
  if (left.length === 0 || (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0) return
  const names = left.map(end => path + end).join(' and ')
  throw stateUnavailable(
    'missing',
    `state store ${path}: the file was deleted, but ${names} remain: put it back; or stop the server that uses it and delete those too, to start with an empty one`,
  )
}

const MAGIC = 'SQLite format 3\0'

/** Throws if the file lacks SQLite's header: it was truncated or overwritten while in use. */
function checkHeader(path: string, header: HeaderFile): void {
  if (header.read(MAGIC.length).toString('latin1') !== MAGIC)
    throw stateDamaged(`state store ${path}: ${DAMAGED}`)
}

const DAMAGED =
  'is damaged: stop the server, move the file away with its -wal and -shm, and restore it from a backup'

const LOCKED = 'another process keeps it locked: end that process ("fuser FILE" shows it), then try again'

const advice: Readonly<Record<string, string>> = {
  ENOENT: 'no such folder',
  ENOTDIR: 'no such folder',
  EISDIR: 'it is a folder: give a file with --state',
  EACCES: 'no permission to read and write it: check its owner and permissions, and those of its folder',
  EROFS: 'the disk is read-only; choose a file elsewhere with --state',
  ENOSPC: 'the disk is full',
  EMFILE: 'too many files are open: raise the limit (ulimit -n, LimitNOFILE)',
  ENFILE: 'too many files are open on this machine',
  SQLITE_FULL: 'the disk is full',
  SQLITE_IOERR: 'the disk cannot be read or written',
}

/** A failure of SQLite as one that an operator can act on; null if it is none. */
export function explainedSqlite(path: string, error: unknown): QueryError | null {
  if (error instanceof QueryError) return error
  const code = codeOf(error)
  const where = `state store ${path}`
  if (code === 'SQLITE_NOTADB')
    return stateDamaged(
      `${where}: is not a SQLite database: choose another file with --state, or restore this one`,
    )
  if (code.startsWith('SQLITE_CORRUPT')) return stateDamaged(`${where}: ${DAMAGED}`)
  if (/^SQLITE_(BUSY|LOCKED)/.test(code))
    return stateUnavailable('locked', `${where}: ${LOCKED.replace('FILE', path)}`)
  const cannotOpen = error instanceof Error && error.message.startsWith('ConnectionFailed')
  const key = cannotOpen
    ? isFolder(path)
      ? 'EISDIR'
      : 'SQLITE_CANTOPEN'
    : [...Object.keys(advice), ...vague].find(c => code === c || code.startsWith(`${c}_`))
  if (!key) return null
  const cause = vague.has(key) ? causeBy(path) : key
  return new QueryError('STORAGE_FAILED', `${where}: ${advice[cause]}`, { code: cause })
}

/** Codes that SQLite gives for a full disk, missing permissions and failing hardware alike. */
const vague: ReadonlySet<string> = new Set(['SQLITE_IOERR', 'SQLITE_READONLY', 'SQLITE_CANTOPEN'])

/** What a write beside the file and the rights to it show as the cause. */
function causeBy(path: string): string {
  try {
    const probe = `${path}.${randomUUID().slice(0, 8)}.probe`
    const file = openSync(probe, 'wx', 0o600)
    try {
      // Unlinked at once, so that nothing is left of it.
      unlinkSync(probe)
      writeSync(file, Buffer.alloc(4096))
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    accessSync(path, constants.R_OK | constants.W_OK)
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EDQUOT') return 'ENOSPC'
    if (code === 'EPERM') return 'EACCES'
    if (code in advice) return code
  }
  return 'SQLITE_IOERR'
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
