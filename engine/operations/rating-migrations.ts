import { addDays } from '../base/days.ts'
import { firstOf } from '../base/elements.ts'
import { invalid } from '../base/errors.ts'
import { DEFAULT_RATING_MAX_AGE, maxAgeOf, NO_MAX_AGE } from '../credit/max-age.ts'
import { type Composite, compositeRating } from '../credit/rating-composite.ts'
import { stored } from '../database/views.ts'
import { date, type RowOf } from '../schema/column.ts'
import { valueSchema } from '../schema/json-schema.ts'
import { type ArgsOf, one } from '../schema/params.ts'
import type { Resource } from '../schema/resource.ts'
import { ageParams } from '../schema/resources/companies.ts'
import {
  type Migration,
  type RatingMigration,
  ratingMigrations,
} from '../schema/resources/rating-migrations.ts'
import { newestRating } from '../schema/resources/ratings.ts'
import { pageOfComputed } from './computed-rows.ts'
import { checkList } from './list.ts'
import { type Context, operation, type Page } from './operation.ts'
import { explainParam, filterParams, pageParams, timeParams, unknownParam } from './params.ts'

const resource = ratingMigrations as Resource

const params = {
  since: one(date('From the close of this day; default a year before `until`.')),
  until: one(date('To the close of this day; default the as-of date.')),
  ...filterParams(ratingMigrations),
  rating_max_age: ageParams.rating_max_age,
  ...pageParams<typeof ratingMigrations.columns>(ratingMigrations.limit, ratingMigrations.sort),
  ...unknownParam,
  ...timeParams,
  ...explainParam,
}

export const searchRatingMigrations = operation({
  name: 'search.migrations',
  method: 'GET',
  path: '/v1/ratings/migrations',
  command: 'rating-migrations',
  doc: 'Issuers whose composite rating moved between two days, as an agency changed its rating: fallen angels, rising stars, upgrades and downgrades.',
  tier: 'any',
  cost: 'complex',
  heavy: 'always',
  answers: 'rows',
  envelope: 'data',
  columns: ratingMigrations.columns,
  resource,
  meta: { since: valueSchema(date('First day.')), until: valueSchema(date('Last day.')) },
  examples: ['--since 2024-01-01 --until 2025-01-01', '--migration downgrade --sector Energy'],
  params,
  check(args) {
    if (args.since !== undefined && args.until !== undefined) checkOrder(args.since, args.until)
    checkList(resource, args)
  },
  async run(context, args) {
    const until = args.until ?? context.asOf
    if (until > context.asOf)
      throw invalid('until', until, `until is after the as-of date ${context.asOf}`, { max: context.asOf })
    const since = args.since ?? addDays(until, -365)
    checkOrder(since, until)
    const { rows, unknown, ...counts } = await migrationsOf(context, args, since, until)
    return pageOfComputed(
      rows,
      {
        resource,
        args,
        explains: 'The ratings of both days and the composite rule.',
        meta: { since, until },
        applied: { rating_max_age: args.rating_max_age },
        emptyBecause: () => whyNone(counts, since, until),
      },
      unknown,
    )
  },
  out: undefined as Page<RatingMigration> | undefined,
})

type MigrationArgs = ArgsOf<typeof params>

/** What an issuer's letters take in memory, about. */
const BYTES_OF_ISSUER = 1000

type Moved = RowOf<typeof ratingMigrations.columns> & { readonly _explain: unknown }

function checkOrder(since: string, until: string): void {
  if (since >= until) throw invalid('since', since, `since is not before until (${until})`, { max: until })
}

interface Counts {
  /** Issuers with a rating on the first day, on the last, and on both. */
  readonly rated: readonly [before: number, after: number, both: number]
  /** With a composite on both days, and those of them whose composite moved. */
  readonly compared: number
  readonly moved: number
  readonly maxAge: number
}

function whyNone(
  { rated: [before, after, both], compared, moved, maxAge }: Counts,
  since: string,
  until: string,
) {
  if (both === 0)
    return `${before} issuers are rated as of ${since} and ${after} as of ${until}, none of them on both days`
  if (compared === 0)
    return `${both} issuers are rated on both days, but have no composite: their ratings are older than ${maxAge} days (rating_max_age), or withdrawn`
  return `${compared} issuers have a composite rating on both days, and ${moved} of them moved`
}

/** The named issuers whose composite moved. */
async function migrationsOf(context: Context, args: MigrationArgs, since: string, until: string) {
  const maxAge = maxAgeOf(args.rating_max_age, DEFAULT_RATING_MAX_AGE)
  const today = await context.own(until, { datasets: ['ratings'] })
  const [was, is] = await Promise.all([context.at(since), today ?? context.at(until)])
  const named = args.ticker && (await is.companies(args.ticker, args.on_unknown === 'skip'))
  const issuersOf = (day: Context) =>
    day.cached(`rated issuers ${day.coverage} ${maxAge}`, async () => {
      const issuers = await issuersOn(day, maxAge)
      return { issuers, bytes: issuers.size * BYTES_OF_ISSUER }
    })
  const [{ issuers: before }, { issuers: after }] = await Promise.all([issuersOf(was), issuersOf(is)])
  let [compared, moved] = [0, 0]
  const rows = [...after].flatMap(([company_id, issuer]): Moved[] => {
    const previous = before.get(company_id)
    if (!previous || previous.composite.rank === null || issuer.composite.rank === null) return []
    compared++
    const migration = migrationOf(previous.composite, issuer.composite)
    if (!migration || !hasActed(previous, issuer)) return []
    moved++
    if (named && !named.ids.includes(company_id)) return []
    return [rowOf(company_id, previous, issuer, migration)]
  })
  const both = [...after.keys()].filter(id => before.has(id)).length
  const rated = [before.size, after.size, both] as const
  return { rows, unknown: named?.unknown ?? [], compared, moved, rated, maxAge }
}

