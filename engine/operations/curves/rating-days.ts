import type { Day } from '../../credit/calendar.ts'
import { DEFAULT_RATING_MAX_AGE, NO_MAX_AGE } from '../../credit/max-age.ts'
import { type AgencyLetter, compositeRating } from '../../credit/rating-composite.ts'
import { stored } from '../../database/views.ts'
import { dayNumber } from '../../derive/bonds/instruments.ts'
import { newestRating } from '../../schema/resources/ratings.ts'
import { ratingBuckets } from '../../schema/vocabulary.ts'
import type { DaySource } from './priced-bonds.ts'

/** The code of companies without a composite rating; the others are indexes in `ratingBuckets`. */
export const UNRATED = ratingBuckets.length

/** Rating buckets of companies on any day up to the as-of date. */
export class RatingDays {
  private readonly letters: Map<string, readonly Letter[]>

  constructor(letters: readonly Letter[]) {
    const byCompany = new Map<string, Letter[]>()
    for (const letter of letters) {
      const own = byCompany.get(letter.company_id)
      if (own) own.push(letter)
      else byCompany.set(letter.company_id, [letter])
    }
    this.letters = byCompany
  }

  static async read(source: DaySource): Promise<RatingDays> {
    const order = newestRating.map(key =>
      key.startsWith('-') ? `${key.slice(1)} DESC NULLS LAST` : `${key} NULLS LAST`,
    )
    return new RatingDays(
      await source.database.rows<Letter>(
        `SELECT company_id, agency, rating_rank, ${dayNumber('rating_date')} AS day FROM ${stored('ratings')}
         WHERE company_id IS NOT NULL AND cusip IS NULL AND rating_type IN ('issuer', 'corporate_family')
         ORDER BY company_id, agency, ${order.join(', ')}`,
      ),
    )
  }

  /** The bucket of every company on a day, as `rating_bucket` of a company has it: a code. */
  on(day: Day, companies: readonly string[]): Uint8Array {
    return Uint8Array.from(companies, id => {
      const letters = this.letters.get(id)
      if (!letters) return UNRATED
      const { bucket } = compositeRating(newestOf(letters, day), DEFAULT_RATING_MAX_AGE)
      return bucket === null ? UNRATED : ratingBuckets.indexOf(bucket)
    })
  }

  get bytes(): number {
    return this.letters.size * 200
  }
}

interface Letter {
  readonly company_id: string
  readonly agency: string
  readonly rating_rank: number | null
  readonly day: number | null
}

/** The newest letter of each agency on a day; letters come by agency, newest first. */
function newestOf(letters: readonly Letter[], day: Day): AgencyLetter[] {
  const newest: AgencyLetter[] = []
  let done: string | null = null
  for (const { agency, rating_rank, day: since } of letters) {
    if (agency === done || (since !== null && since > day)) continue
    newest.push({ rank: rating_rank, ageDays: since === null ? NO_MAX_AGE : day - since })
    done = agency
  }
  return newest
}
