import type { SqlValue } from '../../engine/database.ts'
import { invalid, QueryError } from '../../engine/errors.ts'
import { type Lake, openLake } from '../../engine/lake/lake.ts'
import { type Manifest, readCurrent, readManifest } from '../../engine/lake/snapshot.ts'
import { isCivilDate } from '../../engine/params.ts'
import { type SqlFormat, sqlFormats } from './messages.ts'
import { openPrepared, type PreparedDay } from './prepared.ts'
import type { Coverage } from './visible.ts'
import { startWorker, type Worker } from './worker.ts'

export interface Limits {
  /** Milliseconds from question to answer, whatever it waits for. */
  readonly timeout: number
  /** Megabytes of DuckDB in one process. */
  readonly memory: number
  readonly threads: number
  readonly rows: number
  readonly bytes: number
  /** Statements at the same time, and how many more may wait. */
  readonly running: number
  readonly waiting: number
}

export const defaultLimits: Limits = {
  timeout: 5000,
  memory: 512,
  threads: 2,
  rows: 10_000,
  bytes: 16 * 2 ** 20,
  running: 2,
  waiting: 16,
}

/** Longest statement, characters. */
export const LONGEST = 100_000

export interface SqlQuestion {
  readonly sql: string
  /** By position (`?`, `$1`) or by name (`$ticker`). */
  readonly params?: readonly SqlValue[] | Readonly<Record<string, SqlValue>>
  readonly asOf?: string | undefined
  /** Rows to stop at; without it more rows than the limit are an error. */
  readonly limit?: number | undefined
  readonly format?: SqlFormat
  readonly coverage?: Coverage
  readonly signal?: AbortSignal
}

export interface SqlAnswer {
  readonly columns: readonly { readonly name: string; readonly kind: string }[]
  /** Of format `json`. */
  readonly rows: readonly Record<string, unknown>[]
  /** Of every other format. */
  readonly bytes: Uint8Array | null
  readonly rowCount: number
  /** `limit` left rows out. */
  readonly truncated: boolean
  readonly milliseconds: number
  readonly snapshot: string
  readonly asOf: string
}

export interface SqlRunner {
  readonly limits: Limits
  /** Waits until the tables of a question are there, however long that takes: what is wrong with the lake is thrown. */
  prepare(question: Pick<SqlQuestion, 'asOf' | 'coverage' | 'signal'>): Promise<void>
  run(question: SqlQuestion): Promise<SqlAnswer>
  close(): void
}

export interface SqlOptions {
  readonly lake: string | Lake
  readonly limits?: Partial<Limits>
  /** Where database files are made from snapshots; a folder of the system's own if not said. */
  readonly folder?: string
  /** Whose tables are made before anybody asks; `standard` if not said. */
  readonly first?: Coverage
}

