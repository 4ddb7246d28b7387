import type { Column } from '../../../../engine/schema/column.ts'
import { companies } from '../../../../engine/schema/resources/companies.ts'
import type { AnswerOf } from '../../../v1/client.ts'
import { basisPoints, fixed, NOTHING, withUnit } from '../../show/figures.ts'
import { titleOf, wordsOf } from '../../show/words.ts'

type Changed = AnswerOf<'changes.company'>['data']['changes']

/** Metrics that a watcher reads first; the company's page has all. */
const headline = ['leverage_ratio', 'net_leverage_ratio', 'interest_coverage', 'net_debt', 'ebitda_ttm']

/** Lists whose members are counted. */
const debt = [
  ['new_debt', 'new bond or loan', 'new bonds and loans'],
  ['removed_debt', 'bond or loan gone', 'bonds and loans gone'],
  ['changed_debt', 'bond or loan with changed terms', 'bonds and loans with changed terms'],
] as const
const filings = [['new_filings', 'new filing', 'new filings']] as const

type RatingRow = {
  agency: string
  direction: string
  previous: string | null
  current: string | null
}
type PriceRow = { cusip: string | null; price_change: number | null; spread_change: number | null }

/** What changed for a company, the weightiest first, each in a few words. */
export function whatChanged(changes: Changed): string[] {
  const ratings = (changes.rating_changes as unknown as RatingRow[]).map(
    ({ agency, direction, previous, current }) =>
      `${wordsOf(agency)} ${wordsOf(direction).toLowerCase()}: ${previous ?? NOTHING} → ${current ?? NOTHING}`,
  )
  const counts = (counted: readonly (readonly [keyof Changed, string, string])[]) =>
    counted.flatMap(([name, one, many]) => {
      const { length } = changes[name] as readonly unknown[]
      return length === 0 ? [] : [`${length} ${length === 1 ? one : many}`]
    })
  const metrics = headline.flatMap(name => {
    const change = changes.metric_changes[name]
    const column = (companies.columns as Record<string, Column>)[name]
    if (!change || !column) return []
    return [`${titleOf(name)} ${withUnit(column, change.previous)} → ${withUnit(column, change.current)}`]
  })
  return [...ratings, ...counts(debt), ...metrics, ...prices(changes), ...counts(filings)]
}

/** The widest move of a spread, which stands for the others. */
function prices(changes: Changed): string[] {
  const moved = (changes.pricing_changes as unknown as PriceRow[]).filter(row => row.spread_change !== null)
  const widest = moved.sort((a, b) => Math.abs(b.spread_change!) - Math.abs(a.spread_change!))[0]
  if (!widest) return []
  const move = `${basisPoints(widest.spread_change!)} bp`
  return [moved.length === 1 ? `spread ${move}` : `${moved.length} spreads moved, the most ${move}`]
}

/** A difference of prices, in points. */
export const points = (now: number | null | undefined, then: number | null | undefined): string =>
  now == null || then == null ? NOTHING : `${now > then ? '+' : ''}${fixed(now - then, 2)}`
