import type { Operation } from '../operations/operation.ts'
import { unbounded, withoutPage } from '../operations/params.ts'
import { type AsOf, withDay } from '../schema/options.ts'
import { type Input, type Params, parseParams } from '../schema/params.ts'

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

/** The parameters of an operation, with the `limit` allowed for this request. */
const paramsFor = (params: Params, { bounded, allRows }: RequestDetails): Params =>
  bounded ? params : allRows ? withoutPage(params) : unbounded(params)

/** The arguments of an operation, with all errors that can be found without data. */
export function checkedArgs(
  operation: Pick<Operation, 'params' | 'check'>,
  input: Input,
  options: CallOptions,
  request: RequestDetails,
): Record<string, unknown> {
  const given = request.bounded ? input : withDay(input, options)
  const args = parseParams(paramsFor(operation.params, request), given)
  operation.check?.(args as never)
  return args
}
