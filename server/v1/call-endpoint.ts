import type { Engine } from '../../engine/engine.ts'
import { invalid, QueryError } from '../../engine/base/errors.ts'
import type { Input } from '../../engine/schema/params.ts'
import { isLater, type Soon } from '../../engine/base/maybe-promise.ts'
import { checkTier } from './operations/access.ts'
import { askedJson, cacheHeaders, type Question, streamRows, tagOf } from './answer.ts'
import type { Answers } from './answers.ts'
import { type Asked, readAsked } from './parsed-request.ts'
import { callerOf } from './caller.ts'
import { type Outcome, paid } from './credits.ts'
import type { Endpoint, FileReply } from './operations/endpoint.ts'
import { canonical, matches } from '../http/etag.ts'
import type { Exchange } from '../http/exchange.ts'
import type { FairQueue } from '../limits/fair-queue.ts'
import { fingerprint, idempotencyKey, once } from './idempotency.ts'
import { readJsonBody } from '../http/json-body.ts'
import { checkLimit, limitHeaders, take } from './rate-limit.ts'
import type { Log } from '../log/log.ts'
import { readQuery } from '../http/query.ts'
import { ready, send } from '../http/respond.ts'
import type { Accounts } from '../state/accounts.ts'
import type { Kept, Principal, State, Window } from '../state/state.ts'
import type { Throttle } from '../limits/throttle.ts'
import { credits, tiers } from '../limits/tiers.ts'

/** What answering stands on. */
export interface Means {
  readonly engine: Engine
  readonly state: State
  readonly log: Log | undefined
  readonly clock: () => number
  /** Milliseconds that a statement may run. */
  readonly timeout: number
  readonly mostBodyBytes: number
  /** Counts requests without a valid key. */
  readonly unauthorized: Throttle
  /** Lists that were answered, for those who ask the same. */
  readonly answers: Answers
  /** Counts what somebody who is signed in changes. */
  readonly changes: Throttle
  /** People who sign in; none where the server knows keys only. */
  readonly accounts: (State & Accounts) | undefined
  /** Signs in whoever asks. */
  readonly demo: boolean
  /** Lets heavy requests wait their turn, fairly by key. */
  readonly heavy: FairQueue
  /** The configured public origin; null where none is. */
  readonly publicUrl: string | null
}

/** Knows the key from here on, and counts against its minute. */
export function count(state: State, exchange: Exchange, principal: Principal, weight: number): Soon<Window> {
  exchange.principal = principal
  const told = (window: Window) => {
    Object.assign(exchange.headers, limitHeaders(window))
    return window
  }
  const taken = take(state, principal, weight, exchange.at)
  return isLater(taken) ? taken.then(told) : told(taken)
}

/** Answers a request: key, limit, tier, parameters, what the client has already, credits, and then the query. */
export async function callEndpoint(
  means: Means,
  exchange: Exchange,
  endpoint: Endpoint,
  { named, search }: { named: Readonly<Record<string, string>>; search: string },
): Promise<void> {
  const { request, response, at } = exchange
  exchange.endpoint = endpoint.name
  const caller = callerOf(means, exchange)
  const principal = isLater(caller) ? await caller : caller
  exchange.principal = principal
  // How many operations a batch counts as stands in its body; what is wrong with that is said when its turn comes.
  const reading = attempt(() => readGiven(endpoint, exchange, search, means.mostBodyBytes))
  const given = isLater(reading) ? await reading : reading
  const weight = 'value' in given ? (endpoint.weight?.(given.value) ?? 1) : 1
  const counting = count(means.state, exchange, principal, weight)
  const window = isLater(counting) ? await counting : counting
  checkLimit(window, weight, at)
  checkTier(endpoint, principal.tier)
  if ('error' in given) throw given.error
  const asked = readAsked(endpoint, given.value, named, request.headers)
  const question = questionOf(means, exchange, endpoint, asked)
  const known = request.headers['if-none-match']
  const tag = known === undefined ? null : await unchanged(question, known)
  if (tag) return send(response, { status: 304, headers: cacheHeaders(tag) })

  if (isStreamed(endpoint, asked)) {
    const turn = () => turnOf(means, exchange, question)
    const how = { head: request.method === 'HEAD', turn }
    await charged(means, exchange, question, async cost => ({
      value: await streamRows(question, response, how),
      cost,
    }))
    response.end()
    return
  }
  const key = endpoint.method === 'POST' ? idempotencyKey(request.headers['idempotency-key']) : null
  const kept =
    key === null ? undefined : (answer: Kept) => ({ keyId: principal.keyId, idempotencyKey: key, answer })
  const run = () => inJson(means, exchange, question, window, kept)
  send(response, key === null ? await run() : await runOnce(means, exchange, question, key, run))
}

