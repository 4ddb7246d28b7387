import { isPromise } from '../base/maybe-promise.ts'
import type { Columns } from '../schema/column.ts'
import type { Condition } from '../schema/filter.ts'
import type { Params } from '../schema/params.ts'
import type { Answer, Context, ListAnswer, Operation } from './operation.ts'

const UNKNOWN: Condition = { column: 'currency', op: 'absent' }

/**
 * A list that shows one currency by default, with a warning in `meta` that counts the rows left out because no source
 * states theirs.
 */
export function warnOfUnknownCurrency<P extends Params, Out>(
  list: Operation<P, Out>,
  { table, columns }: { readonly table: string; readonly columns: Columns },
): Operation<P, Out> {
  const unknownOf = (context: Context) =>
    context.cached(`${table} of unknown currency`, async () => {
      await context.tables(table)
      const plan = { table, columns: [], where: [UNKNOWN], after: [], order: [], limit: null, offset: 0 }
      return { bytes: 64, rows: await context.count(plan, columns) }
    })
  return {
    ...list,
    run(context, args) {
      const unknown = unknownOf(context)
      // Most snapshots know every currency, so their lists are answered synchronously.
      if (!isPromise(unknown) && unknown.rows === 0) return list.run(context, args)
      return Promise.all([list.run(context, args), unknown]).then(([answer, { rows }]) =>
        rows === 0 ? answer : withWarning(context, answer),
      )
    },
  }
}

async function withWarning(context: Context, answer: Answer): Promise<Answer> {
  if (answer.kind !== 'list') return answer
  const count = await leftOut(context, answer)
  if (count === 0) return answer
  const [those, states] =
    count === 1 ? ['1 bond', 'its'] : [`${count.toLocaleString('en-US')} bonds`, 'their']
  const warning = `${those} without a known currency left out: load ${states} currency, or list them with has_currency=false`
  const before = (answer.meta?.['warnings'] as readonly string[] | undefined) ?? []
  return { ...answer, meta: { ...answer.meta, warnings: [...before, warning] } }
}

/** The number of rows of unknown currency that all filters but that of the currency pass. */
async function leftOut(context: Context, { plan, kinds, narrowing = [] }: ListAnswer): Promise<number> {
  const currency = narrowing.filter(({ name }) => name === 'currency').flatMap(({ conditions }) => conditions)
  if (currency.length === 0) return 0
  const where = [...plan.where.filter(condition => !currency.includes(condition)), UNKNOWN]
  return context.count({ ...plan, where, limit: null, offset: 0 }, kinds)
}
