import { invalid } from '../base/errors.ts'
import { quote } from '../database/database.ts'
import { nearest } from '../names/nearest.ts'
import { type Grouping, isOfSeries, type Metric, metrics, type Plan } from '../query/plan/plan.ts'
import { pageSql } from '../query/plan/plan-sql.ts'
import { groupedTables, overCopies } from '../query/spread-copies.ts'
import { usualSource } from '../query/spread-sources.ts'
import {
  bps,
  type Column,
  date,
  integer,
  list,
  nullable,
  oneOf,
  percent,
  type RowOf,
  text,
} from '../schema/column.ts'
import { arrayOf, countSchema, valueSchema } from '../schema/json-schema.ts'
import { type ArgsOf, fallback, many, one, type Params } from '../schema/params.ts'
import type { Resource, SortKey } from '../schema/resource.ts'
import { spreads } from '../schema/resources/spreads.ts'
import { parseSort, totalOrder } from '../schema/sort.ts'
import { spreadSources } from '../schema/vocabulary.ts'
import { checkList, planList } from './list.ts'
import { type Context, type ListAnswer, operation, type Page } from './operation.ts'
import {
  explainParam,
  filterParams,
  laneParam,
  offsetParam,
  timeParams,
  unknownParam,
  withoutStanding,
} from './params.ts'

const keys = [
  'spread_date',
  'week',
  'month',
  'tenor',
  'sector',
  'industry',
  'rating_bucket',
  'ticker',
] as const
type Key = (typeof keys)[number]

const keyColumns: Record<Key, Column> = {
  spread_date: date('Day.'),
  week: date('Monday of the ISO week.'),
  month: date('First day of the month.'),
  tenor: spreads.columns.tenor,
  sector: spreads.columns.sector,
  industry: spreads.columns.industry,
  rating_bucket: spreads.columns.rating_bucket,
  ticker: spreads.columns.ticker,
}

const spread = (doc: string) => nullable(bps(doc))
const metricColumns: Record<Metric, Column> = {
  median: spread('Median spread.'),
  mean: spread('Mean spread.'),
  stddev: spread('Sample standard deviation.'),
  min: spread('Least spread.'),
  max: spread('Highest spread.'),
  p10: spread('10th percentile, linear between ranks.'),
  p25: spread('25th percentile.'),
  p75: spread('75th percentile.'),
  p90: spread('90th percentile.'),
  count: integer('Spread records.'),
  companies: integer('Companies.'),
  change: spread(
    "Median of the group's last day less that of its first; grouped by day, less that of the day before in its series.",
  ),
  average_5d: spread('Mean of the last 5 daily medians of the series; null until there are enough.'),
  average_20d: spread('Mean of the last 20 daily medians.'),
  average_60d: spread('Mean of the last 60 daily medians.'),
  percentile_rank: nullable(
    percent('Share of the days of the series so far whose median is at or below that of the day.'),
  ),
}

const columns = { ...keyColumns, ...metricColumns }

/** The formula of each metric over a group's records, in basis points. */
const formulas: Record<Metric, string> = {
  median: 'middle spread, or the mean of the two middle ones',
  mean: 'sum of the spreads / count',
  stddev: 'square root of (sum of squared distances from the mean / (count - 1))',
  min: 'least spread',
  max: 'greatest spread',
  p10: 'spread at rank 1 + 0.1 * (count - 1), linear between ranks',
  p25: 'spread at rank 1 + 0.25 * (count - 1), linear between ranks',
  p75: 'spread at rank 1 + 0.75 * (count - 1), linear between ranks',
  p90: 'spread at rank 1 + 0.9 * (count - 1), linear between ranks',
  count: 'records: one per company, day, tenor and source',
  companies: 'distinct companies among the records',
  change:
    'median of the last day less median of the first day; of a day less that of the day before in its series',
  average_5d: 'mean of the medians of the day and the 4 days of the series before it',
  average_20d: 'mean of the medians of the day and the 19 days of the series before it',
  average_60d: 'mean of the medians of the day and the 59 days of the series before it',
  percentile_rank: '100 * days of the series so far with a median at or below / days of the series so far',
}
const { newest: _picks, ...plainSpreads } = spreads as Resource

