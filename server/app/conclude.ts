import type { Span } from '../../engine/base/spans.ts'
import { problemOf } from '../http/errors.ts'
import type { Exchange } from '../http/exchange.ts'
import { writeAnswer } from '../http/write-answer.ts'
import type { AnsweredRequest } from '../log/answered-request.ts'
import type { Log } from '../log/log.ts'
import type { UsageLog } from '../v1/usage-log.ts'
import { endRequestSpan } from './request-span.ts'

/** Recorded if the client left before its answer. */
const CLIENT_LEFT = 499

/** Answers a request that failed. */
export function answerFailure(exchange: Exchange, error: unknown, log: Log | undefined): void {
  const { request, response, id, principal, gone } = exchange
  if (gone) return
  const problem = problemOf(error, { requestId: id, ...(principal && { tier: principal.tier }) })
  exchange.code = problem.code
  if (problem.grave) log?.error({ err: error, request_id: id }, 'a request failed')
  // Part of the answer has been sent: closing the connection is the only way to show that it is incomplete.
  if (response.headersSent) {
    exchange.failed = 500
    response.destroy()
    return
  }
  writeAnswer(exchange, problem)
  // Discards the rest of a body that is too large, so that the client reads the answer.
  if (!request.complete) request.resume()
}

/** Who learns of an answer, beside the key's usage. */
interface Told {
  readonly observe: ((answered: AnsweredRequest) => void) | undefined
  readonly log: Log | undefined
  readonly span: Span | null
}

/** Records a finished answer in the key's usage, the metrics, the log and its span. */
export function record(exchange: Exchange, usage: UsageLog, { observe, log, span }: Told): void {
  const { response, endpoint, principal, at, started, id, cost, failed } = exchange
  const method = exchange.request.method!
  const milliseconds = performance.now() - started
  const status = failed ?? (response.headersSent ? response.statusCode : CLIENT_LEFT)
  if (principal) usage.add({ keyId: principal.keyId, endpoint, status, cost, milliseconds, at })
  observe?.({ endpoint, method, status, milliseconds })
  if (span) endRequestSpan(span, exchange, status)
  const caller = principal && { key_id: principal.keyId, cost }
  const ms = Math.round(milliseconds * 10) / 10
  log?.info({ request_id: id, method, endpoint, status, ms, ...caller }, 'request')
}
