import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Request, Response } from 'express'
import type { Principal } from '../state/state.ts'
import type { Responding } from './write-answer.ts'

/** A request and the state of its answer. */
export interface Exchange extends Responding {
  /** Requests with a key bypass Express: see `throughExpress`. */
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The client's address, behind the trusted proxies. */
  readonly address: () => string
  /** The path under which another application has mounted this one; '' at the root. */
  readonly prefix: string
  readonly id: string
  /** Unix epoch milliseconds. */
  readonly at: number
  /** By `performance.now()`. */
  readonly started: number
  /** Aborted when the client leaves before its answer. Created on first use, because most answers need none. */
  readonly signal: AbortSignal
  /** Whether the client left before its answer. */
  gone: boolean
  /** The operation's name, the path of a page, or `unknown`. */
  endpoint: string
  /** The id of its key, once known. */
  principal: Principal | null
  /** Credits at list price; 0 if it failed. */
  cost: number
  /** The status of a failure that the answer does not show, because it was cut off or is inside another format. */
  failed: number | null
  /** The error code of a request that failed. */
  code: string | null
}

/** An exchange whose request passed through Express, which knows its protocol and host and writes cookies. */
export interface ExpressExchange extends Exchange {
  readonly request: Request
  readonly response: Response
}

/** The same exchange, if its request passed through Express, as every request without a key does. */
export function throughExpress(exchange: Exchange): ExpressExchange {
  if ('app' in exchange.request) return exchange as ExpressExchange
  throw new Error('this request did not pass Express')
}

/** A client's own request id is used if it is short, plain and not a key. */
export const requestId = (given: string | string[] | undefined): string =>
  typeof given === 'string' && /^[\w.:-]{1,100}$/.test(given) && !/_[0-9a-f]{32}/i.test(given)
    ? given
    : randomUUID()

/** Splits a request's target into path and query. */
export function splitTarget(target: string): { path: string; search: string } {
  const at = target.indexOf('?')
  return at < 0 ? { path: target, search: '' } : { path: target.slice(0, at), search: target.slice(at + 1) }
}
