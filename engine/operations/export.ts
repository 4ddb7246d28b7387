import { memberOf } from '../base/elements.ts'
import { integer, oneOf, text } from '../schema/column.ts'
import type { Condition } from '../schema/filter.ts'
import {
  type ArgsOf,
  alsoNamed,
  fallback,
  many,
  one,
  type Param,
  type Params,
  required,
} from '../schema/params.ts'
import type { Resource } from '../schema/resource.ts'
import { bonds } from '../schema/resources/bonds.ts'
import { collateral } from '../schema/resources/collateral.ts'
import { ageParams, companies, reportedParam } from '../schema/resources/companies.ts'
import { covenants } from '../schema/resources/covenants.ts'
import { financials } from '../schema/resources/financials.ts'
import { pricing } from '../schema/resources/pricing.ts'
import { ratings } from '../schema/resources/ratings.ts'
import { spreads } from '../schema/resources/spreads.ts'
import { acceptsParam, checkList, planList, tableFor } from './list.ts'
import { operation, type Page } from './operation.ts'
import {
  explainParam,
  filterParams,
  laneParam,
  notOfList,
  offsetParam,
  timeParams,
  unknownParam,
  withoutStanding,
} from './params.ts'
import { statementConditions } from './statement-period.ts'

const exported = { companies, bonds, pricing, financials, covenants, collateral, ratings, spreads }

export const exportedResources = exported as unknown as Readonly<Record<string, Resource>>
export const exportedNames = Object.keys(exported) as (keyof typeof exported)[]

/** A filter shared by several resources accepts what any of them accepts; the chosen resource validates it. */
function allFilters(): Record<string, Param> {
  const all: Record<string, Param> = {}
  for (const resource of Object.values(exportedResources))
    for (const [name, param] of Object.entries(withoutStanding(filterParams(resource)))) {
      const other = all[name]
      const same =
        other && other.column.kind === param.column.kind && other.column.format === param.column.format
      const either = !other || same ? (other ?? param) : many(text(param.column.doc))
      const aliases = [...new Set([...(other?.aliases ?? []), ...(param.aliases ?? [])])]
      all[name] = aliases.length > 0 ? alsoNamed(either, ...aliases) : either
    }
  return all
}

export const allowedFilters: Params = { ...allFilters(), ...ageParams, ...reportedParam }

export type ExportArgs = ArgsOf<Params> & { data_type: string }

/** Statements have their versions in one table. */
const hasVersions = (data_type: string): boolean => data_type === 'financials'

const accepts = (resource: Resource, name: string): boolean =>
  acceptsParam(resource, name) || (name === 'reported' && hasVersions(resource.name))

export function checkFilters(resource: Resource, args: ExportArgs): void {
  for (const name of Object.keys(args))
    if (args[name] !== undefined && Object.hasOwn(allowedFilters, name) && !accepts(resource, name)) {
      const allowed = Object.keys(allowedFilters).filter(other => accepts(resource, other))
      throw notOfList(args.data_type, 'filter', { name, value: args[name], allowed })
    }
}

/** Quarterly statements, as last or as first reported. */
export const quartersAsReported = ({ data_type, ...args }: ExportArgs): readonly Condition[] =>
  hasVersions(data_type) ? statementConditions({ reported: args['reported'] as string | undefined }) : []

export const exportData = operation({
  name: 'export',
  method: 'GET',
  path: '/v1/export',
  command: 'export',
  doc: 'Rows of one resource in bulk, up to 50,000 over HTTP.',
  tier: 'business',
  cost: 'simple',
  heavy: 'always',
  answers: 'rows',
  bulk: true,
  envelope: 'data',
  columns: null,
  resources: Object.values(exportedResources),
  meta: { data_type: { enum: Object.keys(exportedResources) } },
  positional: ['data_type'],
  listParams: allowedFilters,
  examples: ['bonds -o bonds.parquet', 'spreads --ticker FRNLL --format csv'],
  params: {
    data_type: alsoNamed(required(one(oneOf(exportedNames, 'What to export.'))), 'resource'),
    ...allowedFilters,
    fields: many(text('Columns to return, comma-separated.'), { length: 20_000 }),
    sort: many(text('Column to sort by.'), { length: 20_000 }),
    limit: fallback(one(integer('Rows to return.'), { min: 1, max: 50_000 }), 10_000),
    ...offsetParam,
    ...unknownParam,
    ...timeParams,
    ...laneParam,
    ...explainParam,
  },
  check(given) {
    const args = given as ExportArgs
    const resource = memberOf(exportedResources, args.data_type)
    checkFilters(resource, args)
    checkList(resource, args)
  },
  async run(context, given) {
    const args = given as ExportArgs
    const resource = memberOf(exportedResources, args.data_type)
    await context.tables(tableFor(resource, args).table)
    const { plan, kinds, meta, narrowing } = await planList(resource, context, args, { noDefaults: true })
    return {
      kind: 'list',
      plan: { ...plan, where: [...plan.where, ...quartersAsReported(args)] },
      kinds,
      narrowing,
      meta: { ...meta, data_type: args.data_type },
    }
  },
  out: undefined as Page<Record<string, unknown>> | undefined,
})
