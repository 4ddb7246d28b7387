import { elementAt, firstOf } from '../../engine/base/elements.ts'
import { invalid, QueryError } from '../../engine/base/errors.ts'
import { ExactDecimal, parseExactJson } from '../../engine/base/exact-number.ts'
import { childSpan, type Span } from '../../engine/base/spans.ts'
import type { SqlValue } from '../../engine/database/parameters.ts'
import { type Lake, openLake } from '../../engine/lake/lake.ts'
import type { DaysAsked } from '../../engine/operations/panel-days.ts'
import { tablesOverDays } from '../../engine/snapshot/sql-days.ts'
import { fairQueue } from '../limits/fair-queue.ts'
import { defaultLimits, type Limits } from './limits.ts'
import { type Done, type SqlFormat, sqlFormats } from './messages.ts'
import { openPrepared, type Waiter } from './prepared.ts'
import { type FileOfStatement, StatementFiles } from './statement-files.ts'
import type { Coverage } from './visible.ts'
import { startWorker, type Worker } from './worker.ts'

/** Number of keys whose queues may be full at the same time. */
const FULL_QUEUES = 8

/** Maximum characters of a statement. */
export const LONGEST = 100_000

export interface SqlQuestion {
  readonly sql: string
  /** By position (`?`, `$1`) or by name (`$ticker`). */
  readonly params?: readonly SqlValue[] | Readonly<Record<string, SqlValue>>
  readonly asOf?: string | undefined
  /** Instead, several days: each table has its rows as of all of them, led by the column `as_of`. */
  readonly over?: DaysAsked | undefined
  /** Maximum rows to return; without it, more rows than allowed are an error. */
  readonly limit?: number | undefined
  readonly format?: SqlFormat
  /** CSV: escape text that a spreadsheet would run as a formula; default true. */
  readonly csvSafe?: boolean
  readonly coverage?: Coverage
  /** The key that runs the statement: processes are shared fairly by key. */
  readonly key?: string
  /** Aborted when the caller is gone. */
  readonly signal?: AbortSignal
}

export interface SqlAnswer {
  readonly columns: readonly { readonly name: string; readonly kind: string }[]
  /** For format `json`. */
  readonly rows: readonly Record<string, unknown>[]
  /** For every other format. */
  readonly bytes: Uint8Array | null
  readonly rowCount: number
  /** `limit` truncated the result. */
  readonly truncated: boolean
  readonly milliseconds: number
  readonly snapshot: string
  readonly asOf: string
  /** The days of a statement over several, in order; else null. */
  readonly dates: readonly string[] | null
}

export interface SqlRunner {
  readonly limits: Limits
  /** Waits, without a limit, until the tables of a query are ready; throws if the lake is unusable. */
  prepare(question: Pick<SqlQuestion, 'asOf' | 'coverage' | 'signal'>): Promise<void>
  run(question: SqlQuestion): Promise<SqlAnswer>
  close(): void
}

export interface SqlOptions {
  readonly lake: string | Lake
  readonly limits?: Partial<Limits>
  /** Where database files are made from snapshots; default a folder in the system's temporary folder. */
  readonly folder?: string
  /** The coverage whose tables are prepared in advance; default `standard`. */
  readonly first?: Coverage
}

