import type { Request, Response } from 'express'
import type { Endpoint } from './operations/endpoint.ts'
import type { Exchange } from '../http/exchange.ts'
import { type Match, matcher } from '../http/match.ts'

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

/** A route that looks itself at who asks. */
export interface Door {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly enter: (
    exchange: Exchange,
    asked: { named: Readonly<Record<string, string>>; search: string },
  ) => Promise<void>
}

export type Route =
  | { readonly method: string; readonly path: string; readonly endpoint: Endpoint }
  | { readonly method: string; readonly path: string; readonly page: Page }
  | Door

export type FindRoute = (method: string, path: string) => Match<Route>

/** Every way into the server. */
export const routes = (
  endpoints: readonly Endpoint[],
  pages: readonly Page[],
  doors: readonly Door[] = [],
): FindRoute =>
  matcher<Route>([
    ...endpoints.map(endpoint => ({ method: endpoint.method, path: endpoint.path, endpoint })),
    ...pages.map(page => ({ method: page.method, path: page.path, page })),
    ...doors,
  ])