/** The JSON that an endpoint answers a request with that is counted already and came in another form. */
export async function answerEndpoint(
  means: Means,
  exchange: Exchange,
  endpoint: Endpoint,
  { input, window }: { input: () => Input; window: Window },
): Promise<Kept> {
  exchange.endpoint = endpoint.name
  checkLimit(window, 1, exchange.at)
  checkTier(endpoint, exchange.principal!.tier)
  const asked = readAsked(endpoint, input(), {}, {})
  return inJson(means, exchange, questionOf(means, exchange, endpoint, asked), window)
}

const questionOf = (
  { engine, timeout }: Means,
  exchange: Exchange,
  endpoint: Endpoint,
  asked: Asked,
): Question => ({
  engine,
  endpoint,
  asked,
  coverage: tiers[exchange.principal!.tier].coverage,
  requestId: exchange.id,
  get signal() {
    return exchange.signal
  },
  timeout,
  deadline: timeout > 0 ? exchange.started + timeout : undefined,
})

/** Work for its price; it is told the most that this may be. */
async function charged<T>(
  { state }: Means,
  exchange: Exchange,
  { endpoint, asked }: Question,
  work: (most: number) => Promise<Outcome<T>>,
  kept?: (value: T) => Parameters<State['settle']>[2],
): Promise<T> {
  const { id, principal, response } = exchange
  const most = endpoint.price?.(asked.args, principal!.tier) ?? credits[endpoint.cost]
  const { value, cost } = await paid(
    state,
    principal!,
    most,
    { requestId: id, endpoint: endpoint.name },
    async () => {
      const outcome = await work(most)
      // Nobody is there to get it, and nothing of it was sent.
      if (exchange.gone && !response.headersSent) throw exchange.signal.reason
      return outcome
    },
    kept,
  )
  exchange.cost = cost
  return value
}

/** The whole answer as JSON: in its turn, and for its price. */
async function inJson(
  means: Means,
  exchange: Exchange,
  question: Question,
  window: Window,
  kept?: (value: Kept) => Parameters<State['settle']>[2],
): Promise<Kept> {
  const turn = turnOf(means, exchange, question)
  const leave = isLater(turn) ? await turn : turn
  try {
    return await charged(
      means,
      exchange,
      question,
      most =>
        question.endpoint.handle
          ? handled(means, exchange, question, window, most)
          : engineOwn(means, question, most),
      kept,
    )
  } finally {
    leave()
  }
}

const turnOf = (means: Means, exchange: Exchange, question: Question): Soon<() => void> =>
  isHeavy(question) ? heavyTurn(means, exchange, question) : () => {}

/** Waits for a slot no longer than the time that is left of the request's own. */
async function heavyTurn(
  { heavy, timeout }: Means,
  { principal, started }: Exchange,
  { signal }: Question,
): Promise<() => void> {
  const key = principal!.keyId
  if (timeout === 0) return heavy.enter({ key, signal })
  const late = new AbortController()
  const timer = setTimeout(
    () => late.abort(waitedTooLong(timeout)),
    Math.max(0, started + timeout - performance.now()),
  )
  try {
    return await heavy.enter({ key, signal: AbortSignal.any([signal, late.signal]) })
  } finally {
    clearTimeout(timer)
  }
}

