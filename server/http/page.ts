import type { Request, Response } from 'express'

/** A route outside keys and limits: docs, health, metrics. */
export interface Page {
  readonly method: 'GET' | 'POST'
  /** `/docs/{file}` hands `file` over. */
  readonly path: string
  readonly handle: (
    request: Request,
    response: Response,
    named: Readonly<Record<string, string>>,
  ) => void | Promise<void>
}
