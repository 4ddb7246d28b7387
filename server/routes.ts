import type { Request, Response } from 'express'
import type { AccountOperation } from './account/operation.ts'
import type { Endpoint } from './endpoint.ts'
import { type Match, matcher } from './match.ts'

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

export type Route =
  | { readonly method: string; readonly path: string; readonly endpoint: Endpoint }
  | { readonly method: string; readonly path: string; readonly account: AccountOperation }
  | { readonly method: string; readonly path: string; readonly page: Page }

export type FindRoute = (method: string, path: string) => Match<Route>

/** Every way into the server. */
export const routes = (
  endpoints: readonly Endpoint[],
  pages: readonly Page[],
  accounts: readonly AccountOperation[] = [],
): FindRoute =>
  matcher<Route>([
    ...accounts.map(account => ({ method: account.method, path: account.path, account })),
    ...endpoints.map(endpoint => ({ method: endpoint.method, path: endpoint.path, endpoint })),
    ...pages.map(page => ({ method: page.method, path: page.path, page })),
  ])
