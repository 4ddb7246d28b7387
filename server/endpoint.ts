import type { Engine } from '../engine/engine.ts'
import type { Operation } from '../engine/operation.ts'
import type { Principal, State } from './state/state.ts'

/** One request that passed its checks, as an endpoint of the server's own sees it. */
export interface Call {
  readonly engine: Engine
  readonly state: State
  readonly principal: Principal
  readonly requestId: string
  /** Parsed by the declaration's params. */
  readonly args: Readonly<Record<string, unknown>>
  /** Unix epoch milliseconds at which the request came. */
  readonly now: number
  readonly signal: AbortSignal
}

export interface Reply {
  readonly status?: number
  readonly body: Readonly<Record<string, unknown>>
  /** Credits to charge where that is not known from the declaration. */
  readonly cost?: number
}

/** What every route is made from: an operation's declaration, without saying who runs it. */
export type Declaration = Omit<Operation, 'run' | 'out'>

/** A route. Those without `handle` are operations of the engine. */
export interface Endpoint extends Declaration {
  readonly handle?: (call: Call) => Promise<Reply>
  /** Parameters stand in a JSON body. */
  readonly body?: boolean
  /** JSON schema of the answer where it cannot be made from columns. */
  readonly schema?: Readonly<Record<string, unknown>>
}
