import { isAfter } from '../../base/days.ts'
import { registeredNotesIn } from './fee-tables.ts'
import type { FiledSection } from './filed-section.ts'
import { flatten, isInRow, sentenceAround } from './flat-text.ts'
import type { InstrumentLine } from './instrument-line.ts'
import { ENDED, issuedNotesIn } from './issue-lists.ts'
import { dayNamed } from './maturities.ts'
import { AMOUNT, amountIn, isInThousands, type Money, type Scale } from './money.ts'
import { namedIssuesIn } from './named-issues.ts'
import { lineOf, notesDescribedIn } from './note-sentences.ts'
import { isOneOffer } from './note-terms.ts'
import { isTermSheet, supplementNotesIn } from './term-sheets.ts'
import { withToldRanks } from './told-ranks.ts'

/** How far into a prospectus supplement its title and the summary of its offer are, characters. */
const OPENING = 12_000
/** Items of current reports that tell of notes. */
const isItem = /^\s{0,9}item\s{1,9}(?:1\.01|2\.03|3\.02|8\.01)\b/i

const MONTH = '(?:january|february|march|april|may|june|july|august|september|october|november|december)'
const DAY = `${MONTH}\\s{1,3}\\d{1,2},?\\s{1,3}20\\d\\d`
const NOTES = '(?:notes|debentures|bonds)'

/** What is done with new notes, and with old ones. */
const everyDeed = new RegExp(
  `\\b(?:(?<ended>(?:tender|exchange)\\s{1,3}offers?|supplement\\w*\\s{1,3}to|(?<!\\bas\\s{1,3})amend\\w*|${ENDED})|(?<begun>issu\\w+|assum(?:ed|ption)|offer(?:ed|ing)?|sell|sold|sale|pric(?:ed|ing)|plac(?:ed|ement)))\\b`,
  'gi',
)
/** Notes that are not sold yet. */
const isPlanned =
  /\b(?:propos\w+|intend\w*|plan(?:s|ned|ning)?\s{1,3}to|expects?\s{1,3}to|may(?!\s{1,3}\d)|might|could|would|up\s{1,3}to(?:\s{1,3}an?)?(?:\s{1,3}additional)?)\b[^.;$]{0,80}$/i

/** A series of notes that a document says is sold. */
interface Offered {
  readonly coupon: number | null
  readonly maturity: string
  readonly kind: string
  readonly words: string
  readonly amount: Money
  readonly begin: number
  readonly end: number
}

/**
 * Notes that a current report says were sold, or that a prospectus supplement or pricing term sheet offers: amount, coupon
 * and maturity, with the day on which they fall due where the text names it for one series. Proposed offers, options to buy
 * more, and notes that are repaid are left out, as are forms with blanks. Terms that a supplement states in rows go before
 * those of its sentences.
 */
export function offeredNotesIn(section: FiledSection): InstrumentLine[] {
  const isCurrent = /^8-?K/i.test(section.doc_type) && isItem.test(section.title ?? '')
  const isOffer = isOneOffer(section.doc_type) && !isTermSheet(section.doc_type) && section.offset < OPENING
  const day = section.period_end ?? section.filing_date
  if (day === null || !(isCurrent || isOffer)) return []
  const text = isOffer ? section.text.slice(0, OPENING) : section.text
  if (!mayOffer.test(text)) return []
  const flat = flatten(text)
  const scale = isCurrent && isInThousands(flat, section.amounts_in ?? null) ? 'thousands' : null
  const found = [...describedIn(text, flat, scale), ...listedIn(text, day, scale), ...namedIn(flat)].filter(
    ({ maturity, begin, end }) => isAfter(maturity, day) && isSold(flat, begin, end, isOffer),
  )
  const series = onceEach(found, flat)
  const lines = series.map((note): InstrumentLine => {
    const isOne = series.length === 1
    const amount = (isOne ? closedAmount(flat) : null) ?? note.amount
    const maturity = exactly(flat, note.maturity, series)
    return {
      ...lineOf({ ...note, maturity, amount, alias: null, from: note.begin }, section, day),
      rule: 'note_offered',
      ...(isOne && callTermsIn(flat)),
    }
  })
  const stated = isOffer ? supplementNotesIn({ ...section, text }) : []
  const told = lines.filter(line => !isIn(stated, line))
  const registered = isOffer ? registeredIn(text, flat, day, section) : []
  const rest = registered.filter(line => !isIn([...stated, ...told], line))
  return [...stated, ...withToldRanks(section, [...told, ...rest])]
}

