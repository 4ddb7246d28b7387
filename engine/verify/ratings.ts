import { elementAt, groupOf } from '../base/elements.ts'
import { parseDay } from '../credit/calendar.ts'
import { DEFAULT_RATING_MAX_AGE, NO_MAX_AGE } from '../credit/max-age.ts'
import type { Workbench } from './recomputation.ts'
import { grouped, RowBuffer, records } from './workbench.ts'

const bases: Readonly<Record<string, number>> = {
  AAA: 1,
  AA: 3,
  A: 6,
  BBB: 9,
  BAA: 9,
  BB: 12,
  BA: 12,
  B: 15,
  CCC: 18,
  CAA: 18,
  CC: 20,
  CA: 20,
  C: 21,
  D: 22,
  SD: 22,
  RD: 22,
  DD: 22,
  DDD: 22,
}

/** The rank of a rating by arithmetic: the start of its class, a notch up for `+` or 1, a notch down for `-` or 3. */
export function rankOf(letter: string): number | null {
  const bare = letter
    .trim()
    .replace(/^\(P\)/i, '')
    .replace(/(?<!\s)\s*\((?:P|EXP|SF|PI|HYB|CRE)\)/gi, '')
    .replace(/(?<!\s)\s*(?:\/\s*)?\*\s*[+-]?$/, '')
    .replace(/[,;/].*$/s, '')
    .replace(
      /(?<!\s)\s+\(?(?:(?:RATING |CREDIT|ON )?WATCH|OUTLOOK|STABLE|NEGATIVE|POSITIVE|DEVELOPING).*$/is,
      '',
    )
    .replace(/[–−]/g, '-')
    .replace(/([A-D0-9+-])(?:u|e|pi?)$/, '$1')
  const parts = /^([A-D]+|SD|RD)([+\-123])?$/.exec(bare.toUpperCase())
  const base = parts && bases[groupOf(parts, 1)]
  if (!parts || base === undefined || base === null) return null
  const notch = parts[2]
  if (notch && (base === 1 || base > 18)) return null
  return base + (notch === '+' || notch === '1' ? -1 : notch === '-' || notch === '3' ? 1 : 0)
}

export const bucketOf = (rank: number | null): string =>
  rank === null ? 'NR' : rank < 11 ? 'IG' : rank < 14 ? 'HY-BB' : rank < 17 ? 'HY-B' : 'HY-CCC'

interface Action {
  readonly id: string
  readonly company_id: string | null
  readonly cusip: string | null
  readonly agency: string
  readonly rating: string
  readonly rating_type: string
  readonly effective_date: string | null
  readonly known_from: string | null
}

/** Whole days from a day to the as-of day; beyond any limit if undated. */
const ageAt = (day: string | null, asOf: string): number =>
  day === null ? NO_MAX_AGE : Math.max(0, parseDay(asOf) - parseDay(day))

const dayOf = (a: Action): string | null => a.effective_date ?? a.known_from

/**
 * Order of precedence: by day, a family rating before the issuer's own of the same day; then by when it was known; then
 * a withdrawal, and the lower of two ratings.
 */
function later(a: Action, b: Action): number {
  const by = (x: string | null, y: string | null) => (x === y ? 0 : (x ?? '') < (y ?? '') ? -1 : 1)
  return (
    by(dayOf(a), dayOf(b)) ||
    by(b.rating_type, a.rating_type) ||
    by(a.known_from, b.known_from) ||
    (rankOf(a.rating) ?? Number.POSITIVE_INFINITY) - (rankOf(b.rating) ?? Number.POSITIVE_INFINITY) ||
    by(b.id, a.id)
  )
}

const FIVE_YEARS = 1826

/** The bucket of ratings under an age limit, or why there is none. */
function bucketWithin(
  letters: readonly { rank: number; age: number }[],
  limit: number,
): { bucket: string | null; because: string | null } {
  if (letters.length === 0) return { bucket: 'NR', because: null }
  const sorted = letters.filter(l => l.age <= limit).map(l => l.rank)
  if (sorted.length === 0) return { bucket: null, because: 'stale' }
  sorted.sort((a, b) => a - b)
  const dated = letters.filter(l => l.age !== NO_MAX_AGE).map(l => l.age)
  if (dated.some(a => dated.some(b => a - b > FIVE_YEARS))) return { bucket: null, because: 'far_apart' }
  return { bucket: bucketOf(sorted.length === 3 ? elementAt(sorted, 1) : sorted.at(-1)!), because: null }
}

const NOTCHES = {
  sp: [' AAA', 'AA+ AA AA-', 'A+ A A-', 'BBB+ BBB BBB-', 'BB+ BB BB-', 'B+ B B-', 'CCC+ CCC CCC-'],
  moodys: [' Aaa', 'Aa1 Aa2 Aa3', 'A1 A2 A3', 'Baa1 Baa2 Baa3', 'Ba1 Ba2 Ba3', 'B1 B2 B3', 'Caa1 Caa2 Caa3'],
}

/** A rating on its agency's own scale, from its rank. */
function ownLetter(agency: string, rating: string): string | null {
  const rank = rankOf(rating)
  const isMoodys = agency === 'moodys'
  if (rank === null) return { sp: 'NR', moodys: 'WR', fitch: 'WD' }[agency] ?? null
  if (rank >= 20) {
    const letter = /^(?:SD|RD)\b/i.exec(rating.trim())?.[0].toUpperCase()
    if (letter === (agency === 'sp' ? 'SD' : agency === 'fitch' ? 'RD' : null)) return letter
    return isMoodys ? (['Ca', 'C'][rank - 20] ?? null) : elementAt(['CC', 'C', 'D'], rank - 20)
  }
  const scale = NOTCHES[isMoodys ? 'moodys' : 'sp'].join(' ').trim().split(' ')
  return elementAt(scale, rank - 1)
}

interface RatingRow {
  id: string
  is_withdrawn: boolean
  rating_rank: number | null
  rating_bucket: string
  rating_date: string | null
  letter: string | null
}

const ratingColumns = {
  id: 'VARCHAR',
  is_withdrawn: 'BOOLEAN',
  rating_rank: 'INTEGER',
  rating_bucket: 'VARCHAR',
  rating_date: 'VARCHAR',
  letter: 'VARCHAR',
}

interface CompanyRow {
  company_id: string
  sp_rating: string | null
  moodys_rating: string | null
  fitch_rating: string | null
  sp_letter: string | null
  moodys_letter: string | null
  fitch_letter: string | null
  rating_bucket: string | null
  rating_null_because: string | null
  rating_date: string | null
  rating_age_days: number | null
  rating_max_age_from: number
  rating_max_age_to: number
}

const companyColumns = {
  company_id: 'VARCHAR',
  sp_rating: 'VARCHAR',
  moodys_rating: 'VARCHAR',
  fitch_rating: 'VARCHAR',
  sp_letter: 'VARCHAR',
  moodys_letter: 'VARCHAR',
  fitch_letter: 'VARCHAR',
  rating_bucket: 'VARCHAR',
  rating_null_because: 'VARCHAR',
  rating_date: 'VARCHAR',
  rating_age_days: 'INTEGER',
  rating_max_age_from: 'INTEGER',
  rating_max_age_to: 'INTEGER',
}

/** `made_ratings`, and `made_company_ratings_by_age`: current ratings and their composite under each age limit. */
export async function makeRatings({ db, asOf }: Workbench): Promise<void> {
  const ranks = await RowBuffer.table<RatingRow>(db, 'made_ratings', ratingColumns)
  const companies = await RowBuffer.table<CompanyRow>(db, 'made_company_ratings_by_age', companyColumns)
  // What an action says is carried from its source, which another recomputation looks at.
  const actions = records<Action>(
    db,
    'SELECT id, company_id, cusip, agency, rating, rating_type, effective_date, known_from FROM kept_ratings ORDER BY company_id NULLS LAST',
  )
  for await (const those of grouped(actions, a => a.company_id)) {
    const letters = new Map<string, Action>()
    for (const action of those) {
      const rank = rankOf(action.rating)
      await ranks.add({
        id: action.id,
        is_withdrawn: rank === null,
        rating_rank: rank,
        rating_bucket: bucketOf(rank),
        rating_date: dayOf(action),
        letter: ownLetter(action.agency, action.rating),
      })
      if (action.cusip !== null || !/^(issuer|corporate_family)$/.test(action.rating_type)) continue
      const newest = letters.get(action.agency)
      if (!newest || later(action, newest) > 0) letters.set(action.agency, action)
    }
    for (const row of companyRows(letters, asOf)) await companies.add(row)
  }
  await ranks.flush()
  await companies.flush()
  await db.run(`CREATE VIEW made_company_ratings AS SELECT * FROM made_company_ratings_by_age
    WHERE rating_max_age_from <= ${DEFAULT_RATING_MAX_AGE} AND rating_max_age_to >= ${DEFAULT_RATING_MAX_AGE}`)
}

/** The ratings of a company and their composite, one row per range of age limits. */
function companyRows(letters: ReadonlyMap<string, Action>, asOf: string): CompanyRow[] {
  const inForce = [...letters.values()]
  const company_id = inForce[0]?.company_id ?? null
  if (company_id === null) return []
  const standing = inForce.filter(a => rankOf(a.rating) !== null)
  const newest = standing.map(dayOf).reduce((most, day) => ((day ?? '') > (most ?? '') ? day : most), null)
  const ages = standing.map(a => ageAt(dayOf(a), asOf))
  const letter = (agency: string) => letters.get(agency)?.rating ?? null
  const own = (agency: string) => (letters.has(agency) ? ownLetter(agency, letter(agency)!) : null)
  const all = inForce.map(a => ageAt(dayOf(a), asOf))
  const starts = [0, ...all].filter((age, i, those) => those.indexOf(age) === i).sort((x, y) => x - y)
  return starts.map((from, i) => {
    const { bucket, because } = bucketWithin(
      standing.map((a, j) => ({ rank: rankOf(a.rating)!, age: ages[j]! })),
      from,
    )
    return {
      company_id,
      sp_rating: letter('sp'),
      moodys_rating: letter('moodys'),
      fitch_rating: letter('fitch'),
      sp_letter: own('sp'),
      moodys_letter: own('moodys'),
      fitch_letter: own('fitch'),
      rating_bucket: bucket,
      rating_null_because: because,
      rating_date: newest,
      rating_age_days: newest === null ? null : ageAt(newest, asOf),
      rating_max_age_from: from,
      rating_max_age_to: i + 1 < starts.length ? starts[i + 1]! - 1 : NO_MAX_AGE,
    }
  })
}
