import { useQuery } from '@tanstack/react-query'
import { chooseDayForm, useDayForm } from '../../app/day-form.ts'
import { href } from '../../app/route.ts'
import type { Credits as Balance, Change, Account as Person, Requested, SignedIn } from '../../ask/account.ts'
import { useAccountChange, useAccountData } from '../../ask/account.ts'
import { readSession } from '../../ask/session.ts'
import { Panel, Part } from '../../parts/part.tsx'
import { Scroll } from '../../parts/scroll.tsx'
import { Segments } from '../../parts/segments.tsx'
import { Empty, Failure } from '../../parts/state.tsx'
import { browserOf } from '../../show/browser.ts'
import { type DayForm, dayForms } from '../../show/days.ts'
import { fixed, minute } from '../../show/figures.ts'
import { titleOf } from '../../show/words.ts'
import { Keys } from './keys.tsx'
import { Password } from './password.tsx'
import { Rows } from './rows.tsx'
import { Seats } from './seats.tsx'
import { Usage } from './usage.tsx'
import './account.css'

/** The signed-in account: keys, credits, usage, sessions; for admins all accounts. */
export function Account() {
  const session = useQuery({
    queryKey: ['session'],
    queryFn: readSession,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const { account } = session.data ?? {}
  return (
    <div className="page">
      <header className="heading">
        <h1>Account</h1>
        <span className="quiet">{account?.email}</span>
        <span className="spread" />
        {account?.role === 'admin' && <a href={href(['data-health'])}>Data health</a>}
      </header>
      <div className="grid">
        <Keys />
        <div className="w8 usage">
          <Usage />
        </div>
        <Credits />
        <Coverage />
        <Display />
        <Sessions />
        <Seats owner={account?.owner ?? false} tier={account?.tier} />
        {session.data?.demo === false && <Password />}
        {account?.role === 'admin' && <Admin />}
      </div>
    </div>
  )
}

/** How this browser writes figures. */
function Display() {
  const form = useDayForm()
  return (
    <Panel title="Display" className="w4">
      <div className="body row">
        <span>Dates as</span>
        <Segments
          label="Dates"
          options={Object.keys(dayForms) as DayForm[]}
          value={form}
          set={chooseDayForm}
          named={option => dayForms[option]}
        />
      </div>
    </Panel>
  )
}

function Credits() {
  const answer = useAccountData<Balance>('/account/credits')
  return (
    <Panel title="Credits" className="w4">
      <Part answer={answer} what="credits">
        {({ balance, keys, packages, ledger }) => (
          <Scroll label="Credits" className="body scroll credits">
            {keys.length > 0 && keys.every(key => key.unlimited) ? (
              <p>Calls with these keys do not use credits.</p>
            ) : (
              <dl className="figures">
                {Object.entries(balance).map(([name, value]) => (
                  <div key={name}>
                    <dt>{titleOf(name)}</dt>
                    <dd>{fixed(value, 0)}</dd>
                  </div>
                ))}
              </dl>
            )}
            <p className="quiet small">
              Packages:{' '}
              {packages.map(({ dollars, credits }) => `$${dollars} for ${fixed(credits, 0)}`).join(', ')}.
              They do not expire.
            </p>
            {ledger.length > 0 && <Rows rows={ledger} />}
          </Scroll>
        )}
      </Part>
    </Panel>
  )
}

function Sessions() {
  const answer = useAccountData<SignedIn[]>('/account/sessions')
  const { run, error, busy } = useAccountChange()
  return (
    <Panel title="Active sessions" className="w6">
      <Part answer={answer} what="sessions">
        {sessions => (
          <Scroll label="Sessions" className="scroll sessions">
            <table className="plain">
              <thead>
                <tr>
                  <th>Browser</th>
                  <th>Address</th>
                  <th>Last seen</th>
                  <th />
                </tr>
              </thead>
              <tbody>
                {sessions.map(({ id, agent, address, seen_at, current }) => (
                  <tr key={id}>
                    <td className="agent" title={agent ?? undefined}>
                      {browserOf(agent)}
                    </td>
                    <td>{address}</td>
                    <td>{minute(seen_at)}</td>
                    <td className="number">
                      {current ? (
                        <span className="quiet">this one</span>
                      ) : (
                        <button
                          type="button"
                          className="plain"
                          disabled={busy}
                          onClick={() => run('DELETE', `/account/sessions/${id}`)}
                        >
                          Sign out
                        </button>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scroll>
        )}
      </Part>
      {error !== null && <Failure error={error} />}
    </Panel>
  )
}

function Coverage() {
  const answer = useAccountData<Requested[]>('/account/coverage-requests')
  const { run, error, busy } = useAccountChange()
  return (
    <Panel title="Coverage requests" className="w6">
      <form
        className="body row"
        onSubmit={event => {
          event.preventDefault()
          const form = event.currentTarget
          const data = Object.fromEntries([...new FormData(form)].filter(([, text]) => text !== ''))
          void run('POST', '/account/coverage-requests', data).then(done => done && form.reset())
        }}
      >
        <input name="ticker" placeholder="Ticker" aria-label="Ticker" required size={8} />
        <input name="company_name" placeholder="Company name" aria-label="Company name" required />
        <input name="note" placeholder="Reason (optional)" aria-label="Note" />
        <button type="submit" disabled={busy}>
          Request
        </button>
      </form>
      {error !== null && <Failure error={error} />}
      <Part answer={answer} what="requests">
        {requests =>
          requests.length === 0 ? (
            <Empty>
              <p>None yet. Request a missing company.</p>
            </Empty>
          ) : (
            <Rows rows={requests} />
          )
        }
      </Part>
    </Panel>
  )
}

function Admin() {
  const accounts = useAccountData<Person[]>('/admin/accounts')
  const requests = useAccountData<Requested[]>('/admin/coverage-requests')
  const changes = useAccountData<Change[]>('/admin/audit-log')
  return (
    <>
      <Panel title="All accounts">
        <Part answer={accounts} what="accounts">
          {rows => <Rows rows={rows} />}
        </Part>
      </Panel>
      <Panel title="Changes of accounts, keys and credits">
        <Part answer={changes} what="changes">
          {rows => <Rows rows={rows.map(row => ({ ...row, details: detailsOf(row) }))} />}
        </Part>
      </Panel>
      <Panel title="All coverage requests">
        <Part answer={requests} what="requests">
          {rows =>
            rows.length ? (
              <Rows rows={rows} />
            ) : (
              <Empty>
                <p>No coverage requests.</p>
              </Empty>
            )
          }
        </Part>
      </Panel>
    </>
  )
}

/** The new values of a change, `tier: pro, credits: 200`. */
const detailsOf = ({ details }: Change): string =>
  Object.entries(details)
    .map(([name, value]) => `${name}: ${value ?? 'none'}`)
    .join(', ')