/** Whether lines have a series of the coupon and year of another. */
const isIn = (all: readonly InstrumentLine[], line: InstrumentLine): boolean =>
  all.some(
    each =>
      each.coupon_rate === line.coupon_rate && each.maturity?.slice(0, 4) === line.maturity?.slice(0, 4),
  )

/** The series of a table of registration fees; of what is added to one, without an amount. */
function registeredIn(text: string, flat: string, day: string, section: FiledSection): InstrumentLine[] {
  const all = registeredNotesIn(text).filter(({ maturity }) => isAfter(maturity, day))
  return all.map(note => {
    const maturity = exactly(flat, note.maturity, all)
    const line = lineOf({ ...note, maturity, alias: null, from: note.begin }, section, day)
    return { ...line, ...(isReopening.test(flat) && { principal: null }), rule: 'note_offered' }
  })
}

/** What a text has that sells notes. */
const mayOffer = /\b(?:notes|debentures|bonds)\b/i

const describedIn = (text: string, flat: string, scale: Scale): Offered[] =>
  notesDescribedIn(flat, scale).flatMap(({ coupon, maturity, issued, kind, from, to }) => {
    if (coupon === null || maturity === null || issued === null || isInRow(text, from)) return []
    return [{ coupon, maturity, kind, words: '', amount: issued, begin: from, end: to }]
  })

const listedIn = (text: string, day: string, scale: Scale): Offered[] =>
  issuedNotesIn(text, scale, day).map(({ issued, from, to, ...note }) => ({
    ...note,
    amount: issued,
    begin: from,
    end: to,
  }))

const namedIn = (flat: string): Offered[] => namedIssuesIn(flat).map(note => ({ ...note, words: '' }))

/** What underwriters buy is sold: `agreed to sell and the Underwriters agreed to purchase from the Company`. */
const bought =
  /\b(?:underwriters?|initial\s{1,3}purchasers?)\b[^.;]{0,40}?\bagreed\s{1,3}to\s{1,3}purchase\b/gi

/** Whether the sentence says before notes that they are sold; a prospectus names what it offers without a verb. */
function isSold(flat: string, at: number, end: number, isOffer: boolean): boolean {
  const [from] = sentenceAround(flat, at)
  const lead = flat.slice(from, at).replace(bought, 'sold')
  if (isPlanned.test(lead) && !isOffer) return false
  // An announcement of prices is not yet a sale, and other items tell of that.
  if (/\bpress\s{1,3}release\b|\bannounced\s{1,3}the\s{1,3}pricing\b/i.test(lead)) return false
  const last = [...lead.matchAll(everyDeed)].at(-1)?.groups
  if (last === undefined) return isOffer && !/\b(?:outstanding|existing)\b/i.test(flat.slice(at, end))
  return last['begun'] !== undefined
}

/** `The New Notes constitute an additional issuance of the $750,000,000 aggregate principal amount of 2.950% Notes`. */
const isReopening =
  /\badditional\s{1,3}issuance\s{1,3}of\b|\bfurther\s{1,3}issuance\s{1,3}of\b|\bpart\s{1,3}of\s{1,3}the\s{1,3}same\s{1,3}series\b|\bsingle\s{1,3}series\s{1,3}(?:of\s{1,3}\w{4,12}\s{1,3})?with\b/i

/** Series once. What is sold of one that is outstanding is added to it; two amounts otherwise are none. */
function onceEach(all: readonly Offered[], flat: string): Offered[] {
  const series = new Map<string, Offered[]>()
  for (const one of all) {
    const key = `${one.coupon} ${one.maturity.slice(0, 4)}`
    const same = series.get(key) ?? []
    if (same.every(({ amount }) => amount.value !== one.amount.value)) series.set(key, [...same, one])
  }
  return [...series.values()].flatMap(([first, second, ...others]) => {
    if (first === undefined || second === undefined) return first ?? []
    if (first.amount.currency !== second.amount.currency || !isReopening.test(flat)) return []
    const whole = others.length > 0 ? wholeOf([first, second, ...others]) : null
    if (whole !== null) return [whole]
    if (others.length > 0) return []
    const amount = { ...first.amount, value: first.amount.value + second.amount.value }
    return [{ ...first, amount, maturity: longer(first.maturity, second.maturity) }]
  })
}

