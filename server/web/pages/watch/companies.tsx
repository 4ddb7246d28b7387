import { companies } from '../../../../engine/schema/resources/companies.ts'
import { TrancheError } from '../../../v1/client.ts'
import { href } from '../../app/route.ts'
import { useAnswer } from '../../ask/use-answer.ts'
import { Part } from '../../parts/part.tsx'
import { Scroll } from '../../parts/scroll.tsx'
import { useSeen } from '../../parts/use-seen.ts'
import { dayText } from '../../show/days.ts'
import { withUnit } from '../../show/figures.ts'
import { titleOf } from '../../show/words.ts'
import { whatChanged } from './what-changed.ts'

export interface WatchedProps {
  readonly since: string
  readonly asOf: string
  readonly remove: (member: string) => void
}

const shown = ['rating_bucket', 'leverage_ratio', 'total_debt'] as const

/** Watched companies: what they are today, and what changed. */
export function Companies({ tickers, ...props }: WatchedProps & { tickers: readonly string[] }) {
  const answer = useAnswer('search.companies', {
    ticker: tickers,
    on_unknown: 'skip',
    limit: tickers.length,
    fields: ['ticker', 'name', ...shown],
  })
  return (
    <Part answer={answer} what="companies">
      {({ data }) => (
        <Scroll label="Companies">
          <table className="plain watched">
            <thead>
              <tr>
                <th>Company</th>
                {shown.map(name => (
                  <th key={name} className="number">
                    {titleOf(name)}
                  </th>
                ))}
                <th>Since {dayText(props.since)}</th>
                <th />
              </tr>
            </thead>
            <tbody>
              {tickers.map(ticker => {
                const row = data.find(one => one.ticker === ticker)
                return (
                  <tr key={ticker}>
                    <td>
                      {row ? <a href={href(['company', ticker])}>{row.name}</a> : ticker}{' '}
                      {row && <span className="quiet small">{ticker}</span>}
                    </td>
                    {shown.map(name => (
                      <td key={name} className="number">
                        {row ? withUnit(companies.columns[name], row[name]) : ''}
                      </td>
                    ))}
                    <td>
                      {row ? (
                        <Changed ticker={ticker} {...props} />
                      ) : (
                        <span className="quiet">not in the data of this day</span>
                      )}
                    </td>
                    <td className="number">
                      <button
                        type="button"
                        className="plain"
                        aria-label={`Remove ${ticker}`}
                        onClick={() => props.remove(`company:${ticker}`)}
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

/** Read when it comes into view: an earlier day may have to be derived first. */
function Changed({ ticker, since, asOf }: WatchedProps & { ticker: string }) {
  const [cell, inView] = useSeen<HTMLDivElement>()
  const answer = useAnswer('changes.company', inView && since < asOf ? { ticker, since } : null)
  if (since >= asOf) return <span className="quiet">–</span>
  const early = answer.error instanceof TrancheError && answer.error.code === 'NO_SNAPSHOT'
  return (
    <div ref={cell}>
      {early ? (
        <span className="quiet">
          the data begins on {dayText(String((answer.error as TrancheError).details['earliest']))}
        </span>
      ) : (
        <Part answer={answer} what="changes">
          {({ data }) => {
            const said = whatChanged(data.changes)
            return said.length === 0 ? (
              <span className="quiet">no changes</span>
            ) : (
              <ul className="said">
                {said.map(text => (
                  <li key={text}>{text}</li>
                ))}
              </ul>
            )
          }}
        </Part>
      )}
    </div>
  )
}
