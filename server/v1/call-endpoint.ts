import { invalid, QueryError } from '../../engine/base/errors.ts'
import { isPromise, type MaybePromise } from '../../engine/base/maybe-promise.ts'
import { childSpan } from '../../engine/base/spans.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Input } from '../../engine/schema/params.ts'
import { canonical, matches } from '../http/etag.ts'
import type { Exchange } from '../http/exchange.ts'
import { readJsonBody } from '../http/json-body.ts'
import { readQuery } from '../http/query.ts'
import { jsonResponse } from '../http/respond.ts'
import { ignoredWarnings } from '../http/unknown-params.ts'
import { writeAnswer } from '../http/write-answer.ts'
import type { FairQueue } from '../limits/fair-queue.ts'
import { credits, tiers } from '../limits/tiers.ts'
import { freeTurn, type Turn, turnWith } from '../limits/turn.ts'
import type { Principal, State, StoredResponse, Window } from '../state/state.ts'
import { answerJson, cacheHeaders, type Question, snapshotOf, streamRows, tagOf } from './answer.ts'
import { callerOf } from './caller.ts'
import { type Charged, charge } from './credits.ts'
import { fingerprint, idempotencyKey, runIdempotent } from './idempotency.ts'
import { checkTier } from './operations/access.ts'
import type { Endpoint, FileReply } from './operations/endpoint.ts'
import { type ParsedRequest, parseRequest } from './parsed-request.ts'
import { addLimitHeaders, checkLimit, countRequests } from './rate-limit.ts'
import type { ServerContext } from './server-context.ts'

/** Counts a request whose key is now known, and adds the rate limit headers. */
export function count(
  state: State,
  exchange: Exchange,
  principal: Principal,
  weight: number,
): MaybePromise<Window> {
  exchange.principal = principal
  const withHeaders = (window: Window) => {
    addLimitHeaders(exchange.headers, window)
    return window
  }
  const counted = countRequests(state, principal, weight, exchange.at)
  return isPromise(counted) ? counted.then(withHeaders) : withHeaders(counted)
}

/** Answers a request: key, limit, tier, parameters, ETag, credits, and then the query. */
export async function callEndpoint(
  context: ServerContext,
  exchange: Exchange,
  endpoint: Endpoint,
  { named, search }: { named: Readonly<Record<string, string>>; search: string },
): Promise<void> {
  const { request, response, at } = exchange
  exchange.endpoint = endpoint.name
  const caller = callerOf(context, exchange)
  const principal = isPromise(caller) ? await caller : caller
  exchange.principal = principal
  // A batch counts as the number of operations in its body; a malformed body is reported later.
  const reading = attempt(() => readInput(endpoint, exchange, search, context.mostBodyBytes))
  const given = isPromise(reading) ? await reading : reading
  const weight = 'value' in given ? (endpoint.weight?.(given.value) ?? 1) : 1
  const counting = count(context.state, exchange, principal, weight)
  const window = isPromise(counting) ? await counting : counting
  checkLimit(window, weight, at)
  checkTier(endpoint, principal.tier)
  if ('error' in given) throw given.error
  const parsed = parseRequest(endpoint, given.value, named, request.headers, context)
  const question = new OpenQuestion(context, exchange, endpoint, parsed)
  const known = request.headers['if-none-match']
  const tag = known === undefined ? null : await unchanged(question, known)
  if (tag) return writeAnswer(exchange, { status: 304, headers: cacheHeaders(tag) })

  if (isStreamed(endpoint, parsed)) {
    const turn = () => turnOf(context, exchange, question)
    const how = { head: request.method === 'HEAD', turn }
    await charged(context, exchange, question, async cost => ({
      value: await streamRows(question, exchange, how),
      cost,
    }))
    response.end()
    return
  }
  const key = endpoint.method === 'POST' ? idempotencyKey(request.headers['idempotency-key']) : null
  const stored =
    key === null
      ? undefined
      : (answer: StoredResponse) => ({ keyId: principal.keyId, idempotencyKey: key, answer })
  const run = () => inJson(context, exchange, question, window, stored)
  writeAnswer(exchange, key === null ? await run() : await runOnce(context, exchange, question, key, run))
}

/** Answers a request that was counted already and did not come over `/v1`, as JSON. */
export async function answerEndpoint(
  context: ServerContext,
  exchange: Exchange,
  endpoint: Endpoint,
  { input, window }: { input: () => Input; window: Window },
): Promise<StoredResponse> {
  exchange.endpoint = endpoint.name
  checkLimit(window, 1, exchange.at)
  checkTier(endpoint, exchange.principal!.tier)
  const parsed = parseRequest(endpoint, input(), {}, {})
  return inJson(context, exchange, new OpenQuestion(context, exchange, endpoint, parsed), window)
}