interface Letter {
  readonly company_id: string
  readonly ticker: string | null
  readonly company_name: string | null
  readonly sector: string | null
  readonly agency: 'sp' | 'moodys' | 'fitch'
  readonly rating: string
  readonly rating_rank: number | null
  readonly rating_date: string | null
  readonly age_days: number | null
  readonly source: string | null
}

interface Issuer extends Pick<Letter, 'ticker' | 'company_name' | 'sector'> {
  readonly letters: readonly Letter[]
  readonly composite: Composite
}

/** The newest ratings of every issuer at the close of a day, and their composite. */
async function issuersOn(context: Context, maxAge: number): Promise<Map<string, Issuer>> {
  await context.tables('ratings')
  const order = newestRating.map(key =>
    key.startsWith('-') ? `${key.slice(1)} DESC NULLS LAST` : `${key} NULLS LAST`,
  )
  const letters = await context.database.rows<Letter>(
    `SELECT company_id, ticker, company_name, sector, agency, rating, rating_rank, source,
       CAST(rating_date AS VARCHAR) AS rating_date, greatest(date_diff('day', rating_date, CAST(? AS DATE)), 0) AS age_days
     FROM ${stored('ratings')} WHERE company_id IS NOT NULL AND cusip IS NULL AND rating_type IN ('issuer', 'corporate_family')
       ${context.coverage === 'standard' ? "AND coverage = 'standard'" : ''}
     QUALIFY row_number() OVER (PARTITION BY company_id, agency ORDER BY ${order.join(', ')}) = 1
     ORDER BY company_id, agency`,
    [context.asOf],
  )
  const byCompany = new Map<string, Letter[]>()
  for (const letter of letters)
    byCompany.set(letter.company_id, [...(byCompany.get(letter.company_id) ?? []), letter])
  return new Map(
    [...byCompany].map(([id, own]) => {
      const { ticker, company_name, sector } = firstOf(own)
      const composite = compositeRating(
        own.map(({ rating_rank, age_days }) => ({ rank: rating_rank, ageDays: age_days ?? NO_MAX_AGE })),
        maxAge,
      )
      return [id, { ticker, company_name, sector, letters: own, composite }]
    }),
  )
}

/**
 * Whether an agency that rates the issuer on both days has another letter. Else the composite moved because an agency
 * became known, withdrew or fell out with age, and nobody raised or lowered a rating.
 */
const hasActed = (was: Issuer, is: Issuer): boolean =>
  is.letters.some(
    ({ agency, rating_rank }) =>
      rating_rank !== null &&
      was.letters.some(
        before =>
          before.agency === agency && before.rating_rank !== null && before.rating_rank !== rating_rank,
      ),
  )

/** How a composite moved; null if it did not, or is missing on either day. */
function migrationOf(was: Composite, is: Composite): Migration | null {
  if (was.rank === null || is.rank === null || was.rank === is.rank) return null
  if (was.bucket === 'IG' && is.bucket !== 'IG') return 'fallen_angel'
  if (was.bucket !== 'IG' && is.bucket === 'IG') return 'rising_star'
  return is.rank > was.rank ? 'downgrade' : 'upgrade'
}

function rowOf(company_id: string, was: Issuer, is: Issuer, migration: Migration): Moved {
  const letter = ({ letters }: Issuer, agency: string) =>
    letters.find(l => l.agency === agency)?.rating ?? null
  const days = is.letters.flatMap(l => (l.rating_rank === null ? [] : (l.rating_date ?? [])))
  return {
    ticker: is.ticker,
    company_name: is.company_name,
    sector: is.sector,
    migration,
    previous_bucket: was.composite.bucket!,
    rating_bucket: is.composite.bucket!,
    notches: was.composite.rank! - is.composite.rank!,
    previous_sp_rating: letter(was, 'sp'),
    sp_rating: letter(is, 'sp'),
    previous_moodys_rating: letter(was, 'moodys'),
    moodys_rating: letter(is, 'moodys'),
    previous_fitch_rating: letter(was, 'fitch'),
    fitch_rating: letter(is, 'fitch'),
    rating_date: days.sort().at(-1) ?? null,
    company_id,
    _explain: {
      formula: 'the middle of three ratings, the lower of two, else the one, on both days',
      previous: { rating_rank: was.composite.rank, letters: was.letters.map(inputOf) },
      current: { rating_rank: is.composite.rank, letters: is.letters.map(inputOf) },
    },
  }
}

const inputOf = ({ agency, rating, rating_rank, rating_date, source }: Letter) => ({
  agency,
  rating,
  rating_rank,
  rating_date,
  source,
})
