import type { Exchange } from './exchange.ts'

/** A route outside keys and limits: docs, health, metrics. */
export interface Page {
  readonly method: 'GET' | 'POST'
  /** `/docs/{file}` hands `file` over. */
  readonly path: string
  readonly handle: (exchange: Exchange, named: Readonly<Record<string, string>>) => void | Promise<void>
}
