import { isCusip, isIsin } from '../../credit/identifiers.ts'
import { quoted } from './evidence.ts'
import type { FiledSection } from './filed-section.ts'
import { flatten, oneLine } from './flat-text.ts'
import type { InstrumentLine } from './instrument-line.ts'
import { spelledMaturity } from './maturities.ts'
import { AMOUNT, amountIn, everyAmount } from './money.ts'
import { titled } from './note-sentences.ts'
import { datesIn } from './spelled-dates.ts'
import { NUMBERS, numberSaid } from './tenors.ts'
import { type Sheet, sheetsIn, statedOf } from './term-sheet-rows.ts'
import { withToldRanks } from './told-ranks.ts'

/** What every term sheet has. */
const hasMaturity = /\bmaturity\b/i
const hasSettlement = /\b(?:settlement|issue|issuance|closing|delivery)\b/i
/** Securities whose payments follow something else than an interest rate. */
const isStructured =
  /\b(?:linked|contingent(?! (?:up)?on\b)|autocall\w*|auto-callable|buffer(?:ed)?|barrier|digital|leveraged|principal at risk|reference asset|underlier|market measure|underlying (?:index|stock|shares))\b/i
/** What is sold of a series that is outstanding, of which the sheet may state either amount. */
const isReopened =
  /\bre-?open\w*|\badditional (?:notes|bonds|issuance)\b|\bfurther issu\w+|\bfungible\b|\bsingle series\b/i

/** Whether a document is a term sheet, which is known by its form. */
export const isTermSheet = (form: string): boolean => /^FWP\b/i.test(form.trim())

/**
 * The series of notes of a pricing term sheet, with their terms. Until the day on which they are paid for they are not
 * issued: rows are known from that day on, and a sheet that does not name it gives none.
 */
export const termSheetNotesIn = (section: FiledSection): InstrumentLine[] =>
  isTermSheet(section.doc_type) ? statedNotesIn(section) : []

/** Least principal of notes in a supplement: less is the denomination of one, in cents. */
const LEAST = 100_000_000

/** The series whose terms the opening of a prospectus or pricing supplement states in rows, as a term sheet does. */
export const supplementNotesIn = (section: FiledSection): InstrumentLine[] =>
  statedNotesIn(section).filter(({ principal }) => principal != null && principal >= LEAST)

function statedNotesIn(section: FiledSection): InstrumentLine[] {
  if (!hasMaturity.test(section.text) || !hasSettlement.test(section.text)) return []
  const flat = flatten(section.text)
  if (isStructured.test(flat)) return []
  const sheets = sheetsIn(section.text)
  const days = new Set(sheets.flatMap(sheet => settlementOf(sheet, 0) ?? []))
  const [day, ...otherDays] = days
  const only = otherDays.length === 0 ? (day ?? null) : null
  const lines = sheets.flatMap(sheet =>
    Array.from({ length: sheet.columns }, (_, column) => {
      const settlement = settlementOf(sheet, column) ?? only
      return settlement === null ? null : lineOf(sheet, column, settlement, { section, flat })
    }).flatMap(line => line ?? []),
  )
  return withToldRanks(section, lines)
}

const settlementOf = (sheet: Sheet, column: number): string | null =>
  datesIn(statedOf(sheet, 'settlement', column) ?? '')[0]?.date ?? null

function lineOf(
  sheet: Sheet,
  column: number,
  settlement: string,
  { section, flat }: { readonly section: FiledSection; readonly flat: string },
): InstrumentLine | null {
  const maturity = datesIn(statedOf(sheet, 'maturity', column) ?? '')[0]?.date ?? null
  const amount = firstAmount(statedOf(sheet, 'principal', column) ?? '')
  const title = statedOf(sheet, 'title', column) ?? sheet.labels[column] ?? ''
  const rate = rateOf(sheet, column) ?? couponOfTitle(title)
  const identifiers = identifiersOf(statedOf(sheet, 'identifiers', column) ?? '')
  if (maturity === null || maturity <= settlement || rate === null) return null
  // Notes without a principal are a series if they have a number of their own.
  if (amount === null && identifiers.cusip === undefined && identifiers.isin === undefined) return null
  const coupon = rate.coupon_rate ?? null
  const kind =
    kindIn(title) ?? kindNamed(flat, coupon, maturity) ?? kindIn(sheet.labels[column] ?? '') ?? 'Notes'
  const isFloating = coupon === null
  const series = isFloating
    ? /floating|variable/i.test(kind)
      ? kind
      : `Floating Rate ${kind}`
    : `${coupon}% ${kind}`
  return {
    company_name: section.company_name,
    cik: section.cik,
    name: `${series} due ${spelledMaturity(maturity)}`,
    ...rate,
    maturity,
    maturity_date: maturity,
    ...(amount !== null && {
      ...(!isReopened.test(flat) && { principal: amount.value }),
      currency: amount.currency,
    }),
    ...identifiers,
    ...callTermsOf(sheet, column, maturity),
    balance_date: settlement,
    known_from: settlement,
    rule: 'note_offered',
    accession: section.accession,
    ...quoted(section, sheet.from, sheet.to, null),
  }
}

