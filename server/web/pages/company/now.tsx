import type { Bond } from '../../../../engine/schema/resources/bonds.ts'
import { href } from '../../app/route.ts'
import { useAllRows } from '../../ask/rows.ts'
import { dayText } from '../../show/days.ts'
import { basisPoints, fixed, NOTHING } from '../../show/figures.ts'
import { staleness } from '../../show/stale.ts'
import { wordsOf } from '../../show/words.ts'

/** The bond that speaks for a company: the largest priced fixed one of four to eleven years, else the largest priced. */
function benchmarkOf(bonds: readonly Bond[]): Bond | undefined {
  const priced = bonds
    .filter(({ pricing }) => typeof pricing?.last_price === 'number' && typeof pricing.ytm === 'number')
    .sort((a, b) => (b.outstanding ?? 0) - (a.outstanding ?? 0))
  const isUsual = ({ seniority, rate_type, pricing }: Bond) =>
    seniority === 'senior_unsecured' &&
    rate_type === 'fixed' &&
    (pricing?.duration ?? 0) > 3.5 &&
    (pricing?.duration ?? 0) < 9
  return priced.find(isUsual) ?? priced[0]
}

/** Letters with outlook, and price and spread now. */
export function Now({ ticker }: { ticker: string }) {
  const ratings = useAllRows('search.ratings', {
    ticker,
    rating_type: ['issuer', 'corporate_family'],
    latest: true,
    limit: 50,
  })
  const bonds = useAllRows('search.bonds', { ticker, sort: 'maturity_date', limit: 100 })
  const spreads = useAllRows('search.spreads', { ticker, tenor: ['5Y'], latest_only: true, limit: 10 })
  const letters = ratings.data ?? []
  const benchmark = benchmarkOf(bonds.data ?? [])
  const { pricing } = benchmark ?? {}
  const [spread] = spreads.data ?? []
  if (letters.length === 0 && !benchmark && !spread) return null
  return (
    <dl className="figures now" aria-label="Now">
      {letters.map(({ agency, rating, outlook, effective_date }) => (
        <div key={agency} title={effective_date ? `since ${dayText(effective_date)}` : undefined}>
          <dt>{wordsOf(agency)}</dt>
          <dd>
            {rating} {outlook && <span className="quiet small">{wordsOf(outlook)}</span>}
          </dd>
        </div>
      ))}
      {spread && (
        <div title={`from its bonds, ${dayText(spread.spread_date)}`}>
          <dt>5Y spread</dt>
          <dd>{basisPoints(spread.spread_bps)}</dd>
        </div>
      )}
      {benchmark && pricing && (
        <div>
          <dt>
            <a href={href(['bond', benchmark.cusip ?? benchmark.id])}>{benchmark.display_name}</a>
          </dt>
          <dd className={staleness('last_price', pricing) === null ? undefined : 'stale'}>
            {pricing.last_price === null ? NOTHING : fixed(pricing.last_price, 2)}{' '}
            {pricing.ytm === null ? '' : `${fixed(pricing.ytm, 2)}%`}{' '}
            {pricing.spread === null ? '' : basisPoints(pricing.spread)}{' '}
            {pricing.last_trade_date && (
              <span className="quiet small">traded {dayText(pricing.last_trade_date)}</span>
            )}
          </dd>
        </div>
      )}
    </dl>
  )
}
