import { useAnswer } from '../../ask/use-answer.ts'
import { Panel } from '../../parts/part.tsx'
import { Scroll } from '../../parts/scroll.tsx'
import { dayText } from '../../show/days.ts'
import { basisPoints, NOTHING } from '../../show/figures.ts'

/**
 * The latest option-adjusted spread of each index, and that of about a month before; hidden if the lake has no
 * indices.
 */
export function Indices() {
  const latest = useAnswer('search.indices', { latest_only: true, sort: ['series'], limit: 200 }).data?.data
  const newest = latest
    ?.map(row => row.spread_date)
    .sort()
    .at(-1)
  const month = newest && new Date(Date.parse(newest) - 30 * 86_400_000).toISOString().slice(0, 10)
  const before = useAnswer(
    'search.indices',
    month ? { latest_only: true, to_date: month, sort: ['series'], limit: 200 } : null,
  ).data?.data
  if (!latest?.length) return null
  const earlier = new Map(before?.map(row => [row.series, row.spread_bps]))
  return (
    <div>
      <Panel title="Index spreads" className="whole">
        <Scroll label="Index spreads" className="movers">
          <table className="plain">
            <thead>
              <tr>
                <th>Index</th>
                <th>Rating</th>
                <th>Maturity</th>
                <th>Day</th>
                <th className="number">Spread bp</th>
                <th className="number">Change in 30 days bp</th>
              </tr>
            </thead>
            <tbody>
              {latest.map(({ series, index_name, rating_band, maturity_band, spread_date, spread_bps }) => (
                <tr key={series}>
                  <td>{index_name ?? series}</td>
                  <td>{rating_band ?? NOTHING}</td>
                  <td>{maturity_band ?? 'All'}</td>
                  <td>{dayText(spread_date)}</td>
                  <td className="number">{basisPoints(spread_bps)}</td>
                  <Change from={earlier.get(series)} to={spread_bps} />
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      </Panel>
    </div>
  )
}

function Change({ from, to }: { from: number | undefined; to: number }) {
  const change = from === undefined ? 0 : to - from
  return (
    <td className={`number ${change > 0 ? 'down' : change < 0 ? 'up' : ''}`}>
      {from === undefined ? NOTHING : basisPoints(change)}
    </td>
  )
}
