import { integer, list, nullable, shaped, text } from '../column.ts'
import { dataset } from '../dataset.ts'

export const directory = dataset({
  name: 'directory',
  doc: 'Who is who: names and identifiers used to link issuers. A row here does not make a company covered.',
  columns: {
    registry: text('Where the entry is from: `sec`, `sec_listed`, `sec_filers`, `gleif`.'),
    name: text('Registered name.'),
    position: integer('Position in the source: of several tickers of one CIK the first is canonical.'),
    ticker: nullable(shaped('ticker', 'Ticker.')),
    cik: nullable(shaped('cik', 'SEC central index key, 10 digits.')),
    lei: nullable(shaped('lei', 'Legal entity identifier.')),
    jurisdiction: nullable(text('Legal jurisdiction.')),
    other_names: nullable(list('Former, trading and transliterated names.')),
    status: nullable(text('Registration status.')),
    sic: nullable(text('SIC code.')),
    industry: nullable(text('Industry, as the SIC code is described.')),
  },
  key: ['registry', 'ticker', 'cik', 'lei', 'name'],
  known: [],
  reference: true,
})
