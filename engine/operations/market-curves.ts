import { bps, date, integer, nullable } from '../schema/column.ts'
import { countSchema, valueSchema } from '../schema/json-schema.ts'
import { fallback, one, type Params } from '../schema/params.ts'
import type { Resource } from '../schema/resource.ts'
import { curves, type SpreadCurve } from '../schema/resources/curves.ts'
import { namedCompanies, pageOfComputed } from './computed-rows.ts'
import { checkList } from './list.ts'
import { operation, type Page } from './operation.ts'
import { explainParam, filterParams, pageParams, timeParams, unknownParam } from './params.ts'

const resource = curves as unknown as Resource

/** Parameters that choose the prices of a day. */
export const curveParams = {
  date: one(date('Day of the curves; default the newest with prices of ten bonds.')),
  max_staleness: fallback(
    one(integer('Oldest price used, in days before that day.', { unit: 'days' }), { min: 0, max: 366 }),
    6,
  ),
} satisfies Params

/** Members of `meta` about the curves behind an answer. */
export const curveMeta = {
  curve_date: valueSchema(nullable(date('Day of the curves.'))),
  bonds_fitted: countSchema('Bonds that the market curve is fitted to.'),
  market_rmse: valueSchema(nullable(bps('Root mean square of their residuals to their own curves.'))),
}

export const marketCurves = operation({
  name: 'market.curves',
  method: 'GET',
  path: '/v1/market/curves',
  command: 'curves',
  doc: 'Spread curves of a day, fitted by issuer, sector and rating, rating, and for the market.',
  tier: 'pro',
  cost: 'advanced',
  heavy: 'always',
  answers: 'rows',
  envelope: 'data',
  columns: curves.columns,
  resource,
  meta: curveMeta,
  examples: ['--level rating,sector_rating', '--ticker FLKNT --as-of 2024-06-28'],
  params: {
    ...filterParams(curves),
    ...curveParams,
    ...pageParams<typeof curves.columns>(curves.limit, curves.sort),
    ...unknownParam,
    ...timeParams,
    ...explainParam,
  },
  check: args => checkList(resource, args),
  async run(context, args) {
    const [{ curveDay }, { curveRows, fitMeta, noCurveDay }] = await Promise.all([
      import('./curve-day.ts'),
      import('./curves/curve-rows.ts'),
    ])
    const { ids, unknown } = await namedCompanies(context, args)
    const day = await curveDay(context, args.date, args.max_staleness)
    const rows = day === null ? [] : curveRows(day, ids, args.explain)
    return pageOfComputed(
      rows,
      {
        resource,
        args,
        explains: 'The formula, the parent and the bonds of the curve with their residuals.',
        applied: { date: args.date, max_staleness: args.max_staleness },
        meta: fitMeta(day, { asOf: context.asOf, asked: args.date }),
        emptyBecause: n =>
          day === null
            ? noCurveDay(args.max_staleness)
            : `${n} groups have bonds with a spread on ${day.day}, and none of them passes the filters`,
      },
      unknown,
    )
  },
  out: undefined as Page<SpreadCurve> | undefined,
})
