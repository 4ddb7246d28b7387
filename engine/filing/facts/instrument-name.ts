import { groupOf } from '../../base/elements.ts'
import { flatten, oneLine, sentenceAround, words } from './flat-text.ts'
import { headAbove, toldByHead } from './instrument-heads.ts'
import { datesIn } from './spelled-dates.ts'

const KIND =
  'Credit and Guaranty Agreement|Credit and Security Agreement|Credit Agreement|Credit Facility Agreement|Syndicated Facility Agreement|Loan and Security Agreement|Term Loan Agreement|Loan Agreement|Revolving Credit Agreement|Note Purchase Agreement|Indenture|Promissory Note|Convertible Note|Pledge and Collateral Agreement|Pledge and Security Agreement|Pledge Agreement|Security Agreement|Collateral Agreement|Guaranty and Pledge Agreement|Master (?:\\w+ ){0,3}Lease(?: and Servicing)? Agreement|Lease Agreement|Guarantee|Guaranty'
const title = new RegExp(
  String.raw`\b(?<name>(?:(?:(?:First|Second|Third|Fourth|Fifth|Sixth|Seventh|Eighth|Amended|and|Restated|Supplemental|Senior|Secured|Unsecured|Subordinated|Revolving|Term|Loan|Master|Bridge|ABL|Parent|Convertible|Construction|Business|(?:364|Two|Three|Four|Five|Six|Seven)-(?:Day|Year))\s+){0,12})(?:${KIND.replaceAll(' ', '\\s+')}))\b`,
  'gi',
)

/** How far into a document to look for its name and date. */
const OPENING = 4000

export interface AgreementName {
  readonly name: string
  readonly date: string | null
  /** Named only as what the document amends. */
  readonly isAmended: boolean
}

/** What names an agreement: its own text, or the item of a current report that announces it. */
export type Namer = 'agreement' | 'announcement'

/** The agreements that the opening of a document names, in order; of an announcement the one entered into alone, if it names one. */
export function agreementNamed(text: string, namer: Namer = 'agreement'): AgreementName[] {
  const opening = flatten(text.slice(0, OPENING))
  // `effectively senior to the related subsidiary guarantee` names no agreement.
  const titles = [...opening.matchAll(title)].filter(
    ([name]) => namer === 'agreement' || !/^guarant(?:ee|y)$/.test(name),
  )
  const entered = namer === 'announcement' ? titles.flatMap(match => enteredInto(opening, match) ?? []) : []
  if (entered.length > 0) return entered.slice(0, 1)
  const named = namer === 'announcement' ? titles.filter(match => !isReplaced(opening, match)) : titles
  const names = named.map(match => ({
    name: titled(oneLine(groupOf(match, 'name'), 120)),
    date: dateAfter(opening, match.index + match[0].length),
    isAmended: /amendment\s+(?:no\.?\s*\d+\s+)?to\s+(?:the\s+)?$/i.test(
      opening.slice(Math.max(0, match.index - 40), match.index),
    ),
  }))
  const [first, ...others] = names
  const isUndated = namer === 'agreement' && first !== undefined && names.every(({ date }) => date === null)
  return isUndated ? [{ ...first, date: coverDate(text) }, ...others] : names
}

/** The date that stands in a line of its own on the cover of an agreement, `Dated as of September 26, 2012`; null of an amendment. */
function coverDate(text: string): string | null {
  if (/\bamend/i.test(text.slice(0, 500))) return null
  const line = coverLine.exec(text.slice(0, OPENING))?.groups?.['date']
  return line === undefined ? null : (datesIn(line)[0]?.date ?? null)
}
const coverLine =
  /\n[ \t]{0,40}dated(?:[ \t]{1,9}as)?(?:[ \t]{1,9}of)?:?[ \t]{1,9}(?<date>[A-Za-z0-9][A-Za-z0-9, \t]{6,36})(?=\n)/i

// `On May 4, 2021, Alfa entered into a Credit Agreement`, but not `an amendment to its Credit Agreement`.
const entry =
  /\bentered\s{1,9}into\s{1,9}(?:an?|the|its|that\s{1,9}certain)\s{1,9}(?:(?:new|definitive|\d{1,3}-year|\$[\d.,]{1,15}(?:\s{1,3}(?:million|billion))?),?\s{1,9}){0,4}$/i

