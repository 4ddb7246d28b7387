import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Exchange, requestId } from '../http/exchange.ts'
import type { CommonHeaders } from '../http/write-answer.ts'
import type { Principal } from '../state/state.ts'

interface Surroundings {
  readonly addressOf: (request: IncomingMessage) => string
  readonly common: CommonHeaders
  /** Unix epoch milliseconds. */
  readonly at: number
}

/**
 * An exchange, created for every request. It is a class because an object literal with a getter takes longer to
 * create.
 */
export class OpenExchange implements Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly address: () => string
  readonly prefix: string
  readonly id: string
  readonly common: CommonHeaders
  readonly headers: Record<string, string>
  readonly at: number
  readonly started = performance.now()
  gone = false
  endpoint = 'unknown'
  principal: Principal | null = null
  cost = 0
  failed: number | null = null
  code: string | null = null
  private readonly left = new AbortController()

  constructor(request: IncomingMessage, response: ServerResponse, { addressOf, common, at }: Surroundings) {
    this.request = request
    this.response = response
    this.address = () => addressOf(request)
    this.prefix = (request as { baseUrl?: string }).baseUrl ?? ''
    this.id = requestId(request.headers['x-request-id'])
    this.common = common
    this.headers = { 'X-Request-Id': this.id }
    this.at = at
  }

  get signal(): AbortSignal {
    return this.left.signal
  }

  /** Called when the response is closed: finished, or left by the client. */
  closed(): void {
    if (this.response.writableFinished) return
    this.gone = true
    this.left.abort()
  }
}
