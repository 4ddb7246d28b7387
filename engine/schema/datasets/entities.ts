import { boolean, date, nullable, oneOf, percent, ratio, shaped, text } from '../column.ts'
import { dataset } from '../dataset.ts'
import { entityTypes } from '../vocabulary.ts'
import { issuerColumns } from './shared.ts'

export const entities = dataset({
  name: 'entities',
  doc: 'Legal entities of a group.',
  columns: {
    id: text('Id, unique in the lake; ownership and guarantees refer to it.'),
    ...issuerColumns,
    name: text('Legal name.'),
    entity_type: nullable(oneOf(entityTypes, 'Role in the group.')),
    jurisdiction: nullable(text('Jurisdiction of incorporation.')),
    lei: nullable(shaped('lei', 'Legal entity identifier.')),
    parent_id: nullable(text('Id of the parent, if it has one.')),
    ownership_pct: nullable(percent('Share that the parent owns.')),
    is_guarantor: nullable(boolean('Guarantees debt of the group.')),
    is_vie: nullable(boolean('A variable interest entity.')),
    guarantee_type: nullable(text('Kind of guarantee, `full`.')),
    removed_date: nullable(date('Day from which the entity is no longer listed.')),
    document_date: nullable(date('Date of the document that lists it.')),
    jurisdiction_as_written: nullable(text('Jurisdiction as the document writes it.')),
    entity_type_confidence: nullable(ratio('Confidence in the role, 0 to 1.')),
    entity_type_rule: nullable(text('Evidence for the role.')),
    document_type: nullable(text('Document that lists it: `EX-21`, `EX-22`.')),
    accession: nullable(text('Accession number of the filing.')),
  },
  key: ['id'],
  known: ['document_date'],
  filed: 'document_date',
  checks: [
    {
      sql: 'entity_type_confidence is null or entity_type_confidence between 0 and 1',
      says: 'entity_type_confidence must be between 0 and 1',
    },
    {
      sql: 'ownership_pct is null or ownership_pct between 0 and 100',
      says: 'ownership_pct must be a percentage between 0 and 100',
    },
  ],
  reference: true,
})
