import { agencyScale } from '../../credit/rating-scale.ts'
import {
  boolean,
  type DefaultRowOf,
  date,
  derived,
  integer,
  nullable,
  oneOf,
  onRequest,
  ratingOn,
  shaped,
  text,
} from '../column.ts'
import { anyOf, atLeast, atMost, company, custom } from '../filter.ts'
import { resource } from '../resource.ts'
import { agencies, ratingBuckets, ratingOutlooks, ratingSources, ratingTypes } from '../vocabulary.ts'
import { companyColumns, linkColumns } from './shared.ts'

const lettersOf = (agency: (typeof agencies)[number], doc: string) =>
  custom(
    'letter',
    ratingOn(agency, doc),
    values => [
      { column: 'agency', op: 'in', values: [agency] },
      { column: 'letter', op: 'in', values },
    ],
    { stage: 'picked' },
  )

/**
 * Which of several ratings of one company and agency is the newest: by day; within a day, the company's before its
 * debt's, then a withdrawal, as ratings are affirmed and withdrawn at once, then the lower. Used by `latest` and by
 * companies' ratings.
 */
export const newestRating = [
  '-rating_date',
  'rating_type',
  '-known_from',
  '-is_withdrawn',
  '-rating_rank',
  'id',
] as const

export const ratings = resource({
  name: 'ratings',
  doc: 'Rating actions by company, agency and rating type.',
  table: 'ratings',
  row: 'Rating',
  columns: {
    id: text('Id of the record.'),
    ...companyColumns,
    sector: nullable(text('Sector of the company.')),
    cusip: nullable(shaped('cusip', 'CUSIP, for a rating of an instrument.')),
    agency: oneOf(agencies, 'Agency.'),
    rating: text('Rating as the source writes it; `letter` has it on the scale of its agency.', {
      example: 'BB+',
    }),
    rating_rank: derived(nullable(integer('1 is AAA, 22 is D; null if withdrawn.'))),
    rating_type: oneOf(ratingTypes, 'What the rating applies to.'),
    outlook: nullable(oneOf(ratingOutlooks, 'Outlook.')),
    effective_date: nullable(date('Day the rating took effect; null if the source does not give it.')),
    rating_bucket: derived(oneOf(ratingBuckets, 'Bucket of the rating.')),
    source_section_type: oneOf(ratingSources, 'How the rating was obtained.'),
    rating_date: derived(
      nullable(date('Date of the rating: `effective_date`, else the day its list became known.')),
    ),
    letter: derived(
      onRequest(
        nullable(
          oneOf(
            [...new Set(Object.values(agencyScale).flat())],
            "The rating on its agency's own scale, without watch marks; null if it is not on the scale.",
          ),
        ),
      ),
    ),
    is_withdrawn: derived(onRequest(boolean('Whether it says that the agency no longer rates.'))),
    source: onRequest(nullable(text('File and position it came from.'))),
    ...linkColumns,
  },
  key: ['id'],
  sort: ['-effective_date', 'ticker', 'agency', 'id'],
  company: 'company_id',
  newest: {
    param: 'latest',
    doc: "Only the newest rating of each company and agency; of one day, the company's before its debt's.",
    per: ['company_id', 'agency'],
    by: newestRating,
  },
  filters: {
    ticker: company('company_id'),
    sector: anyOf('sector'),
    rating_bucket: anyOf('rating_bucket', { stage: 'picked' }),
    sp_rating: lettersOf('sp', 'S&P rating, `BB+`.'),
    moodys_rating: lettersOf('moodys', "Moody's rating, `Ba1`."),
    fitch_rating: lettersOf('fitch', 'Fitch rating, `BB+`.'),
    rating_type: anyOf('rating_type'),
    cusip: anyOf('cusip'),
    issuer_only: custom(
      'cusip',
      boolean('Exclude ratings of instruments.'),
      ([yes]) =>
        yes
          ? [
              { column: 'cusip', op: 'absent' },
              { column: 'rating_type', op: 'in', values: ['issuer', 'corporate_family'] },
            ]
          : [],
      { usual: false },
    ),
    from_date: atLeast('effective_date', { doc: 'Effective on or after this day.' }),
    to_date: atMost('effective_date', { doc: 'Effective on or before this day.' }),
  },
  limit: { default: 50, max: 200 },
})

export interface Rating extends DefaultRowOf<typeof ratings.columns> {}
