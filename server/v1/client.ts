import type { Code } from '../../engine/base/errors.ts'
import { exactJson, parseExactJson, withDecimalsAsText } from '../../engine/base/exact-number.ts'
import type { FormatName } from '../../engine/encode/formats.ts'
import type { ListName, Operations } from '../../engine/operations/api.ts'
import type {
  AnswerWith,
  FieldsOf,
  InputFor,
  RowIn as RowOfAnswer,
} from '../../engine/operations/operation.ts'
import { type primitives, routes } from './client-routes.ts'
import type { OwnEndpoints } from './endpoints.ts'

export type { Account } from './operations/auth-me.ts'
export type { BatchResult } from './operations/batch.ts'
export type { Usage } from './operations/usage-analytics.ts'

/** An operation of a batch. */
export type BatchMember = {
  [N in keyof typeof primitives]: {
    primitive: N
    params?: InputFor<Operations[N]>
    operation_id?: string | number
  }
}[keyof typeof primitives]

type Declared = { [N in keyof OwnEndpoints]: NonNullable<OwnEndpoints[N]['types']> }

/** Endpoints of the server other than the engine's operations. */
interface Own extends Omit<Declared, 'batch'> {
  batch: { input: { operations: readonly BatchMember[] }; output: Declared['batch']['output'] }
}

export type Name = keyof Operations | keyof Own
export type InputTo<N extends Name> = N extends keyof Own
  ? Own[N]['input']
  : N extends keyof Operations
    ? InputFor<Operations[N]>
    : never
/** Lists, and the types of their rows. */
export type { ListName }
export type RowIn<N extends ListName, F = undefined> = RowOfAnswer<AnswerWith<Operations[N], F>>

/** The answer of an endpoint; `F` is the type of the `fields` in its input. */
export type AnswerOf<N extends Name, F = undefined> = N extends keyof Own
  ? Own[N]['output']
  : N extends keyof Operations
    ? AnswerWith<Operations[N], F>
    : never

/** What `fields` of an endpoint accepts. */
type FieldsTo<N extends Name> = (N extends keyof Operations ? FieldsOf<Operations[N]> : never) | undefined
/** Endpoints whose input is required. */
type NeedsInput = { [N in Name]: Partial<InputTo<N>> extends InputTo<N> ? never : N }[Name]

/** An error answer of the server. `code` is `HTTP_<status>` if something other than the server answered. */
export class TrancheError extends Error {
  readonly status: number
  readonly code: Code | (string & {})
  readonly details: Readonly<Record<string, unknown>>
  readonly requestId: string | null

  constructor(status: number, { code, message, details = {}, request_id = null }: ErrorBody) {
    super(message)
    this.name = 'TrancheError'
    this.status = status
    this.code = code
    this.details = details
    this.requestId = request_id
  }
}

interface ErrorBody {
  readonly code: string
  readonly message: string
  readonly details?: Record<string, unknown>
  readonly request_id?: string | null
}

export interface ClientOptions {
  /** Scheme and host of the server, `https://debt.example.com`. */
  readonly url: string
  readonly key: string
  readonly fetch?: typeof globalThis.fetch
  /** How often a request is retried after 429 and 503; default twice. */
  readonly retries?: number
  /**
   * Maximum milliseconds to wait before a retry; default a minute. If the server asks for more, the call fails at
   * once.
   */
  readonly patience?: number
}

export interface AskOptions {
  readonly signal?: AbortSignal
  /** Sent again with the same key, a request is charged and executed once. POST only. */
  readonly idempotencyKey?: string
}

export interface Client {
  call<N extends NeedsInput>(name: N, input: InputTo<N>, options?: AskOptions): Promise<AnswerOf<N>>
  /** `fields` narrows the type of the rows. */
  call<N extends Exclude<Name, NeedsInput>, const F extends FieldsTo<N> = undefined>(
    name: N,
    input?: InputTo<N> & { fields?: F },
    options?: AskOptions,
  ): Promise<AnswerOf<N, F>>
  /** Every row of a list, page by page, of the snapshot that answered the first page. */
  pages<N extends ListName, const F extends FieldsTo<N> = undefined>(
    name: N,
    input?: InputTo<N> & { fields?: F },
    options?: AskOptions,
  ): AsyncGenerator<RowIn<N, F>>
  /** A list in another format, streamed. */
  stream<N extends ListName>(
    name: N,
    input: InputTo<N>,
    format: FormatName,
    options?: AskOptions,
  ): Promise<ReadableStream<Uint8Array>>
  /** A list in another format, in one piece. */
  bytes<N extends ListName>(
    name: N,
    input: InputTo<N>,
    format: FormatName,
    options?: AskOptions,
  ): Promise<Uint8Array>
}

/** Default rows per page. */
const PAGE = 100

const optionNames: readonly string[] = ['url', 'key', 'fetch', 'retries', 'patience']
const askOptionNames: readonly string[] = ['signal', 'idempotencyKey']

function checkNames(options: object, known: readonly string[]): void {
  const unknown = Object.keys(options).find(name => !known.includes(name))
  if (unknown !== undefined)
    throw new TypeError(`there is no option ${unknown}: the options are ${known.join(', ')}`)
}

