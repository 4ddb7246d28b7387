import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Request, Response } from 'express'
import type { Principal } from '../state/state.ts'
import type { Responding } from './write-answer.ts'

/** A request on its way to its answer. */
export interface Exchange extends Responding {
  /** Requests with a key do not pass Express: see `throughExpress`. */
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The client's address, behind the proxies that are trusted. */
  readonly address: () => string
  /** The path under which another application has mounted this one; '' at the root. */
  readonly prefix: string
  readonly id: string
  /** Unix epoch milliseconds. */
  readonly at: number
  /** On the monotonic clock. */
  readonly started: number
  /** Aborted when the client leaves before it has its answer. Made where it is asked for: most answers need none. */
  readonly signal: AbortSignal
  /** Whether the client left before its answer. */
  gone: boolean
  /** The operation's name, the path of a page, or `unknown`. */
  endpoint: string
  /** The id of its key, once known. */
  principal: Principal | null
  /** Credits at list price; 0 if it failed. */
  cost: number
  /** The status of a failure that the answer does not show: it was cut off, or is inside another format. */
  failed: number | null
}

/** An exchange whose request passed Express, which knows its protocol and host and writes cookies. */
export interface ExpressExchange extends Exchange {
  readonly request: Request
  readonly response: Response
}

/** The same exchange, where its request passed Express. Every request without a key does. */
export function throughExpress(exchange: Exchange): ExpressExchange {
  if ('app' in exchange.request) return exchange as ExpressExchange
  throw new Error('this request did not pass Express')
}

/** What a client calls its request is kept where it is short, plain and no key. */
export const requestId = (given: string | string[] | undefined): string =>
  typeof given === 'string' && /^[\w.:-]{1,100}$/.test(given) && !/_[0-9a-f]{32}/i.test(given)
    ? given
    : randomUUID()

/** The path and the query of a request's target. */
export function splitTarget(target: string): { path: string; search: string } {
  const at = target.indexOf('?')
  return at < 0 ? { path: target, search: '' } : { path: target.slice(0, at), search: target.slice(at + 1) }
}