const waitedTooLong = (timeout: number) =>
  new QueryError('QUERY_TIMEOUT', `the request waited ${timeout} ms for others and did not run: ask again`, {
    timeout_ms: timeout,
  })

const engineOwn = async (means: Means, question: Question, cost: number): Promise<Outcome<Kept>> => ({
  value: await askedJson(question, means.answers),
  cost,
})

async function handled(
  { engine, state, log }: Means,
  { id, at, signal, principal }: Exchange,
  { endpoint, asked, deadline }: Question,
  window: Window,
  most: number,
): Promise<Outcome<Kept>> {
  const reply = await endpoint.handle!({
    engine,
    state,
    principal: principal!,
    window,
    requestId: id,
    args: asked.args,
    now: at,
    signal,
    deadline,
    report: error => log?.error({ err: error, request_id: id }, 'a part of an answer failed'),
  })
  const value =
    'bytes' in reply
      ? fileOf(reply)
      : ready(reply.status ?? 200, reply.body, id, { 'Cache-Control': 'no-store' })
  return { value, cost: reply.cost ?? most }
}

const fileOf = ({ bytes, headers }: FileReply): Kept => ({
  status: 200,
  headers: { ...headers, 'Cache-Control': 'no-store' },
  body: Buffer.from(bytes),
})

/** Runs a POST once under its Idempotency-Key, where it has one. */
async function runOnce(
  { state, clock }: Means,
  { headers, principal }: Exchange,
  { endpoint, asked }: Question,
  key: string,
  run: () => Promise<Kept>,
): Promise<Kept> {
  const what = fingerprint(endpoint.name, canonical(asked.args))
  const { answer, replayed } = await once(
    state,
    { keyId: principal!.keyId, key, fingerprint: what },
    clock,
    run,
  )
  if (replayed) headers['Idempotency-Replayed'] = 'true'
  return answer
}

/** The tag of an answer that the client has already. */
async function unchanged(
  { engine, endpoint, asked, coverage }: Question,
  header: string,
): Promise<string | null> {
  if (endpoint.handle || endpoint.method !== 'GET') return null
  if (!engine.isCurrent) await engine.refresh()
  const tag = tagOf(endpoint, asked, coverage, engine.snapshot)
  return matches(header, tag) ? tag : null
}

/** Rows that are sent as they are made. */
const isStreamed = ({ name, handle }: Endpoint, { format }: Asked): boolean =>
  !handle && (format !== 'json' || name === 'export')

/**
 * Requests of which one runs at a time. A day of the past may have to be derived first. Statements of users have processes,
 * queues and a deadline of their own.
 */
const isHeavy = ({ endpoint: { name, cost }, asked }: Question): boolean =>
  name !== 'sql' &&
  (name === 'export' || cost === 'complex' || cost === 'advanced' || asked.args['as_of'] !== undefined)

function readGiven({ body }: Endpoint, { request }: Exchange, search: string, most: number): Soon<Input> {
  const query = readQuery(search)
  if (!body) return query
  const [stray] = Object.keys(query)
  if (stray !== undefined)
    throw invalid(
      stray.slice(0, 120),
      null,
      'parameters of this endpoint stand in its JSON body, not in the query',
    )
  return readJsonBody(request, most)
}

type Attempt<T> = { readonly value: T } | { readonly error: unknown }

function attempt<T>(work: () => Soon<T>): Soon<Attempt<T>> {
  const done = (value: T): Attempt<T> => ({ value })
  const failed = (error: unknown): Attempt<T> => ({ error })
  try {
    const made = work()
    return isLater(made) ? made.then(done, failed) : done(made)
  } catch (error) {
    return failed(error)
  }
}
