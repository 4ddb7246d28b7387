import { type DefaultRowOf, date, integer, nullable, oneOf, text } from '../column.ts'
import { anyOf, company } from '../filter.ts'
import { resource } from '../resource.ts'
import { ratingBuckets } from '../vocabulary.ts'
import { companyColumns, linkColumns } from './shared.ts'

/** How an issuer's composite rating moved: across the investment-grade boundary, or on one side of it. */
export const migrations = ['fallen_angel', 'rising_star', 'downgrade', 'upgrade'] as const
export type Migration = (typeof migrations)[number]

/** Issuers whose composite rating differs between two days. Computed on request from both days' `ratings`. */
export const ratingMigrations = resource({
  name: 'rating_migrations',
  doc: 'Issuers whose composite rating crossed investment grade, or moved, between two days.',
  table: 'ratings',
  columns: {
    ...companyColumns,
    sector: nullable(text('Sector of the company.')),
    migration: oneOf(migrations, 'How the composite rating moved.'),
    previous_bucket: oneOf(ratingBuckets, 'Bucket on the first day.'),
    rating_bucket: oneOf(ratingBuckets, 'Bucket on the last day.'),
    notches: integer('Notches of the composite; positive is an upgrade.', { unit: 'notches' }),
    previous_sp_rating: nullable(text('S&P rating on the first day.')),
    sp_rating: nullable(text('S&P rating on the last day.')),
    previous_moodys_rating: nullable(text("Moody's rating on the first day.")),
    moodys_rating: nullable(text("Moody's rating on the last day.")),
    previous_fitch_rating: nullable(text('Fitch rating on the first day.')),
    fitch_rating: nullable(text('Fitch rating on the last day.')),
    rating_date: nullable(date('Day of the newest rating on the last day.')),
    company_id: linkColumns.company_id,
  },
  key: ['company_id'],
  sort: ['migration', '-rating_date', 'ticker', 'company_id'],
  company: 'company_id',
  filters: {
    ticker: company('company_id'),
    sector: anyOf('sector'),
    migration: anyOf('migration', {
      doc: 'How the composite moved: `fallen_angel` and `rising_star` crossed investment grade.',
    }),
  },
  limit: { default: 50, max: 200 },
})

export interface RatingMigration extends DefaultRowOf<typeof ratingMigrations.columns> {}
