import { append } from '../../engine/base/lists.ts'
import { addBusinessDays, type Day, formatDay, toDay } from '../../engine/credit/calendar.ts'
import type { ratings } from '../../engine/schema/datasets/ratings.ts'
import { uuidOf } from './identifiers.ts'
import { DEFAULT_DAY, type Instrument } from './instrument.ts'
import { coverage, type Issuer } from './issuers.ts'
import type { Random } from './random.ts'
import type { Row } from './tables.ts'

type Rating = Row<typeof ratings>
type Agency = 'sp' | 'moodys' | 'fitch'

const letters = 'AAA AA+ AA AA- A+ A A- BBB+ BBB BBB- BB+ BB BB- B+ B B- CCC+ CCC CCC- CC C D'.split(' ')
const moodys = 'Aaa Aa1 Aa2 Aa3 A1 A2 A3 Baa1 Baa2 Baa3 Ba1 Ba2 Ba3 B1 B2 B3 Caa1 Caa2 Caa3 Ca C C'.split(' ')

const letterOf = (agency: Agency, rank: number) =>
  (agency === 'moodys' ? moodys : letters)[Math.min(22, Math.max(1, rank)) - 1]!

type MakeAction = (agency: Agency, rating: string, effective_date: string, more?: Partial<Rating>) => Rating[]

/** Makes one action of an issuer; none if the agency has already rated the same thing on that day. */
function actionMaker(issuer: Issuer, random: Random): MakeAction {
  const used = new Set<string>()
  return (agency, rating, effective_date, more = {}) => {
    const rating_type =
      more.rating_type ?? (issuer.rank > 10 && agency === 'moodys' ? 'corporate_family' : 'issuer')
    const key = `${agency} ${rating_type} ${more.cusip} ${effective_date}`
    if (used.has(key)) return []
    used.add(key)
    const hasOutlook = rating !== 'NR' && rating !== 'WR' && rating !== 'D'
    return [
      {
        id: uuidOf(`${issuer.cik} ${key}`),
        ticker: issuer.ticker,
        cik: issuer.cik,
        company_name: issuer.name,
        sector: issuer.industry.sector,
        cusip: null,
        agency,
        rating,
        outlook: hasOutlook ? random.pick(OUTLOOKS) : null,
        effective_date,
        source_section_type: random.pick(SOURCES),
        ...more,
        rating_type,
      },
    ]
  }
}

// A repeated value is drawn that much more often.
const OUTLOOKS = [
  'stable',
  'stable',
  'stable',
  'stable',
  'positive',
  'negative',
  'negative',
  'developing',
  'watch',
] as const
const SOURCES = [
  'nrsro_17g7',
  'nrsro_17g7',
  'nrsro_17g7',
  'llm_extraction',
  'llm_extraction',
  'imported',
] as const

const EARLY = [toDay(2021, 10, 4), toDay(2022, 12, 20)] as const
const MIDDLE = [toDay(2023, 1, 9), toDay(2024, 6, 20)] as const
const LATE = [toDay(2024, 7, 8), toDay(2025, 6, 20)] as const

/** The rating actions of an issuer: the required one first, the rest in order of importance. */
function actionsOf(issuer: Issuer, instruments: readonly Instrument[], random: Random): Rating[] {
  const { rank, hasSpreads } = issuer
  const isHigh = rank <= 10
  const [first, second, third] = random.shuffled<Agency>(['sp', 'moodys', 'fitch']) as [
    Agency,
    Agency,
    Agency,
  ]
  const action = actionMaker(issuer, random)
  const dayIn = ([from, to]: readonly [Day, Day]) =>
    formatDay(addBusinessDays(from + random.whole(0, to - from), 0))

  if (issuer.is('defaulted'))
    return [
      ...action('sp', 'D', formatDay(DEFAULT_DAY + 1), { rating_type: 'issuer' }),
      ...action('sp', 'CCC-', dayIn(MIDDLE), { rating_type: 'issuer' }),
      ...action('moodys', 'Ca', formatDay(DEFAULT_DAY + 2)),
      ...action('sp', 'CCC+', dayIn(EARLY), { rating_type: 'issuer' }),
    ]
  if (issuer.withdrawn)
    return [
      ...action(first, letterOf(first, rank), dayIn(EARLY)),
      ...action(first, first === 'moodys' ? 'WR' : 'NR', dayIn(MIDDLE)),
    ].reverse()

  const moved = random.chance(0.45)
  const drift = moved ? random.pick([-1, 1]) : 0
  const out: Rating[] = [...action(first, letterOf(first, rank), dayIn(moved ? MIDDLE : EARLY))]
  if (random.chance(hasSpreads ? 0.9 : 0.4)) {
    const split = random.pick([0, 0, 1, -1])
    append(out, action(second, letterOf(second, rank + split), dayIn(random.chance(0.4) ? LATE : EARLY)))
  }
  if (moved) append(out, action(first, letterOf(first, rank + drift), dayIn(EARLY)))
  if (random.chance(hasSpreads ? 0.5 : 0.1)) append(out, action(third, letterOf(third, rank), dayIn(MIDDLE)))
  for (const { row, issued, seniority, retired, pricing } of instruments) {
    if (!row.cusip || retired !== null || pricing === 'none' || !random.chance(0.12)) continue
    const notch = seniority === 'senior_secured' ? -1 : seniority === 'subordinated' ? 2 : isHigh ? 0 : 1
    const day = formatDay(Math.max(issued, toDay(2021, 11, 1)))
    append(
      out,
      action(first, letterOf(first, rank + notch), day, { cusip: row.cusip, rating_type: seniority }),
    )
  }
  if (!isHigh && random.chance(0.3))
    append(out, action(first, letterOf(first, rank - 1), dayIn(EARLY), { rating_type: 'senior_secured' }))
  if (random.chance(0.25)) {
    const letter = letterOf(second, rank + (isHigh ? 0 : 1))
    append(out, action(second, letter, dayIn(LATE), { rating_type: 'senior_unsecured' }))
  }
  return out
}

/** All rating actions, as many as `coverage` says: every issuer's first, then the others in turn. */
export function ratingRows(
  issuers: readonly Issuer[],
  debts: readonly (readonly Instrument[])[],
  random: Random,
): Rating[] {
  const actions = issuers.map((issuer, n) => {
    const list = actionsOf(issuer, debts[n] ?? [], random.fork(`${issuer.n}`))
    // A default or a withdrawal needs the rating before it.
    return { list, least: issuer.withdrawn || issuer.is('defaulted') ? list.length : 1 }
  })
  const out = actions.flatMap(({ list, least }) => list.slice(0, least))
  for (let turn = 1; out.length < coverage.ratings; turn++) {
    const next = actions.flatMap(({ list, least }) => (turn < least ? [] : list.slice(turn, turn + 1)))
    if (next.length === 0) throw new Error(`only ${out.length} rating actions were made`)
    append(out, next.slice(0, coverage.ratings - out.length))
  }
  return out
}
