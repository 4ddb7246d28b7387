import { integer } from '../schema/column.ts'
import { valueSchema } from '../schema/json-schema.ts'
import type { Resource } from '../schema/resource.ts'
import { type RelativeValue, relativeValue } from '../schema/resources/relative-value.ts'
import { namedCompanies, pageOfComputed, rowsOfDay } from './computed-rows.ts'
import { checkList } from './list.ts'
import { curveMeta, curveParams } from './market-curves.ts'
import { operation, type Page } from './operation.ts'
import { explainParam, filterParams, pageParams, timeParams, unknownParam } from './params.ts'

const resource = relativeValue as unknown as Resource

export const searchRelativeValue = operation({
  name: 'search.relative_value',
  method: 'GET',
  path: '/v1/relative-value',
  command: 'relative-value',
  doc: 'Rich and cheap bonds: residuals to the fitted spread curves of a day, with carry and roll-down.',
  tier: 'pro',
  cost: 'advanced',
  heavy: 'always',
  answers: 'rows',
  envelope: 'data',
  columns: relativeValue.columns,
  resource,
  meta: {
    ...curveMeta,
    history_weeks: valueSchema(integer('Weeks of past residuals behind z-scores.')),
  },
  examples: ['--min-residual 25 --rating-bucket HY-BB', '--ticker FLKNT --sort z_score'],
  params: {
    ...filterParams(relativeValue),
    ...curveParams,
    ...pageParams<typeof relativeValue.columns>(relativeValue.limit, relativeValue.sort),
    ...unknownParam,
    ...timeParams,
    ...explainParam,
  },
  check: args => checkList(resource, args),
  async run(context, args) {
    const [{ curveDay, historyOf }, { fitMeta, noCurveDay }, { valueRows }, { HISTORY_WEEKS }] =
      await Promise.all([
        import('./curve-day.ts'),
        import('./curves/curve-rows.ts'),
        import('./curves/value-rows.ts'),
        import('./curves/residual-history.ts'),
      ])
    const { ids, unknown } = await namedCompanies(context, args)
    const day = await curveDay(context, args.date, args.max_staleness)
    const { explain } = args
    const variant = [day?.day, args.max_staleness]
    const rows = await rowsOfDay(context, resource, { ids, explain, variant }, async () =>
      day === null ? [] : valueRows(day, await historyOf(context, day), ids, explain),
    )
    return pageOfComputed(
      rows,
      {
        resource,
        args,
        explains: 'The formulas, the curve, and the past residuals as count, mean and deviation.',
        applied: { date: args.date, max_staleness: args.max_staleness },
        meta: { ...fitMeta(day, { asOf: context.asOf, asked: args.date }), history_weeks: HISTORY_WEEKS },
        emptyBecause: n =>
          day === null
            ? noCurveDay(args.max_staleness)
            : `${n} bonds have a price on or before ${day.day}, and none of them passes the filters`,
      },
      unknown,
    )
  },
  out: undefined as Page<RelativeValue> | undefined,
})
