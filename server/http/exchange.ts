import { randomUUID } from 'node:crypto'
import type { Request, Response } from 'express'
import type { Principal } from '../state/state.ts'

/** A request on its way to its answer. */
export interface Exchange {
  /** Beside an API key, without what Express adds to them. */
  readonly request: Request
  readonly response: Response
  /** Where the client is, behind the proxies that are believed. */
  readonly address: () => string
  readonly id: string
  /** Unix epoch milliseconds. */
  readonly at: number
  /** On the clock that only goes forward. */
  readonly started: number
  /** What the answer says in its headers, whoever writes it; who does may say otherwise. */
  readonly headers: Record<string, string>
  /** Aborted when the client leaves before it has its answer. Made where it is asked for: most answers need none. */
  readonly signal: AbortSignal
  /** The client has left before its answer. */
  gone: boolean
  /** The operation's name, the path of a page, or `unknown`. */
  endpoint: string
  /** Whose key it came with, once that is known. */
  principal: Principal | null
  /** Credits at list price; 0 where it failed. */
  cost: number
  /** The status that a failure stands for which its answer does not have: it was cut off, or is told inside another form. */
  failed: number | null
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
