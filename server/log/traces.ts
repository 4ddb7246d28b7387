import type { Span as ApiSpan, Attributes, Context } from '@opentelemetry/api'
import { invalid, QueryError } from '../../engine/base/errors.ts'
import {
  recordSpans,
  type Span,
  type SpanAttributes,
  type SpanRecorder,
  type TraceHeaders,
} from '../../engine/base/spans.ts'
import { version } from '../../engine/base/version.ts'

type Sdk = typeof import('@opentelemetry/sdk-node')
type Api = Sdk['api']

/** The newest that Node.js 20 can load. */
const PACKAGE = '@opentelemetry/sdk-node@0.223'

/** How long the last spans may take to leave when the process stops. */
const FLUSH_MS = 5000

export interface Traces {
  /** Sends what is recorded, and stops recording. */
  close(): Promise<void>
}

/**
 * Records spans and sends them as the variables of OpenTelemetry say: OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SERVICE_NAME,
 * OTEL_TRACES_SAMPLER and the others. Throws where its package is not installed.
 */
export async function openTraces(): Promise<Traces> {
  const sdk = await import('@opentelemetry/sdk-node').catch(() => {
    throw invalid('traces', true, `--traces needs a package that is not installed: npm install ${PACKAGE}`)
  })
  process.env['OTEL_SERVICE_NAME'] ||= 'tranche'
  const node = new sdk.NodeSDK({
    // The detector of processes would send the command line, which may hold the password of the state store.
    resourceDetectors: [sdk.resources.envDetector],
    instrumentations: [],
    metricReaders: [],
    logRecordProcessors: [],
  })
  node.start()
  recordSpans(recorderOf(sdk.api))
  return {
    async close() {
      recordSpans(null)
      const late = new Promise<void>(resolve => setTimeout(resolve, FLUSH_MS).unref())
      // Spans that no collector takes are lost, like those of a running server.
      await Promise.race([node.shutdown().catch(() => {}), late])
    },
  }
}

function recorderOf(api: Api): SpanRecorder {
  const tracer = api.trace.getTracer('tranche', version)
  const open = (name: string, kind: number, attributes: SpanAttributes | undefined, parent: Context) => {
    const span = tracer.startSpan(name, { kind, attributes: given(attributes) }, parent)
    return opened(span, api.trace.setSpan(parent, span))
  }
  const opened = (span: ApiSpan, context: Context): Span => ({
    get traceparent() {
      const { traceId, spanId, traceFlags } = span.spanContext()
      return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
    },
    set(attributes) {
      span.setAttributes(given(attributes))
    },
    child: (name, attributes) =>
      open(
        name,
        attributes?.['server.address'] ? api.SpanKind.CLIENT : api.SpanKind.INTERNAL,
        attributes,
        context,
      ),
    end(error) {
      if (!span.isRecording()) return
      if (error !== undefined) {
        // Messages may repeat what was asked for.
        const code =
          error instanceof QueryError ? error.code : typeof error === 'string' ? error : 'INTERNAL_ERROR'
        span.setAttribute('error.type', code)
        span.setStatus({ code: api.SpanStatusCode.ERROR, message: code })
      }
      span.end()
    },
  })
  return {
    begin(name, attributes, headers) {
      const kind = headers ? api.SpanKind.SERVER : api.SpanKind.INTERNAL
      return open(name, kind, attributes, callerOf(api, headers))
    },
  }
}

/** The span that a request names as its parent, read as OTEL_PROPAGATORS says. */
const callerOf = (api: Api, headers: TraceHeaders | undefined): Context =>
  headers ? api.propagation.extract(api.ROOT_CONTEXT, headers) : api.ROOT_CONTEXT

const given = (attributes: SpanAttributes = {}): Attributes => attributes as Attributes
