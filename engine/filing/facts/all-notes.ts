import { amountAt, LISTED, lineOf } from './commercial-paper.ts'
import type { FiledSection } from './filed-section.ts'
import { sentenceAround } from './flat-text.ts'
import type { InstrumentLine } from './instrument-line.ts'
import { proseOf } from './issue-lists.ts'
import { scaleOf } from './money.ts'

const KIND =
  '(?<kind>(?:(?:floating-|fixed-|fixed-rate|floating-rate|and|senior|unsecured)\\s{1,3}){0,5}notes)'
/** `had outstanding fixed-rate notes with varying maturities for an aggregate carrying amount of $98.1 billion`. */
const aggregate = new RegExp(
  `\\bhad\\s{1,3}outstanding\\s{1,3}${KIND}\\b[^$;.]{0,60}\\baggregate\\s{1,3}(?:principal|carrying)\\s{1,3}amount\\s{1,3}of\\s{1,3}(?<stated>${LISTED})`,
  'gi',
)
/** `we had $14.0 billion of unsecured senior notes outstanding`. */
const outstanding = new RegExp(
  `\\bhad\\s{1,3}(?:a\\s{1,3}total\\s{1,3}of\\s{1,3}|approximately\\s{1,3})?(?<stated>${LISTED})\\s{1,3}(?:of|in)\\s{1,3}(?:outstanding\\s{1,3})?${KIND}(?:\\s{1,3}outstanding)?\\b`,
  'gi',
)

/** `the principal amount of debentures outstanding totaled $108,868,000`. */
const totalled = new RegExp(
  `\\bprincipal\\s{1,3}amount\\s{1,3}of\\s{1,3}(?:the\\s{1,3}|our\\s{1,3})?(?:outstanding\\s{1,3})?(?<kind>(?:(?:junior|senior|subordinated|unsecured|secured)\\s{1,3}){0,3}(?:notes|debentures|bonds))(?:\\s{1,3}outstanding)?\\s{1,3}(?:was|totall?ed)\\s{1,3}(?<stated>${LISTED})`,
  'gi',
)

/** Where a table was. */
const BLANKS = ' '.repeat(20)

/** All notes of a company as one line, where a sentence tells what is owed at the report's own day and nothing tells of single ones. */
export function allNotesTold(section: FiledSection, lines: readonly InstrumentLine[]): InstrumentLine[] {
  const day = section.period_end
  const isTold = lines.some(
    ({ principal, carrying_amount, name }) =>
      (principal ?? carrying_amount ?? null) !== null && !/\bcommercial paper\b/i.test(name ?? ''),
  )
  if (isTold || day === null) return []
  const prose = proseOf(section.text)
  const scale = scaleOf(prose, section.amounts_in)
  const found = [aggregate, outstanding, totalled]
    .flatMap(pattern => [...prose.matchAll(pattern)])
    .flatMap(match => {
      const [begin, to] = sentenceAround(prose, match.index)
      // What stands before a table is no part of what stands behind it.
      const table = prose.lastIndexOf(BLANKS, match.index)
      const from = table < begin ? begin : table + BLANKS.length
      const { stated = '', kind = '' } = match.groups ?? {}
      const amount = amountAt(prose.slice(from, to), stated, day, scale)
      return amount === null || amount.value === 0 ? [] : [{ amount, from, to, kind }]
    })
  const [one, ...others] = found
  if (one === undefined || others.some(({ amount }) => amount.value !== one.amount.value)) return []
  const words = one.kind.replace(/\s+/g, ' ')
  const name = words.charAt(0).toUpperCase() + words.slice(1)
  return [{ ...lineOf(section, day, name, one), instrument_type: 'notes' }]
}
