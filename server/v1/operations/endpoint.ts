import type { FormatName } from '../../../engine/encode/formats.ts'
import type { Engine } from '../../../engine/engine.ts'
import type { Operation } from '../../../engine/operations/operation.ts'
import type { Input } from '../../../engine/schema/params.ts'
import type { UnknownParams } from '../../http/unknown-params.ts'
import type { Tier } from '../../limits/tiers.ts'
import type { Principal, State, Window } from '../../state/state.ts'

/** A validated request to one of the server's own endpoints. */
export interface Call {
  readonly engine: Engine
  readonly state: State
  readonly principal: Principal
  /** The key's requests this minute, including this one. */
  readonly window: Window
  readonly requestId: string
  /** Parsed by the declared params. */
  readonly args: Readonly<Record<string, unknown>>
  /** Unix epoch milliseconds of arrival. */
  readonly now: number
  readonly signal: AbortSignal
  /** Deadline as a time of `performance.now()`; none if undefined. */
  readonly deadline: number | undefined
  /** How unknown parameters are handled, also inside a batch. */
  readonly unknownParams: UnknownParams
  /** Logs a bug in part of an answer that does not fail the whole. */
  readonly report: (error: unknown) => void
}

export interface Reply {
  readonly status?: number
  /** `meta.request_id` is added to it. */
  readonly body: Readonly<Record<string, unknown>>
  /** Credits to charge, if the declaration does not determine them. */
  readonly cost?: number
}

/** An answer that is a file of rows rather than JSON. */
export interface FileReply {
  readonly bytes: Uint8Array
  readonly headers: Readonly<Record<string, string>>
  readonly cost?: number
}

/** A declared operation without its implementation, from which every route is made. */
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
  /** Formats supported by `handle`, default first; JSON only if absent. */
  readonly formats?: readonly FormatName[]
  /** Parameters are in a JSON body. */
  readonly body?: boolean
  /** JSON schema of the answer, if it cannot be derived from columns. */
  readonly schema?: Readonly<Record<string, unknown>>
  /** Requests it counts as against the limit, from unvalidated input; default one. */
  readonly weight?: (input: Input) => number
  /** Maximum credits, if the cost class does not determine them. */
  readonly price?: (args: Readonly<Record<string, unknown>>, tier: Tier) => number
}
