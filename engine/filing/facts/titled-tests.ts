import type { Clause } from './clauses.ts'
import { words } from './flat-text.ts'
import type { Place } from './reading.ts'
import { type MetricMention, metricsIn, type TestedQuantity, testedQuantities } from './test-metrics.ts'

/** What the title of a clause calls a cover of debt service that its words spell out, `Fixed Charge Coverage Ratio`; null if it does not. */
export function titledAs({ clause }: Place, { metric, shown }: MetricMention): TestedQuantity | null {
  if (clause === null || !shown || metric !== testedQuantities.debtService) return null
  const [named, ...others] = metricsIn(clause.title)
  const isName =
    named !== undefined &&
    others.length === 0 &&
    named.metric.unit === 'ratio' &&
    named.metric.direction === 'minimum' &&
    /^\W*(?:(?:minimum|consolidated)\s+)*$/i.test(clause.title.slice(0, named.from)) &&
    /^\W*$/.test(clause.title.slice(named.to))
  return isName ? named.metric : null
}

/** `(b) Minimum Liquidity. Liquidity of at least $25,000,000`, under a title that says what it is. */
export const isOfTitledTests = (lead: string, { article, within }: Clause): boolean =>
  articles.has(lead.replace(/[^a-z]/gi, '').toLowerCase()) && isOfTests.test(`${article} ${within}`)
const articles: ReadonlySet<string> = new Set(['', 'a', 'an', 'the'])
const isOfTests = words('\\bfinancial (?:covenants?|conditions?|tests?)\\b')