type AggregateArgs = ArgsOf<Params> & {
  group_by: Key[]
  metrics: Metric[]
  sort?: string[]
  source?: string[]
}

const ALL_SOURCES = 'all'

/** The source of the statistics and the filter it implies: one source unless several are requested. */
async function chooseSource(
  context: Context,
  requested: readonly string[] | undefined,
): Promise<{ source: string | null; filter: { source?: string[] } }> {
  if (requested?.includes(ALL_SOURCES)) return { source: ALL_SOURCES, filter: {} }
  if (requested) return { source: requested.join(','), filter: { source: [...requested] } }
  const sources = await context.spreadSources()
  const source = usualSource(sources)
  // With only one source, a filter would just cost time.
  const isOnlyOne = Object.keys(sources.rows).length < 2
  return { source, filter: source === null || isOnlyOne ? {} : { source: [source] } }
}

const namesOf = ({ group_by, metrics }: Pick<AggregateArgs, 'group_by' | 'metrics'>): string[] => [
  ...group_by,
  ...metrics,
]

function checkSort(sort: readonly string[] = [], names: readonly string[]): void {
  for (const key of sort)
    if (!names.includes(parseSort(key).column)) {
      const suggestion = nearest(parseSort(key).column, names)
      throw invalid('sort', key, `sort must be one of the group keys and metrics: ${names.join(', ')}`, {
        allowed: names,
        ...(suggestion && { suggestion }),
      })
    }
}

/** Metrics within a series apply only to groups that are days. */
function checkSeries({ group_by, metrics }: Pick<AggregateArgs, 'group_by' | 'metrics'>): void {
  const metric = metrics.find(isOfSeries)
  if (metric && !group_by.includes('spread_date'))
    throw invalid('metrics', metric, `${metric} is a daily metric: add spread_date to group_by`)
}

export const aggregateSpreads = operation({
  name: 'aggregate.spreads',
  method: 'GET',
  path: '/v1/market/cds/aggregate',
  command: 'spread-aggregate',
  doc: 'Statistics of spreads by day, week, month, tenor, sector, industry, rating bucket or company.',
  tier: 'any',
  cost: 'complex',
  heavy: 'always',
  answers: 'rows',
  envelope: 'data',
  columns,
  meta: {
    group_by: valueSchema(list('Keys grouped by.')),
    metrics: arrayOf({ enum: metrics }),
    source: valueSchema(nullable(text('Source of the statistics; `all` if they mix sources.'))),
    rows_scanned: countSchema('Spread records behind the groups.'),
  },
  examples: [
    '--group-by spread_date,tenor --metrics median,p10,p90',
    '--group-by spread_date --tenor 5Y --metrics median,average_20d,percentile_rank --sort -spread_date',
    '--group-by sector --tenor 5Y --sort -median',
  ],
  params: {
    ...withoutStanding(filterParams(spreads)),
    source: many(
      oneOf(
        [...spreadSources, ALL_SOURCES],
        'Sources; default `bond_spread_proxy` if there, else the one with most rows; `all` mixes them.',
      ),
    ),
    group_by: fallback(many(oneOf(keys, 'Keys to group by, comma-separated.')), ['spread_date']),
    metrics: fallback(many(oneOf(metrics, 'Statistics, comma-separated.')), [
      'median',
      'mean',
      'count',
      'companies',
    ]),
    sort: many(text('Key or metric to sort by; default the group keys.') as Column<SortKey<Key | Metric>>),
    limit: fallback(one(integer('Rows to return.'), { min: 1, max: 1000 }), 100),
    ...offsetParam,
    ...unknownParam,
    ...timeParams,
    ...laneParam,
    ...explainParam,
  },
  check(given) {
    const { sort, ...rest } = given as AggregateArgs
    checkSort(sort, namesOf(rest))
    checkSeries(rest)
    const { source: _source, ...filters } = rest
    checkList(plainSpreads, filters)
  },
  async run(context, given) {
    await context.tables(...groupedTables(context.spreadCopies))
    const { group_by: by, metrics: asked, sort, source: sources, ...filters } = given as AggregateArgs
    const { source, filter } = await chooseSource(context, sources)
    const { plan, meta, narrowing } = await planList(
      plainSpreads,
      context,
      { ...filters, ...filter },
      { noDefaults: true },
    )
    const names = namesOf({ group_by: by, metrics: asked })
    const grouped: Plan = {
      ...plan,
      columns: names.map(name => ({ name, column: columns[name as keyof typeof columns] })),
      group: {
        by: by.map(name =>
          name === 'week' || name === 'month'
            ? { name, column: 'spread_date', cut: name }
            : { name, column: name },
        ),
        value: 'spread_bps',
        time: 'spread_date',
        company: 'company_id',
        metrics: asked,
      },
      order: totalOrder((sort ?? []).map(parseSort), by),
    }
    const { plan: narrow, kinds } = overCopies(grouped, context.spreadCopies)
    return {
      kind: 'list',
      plan: narrow,
      kinds,
      narrowing,
      meta: { ...meta, group_by: by, metrics: asked, source },
      explain: explainGroups(context, grouped, asked),
      async summary() {
        const { group: _group, ...rows } = narrow
        return { rows_scanned: await context.count(rows, kinds) }
      },
    }
  },
  out: undefined as Page<Partial<RowOf<typeof keyColumns> & RowOf<typeof metricColumns>>> | undefined,
})

