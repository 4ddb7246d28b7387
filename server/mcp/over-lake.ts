import { codes, QueryError } from '../../engine/base/errors.ts'
import { type Engine, open } from '../../engine/engine.ts'
import { type ArgsOf, type Params, parseParams } from '../../engine/schema/params.ts'
import { defaultLimits } from '../sql/limits.ts'
import { openSqlRunner, type SqlRunner } from '../sql/runner.ts'
import { endpoints } from '../v1/endpoints.ts'
import { answerSql, sqlEndpoint } from '../v1/operations/sql.ts'
import type { Progress, ToolBackend } from './speak.ts'
import { isOffered, toolOf } from './tools.ts'

/** How long preparing a lake's tables for SQL may take, and the interval of progress messages. */
const PREPARING_MS = 30 * 60_000
const TELL_MS = 2000

/** A lake behind the tools, opened on the first call: its owner sees everything, and nothing is charged. */
export function openLakeBackend(
  lake: string,
  { sql }: { readonly sql: boolean },
): ToolBackend & { close(): Promise<void> } {
  const engine = kept<Engine>(() => open(lake))
  const runner = kept<SqlRunner>(() =>
    openSqlRunner({ lake, limits: { runningPerKey: defaultLimits.running }, first: 'all' }),
  )
  const statements = sqlEndpoint({
    limits: defaultLimits,
    run: async question => (await runner.get()).run(question),
  })
  /** Preparing the tables of a new snapshot or day takes longer than a statement may, and the one user waits. */
  async function askSql(args: ArgsOf<Params>, signal: AbortSignal, progress: Progress) {
    const opened = await runner.get()
    const asOf = args['as_of'] as string | undefined
    const patience = AbortSignal.timeout(PREPARING_MS)
    const preparing = opened.prepare({ asOf, coverage: 'all', signal: AbortSignal.any([signal, patience]) })
    const timer = setInterval(
      () => progress(`preparing the tables for SQL${asOf ? ` as of ${asOf}` : ''}`),
      TELL_MS,
    )
    try {
      await preparing
    } catch (error) {
      if (!patience.aborted || signal.aborted) throw error
      throw new QueryError('QUERY_TIMEOUT', 'the tables for SQL were not ready in time: try again', {
        timeout_ms: PREPARING_MS,
      })
    } finally {
      clearInterval(timer)
    }
    for (;;)
      try {
        return await answerSql(opened, args, { coverage: 'all', key: '', signal })
      } catch (error) {
        // On a busy machine the SQL process takes a while to start.
        if (!(error instanceof QueryError && error.code === 'OVERLOADED') || patience.aborted) throw error
        progress('waiting for a process to run the statement')
      }
  }
  const tools = [...endpoints.filter(isOffered), ...(sql ? [statements] : [])].map(toolOf)
  return {
    tools,
    listed: tools,
    async ask({ endpoint, params }, input, signal, progress) {
      const asked = input()
      if (endpoint === statements) return askSql(parseParams(params, asked), signal, progress)
      return (await engine.get()).ask(endpoint.name, asked, { signal })
    },
    async manifest() {
      const opened = await engine.get()
      await opened.refresh()
      return opened.manifest
    },
    told(error) {
      const { code, message, details } =
        error instanceof QueryError
          ? error
          : {
              code: 'INTERNAL_ERROR' as const,
              message: error instanceof Error ? error.message : String(error),
              details: {},
            }
      return { code, message, details, kind: codes[code].kind }
    },
    async close() {
      await Promise.all([runner.close(r => r.close()), engine.close(e => e.close())])
    },
  }
}

/** Opens once, on first use; a failure is retried by the next caller. */
function kept<T>(open: () => Promise<T>) {
  let opening: Promise<T> | null = null
  return {
    get(): Promise<T> {
      opening ??= open().catch(error => {
        opening = null
        throw error
      })
      return opening
    },
    close: async (close: (opened: T) => void): Promise<void> => opening?.then(close),
  }
}