// `The new facility replaces the Credit Agreement dated …`, of which an announcement does not tell further.
const replaces = words(
  String.raw`\b(?:replac|supersed|refinanc)(?:es?|ed|ing)\b[^.;]{0,100}$|\bamend(?:s|ed|ing)? and restat(?:es?|ed|ing)(?: in (?:its|their) entirety)? (?:the|its|our|that|such|an)\b[^.;]{0,100}$`,
)
const isReplaced = (opening: string, { index }: RegExpExecArray): boolean =>
  replaces.test(opening.slice(Math.max(0, index - 180), index))

/** An agreement that an announcement says was entered into, dated by its own date or the day of the sentence. */
function enteredInto(opening: string, match: RegExpExecArray): AgreementName | null {
  const [from] = sentenceAround(opening, match.index)
  const before = opening.slice(from, match.index)
  const verb = entry.exec(before.slice(-120))
  if (!verb) return null
  const day = datesIn(before).at(-1)?.date ?? null
  const date = dateAfter(opening, match.index + match[0].length) ?? day
  return date === null ? null : { name: titled(oneLine(groupOf(match, 'name'), 120)), date, isAmended: false }
}

/** `Credit Agreement dated 2023-01-03`, from the opening of an agreement or its amendment; null if not found. */
export function instrumentName(text: string, namer: Namer = 'agreement'): string | null {
  const names = agreementNamed(text, namer)
  const found = names.find(n => n.date !== null && !n.isAmended) ?? names[0]
  if (!found) return null
  return found.date !== null && !found.isAmended ? `${found.name} dated ${found.date}` : found.name
}

// `dated as of`, or `(this "Agreement") is entered into as of`.
const dateBegins =
  /^(?:[^.;]{0,60}?\bdated?\s{1,9}(?:as\s{1,9})?(?:of\s{1,9})?|\s{0,9}(?:\([^()]{3,60}\))?,?\s{1,9}is\s{1,9}(?:made\s{1,9}and\s{1,9})?(?:entered\s{1,9}into|made|executed|effective)(?:\s{1,9}and\s{1,9}effective)?\s{1,9}(?:as\s{1,9}of|on)\s{1,9})/i
