import { boolean, type DefaultRowOf, derived, json, nullable, onRequest, pick, text } from '../column.ts'
import { corrections as loaded } from '../datasets/corrections.ts'
import { anyOf, company, is } from '../filter.ts'
import { resource } from '../resource.ts'
import { companyColumns, linkColumns } from './shared.ts'

export const corrections = resource({
  name: 'corrections',
  doc: "Users' corrections of facts read out of documents, in force on the as-of day.",
  table: 'corrections',
  row: 'Correction',
  columns: {
    ...companyColumns,
    ...pick(loaded.columns, 'corrects', 'row_id', 'action', 'field', 'value'),
    was: nullable(json('The value that was read.')),
    is_applied: derived(
      boolean('Whether the row is there to be corrected; false if the documents no longer make it.'),
    ),
    ...pick(loaded.columns, 'reason', 'made_by', 'made_on', 'made_at'),
    source: onRequest(nullable(text('File and position it came from.'))),
    ...linkColumns,
  },
  key: ['corrects', 'row_id', 'field'],
  sort: ['-made_at', 'corrects', 'row_id', 'field'],
  company: 'company_id',
  filters: {
    ticker: company('company_id'),
    corrects: anyOf('corrects'),
    row_id: anyOf('row_id'),
    made_by: anyOf('made_by'),
    is_applied: is('is_applied', { doc: 'Only corrections whose row is there, or only the others.' }),
  },
  limit: { default: 50, max: 100 },
})

export interface Correction extends DefaultRowOf<typeof corrections.columns> {}