/** Statements of strangers, each in a process that can be killed: every one settles within the time limit. */
export async function openSqlRunner(options: SqlOptions): Promise<SqlRunner> {
  const limits = { ...defaultLimits, ...options.limits }
  const lake = typeof options.lake === 'string' ? await openLake(options.lake) : options.lake
  const prepared = await openPrepared(lake, options.folder)
  const pool = openPool(limits)
  let manifest: Manifest | null = null
  let served: Manifest | null = null

  async function current(): Promise<Manifest> {
    const id = await readCurrent(lake)
    if (id === null) throw new QueryError('NOT_READY', 'the lake has no snapshot yet: run "tranche build"')
    if (manifest?.id !== id) manifest = await readManifest(lake, id)
    return manifest
  }

  /** The file to ask. While that of a new snapshot is made, the one before goes on answering. */
  async function fileFor(asOf: string | undefined, coverage: Coverage) {
    const newest = await current()
    const day = dayOf(newest, asOf)
    const wanted: PreparedDay = { snapshot: newest.id, day, coverage }
    const answers = (of: Manifest, file: string) => ({ file, snapshot: of.id, asOf: day ?? of.as_of! })
    if (day === null && served && served.id !== newest.id && !prepared.ready(wanted)) {
      const older = prepared.ready({ ...wanted, snapshot: served.id })
      prepared.file(wanted).catch(() => {})
      if (older) return answers(served, older)
    }
    const file = await prepared.file(wanted)
    if (day === null) served = newest
    return answers(newest, file)
  }

  // Over HTTP Pro asks first, and sees the standard companies; what is wrong with the lake is said to those who ask.
  fileFor(undefined, options.first ?? 'standard').catch(() => {})

  return {
    limits,
    async prepare({ asOf, coverage = 'all', signal }) {
      signal?.throwIfAborted()
      const left = new Promise<never>((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
      })
      await Promise.race([fileFor(asOf, coverage), left])
    },
    async run(question) {
      check(question)
      const started = performance.now()
      const { coverage = 'all', format = 'json', limit = null, params = [], sql, signal } = question
      const deadline = new Deadline(limits.timeout, signal)
      let worker: Worker | null = null
      try {
        const from = await deadline.wait(fileFor(question.asOf, coverage), () => notPrepared(question.asOf))
        await deadline.wait(pool.enter(deadline), () => busy())
        const taking = pool.take(from.file)
        try {
          worker = await deadline.wait(taking, () => busy())
          const done = await deadline.wait(
            worker.run({
              kind: 'run',
              sql,
              params,
              limit,
              maxRows: limits.rows,
              maxBytes: limits.bytes,
              format,
              about: { snapshot: from.snapshot, as_of: from.asOf },
            }),
            () => tooSlow(limits.timeout),
          )
          const { columns, rowCount, truncated, bytes } = done
          return {
            columns,
            rows: format === 'json' ? JSON.parse(Buffer.from(bytes).toString()).data : [],
            bytes: format === 'json' ? null : bytes,
            rowCount,
            truncated,
            milliseconds: Math.round(performance.now() - started),
            snapshot: from.snapshot,
            asOf: from.asOf,
          }
        } finally {
          if (deadline.passed) worker?.kill()
          // One that is still starting keeps its place until it has started: no more are started meanwhile.
          taking.then(pool.leave, () => pool.leave(null))
        }
      } finally {
        deadline.clear()
      }
    },
    close() {
      pool.close()
      prepared.close()
    },
  }
}

/** The processes: those in use, those that have a file open and wait, and a fresh one that has none. */
function openPool(limits: Limits) {
  const idle: Worker[] = []
  const queue: (() => void)[] = []
  let running = 0
  let closed = false
  let spare = startWorker(limits)
  const all = new Set<Worker>([spare])

  const fresh = (): Worker => {
    const worker = startWorker(limits)
    all.add(worker)
    return worker
  }
  const drop = (worker: Worker) => {
    all.delete(worker)
    worker.kill()
  }
  return {
    /** Waits for a place; leaves the queue when the deadline passes. */
    enter(deadline: Deadline): Promise<void> {
      if (closed) return Promise.reject(new Error('the SQL runner is closed'))
      if (running < limits.running) {
        running++
        return Promise.resolve()
      }
      if (queue.length >= limits.waiting) return Promise.reject(busy())
      return new Promise(resolve => {
        const go = () => {
          running++
          resolve()
        }
        queue.push(go)
        deadline.onPass(() => {
          const at = queue.indexOf(go)
          if (at >= 0) queue.splice(at, 1)
        })
      })
    },
    async take(file: string): Promise<Worker> {
      for (let i = idle.length - 1; i >= 0; i--) if (idle[i]!.gone) drop(idle.splice(i, 1)[0]!)
      const at = idle.findIndex(worker => worker.file === file)
      if (at >= 0) return idle.splice(at, 1)[0]!
      const worker = spare.gone ? fresh() : spare
      if (spare.gone) drop(spare)
      spare = fresh()
      while (idle.length >= limits.running) drop(idle.shift()!)
      try {
        await worker.open(file)
      } catch (error) {
        drop(worker)
        throw error
      }
      return worker
    },
    leave(worker: Worker | null): void {
      running--
      if (worker && !worker.gone && !worker.worn && !closed) idle.push(worker)
      else if (worker) drop(worker)
      queue.shift()?.()
    },
    close(): void {
      closed = true
      for (const worker of all) drop(worker)
    },
  }
}

