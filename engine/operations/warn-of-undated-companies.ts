import type { Condition } from '../schema/filter.ts'
import type { Params } from '../schema/params.ts'
import type { Answer, Context, ListAnswer, Operation } from './operation.ts'

/** Of a company that is known only from reference rows nothing is known that has a day. */
const NOTHING_DATED: readonly Condition[] = [
  { column: 'period_end_date', op: 'absent' },
  { column: 'rating_date', op: 'absent' },
  { column: 'bond_count', op: 'in', values: [0] },
]

/**
 * The list of companies, with a warning under `as_of` that counts those which only reference rows without a date name:
 * such rows are known on every day, also before the company was founded.
 */
export function warnOfUndatedCompanies<P extends Params, Out>(list: Operation<P, Out>): Operation<P, Out> {
  return {
    ...list,
    run(context, args) {
      const answer = list.run(context, args)
      if ((args as { as_of?: string }).as_of === undefined) return answer
      return Promise.resolve(answer).then(known => withWarning(context, known))
    },
  }
}

async function withWarning(context: Context, answer: Answer): Promise<Answer> {
  if (answer.kind !== 'list') return answer
  const count = await undatedAmong(context, answer)
  if (count === 0) return answer
  const [those, are] =
    count === 1 ? ['1 company', 'is'] : [`${count.toLocaleString('en-US')} companies`, 'are']
  const warning = `${those} ${are} named by reference rows without a date only: no statement, rating or bond is known as of ${context.asOf}`
  const before = (answer.meta?.['warnings'] as readonly string[] | undefined) ?? []
  return { ...answer, meta: { ...answer.meta, warnings: [...before, warning] } }
}

const undatedAmong = (context: Context, { plan, kinds }: ListAnswer): Promise<number> | number =>
  context.count({ ...plan, where: [...plan.where, ...NOTHING_DATED], limit: null, offset: 0 }, kinds)
