import { type Bond, bonds } from '../../../../engine/schema/resources/bonds.ts'
import { href } from '../../app/route.ts'
import { useAnswer } from '../../ask/use-answer.ts'
import { Part } from '../../parts/part.tsx'
import { Scroll } from '../../parts/scroll.tsx'
import { dayText } from '../../show/days.ts'
import { basisPoints, NOTHING, shown } from '../../show/figures.ts'
import type { WatchedProps } from './companies.tsx'
import { points } from './what-changed.ts'

const fields = [
  'cusip',
  'display_name',
  'is_active',
  'pricing.last_price',
  'pricing.ytm',
  'pricing.spread',
  'pricing.last_trade_date',
] as const

/** Watched bonds: price, yield and spread, and their difference from the earlier day. */
// Over 80 lines: the markup of one table.
export function Bonds({ cusips, since, asOf, remove }: WatchedProps & { cusips: readonly string[] }) {
  const input = { cusip: cusips, limit: cusips.length, fields }
  const now = useAnswer('search.bonds', input)
  const then = useAnswer('search.bonds', since < asOf ? { ...input, as_of: since } : null)
  const priced = (rows: readonly Bond[] | undefined, cusip: string) =>
    rows?.find(row => row.cusip === cusip)?.pricing
  return (
    <Part answer={now} what="bonds">
      {({ data }) => (
        <Scroll label="Bonds">
          <table className="plain watched">
            <thead>
              <tr>
                <th>Bond</th>
                <th className="number">Price</th>
                <th className="number">Yield</th>
                <th className="number">Spread</th>
                <th className="number">Price since {dayText(since)}</th>
                <th className="number">Spread since {dayText(since)}</th>
                <th>Last trade</th>
                <th />
              </tr>
            </thead>
            <tbody>
              {cusips.map(cusip => {
                const row = (data as readonly Bond[]).find(one => one.cusip === cusip)
                const [is, was] = [row?.pricing, priced(then.data?.data as readonly Bond[], cusip)]
                return (
                  <tr key={cusip}>
                    <td>
                      {row ? <a href={href(['bond', cusip])}>{row.display_name}</a> : cusip}{' '}
                      <span className="quiet small">
                        {row
                          ? row.is_active === false && 'no longer outstanding'
                          : 'not in the data of this day'}
                      </span>
                    </td>
                    <td className="number">{shown(bonds.columns['pricing.last_price'], is?.last_price)}</td>
                    <td className="number">{shown(bonds.columns['pricing.ytm'], is?.ytm)}</td>
                    <td className="number">{shown(bonds.columns['pricing.spread'], is?.spread)}</td>
                    <td className="number">{points(is?.last_price, was?.last_price)}</td>
                    <td className="number">
                      {is?.spread == null || was?.spread == null
                        ? NOTHING
                        : basisPoints(is.spread - was.spread)}
                    </td>
                    <td>{shown(bonds.columns['pricing.last_trade_date'], is?.last_trade_date)}</td>
                    <td className="number">
                      <button
                        type="button"
                        className="plain"
                        aria-label={`Remove ${cusip}`}
                        onClick={() => remove(`bond:${cusip}`)}
                      >
                        Remove
                      </button>
                    </td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        </Scroll>
      )}
    </Part>
  )
}
