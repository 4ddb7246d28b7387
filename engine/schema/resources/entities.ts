import { boolean, date, derived, nullable, oneOf, onRequest, percent, pick, text } from '../column.ts'
import { entities as loadedEntities } from '../datasets/entities.ts'
import { guarantees as loadedGuarantees } from '../datasets/guarantees.ts'
import { ownership as loadedOwnership } from '../datasets/ownership.ts'
import { anyOf, company, is } from '../filter.ts'
import { resource } from '../resource.ts'
import { entityTypes } from '../vocabulary.ts'
import { companyColumns, correctionColumns, evidenceColumns, linkColumns } from './shared.ts'

const source = onRequest(nullable(text('File and position it came from.')))
const known = { known_from: linkColumns.known_from }

export const entities = resource({
  name: 'entities',
  doc: 'Legal entities of the companies.',
  table: 'entities',
  row: 'Entity',
  columns: {
    id: text('Id of the entity.'),
    ...companyColumns,
    name: text('Legal name.'),
    entity_type: nullable(oneOf(entityTypes, 'Role in the group.')),
    ...pick(loadedEntities.columns, 'jurisdiction', 'lei', 'parent_id', 'ownership_pct'),
    is_guarantor: derived(boolean('Guarantees debt of the group.')),
    is_vie: derived(boolean('A variable interest entity.')),
    ...pick(loadedEntities.columns, 'guarantee_type', 'removed_date', 'document_date'),
    is_listed: onRequest(
      derived(boolean('Loaded, or in a list of subsidiaries or guarantors; false if only a text names it.')),
    ),
    entity_type_confidence: onRequest(loadedEntities.columns.entity_type_confidence),
    entity_type_rule: onRequest(loadedEntities.columns.entity_type_rule),
    jurisdiction_as_written: onRequest(loadedEntities.columns.jurisdiction_as_written),
    document_type: onRequest(loadedEntities.columns.document_type),
    accession: onRequest(loadedEntities.columns.accession),
    source,
    ...correctionColumns,
    ...linkColumns,
  },
  key: ['id'],
  sort: ['ticker', 'name', 'id'],
  company: 'company_id',
  history: {},
  filters: {
    ticker: company('company_id'),
    entity_type: anyOf('entity_type'),
    jurisdiction: anyOf('jurisdiction'),
    is_guarantor: is('is_guarantor'),
  },
  limit: { default: 50, max: 100 },
})

export const ownership = resource({
  name: 'ownership',
  doc: 'Ownership between entities.',
  table: 'ownership',
  visible: [
    { names: 'entities', by: ['parent_id'] },
    { names: 'entities', by: ['child_id'] },
  ],
  columns: {
    parent_id: text('Id of the parent entity.'),
    child_id: text('Id of the child entity.'),
    ownership_pct: nullable(percent('Share owned.')),
    ...pick(loadedOwnership.columns, 'relationship'),
    document_date: nullable(date('Date of its document.')),
    source,
    ...known,
  },
  key: ['parent_id', 'child_id'],
  sort: ['parent_id', 'child_id'],
  history: {},
  filters: { parent_id: anyOf('parent_id'), child_id: anyOf('child_id') },
  limit: { default: 50, max: 100 },
})

export const guarantees = resource({
  name: 'guarantees',
  doc: 'Which entity guarantees which bond or loan, or the debt of which issuer.',
  table: 'guarantees',
  visible: [
    { names: 'entities', by: ['guarantor_id'] },
    { names: 'bonds', by: ['bond_id'] },
  ],
  columns: {
    guarantor_id: text('Id of the guaranteeing entity.'),
    bond_id: nullable(text('Id of the bond or loan; null if the lake has no match.')),
    ...pick(loadedGuarantees.columns, 'instrument_name', 'issuer_id'),
    guarantee_type: nullable(text('Kind of guarantee.')),
    document_date: nullable(date('Date of its document.')),
    extraction_confidence: onRequest(loadedGuarantees.columns.extraction_confidence),
    ...evidenceColumns,
    source,
    ...known,
  },
  key: ['guarantor_id', 'bond_id', 'instrument_name', 'issuer_id'],
  sort: ['bond_id', 'guarantor_id'],
  history: {},
  filters: { guarantor_id: anyOf('guarantor_id'), bond_id: anyOf('bond_id') },
  limit: { default: 50, max: 100 },
})
