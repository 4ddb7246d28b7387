import { useState } from 'react'
import type { PageProps } from '../../app/pages.ts'
import { go, href } from '../../app/route.ts'
import { api } from '../../ask/api.ts'
import { useSaved, useSaving, type Watchlist } from '../../ask/saved.ts'
import { useAnswer } from '../../ask/use-answer.ts'
import { Day } from '../../parts/day.tsx'
import { Panel, Part } from '../../parts/part.tsx'
import { Empty, Failure } from '../../parts/state.tsx'
import { NameForm } from '../../saved/name-form.tsx'
import { NameInput } from '../../saved/name-input.tsx'
import { idOf, kindOf } from '../../saved/subject.ts'
import { dayText } from '../../show/days.ts'
import { Bonds } from './bonds.tsx'
import { Companies } from './companies.tsx'
import './watch.css'

/** The account's watchlists, and what changed on one since the reader's last look. */
export function Watch({ path: [, id] }: PageProps) {
  const answer = useSaved('watchlists')
  const { run, error, busy } = useSaving()
  return (
    <div className="page">
      <Part answer={answer} what="watchlists">
        {lists => {
          const list = lists.find(one => one.id === id) ?? lists[0]
          return (
            <>
              <header className="heading watch-heading">
                <h1>Watchlists</h1>
                <nav className="row" aria-label="Watchlists">
                  {lists.map(one => (
                    <a
                      key={one.id}
                      href={href(['watch', one.id])}
                      aria-current={one === list ? 'page' : undefined}
                    >
                      {one.name}
                    </a>
                  ))}
                </nav>
                <span className="spread" />
                <NameForm
                  label="Name of a new watchlist"
                  taken={[]}
                  busy={busy}
                  save={async name => {
                    const made = await run<Watchlist>('POST', 'watchlists', { name })
                    if (made) go(href(['watch', made.id]))
                    return made
                  }}
                />
              </header>
              {error !== null && <Failure error={error} />}
              {list ? (
                <List key={list.id} list={list} />
              ) : (
                <Empty>
                  <p>
                    <strong>No watchlists yet.</strong> Name one above, or choose Watch on the page of a
                    company or bond.
                  </p>
                </Empty>
              )}
            </>
          )
        }}
      </Part>
    </div>
  )
}

// Over 80 lines: the markup of one list.
function List({ list }: { list: Watchlist }) {
  const { id, name, members, seen } = list
  const { run, error, busy } = useSaving()
  const [asked, setAsked] = useState(false)
  const [chosen, setChosen] = useState('')
  const today = useAnswer('search.companies', { limit: 1, fields: ['ticker'] })
  const of = (kind: 'company' | 'bond') => members.filter(one => kindOf(one) === kind).map(idOf)
  const [companies, bonds] = [of('company'), of('bond')]
  const remove = (member: string) => void run('PATCH', `watchlists/${id}`, { remove: [member] })
  return (
    <Part answer={today} what={name}>
      {({ meta }) => {
        const asOf = String(meta['as_of'])
        const since = chosen || seen || quarterBefore(asOf)
        return (
          <>
            <div className="row">
              <NameInput
                name={name}
                busy={busy}
                rename={to => run('PATCH', `watchlists/${id}`, { name: to })}
              />
              <AddMember id={id} />
              <span className="spread" />
              <span className="row">
                Changes since <Day label="Changes since" value={since} set={setChosen} />
                <span className="quiet small">{seen === null ? '' : `your last look: ${dayText(seen)}`}</span>
              </span>
              <button
                type="button"
                disabled={busy || seen === asOf}
                onClick={() => {
                  setChosen('')
                  void run('POST', `watchlists/${id}/seen`, { day: asOf })
                }}
              >
                Mark as seen to {dayText(asOf)}
              </button>
              <button
                type="button"
                className={asked ? 'danger' : ''}
                disabled={busy}
                onBlur={() => setAsked(false)}
                onClick={() =>
                  asked
                    ? void run('DELETE', `watchlists/${id}`).then(
                        done => done !== null && go(href(['watch'])),
                      )
                    : setAsked(true)
                }
              >
                {asked ? `Delete ${name}` : 'Delete the watchlist'}
              </button>
            </div>
            {error !== null && <Failure error={error} />}
            {since >= asOf && (
              <p role="status" className="quiet">
                The data goes to {dayText(asOf)}, which you have seen. Choose an earlier day to look back.
              </p>
            )}
            {companies.length > 0 && (
              <Panel title="Companies">
                <Companies tickers={companies} since={since} asOf={asOf} remove={remove} />
              </Panel>
            )}
            {bonds.length > 0 && (
              <Panel title="Bonds">
                <Bonds cusips={bonds} since={since} asOf={asOf} remove={remove} />
              </Panel>
            )}
            {members.length === 0 && (
              <Empty>
                <p>
                  <strong>Nothing is watched yet.</strong> Add a ticker or a CUSIP.
                </p>
              </Empty>
            )}
          </>
        )
      }}
    </Part>
  )
}

/** Ninety days before, as `changes` has it by default. */
const quarterBefore = (day: string): string =>
  new Date(Date.parse(day) - 90 * 86_400_000).toISOString().slice(0, 10)

/** A ticker or CUSIP that the lake has; for others the server suggests the nearest. */
function AddMember({ id }: { id: string }) {
  const { run, error, busy } = useSaving()
  const [wrong, setWrong] = useState<unknown>(null)
  async function add(form: HTMLFormElement) {
    setWrong(null)
    const given = String(new FormData(form).get('member')).trim().toUpperCase()
    const isCusip = /^[0-9A-Z*@#]{8}[0-9]$/.test(given)
    try {
      if (isCusip) await api.call('history.pricing', { cusip: given, limit: 1 })
      else await api.call('search.companies', { ticker: given, limit: 1, fields: ['ticker'] })
    } catch (failure) {
      setWrong(failure)
      return
    }
    const done = await run('PATCH', `watchlists/${id}`, { add: [`${isCusip ? 'bond' : 'company'}:${given}`] })
    if (done !== null) form.reset()
  }
  return (
    <form
      className="row"
      onSubmit={event => {
        event.preventDefault()
        void add(event.currentTarget)
      }}
    >
      <input name="member" aria-label="Ticker or CUSIP" placeholder="Ticker or CUSIP" required size={16} />
      <button type="submit" disabled={busy}>
        Add
      </button>
      {(error ?? wrong) !== null && <Failure error={error ?? wrong} />}
    </form>
  )
}
