import { amountAt, LISTED, lineOf } from './commercial-paper.ts'
import { statedIn } from './facility-maturity.ts'
import { type Mention, mentionsIn } from './facility-mentions.ts'
import type { FiledSection } from './filed-section.ts'
import { sentenceAround } from './flat-text.ts'
import type { InstrumentLine } from './instrument-line.ts'
import { proseOf } from './issue-lists.ts'
import { marginIn } from './margins.ts'
import { fullDate } from './maturities.ts'
import { type Money, scaleOf } from './money.ts'

const LOAN =
  '(?:senior\\s{1,3}|secured\\s{1,3}|unsecured\\s{1,3})?term\\s{1,3}loans?(?:\\s{1,3}facilit(?:y|ies))?'
const OUR = '(?:the|our|its|a|an)'
const PRINCIPAL =
  '(?:(?:in|of)\\s{1,3})?(?:aggregate\\s{1,3})?(?:principal\\s{1,3})?(?:amount\\s{1,3})?(?:of\\s{1,3})?'
/** Sentences that say what is owed of term loans. */
const owed = [
  // `$477.4 million remained outstanding under the term loans`
  `${LISTED}\\s{1,3}${PRINCIPAL}(?:borrowings\\s{1,3})?(?:was|were|remain(?:s|ed)|is)?\\s{0,3}outstanding\\s{1,3}(?:under|on|of)\\s{1,3}${OUR}\\s{1,3}${LOAN}\\b`,
  // `had $300 million of borrowings under its term loan`
  `\\b(?:had|have|has)\\s{1,3}(?:approximately\\s{1,3})?${LISTED}\\s{1,3}${PRINCIPAL}(?:outstanding\\s{1,3})?borrowings\\s{1,3}(?:outstanding\\s{1,3})?under\\s{1,3}${OUR}\\s{1,3}${LOAN}\\b`,
  // `the outstanding balance of the term loan was $300 million`
  `\\b(?:outstanding|remaining|principal|unpaid)\\s{1,3}(?:principal\\s{1,3})?(?:balance|amount)\\s{1,3}(?:outstanding\\s{1,3})?(?:of|on|under)\\s{1,3}${OUR}\\s{1,3}${LOAN}\\b[^.;$]{0,50}\\b(?:was|were|is|totall?ed)\\s{1,3}(?:approximately\\s{1,3})?${LISTED}`,
].map(pattern => new RegExp(pattern, 'i'))
const everyLoan = /\bterm\s{1,3}loans?\b/gi
const isOther =
  /\b(?:may(?!\s{1,3}\d)|can|could|would|if|average|maximum|up\s{1,3}to|subsequent(?:ly)?|repaid|prepaid)\b/i

/** `the Company repaid the outstanding balance on the 3-year term loan facility of $150 million`. */
const isRepaid = /\b(?:repaid|prepaid|paid\s{1,3}off)\s{1,3}(?:in\s{1,3}full\s{1,3})?(?:the|our|its|all)\b/i

/** What a sentence goes on with about something else. */
const nextClause = /;|,\s{1,3}(?:there\b|which\b|with\b|and\s{1,3}(?:we|there|no|the)\b)/i
const floats = /\b(?:floating|variable)\b|\b(?:libor|sofr|euribor|prime|base)\b/i

interface Owed {
  readonly amount: Money
  readonly from: number
  readonly to: number
}

/**
 * Term loans of which sentences tell one amount outstanding at the report's day, where neither a line of the tables nor a
 * sentence that states its commitment is a loan.
 */
export function loansToldIn(section: FiledSection, lines: readonly InstrumentLine[]): InstrumentLine[] {
  const day = section.period_end
  if (day === null || lines.some(({ name }) => /\bloans?\b|\bcredit\b|\bterm\b/i.test(name ?? ''))) return []
  const flat = proseOf(section.text)
  const scale = scaleOf(flat, section.amounts_in)
  const isOwed = ({ kind, from }: Mention) =>
    kind === 'term_loan' && !isRepaid.test(flat.slice(...sentenceAround(flat, from)))
  if (mentionsIn(flat, scale).some(isOwed)) return []
  const sentences = new Map<number, number>()
  for (const { index } of flat.matchAll(everyLoan)) {
    const [from, to] = sentenceAround(flat, index)
    sentences.set(from, to)
  }
  const found = [...sentences].flatMap(([from, to]): Owed[] => {
    const whole = flat.slice(from, to)
    const stated = owed.map(pattern => pattern.exec(whole)).find(each => each !== null)
    if (stated === undefined) return []
    const end = stated.index + stated[0].length
    const sentence = whole.slice(0, end) + (whole.slice(end).split(nextClause)[0] ?? '')
    if (isOther.test(sentence)) return []
    const amount = amountAt(sentence, stated[0], day, scale)
    return amount === null || amount.value === 0 ? [] : [{ amount, from, to }]
  })
  const [one, ...others] = found
  if (one === undefined || others.some(({ amount }) => amount.value !== one.amount.value)) return []
  const about = [...sentences].map(([from, to]) => flat.slice(from, to))
  const days = new Set(about.flatMap(statedIn).filter(each => each > day.slice(0, each.length)))
  const exact = [...days].filter(each => ![...days].some(other => other !== each && other.startsWith(each)))
  const [maturity = null] = exact.length === 1 ? exact : []
  return [
    {
      ...lineOf(
        section,
        day,
        maturity === null ? 'Term loans' : `Term loans due ${maturity.slice(0, 4)}`,
        one,
      ),
      instrument_type: 'term_loan',
      ...(about.some(each => floats.test(each)) && { rate_type: 'floating' as const }),
      ...marginIn(flat.slice(one.from, one.to)),
      maturity,
      maturity_date: fullDate(maturity),
    },
  ]
}
