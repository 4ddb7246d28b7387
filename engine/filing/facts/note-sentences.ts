import { quoted } from './evidence.ts'
import type { FiledSection } from './filed-section.ts'
import { flatten, sentenceAround } from './flat-text.ts'
import type { InstrumentLine } from './instrument-line.ts'
import { dayNamed, spelledMaturity } from './maturities.ts'
import { AMOUNT, amountIn, isInMillions, type Money } from './money.ts'

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
const DATE = `(?:${MONTH}\\s{1,3}(?:\\d{1,2},\\s{1,3})?)?20\\d\\d`
const KIND =
  '(?:(?:senior|unsecured|secured|convertible|subordinated|exchangeable|junior|fixed[- ]rate|floating[- ]rate|variable[- ]rate|guaranteed|first|second|lien|mortgage|medium-term|sustainability|green|unregistered|registered|public|private|perpetual)\\s{1,3}){0,6}(?:notes|debentures|bonds)'
const RATE = '(?<![\\d.])\\d{1,2}(?:\\.\\d{1,5})?\\s?%'
/** `$650 million principal amount of 5.50% notes due March 15, 2021 (the "2021 Notes")`. */
const described = new RegExp(
  `(?:${AMOUNT}\\s{1,3}(?:in\\s{1,3})?(?:an?\\s{1,3})?(?:of\\s{1,3})?(?:aggregate\\s{1,3})?(?:principal\\s{1,3})?(?:amount\\s{1,3})?(?:of\\s{1,3})?(?:(?:the|its|our|new|additional)\\s{1,3}){0,2})?(?<before>${RATE}\\s{1,3})?(?<kind>${KIND})(?:,?\\s{1,3}(?:bearing\\s{1,3}interest\\s{1,3}at|at|with)\\s{1,3}(?:an?\\s{1,3})?(?:fixed\\s{1,3})?(?:annual\\s{1,3})?(?:coupon\\s{1,3})?(?:interest\\s{1,3})?(?:rate\\s{1,3})?(?:of\\s{1,3})?(?<after>${RATE}))?(?:\\s{1,3}per\\s{1,3}(?:year|annum))?,?\\s{1,3}(?:(?:which|that)\\s{1,3}(?:will\\s{1,3})?)?(?:due|matur(?:e|es|ing)|maturity)\\s{1,3}(?:in\\s{1,3}|on\\s{1,3})?(?<date>${DATE})`,
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
  '(?<alias>(?:20\\d\\d|\\d{1,2}(?:\\.\\d{1,5})?%)\\s(?:[A-Z][\\w-]*\\s){0,4}(?:Notes|Debentures|Bonds))'
/** `The 2021 Notes bear interest at a fixed rate of 5.50%`. */
const bearing = new RegExp(
  `${named}\\b(?:[^.;%$]|\\.(?=\\d)){0,140}?\\b(?:bears?|accrues?|carry|carries|pays?)\\s{1,3}(?:interest\\s{1,3})?(?:at\\s{1,3})?(?:an?\\s{1,3}|the\\s{1,3})?(?:(?:fixed|annual|stated|nominal|cash|coupon|interest)\\s{1,3}){0,4}(?:rate\\s{1,3})?(?:of\\s{1,3}|equal\\s{1,3}to\\s{1,3})?(?<rate>${RATE})`,
  'g',
)
/** `The 2026 Notes mature on June 1, 2026`. */
const maturing = new RegExp(
  `${named}\\s{1,3}(?:will\\s{1,3})?(?:mature|are\\s{1,3}due)s?\\s{1,3}(?:in\\s{1,3}|on\\s{1,3})?(?<date>${DATE})`,
  'gi',
)

const numberIn = (rate: string | undefined): number | null =>
  rate === undefined ? null : Number(rate.replace(/\s?%\s*/, ''))
const dayIn = (date: string | undefined): string | null =>
  date === undefined ? null : dayNamed(date.replace(/\s+/g, ' '))

/** The series that a text describes, each once: by what it calls them, else by coupon and maturity. */
export function notesDescribedIn(flat: string, inMillions: boolean): DescribedNote[] {
  const found = new Map<string, DescribedNote>()
  const rates = new Map(
    [...flat.matchAll(bearing)].map(({ groups = {} }) => [groups['alias'] ?? '', numberIn(groups['rate'])]),
  )
  const days = new Map(
    [...flat.matchAll(maturing)].map(({ groups = {} }) => [groups['alias'] ?? '', dayIn(groups['date'])]),
  )
  const all = [...flat.matchAll(described), ...flat.matchAll(issued)]
  for (const match of all.sort((a, b) => a.index - b.index)) {
    const { before, after, kind = '', date } = match.groups as Record<string, string | undefined>
    const to = match.index + match[0].length
    const rest = flat.slice(to, to + 160)
    const name = (alias.exec(rest) ?? unquoted.exec(rest))?.groups?.['alias'] ?? null
    const coupon = numberIn(before) ?? numberIn(after) ?? (name === null ? null : (rates.get(name) ?? null))
    const said = dayIn(date)
    const known = name === null ? null : (days.get(name) ?? null)
    const maturity = said === null || known?.startsWith(said) === true ? known : said
    const one = {
      alias: name,
      kind,
      coupon,
      maturity,
      issued: amountIn(match.groups ?? {}, inMillions),
      from: match.index,
      to,
    }
    const id = name ?? `${coupon} ${maturity?.slice(0, 4)}`
    const other = found.get(id)
    if (other === undefined) found.set(id, one)
    else if (isSame(other, one))
      found.set(id, {
        ...other,
        issued: other.issued ?? one.issued,
        maturity: longer(other.maturity, one.maturity),
        coupon: other.coupon ?? one.coupon,
      })
  }
  return [...found.values()]
}

const isSame = (a: DescribedNote, b: DescribedNote): boolean =>
  (a.coupon === null || b.coupon === null || a.coupon === b.coupon) &&
  (a.maturity === null || b.maturity === null || a.maturity.slice(0, 4) === b.maturity.slice(0, 4))

const longer = (a: string | null, b: string | null): string | null =>
  a === null || (b !== null && b.length > a.length) ? b : a

/** The words of a sentence by which a series is no longer owed, or not wholly. */
const ended =
  /\b(?:redeem(?:ed|ing)?|redemption|(?:re|pre)pa(?:y|id|yment|ying)|retir(?:ed?|ing|ement)|extinguish\w*|repurchase[ds]?|tender\w*|purchased|matured|defeas\w+|exchanged|converted into|settled|paid off|paid in full)\b/i
const mayEnd =
  /\b(?:may|could|can|would|will|option(?:al)?|right|if|upon|prior to|at any time|unless earlier|price equal|subject to|is required|be required|offer to)\b/i

/**
 * Series of notes that a debt note describes in sentences, with coupon, maturity and the amount issued. Left out are
 * those whose redemption, repurchase or maturity any sentence tells, and those without a coupon or maturity.
 */
export function noteSentencesIn(section: FiledSection): InstrumentLine[] {
  const day = section.period_end
  if (section.section_type !== 'debt_footnote' || day === null) return []
  const flat = flatten(section.text)
  return notesDescribedIn(flat, isInMillions(flat, section.amounts_in ?? null)).flatMap(note => {
    const { coupon, maturity, issued: amount, kind, from, to } = note
    if (coupon === null || maturity === null || maturity <= day.slice(0, maturity.length)) return []
    const [begin, end] = sentenceAround(flat, from)
    if (isInRow(section.text, from) || isLater(flat.slice(begin, from), day)) return []
    if (amount === null || !isIssued.test(flat.slice(begin, from)) || isEnded(flat, note)) return []
    const name = `${coupon}% ${titled(kind)} due ${spelledMaturity(maturity)}`
    return [
      {
        company_name: section.company_name,
        cik: section.cik,
        name,
        rate_type: 'fixed' as const,
        coupon_rate: coupon,
        maturity,
        maturity_date: maturity.length === 10 ? maturity : null,
        principal: amount.value,
        currency: amount.currency,
        balance_date: day,
        rule: 'note_text',
        accession: section.accession,
        ...quoted(section, begin, Math.max(end, to), null),
      },
    ]
  })
}

const month = new RegExp(`\\b(?<date>${MONTH}\\s{1,3}(?:\\d{1,2},\\s{1,3})?20\\d\\d)\\b`, 'gi')

/** Whether a sentence begins with a day or month after the report's day: what was issued since. */
function isLater(lead: string, day: string): boolean {
  const said = dayIn([...lead.matchAll(month)][0]?.groups?.['date'])
  return said !== null && said > day.slice(0, said.length)
}

/** Whether a position is in a row of a table. */
function isInRow(text: string, at: number): boolean {
  const end = text.indexOf('\n', at)
  return text.slice(text.lastIndexOf('\n', at) + 1, end < 0 ? text.length : end).includes('|')
}

const isIssued =
  /\b(?:issued|issuance of|sold|sale of|offering of|placement of|outstanding|comprised of|consisting of|consist of|including|following)\b/i

/** Whether a sentence that names the series tells of its end, as of something done. */
function isEnded(flat: string, { alias: name, coupon, maturity }: DescribedNote): boolean {
  const names = [
    name,
    coupon === null ? null : `${coupon}%`,
    coupon === null ? null : `${coupon.toFixed(2)}%`,
    coupon === null ? null : `${coupon.toFixed(3)}%`,
  ]
  for (const each of new Set(names)) {
    if (each === null) continue
    for (
      let at = flat.indexOf(each), n = 0;
      at >= 0 && n < MOST_NAMING;
      at = flat.indexOf(each, at + 1), n++
    ) {
      const [from, to] = sentenceAround(flat, at)
      const sentence = flat.slice(from, to)
      const isOfYear = each === name || maturity === null || sentence.includes(maturity.slice(0, 4))
      if (isOfYear && ended.test(sentence) && !mayEnd.test(sentence)) return true
    }
  }
  return false
}

/** Most sentences that are read because they name a series. */
const MOST_NAMING = 30

export const titled = (words: string): string =>
  words.replace(/\s+/g, ' ').replace(/\b[a-z]/g, letter => letter.toUpperCase())