// Over 80 lines: small functions over the options of one client.
export function client(options: ClientOptions): Client {
  checkNames(options, optionNames)
  const { url, key, fetch = globalThis.fetch, retries = 2, patience = 60_000 } = options
  const base = url.replace(/(?<!\/)\/+$/, '')

  async function send(name: Name, input: object, options: AskOptions = {}): Promise<Response> {
    checkNames(options, askOptionNames)
    const { signal, idempotencyKey } = options
    const { method, path, body } = requestOf(name, input)
    const request: RequestInit = {
      method,
      headers: {
        'X-API-Key': key,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
      },
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    }
    for (let left = retries; ; left--) {
      const response = await fetch(`${base}${path}`, request)
      if (response.ok) return response
      const problem = await problemOf(response)
      const wait = waitOf(response)
      if (left <= 0 || wait === null || wait > patience) throw problem
      await pause(wait, signal)
    }
  }

  async function call<N extends Name>(
    name: N,
    input: object = {},
    options?: AskOptions,
  ): Promise<AnswerOf<N>> {
    const response = await send(name, input, options)
    const answer = name === 'sql' ? exactly(await response.text()) : await response.json()
    return answer as AnswerOf<N>
  }

  async function* pages<N extends ListName>(
    name: N,
    input: InputTo<N> = {} as InputTo<N>,
    options?: AskOptions,
  ): AsyncGenerator<RowIn<N>> {
    const { limit = PAGE, offset = 0 } = input as { limit?: number | string; offset?: number | string }
    const { envelope } = routeOf(name)
    let snapshot: string | undefined
    for (let at = Number(offset); ; ) {
      const page = { ...input, limit, offset: at, ...(snapshot !== undefined && { snapshot }) }
      const body = (await call(name as Name, page, options)) as unknown as {
        meta: { total: number; snapshot: string; request_id: string }
      } & Record<string, RowIn<N>[]>
      snapshot ??= body.meta.snapshot
      if (snapshot !== body.meta.snapshot)
        throw new TrancheError(200, {
          code: 'SNAPSHOT_CHANGED',
          message: 'the data was replaced during paging: start again',
          request_id: body.meta.request_id,
        })
      const rows = body[envelope] ?? []
      yield* rows
      at += rows.length
      if (rows.length === 0 || at >= body.meta.total) return
    }
  }

  async function stream<N extends ListName>(
    name: N,
    input: InputTo<N>,
    format: FormatName,
    options?: AskOptions,
  ) {
    return (await send(name, { ...input, format }, options)).body!
  }

  async function bytes<N extends ListName>(
    name: N,
    input: InputTo<N>,
    format: FormatName,
    options?: AskOptions,
  ) {
    return new Uint8Array(await (await send(name, { ...input, format }, options)).arrayBuffer())
  }

  return { call: call as Client['call'], pages: pages as Client['pages'], stream, bytes }
}

interface Route {
  readonly method: string
  readonly path: string
  readonly envelope: string
}

const routeOf = (name: string): Route => (routes as Readonly<Record<string, Route>>)[name]!

function requestOf(name: Name, input: object): { method: string; path: string; body?: string } {
  const { method, path: template } = routeOf(name)
  const given = Object.entries(input).filter(([, value]) => value !== undefined && value !== null)
  const inPath = new Set<string>()
  const path = template.replace(/\{(\w+)\}/g, (_, part: string) => {
    const value = given.find(([member]) => member === part)?.[1]
    if (value === undefined) throw new TypeError(`${name} needs ${part}`)
    inPath.add(part)
    return encodeURIComponent(String(value))
  })
  const rest = given.filter(([member]) => !inPath.has(member))
  if (method === 'POST') return { method, path, body: exactJson(Object.fromEntries(rest)) }
  const query = new URLSearchParams(
    rest.map(([member, value]): [string, string] => [member, textOf(value)]),
  ).toString()
  return { method, path: query ? `${path}?${query}` : path }
}

/** A list as comma text; members that contain a comma are quoted. */
const textOf = (value: unknown): string =>
  Array.isArray(value)
    ? value
        .map(String)
        .map(v => (/[",]/.test(v) ? `"${v.replaceAll('"', '""')}"` : v))
        .join(',')
    : String(value)

/**
 * Numbers as the library returns them: whole numbers beyond JavaScript's precision are bigint, such decimals are
 * text.
 */
const exactly = (text: string): unknown => withDecimalsAsText(parseExactJson(text))

async function problemOf(response: Response): Promise<TrancheError> {
  const text = await response.text()
  const error = parsed(text)?.error
  if (typeof error?.code === 'string') return new TrancheError(response.status, error)
  return new TrancheError(response.status, {
    code: `HTTP_${response.status}`,
    message: text.slice(0, 200) || response.statusText || `the server answered ${response.status}`,
    request_id: response.headers.get('X-Request-Id'),
  })
}

function parsed(text: string): { error?: ErrorBody } | null {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Milliseconds until a retry is worthwhile; null if it is not. */
function waitOf(response: Response): number | null {
  if (response.status !== 429 && response.status !== 503) return null
  const header = response.headers.get('Retry-After')
  if (header === null) return 1000
  const seconds = Number(header)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const until = Date.parse(header)
  return Number.isNaN(until) ? 1000 : Math.max(0, until - Date.now())
}

const pause = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal!.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', stop, { once: true })
  })
