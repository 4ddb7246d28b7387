import { isPromise } from '../base/maybe-promise.ts'
import type { Columns } from '../schema/column.ts'
import type { Condition } from '../schema/filter.ts'
import type { Params } from '../schema/params.ts'
import type { Answer, Context, ListAnswer, Operation } from './operation.ts'

/** Rows of a list that its readers are warned of. */
export interface Warned {
  readonly table: string
  readonly columns: Columns
  /** What tells such rows, as of a day. */
  readonly where: (asOf: string) => readonly Condition[]
  /** What tells those that an answer lists, or leaves out; null if it can have none. */
  readonly among: (answer: ListAnswer, these: readonly Condition[]) => readonly Condition[] | null
  readonly warning: (count: number, asOf: string) => string
}

/** A list with a warning in `meta` that counts such rows. Days that have none at all are looked at once. */
export function warnOfRows<P extends Params, Out>(
  list: Operation<P, Out>,
  { table, columns, where, among, warning }: Warned,
): Operation<P, Out> {
  const countOfDay = (context: Context) => {
    const these = where(context.asOf)
    return context.cached(`${table} that lists warn of: ${JSON.stringify(these)}`, async () => {
      await context.tables(table)
      const plan = { table, columns: [], where: these, after: [], order: [], limit: null, offset: 0 }
      return { bytes: 64, rows: await context.count(plan, columns) }
    })
  }
  const warned = async (context: Context, answer: Answer): Promise<Answer> => {
    if (answer.kind !== 'list') return answer
    const conditions = among(answer, where(context.asOf))
    if (conditions === null) return answer
    const count = await context.count(
      { ...answer.plan, where: conditions, limit: null, offset: 0 },
      answer.kinds,
    )
    if (count === 0) return answer
    const before = (answer.meta?.['warnings'] as readonly string[] | undefined) ?? []
    return { ...answer, meta: { ...answer.meta, warnings: [...before, warning(count, context.asOf)] } }
  }
  return {
    ...list,
    run(context, args) {
      const day = countOfDay(context)
      // Where there are none, lists are answered synchronously.
      if (!isPromise(day) && day.rows === 0) return list.run(context, args)
      return Promise.all([list.run(context, args), day]).then(([answer, { rows }]) =>
        rows === 0 ? answer : warned(context, answer),
      )
    },
  }
}
