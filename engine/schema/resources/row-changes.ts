import { type DefaultRowOf, nullable, number, oneOf, text } from '../column.ts'
import { anyOf, company } from '../filter.ts'
import { resource } from '../resource.ts'
import { companyColumns, linkColumns } from './shared.ts'

/** What happened to a row between two days. */
export const rowChangeKinds = ['added', 'removed', 'changed'] as const

/** Differences of a table between two days. Computed on request from the tables of both. */
export const rowChanges = resource({
  name: 'row_changes',
  doc: 'What differs in a table between two days: rows added and removed, and each column of a row that changed.',
  table: 'companies',
  columns: {
    ...companyColumns,
    id: text(
      'Key of the row in its table: the id of the company, bond, rating and so on; of a statement the company, its period and basis.',
    ),
    name: nullable(text('What the row is: a bond, an entity, the period of a statement.')),
    change: oneOf(rowChangeKinds, 'Whether the row is new, gone, or has another value in `column`.'),
    column: nullable(text('Column that changed; null for a row added or removed.')),
    before: nullable(text('Its value on the earlier day, as text.')),
    after: nullable(text('Its value on the later day, as text.')),
    difference: nullable(
      number(
        'By how much a number changed, in `unit`; null if it is missing on either day, or in another currency.',
      ),
    ),
    unit: nullable(
      text('Unit of a number: `cents`, `minor units` of another currency, `percent`, `basis points`, ...'),
    ),
    company_id: linkColumns.company_id,
    coverage: linkColumns.coverage,
  },
  key: ['id', 'column'],
  sort: ['ticker', 'id', 'change', 'column'],
  company: 'company_id',
  glance: ['ticker', 'name', 'change', 'column', 'before', 'after', 'difference', 'unit'],
  filters: {
    ticker: company('company_id'),
    change: anyOf('change'),
    column: anyOf('column', { doc: 'Columns to report, also those not shown by default.' }),
  },
  limit: { default: 100, max: 1000 },
})

export interface RowChange extends DefaultRowOf<typeof rowChanges.columns> {}