/** A class, because an object literal with a getter takes longer to create. */
class OpenQuestion implements Question {
  readonly engine: Engine
  readonly endpoint: Endpoint
  readonly parsed: ParsedRequest
  readonly coverage: Question['coverage']
  readonly requestId: string
  readonly timeout: number
  readonly deadline: number | undefined
  turn = freeTurn
  private readonly exchange: Exchange

  constructor(
    { engine, timeout }: ServerContext,
    exchange: Exchange,
    endpoint: Endpoint,
    parsed: ParsedRequest,
  ) {
    this.engine = engine
    this.endpoint = endpoint
    this.parsed = parsed
    this.coverage = tiers[exchange.principal!.tier].coverage
    this.requestId = exchange.id
    this.timeout = timeout
    this.deadline = timeout > 0 ? exchange.started + timeout : undefined
    this.exchange = exchange
  }

  get signal(): AbortSignal {
    return this.exchange.signal
  }
}

/** Work to be charged; it receives the maximum price. */
async function charged<T>(
  { state, engine }: ServerContext,
  exchange: Exchange,
  { endpoint, parsed }: Question,
  work: (most: number) => Promise<Charged<T>>,
  stored?: (value: T) => Parameters<State['settle']>[2],
): Promise<T> {
  const { id, principal, response } = exchange
  const most = endpoint.price?.(parsed.args, principal!.tier) ?? priceOf(endpoint, parsed, engine)
  const { value, cost } = await charge(
    state,
    principal!,
    most,
    { requestId: id, endpoint: endpoint.name },
    async () => {
      const outcome = await work(most)
      // If the client left before anything was sent, the call is not charged.
      if (exchange.gone && !response.headersSent) throw exchange.signal.reason
      return outcome
    },
    stored,
  )
  exchange.cost = cost
  return value
}

const priceOf = ({ cost, units }: Endpoint, { args }: ParsedRequest, engine: Engine): number =>
  credits[cost] * (units?.(args as never, engine.manifest.as_of!) ?? 1)

/** The whole answer as JSON: waits for a turn if heavy, and charges. */
async function inJson(
  context: ServerContext,
  exchange: Exchange,
  question: Question,
  window: Window,
  stored?: (value: StoredResponse) => Parameters<State['settle']>[2],
): Promise<StoredResponse> {
  const turn = turnOf(context, exchange, question)
  const own = isPromise(turn) ? await turn : turn
  question.turn = own
  try {
    return await charged(
      context,
      exchange,
      question,
      most =>
        question.endpoint.handle
          ? handled(context, exchange, question, window, most)
          : engineOwn(context, question, most),
      stored,
    )
  } finally {
    own.end()
  }
}

/** What must happen first has its own queue: while a day is derived, heavy requests about others go on. */
const turnOf = (context: ServerContext, exchange: Exchange, question: Question): MaybePromise<Turn> =>
  isCold(question)
    ? turnIn(context.cold, context, exchange, question)
    : question.endpoint.heavy === 'always'
      ? turnIn(context.heavy, context, exchange, question)
      : freeTurn

/** A slot, which is mostly free; else waits for one within the request's own deadline. */
function turnIn(...waiting: Parameters<typeof enter>): MaybePromise<Turn> {
  const [queue, , { principal, gone }] = waiting
  const again = () => enter(...waiting)
  const free = gone ? null : queue.take(principal!.keyId)
  if (!free) return again().then(leave => turnWith(leave, again))
  childSpan('queue')?.end()
  return turnWith(free, again)
}

async function enter(
  queue: FairQueue,
  { timeout }: ServerContext,
  { principal, started }: Exchange,
  { signal }: Question,
): Promise<() => void> {
  const key = principal!.keyId
  const span = childSpan('queue')
  const late = new AbortController()
  const timer =
    timeout === 0
      ? undefined
      : setTimeout(
          () => late.abort(waitedTooLong(timeout)),
          Math.max(0, started + timeout - performance.now()),
        )
  let failure: unknown
  try {
    return await queue.enter({ key, signal: timer ? AbortSignal.any([signal, late.signal]) : signal })
  } catch (error) {
    failure = error
    throw error
  } finally {
    clearTimeout(timer)
    span?.end(failure)
  }
}

