import type { AsOf } from '../schema/options.ts'

/** Options of a query. */
export interface CallOptions extends AsOf {
  /** `standard` leaves out companies of extended coverage. */
  readonly coverage?: 'all' | 'standard'
  /** Timeout in milliseconds; default that of `open`, 0 for none. */
  readonly timeout?: number
  readonly signal?: AbortSignal
}

/** Every option; the type ensures that none is missing. */
const callOptions: Record<keyof CallOptions, true> = {
  as_of: true,
  asOf: true,
  coverage: true,
  timeout: true,
  signal: true,
}
export const callOptionNames = Object.keys(callOptions)

/** Further options for a server. Not for users of the library. */
export interface RequestDetails {
  /** `limit` keeps its maximum, as over HTTP. */
  readonly bounded?: boolean
  /** A list returns all its rows unless `limit` is given. */
  readonly allRows?: boolean
  /** An answer that found nothing is NOT_FOUND, as inside a batch. */
  readonly nonempty?: boolean
  /** The input is already parsed by `parseParams`. */
  readonly parsed?: boolean
  /** `refresh` was just called. */
  readonly refreshed?: boolean
  /** Deadline as a time of `performance.now()`; default `timeout` milliseconds after the start. */
  readonly deadline?: number | undefined
  /** Called before each further day that a panel derives: others may have their turn. */
  readonly betweenDays?: () => Promise<void>
  /** Added to `meta.warnings`. */
  readonly warnings?: readonly string[]
}