/** Runs untrusted statements, each in a process that can be killed: every one settles within the time limit. */
// Over 80 lines: a statement passes deadline, file, slot and process, each given back in reverse order.
export async function openSqlRunner(options: SqlOptions): Promise<SqlRunner> {
  const limits = { ...defaultLimits, ...options.limits }
  const lake = typeof options.lake === 'string' ? await openLake(options.lake) : options.lake
  const prepared = await openPrepared(lake, options.folder)
  const pool = openPool(limits)
  const slots = fairQueue(
    {
      running: limits.running,
      runningPerKey: limits.runningPerKey ?? Math.max(1, limits.running - 1),
      waitingPerKey: limits.waiting,
      waiting: limits.waiting * FULL_QUEUES,
    },
    busy,
  )
  const files = new StatementFiles(lake, prepared)

  /** The file of the snapshot; of past days that of the tables that a statement names, as others need not be derived. */
  async function fileFor(
    { coverage = 'all', key = '', sql, asOf, over }: SqlQuestion,
    waiter: Waiter,
    deadline: Deadline,
  ): Promise<FileOfStatement> {
    const dates = over ? await files.dates(over, asOf) : null
    if (!dates && !(await files.isPast(asOf))) return files.ofDay(asOf, coverage, waiter)
    const own = await files.ofDay(undefined, coverage, waiter)
    const days = dates ? 'several days' : 'one day'
    const named = await inProcess(own, key, deadline, worker => worker.tables(sql, days))
    if (!dates) {
      deadline.error = () => notPrepared(asOf, limits.timeout)
      return files.ofDay(asOf, coverage, waiter, named)
    }
    const tables = tablesOverDays(named).map(({ table }) => table)
    if (tables.length === 0) return { ...own, dates }
    deadline.error = () =>
      daysNotPrepared(dates.length, files.progress({ dates, tables }, coverage), limits.timeout)
    return files.ofDays({ dates, tables }, coverage, waiter)
  }

  /** What a process with a file does in the turn of a key. */
  async function inProcess<T>(
    { file }: FileOfStatement,
    key: string,
    deadline: Deadline,
    use: (worker: Worker) => Promise<T>,
  ): Promise<T> {
    deadline.error = () => waitedTooLong(limits.timeout)
    const leave = await slots.enter({ key, signal: deadline.signal })
    const taking = pool.take(file)
    let worker: Worker | null = null
    try {
      worker = await deadline.wait(taking)
      deadline.error = () => tooSlow(limits.timeout)
      return await deadline.wait(use(worker))
    } finally {
      if (deadline.signal.aborted) worker?.kill()
      // A starting process keeps its slot until it has started, so that no more are started meanwhile.
      taking.then(pool.give, () => {}).finally(leave)
    }
  }

  // Over HTTP most callers are Pro and see the standard companies; lake problems are reported to callers.
  files.ofDay(undefined, options.first ?? 'standard', { key: '' }).catch(() => {})

  return {
    limits,
    async prepare({ asOf, coverage = 'all', signal }) {
      signal?.throwIfAborted()
      const left = new Promise<never>((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
      })
      await Promise.race([files.ofDay(asOf, coverage, { key: '', caller: signal }), left])
    },
    async run(question) {
      check(question)
      const started = performance.now()
      const { format = 'json', limit = null, params = [], key = '', sql } = question
      const { asOf, csvSafe = true } = question
      const deadline = new Deadline(limits.timeout, question.signal)
      let span: Span | undefined
      try {
        deadline.error = () => notPrepared(asOf, limits.timeout)
        const waiter = { key, signal: deadline.signal, caller: question.signal }
        const from = await deadline.wait(fileFor(question, waiter, deadline))
        const done = await inProcess(from, key, deadline, worker => {
          span = childSpan('SQL process')
          return worker.run({
            kind: 'run',
            sql,
            over: from.dates ? 'several days' : 'one day',
            params,
            limit,
            maxRows: limits.rows,
            maxBytes: limits.bytes,
            format,
            csvSafe,
            about: { snapshot: from.snapshot, as_of: from.asOf },
          })
        })
        span?.set({ 'tranche.rows': done.rowCount })
        return { ...answerOf(done, format), ...from, milliseconds: Math.round(performance.now() - started) }
      } catch (error) {
        span?.end(error)
        throw error
      } finally {
        span?.end()
        deadline.clear()
      }
    },
    close() {
      pool.close()
      prepared.close()
    },
  }
}

type Row = Record<string, unknown>

function answerOf(
  { columns, rowCount, truncated, bytes }: Done,
  format: SqlFormat,
): Pick<SqlAnswer, 'columns' | 'rows' | 'bytes' | 'rowCount' | 'truncated'> {
  const isJson = format === 'json'
  const rows = isJson ? (parseExactJson(Buffer.from(bytes).toString()) as { data: Row[] }).data : []
  return { columns, rows, bytes: isJson ? null : bytes, rowCount, truncated }
}

