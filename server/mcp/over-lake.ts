import { type Engine, open } from '../../engine/engine.ts'
import { codes, QueryError } from '../../engine/errors.ts'
import { parseParams } from '../../engine/params.ts'
import { endpoints } from '../endpoints.ts'
import { answerSql, sqlEndpoint } from '../operations/sql.ts'
import { defaultLimits, openSqlRunner, type SqlRunner } from '../sql-child/runner.ts'
import type { Behind } from './speak.ts'
import { isOffered, toolOf } from './tools.ts'

/** A lake behind the tools, opened by the first question: its owner sees everything, and nothing is charged. */
export function openBehind(
  lake: string,
  { sql }: { readonly sql: boolean },
): Behind & { close(): Promise<void> } {
  const engine = kept<Engine>(() => open(lake))
  const runner = kept<SqlRunner>(() =>
    openSqlRunner({ lake, limits: { runningPerKey: defaultLimits.running } }),
  )
  const statements = sqlEndpoint({
    limits: defaultLimits,
    run: async question => (await runner.get()).run(question),
  })
  const tools = [...endpoints.filter(isOffered), ...(sql ? [statements] : [])].map(toolOf)
  return {
    tools,
    listed: tools,
    async ask({ endpoint, params }, input, signal) {
      const asked = input()
      if (endpoint === statements)
        return answerSql(await runner.get(), parseParams(params, asked), {
          coverage: 'all',
          key: '',
          signal,
        })
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

/** Opens once, when it is first needed; what could not be opened is tried again by whoever needs it next. */
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
