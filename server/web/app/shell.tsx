import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useFirstPrints } from '../ask/first-prints.ts'
import { callOwn, type Session } from '../ask/session.ts'
import { useLatestDay } from '../ask/use-latest-day.ts'
import { Find } from '../find/find.tsx'
import { Day } from '../parts/day.tsx'
import { DaySlider } from './day-slider.tsx'
import { href, setParams, useRoute } from './route.ts'
import { prefix } from './server.ts'
import { setTheme, useTheme } from './theme.ts'
import '../style/bar.css'
import './shell.css'

const pages = [
  ['screen', 'Screen'],
  ['market', 'Market'],
  ['relative-value', 'Relative value'],
  ['search', 'Search'],
  ['sql', 'SQL'],
  ['compare', 'Compare'],
  ['watch', 'Watch'],
  ['saved', 'Saved'],
] as const

/** The frame around every page: navigation, as-of day, account. */
export function Shell({ session, children }: { session: Session; children: ReactNode }) {
  const [at] = useRoute().path
  return (
    <div className="shell">
      <button type="button" className="skip" onClick={() => document.getElementById('main')!.focus()}>
        Skip to the page
      </button>
      <header className="bar">
        <a className="brand" href={href([])} aria-label="Tranche home">
          Tranche
        </a>
        <nav aria-label="Pages">
          {pages.map(([path, name]) => (
            <a key={path} href={href([path])} aria-current={at === path ? 'page' : undefined}>
              {name}
            </a>
          ))}
        </nav>
        <Find />
        <AsOf />
        <a className="guide" href={`${prefix}/guide`}>
          Guide
        </a>
        <ThemeButton />
        <Who session={session} current={at === 'account'} />
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}

/** The chosen as-of day; without one, the newest day of any answer. */
function AsOf() {
  const { query } = useRoute()
  const day = query.get('as_of') ?? ''
  const pinned = query.get('snapshot')
  const latest = useLatestDay()
  return (
    <span className="as-of" data-set={day !== '' || undefined}>
      <span aria-hidden="true">As of</span>
      <Day label="As of" value={day || (latest ?? '')} set={as_of => setParams({ as_of })} />
      <DaySlider chosen={day} />
      {day !== '' && (
        <button type="button" className="plain" onClick={() => setParams({ as_of: null })}>
          Latest
        </button>
      )}
      <FirstPrints />
      {pinned && (
        <button
          type="button"
          className="plain"
          title={`The page shows snapshot ${pinned}, whatever was built since`}
          onClick={() => setParams({ snapshot: null })}
        >
          Unpin snapshot
        </button>
      )}
    </span>
  )
}

/** Says that the page shows figures as first reported, and ends it; chosen in the menu of days. */
function FirstPrints() {
  if (!useFirstPrints()) return null
  return (
    <button
      type="button"
      className="prints"
      title="Figures of companies and statements are as first reported, before later filings restated them"
      aria-label="First prints: back to the latest figures"
      onClick={() => setParams({ reported: null })}
    >
      First prints <span aria-hidden="true">×</span>
    </button>
  )
}

function ThemeButton() {
  const theme = useTheme()
  const other = theme === 'dark' ? 'light' : 'dark'
  return (
    <button type="button" className="theme" aria-label={`Change to ${other}`} onClick={() => setTheme(other)}>
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
        <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" strokeWidth="1.5" />
        <path d="M8 2a6 6 0 0 1 0 12z" fill="currentColor" />
      </svg>
    </button>
  )
}

function Who({ session: { account, demo }, current }: { session: Session; current: boolean }) {
  const queries = useQueryClient()
  async function leave() {
    await callOwn('DELETE', '/session')
    queries.setQueryData(['session'], null)
    queries.removeQueries({ predicate: ({ queryKey: [name] }) => name !== 'session' })
    location.hash = ''
  }
  return (
    <div className="who">
      <a href={href(['account'])} aria-current={current ? 'page' : undefined} title={account.email}>
        {demo ? 'Demo account' : account.email}
      </a>
      {!demo && (
        <button type="button" className="plain" onClick={leave}>
          Sign out
        </button>
      )}
    </div>
  )
}
