import type { Request, Response } from 'express'

/** A route without key and limits: docs, health, metrics. */
export interface Page {
  readonly method: 'GET' | 'POST'
  /** `/docs/{file}` passes `file`. */
  readonly path: string
  readonly handle: (
    request: Request,
    response: Response,
    named: Readonly<Record<string, string>>,
  ) => void | Promise<void>
}
