import { nullable, shaped, text, timestamp } from '../column.ts'
import { dataset } from '../dataset.ts'

export const links = dataset({
  name: 'links',
  doc: "The user's own decisions on which company an issuer name, LEI or CIK belongs to.",
  columns: {
    name: nullable(text('Issuer name as sources write it.')),
    lei: nullable(shaped('lei', 'LEI.')),
    cik: nullable(shaped('cik', 'CIK.')),
    ticker: nullable(shaped('ticker', 'Ticker of the company it belongs to; null undoes the link.')),
    decided_at: nullable(timestamp('When it was decided: the last decision holds.')),
  },
  key: ['name', 'lei', 'cik'],
  needsOneOf: ['name', 'lei', 'cik'],
  known: [],
  reference: true,
})
