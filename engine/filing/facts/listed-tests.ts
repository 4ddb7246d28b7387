import type { Clause } from './clauses.ts'
import { sentenceBefore, words } from './flat-text.ts'

/** `Coverage Ratio, as defined, to be at least 2.00 to 1.00`, behind `financial covenants: Leverage Ratio to be no higher than`. */
export const isOfListedTests = (flat: string, start: number, to: number, comparison: number): boolean =>
  /^\s{0,3}(?:,\s{1,3}[^,.;:]{1,60},|\([^()]{1,60}\))?\s{1,3}to\s{1,3}be\s{0,3}$/i.test(
    flat.slice(to, comparison),
  ) && listsTests.test(sentenceBefore(flat, start))
const listsTests = words(String.raw`\bfinancial covenants?\b[^;]{0,300}: [^:;]{3,160} to be\b`)

/** `At no time shall the`, before the quantity that it limits. */
export const isNever = words(
  String.raw`\b(?:at no time|in no event|under no circumstances) (?:shall|will|may) (?:[\w'-]{1,20} ){0,6}$`,
)

/** `(b) Its`, an item that begins a sentence of its own. */
export const isItem = words(String.raw`^\W{0,4}[b-k]\)\W{1,9}(?:(?:its|their|the) )?$`)

/** Whether a clause begins with what it forbids in items: `The Borrower shall not cause or permit at any time: (a)`. */
export const isIntroduced = (flat: string, clause: Clause | null): boolean =>
  clause !== null && introduces.test(flat.slice(clause.body, clause.body + MOST_INTRODUCED))
const MOST_INTRODUCED = 260
const introduces = words(
  String.raw`^[^.;:]{3,160}\b(?:not|nor)\b[^.;:]{0,60}\b(?:permit|allow|suffer)(?: at any time| to exist)?: ?\((?:a|i)\)`,
)

/** `to be greater than (i) during the period from June 30, 2000`, levels by periods in a sentence. */
export const listsPeriods = words(
  String.raw`^ ?:? ?\((?:i|a|1)\) (?:during|for|from|as of|at any time|at all times|on|until|through|prior to|commencing|beginning)\b`,
)

/** `(b) Minimum Liquidity. Liquidity of at least $25,000,000`, under a title that says what it is. */
export const isOfTitledTests = (lead: string, { article, within }: Clause): boolean =>
  articles.has(lead.replace(/[^a-z]/gi, '').toLowerCase()) && isOfTests.test(`${article} ${within}`)
const articles: ReadonlySet<string> = new Set(['', 'a', 'an', 'the'])
const isOfTests = words('\\bfinancial (?:covenants?|conditions?|tests?)\\b')
