import { memberOf } from '../../engine/base/elements.ts'
import { QueryError } from '../../engine/base/errors.ts'
import { childSpan, currentSpan } from '../../engine/base/spans.ts'
import { encode } from '../../engine/encode/encode.ts'
import { formats } from '../../engine/encode/formats.ts'
import type { CallOptions, Engine, RequestDetails, RowStream } from '../../engine/engine.ts'
import { canonical, etagOf } from '../http/etag.ts'
import { completeJson, jsonResponse } from '../http/respond.ts'
import { ignoredWarnings } from '../http/unknown-params.ts'
import { type Responding, streamAnswer, writeHeaders } from '../http/write-answer.ts'
import type { TakeTurn, Turn } from '../limits/turn.ts'
import type { StoredResponse } from '../state/state.ts'
import type { ResponseCache } from './answers.ts'
import type { Endpoint } from './operations/endpoint.ts'
import type { ParsedRequest } from './parsed-request.ts'

/** The ETag of an answer from one snapshot. */
export const tagOf = (
  { name }: Endpoint,
  { args, limit, ignored }: ParsedRequest,
  coverage: string,
  snapshot: string,
): string => etagOf(name, canonical(args), String(limit), coverage, snapshot, ...ignored)

/** The snapshot that answers: the one the request names, else the current one. */
export const snapshotOf = ({ engine, parsed }: Pick<Question, 'engine' | 'parsed'>): string =>
  (parsed.args['snapshot'] as string | undefined) ?? engine.snapshot

export const cacheHeaders = (tag: string): Record<string, string> => ({
  ETag: tag,
  'Cache-Control': 'private, max-age=0, must-revalidate',
})

export interface Question {
  readonly engine: Engine
  readonly endpoint: Endpoint
  readonly parsed: ParsedRequest
  readonly coverage: 'all' | 'standard'
  readonly requestId: string
  readonly signal: AbortSignal
  /** Milliseconds that a request may take. */
  readonly timeout: number
  /** Deadline as a time of `performance.now()`, waiting included. */
  readonly deadline: number | undefined
  /** The slot in which it runs, once it has one. */
  turn: Turn
}

/** The options of a question, whose signal is created on first use. */
class QuestionOptions implements CallOptions {
  readonly coverage: Question['coverage']
  readonly timeout: number
  // Not enumerable, so it is no option of its own.
  readonly #question: Question

  constructor(question: Question) {
    this.coverage = question.coverage
    this.timeout = question.timeout
    this.#question = question
  }

  get signal(): AbortSignal {
    return this.#question.signal
  }
}

/** An engine operation as JSON in one piece. Repeated lists come from the cache. */
export async function answerJson(question: Question, answers: ResponseCache): Promise<StoredResponse> {
  const { engine, endpoint, parsed, coverage, requestId } = question
  const isCacheable = endpoint.method === 'GET'
  const headersOf = (snapshot: string) =>
    isCacheable ? cacheHeaders(tagOf(endpoint, parsed, coverage, snapshot)) : { 'Cache-Control': 'no-store' }
  if (isCacheable && !engine.isCurrent) await engine.refresh()
  const expected = isCacheable ? snapshotOf(question) : null
  const ahead = expected === null ? null : headersOf(expected)
  const before = ahead && answers.get(memberOf(ahead, 'ETag'))
  if (before) {
    currentSpan()?.set({ 'tranche.lane': 'cache', 'tranche.snapshot': expected! })
    return completeJson([before], requestId, ahead)
  }
  const request: RequestDetails = {
    bounded: parsed.bounded,
    warnings: ignoredWarnings(parsed.ignored),
    parsed: parsed.bounded,
    refreshed: isCacheable,
    deadline: question.deadline,
    betweenDays: () => question.turn.pass(),
  }
  const options = new QuestionOptions(question)
  const input = parsed.bounded ? parsed.args : parsed.input()
  const answer = await engine.openJson(endpoint.name, input, options, request)
  if ('body' in answer) {
    const { snapshot } = answer.body['meta'] as { snapshot: string }
    return jsonResponse(200, answer.body, requestId, headersOf(snapshot))
  }
  const headers = ahead && answer.snapshot === expected ? ahead : headersOf(answer.snapshot)
  if (isCacheable) answers.keep(memberOf(headers, 'ETag'), answer.pieces)
  return completeJson(answer.pieces, requestId, headers)
}

