import t, { type Test } from 'tap'
import { planList } from '../../../engine/operations/list.ts'
import type { Context } from '../../../engine/operations/operation.ts'
import { duckdbDialect } from '../../../engine/query/dialects/duckdb.ts'
import { trinoDialect } from '../../../engine/query/dialects/trino.ts'
import type { Metric, Plan } from '../../../engine/query/plan/plan.ts'
import { countSql, pageSql } from '../../../engine/query/plan/plan-sql.ts'
import { overCopies } from '../../../engine/query/spread-copies.ts'
import type { Columns } from '../../../engine/schema/column.ts'
import type { Resource } from '../../../engine/schema/resource.ts'
import { bonds } from '../../../engine/schema/resources/bonds.ts'
import { companies } from '../../../engine/schema/resources/companies.ts'
import { ratings } from '../../../engine/schema/resources/ratings.ts'
import { spreads } from '../../../engine/schema/resources/spreads.ts'
import { matchesGolden } from '../../golden.ts'

/** A day on which every ticker is the id of its company. */
const context = {
  coverage: 'standard',
  companies: async (named: readonly string[]) => ({ ids: [...named], unknown: [] }),
  present: async (_plan: unknown, _kinds: unknown, _column: string, words: readonly string[]) =>
    new Set(words),
} as unknown as Context

const lists: Readonly<Record<string, { of: unknown; args: Readonly<Record<string, unknown>> }>> = {
  'bonds by yield': {
    of: bonds,
    args: {
      min_ytm: 8,
      seniority: ['senior_secured'],
      sort: ['-pricing.ytm'],
      fields: ['name', 'pricing'],
      limit: 10,
    },
  },
  'bonds of a company': { of: bonds, args: { ticker: ['ALFA'], fields: ['cusip'], limit: 50, offset: 100 } },
  'companies under another limit of age': {
    of: companies,
    args: { min_leverage: 4, max_age: 'none', fields: ['ticker', 'leverage_ratio'], limit: 50 },
  },
  'the latest ratings in a bucket': {
    of: ratings,
    args: { latest: true, rating_bucket: ['HY-B'], fields: ['ticker', 'agency', 'rating'], limit: 50 },
  },
  'spreads of a period': {
    of: spreads,
    args: { tenor: ['5Y'], from_date: '2025-01-01', to_date: '2025-03-31', limit: null },
  },
}

/** A clause a line. */
const shown = (text: string, values: readonly unknown[]): string =>
  `${text.replaceAll(/(?<!DISTINCT|LEFT) (?=(?:FROM|WHERE|GROUP BY|ORDER BY|LIMIT|OFFSET|JOIN|LEFT JOIN|SELECT g\.|\w+_ AS)\b)/g, '\n')}\n-- ${JSON.stringify(values)}\n`

const dialects = { duckdb: duckdbDialect, trino: trinoDialect('"debt"."lake_20250721"') }

/** The page of a plan, and the count of a list, in every dialect. Only DuckDB's page has the total beside it. */
function isAsWritten(t: Test, name: string, plan: Plan, kinds: Columns): void {
  for (const [dialect, words] of Object.entries(dialects)) {
    const page = pageSql(plan, kinds, dialect === 'duckdb', words)
    const count = countSql(plan, kinds, 'count(*)', words)
    const counted = plan.group ? '' : `\n${shown(count.text, count.values)}`
    matchesGolden(t, `sql/${dialect}/${name}.sql`, `${shown(page.text, page.values)}${counted}`)
  }
}

t.test('the SQL of each list equals its golden file, in every dialect', async t => {
  for (const [name, { of, args }] of Object.entries(lists)) {
    const { plan, kinds } = await planList(of as Resource, context, args as never)
    isAsWritten(t, name, plan, kinds)
  }
})

async function groups(
  by: readonly string[],
  metrics: readonly Metric[],
  where: Plan['where'] = [],
): Promise<Plan> {
  const { plan } = await planList(spreads as Resource, context, {} as never, { noDefaults: true })
  return {
    ...plan,
    where,
    columns: [...by, ...metrics].map(name => ({ name, column: spreads.columns.spread_bps })),
    group: {
      by: by.map(name =>
        name === 'month' ? { name, column: 'spread_date', cut: name } : { name, column: name },
      ),
      value: 'spread_bps',
      time: 'spread_date',
      company: 'company_id',
      metrics,
    },
    order: by.map(column => ({ column, descending: false })),
  }
}

t.test('the SQL of each kind of group equals its golden file, in every dialect', async t => {
  const ofSource = [{ column: 'source', op: 'in', values: ['settlement_price'] }] as const
  const kinds: Readonly<Record<string, Plan>> = {
    'quantiles by month and tenor': await groups(
      ['month', 'tenor'],
      ['p10', 'median', 'p90', 'mean', 'stddev', 'min', 'max', 'count', 'companies'],
    ),
    'change by sector': await groups(['sector'], ['change', 'mean'], ofSource),
    'change of each day and tenor': await groups(['spread_date', 'tenor'], ['change', 'count'], ofSource),
    'percentile rank of each day and tenor': await groups(
      ['spread_date', 'tenor'],
      ['percentile_rank', 'average_20d'],
      ofSource,
    ),
  }
  for (const [name, plan] of Object.entries(kinds)) isAsWritten(t, name, plan, spreads.columns)
  const { plan, kinds: copied } = overCopies(await groups(['spread_date'], ['median', 'mean']), 'INT16')
  isAsWritten(t, 'median spread by day', plan, copied)
})

t.test('groups of spreads read the copy with the longest runs, in tenths', async t => {
  const tableFor = async (by: string, where: Plan['where'] = []) =>
    overCopies(await groups([by], ['median'], where), 'INT16').plan.table
  t.equal(await tableFor('spread_date'), 'spreads_by_tenor')
  t.equal(await tableFor('tenor'), 'spreads_by_tenor')
  t.equal(await tableFor('sector'), 'spreads_by_ticker')
  t.equal(await tableFor('sector', [{ column: 'tenor', op: 'in', values: ['5Y'] }]), 'spreads_by_tenor')
  const ofCompany = [{ column: 'company_id', op: 'in', values: ['ALFA'] }] as const
  t.equal(await tableFor('spread_date', ofCompany), 'spreads_by_ticker')
  const byDay = await groups(['spread_date'], ['median'])
  t.equal(overCopies(byDay, null).plan, byDay, 'as it is where the snapshot has no copies')
})
