import { type ComponentType, lazy } from 'react'
import { Screen } from '../pages/screen/screen.tsx'
import { wordsOf } from '../show/words.ts'

export interface PageProps {
  readonly path: readonly string[]
}

interface Page {
  readonly title: (path: readonly string[]) => string
  readonly show: ComponentType<PageProps>
}

const named = (path: readonly string[]): string => path[1] ?? ''

/** The first page is bundled with the application; the others load on demand. */
const pages: Readonly<Record<string, Page>> = {
  screen: { title: path => wordsOf(path[1] ?? 'companies'), show: Screen },
  company: {
    title: named,
    show: lazy(() => import('../pages/company/company.tsx').then(m => ({ default: m.Company }))),
  },
  'tear-sheet': {
    title: path => `${named(path)} tear sheet`,
    show: lazy(() => import('../pages/tear-sheet/tear-sheet.tsx').then(m => ({ default: m.TearSheet }))),
  },
  bond: { title: named, show: lazy(() => import('../pages/bond/bond.tsx').then(m => ({ default: m.Bond }))) },
  market: {
    title: () => 'Market',
    show: lazy(() => import('../pages/market/market.tsx').then(m => ({ default: m.Market }))),
  },
  'relative-value': {
    title: () => 'Relative value',
    show: lazy(() =>
      import('../pages/relative-value/relative-value.tsx').then(m => ({ default: m.RelativeValue })),
    ),
  },
  search: {
    title: () => 'Search',
    show: lazy(() => import('../pages/search/search.tsx').then(m => ({ default: m.Search }))),
  },
  sql: {
    title: () => 'SQL',
    show: lazy(() => import('../pages/sql/sql.tsx').then(m => ({ default: m.Sql }))),
  },
  compare: {
    title: () => 'Compare',
    show: lazy(() => import('../pages/compare/compare.tsx').then(m => ({ default: m.Compare }))),
  },
  watch: {
    title: () => 'Watchlists',
    show: lazy(() => import('../pages/watch/watch.tsx').then(m => ({ default: m.Watch }))),
  },
  saved: {
    title: () => 'Saved',
    show: lazy(() => import('../pages/saved/saved.tsx').then(m => ({ default: m.SavedWork }))),
  },
  'data-health': {
    title: () => 'Data health',
    show: lazy(() => import('../pages/data-health/data-health.tsx').then(m => ({ default: m.DataHealth }))),
  },
  account: {
    title: () => 'Account',
    show: lazy(() => import('../pages/account/account.tsx').then(m => ({ default: m.Account }))),
  },
}

export const pageAt = ([name]: readonly string[]): Page => pages[name ?? 'screen'] ?? pages['screen']!
