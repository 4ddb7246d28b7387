import { groupOf } from '../../base/elements.ts'
import type { RowOf } from '../../schema/column.ts'
import type { agreementEndings } from '../../schema/datasets/agreement-endings.ts'
import { agreementTerms, isAmendment, replacedAgreements } from './agreement.ts'
import { quoted } from './evidence.ts'
import type { FiledSection } from './filed-section.ts'
import { everyWords, flatten, oneLine, sentenceAround } from './flat-text.ts'
import { datesIn } from './spelled-dates.ts'

export type EndingRow = Partial<RowOf<typeof agreementEndings.columns>>

interface Ending {
  readonly name: string
  readonly date: string
  readonly endedOn: string | null
  readonly because: NonNullable<EndingRow['ended_because']>
  readonly section?: string
  readonly rule: string
  readonly from: number
  readonly to: number
}

const contracts: ReadonlySet<string> = new Set(['credit_agreement', 'indenture', 'covenants'])
const accounts: ReadonlySet<string> = new Set(['debt_footnote', 'mda_liquidity'])
const isCurrentReport = /^(?:8-?K|6-?K)/i

/** Agreements that a section says have ended, and clauses that an amendment deletes, each with its words. */
export function endingsIn(section: FiledSection): EndingRow[] {
  const isCurrent = isCurrentReport.test(section.doc_type)
  if (!isCurrent && !contracts.has(section.section_type) && !accounts.has(section.section_type)) return []
  const flat = flatten(section.text)
  const endings =
    isCurrent || accounts.has(section.section_type)
      ? reportedEndings(flat, isCurrent, section.filing_date)
      : ownEndings(section.text, flat)
  const seen = new Set<string>()
  return endings.flatMap(({ name, date, endedOn, because, section: clause = null, rule, from, to }) => {
    const key = [name, date, clause, because].join('\n')
    if (seen.has(key)) return []
    seen.add(key)
    return {
      company_name: section.company_name,
      cik: section.cik,
      instrument_name: name,
      agreement_date: date,
      section: clause,
      ended_on: endedOn,
      ended_because: because,
      document_type: section.doc_type,
      source_document_date: section.filing_date,
      accession: section.accession,
      rule,
      ...quoted(section, from, to, null),
    }
  })
}

const terminated = everyWords(String.raw`\bterminated\b(?! or\b)`)
// Not the adjective in a title: `the Amended and Restated Credit Agreement`.
const replaced = everyWords(
  String.raw`\b(?:replaced|replaces|replacing|superseded|supersedes|refinanced|(?:amended|amends|amending) and (?:restated|restates|restating)(?: in (?:its|their) entirety)? (?:the|our|its|their|that))\b(?! or\b)`,
)
/** Words before a verb by which it tells no fact: a condition, a plan, a definition `as amended, replaced ...`. */
const noFact =
  /\b(?:if|unless|until|not|may(?!\s{1,3}\d)|will|shall|would|could|can|be|when|once|upon|intends?|expects?|amended,|supplemented,|restated,|modified,)\s[^.;]{0,30}$/i
const isPassive = /\b(?:was|were|has been|have been)\b[^.;]{0,30}$/i

/** Endings that a report tells: `the Company terminated its Credit Agreement dated ...`. */
function reportedEndings(flat: string, isCurrent: boolean, filed: string | null): Ending[] {
  const told = (verb: RegExp, because: Ending['because'], rule: string): Ending[] =>
    [...flat.matchAll(verb)].flatMap(match => {
      const [from, to] = sentenceAround(flat, match.index)
      const before = flat.slice(from, match.index)
      if (noFact.test(before.slice(-60))) return []
      const after = match.index + match[0].length
      const objects = isPassive.test(before.slice(-40))
        ? agreementsIn(flat, from, match.index)
        : agreementsIn(flat, after, because === 'replaced' ? endOfObject(flat, after, to) : to)
      const endedOn = dayOf(before) ?? (isCurrent ? firstDay(flat.slice(0, from).slice(0, 1500)) : null)
      return objects
        .filter(({ date }) => (filed === null || date < filed) && (endedOn === null || date < endedOn))
        .map(object => ({ ...object, endedOn, because, rule, from, to }))
    })
  return [
    ...told(replaced, 'replaced', 'agreement_replaced'),
    ...told(terminated, 'terminated', 'agreement_terminated'),
  ]
}

/** What `replaced` speaks of ends where the text names what took its place. */
function endOfObject(flat: string, from: number, to: number): number {
  const instead = flat.slice(from, to).search(/\swith\s+(?:a|an|the|our|new)\s/i)
  return instead < 0 ? to : from + instead
}

const dated = everyWords(String.raw`\bdated (?:as )?(?:of )?`)
const kind = /\b(?:agreement|indenture|facility)\b/gi
const lending = /\b(?:credit|loan|facility|indenture|note\s+purchase)\b/i
const other = /\b(?:security|pledge|guarant|escrow|intercreditor|participation|letter\s+of\s+credit)/i

/** `Credit and Guaranty Agreement`: an agreement to lend that is also one to secure or guarantee. */
const withSecurity =
  /\b(?<=\b(?:credit|loan)(?:\s|,\s|,?\sand\s))(?:and\s)?(?:security|guaranty|guarantee)\b/i

