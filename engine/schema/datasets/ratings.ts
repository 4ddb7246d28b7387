import { onLongTermScale } from '../../credit/rating-scale.ts'
import { date, nullable, oneOf, shaped, text, withValueAliases } from '../column.ts'
import { dataset } from '../dataset.ts'
import {
  agencies,
  agencyNames,
  ratingOutlooks,
  ratingSources,
  ratingTypeNames,
  ratingTypes,
} from '../vocabulary.ts'
import { issuerColumns, issuerIdentifiers } from './shared.ts'

export const ratings = dataset({
  name: 'ratings',
  doc: 'Rating actions.',
  columns: {
    id: nullable(text("The source's own id.")),
    ...issuerColumns,
    sector: nullable(text('Sector as the source writes it.')),
    cusip: nullable(shaped('cusip', 'CUSIP, for a rating of an instrument.')),
    agency: withValueAliases(oneOf(agencies, 'Agency.'), agencyNames),
    rating: text('Rating as the agency writes it.'),
    rating_type: nullable(
      withValueAliases(oneOf(ratingTypes, 'What the rating applies to; default issuer.'), ratingTypeNames),
    ),
    outlook: nullable(oneOf(ratingOutlooks, 'Outlook.')),
    effective_date: nullable(date('Day the rating took effect; null if the source does not give it.')),
    source_section_type: nullable(oneOf(ratingSources, 'How the rating was obtained; default imported.')),
  },
  key: ['ticker', 'cik', 'company_name', 'cusip', 'agency', 'rating_type', 'effective_date'],
  needsOneOf: [...issuerIdentifiers, 'cusip'],
  known: ['effective_date'],
  checks: [
    {
      sql: `regexp_full_match(rating, '${onLongTermScale}')`,
      says: 'rating is on neither long-term rating scale',
    },
  ],
})
