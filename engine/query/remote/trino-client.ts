import { setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { QueryError } from '../../base/errors.ts'
import { currentSpan } from '../../base/spans.ts'
import { version } from '../../base/version.ts'
import type { RunOptions } from '../../database/run-limits.ts'
import type { RemoteAddress } from './address.ts'
import { failedStatement, type TrinoFailure, unavailable } from './trino-errors.ts'

export interface TrinoColumn {
  readonly name: string
  /** `bigint`, `varchar(3)`, `array(varchar)`. */
  readonly type: string
}

/** Some rows of a result, as JSON holds them. */
export interface TrinoPage {
  readonly columns: readonly TrinoColumn[]
  readonly rows: readonly (readonly unknown[])[]
}

interface Answer {
  readonly nextUri?: string
  readonly columns?: readonly TrinoColumn[]
  readonly data?: readonly (readonly unknown[])[]
  readonly error?: TrinoFailure
}

/** Longest wait for one answer: a server that runs a statement answers every second that it is not done yet. */
const PATIENCE_MS = 30_000

/** Waits before a request is repeated that met no answer, or one that asks for another attempt. */
const RETRIES_MS = [100, 300, 600]
const RETRIED: ReadonlySet<number> = new Set([502, 503, 504])

/** How long a cancelled statement's server is told so. */
const CANCEL_MS = 5000

/** How a statement is sent, beside its text. */
interface Sent {
  readonly headers?: Readonly<Record<string, string>>
  /** Called with the headers of each answer. */
  readonly seen?: (headers: Headers) => void
}

/** Runs statements over Trino's HTTP protocol: a statement is posted, and its result fetched page by page. */
export class TrinoClient {
  readonly address: RemoteAddress
  private readonly patience: number
  private readonly host: string
  private readonly headers: Readonly<Record<string, string>>

  /** @param patience milliseconds without an answer after which the server counts as unavailable */
  constructor(address: RemoteAddress, patience = PATIENCE_MS) {
    const { user, password, catalog } = address
    this.address = address
    this.patience = patience
    this.host = new URL(address.origin).host
    this.headers = {
      'X-Trino-User': user,
      'X-Trino-Source': 'tranche',
      'X-Trino-Catalog': catalog,
      'X-Trino-Time-Zone': 'UTC',
      'User-Agent': `tranche/${version}`,
      ...(password !== null && {
        Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
      }),
    }
  }

  /**
   * The pages of a result; one without rows is one empty page. The statement is cancelled when its time is over, its
   * signal is aborted, or the caller leaves.
   */
  async *pages(sql: string, limits: RunOptions, sent: Sent = {}): AsyncGenerator<TrinoPage> {
    const { signal, clear } = limited(limits)
    const span = currentSpan()?.child('Trino', {
      'db.system.name': 'trino',
      'server.address': new URL(this.address.origin).hostname,
    })
    const headers = { ...sent.headers, ...(span && { traceparent: span.traceparent }) }
    let failure: unknown
    let next: string | undefined
    try {
      let columns: readonly TrinoColumn[] = []
      let isEmpty = true
      let answer = await this.answer('/v1/statement', signal, { ...sent, headers, body: sql })
      for (;;) {
        next = answer.nextUri
        if (answer.error) throw failedStatement(answer.error, limits.timeout ?? 0)
        columns = answer.columns ?? columns
        const rows = answer.data ?? []
        if (rows.length > 0 || (next === undefined && isEmpty)) {
          isEmpty = false
          yield { columns, rows }
        }
        if (next === undefined) return
        // The address may be one that only a proxy knows: its path is what counts, and no other server is asked.
        answer = await this.answer(this.pathOf(next), signal, { ...sent, headers })
      }
    } catch (error) {
      failure = error
      throw error
    } finally {
      span?.end(failure)
      clear()
      if (next !== undefined) void this.cancel(next).catch(() => {})
    }
  }

  /** The rows of a small result. */
  async rows(sql: string, limits: RunOptions, sent: Sent = {}): Promise<(readonly unknown[])[]> {
    const rows: (readonly unknown[])[] = []
    for await (const page of this.pages(sql, limits, sent)) for (const row of page.rows) rows.push(row)
    return rows
  }

  /** As `pages`, in a transaction that cannot write. */
  async *readOnlyPages(
    sql: string,
    limits: RunOptions,
    headers: Readonly<Record<string, string>> = {},
  ): AsyncGenerator<TrinoPage> {
    let id = 'NONE'
    await this.rows('START TRANSACTION READ ONLY', limits, {
      headers: { 'X-Trino-Transaction-Id': id },
      seen: answered => {
        id = answered.get('X-Trino-Started-Transaction-Id') ?? id
      },
    })
    const within = { 'X-Trino-Transaction-Id': id }
    try {
      yield* this.pages(sql, limits, { headers: { ...headers, ...within } })
    } finally {
      // A server that does not hear it ends the transaction when it has been idle for some minutes.
      await this.rows('ROLLBACK', { timeout: CANCEL_MS }, { headers: within }).catch(() => {})
    }
  }

  private async cancel(next: string): Promise<void> {
    const signal = AbortSignal.timeout(CANCEL_MS)
    const address = `${this.address.origin}${this.pathOf(next)}`
    await fetch(address, { method: 'DELETE', headers: this.headers, signal })
  }

  private async answer(path: string, signal: AbortSignal, sent: Sent & { body?: string }): Promise<Answer> {
    const response = await this.response(path, signal, sent)
    sent.seen?.(response.headers)
    const answer: unknown = await response.json().catch(() => null)
    signal.throwIfAborted()
    if (answer === null || typeof answer !== 'object') throw this.unavailable('broke off its answer')
    return answer
  }

  /** Posts the body, or gets the path if there is none. A statement that reads may be posted twice. */
  private async response(
    path: string,
    signal: AbortSignal,
    { body, headers }: Sent & { body?: string },
  ): Promise<Response> {
    let cause = ''
    for (let attempt = 0; ; attempt++) {
      signal.throwIfAborted()
      const patience = AbortSignal.timeout(this.patience)
      const found = await fetch(`${this.address.origin}${path}`, {
        headers: { ...this.headers, ...headers },
        redirect: 'error',
        signal: AbortSignal.any([signal, patience]),
        ...(body !== undefined && { method: 'POST', body }),
      }).catch((error: unknown) => {
        cause = reasonOf(error)
        return null
      })
      signal.throwIfAborted()
      if (found?.ok) return found
      await found?.body?.cancel()
      if (found && !RETRIED.has(found.status)) throw this.refused(found.status)
      if (patience.aborted) throw this.unavailable(`did not answer for ${this.patience} ms`)
      const wait = RETRIES_MS[attempt]
      if (wait === undefined)
        throw found ? this.unavailable(`answers ${found.status}`) : this.unreached(cause)
      await pause(wait, undefined, { signal }).catch(() => {})
    }
  }

  private unreached(cause: string): QueryError {
    const advice = /CERT|SIGNATURE/.test(cause)
      ? 'trust its authority in NODE_EXTRA_CA_CERTS'
      : 'check its address, and that it runs'
    return this.unavailable(`cannot be reached (${cause})`, advice)
  }

  private unavailable(why: string, advice?: string): QueryError {
    return unavailable(this.host, why, advice)
  }

  private refused(status: number): QueryError {
    if (status === 401 || status === 403)
      return this.unavailable('refuses the credentials', 'check the user and password of its address')
    if (status === 429)
      return new QueryError('OVERLOADED', 'the remote engine takes no more statements: retry later')
    return this.unavailable(`answers ${status} where Trino would take a statement`, 'check its address')
  }

  /** The path of the next page. */
  private pathOf(uri: string): string {
    const url = URL.canParse(uri) ? new URL(uri) : null
    if (!url?.pathname.startsWith('/v1/statement/'))
      throw this.unavailable('gives no address of the next page')
    return `${url.pathname}${url.search}`
  }
}

/** Why a request met no answer: `ECONNREFUSED`, `ENOTFOUND`, `DEPTH_ZERO_SELF_SIGNED_CERT`. */
function reasonOf(error: unknown): string {
  const { code, message } = ((error as Error).cause ?? error) as NodeJS.ErrnoException
  return code ?? message
}

/** A signal that is aborted with a QUERY_TIMEOUT at the deadline, or with the reason of the caller's own signal. */
function limited({ timeout = 0, deadline, signal }: RunOptions): { signal: AbortSignal; clear: () => void } {
  const stopped = new AbortController()
  const left = deadline === undefined ? timeout : Math.max(1, deadline - performance.now())
  const late = () =>
    stopped.abort(
      new QueryError('QUERY_TIMEOUT', `the statement exceeded its limit of ${timeout} ms and was stopped`, {
        timeout_ms: timeout,
      }),
    )
  const leave = () => stopped.abort(signal!.reason)
  const timer = left > 0 ? setTimeout(late, left) : undefined
  if (signal?.aborted) leave()
  // Any number of statements at once may share it.
  if (signal) setMaxListeners(0, signal)
  signal?.addEventListener('abort', leave, { once: true })
  return {
    signal: stopped.signal,
    clear() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', leave)
    },
  }
}
