import { randomUUID } from 'node:crypto'
import type { Request, Response } from 'express'
import type { Principal } from '../state/state.ts'

/** A request and its pending answer. */
export interface Exchange {
  /** Path and query, for keyed requests handled before Express. */
  readonly request: Request
  readonly response: Response
  /** The client's address, behind trusted proxies. */
  readonly address: () => string
  readonly id: string
  /** Unix epoch milliseconds. */
  readonly at: number
  /** On the monotonic clock. */
  readonly started: number
  /** Default headers of the answer; the one who writes it may override them. */
  readonly headers: Record<string, string>
  /** Aborted when the client leaves before its answer. Created on demand: most answers need none. */
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

/** A client's request id is used if it is short, plain and not a key. */
export const requestId = (given: string | string[] | undefined): string =>
  typeof given === 'string' && /^[\w.:-]{1,100}$/.test(given) && !/_[0-9a-f]{32}/i.test(given)
    ? given
    : randomUUID()

/** The path and the query of a request's target. */
export function splitTarget(target: string): { path: string; search: string } {
  const at = target.indexOf('?')
  return at < 0 ? { path: target, search: '' } : { path: target.slice(0, at), search: target.slice(at + 1) }
}
