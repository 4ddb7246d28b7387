import { isAfter } from '../../base/days.ts'
import { quoted } from './evidence.ts'
import { type FiledSection, tellsOfDebt } from './filed-section.ts'
import { flatten, isInRow, sentenceAround, sentenceBefore } from './flat-text.ts'
import type { InstrumentLine } from './instrument-line.ts'
import { ENDED, type IssuedNote, issuedNotesIn, proseOf, SENTENCE } from './issue-lists.ts'
import { marginIn } from './margins.ts'
import { dayNamed, fullDate, spelledMaturity } from './maturities.ts'
import { AMOUNT, amountIn, type Money, type Scale, scaleOf, sellsInThousands } from './money.ts'
import { leftOf, rateWith, restOf } from './notes-left.ts'

/** A series of notes that a text describes. */
export interface DescribedNote {
  /** What the text calls it, `2028 Notes`; null if it gives no name. */
  readonly alias: string | null
  /** `Senior Notes`, as written. */
  readonly kind: string
  readonly coupon: number | null
  readonly maturity: string | null
  readonly issued: Money | null
  readonly from: number
  readonly to: number
}

const MONTH = '(?:january|february|march|april|may|june|july|august|september|october|november|december)'
const DATE = `(?:${MONTH}\\s{1,3}(?:\\d{1,2},\\s{1,3})?)?(?:19|20)\\d\\d`
const KIND =
  '(?:(?:senior|unsecured|secured|convertible|subordinated|exchangeable|junior|fixed[- ]rate|floating[- ]rate|variable[- ]rate|fixed[- ]to[- ](?:floating|fixed)(?:[- ]rate)?|reset|guaranteed|first|second|lien|mortgage|medium-term|sustainability|green|global|unregistered|registered|public|private|perpetual)\\s{1,3}){0,6}(?:notes|debentures|bonds)'
