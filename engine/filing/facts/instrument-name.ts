import { groupOf } from '../../base/elements.ts'
import { flatten, oneLine } from './flat-text.ts'
import { datesIn } from './spelled-dates.ts'

const KIND =
  'Credit and Guaranty Agreement|Credit and Security Agreement|Credit Agreement|Loan and Security Agreement|Term Loan Agreement|Loan Agreement|Revolving Credit Agreement|Note Purchase Agreement|Indenture|Promissory Note|Convertible Note|Pledge and Collateral Agreement|Pledge and Security Agreement|Pledge Agreement|Security Agreement|Collateral Agreement|Guaranty and Pledge Agreement|Master (?:\\w+ ){0,3}Lease(?: and Servicing)? Agreement|Lease Agreement|Guarantee|Guaranty'
const title = new RegExp(
  String.raw`\b(?<name>(?:(?:(?:First|Second|Third|Fourth|Fifth|Sixth|Seventh|Eighth|Amended|and|Restated|Supplemental|Senior|Secured|Unsecured|Subordinated|Revolving|Term|Loan|Master|Bridge|ABL|Parent|Convertible)\s+){0,12})(?:${KIND.replaceAll(' ', '\\s+')}))\b`,
  'gi',
)

/** How far into a document to look for its name and date. */
const OPENING = 4000

/** `Credit Agreement dated 2023-01-03`, from the opening of an agreement or its amendment; null if not found. */
export function instrumentName(text: string): string | null {
  const opening = flatten(text.slice(0, OPENING))
  const names = [...opening.matchAll(title)].map(match => ({
    name: titled(oneLine(groupOf(match, 'name'), 120)),
    date: dateAfter(opening, match.index + match[0].length),
    isAmendment: /amendment\s+(?:no\.?\s*\d+\s+)?to\s+(?:the\s+)?$/i.test(
      opening.slice(Math.max(0, match.index - 40), match.index),
    ),
  }))
  const found = names.find(n => n.date !== null && !n.isAmendment) ?? names[0]
  if (!found) return null
  return found.date !== null && !found.isAmendment ? `${found.name} dated ${found.date}` : found.name
}

const dateAfter = (opening: string, at: number): string | null => {
  const dated = /^[^.;]{0,60}?\bdated?\s+(?:as\s+)?(?:of\s+)?/i.exec(opening.slice(at, at + 120))
  return dated
    ? (datesIn(opening.slice(at + dated[0].length, at + dated[0].length + 24))[0]?.date ?? null)
    : null
}

const titled = (name: string): string =>
  name
    .toLowerCase()
    .replace(/\b(?!(?:and|to|of)\b)[a-z]/g, c => c.toUpperCase())
    .replace(/\bAbl\b/g, 'ABL')

const mention =
  /\b(?:the|our|its|their|under|The|Our)\s+(?<name>(?:(?:[A-Z0-9][\w.%&'-]*|and|of|due)\s+){0,9}(?:Credit\s+(?:Facility|Facilities|Agreement)|Notes|Bonds|Debentures|Term\s+Loans?|Revolver|Revolving\s+(?:Credit\s+)?Facility|Loan\s+Agreement|Indenture|ABL\s+Facility|Facility))\b/g

/** The instrument that a report last names in a text, `2025 Senior Secured Notes`; null if none. */
export function instrumentMentioned(text: string): string | null {
  const name = [...text.matchAll(mention)].at(-1)?.groups?.['name']
  return name ? oneLine(name, 120) : null
}

/** Whether it mentions several instruments, so that each sentence must name its own. */
export const isProspectus = ({ doc_type }: { readonly doc_type: string }): boolean =>
  /^(?:424|S-\d|F-\d|FWP)/i.test(doc_type)
