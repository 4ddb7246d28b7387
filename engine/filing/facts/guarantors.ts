import { elementAt, firstOf, groupOf, lastOf } from '../../base/elements.ts'
import { jurisdictionNamed } from '../../names/jurisdiction.ts'
import { isCompanyName, type NamedAt, namesAfter, namesBefore } from './company-names.ts'
import { quoted } from './evidence.ts'
import type { FiledSection } from './filed-section.ts'
import { everyWords, flatten, oneLine } from './flat-text.ts'
import { instrumentName } from './instrument-name.ts'

/** A guarantor that a text names, of what, and in which words. */
export interface Guarantor {
  readonly name: string
  readonly jurisdiction: string | null
  readonly guarantee_type: string | null
  /** Instruments named by the same words; empty if they refer to an issuer's debt. */
  readonly instruments: readonly string[]
  readonly issuer: string | null
  readonly rule: string
  readonly extraction_confidence: number
  readonly evidence: string
  readonly evidence_section: string | null
  readonly evidence_offset: number
}

/**
 * Guarantors named in a document's sections; of several readings of one name and instrument the most confident is
 * kept.
 */
export function guarantorsIn(sections: readonly FiledSection[]): Guarantor[] {
  const listed = new Set(sections.flatMap(({ text }) => schedulesOfGuarantors(flatten(text))))
  const opening = sections[0] && isAgreement(sections[0]) ? instrumentName(sections[0].text) : null
  const found = sections.flatMap(section => {
    if (listed.size === 0 && !/guarant/i.test(section.text)) return []
    const flat = flatten(section.text)
    return [
      ...namedAsGuarantors(section, flat, opening),
      ...definedAsGuarantors(section, flat, opening),
      ...unconditionallyGuaranteed(section, flat),
      // Signatures in a report belong to an attached agreement with arbitrary parties.
      ...(isReport(section) ? [] : signed(section, opening)),
      ...scheduled(section, listed, opening),
    ]
  })
  const surest = new Map<string, Guarantor>()
  for (const guarantor of found) {
    const key = [guarantor.name.toLowerCase(), ...guarantor.instruments].join('\n')
    if ((surest.get(key)?.extraction_confidence ?? 0) < guarantor.extraction_confidence)
      surest.set(key, guarantor)
  }
  return [...surest.values()]
}

const isAgreement = ({ doc_type }: FiledSection): boolean => /^EX-(4|10)\b/i.test(doc_type)
const isReport = ({ doc_type }: FiledSection): boolean => /^(10-?[KQ]|20-?F|40-?F)/i.test(doc_type)

const ROLE =
  '(?:initial |original |parent |subsidiary |note |additional |existing |joint and several |limited )*guarantors?'
const asGuarantor = everyWords(
  String.raw`(?:, ?|(?<!\s) )?(?:(?<each>each|collectively|together|jointly),? )?(?<as>as) (?:an? |the )?(?<role>${ROLE})\b(?! under| of the obligations| or )`,
)
const NOTES =
  /\b(?:floating rate|\d{1,2}(?:\.\d{1,5})?%)\s+(?:[A-Z][\w-]*\s+|(?:senior|subordinated|secured|unsecured|convertible|first|second|lien|guaranteed|exchangeable|junior|notes)\s+){0,6}(?:notes|bonds|debentures|securities)\s+due\s+(?:\w+\s+(?:\d{1,2},\s+)?)?\d{4}\b/gi

/** Debt securities named by coupon and maturity. */
export const securitiesNamed = (text: string): string[] => [
  ...new Set([...text.matchAll(NOTES)].map(match => oneLine(match[0], 120))),
]

/** `by and among Acme Finance Inc., as issuer, Acme Corp. and Acme LLC, as guarantors`. */
function namedAsGuarantors(section: FiledSection, flat: string, opening: string | null): Guarantor[] {
  return [...flat.matchAll(asGuarantor)].flatMap(match => {
    const { role, each } = match.groups!
    const names = namesBefore(flat, match.index, /s$/i.test(role!) || each !== undefined)
    if (names.length === 0) return []
    const from = windowStart(section.text, firstOf(names).at)
    const before = flat.slice(from, match.index)
    const issuer = issuerIn(flat, from, firstOf(names).at)
    return made(section, names, {
      from,
      to: match.index + match[0].length,
      instruments: instrumentsOf(section, before, opening),
      issuer,
      guarantee_type: null,
      rule: 'named_as_guarantor',
      confidence: isReport(section) ? 0.85 : 0.9,
    })
  })
}

