import type { Exchange } from './exchange.ts'

/** A route without key and limits: docs, health, metrics. */
export interface Page {
  readonly method: 'GET' | 'POST'
  /** `/docs/{file}` passes `file`. */
  readonly path: string
  readonly handle: (exchange: Exchange, named: Readonly<Record<string, string>>) => void | Promise<void>
}
