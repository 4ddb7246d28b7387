import type { IncomingMessage } from 'node:http'
import { beginSpan, type Span } from '../../engine/base/spans.ts'
import type { Exchange } from '../http/exchange.ts'

/** Begins the span of a request; null if no traces are recorded. */
export const beginRequestSpan = ({ method, headers }: IncomingMessage, route: string): Span | null =>
  beginSpan(`${method} ${route}`, { 'http.request.method': method, 'http.route': route }, headers)

/** Ends it. It has ids, names and numbers: nothing that was asked for, and no part of a key. */
export function endRequestSpan(
  span: Span,
  { endpoint, principal, cost, code, id }: Exchange,
  status: number,
): void {
  span.set({
    'http.response.status_code': status,
    'tranche.operation': endpoint,
    'tranche.request_id': id,
    'tranche.account': principal?.accountId,
    'tranche.credits': cost,
    'error.type': code ?? undefined,
  })
  span.end(status >= 500 ? (code ?? String(status)) : undefined)
}
