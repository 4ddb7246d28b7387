import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/** A span as OTLP/HTTP sends it, with plain values. */
export interface ReceivedSpan {
  readonly name: string
  /** 1 internal, 2 of a server, 3 of a client. */
  readonly kind: number
  readonly trace: string
  readonly id: string
  readonly parent: string
  readonly attributes: Readonly<Record<string, unknown>>
  /** 0 unset, 2 error. */
  readonly status: number
}

interface Exported {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] }
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly name: string
        readonly kind: number
        readonly traceId: string
        readonly spanId: string
        readonly parentSpanId?: string
        readonly attributes: readonly Attribute[]
        readonly status: { readonly code?: number }
      }[]
    }[]
  }[]
}

interface Attribute {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}

const plain = (attributes: readonly Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

/** A collector: keeps the spans that are sent to it as JSON. */
export async function traceReceiver() {
  const spans: ReceivedSpan[] = []
  const resources: Record<string, unknown>[] = []
  const texts: string[] = []
  const server = createServer(async (request, response) => {
    const body = (await json(request)) as Exported
    texts.push(JSON.stringify(body))
    for (const { resource, scopeSpans } of body.resourceSpans) {
      resources.push(plain(resource.attributes))
      for (const span of scopeSpans.flatMap(scope => scope.spans))
        spans.push({
          name: span.name,
          kind: span.kind,
          trace: span.traceId,
          id: span.spanId,
          parent: span.parentSpanId ?? '',
          attributes: plain(span.attributes),
          status: span.status.code ?? 0,
        })
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    /** Variables with which a server sends its traces here. */
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '50',
    },
    spans,
    resources,
    /** Everything that was sent. */
    text: () => texts.join('\n'),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
