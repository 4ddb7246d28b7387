import { date, nullable, oneOf, shaped, text } from '../column.ts'
import { dataset } from '../dataset.ts'
import { agencies, ratingOutlooks, ratingSources, ratingTypes } from '../vocabulary.ts'
import { issuerColumns, issuerIdentifiers } from './shared.ts'

export const ratings = dataset({
  name: 'ratings',
  doc: 'Rating actions.',
  columns: {
    id: nullable(text("The source's own id.")),
    ...issuerColumns,
    sector: nullable(text('Sector as the source writes it.')),
    cusip: nullable(shaped('cusip', 'CUSIP, for a rating of an instrument.')),
    agency: oneOf(agencies, 'Agency.'),
    rating: text('Rating as the agency writes it.'),
    rating_type: nullable(oneOf(ratingTypes, 'What the rating applies to; default issuer.')),
    outlook: nullable(oneOf(ratingOutlooks, 'Outlook.')),
    effective_date: nullable(date('Day the rating took effect; null if the source does not give it.')),
    source_section_type: nullable(oneOf(ratingSources, 'How the rating was obtained; default imported.')),
  },
  key: ['ticker', 'cik', 'company_name', 'cusip', 'agency', 'rating_type', 'effective_date'],
  needsOneOf: [...issuerIdentifiers, 'cusip'],
  known: ['effective_date'],
})
