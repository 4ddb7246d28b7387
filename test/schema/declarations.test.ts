import t from 'tap'
import type { Engine } from '../../engine/engine.ts'
import { pageSql } from '../../engine/query/plan/plan-sql.ts'
import { cents, date, nullable, number, oneOf, type RowOf, text } from '../../engine/schema/column.ts'
import { dataset } from '../../engine/schema/dataset.ts'
import { datasets } from '../../engine/schema/datasets/datasets.ts'
import { anyOf, atLeast, has } from '../../engine/schema/filter.ts'
import { resource } from '../../engine/schema/resource.ts'
import { tables } from '../../engine/schema/resources/tables.ts'
import { totalOrder } from '../../engine/schema/sort.ts'

const columns = {
  id: text('Id.'),
  agency: oneOf(['sp', 'moodys'], 'Agency.'),
  amount: nullable(cents('Amount.')),
  day: date('Day.'),
  'pricing.ytm': nullable(number('Yield.')),
  'pricing.spread': nullable(number('Spread.')),
}

const page = { limit: { default: 50, max: 100 } }

const loans = resource({
  name: 'loans',
  doc: 'Loans.',
  table: 'loans',
  columns,
  key: ['id'],
  sort: ['-day'],
  filters: { agency: anyOf('agency'), since: atLeast('day'), priced: has('pricing.ytm') },
  ...page,
})

t.test('row types follow the columns: dotted names make an object that may be null', async t => {
  const row: RowOf<typeof loans.columns> = {
    id: 'a',
    agency: 'sp',
    amount: null,
    day: '2025-01-01',
    pricing: { ytm: 5, spread: null },
  }
  const unpriced: RowOf<typeof loans.columns> = { ...row, pricing: null }
  // @ts-expect-error an agency that is not declared
  const wrong: RowOf<typeof loans.columns> = { ...row, agency: 'fitch' }
  t.ok([row, unpriced, wrong])
})

t.test('a misspelt column in a filter, sort or key does not compile', async t => {
  // @ts-expect-error the filter reads a column that is not there
  resource({ ...loans, columns, key: ['id'], sort: ['day'], filters: { agency: anyOf('agencyy') }, ...page })
  // @ts-expect-error nor is this sort key
  resource({ ...loans, columns, key: ['id'], sort: ['-dya'], filters: {}, ...page })
  // @ts-expect-error nor this key
  resource({ ...loans, columns, key: ['idd'], sort: ['day'], filters: {}, ...page })
  // @ts-expect-error nor this date of a dataset
  dataset({ name: 'x', doc: 'X.', columns: { day: date('Day.') }, key: ['day'], known: ['dya'] })
  t.pass()
})

t.test('a misspelt or mistyped parameter of a call does not compile', async t => {
  const calls = (engine: Engine) => [
    engine.call('search.bonds', { min_ytm: 5, ticker: ['A', 'B'], seniority: 'senior_secured', limit: '10' }),
    engine.call('aggregate.spreads', { tenor: '5Y', group_by: ['month', 'tenor'] }),
    // @ts-expect-error a parameter that is not there
    engine.call('search.bonds', { min_ytn: 5 }),
    // @ts-expect-error an operation that is not there
    engine.call('search.bond', {}),
    // @ts-expect-error a number where there is a flag
    engine.call('search.bonds', { has_pricing: 3 }),
    engine.call('search.companies', {}).then(({ data }) => [
      data[0]?.leverage_ratio,
      // @ts-expect-error a column that is not there
      data[0]?.leverage,
    ]),
  ]
  t.type(calls, 'function')
})

t.test('a plan becomes one statement with all values bound', async t => {
  const { text: sql, values } = pageSql(
    {
      table: 'loans',
      columns: [{ name: 'id', column: columns.id }],
      where: [
        { column: 'agency', op: 'in', values: ['sp', 'moodys'] },
        { column: 'day', op: 'ge', value: '2025-01-01' },
        { column: 'pricing.ytm', op: 'present' },
      ],
      after: [],
      order: totalOrder([{ column: 'pricing.ytm', descending: true }], ['-day', 'id']),
      limit: 10,
      offset: 20,
    },
    columns,
  )
  t.equal(
    sql,
    'SELECT "id" AS "id", count(*) OVER () AS "_total" FROM (SELECT * FROM stored."loans" ' +
      'WHERE "agency" IN (?, ?) AND "day" >= CAST(? AS DATE) AND "pricing.ytm" IS NOT NULL) ' +
      'ORDER BY "pricing.ytm" DESC NULLS LAST, "day" DESC NULLS LAST, "id" ASC NULLS LAST LIMIT ? OFFSET ?',
  )
  t.strictSame(values, ['sp', 'moodys', '2025-01-01', 10, 20])
})

t.test('every column has a description, and every key and order names columns', async t => {
  for (const { name, columns, key, known } of datasets) {
    for (const column of [...key, ...known]) t.ok(Object.hasOwn(columns, column), `${name} ${column}`)
    for (const [column, { doc }] of Object.entries(columns))
      t.match(doc, /\.$/, `${name} ${column} has a sentence`)
  }
  for (const { name, columns } of tables)
    for (const [column, { doc, kind, unit }] of Object.entries(columns)) {
      t.match(doc, /\.$/, `${name} ${column} has a sentence`)
      // Figures of several kinds have their unit in a column.
      const isInColumn = Object.hasOwn(columns, 'unit') && doc.includes('`unit`')
      if (kind === 'number' && column !== 'threshold_value' && !isInColumn)
        t.ok(unit, `${name} ${column} has a unit`)
    }
})
