import t from 'tap'
import { planList } from '../../../engine/operations/list.ts'
import type { Context } from '../../../engine/operations/operation.ts'
import { countSql, pageSql } from '../../../engine/query/plan/plan-sql.ts'
import { overCopies } from '../../../engine/query/spread-copies.ts'
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
  `${text.replaceAll(/ (?=(?:FROM|WHERE|GROUP BY|ORDER BY|QUALIFY|LIMIT)\b)/g, '\n')}\n-- ${JSON.stringify(values)}\n`

t.test('the SQL of each plan equals its golden file', async t => {
  for (const [name, { of, args }] of Object.entries(lists)) {
    const { plan, kinds } = await planList(of as Resource, context, args as never)
    const page = pageSql(plan, kinds)
    const count = countSql(plan, kinds)
    matchesGolden(
      t,
      `sql/${name}.sql`,
      `${shown(page.text, page.values)}\n${shown(count.text, count.values)}`,
    )
  }
})

t.test('groups of spreads read the copy with the longest runs, in tenths', async t => {
  const { plan } = await planList(spreads as Resource, context, {} as never, { noDefaults: true })
  const grouped = (by: string, where: typeof plan.where = []) =>
    overCopies(
      {
        ...plan,
        where,
        columns: [by, 'median'].map(name => ({ name, column: spreads.columns.spread_bps })),
        group: {
          by: [{ name: by, column: by }],
          value: 'spread_bps',
          time: 'spread_date',
          company: 'company_id',
          metrics: ['median'],
        },
        order: [{ column: by, descending: false }],
      },
      'INT16',
    )
  const { plan: byDay, kinds } = grouped('spread_date')
  const { text, values } = pageSql(byDay, kinds)
  matchesGolden(t, 'sql/median spread by day.sql', shown(text, values))
  t.equal(byDay.table, 'spreads_by_tenor')
  t.equal(grouped('tenor').plan.table, 'spreads_by_tenor')
  t.equal(grouped('sector').plan.table, 'spreads_by_ticker')
  t.equal(grouped('sector', [{ column: 'tenor', op: 'in', values: ['5Y'] }]).plan.table, 'spreads_by_tenor')
  const ofCompany = [{ column: 'company_id', op: 'in', values: ['ALFA'] }] as const
  t.equal(grouped('spread_date', ofCompany).plan.table, 'spreads_by_ticker')
  t.equal(overCopies(byDay, null).plan, byDay, 'as it is where the snapshot has no copies')
})
