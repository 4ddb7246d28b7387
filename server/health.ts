import type { Response } from 'express'
import type { Engine } from '../engine/engine.ts'
import { QueryError } from '../engine/errors.ts'
import type { Page } from './routes.ts'
import type { State } from './state/state.ts'

interface Parts {
  readonly isDraining: () => boolean
  readonly engine: Engine
  readonly state: State
  readonly metrics: () => Promise<string>
}

const answer = (response: Response, status: number, type: string, text: string) => {
  response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' })
  response.end(text)
}
const json = (response: Response, status: number, body: object) =>
  answer(response, status, 'application/json; charset=utf-8', JSON.stringify(body))

/** What whoever runs a server asks of it: does it live, may it be sent requests, what has it counted. */
export const healthPages = ({ isDraining, engine, state, metrics }: Parts): Page[] => [
  {
    method: 'GET',
    path: '/healthz',
    handle: (_request, response) => json(response, 200, { status: 'ok' }),
  },
  {
    method: 'GET',
    path: '/readyz',
    async handle(_request, response) {
      const [data, store] = await Promise.all([fault(() => engine.refresh()), fault(() => state.ping())])
      const ready = !data && !store && !isDraining()
      json(response, ready ? 200 : 503, {
        status: ready ? 'ready' : 'not ready',
        data: data ? said(data) : 'ok',
        state: store ? 'the state store does not answer' : 'ok',
        ...(isDraining() && { draining: true }),
        ...(!data && { snapshot: engine.snapshot, as_of: engine.manifest.as_of }),
      })
    },
  },
  {
    method: 'GET',
    path: '/metrics',
    handle: async (_request, response) =>
      answer(response, 200, 'text/plain; version=0.0.4; charset=utf-8', await metrics()),
  },
]

/** Without the names of files: anybody may ask. The log and "tranche doctor" have them. */
const said = (error: unknown): string => {
  const code = error instanceof QueryError ? error.code : null
  if (code === 'NOT_READY') return (error as QueryError).message
  return code === 'DATA_DAMAGED' ? 'the snapshot is damaged: run "tranche build"' : 'the lake cannot be read'
}

/** What is wrong; null where all is well. */
const fault = (check: () => Promise<unknown>): Promise<unknown> =>
  check().then(
    () => null,
    error => error,
  )
