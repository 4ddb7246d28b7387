import { date, nullable, oneOf, percent, shaped, text } from '../column.ts'
import { dataset } from '../dataset.ts'
import { consolidations } from '../vocabulary.ts'

export const ownership = dataset({
  name: 'ownership',
  doc: 'Ownership between entities, for children with several parents or links without entities.',
  columns: {
    parent_id: nullable(text('Id of the parent entity.')),
    child_id: nullable(text('Id of the child entity.')),
    ownership_pct: nullable(percent('Share owned.')),
    document_date: nullable(date('Date of its document.')),
    parent_lei: nullable(shaped('lei', 'LEI of the parent, if the source has no ids.')),
    child_lei: nullable(shaped('lei', 'LEI of the child, if the source has no ids.')),
    relationship: nullable(oneOf(consolidations, 'Whether the parent is the direct or the ultimate one.')),
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
