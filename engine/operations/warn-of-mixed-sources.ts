import { elementAt } from '../base/elements.ts'
import { isPromise } from '../base/maybe-promise.ts'
import type { SpreadSources } from '../query/spread-sources.ts'
import type { Condition } from '../schema/filter.ts'
import type { Params } from '../schema/params.ts'
import { spreads } from '../schema/resources/spreads.ts'
import type { Answer, Context, ListAnswer, Operation } from './operation.ts'

/** The list of spreads, with a warning in `meta` if one company has rows from several sources. */
export function warnOfMixedSources<P extends Params, Out>(list: Operation<P, Out>): Operation<P, Out> {
  return {
    ...list,
    run(context, args) {
      const sources = context.spreadSources()
      // Nearly every snapshot has one source, so its lists are answered synchronously.
      if (!isPromise(sources) && sources.mixedCompanies.length === 0) return list.run(context, args)
      const answer = list.run(context, args)
      if (!isPromise(sources) && !isPromise(answer) && !mayMix(answer, sources)) return answer
      return answerWithWarning(context, answer, sources)
    },
  }
}

/** False if the filters alone limit the list to one source, or to companies with one. */
function mayMix(answer: Answer, { mixedCompanies }: SpreadSources): boolean {
  if (answer.kind !== 'list') return false
  const conditions = [...answer.plan.where, ...answer.plan.after]
  return !conditions.some(
    condition =>
      condition.op === 'in' &&
      ((condition.column === 'source' && condition.values.length === 1) ||
        (condition.column === 'company_id' &&
          !condition.values.some(id => mixedCompanies.includes(String(id))))),
  )
}

async function answerWithWarning(
  context: Context,
  answering: ReturnType<Operation['run']>,
  counting: SpreadSources | Promise<SpreadSources>,
): Promise<Answer> {
  const [answer, { rows, mixedCompanies }] = await Promise.all([answering, counting])
  if (mixedCompanies.length === 0 || answer.kind !== 'list' || !mayMix(answer, { rows, mixedCompanies }))
    return answer
  const found = await sourcesAmong(context, answer, mixedCompanies, Object.keys(rows))
  if (found.length < 2) return answer
  const warning = `rows of one company come from several sources (${found.join(', ')}): choose one with source`
  const before = (answer.meta?.['warnings'] as readonly string[] | undefined) ?? []
  return { ...answer, meta: { ...answer.meta, warnings: [...before, warning] } }
}

/** The sources of the matching rows of companies with several. */
async function sourcesAmong(
  context: Context,
  { plan }: ListAnswer,
  companies: readonly string[],
  sources: readonly string[],
): Promise<string[]> {
  const counts = await Promise.all(
    sources.map(source => {
      const only: Condition[] = [
        { column: 'company_id', op: 'in', values: companies },
        { column: 'source', op: 'in', values: [source] },
      ]
      return context.count(
        { ...plan, after: [...plan.after, ...only], limit: null, offset: 0 },
        spreads.columns,
      )
    }),
  )
  return sources.filter((_, i) => elementAt(counts, i) > 0)
}
