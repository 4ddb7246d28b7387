import { setMaxListeners } from 'node:events'
import type { DuckDBConnection } from '@duckdb/node-api'
import { QueryError } from '../base/errors.ts'

export interface RunOptions {
  /** Milliseconds until the statement is interrupted and QUERY_TIMEOUT is thrown. */
  readonly timeout?: number
  /** The deadline as a time of `performance.now()`; default `timeout` after the statement begins. */
  readonly deadline?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export interface Guard {
  readonly fired: boolean
  readonly timeout: number
  clear(): void
}

/**
 * Interrupts what runs on a connection at its deadline, or when its signal is aborted, until cleared. The database's
 * own signal applies to what has none.
 */
export function guarded(
  connection: DuckDBConnection,
  options: RunOptions,
  databases?: AbortSignal | undefined,
): Guard {
  const { timeout = 0, signal = databases, deadline: moment } = options
  const left = moment === undefined ? timeout : Math.max(1, moment - performance.now())
  const state = { fired: false, timeout, clear }
  // DuckDB ignores an interrupt between two of its tasks, so it is repeated until the statement ends.
  let again: NodeJS.Timeout | undefined
  const interrupt = () => {
    state.fired = true
    connection.interrupt()
    again ??= setInterval(() => connection.interrupt(), 20)
  }
  const timer = timeout ? setTimeout(interrupt, left) : undefined
  if (signal?.aborted) interrupt()
  if (signal) {
    // Any number of statements at once may share it: those of a batch, or of the tables that a new snapshot loads.
    setMaxListeners(0, signal)
    signal.addEventListener('abort', interrupt, { once: true })
  }
  function clear() {
    clearTimeout(timer)
    clearInterval(again)
    signal?.removeEventListener('abort', interrupt)
  }
  return state
}

/** The error of a guarded statement, as callers see it. */
export function translate(error: unknown, guard: Guard): unknown {
  const message = error instanceof Error ? error.message : String(error)
  if (guard.fired && guard.timeout > 0 && /interrupt/i.test(message))
    return new QueryError(
      'QUERY_TIMEOUT',
      `the statement exceeded its limit of ${guard.timeout} ms and was stopped`,
      { timeout_ms: guard.timeout },
    )
  if (/^Out of Memory Error/i.test(message))
    return new QueryError('MEMORY_LIMIT', 'the statement exceeded its memory limit: request less at a time')
  return error
}
