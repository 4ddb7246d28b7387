import type { Clause } from './clauses.ts'
import { sentenceBefore, words } from './flat-text.ts'

/** `Coverage Ratio, as defined, to be at least 2.00 to 1.00`, behind `financial covenants: Leverage Ratio to be no higher than`. */
export const isOfListedTests = (flat: string, start: number, to: number, comparison: number): boolean =>
  /^\s{0,3}(?:,\s{1,3}[^,.;:]{1,60},|\([^()]{1,60}\))?\s{1,3}to\s{1,3}be\s{0,3}$/i.test(
    flat.slice(to, comparison),
  ) && listsTests.test(sentenceBefore(flat, start))
const listsTests = words(String.raw`\bfinancial covenants?\b[^;]{0,300}: [^:;]{3,160} to be\b`)

/**
 * Whether a quantity begins an item that is a sentence of its own, `(b) Its`, of a clause that begins with what it forbids in items:
 * `The Borrower shall not cause or permit at any time: (a)`.
 */
export const isForbiddenItem = (lead: string, flat: string, clause: Clause | null): boolean =>
  beginsItem.test(lead) &&
  clause !== null &&
  forbidsItems.test(flat.slice(clause.body, clause.body + MOST_INTRODUCED))
const beginsItem = words(String.raw`^\W{0,4}[b-k]\)\W{1,9}(?:(?:its|their|the) )?$`)
const MOST_INTRODUCED = 260
const forbidsItems = words(
  String.raw`^[^.;:]{3,160}\b(?:not|nor)\b[^.;:]{0,60}\b(?:permit|allow|suffer)(?: at any time| to exist)?: ?\((?:a|i)\)`,
)

/** `to be greater than (i) during the period from June 30, 2000`, levels by periods in a sentence. */
export const listsPeriods = words(
  String.raw`^ ?:? ?\((?:i|a|1)\) (?:during|for|from|as of|at any time|at all times|on|until|through|prior to|commencing|beginning)\b`,
)