const calledGuarantor =
  /(?:,|(?<!\s))\s+\((?:(?:the|each,?(?: an?)?|collectively,?(?: the)?|in such capacity,?(?: the)?|together,? the|an?)\s+){0,3}"(?:[A-Z]\w+\s+){0,2}Guarantors?"/g
const guarantorsMean = /"(?:[A-Z]\w+\s+){0,2}Guarantors?"\s+(?:means?|shall\s+mean)(?:\s+|,|:)/g
const LED_TO =
  /^(?:\s*(?:collectively|individually|each of|any one or more(?: or all)? of|the following|as the context (?:shall )?requires?|,|:|\(?(?:i|a|1)\)))*\s*/i

/** `Acme LLC, a Delaware limited liability company (the "Guarantor")`; `"Guarantors" means, collectively, Acme LLC and ...`. */
function definedAsGuarantors(section: FiledSection, flat: string, opening: string | null): Guarantor[] {
  const called = [...flat.matchAll(calledGuarantor)].map(match => {
    const names = namesBefore(flat, match.index, /s"$/.test(match[0]))
    return { names, from: names[0]?.at ?? match.index, to: match.index + match[0].length + 1 }
  })
  const meant = [...flat.matchAll(guarantorsMean)].map(match => {
    const begin = match.index + match[0].length
    const names = namesAfter(flat, begin + LED_TO.exec(flat.slice(begin, begin + 200))![0].length)
    const last = names[names.length - 1]
    return { names, from: match.index, to: last ? last.at + last.name.length : begin }
  })
  const isOfDebt = (at: number) =>
    !isReport(section) ||
    /\b(?:notes|debt securities|bonds|debentures|indenture|borrower|credit (?:agreement|facility))\b/i.test(
      flat.slice(Math.max(0, at - 600), at),
    )
  return [...called, ...meant].flatMap(({ names, from, to }) =>
    !isOfDebt(from)
      ? []
      : made(section, names, {
          from,
          to,
          instruments: isAgreement(section) && opening !== null ? [opening] : [],
          issuer: null,
          guarantee_type: null,
          rule: 'defined_as_guarantor',
          confidence: 0.9,
        }),
  )
}

/** Where the enclosing exhibit-list entry or sentence begins, at most 900 characters before. */
function windowStart(text: string, at: number): number {
  const least = Math.max(0, at - 900)
  const before = text.slice(least, at)
  const breaks = [
    ...before.matchAll(
      /\n\s*\n|incorporated\s+(?:herein\s+)?by\s+reference|\n\s*\(?\d{1,2}\.\d{1,3}\)?[\s|]/gi,
    ),
  ]
  const last = breaks[breaks.length - 1]
  return last ? least + last.index + last[0].length : least
}

function issuerIn(flat: string, from: number, to: number): string | null {
  const role = [
    ...flat.slice(from, to).matchAll(/(?:,|(?<!\s))\s+as\s+(?:the\s+)?(?:issuer|borrower|company)\b/gi),
  ].pop()
  if (!role) return null
  return namesBefore(flat, from + role.index, false)[0]?.name ?? null
}

function instrumentsOf(section: FiledSection, words: string, opening: string | null): readonly string[] {
  const notes = securitiesNamed(words)
  if (notes.length > 0) return notes
  if (isAgreement(section)) return opening === null ? [] : [opening]
  const named = instrumentName(words)
  return named === null ? [] : [named]
}

const guaranteed = everyWords(
  String.raw`\b(?<full>fully )?(?:(?:,|and|irrevocably|absolutely|jointly|severally) ?){0,6}unconditionally,? ?(?:(?:and irrevocably|jointly and severally),? ?)*guaranteed,? ?(?:jointly and severally,? ?|on an? [\w ,-]{3,60}? basis,? ?|as to [\w ,-]{3,80}?,? ){0,3}by `,
)

/** `fully and unconditionally guaranteed on a senior unsecured basis by Acme Corp. and Acme LLC`. */
function unconditionallyGuaranteed(section: FiledSection, flat: string): Guarantor[] {
  return [...flat.matchAll(guaranteed)].flatMap(match => {
    const at = match.index + match[0].length
    const self =
      /^(?:us|(?:the )?(?:company|parent|corporation|registrant))\b(?! and (?:certain|each|its))/i.exec(
        flat.slice(at, at + 30),
      )
    const named = namesAfter(flat, at)
    const isSelf = named.length === 0 && self !== null && isReport(section) && section.company_name !== null
    const names = isSelf ? [{ name: section.company_name!, at }] : named
    if (names.length === 0) return []
    const from = Math.max(windowStart(section.text, match.index), sentenceStart(flat, match.index))
    const notes = securitiesNamed(flat.slice(from, match.index))
    const last = lastOf(names)
    return made(section, names, {
      from,
      to: isSelf ? at + self[0].length : last.at + last.name.length,
      instruments: notes.length > 0 ? notes : mentioned(flat.slice(from, match.index)),
      issuer: null,
      guarantee_type: match.groups!['full'] === undefined ? null : 'full',
      rule: 'unconditionally_guaranteed_by',
      confidence: isSelf ? 0.75 : 0.85,
    })
  })
}

const DEBT =
  /\b(?:(?:[A-Z0-9][\w.&'%-]*|senior|subordinated|unsecured|secured|public|outstanding|issued|debt|registered) ){0,6}(?:[Nn]otes|NOTES|[Bb]onds|[Dd]ebentures|(?:[Dd]ebt )?[Ss]ecurities|[Cc]ommercial [Pp]aper|[Ii]ndebtedness)\b/g

/** The debt last mentioned in a sentence, as named there: `2018 Notes`, `bonds`. */
function mentioned(sentence: string): string[] {
  const last = [...sentence.replace(/ +/g, ' ').matchAll(DEBT)].pop()?.[0]
  return last === undefined
    ? []
    : [oneLine(last.replace(/^(?:The|These|All|Each|Our|Such|Any|Its) /, ''), 120)]
}

function sentenceStart(flat: string, at: number): number {
  const before = flat.slice(Math.max(0, at - 900), at)
  const stops = [...before.matchAll(/(?<!\b(?:Inc|Corp|Co|No|Ltd|[A-Z]))\.["')\]]*\s+(?=[A-Z"(])/g)]
  const last = stops[stops.length - 1]
  return Math.max(0, at - 900) + (last ? last.index + last[0].length : 0)
}

const HEADING = new RegExp(String.raw`^\W*(?:the |each )?(?:${ROLE})\s*(?::|$)\s*(.*)$`, 'is')
const OTHER_ROLE =
  /^\W*(?:the |each )?(?:\w[\w-]* (?:[\w-]+ ){0,2})?(?:borrowers?|issuers?|company|agents?|trustees?|lenders?|banks?|purchasers?|holders?|parent|landlord|tenant|secured part(?:y|ies)|beneficiary|witness(?:es)?|obligee|creditors?|seller|buyer)\W*$/i
const SIGNS = /^\W*(?:by|name|title|its|print|date|attest|\/s\/|address)\b|^[\W_]*$/i

interface SignatureLine {
  readonly at: number
  readonly isOtherRole: boolean
  readonly name: string | null
  readonly isSign: boolean
}

function signatureLine(text: string, at: number): SignatureLine {
  const isOtherRole = OTHER_ROLE.test(text)
  const name = isOtherRole ? null : partyIn(text)
  return { at, isOtherRole, name, isSign: name === null && SIGNS.test(text) }
}

const SIGNED = /^\W*By\b|\bBy: ?(?:_|\/s\/|$)/
/** Lines after a heading within which a signature makes it one of a signature page. */
const NEAR = 14
/** Lines read below a heading. */
const MOST_SIGNATURES = 400

/** Names under `GUARANTORS:` on a signature page. */
function signed(section: FiledSection, opening: string | null): Guarantor[] {
  const lines = linesOf(section.text)
  // Lines are read again for every heading before them.
  const readings: SignatureLine[] = []
  const readingAt = (i: number): SignatureLine | undefined => {
    const line = lines[i]
    if (line) readings[i] ??= signatureLine(line.text, line.at)
    return readings[i]
  }
  let nextSigned = 0
  const isSignedNear = (i: number): boolean => {
    const end = Math.min(lines.length, i + NEAR)
    nextSigned = Math.max(nextSigned, i)
    while (nextSigned < end && !SIGNED.test(elementAt(lines, nextSigned).text)) nextSigned++
    return nextSigned < end
  }
  const named = new Set<string>()
  return lines.flatMap(({ text, at }, i) => {
    const heading = HEADING.exec(text)
    if (!heading || text.length > 160 || (!/:/.test(text) && text !== text.toUpperCase())) return []
    if (!isSignedNear(i)) return []
    const names: NamedAt[] = []
    let others = 0
    const rest = groupOf(heading, 1)
    let line: SignatureLine | undefined = signatureLine(rest, at + text.length - rest.length)
    for (let next = i + 1; line && next <= i + MOST_SIGNATURES; line = readingAt(next++)) {
      const { isOtherRole, name, isSign } = line
      if (isOtherRole) break
      if (name !== null) {
        names.push({ name, at: line.at })
        others = 0
      } else if (!isSign && ++others > 4) break
    }
    const last = names[names.length - 1]
    if (!last) return []
    // Of several headings above a name the first counts.
    const first = names.filter(({ name }) => !named.has(name))
    for (const { name } of first) named.add(name)
    return made(section, first, {
      from: at,
      to: last.at + last.name.length,
      instruments: opening === null ? [] : [opening],
      issuer: null,
      guarantee_type: null,
      rule: 'signed_as_guarantor',
      confidence: 0.9,
    })
  })
}

/** Maximum characters of a signature line with a party. */
const LONGEST_PARTY = 1000

/** The party of a signature line, without its description: `ACME LLC, a Delaware limited liability company`. */
function partyIn(line: string): string | null {
  if (line.length > LONGEST_PARTY) return null
  const name = line
    .replace(/^\W*(?:\(?\d{1,3}[.)]|[•·-])\s*/, '')
    .replace(/(?<!\s)\s*\bBy:?[\s_].*$/s, '')
    // at most 1000 characters: LONGEST_PARTY
    .replace(
      /(?:,|(?<!\s))\s+(?:as (?:an? |the )?[\w ]*guarantors?|an? (?!nd\b)[\w .-]{3,60}|each .*)\W*$/i,
      '',
    )
    .replace(/(?<![,;\s])[,;\s]+$/, '')
    .trim()
  return isCompanyName(name) ? name : null
}

const defined = everyWords(
  String.raw`guarantors?["' ]{0,3},? ?(?:means|mean|shall mean|:|\()[^.;]{0,160}?(?:listed|named|identified|set forth|specified|described) (?:in|on) (?<kind>schedule|annex|exhibit) (?<id>[\w.()-]{1,12})`,
)
const SCHEDULE = /^\W*(?<kind>schedule|annex|exhibit)\s+(?<id>[\w.()-]{1,12})\b\W*(?<title>.*)$/is

/** Schedules referenced by a definition of guarantors, `schedule 1.01(g)`. */
const schedulesOfGuarantors = (flat: string): string[] =>
  [...flat.matchAll(defined)]
    .filter(([words]) => !/\b(?:other than|except|excluding|excluded)\b/i.test(words))
    .map(match => scheduleKey(groupOf(match, 'kind'), groupOf(match, 'id')))

const scheduleKey = (kind: string, id: string): string =>
  `${kind} ${id.replace(/(?<!\W)\W+$/, '')}`.toLowerCase()

const TITLE = new RegExp(String.raw`^\W*(?:list of |schedule of )?(?:the )?${ROLE}\W*$`, 'i')

/** The companies of a schedule of guarantors: by its title, or by reference from the definition. */
function scheduled(section: FiledSection, listed: ReadonlySet<string>, opening: string | null): Guarantor[] {
  const lines = linesOf(section.text)
  return lines.flatMap(({ text }, i) => {
    const heading = SCHEDULE.exec(text)
    if (!heading || text.length > 120) return []
    const { kind, id, title } = heading.groups!
    const isOfGuarantors =
      listed.has(scheduleKey(kind!, id!)) ||
      [title!, ...lines.slice(i + 1, i + 4).map(line => line.text)].some(line => TITLE.test(line))
    if (!isOfGuarantors) return []
    const names: (NamedAt & { jurisdiction: string | null })[] = []
    let others = 0
    for (const line of lines.slice(i + 1, i + 1000)) {
      if (SCHEDULE.test(line.text)) break
      const [first = '', ...cells] = line.text.split(' | ')
      const name = partyIn(first)
      if (name !== null) {
        const place = cells.map(cell => jurisdictionNamed(cell)).find(found => found !== null)
        names.push({ name, at: line.at, jurisdiction: place ?? null })
        others = 0
      } else if (++others > 6) break
    }
    return names.flatMap(each =>
      made(section, [each], {
        from: each.at,
        to: each.at + each.name.length,
        heading: text,
        jurisdiction: each.jurisdiction,
        instruments: opening === null ? [] : [opening],
        issuer: null,
        guarantee_type: null,
        rule: 'schedule_of_guarantors',
        confidence: 0.9,
      }),
    )
  })
}

function linesOf(text: string): { text: string; at: number }[] {
  const lines: { text: string; at: number }[] = []
  let at = 0
  for (const line of text.split('\n')) {
    const trimmed = line.trim()
    if (trimmed !== '') lines.push({ text: trimmed, at: at + line.indexOf(trimmed) })
    at += line.length + 1
  }
  return lines
}

interface Reading {
  readonly from: number
  readonly to: number
  readonly heading?: string
  readonly jurisdiction?: string | null
  readonly instruments: readonly string[]
  readonly issuer: string | null
  readonly guarantee_type: string | null
  readonly rule: string
  readonly confidence: number
}

function made(section: FiledSection, names: readonly NamedAt[], reading: Reading): Guarantor[] {
  const { issuer, instruments, guarantee_type, rule, confidence } = reading
  const words = quoted(section, reading.from, reading.to, null)
  const heading = reading.heading ?? words.evidence_section
  return names
    .filter(({ name }) => name !== issuer)
    .map(({ name }) => ({
      name,
      jurisdiction: reading.jurisdiction ?? null,
      guarantee_type,
      instruments,
      issuer,
      rule,
      extraction_confidence: confidence,
      ...words,
      evidence_section: heading,
    }))
}
