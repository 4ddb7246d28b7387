import { DEFAULT_RATING_MAX_AGE } from '../../../../engine/credit/max-age.ts'
import { href } from '../../app/route.ts'
import { useAllRows } from '../../ask/rows.ts'
import { dayText } from '../../show/days.ts'
import { basisPoints, fixed, NOTHING } from '../../show/figures.ts'
import { benchmarkOf } from '../../show/priced-together.ts'
import { staleness } from '../../show/stale.ts'
import { wordsOf } from '../../show/words.ts'

/** Ratings without an action for so long form no bucket. */
const OLDEST_RATING_DAYS = DEFAULT_RATING_MAX_AGE

const isOld = (day: string | null, asOf: string): boolean =>
  day !== null && (Date.parse(asOf) - Date.parse(day)) / 86_400_000 > OLDEST_RATING_DAYS

/** Letters with outlook, and price and spread now. */
export function Now({ ticker, asOf }: { ticker: string; asOf: string }) {
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
        <div
          key={agency}
          title={isOld(effective_date, asOf) ? 'without an action for five years' : undefined}
        >
          <dt>{wordsOf(agency)}</dt>
          <dd className={isOld(effective_date, asOf) ? 'stale' : undefined}>
            {rating} {outlook && <span className="quiet small">{wordsOf(outlook)}</span>}{' '}
            {effective_date && <span className="quiet small">since {dayText(effective_date)}</span>}
          </dd>
        </div>
      ))}
      {spread && (
        <div>
          <dt>5Y spread</dt>
          <dd>
            {basisPoints(spread.spread_bps)}{' '}
            <span className="quiet small">{dayText(spread.spread_date)}</span>
          </dd>
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
