import type { FormatName } from '../../../engine/encode/formats.ts'
import type { Engine } from '../../../engine/engine.ts'
import type { Operation } from '../../../engine/operations/operation.ts'
import type { Input } from '../../../engine/schema/params.ts'
import type { UnknownParams } from '../../http/unknown-params.ts'
import type { Tier } from '../../limits/tiers.ts'
import type { Principal, State, Window } from '../../state/state.ts'

/** One request that passed its checks, as an endpoint of the server's own sees it. */
export interface Call {
  readonly engine: Engine
  readonly state: State
  readonly principal: Principal
  /** The key's requests of this minute, this one counted. */
  readonly window: Window
  readonly requestId: string
  /** Parsed by the declaration's params. */
  readonly args: Readonly<Record<string, unknown>>
  /** Unix epoch milliseconds at which the request came. */
  readonly now: number
  readonly signal: AbortSignal
  /** Moment of `performance.now()` by which it must be answered; none if undefined. */
  readonly deadline: number | undefined
  /** What is done about parameters that nobody declares, also inside a batch. */
  readonly unknownParams: UnknownParams
  /** A bug in a part of the answer that does not end the whole: goes to the log. */
  readonly report: (error: unknown) => void
}

export interface Reply {
  readonly status?: number
  /** `meta.request_id` is added to it. */
  readonly body: Readonly<Record<string, unknown>>
  /** Credits to charge where that is not known from the declaration. */
  readonly cost?: number
}

/** An answer that is a file of rows and not JSON. */
export interface FileReply {
  readonly bytes: Uint8Array
  readonly headers: Readonly<Record<string, string>>
  readonly cost?: number
}

/** What every route is made from: an operation's declaration, without saying who runs it. */
export type Declaration = Omit<Operation, 'run' | 'out' | 'command'>

/** What callers of an endpoint send and receive, as the client types it. */
export interface CallTypes<Input, Output> {
  readonly input: Input
  readonly output: Output
}

/** `meta` of every answer. */
export type Meta = Record<string, unknown> & { request_id: string }

/** A route. Those without `handle` are operations of the engine. */
export interface Endpoint extends Declaration {
  /** Never set: carries the types of its callers. */
  readonly types?: CallTypes<unknown, unknown> | undefined
  readonly handle?: (call: Call) => Promise<Reply | FileReply>
  /** Formats that `handle` can answer in, the usual one first; JSON alone if not said. */
  readonly formats?: readonly FormatName[]
  /** Parameters stand in a JSON body. */
  readonly body?: boolean
  /** JSON schema of the answer where it cannot be made from columns. */
  readonly schema?: Readonly<Record<string, unknown>>
  /** Requests it counts as against the limit, from input that is not checked yet; one if not said. */
  readonly weight?: (input: Input) => number
  /** The most credits it may cost, where the class of cost does not say it. */
  readonly price?: (args: Readonly<Record<string, unknown>>, tier: Tier) => number
}
