import { groupOf } from '../../base/elements.ts'
import { lastMaturity } from './agreed-maturity.ts'
import { statedIn } from './facility-maturity.ts'
import { sentencesIn } from './facility-sentences.ts'
import { everyWords, flatten } from './flat-text.ts'
import { type AgreementName, agreementNamed, type Namer } from './instrument-name.ts'
import { fullDate } from './maturities.ts'
import { noteMaturity } from './promissory-notes.ts'
import { datesIn } from './spelled-dates.ts'

/** What an agreement, or an amendment of it, says about its own life. */
export interface AgreementTerms {
  /** `Credit Agreement dated 2023-01-03`. */
  readonly instrument_name: string | null
  readonly agreement_date: string | null
  /** Date of the document's own text: the agreement's, or the amendment's. */
  readonly effective_from: string | null
  readonly replaces_agreement_date: string | null
  readonly agreement_maturity_date: string | null
}

/** How far into a document to look for what it amends or replaces. */
const RECITALS = 8000

const AGREEMENT = '(?:agreement|indenture|facility)'
// Not the adjective in a title, `the Amended and Restated Credit Agreement`, which is named and not replaced.
// `amends and restates in its entirety that certain Credit Agreement, dated as of June 1, 2018`.
const restates = everyWords(
  String.raw`\b(?:amends? and restates?|amended and restated(?: in (?:its|their) entirety)? (?:the|that|an?|such|its)|amendment and restatement of|replaces?|supersedes?|refinanc(?:e|es|ing))\b[^.;]{0,260}?\b${AGREEMENT}\b[^.;]{0,60}?\bdated (?:as )?(?:of )?(?<date>[^;"()]{6,24})`,
)
// `"Existing Credit Agreement" means the Credit Agreement dated as of June 1, 2018`.
const existing = everyWords(
  String.raw`"existing (?:\w+ ){0,3}(?:credit|loan)[\w ]{0,30}"? (?:means|shall mean)\b[^"]{0,160}?\bdated (?:as )?(?:of )?(?<date>[^;"()]{6,24})`,
)
export const isAmendment = /\bamendment\b|\bamending\s+agreement\b/i

/** The terms of the agreement that a document is, amends or announces. */
export function agreementTerms(text: string, namer: Namer = 'agreement'): AgreementTerms {
  const named = agreementNamed(text, namer)
  const opening = flatten(text.slice(0, RECITALS))
  const own = named.find(n => !n.isAmended && n.date !== null) ?? named[0] ?? null
  const agreement_date = own === null || own.isAmended ? null : own.date
  return {
    instrument_name: nameOf(own),
    agreement_date,
    effective_from: isAmendment.test(opening.slice(0, 500))
      ? amendmentDate(opening, agreement_date)
      : agreement_date,
    replaces_agreement_date: agreement_date === null ? null : replacedDate(text, agreement_date),
    agreement_maturity_date:
      namer === 'announcement'
        ? own && announcedMaturity(flatten(text), own)
        : (lastMaturity(flatten(text), agreement_date) ?? noteMaturity(text)),
  }
}

const nameOf = (named: AgreementName | null): string | null =>
  named === null
    ? null
    : named.date !== null && !named.isAmended
      ? `${named.name} dated ${named.date}`
      : named.name

/** The first date of an amendment that is later than that of its agreement. */
const amendmentDate = (opening: string, agreed: string | null): string | null =>
  datesIn(opening.slice(0, 4000)).find(({ date }) => agreed === null || date > agreed)?.date ?? null

/** Where a text says which agreement, by its date, it restates or replaces. */
export interface ReplacedAgreement {
  readonly date: string
  readonly from: number
  readonly to: number
}

/** The earlier agreements that one of the given date restates or replaces, as its text says. */
export function replacedAgreements(text: string, agreed: string): ReplacedAgreement[] {
  const stated = [...flatten(text.slice(0, RECITALS)).matchAll(restates), ...flatten(text).matchAll(existing)]
  return stated.flatMap(match => {
    const date = datesIn(groupOf(match, 'date'))[0]?.date
    return date === undefined || date >= agreed
      ? []
      : [{ date, from: match.index, to: match.index + match[0].length }]
  })
}

/** The latest of them. */
const replacedDate = (text: string, agreed: string): string | null =>
  replacedAgreements(text, agreed)
    .map(({ date }) => date)
    .sort()
    .at(-1) ?? null

// `The Notes mature on December 15, 2026`, `Maturity. August 15, 2027`.
const notesMature = everyWords(
  String.raw`(?:\b(?:notes|debentures|bonds|securities) (?:will )?mature on |\bmaturity(?: date)?[.:] )(?<date>[a-z]{3,9} \d{1,2}, \d{4})`,
)

/** The day on which what an item announces falls due, notes of an indenture or loans; null where it says none, or several. */
function announcedMaturity(flat: string, { name, date: agreed }: AgreementName): string | null {
  if (!/\b(?:credit|loan|facility|indenture)\b/i.test(name)) return null
  const stated = /\bindenture\b/i.test(name)
    ? [...flat.matchAll(notesMature)].flatMap(m => datesIn(groupOf(m, 'date'))[0]?.date ?? [])
    : sentencesIn(flat, 0, flat.length)
        .filter(sentence => ofLoans.test(sentence) && !ofOthers.test(sentence))
        .flatMap(statedIn)
  const [day, ...others] = new Set(stated)
  return day !== undefined && others.length === 0 && (agreed === null || day > agreed) ? fullDate(day) : null
}

const ofLoans = /\b(?:credit|facility|facilities|loans?|commitments?|the\s{1,3}agreement)\b/i
const ofOthers = /\b(?:existing|previous|prior|former|notes|debentures|indentures?|hedg\w+|swaps?|leases?)\b/i
