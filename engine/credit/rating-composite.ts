import { NO_MAX_AGE } from './max-age.ts'
import { composite, type RatingBucket, ratingBucket } from './rating-scale.ts'

/** The newest rating of an issuer by one agency. */
export interface AgencyLetter {
  /** Rank on the scale; null if the agency has withdrawn. */
  readonly rank: number | null
  /** Days since it was assigned or affirmed; `NO_MAX_AGE` if undated. */
  readonly ageDays: number
}

export const ratingNullReasons = ['not_rated', 'stale', 'far_apart'] as const
export type RatingNullReason = (typeof ratingNullReasons)[number]

export interface Composite {
  /** Rank of the composite rating; null if there is none. */
  readonly rank: number | null
  readonly bucket: RatingBucket | null
  readonly nullBecause: RatingNullReason | null
}

/** Ratings further apart than this, in days, form no composite: five years. */
export const MAX_DAYS_BETWEEN_LETTERS = 1826

const none = (nullBecause: RatingNullReason): Composite => ({ rank: null, bucket: null, nullBecause })

/**
 * The composite rating of an issuer from the newest rating of each agency that is at most `maxAge` days old: the
 * middle of three, the lower of two, else the one. `NR` if every agency has withdrawn.
 */
export function compositeRating(letters: readonly AgencyLetter[], maxAge: number): Composite {
  if (letters.length === 0) return none('not_rated')
  const standing = letters.filter(({ rank }) => rank !== null)
  if (standing.length === 0) return { rank: null, bucket: 'NR', nullBecause: null }
  const current = standing.filter(({ ageDays }) => ageDays <= maxAge)
  if (current.length === 0) return none('stale')
  const ages = standing.map(({ ageDays }) => ageDays).filter(age => age < NO_MAX_AGE)
  if (Math.max(...ages) - Math.min(...ages) > MAX_DAYS_BETWEEN_LETTERS) return none('far_apart')
  const rank = composite(current.map(letter => letter.rank))
  return { rank, bucket: ratingBucket(rank), nullBecause: null }
}