const oneAmount = new RegExp(AMOUNT, 'i')
const firstAmount = (value: string) => amountIn(oneAmount.exec(value)?.groups ?? {})

const percent = /(?<![\d.])(?<rate>\d{1,2}(?:\.\d{1,5})?) ?%/
const everyPercent = new RegExp(percent, 'g')
const index = /\b(?<index>sofr|euribor|sonia|libor|estr|federal funds|prime)\b/i
const margin =
  /(?:plus|\+)?\s{0,3}(?<![\d.])(?<number>\d{1,4}(?:\.\d{1,4})?) ?(?<unit>%|bps?\b|basis points?)/i

/** The coupon, of notes whose rate is reset later the first one, or reference and margin; null if neither is stated. */
function rateOf(sheet: Sheet, column: number): InstrumentLine | null {
  const said = statedOf(sheet, 'coupon', column) ?? floatingYield(sheet, column)
  const reference = index.exec(statedOf(sheet, 'reference', column) ?? '')?.groups?.['index']
  const own = index.exec(said)
  const first = percent.exec(said)
  const isFixed = first !== null && reference === undefined && (own === null || first.index < own.index)
  if (isFixed) return { rate_type: 'fixed', coupon_rate: Number(first.groups?.['rate']) }
  const followed = reference ?? own?.groups?.['index']
  if (followed === undefined) return null
  const words = statedOf(sheet, 'margin', column) ?? (own === null ? '' : said.slice(own.index))
  const { number, unit = '' } = margin.exec(words)?.groups ?? {}
  if (number === undefined) return null
  const bps = unit === '%' ? Math.round(Number(number) * 1e5) / 1e3 : Number(number)
  return { rate_type: 'floating', benchmark: followed.toUpperCase(), spread_bps: bps }
}

/** The one coupon of a title of notes that a sheet without a row of coupons has, `4.250% Senior Notes due 2031`. */
function couponOfTitle(title: string): InstrumentLine | null {
  const all = [...title.matchAll(everyPercent)].map(({ groups }) => Number(groups?.['rate']))
  const [one, ...others] = new Set(all)
  if (one === undefined || others.length > 0 || /\b(?:floating|variable|reset)\b/i.test(title)) return null
  return { rate_type: 'fixed', coupon_rate: one }
}

/** `3M USD LIBOR + 14bp` as the yield at which notes without a coupon are offered; empty where it follows no index. */
function floatingYield(sheet: Sheet, column: number): string {
  const said = statedOf(sheet, 'yield', column) ?? ''
  return index.test(said) ? said : ''
}

const KIND =
  '(?:[A-Z0-9][\\w.-]{0,20},? ){0,8}?(?:notes|debentures|bonds)(?:,? series (?!due\\b)(?:no\\. ?)?\\w{1,4})?'
const titleOf = new RegExp(`^(?<kind>${KIND})\\b`, 'i')

/** `First Mortgage Bonds, Series No. 41` of a title, without what is said elsewhere: amount, coupon, day. */
function kindIn(title: string): string | null {
  const plain = title
    .replaceAll(everyAmount, ' ')
    .replace(/(?:aggregate )?principal amount of/gi, ' ')
    .replace(/(?<![\d.])\d{1,2}(?:\.\d{1,5})? ?%/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^20\d\d (?=notes$)/i, '')
  const kind = titleOf.exec(plain)?.groups?.['kind']
  return kind === undefined ? null : titled(oneLine(kind, 80))
}

/** `4.250% Senior Notes due 2031`, `Floating Rate Notes due May 4, 2028`. */
const everyTitle =
  /(?:floating rate|(?<![\d.])(?<coupon>\d{1,2}(?:\.\d{1,5})?) ?%)\s{1,3}(?<kind>[A-Za-z][A-Za-z0-9., -]{0,60}?(?:notes|debentures|bonds)(?:,? series (?!due\b)(?:no\. ?)?\w{1,4})?)\s{1,9}due\s(?<due>[^.;]{0,24})/gi

/** What the title of the sheet calls the notes with a coupon, or the one that floats, of a year. */
function kindNamed(flat: string, coupon: number | null, maturity: string): string | null {
  const year = maturity.slice(0, 4)
  for (const { groups } of flat.matchAll(everyTitle)) {
    const stated = groups?.['coupon'] === undefined ? null : Number(groups['coupon'])
    const kind = groups?.['kind']
    if (kind === undefined || stated !== coupon || !groups?.['due']?.includes(year)) continue
    return titled(coupon === null ? `Floating Rate ${kind}` : kind)
  }
  return null
}

