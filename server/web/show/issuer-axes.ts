import { agencyScale, composite, ratingRank } from '../../../engine/credit/rating-scale.ts'
import { type Columns, integer, nullable } from '../../../engine/schema/column.ts'
import { companies } from '../../../engine/schema/resources/companies.ts'

/** What a scatter of bonds needs of their issuers. */
export const issuerFields = [
  'ticker',
  'leverage_ratio',
  'net_leverage_ratio',
  'secured_leverage',
  'interest_coverage',
  'total_debt',
  'figures_age_days',
  'sp_rating',
  'moodys_rating',
  'fitch_rating',
  'rating_age_days',
] as const

const measures = [
  'leverage_ratio',
  'net_leverage_ratio',
  'secured_leverage',
  'interest_coverage',
  'total_debt',
] as const

const rating = nullable(
  integer('Rating of the issuer, AAA to D: the middle of three letters, the lower of two.'),
)

/** Columns of a company that are drawn beside its own, and of a bond's issuer beside the bond's. */
export const ratingColumn: Columns = { rating }
export const issuerColumns: Columns = {
  'issuer.rating': rating,
  ...Object.fromEntries(measures.map(name => [`issuer.${name}`, companies.columns[name]])),
}

export const isRating = (name: string): boolean => name === 'rating' || name === 'issuer.rating'

/** Whether a column is looked up at the issuer. */
export const isIssuers = (name: string): boolean => Object.hasOwn(issuerColumns, name)

/** The rank on the scale, 1 for AAA, of a company's letters; null without one. */
export function rankOf(company: object): number | null {
  const letters = company as Readonly<Record<string, unknown>>
  return composite(
    (['sp', 'moodys', 'fitch'] as const).map(agency => {
      const letter = letters[`${agency}_rating`]
      return typeof letter === 'string' ? ratingRank(agency, letter) : null
    }),
  )
}

/** The letter of a rank, as S&P writes it: `BB+` of 11; '' beside the scale. */
export const letterOf = (rank: number): string => (rank <= WORST ? (agencyScale.sp[rank - 1] ?? '') : '')
const WORST = 22

/** Letters without action for five years form no bucket. */
const OLDEST_LETTERS = 1826

/** Why a rating is stale; null if it is not. */
export function staleRating(company: object): string | null {
  const days = (company as { rating_age_days?: unknown }).rating_age_days
  return typeof days === 'number' && days > OLDEST_LETTERS
    ? `stale: the newest letter is ${Math.floor(days / 365)} years old`
    : null
}

/** Bonds with the figures of their issuers under `issuer`, as the columns are named. */
export function withIssuers(rows: readonly object[], issuers: readonly object[], key: string): object[] {
  const byTicker = new Map(issuers.map(issuer => [(issuer as { ticker?: unknown }).ticker, issuer]))
  return rows.map(row => {
    const issuer = byTicker.get((row as Readonly<Record<string, unknown>>)[key])
    return issuer
      ? {
          ...row,
          ...Object.fromEntries(
            Object.entries({ ...issuer, rating: rankOf(issuer) }).map(([name, value]) => [
              `issuer.${name}`,
              value,
            ]),
          ),
        }
      : row
  })
}