/** One moment by which a question is answered, and the caller's own wish to stop. */
class Deadline {
  passed = false
  private readonly timer: NodeJS.Timeout
  private readonly signal: AbortSignal | undefined
  private readonly waiting = new Set<() => void>()

  constructor(timeout: number, signal: AbortSignal | undefined) {
    this.timer = setTimeout(this.pass, timeout)
    this.signal = signal
    if (signal?.aborted) this.pass()
    signal?.addEventListener('abort', this.pass, { once: true })
  }

  private readonly pass = (): void => {
    this.passed = true
    for (const tell of [...this.waiting]) tell()
  }

  onPass(tell: () => void): void {
    this.waiting.add(tell)
  }

  /** What was promised, unless the moment comes first. */
  wait<T>(promise: Promise<T>, late: () => Error): Promise<T> {
    return new Promise((resolve, reject) => {
      const tell = () => reject(this.signal?.aborted ? this.signal.reason : late())
      if (this.passed) tell()
      this.waiting.add(tell)
      promise.then(resolve, reject).finally(() => this.waiting.delete(tell))
    })
  }

  clear(): void {
    clearTimeout(this.timer)
    this.signal?.removeEventListener('abort', this.pass)
  }
}

const busy = () =>
  new QueryError('OVERLOADED', 'too many statements are running: ask again later', { retry_after: 1 })

const tooSlow = (timeout: number) =>
  new QueryError('QUERY_TIMEOUT', `the statement ran past its limit of ${timeout} ms and was stopped`, {
    timeout_ms: timeout,
  })

const notPrepared = (asOf: string | undefined) =>
  new QueryError(
    'NOT_READY',
    `the tables ${asOf ? `as of ${asOf} ` : ''}are being prepared for SQL: ask again in a few seconds`,
    { retry_after: 3 },
  )

/** The day to derive; null for the tables of the snapshot as they were published. */
function dayOf({ as_of, options }: Manifest, asked: string | undefined): string | null {
  const own = as_of!
  if (asked === undefined) return null
  if (!isCivilDate(asked)) throw invalid('as_of', asked, 'as_of must be a day that exists, YYYY-MM-DD')
  if (asked > own)
    throw invalid('as_of', asked, `as_of is after the snapshot's as-of date ${own}`, { max: own })
  const earliest = options['earliest'] as string | null
  if (earliest !== null && asked < earliest)
    throw new QueryError(
      'NO_SNAPSHOT',
      `nothing in the lake was known by ${asked}: the first day is ${earliest}`,
      { earliest },
    )
  // Rows that do not say when they were known are in the snapshot, and in no day that is asked about.
  return asked === own && !options['undated_rows'] ? null : asked
}

function check({ sql, params = [], format = 'json' }: SqlQuestion): void {
  if (sql.trim() === '') throw new QueryError('INVALID_SQL', 'there is no statement: give one SELECT')
  if (sql.length > LONGEST)
    throw invalid('sql', sql.length, `sql is longer than ${LONGEST} characters`, { max: LONGEST })
  if (sql.includes('\0') || !sql.isWellFormed())
    throw new QueryError('INVALID_SQL', 'the statement holds characters that are not text')
  const bad = Object.entries(params).find(([, v]) => typeof v === 'object' && v !== null)
  if (bad)
    throw invalid('params', '[object]', `params: ${bad[0]} must be text, a number, true, false or null`)
  if (!sqlFormats.includes(format))
    throw invalid('format', format, `format must be one of ${sqlFormats.join(', ')}`, { allowed: sqlFormats })
}