/** The processes: running, idle with an open file, and a fresh one without. */
function openPool(limits: Limits) {
  const idle: Worker[] = []
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
  /** The spare process, replaced by another. */
  const started = (): Worker => {
    const worker = spare.gone ? fresh() : spare
    if (spare.gone) drop(spare)
    spare = fresh()
    return worker
  }
  return {
    /** An idle process with the file; else one to open it, which is faster than starting another. */
    async take(file: string): Promise<Worker> {
      if (closed) throw new Error('the SQL runner is closed')
      for (let i = idle.length - 1; i >= 0; i--) if (elementAt(idle, i).gone) drop(firstOf(idle.splice(i, 1)))
      const at = idle.findIndex(worker => worker.file === file)
      if (at >= 0) return firstOf(idle.splice(at, 1))
      // Those that are open already and the spare one.
      const reopened = all.size > limits.running ? idle.shift() : undefined
      const worker = reopened ?? started()
      try {
        await worker.open(file)
      } catch (error) {
        drop(worker)
        throw error
      }
      return worker
    },
    /** Returns a process obtained from `take`. */
    give(worker: Worker): void {
      if (!worker.gone && !worker.worn && !closed) idle.push(worker)
      else drop(worker)
    },
    close(): void {
      closed = true
      for (const worker of all) drop(worker)
    },
  }
}

/** The deadline of a query, counted from its arrival; a caller who leaves ends it early. */
class Deadline {
  /** The error thrown at the deadline, naming what the query was waiting for. */
  error: () => Error = () => new Error('the deadline has no error')
  private readonly controller = new AbortController()
  private readonly timer: NodeJS.Timeout
  private readonly caller: AbortSignal | undefined

  constructor(timeout: number, caller: AbortSignal | undefined) {
    this.timer = setTimeout(() => this.controller.abort(this.error()), timeout)
    this.caller = caller
    if (caller?.aborted) this.leave()
    caller?.addEventListener('abort', this.leave, { once: true })
  }

  private readonly leave = (): void => this.controller.abort(this.caller!.reason)

  get signal(): AbortSignal {
    return this.controller.signal
  }

  /** The promise's result, unless the deadline comes first. */
  wait<T>(promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const stop = () => reject(this.signal.reason)
      if (this.signal.aborted) stop()
      this.signal.addEventListener('abort', stop, { once: true })
      promise.then(resolve, reject).finally(() => this.signal.removeEventListener('abort', stop))
    })
  }

  clear(): void {
    clearTimeout(this.timer)
    this.caller?.removeEventListener('abort', this.leave)
  }
}

const busy = () =>
  new QueryError('OVERLOADED', 'too many statements of this key are queued: try again later', {
    retry_after: 1,
  })

const timedOut = (timeout: number, message: string, details: object = {}) =>
  new QueryError('QUERY_TIMEOUT', message, { timeout_ms: timeout, ...details })

const tooSlow = (timeout: number) =>
  timedOut(timeout, `the statement exceeded its limit of ${timeout} ms and was stopped`)

const waitedTooLong = (timeout: number) =>
  timedOut(timeout, `the statement waited ${timeout} ms for others and did not run: try again`)

/** Preparing a day counts against the statement's time; preparing the snapshot does not. */
const notPrepared = (asOf: string | undefined, timeout: number) =>
  asOf === undefined
    ? new QueryError('NOT_READY', 'the tables are being prepared for SQL: try again in a few seconds', {
        retry_after: 3,
      })
    : timedOut(timeout, `the tables as of ${asOf} are being prepared for SQL: try again in a few seconds`, {
        retry_after: 3,
      })

const daysNotPrepared = (days: number, ready: number, timeout: number) =>
  timedOut(
    timeout,
    `the tables as of ${days} days are being prepared for SQL, ${ready} of them ready: try again in a few seconds, which goes on with the rest`,
    { retry_after: 3, days, ready },
  )

function check({ sql, params = [], format = 'json' }: SqlQuestion): void {
  if (sql.trim() === '') throw new QueryError('INVALID_SQL', 'there is no statement: give one SELECT')
  if (sql.length > LONGEST)
    throw invalid('sql', sql.length, `sql is longer than ${LONGEST} characters`, { max: LONGEST })
  const bad = Object.entries<unknown>(params).find(([, v]) => typeof v === 'object' && v !== null)
  if (bad?.[1] instanceof ExactDecimal)
    throw invalid(
      'params',
      bad[1].digits,
      `params: ${bad[0]} has more digits than a double holds: give it as text, and cast it in the statement, CAST($x AS DECIMAL(38, 10))`,
    )
  if (bad)
    throw invalid('params', '[object]', `params: ${bad[0]} must be text, a number, true, false or null`)
  if (!sqlFormats.includes(format))
    throw invalid('format', format, `format must be one of ${sqlFormats.join(', ')}`, { allowed: sqlFormats })
}
