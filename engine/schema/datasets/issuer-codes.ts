import { shaped, text } from '../column.ts'
import { dataset } from '../dataset.ts'

export const issuerCodes = dataset({
  name: 'issuer_codes',
  doc: 'CUSIP issuer codes of companies: the first six characters of their securities. A code alone links nothing.',
  columns: {
    cik: shaped('cik', 'SEC central index key, 10 digits.'),
    cusip6: text('The first six characters of a CUSIP.'),
  },
  key: ['cik', 'cusip6'],
  known: [],
  checks: [
    {
      sql: "regexp_full_match(cusip6, '[0-9A-Z*@#]{6}')",
      says: 'cusip6 must be six characters of a CUSIP',
    },
  ],
  reference: true,
})
