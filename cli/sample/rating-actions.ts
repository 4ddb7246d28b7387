import { addBusinessDays, type Day, formatDay, toDay } from '../../engine/credit/calendar.ts'
import type { ratings } from '../../engine/schema/datasets/ratings.ts'
import { DEFAULT_DAY, type Instrument } from './capital.ts'
import { uuidOf } from './identifiers.ts'
import { coverage, type Issuer } from './issuers.ts'
import type { Random } from './random.ts'
import type { Row } from './tables.ts'

type Rating = Row<typeof ratings>
type Agency = 'sp' | 'moodys' | 'fitch'

const letters = 'AAA AA+ AA AA- A+ A A- BBB+ BBB BBB- BB+ BB BB- B+ B B- CCC+ CCC CCC- CC C D'.split(' ')
const moodys = 'Aaa Aa1 Aa2 Aa3 A1 A2 A3 Baa1 Baa2 Baa3 Ba1 Ba2 Ba3 B1 B2 B3 Caa1 Caa2 Caa3 Ca C C'.split(' ')

const letterOf = (agency: Agency, rank: number) =>
  (agency === 'moodys' ? moodys : letters)[Math.min(22, Math.max(1, rank)) - 1]!

/** The rating actions of an issuer: the one it must have first, the rest in the order of their weight. */
function actionsOf(issuer: Issuer, instruments: readonly Instrument[], random: Random): Rating[] {
  const { rank } = issuer
  const isHigh = rank <= 10
  const order = random.shuffled<Agency>(['sp', 'moodys', 'fitch'])
  const used = new Set<string>()
  const day = (from: Day, to: Day) => formatDay(addBusinessDays(from + random.whole(0, to - from), 0))
  const row = (
    agency: Agency,
    rating: string,
    effective_date: string,
    more: Partial<Rating> = {},
  ): Rating[] => {
    const type = more.rating_type ?? (!isHigh && agency === 'moodys' ? 'corporate_family' : 'issuer')
    const key = `${agency} ${type} ${more.cusip} ${effective_date}`
    if (used.has(key)) return []
    used.add(key)
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
        outlook:
          rating === 'NR' || rating === 'WR' || rating === 'D'
            ? null
            : random.pick([
                'stable',
                'stable',
                'stable',
                'stable',
                'positive',
                'negative',
                'negative',
                'developing',
                'watch',
              ] as const),
        effective_date,
        source_section_type: random.pick([
          'nrsro_17g7',
          'nrsro_17g7',
          'nrsro_17g7',
          'llm_extraction',
          'llm_extraction',
          'imported',
        ] as const),
        ...more,
        rating_type: type,
      },
    ]
  }
  const early = [toDay(2021, 10, 4), toDay(2022, 12, 20)] as const
  const middle = [toDay(2023, 1, 9), toDay(2024, 6, 20)] as const
  const late = [toDay(2024, 7, 8), toDay(2025, 6, 20)] as const

  if (issuer.is('defaulted'))
    return [
      ...row('sp', 'D', formatDay(DEFAULT_DAY + 1), { rating_type: 'issuer' }),
      ...row('sp', 'CCC-', day(...middle), { rating_type: 'issuer' }),
      ...row('moodys', 'Ca', formatDay(DEFAULT_DAY + 2)),
      ...row('sp', 'CCC+', day(...early), { rating_type: 'issuer' }),
    ]
  const first = order[0]!
  if (issuer.withdrawn)
    return [
      ...row(first, letterOf(first, rank), day(...early)),
      ...row(first, first === 'moodys' ? 'WR' : 'NR', day(...middle)),
    ].reverse()

  const moved = random.chance(0.45)
  const drift = moved ? random.pick([-1, 1]) : 0
  const out: Rating[] = [...row(first, letterOf(first, rank), moved ? day(...middle) : day(...early))]
  const second = order[1]!
  if (random.chance(issuer.hasSpreads ? 0.9 : 0.4)) {
    const split = random.pick([0, 0, 1, -1])
    out.push(
      ...row(second, letterOf(second, rank + split), random.chance(0.4) ? day(...late) : day(...early)),
    )
  }
  if (moved) out.push(...row(first, letterOf(first, rank + drift), day(...early)))
  if (random.chance(issuer.hasSpreads ? 0.5 : 0.1)) {
    const third = order[2]!
    out.push(...row(third, letterOf(third, rank), day(...middle)))
  }
  for (const instrument of instruments) {
    const { row: terms, seniority, retired, pricing } = instrument
    if (!terms.cusip || retired !== null || pricing === 'none' || !random.chance(0.12)) continue
    const notch = seniority === 'senior_secured' ? -1 : seniority === 'subordinated' ? 2 : isHigh ? 0 : 1
    out.push(
      ...row(
        first,
        letterOf(first, rank + notch),
        formatDay(Math.max(instrument.issued, toDay(2021, 11, 1))),
        { cusip: terms.cusip, rating_type: seniority },
      ),
    )
  }
  if (!isHigh && random.chance(0.3))
    out.push(...row(first, letterOf(first, rank - 1), day(...early), { rating_type: 'senior_secured' }))
  if (random.chance(0.25))
    out.push(
      ...row(second, letterOf(second, rank + (isHigh ? 0 : 1)), day(...late), {
        rating_type: 'senior_unsecured',
      }),
    )
  return out
}

/** All rating actions, as many as the coverage says: every issuer's first, then the others by turns. */
export function ratingRows(
  issuers: readonly Issuer[],
  debts: readonly (readonly Instrument[])[],
  random: Random,
): Rating[] {
  const actions = issuers.map((issuer, n) => actionsOf(issuer, debts[n]!, random.fork(`${issuer.n}`)))
  // A default or a withdrawal means nothing without what was there before.
  const least = actions.map((list, n) =>
    issuers[n]!.withdrawn || issuers[n]!.is('defaulted') ? list.length : 1,
  )
  const out = actions.flatMap((list, n) => list.slice(0, least[n]))
  for (let turn = 1; out.length < coverage.ratings; turn++) {
    const next = actions.flatMap((list, n) => (turn < least[n]! ? [] : list.slice(turn, turn + 1)))
    if (next.length === 0) throw new Error(`only ${out.length} rating actions were made`)
    out.push(...next.slice(0, coverage.ratings - out.length))
  }
  return out
}