/** Companies that an explanation names; the others are counted. */
const NAMED = 20

/** The records behind each group of a page: how many, of which companies and days, and the formula of each metric. */
const explainGroups = (
  context: Context,
  plan: Plan,
  requested: readonly Metric[],
): NonNullable<ListAnswer['explain']> => ({
  needs: [],
  async of(rows) {
    const { by } = plan.group!
    const key = `[${by.map(part => `CAST(${keySql(part)} AS VARCHAR)`).join(', ')}]::VARCHAR[]`
    await context.tables(spreads.table)
    const { text, values } = pageSql(recordsOf(plan), spreads.columns, false)
    const groups = await context.database.rows<{
      key: (string | null)[]
      records: number
      companies: number
    }>(
      `WITH each AS (
         SELECT ${key} AS key, coalesce(ticker, company_id) AS company, count(*) AS records, round(median(spread_bps), 4) AS median,
           min(spread_date) AS first_day, max(spread_date) AS last_day, list(DISTINCT source) AS sources
         FROM (${text}) GROUP BY ALL)
       SELECT key, CAST(sum(records) AS BIGINT) AS records, count(*) AS companies, CAST(min(first_day) AS VARCHAR) AS first_day,
         CAST(max(last_day) AS VARCHAR) AS last_day, list_sort(list_distinct(flatten(list(sources)))) AS sources,
         list({'company': company, 'records': records, 'median': median} ORDER BY records DESC, company)[1:${NAMED}] AS largest
       FROM each GROUP BY key`,
      values,
    )
    const found = new Map(groups.map(({ key, ...group }) => [JSON.stringify(key), group]))
    const made = Object.fromEntries(requested.map(metric => [metric, formulas[metric]]))
    return rows.map(row => {
      const own = found.get(JSON.stringify(by.map(({ name }) => row[name] ?? null)))
      return { formulas: made, ...own }
    })
  },
})

const keySql = ({ column, cut }: Grouping['by'][number]): string =>
  cut ? `CAST(date_trunc('${cut}', ${quote(column)}) AS DATE)` : quote(column)

/** The records of a grouped plan. */
const recordsOf = ({ group, ...plan }: Plan): Plan => ({
  ...plan,
  columns: [
    ...new Set([
      'company_id',
      'ticker',
      'spread_date',
      'source',
      'spread_bps',
      ...group!.by.map(k => k.column),
    ]),
  ].map(name => ({ name, column: spreads.columns[name as keyof typeof spreads.columns] })),
  order: [],
  limit: null,
  offset: 0,
})