/** Of what was sold before, what is added and what both are then, the last; null where three amounts are otherwise. */
function wholeOf(all: readonly Offered[]): Offered | null {
  const [least, less, most] = all.toSorted((a, b) => a.amount.value - b.amount.value)
  const isSum = all.length === 3 && least!.amount.value + less!.amount.value === most!.amount.value
  return isSum ? { ...most!, maturity: all.map(({ maturity }) => maturity).reduce(longer) } : null
}

const longer = (a: string, b: string): string => (b.length > a.length ? b : a)

/** `closed the sale of $250 million aggregate principal amount of the Debentures`: with what was bought under an option. */
const closed = new RegExp(
  `\\b(?:closed|completed|consummated|issued\\s{1,3}and\\s{1,3}sold|issued)\\b[^.;$]{0,80}?${AMOUNT}\\s{1,3}(?:in\\s{1,3})?(?:aggregate\\s{1,3})?principal\\s{1,3}amount\\s{1,3}of\\s{1,3}(?:the|such)\\s{1,3}(?:[A-Z][\\w-]*\\s{1,3}){0,3}${NOTES}\\b`,
  'gi',
)
function closedAmount(flat: string): Money | null {
  const all = [...flat.matchAll(closed)].flatMap(match => amountIn(match.groups ?? {}) ?? [])
  const [one, ...others] = new Set(all.map(({ value }) => value))
  return one === undefined || others.length > 0 ? null : (all[0] ?? null)
}

const everyMaturity = new RegExp(
  `\\b(?:matur(?:es?|ing|ity)(?:\\s{1,3}date)?(?:\\s{0,3}[.:])?|due)\\s{1,3}(?:(?:on|is|of|will\\s{1,3}be)\\s{1,3}){0,2}(?<date>${DAY})`,
  'gi',
)

/** The day on which the notes of a year fall due, where the text names one and one series falls due in that year. */
function exactly(flat: string, maturity: string, all: readonly { readonly maturity: string }[]): string {
  if (maturity.length === 10 || all.filter(each => each.maturity.startsWith(maturity)).length > 1)
    return maturity
  const days = [...flat.matchAll(everyMaturity)].flatMap(
    ({ groups }) => dayNamed((groups?.['date'] ?? '').replace(/\s+/g, ' ')) ?? [],
  )
  const [day, ...others] = new Set(days.filter(each => each.startsWith(maturity)))
  return day !== undefined && others.length === 0 ? day : maturity
}

const parCall = new RegExp(
  `\\bredeem\\b[^.;]{0,90}\\bon\\s{1,3}or\\s{1,3}after\\s{1,3}(?<date>${DAY})[^.;%]{0,90}\\bprice\\s{1,3}(?:equal\\s{1,3}to|of)\\s{1,3}100(?:\\.0+)?\\s?%`,
  'i',
)
/** `at par value on January 1, 2030 or thereafter`. */
const parThereafter = new RegExp(
  `\\bat\\s{1,3}par(?:\\s{1,3}value)?\\s{1,3}on\\s{1,3}(?<date>${DAY})\\s{1,3}(?:or|and)\\s{1,3}thereafter\\b`,
  'i',
)
const put =
  /\b(?<price>10[0-5](?:\.\d{1,3})?)\s?%,?\s{1,3}in\s{1,3}the\s{1,3}case\s{1,3}of\s{1,3}a\s{1,3}change\s{1,3}(?:of|in)\s{1,3}control|\bchange\s{1,3}(?:of|in)\s{1,3}control\b[^.;%]{0,240}?\bprice\s{1,3}(?:equal\s{1,3}to|of)\s{1,3}(?<behind>10[0-5](?:\.\d{1,3})?)\s?%\s{1,3}of\b/i

/** Terms of redemption of the one series that a text is about. */
function callTermsIn(flat: string): InstrumentLine {
  const date = (parCall.exec(flat) ?? parThereafter.exec(flat))?.groups?.['date']
  const day = date === undefined ? null : dayNamed(date.replace(/\s+/g, ' '))
  const { price, behind } = put.exec(flat)?.groups ?? {}
  return {
    ...(day !== null && { par_call_date: day }),
    ...((day !== null || /\bmake-whole\b/i.test(flat)) && { callable: true }),
    ...((price ?? behind) !== undefined && { change_of_control_price: Number(price ?? behind) }),
  }
}