/** Agreements to lend that a stretch of text names with their date. */
function agreementsIn(flat: string, from: number, to: number): { name: string; date: string }[] {
  return [...flat.slice(from, to).matchAll(dated)].flatMap(match => {
    const at = from + match.index
    const date = datesIn(flat.slice(at, at + match[0].length + 24))[0]?.date
    const before = withoutBrackets(flat.slice(from, at))
    const last = [...before.slice(-100).matchAll(kind)].at(-1)
    if (date === undefined || !last) return []
    const end = Math.max(0, before.length - 100) + last.index + last[0].length
    const name = nameBefore(before.slice(0, end))
    if (isOfAmendment.test(before.slice(end)) || amends.test(before.slice(0, end - name.length))) return []
    return lending.test(name) && !other.test(name.replace(withSecurity, '')) ? [{ name, date }] : []
  })
}

/** Between an agreement and a day: the day is of its amendment, `dated as of May 2, 2020 (as amended by the First Amendment,`. */
const isOfAmendment = /\bdated\b|\b(?:amendment|supplement|waiver)(?:\s{1,3}no\.?\s{1,3}\d{1,2})?[\s,]{0,4}$/i
/** `Amendment No. 2 to the ` before an agreement. */
const amends =
  /\b(?:amendment|supplement|waiver)(?:\s{1,3}no\.?\s{1,3}\d{1,2})?\s{1,3}to\s{1,3}(?:the\s{1,3}|its\s{1,3})?$/i

/** Without what stands in brackets at the end: `Facility Agreement (the "Previous Agreement"),`. */
function withoutBrackets(text: string): string {
  const end = text.replace(/[\s,]{1,9}$/, '')
  const opens = end.endsWith(')') ? end.lastIndexOf('(') : -1
  return opens < 0 ? end : end.slice(0, opens)
}

const partOfName =
  /^(?:(?!The$|Our$|Its$|Company|Corporation|Borrower)[A-Z0-9][\w&'-]*|and|restated|amended|credit|loan|term|revolving|senior|secured|unsecured|syndicated|facility|note|purchase|bridge|delayed|draw|[\w]+-(?:year|day|month)|agreement|indenture)$/

/** The name that ends a text, `Three-Year Syndicated Facility Agreement`. */
function nameBefore(text: string): string {
  const words = text.trim().split(/\s+/).slice(-10)
  let first = words.length - 1
  while (first > 0 && partOfName.test(words[first - 1] ?? '')) first--
  return oneLine(
    words
      .slice(first)
      .join(' ')
      .replace(/^and\s/, ''),
    120,
  )
}

/** The last day that a text names otherwise than as the date of a document. */
function dayOf(before: string): string | null {
  const days = datesIn(before).filter(
    ({ from }) => !/\bdated\s+(?:as\s+)?(?:of\s+)?$/i.test(before.slice(0, from)),
  )
  return days.at(-1)?.date ?? null
}

/** `On April 26, 2022, the Company ...` at the beginning of an item. */
function firstDay(opening: string): string | null {
  const match = /\b(?:On|Effective(?: as of)?)\s{1,20}(?=[A-Z][a-z]{2,8}\s{1,20}\d)/.exec(opening)
  return match
    ? (datesIn(opening.slice(match.index, match.index + match[0].length + 30))[0]?.date ?? null)
    : null
}

const clauseDeleted = everyWords(
  String.raw`\b(?:deleting section (?<a>\d{1,2}\.\d{1,2})\b(?:[^.;]|\.\d){0,120}? in (?:its|their) entirety|section (?<b>\d{1,2}\.\d{1,2})\b(?:[^.;]|\.\d){0,120}?\b(?:is|are) (?:hereby )?(?:deleted|amended by deleting (?:it|such section) in its entirety))\b`,
)
/** A deletion of something in the clause, not of the clause. */
const ofPart = /\b(?:definitions?|terms?|words?|phrase|sentence|paragraph|clause|proviso)\b/i
const isReplaced = /^[^.;]{0,60}\b(?:replac|insert|substitut|restat|as\s+follows)/i
const byNothing = /^[^.;]{0,140}\b(?:reserved|omitted|intentionally\s+(?:deleted|left))/i

/** Endings that an agreement or amendment says itself: what it restates, and clauses it deletes. */
function ownEndings(text: string, flat: string): Ending[] {
  const { instrument_name, agreement_date, effective_from } = agreementTerms(text)
  if (instrument_name === null || agreement_date === null) return []
  const name = instrument_name.replace(/ dated [\d-]+$/, '')
  const restated = replacedAgreements(text, agreement_date).map(({ date, from, to }) => ({
    name: agreementsIn(flat, from, to + 24).find(each => each.date === date)?.name ?? name,
    date,
    endedOn: agreement_date,
    because: 'replaced' as const,
    rule: 'agreement_restated',
    from,
    to,
  }))
  if (effective_from === agreement_date || !isAmendment.test(flat.slice(0, 500))) return restated
  const deleted = [...flat.matchAll(clauseDeleted)].flatMap(match => {
    const [from] = sentenceAround(flat, match.index, 300)
    const to = match.index + match[0].length
    const after = flat.slice(to, to + 200)
    if (ofPart.test(flat.slice(from, to)) || (isReplaced.test(after) && !byNothing.test(after))) return []
    return {
      name,
      date: agreement_date,
      endedOn: effective_from,
      because: 'amended' as const,
      section: match.groups?.['a'] ?? groupOf(match, 'b'),
      rule: 'clause_deleted',
      from,
      to,
    }
  })
  return [...restated, ...deleted]
}