const waitedTooLong = (timeout: number) =>
  new QueryError('QUERY_TIMEOUT', `the request waited ${timeout} ms for others and did not run: try again`, {
    timeout_ms: timeout,
  })

const engineOwn = async (
  context: ServerContext,
  question: Question,
  cost: number,
): Promise<Charged<StoredResponse>> => ({
  value: await answerJson(question, context.answers),
  cost,
})

async function handled(
  { engine, state, log, unknownParams }: ServerContext,
  exchange: Exchange,
  { endpoint, parsed, deadline }: Question,
  window: Window,
  most: number,
): Promise<Charged<StoredResponse>> {
  const { id, at, principal } = exchange
  const reply = await endpoint.handle!({
    engine,
    state,
    principal: principal!,
    window,
    requestId: id,
    args: parsed.args,
    now: at,
    // Created on first use.
    get signal() {
      return exchange.signal
    },
    deadline,
    unknownParams,
    report: error => log?.error({ err: error, request_id: id }, 'a part of an answer failed'),
  })
  const value =
    'bytes' in reply
      ? fileOf(reply)
      : jsonResponse(reply.status ?? 200, warned(reply.body, parsed.ignored), id, {
          'Cache-Control': 'no-store',
        })
  return { value, cost: reply.cost ?? most }
}

/** Adds a warning about ignored parameters. */
const warned = (body: Input, ignored: readonly string[]): Input =>
  ignored.length === 0
    ? body
    : { ...body, meta: { ...(body['meta'] as object | undefined), warnings: ignoredWarnings(ignored) } }

const fileOf = ({ bytes, headers }: FileReply): StoredResponse => ({
  status: 200,
  headers: { ...headers, 'Cache-Control': 'no-store' },
  body: Buffer.from(bytes),
})

/** Runs a POST once per Idempotency-Key, if it has one. */
async function runOnce(
  { state, clock }: ServerContext,
  { headers, principal }: Exchange,
  { endpoint, parsed }: Question,
  key: string,
  run: () => Promise<StoredResponse>,
): Promise<StoredResponse> {
  const what = fingerprint(endpoint.name, canonical(parsed.args))
  const { answer, replayed } = await runIdempotent(
    state,
    { keyId: principal!.keyId, key, fingerprint: what },
    clock,
    run,
  )
  if (replayed) headers['Idempotency-Replayed'] = 'true'
  return answer
}

/** The ETag of an answer that the client already has. */
async function unchanged(question: Question, header: string): Promise<string | null> {
  const { engine, endpoint, parsed, coverage } = question
  if (endpoint.handle || endpoint.method !== 'GET') return null
  if (!engine.isCurrent) await engine.refresh()
  const tag = tagOf(endpoint, parsed, coverage, snapshotOf(question))
  return matches(header, tag) ? tag : null
}

/** Whether rows are sent as they are made. */
const isStreamed = ({ bulk, handle }: Endpoint, { format }: ParsedRequest): boolean =>
  !handle && (format !== 'json' || bulk === true)

/** Whether an earlier day may have to be derived first, or an earlier snapshot opened and verified. */
function isCold({ engine, endpoint: { heavy, day, resource }, parsed: { args } }: Question): boolean {
  if (heavy === 'never' || heavy === 'days') return heavy === 'days'
  if (args['snapshot'] !== undefined && args['snapshot'] !== engine.snapshot) return true
  if (day?.(args) !== undefined) return true
  const asOf = args['as_of'] as string | undefined
  return asOf !== undefined && !(resource && engine.isReadyAsOf(asOf, resource.table))
}

function readInput(
  { body }: Endpoint,
  { request }: Exchange,
  search: string,
  most: number,
): MaybePromise<Input> {
  const query = readQuery(search)
  if (!body) return query
  const [stray] = Object.keys(query)
  if (stray !== undefined)
    throw invalid(
      stray.slice(0, 120),
      null,
      'parameters of this endpoint go in its JSON body, not in the query',
    )
  return readJsonBody(request, most)
}

type Attempt<T> = { readonly value: T } | { readonly error: unknown }

function attempt<T>(work: () => MaybePromise<T>): MaybePromise<Attempt<T>> {
  const done = (value: T): Attempt<T> => ({ value })
  const failed = (error: unknown): Attempt<T> => ({ error })
  try {
    const made = work()
    return isPromise(made) ? made.then(done, failed) : done(made)
  } catch (error) {
    return failed(error)
  }
}
