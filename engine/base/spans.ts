import { AsyncLocalStorage } from 'node:async_hooks'

/** What describes a span. Undefined values are left out; none may be secret. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>

/** A piece of work of a trace, from its start until `end`. */
export interface Span {
  /** The `traceparent` header of a request that this work sends to another server. */
  readonly traceparent: string
  set(attributes: SpanAttributes): void
  child(name: string, attributes?: SpanAttributes): Span
  /** @param error why the work failed, or the code of it; a span that has ended stays as it is */
  end(error?: unknown): void
}

/** Headers of a request, which may name the span of its caller. */
export type TraceHeaders = Readonly<NodeJS.Dict<string | string[]>>

/** Records spans; see `server/log/traces.ts`. */
export interface SpanRecorder {
  /** Begins the span of a request, or of work that no request asked for if there are no headers. */
  begin(name: string, attributes: SpanAttributes, headers?: TraceHeaders): Span
}

let recorder: SpanRecorder | null = null

/** The span of the request that runs. Without a recorder nothing ever enters it, and reading it costs a comparison. */
const ofRequest = new AsyncLocalStorage<Span>()

/** From here on spans are recorded; null stops it. */
export function recordSpans(by: SpanRecorder | null): void {
  recorder = by
}

/** Begins a span without parent in this process; null if nothing is recorded. */
export const beginSpan = (name: string, attributes: SpanAttributes, headers?: TraceHeaders): Span | null =>
  recorder?.begin(name, attributes, headers) ?? null

/** Runs work that belongs to a span: `currentSpan` is that span there, and in everything that the work awaits. */
export const withinSpan = <T>(span: Span | null, work: () => T): T =>
  span ? ofRequest.run(span, work) : work()

/** The span of the request that runs; undefined if none is recorded. */
export const currentSpan = (): Span | undefined => ofRequest.getStore()

/** Begins a part of the request that runs; undefined if none is recorded. */
export const childSpan = (name: string, attributes?: SpanAttributes): Span | undefined =>
  ofRequest.getStore()?.child(name, attributes)
