import { chooseDayForm } from '../app/day-form.ts'
import { go, href, setParams } from '../app/route.ts'
import { setTheme } from '../app/theme.ts'
import { screens } from '../pages/screen/screens.ts'
import { type DayForm, dayForms } from '../show/days.ts'
import { wordsOf } from '../show/words.ts'
import type { Place } from './place.ts'

const page = (name: string, words: string, ...path: string[]): Place => ({
  name,
  words,
  hint: 'Page',
  run: () => go(href(path)),
})

const screenWords: Readonly<Record<string, string>> = {
  companies: 'issuers leverage debt',
  bonds: 'notes loans debt maturities',
  pricing: 'prices trades yields quotes',
  spreads: 'cds credit curves',
  financials: 'statements income balance sheet cash flow',
  ratings: 'letters outlook agencies',
  covenants: 'agreements tests thresholds',
  collateral: 'security liens',
}

export const places: readonly Place[] = [
  ...screens.map(
    ({ resource: { name } }): Place => ({
      name: wordsOf(name),
      words: screenWords[name] ?? '',
      hint: 'Screen',
      run: () => go(href(['screen', name])),
    }),
  ),
  page('Market', 'indices movers heat map spreads', 'market'),
  page('Relative value', 'scatter rich cheap residuals curve regression plot', 'relative-value'),
  page('Search', 'filings documents text', 'search'),
  page('SQL', 'query statement tables', 'sql'),
  page('Compare', 'companies side by side issuers', 'compare'),
  page('Watchlists', 'watch changes last look', 'watch'),
  page('Saved', 'screens columns presets notes export import', 'saved'),
  page('Data health', 'coverage stale sources rejected rows unlinked issuers quality', 'data-health'),
  page('Account', 'keys usage credits seats settings password', 'account'),
]

const command = (name: string, words: string, run: () => void): Place => ({
  name,
  words,
  hint: 'Command',
  run,
})

export const commands: readonly Place[] = [
  command('Dark theme', 'colours night', () => setTheme('dark')),
  command('Light theme', 'colours day', () => setTheme('light')),
  ...Object.entries(dayForms).map(([form, example]) =>
    command(`Dates as ${example}`, 'days format iso', () => chooseDayForm(form as DayForm)),
  ),
  command('Latest day', 'as of today now', () => setParams({ as_of: null })),
  command('First prints', 'figures as first reported original restated', () =>
    setParams({ reported: 'original' }),
  ),
  command('Latest figures', 'as most recently reported restated', () => setParams({ reported: null })),
]