/** A CUSIP and an ISIN, each if there is one with a right check digit. */
function identifiersOf(value: string): InstrumentLine {
  const tokens = [...value.toUpperCase().matchAll(/(?<![0-9A-Z])[0-9A-Z]{2}[0-9A-Z ]{7,14}/g)].map(
    ([token]) => token,
  )
  const whole = tokens.flatMap(token => [token.replaceAll(' ', ''), ...token.split(' ')])
  const one = (all: readonly string[]): string | null => {
    const [first, ...others] = new Set(all)
    return first !== undefined && others.length === 0 ? first : null
  }
  const cusip = one(whole.filter(isCusip))
  const isin = one(whole.filter(isIsin))
  return { ...(cusip !== null && { cusip }), ...(isin !== null && { isin }) }
}

const treasury =
  /(?:\bT ?\+ ?|\b(?:treasury|treasuries|bund|gilt|government bond|comparable|benchmark|reference)\b[^.;]{0,60}?(?:\bplus|\+) ?)(?:(?<bps>\d{1,3}(?:\.\d{1,2})?)(?: ?(?:basis points|bps?)\b|(?= ?(?:\(|;|,|$)))|(?<percent>[0-2]\.\d{1,3}) ?%)/gi
const bare = /^\W{0,3}(?:plus )?(?<bps>\d{1,3}(?:\.\d{1,2})?) ?(?:basis points|bps?)\W{0,3}$/i
const MONTHS = NUMBERS.slice(0, 6)
const monthsBefore = new RegExp(
  `\\b(?<months>${MONTHS.join('|')}|[1-6])(?: \\(\\d\\))? months? (?:prior to|before)\\b[^.;]{0,20}\\bmaturity\\b`,
  'i',
)
const DATE = '[A-Z][a-z]{2,8}\\.? \\d{1,2}, 20\\d\\d'
const onOrAfter = new RegExp(
  `\\bon (?:or|and) after (?<date>${DATE})(?:[^.;%]|\\.\\d){0,240}?(?:\\bat par\\b|\\bpar call\\b|\\b100(?:\\.0+)? ?%)`,
  'i',
)
const defined = new RegExp(`(?<date>${DATE})[^.;]{0,90}?\\((?:the )?"par call date"\\)`, 'i')
const dayFor = new RegExp(
  `\\bpar call(?: date)?:? (?:on (?:or|and) after |beginning |from )?(?<date>${DATE})`,
  'i',
)

/** Calls and puts that the rows of a series state: a spread over Treasuries, the day of a call at par, a price on a change of control. */
function callTermsOf(sheet: Sheet, column: number, maturity: string): InstrumentLine {
  const whole = statedOf(sheet, 'make_whole', column)
  const par = statedOf(sheet, 'par_call', column)
  const redemption = statedOf(sheet, 'redemption', column)
  const said = [whole, par, redemption].filter(each => each !== null).join(' ; ')
  const spreads = new Set(
    [...said.matchAll(treasury)].map(({ groups: { bps: points, percent: part } = {} }) =>
      part === undefined ? Number(points) : Math.round(Number(part) * 1e4) / 100,
    ),
  )
  const plainSpread = whole === null ? undefined : bare.exec(whole)?.groups?.['bps']
  if (plainSpread !== undefined) spreads.add(Number(plainSpread))
  const [bps, ...others] = spreads
  const day = parCallOf(said, par, maturity)
  const price = /(?<![\d.])(?<price>10[0-5](?:\.\d{1,3})?) ?%/.exec(statedOf(sheet, 'put', column) ?? '')
    ?.groups?.['price']
  const spread = bps !== undefined && others.length === 0 ? bps : null
  return {
    ...(spread !== null && { make_whole_bps: spread }),
    ...(day !== null && { par_call_date: day }),
    ...((spread !== null || day !== null) && { callable: true }),
    ...(price !== undefined && { change_of_control_price: Number(price) }),
  }
}

/** The day from which a series may be called at par; null where none is stated before it falls due. */
function parCallOf(said: string, own: string | null, maturity: string): string | null {
  const stated = defined.exec(said) ?? onOrAfter.exec(said) ?? dayFor.exec(said)
  const day = datesIn(stated?.groups?.['date'] ?? own ?? '')[0]?.date
  if (day !== undefined) return day < maturity ? day : null
  const months = monthsBefore.exec(said)?.groups?.['months']?.toLowerCase()
  if (months === undefined || (own === null && !/\bpar\b/i.test(said))) return null
  return monthsEarlier(maturity, numberSaid(months))
}

/** The same day some months before; null where that month has no such day. */
function monthsEarlier(day: string, months: number): string | null {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const found = new Date(Date.UTC(year, month - 1 - months, date))
  return found.getUTCDate() === date ? found.toISOString().slice(0, 10) : null
}
