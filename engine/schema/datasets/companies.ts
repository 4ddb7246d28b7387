import { list, nullable, oneOf, shaped, text } from '../column.ts'
import { dataset } from '../dataset.ts'

export const companies = dataset({
  name: 'companies',
  doc: 'Companies to cover.',
  columns: {
    ticker: nullable(shaped('ticker', 'Ticker.', { example: 'AAPL' })),
    name: text('Company name.'),
    cik: nullable(shaped('cik', 'SEC central index key, 10 digits.')),
    lei: nullable(shaped('lei', 'Legal entity identifier.')),
    sector: nullable(text('Sector.')),
    industry: nullable(text('Industry.')),
    sic: nullable(text('SIC code.')),
    country: nullable(text('Country of incorporation.')),
    fiscal_year_end: nullable(text('Fiscal year end, MMDD.')),
    former_names: nullable(list('Former names.')),
    aliases: nullable(list('Other tickers of the same company.')),
    coverage: nullable(oneOf(['standard', 'extended'], 'Coverage set.')),
  },
  key: ['ticker', 'cik', 'name'],
  known: [],
  reference: true,
})
