import { quoted } from './evidence.ts'
import type { FiledSection } from './filed-section.ts'
import { flatten, sentenceAround } from './flat-text.ts'
import type { InstrumentLine } from './instrument-line.ts'
import { fullDate, spelledMaturity } from './maturities.ts'
import { datesIn } from './spelled-dates.ts'

/** How far into a note its promise and its terms are, characters. */
const OPENING = 6000

/** A promise, and not the heading above it. */
const promises = /\bpromises?\s{1,9}to\s{1,9}pay\b(?!\s{0,2}\.)/i
const title =
  /\b(?<kind>(?:(?:senior|secured|unsecured|subordinated|convertible|term|demand)\s{1,9}){0,4}promissory\s{1,9}note)\b/i
const perYear =
  /\b(?:rate\s{1,9}of\s{1,9})(?:[a-z-]{3,20}\s{1,9}percent\s{1,9}\(\s{0,3})?(?<rate>\d{1,2}(?:\.\d{1,4})?)\s{0,3}(?:%|percent\b)\)?[^.;]{0,60}?\bper\s{1,9}(?:annum|year)\b/i
/** `calculated using an interest rate of 4.050%`, of the forms that banks use. */
const using =
  /\busing\s{1,9}an\s{1,9}interest\s{1,9}rate\s{1,9}of\s{1,9}(?<rate>\d{1,2}(?:\.\d{1,4})?)\s{0,3}%/i
/** `Borrower's final payment will be due on January 27, 2019`. */
const finalPayment =
  /\bfinal\s{1,9}payment\s{1,9}(?:of[^.;]{0,60}\s{1,9})?will\s{1,9}be\s{1,9}due\s{1,9}on\s{1,9}(?<date>[A-Z][a-z]{2,8}\s{1,9}\d{1,2},\s{1,9}20\d\d)/
const inMonths =
  /\b(?:[a-z-]{3,12}\s{1,9})?\(?(?<months>\d{1,3})\)?\s{1,9}months\s{1,9}(?:after|from|following)\s{1,9}(?:the\s{1,9})?(?:(?<what>[A-Z][\w ]{2,30}?)\s{0,3}\(|(?<same>[A-Z][\w ]{2,30}?\bDate)\b|date\s{1,9}hereof)/
/** `$3,230,000.00`, written out. */
const dollars = /(?<![A-Z])(?:US)?\$\s?(?<sum>\d{1,3}(?:,\d{3}){1,3}(?:\.\d\d)?)(?![\d,])/
const maturity = /"Maturity\s{1,9}Date"/i

/** The note that a document is, if it promises one sum of money: principal, rate, and the day on which it falls due. */
export function promissoryNoteIn(section: FiledSection): InstrumentLine | null {
  const flat = flatten(section.text.slice(0, OPENING))
  const at = flat.search(promises)
  const kind = title.exec(flat)?.groups?.['kind']
  if (at < 0 || kind === undefined || isOwedTo(section.company_name, flat.slice(at, at + 260))) return null
  const behind = flat.slice(at, at + 900)
  const sum = Number(dollars.exec(behind)?.groups?.['sum']?.replaceAll(',', ''))
  const issued = datesIn(flat.slice(0, at))[0]?.date ?? section.filing_date
  const said = (perYear.exec(flat.slice(at)) ?? using.exec(flat.slice(at)))?.groups?.['rate']
  const due = dueIn(flat, issued)
  if (!(sum > 0) || said === undefined || due === null || issued === null) return null
  const coupon = Number(said)
  const plain = kind
    .replace(/\s+/g, ' ')
    .toLowerCase()
    .replace(/\b[a-z]/g, letter => letter.toUpperCase())
  return {
    company_name: section.company_name,
    cik: section.cik,
    name: `${coupon}% ${plain} due ${spelledMaturity(due)}`,
    instrument_type: /convertible/i.test(kind) ? 'convertible_notes' : 'notes',
    rate_type: 'fixed',
    coupon_rate: coupon,
    maturity: due,
    maturity_date: fullDate(due),
    principal: Math.round(sum * 100),
    currency: 'USD',
    balance_date: issued,
    rule: 'note_offered',
    accession: section.accession,
    ...quoted(section, ...sentenceAround(flat, at), null),
  }
}

/** The day on which a promissory note falls due, by its own text; null if it is none or names no day. */
export function noteMaturity(text: string): string | null {
  const flat = flatten(text.slice(0, OPENING))
  const at = flat.search(promises)
  if (at < 0 || !title.test(flat)) return null
  return fullDate(dueIn(flat, datesIn(flat.slice(0, at))[0]?.date ?? null))
}

/** Whether a note promises to pay the company itself. */
const isOwedTo = (company: string | null, promise: string): boolean => {
  const [word] = (company ?? '').split(/[\s,.]+/)
  const payee = promise.slice(0, 140).toLowerCase()
  return word !== undefined && word.length > 3 && payee.includes(word.toLowerCase())
}

/** The day that the text names as its maturity date, or months after the day of issue. */
function dueIn(flat: string, issued: string | null): string | null {
  const named = maturity.exec(flat)
  const last = datesIn((finalPayment.exec(flat)?.groups?.['date'] ?? '').replace(/\s+/g, ' '))[0]?.date
  if (named === null) return last !== undefined && (issued === null || last > issued) ? last : null
  const [from] = sentenceAround(flat, named.index)
  const before = flat.slice(from, named.index)
  const day = datesIn(before).at(-1)?.date
  if (
    day !== undefined &&
    /\b(?:on|is|be|due|until)\b[^.]{0,40}$/i.test(before) &&
    (issued === null || day > issued)
  )
    return day
  const match = inMonths.exec(flat.slice(Math.max(0, named.index - 260), named.index + 10))
  const months = Number(match?.groups?.['months'])
  if (match === null || !(months > 0 && months < 600) || issued === null) return null
  const month = Number(issued.slice(0, 4)) * 12 + Number(issued.slice(5, 7)) - 1 + months
  const said = `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`
  // Only the day of issue itself is known; another day that the months follow may be later.
  return /\bissue\s{1,9}date\b|date\s{1,9}hereof/i.test(match[0]) ? `${said}-${issued.slice(8)}` : said
}
