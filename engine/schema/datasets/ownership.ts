import { date, nullable, oneOf, percent, shaped, text } from '../column.ts'
import { dataset } from '../dataset.ts'
import { consolidations } from '../vocabulary.ts'

export const ownership = dataset({
  name: 'ownership',
  doc: 'Which entity owns which, where a child has several parents or the link comes alone.',
  columns: {
    parent_id: nullable(text('Id of the parent entity.')),
    child_id: nullable(text('Id of the child entity.')),
    ownership_pct: nullable(percent('Share owned.')),
    document_date: nullable(date('Date of the document that says so.')),
    parent_lei: nullable(shaped('lei', 'LEI of the parent, where the source has no ids.')),
    child_lei: nullable(shaped('lei', 'LEI of the child, where the source has no ids.')),
    relationship: nullable(
      oneOf(consolidations, 'Whether the parent consolidates the child itself or stands at the top.'),
    ),
    ended_date: nullable(date('Day on which it ended.')),
  },
  key: ['parent_id', 'child_id', 'parent_lei', 'child_lei', 'relationship'],
  known: ['document_date'],
  checks: [
    {
      sql: 'coalesce(parent_id, parent_lei) is not null and coalesce(child_id, child_lei) is not null',
      says: 'needs parent_id and child_id, or parent_lei and child_lei',
    },
  ],
  reference: true,
})
