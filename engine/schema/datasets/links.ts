import { nullable, shaped, text, timestamp } from '../column.ts'
import { dataset } from '../dataset.ts'

export const links = dataset({
  name: 'links',
  doc: "The user's links of issuer names, LEIs and CIKs to companies.",
  columns: {
    name: nullable(text('Issuer name as in the source.')),
    lei: nullable(shaped('lei', 'LEI.')),
    cik: nullable(shaped('cik', 'CIK.')),
    ticker: nullable(shaped('ticker', 'Ticker of the company it belongs to; null undoes the link.')),
    decided_at: nullable(timestamp('When it was decided: the last one applies.')),
  },
  key: ['name', 'lei', 'cik'],
  needsOneOf: ['name', 'lei', 'cik'],
  known: [],
  reference: true,
})