/** Streams a list's rows to the response in any format; `run` makes heavy statements wait their turn. */
export async function streamRows(
  question: Question,
  responding: Responding,
  { head, turn }: { head: boolean; turn: TakeTurn },
): Promise<void> {
  const { engine, endpoint, parsed, coverage, requestId, signal, timeout } = question
  const { format, limit, safe, args } = parsed
  const late = new AbortController()
  const { deadline } = question
  const timer =
    deadline === undefined
      ? undefined
      : setTimeout(() => late.abort(), Math.max(0, deadline - performance.now()))
  question.turn = await turn()
  const options: CallOptions = {
    coverage,
    signal: AbortSignal.any([signal, late.signal]),
    timeout: 0,
  }
  const details: RequestDetails = {
    bounded: parsed.bounded,
    warnings: ignoredWarnings(parsed.ignored),
    betweenDays: () => question.turn.pass(),
  }
  try {
    const use = async ({ meta, ...stream }: RowStream) => {
      const { total, ...about } = await meta()
      const offset = (args['offset'] as number | undefined) ?? 0
      const headers = {
        'Content-Type': formats[format].type,
        'Content-Disposition': `${format === 'json' ? 'inline' : 'attachment'}; filename="${fileName(endpoint, parsed)}"`,
        'X-Total-Count': String(total),
        ...(limit !== null && offset + limit < total && { 'X-Truncated': 'true' }),
        ...cacheHeaders(tagOf(endpoint, parsed, coverage, about['snapshot'] as string)),
      }
      if (head) {
        writeHeaders(responding, 200, headers)
        return
      }
      const { snapshot, as_of } = about as { snapshot: string; as_of: string }
      const fullMeta = async () => ({ total, limit, offset, ...about, request_id: requestId })
      const options = { safe, envelope: endpoint.envelope, about: { snapshot, as_of } }
      const span = childSpan('encode', { 'tranche.format': format })
      let failure: unknown
      try {
        const pieces = await prime(encode(format, { ...stream, meta: fullMeta }, options))
        question.turn.end()
        clearTimeout(timer)
        await streamAnswer(responding, headers, pieces, signal)
      } catch (error) {
        failure = error
        throw error
      } finally {
        span?.end(failure)
      }
    }
    await engine.stream(endpoint.name, parsed.input(), options, use, details)
  } catch (error) {
    if (late.signal.aborted && !signal.aborted)
      throw new QueryError(
        'QUERY_TIMEOUT',
        endpoint.heavy === 'days' || args['as_of'] !== undefined
          ? `the answer was not ready within ${timeout} ms: try again, what was derived of earlier days is kept`
          : `the statement exceeded its limit of ${timeout} ms and was stopped: request less at a time`,
        { timeout_ms: timeout },
      )
    throw error
  } finally {
    clearTimeout(timer)
    question.turn.end()
  }
}

const fileName = ({ name }: Endpoint, { args, format }: ParsedRequest): string => {
  const what = (args['data_type'] as string | undefined) ?? name.split('.').at(-1)!
  return `${what}.${formats[format].extensions[0]}`
}

/** Makes the first piece before sending headers, so that an early failure has its own status. */
async function prime<T>(source: AsyncIterable<T>): Promise<AsyncIterable<T>> {
  const iterator = source[Symbol.asyncIterator]()
  const first = await iterator.next()
  return (async function* () {
    try {
      for (let next = first; !next.done; next = await iterator.next()) yield next.value
    } finally {
      await iterator.return?.()
    }
  })()
}
