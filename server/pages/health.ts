import { setTimeout } from 'node:timers/promises'
import { QueryError } from '../../engine/base/errors.ts'
import type { Engine } from '../../engine/engine.ts'
import { publicMessage } from '../http/errors.ts'
import type { Page } from '../http/page.ts'
import { type Responding, writeHeaders } from '../http/write-answer.ts'
import type { Log } from '../log/log.ts'
import type { State } from '../state/state.ts'

interface Parts {
  readonly isDraining: () => boolean
  readonly engine: Engine
  readonly state: State
  readonly metrics: () => Promise<string>
  readonly log?: Log
}

const answer = (exchange: Responding, status: number, type: string, text: string) => {
  writeHeaders(exchange, status, { 'Content-Type': type, 'Cache-Control': 'no-store' })
  exchange.response.end(text)
}
const json = (exchange: Responding, status: number, body: object) =>
  answer(exchange, status, 'application/json; charset=utf-8', JSON.stringify(body))

/** The operator's endpoints: liveness, readiness, metrics. */
export function healthPages({ isDraining, engine, state, metrics, log }: Parts): Page[] {
  const checkData = checking(() => engine.check())
  const checkState = checking(() => state.ping())
  let last = 'ready'

  /** Logs a change of readiness once, with the file names that the page omits. */
  function report(data: unknown, store: unknown): void {
    const current = JSON.stringify([data && dataFault(data), store && stateFault(store)])
    if (current === last) return
    const previous = last
    last = current
    if (data || store) log?.error({ data: messageOf(data), state: messageOf(store) }, 'not ready')
    else if (previous !== 'ready') log?.warn('ready again')
  }

  return [
    {
      method: 'GET',
      path: '/healthz',
      handle: exchange => json(exchange, 200, { status: 'ok' }),
    },
    {
      method: 'GET',
      path: '/readyz',
      async handle(exchange) {
        const [data, store] = await Promise.all([checkData(), checkState()])
        report(data, store)
        const ready = !data && !store && !isDraining()
        json(exchange, ready ? 200 : 503, {
          status: ready ? 'ready' : 'not ready',
          data: data ? dataFault(data) : 'ok',
          state: store ? stateFault(store) : 'ok',
          ...(isDraining() && { draining: true }),
          ...(!data && { snapshot: engine.snapshot, as_of: engine.manifest.as_of }),
        })
      },
    },
    {
      method: 'GET',
      path: '/metrics',
      handle: async exchange =>
        answer(exchange, 200, 'text/plain; version=0.0.4; charset=utf-8', await metrics()),
    },
  ]
}

const messageOf = (fault: unknown): string | null =>
  fault === null ? null : fault === LATE ? 'no answer in time' : String((fault as Error).message)

/** How long a part may take to respond before it counts as failed. */
const PATIENCE_MS = 3000

/** Without file names, because anybody may call. The log and "tranche doctor" have them. */
function dataFault(error: unknown): string {
  if (error === LATE) return "the lake's disk does not respond"
  const code = error instanceof QueryError ? error.code : null
  if (code === 'NOT_READY') return (error as QueryError).message
  return code === 'DATA_DAMAGED'
    ? 'files of the snapshot are missing or damaged: run "tranche build"'
    : 'the lake cannot be read'
}

const stateFault = (error: unknown): string =>
  error === LATE
    ? 'the database of keys and limits does not respond'
    : error instanceof QueryError
      ? publicMessage(error)
      : 'the database of keys and limits cannot be read'

const LATE = Symbol('late')

/** Runs one check at a time: concurrent callers share it, for at most the given time. Returns the problem. */
function checking(check: () => Promise<unknown>): () => Promise<unknown> {
  let running: Promise<unknown> | null = null
  return () => {
    running ??= check()
      .then(
        () => null,
        error => error,
      )
      .finally(() => {
        running = null
      })
    return Promise.race([running, setTimeout(PATIENCE_MS, LATE, { ref: false })])
  }
}
