import { addDays } from '../base/days.ts'
import { isPromise } from '../base/maybe-promise.ts'
import type { Columns } from '../schema/column.ts'
import type { Condition } from '../schema/filter.ts'
import type { Params } from '../schema/params.ts'
import type { Answer, Context, ListAnswer, Operation } from './operation.ts'

/** Facilities seldom run longer than this: one that no later document tells of has probably ended. */
const OLD_DAYS = 1826

const oldAsOf = (asOf: string): readonly Condition[] => [
  { column: 'in_force', op: 'in', values: [true] },
  { column: 'last_stated', op: 'le', value: addDays(asOf, -OLD_DAYS) },
]

/**
 * The list of covenants, with a warning that counts those in force of which nothing is known but documents of more than
 * five years before: nothing says that they ended, nor that they have not.
 */
export function warnOfOldCovenants<P extends Params, Out>(
  list: Operation<P, Out>,
  { table, columns }: { readonly table: string; readonly columns: Columns },
): Operation<P, Out> {
  const oldOf = (context: Context) =>
    context.cached(`${table} stated long ago`, async () => {
      await context.tables(table)
      const plan = {
        table,
        columns: [],
        where: oldAsOf(context.asOf),
        after: [],
        order: [],
        limit: null,
        offset: 0,
      }
      return { bytes: 64, rows: await context.count(plan, columns) }
    })
  return {
    ...list,
    run(context, args) {
      const old = oldOf(context)
      // Where there are none, lists are answered synchronously.
      if (!isPromise(old) && old.rows === 0) return list.run(context, args)
      return Promise.all([list.run(context, args), old]).then(([answer, { rows }]) =>
        rows === 0 ? answer : withWarning(context, answer),
      )
    },
  }
}

async function withWarning(context: Context, answer: Answer): Promise<Answer> {
  if (answer.kind !== 'list') return answer
  const count = await oldAmong(context, answer)
  if (count === 0) return answer
  const those =
    count === 1 ? '1 covenant in force is' : `${count.toLocaleString('en-US')} covenants in force are`
  const warning = `${those} known only from documents of over five years before ${context.asOf} (last_stated): nothing says whether what they state has ended since`
  const before = (answer.meta?.['warnings'] as readonly string[] | undefined) ?? []
  return { ...answer, meta: { ...answer.meta, warnings: [...before, warning] } }
}

const oldAmong = (context: Context, { plan, kinds }: ListAnswer): Promise<number> | number =>
  context.count({ ...plan, where: [...plan.where, ...oldAsOf(context.asOf)], limit: null, offset: 0 }, kinds)
