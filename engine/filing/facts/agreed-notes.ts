import { agreementTerms } from './agreement.ts'
import { type FiledSection, voiceOf } from './filed-section.ts'
import { flatten, sentenceAround } from './flat-text.ts'
import type { InstrumentLine } from './instrument-line.ts'
import { dayNamed } from './maturities.ts'
import { AMOUNT, amountIn } from './money.ts'
import { lineOf } from './note-sentences.ts'
import { withToldRanks } from './told-ranks.ts'

/** How far into an agreement to buy notes its title and the notes that it authorizes are, characters. */
const COVER = 2500
const OPENING = 30_000
/** How far behind the word the notes that are authorized may stand, characters. */
const REACH = 2500

const isToBuy =
  /\bnote\s{1,3}(?:purchase|and\s{1,3}guarant(?:ee|y))\s{1,3}(?:and\s{1,3}[\w ]{4,40}\s{1,3})?agreement\b/i
const isAmendment = /\bamendment\b|\bsupplement\b|\bwaiver\b/i
const authorizes = /\bauthori[sz]\w{1,6}\s{1,3}(?:of\s{1,3}|the\s{1,3}issue|and\s{1,3}issue)/i
const MONTH = '(?:january|february|march|april|may|june|july|august|september|october|november|december)'
/** `$120,000,000 aggregate principal amount shall be its 4.69% Series A Guaranteed Senior Notes due January 10, 2026`. */
const series = new RegExp(
  `${AMOUNT}\\s{1,3}(?:in\\s{1,3})?(?:aggregate\\s{1,3})?principal\\s{1,3}(?:amount\\s{1,3})?(?:of|shall\\s{1,3}be)\\s{1,3}(?:(?:the|its|our|[\\w&]{2,20}'s)\\s{1,3}){0,2}(?<coupon>\\d{1,2}(?:\\.\\d{1,5})?) ?%\\s{1,3}(?:series\\s{1,3}[\\w-]{1,6}\\s{1,3})?(?<kind>(?:[a-z-]{2,20}\\s{1,3}){0,5}?notes)(?:,?\\s{1,3}(?:series|tranche)\\s{1,3}[\\w-]{1,6})?,?\\s{1,3}due\\s{1,3}(?<date>${MONTH}\\s{1,3}\\d{1,2},\\s{1,3}20\\d\\d)`,
  'gi',
)

/** The notes whose issue an agreement to buy them authorizes. An amendment of one gives none. */
export function agreedNotesIn(section: FiledSection): InstrumentLine[] {
  if (section.section_type !== 'credit_agreement' || voiceOf(section) !== 'agreement') return []
  const flat = flatten(section.text.slice(0, OPENING))
  const cover = flat.slice(0, COVER)
  const title = isToBuy.exec(cover)
  if (title === null || isAmendment.test(cover.slice(0, title.index))) return []
  const at = flat.search(authorizes)
  const { agreement_date, effective_from } = agreementTerms(section.text)
  const day = agreement_date ?? effective_from ?? section.filing_date
  if (at < 0 || day === null) return []
  const lines = [...flat.slice(at, at + REACH).matchAll(series)].flatMap((match): InstrumentLine[] => {
    const { coupon, kind = '', date = '' } = match.groups ?? {}
    const amount = amountIn(match.groups ?? {})
    const maturity = dayNamed(date.replace(/\s+/g, ' '))
    if (amount === null || maturity === null || maturity <= day) return []
    const from = at + match.index
    const [, end] = sentenceAround(flat, from)
    const told = { coupon: Number(coupon), maturity, kind, amount, alias: null, from, begin: from, end }
    return [{ ...lineOf(told, section, day), rule: 'note_offered' }]
  })
  return withToldRanks(section, lines)
}