const dateAfter = (opening: string, at: number): string | null => {
  const dated = dateBegins.exec(opening.slice(at, at + 160))
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
  /\b(?:the|our|its|their|under|The|Our|[Ee]ach\s+series\s+of)\s+(?<name>(?:(?:[A-Z0-9][\w.%&'-]*|and|of|due)\s+){0,9}(?:Credit\s+(?:Facility|Facilities|Agreements?)|Notes|Bonds|Debentures|Term\s+Loans?|Revolver|Revolving\s+(?:Credit\s+)?Facility|Loan\s+Agreement|Indenture|ABL\s+Facility|Securitization\s+(?:Program|Facility)|Facilities\s+Agreement|Facility))\b/g

// The same without capitals: `our five-year revolving credit facility`, `the MGM China credit facility`, `these notes`.
const plainMention =
  /(?<![\w.&])(?<name>(?:[A-Z][\w&]{0,30}(?:'s)?\s+){0,4}(?:(?<='s\s{1,9})\$[\d.,]{1,9}\s+(?:million|billion)\s+)?(?:(?:[Ss]enior|unsecured|secured|revolving|term|bank|syndicated|committed|corporate|asset-based|multi-?year|(?:fixed|floating)[\s-]rate|convertible|first|second|third|new|(?:\w{3,6}|\d{1,3})[\s-](?:year|day))\s+){0,5}(?:credit\s+(?:facility|facilities|agreements?)|bank\s+facilit(?:y|ies)|securitization\s+(?:program|facility)|revolving\s+facility|loan\s+agreements?|term\s+loans?(?:\s+agreement)?|(?:mortgage\s+)?indentures?(?!\s{1,9}or\s{1,9}(?:other\s{1,9})?(?:instrument|agreement))|(?:(?<=(?:the|these|our|its|The|These|Our|Its|senior|convertible|secured|rate)\s)(?:notes|debentures|bonds))))\b/g
// What stands before a name and is not part of it.
const notName =
  /^(?:(?:The|Our|Its|Their|This|These|Those|Such|A|An|Under|Each|In|As|If|For|All|Certain|Both|Other|Company's|Corporation's|Company|Additionally|Covenants|Debt)\s+)+/

// `Alfa's $300 million revolving credit facility`.
const amount = /\$[\d.,]{1,9}\s(?:million|billion)\s/

// A heading that runs into the sentence after it: `Mortgage Indenture General The Mortgage Indenture`.
const headed = /^.*\s(?=(?:The|Our)\s)/

// What is said of another instrument: `covenants limiting liens to those permitted under our senior note indentures`,
// `modifications to the Mortgage Indenture`; `The Notes, with the exception of the 2028 Notes, contain covenants`.
const ofOthers =
  /\b(?:those\s{1,9}permitted\s{1,9}(?:under|by)|modifications?\s{1,9}(?:to|of)|defaults?\s{1,9}on\s{1,9}indebtedness\s{1,9}under)\s[^,;.]{0,120}|(?<=\b(?:notes|debentures|bonds|facilities|agreements)),?\s{1,9}(?:with\s{1,9}the\s{1,9}exception\s{1,9}of|except(?:\s{1,9}for)?|excluding|other\s{1,9}than)\s{1,9}(?:the|our)\s[^,;.]{0,120}/gi

// Names of smaller debts, which stand for one where no other is named: `the revolving line of credit`, `a note payable`.
const lesserMention =
  /(?<![\w.&])(?<name>(?:(?:revolving|secured|unsecured|demand|equipment|commercial|bank|mortgage|term|working\s+capital|capital|margin|construction|acquisition|bridge|senior|subordinated)\s+){0,4}(?:lines?\s+of\s+credit(?:\s+facilit(?:y|ies))?|credit\s+lines?|lease\s+lines?|notes?\s+payable|promissory\s+notes?|(?:mortgage|equipment)\s+(?:notes?|loans?)|(?:margin|construction|bridge|bank|acquisition)\s+loans?|equipment\s+financing\s+facilit(?:y|ies)|bank\s+lines?))\b(?!\s+and\s+(?:other\s+)?(?:notes|bonds|debt))/gi
// Of others a proper name tells which, `the Equipment Guidance Line`, `Beijing Resort debt financing`.
const properMention =
  /\b(?<name>(?:[A-Z][\w&]{0,30}\s+){1,4}(?:Line|debt\s+financing)|debt\s+financing(?=\s+(?:is|was|has|requires|contains)))\b/g

/** A smaller debt that a text last names, `Line of Credit`; null if none. */
export function lesserMentioned(text: string): string | null {
  const match = [...text.matchAll(lesserMention)].at(-1) ?? [...text.matchAll(properMention)].at(-1)
  const name = match?.groups?.['name']
  return name ? oneLine(name, 120).replace(notName, '') : null
}

/** The instrument that a report last names in a text, `2025 Senior Secured Notes`; null if none. */
export function instrumentMentioned(sentence: string): string | null {
  const text = sentence.replace(ofOthers, ' ')
  const last = [...text.matchAll(mention)].at(-1) ?? [...text.matchAll(plainMention)].at(-1)
  const isGoverning =
    /^indentures?$/i.test(last?.groups?.['name'] ?? '') &&
    /^\s+governing\b/.test(text.slice((last?.index ?? 0) + (last?.[0].length ?? 0)))
  const match = isGoverning ? (governedNotes(text) ?? last) : last
  // `Alfa's and Beta's credit agreements` are those of both.
  const isOfSeveral = /'s?(?:,|,?\s{1,9}and)\s{1,9}$/.test(text.slice(0, match?.index))
  const name = match?.groups?.['name']?.replace(
    isOfSeveral ? /^(?:[A-Z][\w&]{0,30}\s+){0,3}[A-Z][\w&]{0,30}'s\s+/ : '',
    '',
  )
  return name ? oneLine(name, 120).replace(headed, '').replace(notName, '').replace(amount, '') : null
}

/** The notes that a text names beside `the indentures governing the notes`; undefined where it names none. */
const governedNotes = (text: string): RegExpExecArray | undefined =>
  [...text.matchAll(mention), ...text.matchAll(plainMention)]
    .filter(({ groups }) => /\s(?:notes|debentures)$/i.test(groups?.['name'] ?? ''))
    .at(-1)

// `Amendedand Restated Credit Agreement`: a small word that lost the blank before it, of words that titles of agreements begin with.
const glued =
  /\b(?<word>Amended|Restated|Supplemental|Subordinated|Secured|Unsecured|Revolving|Guaranty|Pledge|Loan|Credit|Notes?|Bonds?)(?<small>and|of|due)(?=\s)/g
/** Words that stay small within a name. */
const small = /^(?:and|of|to|due|the|in|dated|for|on)$/

/** A name as a list shows it: `credit agreements` as `Credit Agreements`, words that run together apart. */
export const shownName = (name: string | null): string | null =>
  name === null
    ? null
    : name
        .replace(glued, '$<word> $<small>')
        .replace(/(?<![\w'&.])[a-z][\w-]*/g, (word, at: number) =>
          at > 0 && small.test(word) ? word : capitalized(word),
        )

const capitalized = (word: string): string =>
  word.replace(/(?:^|(?<=[a-z]-))[a-z]/g, letter => letter.toUpperCase())

/** Names that say nothing without what the text defines them as. */
const BARE = /^(?:facility|facilities|loans?|agreement|line)$/i
const definedAs =
  /\b(?<name>(?:(?:[Ss]enior|[Uu]nsecured|[Ss]ecured|[Rr]evolving|[Tt]erm|[Ss]yndicated|[Cc]ommitted|[Bb]ank|asset-based|multi-?currency|(?:\w{3,6}|\d{1,3})[\s-](?:year|day|month))\s{1,3}){1,6}(?:credit\s{1,3}(?:facility|facilities|agreement)|facility|facilities|loan(?:\s{1,3}(?:facility|agreement))?|line\s{1,3}of\s{1,3}credit))\b(?=[^.;()]{0,110}\((?:the\s|this\s|our\s|its\s|collectively,?\s(?:the\s)?)?"?(?<alias>[A-Z][a-z]+)"?\))/g

/** What a text defines a bare name as, `Revolving Credit Facility` of `a revolving credit facility (the "Facility")`; else the name. */
export function definedName(flat: string, name: string | null): string | null {
  if (name === null || !BARE.test(name)) return name
  const found = [...flat.matchAll(definedAs)].filter(({ groups }) => groups?.['alias'] === name)
  const names = new Set(found.map(match => titled(oneLine(groupOf(match, 'name'), 100))))
  const [one, ...others] = names
  return one !== undefined && others.length === 0 ? one : name
}

/** Longest paragraph to look back in. */
const PARAGRAPH = 3000

/** The instrument that a sentence names, else the last that its paragraph names before it. */
export function instrumentNear(flat: string, source: string, from: number, to: number): string | null {
  const sentence = flat.slice(from, to)
  const respected = respecting.exec(sentence)
  const named =
    // `With respect to the term loans, the Credit Agreement requires`: the agreement states it.
    (respected && subjectNamed(sentence.slice(respected[0].length))) ??
    (respected && instrumentMentioned(respected.groups?.['those'] ?? '')) ??
    subjectNamed(sentence) ??
    instrumentMentioned(sentence)
  if (named === null && isOfAllDebt.test(sentence)) return null
  const lesser = named === null ? lesserMentioned(sentence) : null
  if (lesser !== null) return lesser
  const earliest = Math.max(0, from - PARAGRAPH)
  const begins = source.slice(earliest, from + 2).lastIndexOf('\n\n')
  const before = flat.slice(earliest + begins + 1, from)
  const head = toldByHead(source, from, definedName(flat, named))
  if (head !== null) return head
  if (named === null)
    return instrumentMentioned(before) ?? (isOfSeveralDebts.test(sentence) ? null : headAbove(source, from))
  return (/^notes$/i.test(named) && onlyIssue(before)) || named
}

// `The corporate credit facility contains a covenant …, including availability under the 364-day facility`.
const hasCovenants =
  /^\W{0,3}(?:[\w,]{1,20}\s{1,9}){0,3}?(?<subject>(?:[Tt]he|[Oo]ur|[Ii]ts|[Tt]hese|[Tt]he\s{1,9}[Cc]ompany's|[Oo]ur\s{1,9}\w{1,20})\s(?:[^.;,()]){2,100}?)\s{1,9}(?:also\s{1,9})?(?:contains?|includes?|requires?|imposes?|limits?|restricts?|prohibits?|provides?|places?)\b/

/** The instrument that a sentence is about, where one that it names later is another. */
function subjectNamed(sentence: string): string | null {
  const subject = hasCovenants.exec(sentence)?.groups?.['subject']
  return subject === undefined ? null : instrumentMentioned(`${subject} `)
}

// `Restrictions in the Indenture and in the Credit Agreement prohibit`.
const restrictionsOf =
  /^\W{0,3}(?:(?:the|certain|these|such)\s{1,9})?(?:restrict(?:ions?|ive\s{1,9}covenants)|covenants|limitations?|provisions)\s{1,9}(?:contained\s{1,9})?(?:in|of|under)\s{1,9}(?<subject>[^.;,]{3,160}?)\s{1,9}(?:also\s{1,9})?(?:prohibit|limit|restrict|preclude|require)\b/i

/** Two instruments that a sentence is about, `the indenture and the Credit Agreement limit`; none where it is about fewer or more. */
export function bothNamed(sentence: string): readonly string[] {
  const subject = (restrictionsOf.exec(sentence) ?? hasCovenants.exec(sentence))?.groups?.['subject']
  if (subject === undefined) return []
  const parts = subject.split(
    /\sand\s{1,9}(?:(?:in|of|under)\s{1,9})?(?=(?:the|our|its|senior|secured|unsecured|revolving|term)\s)/,
  )
  const names = parts.flatMap(part => fullName(`${part} `) ?? [])
  // Notes and their indenture are one.
  const isOne = names.every(name => ofHolders.test(name)) && names.some(name => /\bindenture/i.test(name))
  return parts.length === 2 && names.length === 2 && names[0] !== names[1] && !isOne ? names : []
}
const ofHolders = /\b(?:notes?|bonds?|debentures?|indentures?)\b/i

/** The name that says most of those that a few words hold. */
const fullName = (text: string): string | null =>
  [instrumentMentioned(text), lesserMentioned(text)]
    .flatMap(name => name ?? [])
    .toSorted((a, b) => b.length - a.length)[0] ?? null

// `Our unsecured debt obligations contain covenants`: of no single instrument named before.
const isOfAllDebt =
  /^\W{0,3}(?:[^.;,]{0,60}\s)?(?:debt|borrowings?|indebtedness)\s{1,9}(?:obligations|agreements|instruments|arrangements)\s{1,9}(?:contain|include|require|impose|limit|restrict|provide)\b/i

// `under its bank loans and notes, as defined in the debt agreements`: of more than a head names.
const isOfSeveralDebts =
  /\b(?:loans\s{1,9}and\s{1,9}notes|(?:debt|loan|credit|financing|borrowing)\s{1,9}(?:agreements|instruments|arrangements|facilities)|indentures)\b/i

// `With respect to all other fixed rate notes, the redemption price is`.
const respecting = /^\W{0,3}with\s{1,9}respect\s{1,9}to\s{1,9}(?<those>(?:[^,.;]|\.\d){3,80}),/i

const notesDue =
  /\b(?<name>(?:\d{1,2}(?:\.\d{1,4})?\s{0,3}(?:%|percent\b)\s{1,9})?(?:(?:senior|unsecured|(?:fixed|floating)[\s-]rate)\s{1,9}){0,3}notes\s{1,9}due\s{1,9}(?:[A-Z][a-z]{2,8}\s{1,9}\d{1,2},\s{1,9})?\d{4})\b/gi

/** The notes whose issue a paragraph tells, so that `these notes` are those; null unless they are of one series. */
function onlyIssue(paragraph: string): string | null {
  if (!/\bissued\b/i.test(paragraph)) return null
  const [one, ...others] = [...paragraph.matchAll(notesDue)]
  return one && others.length === 0 ? oneLine(groupOf(one, 'name'), 120) : null
}

/** Whether it describes several instruments, so that each sentence must name its own. */
export const isProspectus = ({
  doc_type,
  title,
}: {
  readonly doc_type: string
  readonly title: string | null
}): boolean =>
  /^(?:424|S-\d|F-\d|FWP)/i.test(doc_type) || /^description of\b.*\bsecurities\b/i.test(title ?? '')
