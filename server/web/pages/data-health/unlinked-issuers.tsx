import { useState } from 'react'
import { useAccountChange } from '../../ask/account.ts'
import { type UnlinkedIssuer, useUnlinkedIssuers } from '../../ask/data-health.ts'
import { Panel, Part } from '../../parts/part.tsx'
import { Scroll } from '../../parts/scroll.tsx'
import { Empty, Failure } from '../../parts/state.tsx'
import { fixed } from '../../show/figures.ts'
import { shellWord } from '../../show/shell.ts'

const PAGE = 50
/** Candidates of an issuer; further ones are rarely meant. */
const SHOWN = 3
/** As many as the server gives at once. */
const MOST = 500

/** Issuers that match no company; one click links one to a candidate. */
export function UnlinkedIssuers() {
  const [limit, setLimit] = useState(PAGE)
  const answer = useUnlinkedIssuers(limit)
  const { total, pending } = answer.data?.meta ?? { total: 0, pending: 0 }
  return (
    <Panel
      title="Unlinked issuers"
      tools={
        <span role="status" className="quiet small">
          {pending > 0 &&
            `${fixed(pending, 0)} ${pending === 1 ? 'link waits' : 'links wait'} for the next build: run tranche build`}
        </span>
      }
    >
      <Part answer={answer} what="unlinked issuers">
        {({ data, meta }) =>
          total === 0 ? (
            <Empty>
              <p>Every issuer is linked to a company.</p>
            </Empty>
          ) : (
            <>
              {!meta.writable && (
                <p className="body">
                  This server may not write to the lake. Run the command beside a candidate where the lake is
                  built.
                </p>
              )}
              <Scroll label="Unlinked issuers">
                <table className="plain health">
                  <thead>
                    <tr>
                      <th>Issuer</th>
                      <th className="number">Rows</th>
                      <th>In</th>
                      <th>Link to</th>
                    </tr>
                  </thead>
                  <tbody>
                    {data.map(issuer => (
                      <Issuer key={issuer.who} issuer={issuer} writable={meta.writable} />
                    ))}
                  </tbody>
                </table>
              </Scroll>
              {data.length < Math.min(total, MOST) && (
                <p className="body row">
                  <button type="button" onClick={() => setLimit(Math.min(MOST, limit * 2))}>
                    Show more
                  </button>
                  <span className="quiet small">
                    {fixed(data.length, 0)} of {fixed(total, 0)}
                  </span>
                </p>
              )}
            </>
          )
        }
      </Part>
    </Panel>
  )
}

// Over 80 lines: the markup of one row, with its form.
function Issuer({
  issuer: { who, rows, datasets, candidates, link },
  writable,
}: {
  issuer: UnlinkedIssuer
  writable: boolean
}) {
  const { run, error, busy } = useAccountChange()
  const set = (ticker: string) => run('POST', '/admin/links', { who, ticker })
  return (
    <tr>
      <td>{who}</td>
      <td className="number">{fixed(rows, 0)}</td>
      <td className="quiet small">{datasets.join(', ')}</td>
      <td>
        {link !== null ? (
          <span className="row">
            <span>{link}, from the next build</span>
            <button
              type="button"
              className="plain"
              disabled={busy || !writable}
              aria-label={`Undo the link of ${who}`}
              onClick={() => void set('-')}
            >
              Undo
            </button>
          </span>
        ) : (
          <ul className="candidates">
            {candidates.slice(0, SHOWN).map(({ ticker, name, reason }) => (
              <li key={`${ticker} ${name}`} className="row">
                {ticker === null ? null : writable ? (
                  <button
                    type="button"
                    disabled={busy}
                    aria-label={`Link ${who} to ${ticker}`}
                    onClick={() => void set(ticker)}
                  >
                    {ticker}
                  </button>
                ) : (
                  <code>{`tranche link set ${shellWord(who)} ${shellWord(ticker)}`}</code>
                )}
                <span>{name}</span>
                <span className="quiet small">{reason}</span>
              </li>
            ))}
            {candidates.length === 0 && (
              <li className="quiet small">No company of the lake has a name near it.</li>
            )}
            {writable && (
              <li>
                <form
                  className="row"
                  onSubmit={event => {
                    event.preventDefault()
                    void set(String(new FormData(event.currentTarget).get('ticker')).trim())
                  }}
                >
                  <input
                    name="ticker"
                    size={8}
                    maxLength={20}
                    required
                    placeholder={candidates.length > 0 ? 'Another' : 'Ticker'}
                    aria-label={`Ticker of ${who}`}
                  />
                  <button type="submit" className="plain" disabled={busy}>
                    Link
                  </button>
                </form>
              </li>
            )}
          </ul>
        )}
        {error !== null && <Failure error={error} />}
      </td>
    </tr>
  )
}
