import {
  type DefaultRowOf,
  date,
  derived,
  integer,
  nullable,
  number,
  oneOf,
  onRequest,
  percent,
  text,
} from '../column.ts'
import { statementItems } from '../datasets/statements.ts'
import { anyOf, atLeast, atMost, company } from '../filter.ts'
import { resource } from '../resource.ts'
import { companyColumns, linkColumns } from './shared.ts'

/** Columns of `financials` whose versions are compared. */
export const restatedFigures = [
  ...(Object.keys(statementItems) as (keyof typeof statementItems)[]),
  'free_cash_flow',
  'leverage_ratio',
] as const

export const restatementKinds = ['restated', 'completed', 'withdrawn'] as const

export const restatements = resource({
  name: 'restatements',
  doc: 'Figures that a later version of a statement changed, each with the value before and after and both filings.',
  table: 'restatements',
  row: 'Restatement',
  columns: {
    ...companyColumns,
    fiscal_year: integer('Fiscal year of the period.'),
    fiscal_quarter: integer('Fiscal quarter, 1 to 4; for trailing figures the last one.'),
    basis: oneOf(['quarter', 'ttm'], 'A single quarter or trailing twelve months.'),
    period_end_date: date('Last day of the period.'),
    figure: oneOf(restatedFigures, 'Column of `financials` that changed.'),
    before: derived(number('Its value in the last version that had one, in `unit`.')),
    after: derived(nullable(number('Its value in the later version, in `unit`; null if that has none.'))),
    difference: derived(nullable(number('`after` less `before`, in `unit`.'))),
    change_pct: derived(nullable(percent('Difference / absolute value before; null if that is zero.'))),
    unit: text('`cents`, `minor units` of a currency other than the dollar, or `ratio`.'),
    kind: derived(
      oneOf(
        restatementKinds,
        '`completed`: trailing figures scaled up, or formed, from fewer quarters before; `withdrawn`: the later version has no value; else `restated`.',
      ),
    ),
    restated_on: derived(nullable(date('First day on which the later version was known.'))),
    days_after: derived(nullable(integer('Days from the first version of the statement to this one.'))),
    filing_type: nullable(text('Form of the later version.')),
    accession: nullable(text('Accession number of its filing.')),
    accession_before: derived(nullable(text('Accession number of the filing with the value before.'))),
    first_print: derived(onRequest(number('The first value reported, in `unit`.'))),
    change_size: derived(onRequest(nullable(percent('Absolute value of `change_pct`.')))),
    version: onRequest(integer('Version of the statement that brought the change.')),
    currency: onRequest(nullable(text('Currency of amounts.'))),
    ...linkColumns,
  },
  key: ['company_id', 'fiscal_year', 'fiscal_quarter', 'basis', 'version', 'figure'],
  sort: ['-restated_on', 'ticker', '-period_end_date', 'basis', 'figure'],
  company: 'company_id',
  glance: [
    'ticker',
    'fiscal_year',
    'fiscal_quarter',
    'basis',
    'figure',
    'before',
    'after',
    'unit',
    'change_pct',
    'restated_on',
    'kind',
  ],
  filters: {
    ticker: company('company_id'),
    figure: anyOf('figure'),
    basis: anyOf('basis'),
    kind: anyOf('kind', {
      doc: 'Kinds of change.',
      byDefault: { value: 'restated', unless: [] },
    }),
    min_change: atLeast('change_size', { doc: 'Minimum change, up or down, percent.' }),
    restated_after: atLeast('restated_on', { doc: 'Known on or after this day.' }),
    restated_before: atMost('restated_on', { doc: 'Known on or before this day.' }),
    period_after: atLeast('period_end_date', { doc: 'Periods ending on or after this day.' }),
  },
  limit: { default: 50, max: 1000 },
})

export interface Restatement extends DefaultRowOf<typeof restatements.columns> {}