const RATE = '(?<![\\d.])\\d{1,2}(?:\\.\\d{1,5})?\\s?%'
/** `$650 million principal amount of 5.50% notes due March 15, 2021 (the "2021 Notes")`. */
const described = new RegExp(
  `(?:${AMOUNT}(?:\\s{1,3}\\([^()]{3,70}\\))?\\s{1,3}(?:in\\s{1,3})?(?:an?\\s{1,3})?(?:of\\s{1,3})?(?:aggregate\\s{1,3})?(?:principal\\s{1,3})?(?:amount\\s{1,3})?(?:par\\s{1,3}value\\s{1,3})?(?:outstanding\\s{1,3})?(?:of\\s{1,3})?(?:(?:the|its|our|new|additional|[\\w&]{2,20}'s)\\s{1,3}){0,2})?(?<before>${RATE}\\s{1,3})?(?:series\\s{1,3}[\\w-]{1,6}\\s{1,3})?(?<kind>${KIND})(?:\\s{1,3}outstanding)?(?:,?\\s{1,3}(?:series|tranche)\\s{1,3}(?:no\\.\\s{0,3})?[\\w-]{1,6}|,?\\s{1,3}series(?=\\s{1,3}due\\b))?(?:,?\\s{1,3}(?:bearing\\s{1,3}interest\\s{1,3}at|at|with)\\s{1,3}(?:an?\\s{1,3})?(?:fixed\\s{1,3})?(?:annual\\s{1,3})?(?:coupon\\s{1,3})?(?:interest\\s{1,3})?(?:rate\\s{1,3})?(?:of\\s{1,3})?(?<after>${RATE}))?(?:\\s{1,3}per\\s{1,3}(?:year|annum))?,?\\s{1,3}(?:(?:which|that)\\s{1,3}(?:will\\s{1,3})?)?(?:due|matur(?:e|es|ing)|maturity)\\s{1,3}(?:in\\s{1,3}|on\\s{1,3})?(?<date>${DATE})`,
  'gi',
)
/** `$575 million of convertible senior notes ("2026 Convertible Notes")`. */
const issued = new RegExp(
  `${AMOUNT}\\s{1,3}(?:in\\s{1,3})?(?:of\\s{1,3})?(?:aggregate\\s{1,3})?(?:principal\\s{1,3})?(?:amount\\s{1,3})?(?:of\\s{1,3})?(?:(?:the|its|our|new)\\s{1,3}){0,2}(?<before>${RATE}\\s{1,3})?(?<kind>${KIND})(?=\\s{0,3}\\()`,
  'gi',
)
const unquoted =
  /^[^.;"(]{0,60}?\((?:the\s{1,3})?(?<alias>20\d\d\s(?:[A-Z][\w-]*\s){0,4}(?:Notes|Debentures|Bonds))\)/
const alias =
  /^[^.;"]{0,60}?\((?:collectively,?\s{1,3})?(?:the\s{1,3})?"(?:the\s{1,3})?(?<alias>(?:[A-Z0-9][\w.%-]*\s){0,6}(?:Notes|Debentures|Bonds))"/
const named =
  '(?<alias>(?:20\\d\\d|\\d{1,2}(?:\\.\\d{1,5})?%)\\s(?:[A-Z0-9][\\w-]*\\s){0,4}(?:Notes|Debentures|Bonds))'
/** A name in capitals behind its article, `the New Private Notes`. */
const called = '(?<=\\b[Tt]he\\s{1,3})(?<alias>(?:[A-Z0-9][\\w.%-]{0,20}\\s){1,5}(?:Notes|Debentures|Bonds))'
/** Up to what is said of notes: not past other notes, or a share that is no price. */
const UP_TO =
  '(?:(?!Notes\\b|Bonds\\b)[^.;%$]|\\.(?=\\d)|%\\s{1,3}of\\s{1,3}(?:par|face|their|its|the)\\b){0,140}?'
const AT = `(?:\\b(?:bears?|accrues?|carry|carries|pays?)\\s{1,3}(?:interest\\s{1,3})?(?:at\\s{1,3})?(?:an?\\s{1,3}|the\\s{1,3})?(?:(?:fixed|annual|stated|nominal|cash|coupon|interest)\\s{1,3}){0,4}(?:rate\\s{1,3})?(?:of\\s{1,3}|equal\\s{1,3}to\\s{1,3})?|\\b(?:have|has)\\s{1,3}an?\\s{1,3}(?:(?:fixed|annual|stated|coupon|interest)\\s{1,3}){1,4}(?:rate\\s{1,3})?of\\s{1,3})(?<rate>${RATE})`
/** `The 2021 Notes bear interest at a fixed rate of 5.50%`. */
const bearing = [
  new RegExp(`${named}\\b(?:[^.;%$]|\\.(?=\\d)){0,140}?${AT}`, 'g'),
  new RegExp(`${called}\\b${UP_TO}${AT}`, 'g'),
]
/** `The 2026 Notes mature on June 1, 2026`. */
const maturing = [
  new RegExp(
    `${named}\\s{1,3}(?:will\\s{1,3})?(?:mature|are\\s{1,3}due)s?\\s{1,3}(?:in\\s{1,3}|on\\s{1,3})?(?<date>${DATE})`,
    'gi',
  ),
  new RegExp(
    `${called}\\b(?:(?!Notes\\b|Bonds\\b)[^.;$]|\\.(?=\\d)){0,200}?\\bmatures?\\s{1,3}on\\s{1,3}(?<date>[A-Z][a-z]{2,8}\\s{1,3}\\d{1,2},\\s{1,3}20\\d\\d)(?!\\s{1,3}and\\b)`,
    'g',
  ),
]

const numberIn = (rate: string | undefined): number | null =>
  rate === undefined ? null : Number(rate.replace(/\s?%\s*/, ''))
const dayIn = (date: string | undefined): string | null =>
  date === undefined ? null : dayNamed(date.replace(/\s+/g, ' '))

/** The coupons that a text gives notes by what it calls them. */
export const ratesNamed = (flat: string): ReadonlyMap<string, number | null> =>
  new Map(
    bearing
      .toReversed()
      .flatMap(pattern => [...flat.matchAll(pattern)])
      .map(({ groups = {} }) => [groups['alias'] ?? '', numberIn(groups['rate'])]),
  )
/** The days on which it says that they fall due. */
export const daysNamed = (flat: string): ReadonlyMap<string, string | null> =>
  new Map(
    maturing
      .toReversed()
      .flatMap(pattern => [...flat.matchAll(pattern)])
      .map(({ groups = {} }) => [groups['alias'] ?? '', dayIn(groups['date'])]),
  )

/** The series that a text describes, each once: by what it calls them, else by coupon and maturity. */
export function notesDescribedIn(flat: string, scale: Scale): DescribedNote[] {
  const found = new Map<string, DescribedNote>()
  const rates = ratesNamed(flat)
  const days = daysNamed(flat)
  const all = [...flat.matchAll(described), ...flat.matchAll(issued)].sort((a, b) => a.index - b.index)
  for (const [i, match] of all.entries()) {
    const { before, after, kind = '', date } = match.groups as Record<string, string | undefined>
    const to = match.index + match[0].length
    const rest = flat.slice(to, to + 160)
    const name = (alias.exec(rest) ?? unquoted.exec(rest))?.groups?.['alias'] ?? null
    const stated = numberIn(before) ?? numberIn(after)
    const next = stated === null && name === null ? termsBehind(flat, all, i) : null
    const coupon = stated ?? (name === null ? (next?.coupon ?? null) : (rates.get(name) ?? null))
    const said = dayIn(date)
    const known = name === null ? (next?.maturity ?? null) : (days.get(name) ?? null)
    const maturity = said === null || known?.startsWith(said) === true ? known : said
    const one = {
      alias: name,
      kind,
      coupon,
      maturity,
      issued: amountIn(match.groups ?? {}, scale),
      from: match.index,
      to,
    }
    const series = name ?? `${coupon} ${maturity?.slice(0, 4)}`
    const first = found.get(series)
    // Two series of one coupon and year.
    const isOther = name === null && first !== undefined && areApart(first.maturity, maturity)
    const id = isOther ? `${coupon} ${maturity}` : series
    const other = found.get(id)
    if (other === undefined) found.set(id, one)
    else if (isSame(other, one))
      found.set(id, {
        ...other,
        // A heading names notes before the sentence that tells of their issue.
        ...(other.issued === null && one.issued !== null && { from: one.from, to: one.to, kind: one.kind }),
        issued: other.issued ?? one.issued,
        maturity: longer(other.maturity, one.maturity),
        coupon: other.coupon ?? one.coupon,
      })
  }
  return [...found.values()]
}

const bearingNext = new RegExp(
  `\\b(?:the|these)\\s{1,3}(?:(?<year>20\\d\\d)\\s{1,3})?(?:[A-Za-z-]{3,14}\\s{1,3}){0,3}?(?:notes|debentures|bonds)\\b(?:[^.;$%]|\\.(?=\\d)){0,140}?\\bbears?\\s{1,3}(?:(?:regular|cash|fixed)\\s{1,3})?interest\\s{1,3}(?:at\\s{1,3}(?:an?\\s{1,3})?(?:(?:fixed|annual|stated)\\s{1,3})?(?:rate\\s{1,3})?)?(?:of\\s{1,3})?(?<rate>${RATE})`,
  'i',
)
const maturingNext = new RegExp(
  `\\b(?:notes|debentures|bonds)\\b(?:[^.;$]|\\.(?=\\d)){0,260}?\\bmature\\s{1,3}on\\s{1,3}(?<date>${DATE})`,
  'i',
)
/** How far behind notes what is said of them may stand, characters. */
const BEHIND = 700

/** Coupon and day that the sentences behind notes say of `the notes`, which their own sentence names alone. */
function termsBehind(
  flat: string,
  all: readonly RegExpExecArray[],
  i: number,
): { readonly coupon: number | null; readonly maturity: string | null } | null {
  const match = all[i]
  if (match === undefined) return null
  const [from, end] = sentenceAround(flat, match.index)
  // `The notes mature on` names no other series.
  const isOther = ({ groups }: RegExpExecArray) => groups?.['number'] !== undefined
  const before = all.slice(0, i).findLast(isOther)?.index ?? -1
  const after = all.slice(i + 1).find(isOther)?.index ?? flat.length
  if (!isOther(match) || before >= from || after < end) return null
  const rest = flat.slice(end, Math.min(after, end + BEHIND))
  const bearing = bearingNext.exec(rest)?.groups
  // `The 2027 Notes` are those that fall due in that year.
  const isOfYear =
    bearing?.['year'] === undefined || match.groups?.['date']?.endsWith(bearing['year']) === true
  return {
    coupon: isOfYear ? numberIn(bearing?.['rate']) : null,
    maturity: dayIn(maturingNext.exec(rest)?.groups?.['date']),
  }
}

const areApart = (a: string | null, b: string | null): boolean =>
  a !== null && b !== null && !a.startsWith(b) && !b.startsWith(a)

const isSame = (a: DescribedNote, b: DescribedNote): boolean =>
  (a.coupon === null || b.coupon === null || a.coupon === b.coupon) &&
  (a.maturity === null || b.maturity === null || a.maturity.slice(0, 4) === b.maturity.slice(0, 4))

const longer = (a: string | null, b: string | null): string | null =>
  a === null || (b !== null && b.length > a.length) ? b : a

const mayEnd =
  /\b(?:may(?!\s{1,3}\d)|could|can|would|will|option(?:al)?|right|if|upon|prior to|at any time|unless earlier|price equal|subject to|is required|be required|offer to)\b/i

/**
 * Series of notes that a debt note, or the discussion of a report without one, describes in sentences, with coupon, maturity and the amount issued, and bonds of a
 * securitization that any note describes. Left out are those whose redemption, repurchase or maturity any sentence tells, and those without a coupon or maturity.
 */
export function noteSentencesIn(section: FiledSection): InstrumentLine[] {
  const day = section.period_end
  if (day === null) return []
  const [partFrom, partTo] = tellsOfDebt(section) ? [0, section.text.length] : partOnDebt(section)
  if (partTo === 0 && (section.section_type !== 'notes' || !isSecuritized.test(section.text))) return []
  const flat = flatten(section.text)
  const isOfThousands = sellsInThousands(section.text, section.amounts_in ?? null)
  const scale = isOfThousands ? 'thousands' : scaleOf(flat, section.amounts_in)
  const isDue = (maturity: string) => isAfter(maturity, day)
  let listTo = -1
  const described = notesDescribedIn(flat, scale).flatMap((note): Told[] => {
    const { coupon, maturity, issued: amount, kind, from, to } = note
    if (isInRow(section.text, from)) return []
    const [begin, end] = sentenceAround(flat, from)
    const isNext = listTo >= 0 && isBetweenItems.test(flat.slice(listTo, from))
    if (!isNext && !isIssued.test(introOf(flat, begin, from)) && !isOutstanding(flat, note, begin, day))
      return []
    listTo = to
    const secured = isCollateralized.exec(flat.slice(begin, from))?.groups?.['rank'] ?? ''
    if (coupon === null || maturity === null || amount === null || !isDue(maturity)) return []
    const words = `${secured} ${kind}`.trim()
    return [{ ...note, coupon, maturity, kind: words, amount, begin, end: Math.max(end, to) }]
  })
  const listed = issuedNotesIn(section.text, scale, day).flatMap((note): Told[] => {
    const { issued: amount, from, to } = note
    if (!isDue(note.maturity) || described.some(other => isOneSeries(other, note))) return []
    const [begin, end] = sentenceAround(flat, from)
    return [{ ...note, alias: null, amount, begin, end: Math.max(end, to) }]
  })
  const prose = proseOf(section.text)
  const told = [...described, ...listed].filter(
    ({ kind, from }) => (from >= partFrom && from < partTo) || isSecuritized.test(kind),
  )
  return told.flatMap(note => {
    if (isLater(leadOf(flat, note), day)) return []
    const rest = restOf(prose, note, { day, scale, isOnly: told.length === 1 })
    if (rest !== null) return [lineOf({ ...note, amount: rest }, section, day)]
    if (!isEnded(prose, note)) return [lineOf(note, section, day)]
    const left = leftOf(prose, note, { all: told, scale })
    return left === null ? [] : [lineOf({ ...note, amount: left }, section, day)]
  })
}

/** `The Collateralized Senior Notes consist of`, before notes that the list calls senior alone. */
const isCollateralized =
  /\b(?<rank>collaterali[sz]ed|(?<!un)secured)\s{1,3}(?:senior\s{1,3})?notes\s{1,3}consist\b(?:[^.;]|\.\d)*$/i

/** A heading on debt within another note, `Debt Issuance and Redemption`. */
const headsDebt =
  /^(?:(?:long|short)-term )?(?:debt|notes|borrowings?|indebtedness)(?: (?:and|issuances?|offerings?|redemptions?|repayments?|transactions|activit(?:y|ies))){0,4}$/i
const LONGEST_HEADING = 70

/** Where a note of a report without a note on debt tells of it below a heading of its own, up to the next heading. */
function partOnDebt({ section_type, has_debt_note, title, text }: FiledSection): readonly [number, number] {
  let from = 0
  if (section_type !== 'notes' || has_debt_note !== false) return [0, 0]
  // What is said of the fair value of debt may name it.
  if (/\bfair value/i.test(title ?? '')) return [0, text.length]
  let at = 0
  for (const line of text.split('\n')) {
    const words = flatten(line).trim()
    const isHeading = words.length < LONGEST_HEADING && /^[A-Z][^|.:;$%]*$/.test(words) && !line.includes('|')
    if (from > 0 && isHeading) return [from, at]
    at += line.length + 1
    if (isHeading && headsDebt.test(words)) from = at
  }
  return from > 0 ? [from, text.length] : [0, 0]
}

/** What stands between two notes of a list, `(the "Euro Notes"); and (c)`. */
const isBetweenItems = /^\s{0,3}(?:\([^()]{3,80}\))?[\s;:,.]{0,40}(?:and\s{1,3})?(?:\([a-z]\)\s{0,3})?$/

/** What a sentence says before notes; of one that begins with their amount, as an item of a list, what the sentence before says. */
function introOf(flat: string, begin: number, from: number): string {
  const lead = flat.slice(begin, from)
  if (/[a-z]{3}/i.test(lead)) return lead
  const before = sentenceBefore(flat, begin)
  return /\bfollowing\b|:\W{0,9}$/i.test(before) ? before : lead
}

/** Bonds of a securitization entity, which another note than that on debt may tell. */
const isSecuritized = /\b(?:recovery|transition|securitization|storm|rate\s{1,3}reduction)\s{1,3}bonds\b/i

/** Notes that a sentence tells of. */
interface Told {
  readonly alias: string | null
  readonly coupon: number | null
  readonly maturity: string
  readonly kind: string
  readonly amount: Money
  readonly words?: string
  readonly from: number
  readonly begin: number
  readonly end: number
}

const isOneSeries = (a: Told, b: IssuedNote): boolean =>
  a.coupon === b.coupon &&
  a.maturity.slice(0, 4) === b.maturity.slice(0, 4) &&
  a.amount.value === b.issued.value

/** The row of notes that a sentence tells. */
export function lineOf(note: Told, section: FiledSection, day: string): InstrumentLine {
  const { coupon, maturity, kind, amount, words = '', begin, end } = note
  const plain = titled(kind)
  const name =
    coupon !== null
      ? `${coupon}% ${plain}`
      : /floating|variable/i.test(plain)
        ? plain
        : `Floating-Rate ${plain}`
  const rate: InstrumentLine =
    coupon === null
      ? { rate_type: 'floating', ...marginIn(words) }
      : { rate_type: 'fixed', coupon_rate: coupon }
  const named = `${name} due ${spelledMaturity(maturity)}`
  return noteLine(section, { name: named, rate, maturity, amount, day, begin, end })
}

interface NoteLine extends Pick<Told, 'maturity' | 'amount' | 'begin' | 'end'> {
  readonly name: string
  readonly rate: InstrumentLine
  readonly day: string
}

/** The row of notes that the text of a note on debt tells, of its balance date. */
export const noteLine = (
  section: FiledSection,
  { name, rate, maturity, amount, day, begin, end }: NoteLine,
): InstrumentLine => ({
  company_name: section.company_name,
  cik: section.cik,
  name,
  ...rate,
  maturity,
  maturity_date: fullDate(maturity),
  principal: amount.value,
  currency: amount.currency,
  balance_date: day,
  rule: 'note_text',
  accession: section.accession,
  ...quoted(section, begin, end, null),
})

const month = new RegExp(`\\b(?<date>${MONTH}\\s{1,3}(?:\\d{1,2},\\s{1,3})?(?:19|20)\\d\\d)\\b`, 'gi')

/** What a sentence says before the first amount that it lists. */
const leadOf = (flat: string, { from }: Told): string => {
  const [begin] = sentenceAround(flat, from, SENTENCE)
  const lead = flat.slice(begin, from)
  const first = lead.search(/[$\u20ac\u00a3]|\b(?:SFr|CHF)\s?\d/)
  return first < 0 ? lead : lead.slice(0, first)
}

/** Whether a sentence begins with a day or month after the report's day: what was issued since. */
function isLater(lead: string, day: string): boolean {
  const said = dayIn([...lead.matchAll(month)][0]?.groups?.['date'])
  return said !== null && said > day.slice(0, said.length)
}

/** Whether a sentence says that notes are outstanding behind their amount, at no other day than the report's. */
function isOutstanding(flat: string, { from, to }: DescribedNote, begin: number, day: string): boolean {
  const said = [...flat.slice(begin, from).matchAll(month)].map(({ groups }) => dayIn(groups?.['date']))
  return (
    said.every(each => each === null || day.startsWith(each)) &&
    (/\boutstanding\b/i.test(flat.slice(from, to)) || stillOwed.test(flat.slice(to, to + 90)))
  )
}

const stillOwed = /^[^.;$]{0,60}?\b(?:was|were|is|are|remain\w*)\s{1,3}(?:still\s{1,3})?outstanding\b/i

const isIssued =
  /\b(?:issued(?!\s{1,3}(?:to\s{1,3})?us\b)|issuance of|sold|sale of|offering of|placement of|outstanding|comprised of|consisting of|consist of|includ(?:ing|es)|following)\b/i

/** A sentence that says what was done to a series: the last verb before its name, else the one behind it. */
const endedBefore = new RegExp(
  `\\b(?:${ENDED})\\b(?!.*\\b(?:issu(?:ed(?! by)|ance|ances|ing)|sold|offering)\\b)`,
  'is',
)
const endedBehind =
  /^[^.;$]{0,200}?\b(?:was|were|been|being|that|which)\s(?:(?!used)\w+\s){0,3}(?:redeemed|repaid|prepaid|paid|retired|extinguished|repurchased|tendered|purchased|matured|defeased|exchanged|settled|cancell?ed|discharged|refinanced)\b|^[^.;$]{0,60}?\b(?:matured|converted\s(?:in)?to\s(?:shares|common|equity))\b/i

/** Whether a sentence that names the series tells of its end, as of something done. */
function isEnded(prose: string, { alias: name, coupon, maturity }: Told): boolean {
  const names = [name, ...(coupon === null ? [] : [0, 1, 2, 3].map(digits => rateWith(coupon, digits)))]
  for (const each of new Set(names)) {
    if (each === null) continue
    for (
      let at = prose.indexOf(each), n = 0;
      at >= 0 && n < MOST_NAMING;
      at = prose.indexOf(each, at + 1), n++
    ) {
      const [begin, to] = sentenceAround(prose, at)
      const from = goesOn.test(prose.slice(begin, at))
        ? sentenceAround(prose, Math.max(0, begin - 3))[0]
        : begin
      // What stands before a table is no part of what stands behind it.
      const before =
        prose
          .slice(from, at)
          .split(/\s{20}/)
          .at(-1) ?? ''
      const behind = prose.slice(at + each.length, to).replace(ofPrincipal, ' ')
      const isOfYear =
        each === name || prose.slice(Math.max(0, at - 100), at + 160).includes(maturity.slice(0, 4))
      if (!isOfYear || /[\d.]$/.test(before) || mayEnd.test(before) || mayEnd.test(behind)) continue
      // `the Convertible Notes due 2028` are others than `the Notes`.
      if (!/\s/.test(each) && each === name && !/\b(?:the|these|all)\s{1,3}["']?$/i.test(before)) continue
      if (isSource.test(before) || isOfOthers(behind, maturity) || toStatements.test(behind)) continue
      if (endedBefore.test(before) || endedBehind.test(behind)) return true
    }
  }
  return false
}

/** `Notes to Consolidated Financial Statements`. */
const toStatements =
  /^\W{0,3}\s{1,3}to\s{1,3}(?:the\s{1,3})?(?:(?:unaudited|condensed|consolidated)\s{1,3}){0,3}financial\b/i
/** The amount that follows what notes are called. */
const ofPrincipal = new RegExp(
  `\\b(?:with|in|having)\\s{1,3}(?:an?\\s{1,3})?(?:(?:aggregate|total|original)\\s{1,3})?principal\\s{1,3}(?:amount\\s{1,3})?of\\s{1,3}${AMOUNT}`,
  'i',
)

/** Words before notes that pay for the end of others: `used proceeds from the 2030 Notes`, `exchange offers for the 2036 Notes`. */
const isSource =
  /\b(?:at\s{1,3}the\s{1,3}time\s{1,3}of|upon|concurrent(?:ly)?\s{1,3}with|in\s{1,3}connection\s{1,3}with)\s{1,3}(?:the\s{1,3})?(?:issuance|offering|sale)\s{1,3}of\s{1,3}(?:the\s{1,3})?$|\bproceeds\s{1,3}(?:from|of)\s{1,3}(?:the\s{1,3})?(?:issuance\s{1,3}of\s{1,3}(?:the\s{1,3})?)?$|\bexchange\s{1,3}offers?\s{1,3}for\s{1,3}(?:the\s{1,3})?$|\bexchang(?:e|ed|ing)\b(?:[^.;]|\.\d){0,240}\bfor\s{1,3}(?:approximately\s{1,3})?[$\u20ac\u00a3](?:[^.;$]|\.\d){0,90}$/i

/** The rest of `5.50%, 6.00%, and 5.125% senior notes due 2025, 2026, and 2027, respectively`, whose first year is the rate's own. */
const ofSeveral =
  /^(?:,?\s{1,3}(?:and\s{1,3})?\d{1,2}(?:\.\d{1,5})?%){1,9}[^.;%$]{0,60}\bdue\s{1,3}(?:in\s{1,3})?(?<year>20\d\d)(?:,?\s{1,3}(?:and\s{1,3})?20\d\d){1,9},?\s{1,3}respectively\b/i

const isOfOthers = (behind: string, maturity: string): boolean => {
  const year = ofSeveral.exec(behind)?.groups?.['year']
  return year !== undefined && !maturity.startsWith(year)
}

/** A sentence that goes on with what the one before says was done, `This included $400 million of 3.00% notes`. */
const goesOn =
  /^\W{0,4}(?:this|these|they|the\s\w{1,20}\s(?:repaid|redeemed|purchased))\b[^$]{0,40}\b(?:includ|consist|compris)/i

/** Most sentences that are read because they name a series. */
const MOST_NAMING = 30

/** Words of a name; a title in capitals is no name in capitals. */
export const titled = (words: string): string =>
  (/[a-z]/.test(words) ? words : words.toLowerCase())
    .replace(/\s+/g, ' ')
    .replace(/\b[a-z]/g, letter => letter.toUpperCase())
