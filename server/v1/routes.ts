import type { Exchange } from '../http/exchange.ts'
import { type Match, matcher } from '../http/match.ts'
import type { Page } from '../http/page.ts'
import type { Endpoint } from './operations/endpoint.ts'

/** A route that authenticates callers itself. */
export interface RawRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly enter: (
    exchange: Exchange,
    target: { named: Readonly<Record<string, string>>; search: string },
  ) => Promise<void>
}

export type Route =
  | { readonly method: string; readonly path: string; readonly endpoint: Endpoint }
  | { readonly method: string; readonly path: string; readonly page: Page }
  | RawRoute

export type FindRoute = (method: string, path: string) => Match<Route>

/** Every route of the server. */
export const routes = (
  endpoints: readonly Endpoint[],
  pages: readonly Page[],
  doors: readonly RawRoute[] = [],
): FindRoute =>
  matcher<Route>([
    ...endpoints.map(endpoint => ({ method: endpoint.method, path: endpoint.path, endpoint })),
    ...pages.map(page => ({ method: page.method, path: page.path, page })),
    ...doors,
  ])
