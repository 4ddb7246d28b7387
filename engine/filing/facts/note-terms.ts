import { isCusip } from '../../credit/identifiers.ts'
import { callPricesIn } from './call-prices.ts'
import { quoted } from './evidence.ts'
import type { FiledSection } from './filed-section.ts'
import { everyWords, flatten } from './flat-text.ts'
import type { InstrumentLine } from './instrument-line.ts'
import {
  distinct,
  type NotesOf,
  notesNamed,
  onlySeriesIn,
  type Series,
  seriesIn,
  withOwn,
} from './note-series.ts'
import { type Found, type NoteText, statementAround, subjectOf, type Term } from './note-text.ts'
import { parCallsIn } from './par-calls.ts'
import { recordId } from './record-id.ts'

/** Sections in which terms of notes stand; a term sheet and a description of notes may be `other`. */
const sections: ReadonlySet<string> = new Set(['indenture', 'covenants', 'debt_footnote', 'other'])
/** What every sentence read here has; most sections have none of it. */
const mayHaveTerms =
  /basis\s+points|\bbps\b|par\s+call|months?,?\s+(?:prior\s+to|before)|\b1[0-2]\d(?:\.\d{1,5})?\s?%|\bcusip\b/i

const kindOf = (form: string) =>
  /^(?:424B|FWP)/i.test(form) ? 'offer' : /^EX-?4/i.test(form) ? 'indenture' : 'report'

/** The series that the sections of one document name. */
export const notesOf = (document: readonly FiledSection[]): NotesOf =>
  notesNamed(
    document.map(({ text }) => flatten(text)),
    kindOf(document[0]?.doc_type ?? ''),
  )

/** Whether the parts of a document name its series for each other: the title of an offer is apart from its terms. */
export const isOneOffer = (form: string): boolean => kindOf(form) === 'offer'

/**
 * Redemption terms of single series of notes, named by coupon and year: calls at fixed prices, the day of a call at
 * par, the spread of a make-whole price, the price of a put on a change of control; and the CUSIP of an offer. Terms
 * of `the notes` are those of the one series that a document is about, and are left out elsewhere, as is what a
 * section states in two ways.
 */
export function noteTermsIn(section: FiledSection, document?: NotesOf): InstrumentLine[] {
  if (!sections.has(section.section_type) || !mayHaveTerms.test(section.text)) return []
  const flat = flatten(section.text)
  const notes = document ? withOwn(flat, document) : notesNamed([flat], kindOf(section.doc_type))
  const text = { text: section.text, flat, notes }
  const found = new Map<string, { readonly said: string; readonly line: InstrumentLine | null }>()
  const readers = [parCallsIn, makeWholes, callPricesIn, changeOfControlPuts]
  if (isOneOffer(section.doc_type)) readers.push(identifiers)
  for (const [series, term, from, to] of readers.flatMap(read => read(text))) {
    const name = `${series.coupon}% notes due ${series.year}`
    const key = [name, ...Object.keys(term)].join('|')
    const said = JSON.stringify(term)
    const before = found.get(key)
    if (before === undefined) found.set(key, { said, line: lineOf(section, series, name, term, from, to) })
    else if (before.said !== said) found.set(key, { said, line: null })
  }
  return [...found.values()].flatMap(({ line }) => line ?? [])
}

const lineOf = (
  section: FiledSection,
  { coupon, year }: Series,
  name: string,
  term: Term,
  from: number,
  to: number,
): InstrumentLine => ({
  // One row a term: a later filing that repeats it replaces it.
  instrument_id: recordId(section, name, ...Object.keys(term)),
  company_name: section.company_name,
  cik: section.cik,
  name,
  rate_type: 'fixed',
  coupon_rate: coupon,
  maturity: year,
  ...term,
  rule: 'note_terms',
  accession: section.accession,
  ...quoted(section, from, to, null),
})

const spread = everyWords(String.raw`(?<![\d.])(?<bps>\d{1,3}(?:\.\d{1,2})?) (?:basis points|bps)\b`)
const ofSeries = /^,?\s{1,9}(?:in the case of|for|with respect to)\s+the\s/i
const beforeSpread = /\b(?:in the case of|with respect to)\s+the\s[^.;,]{4,60},\s{1,9}$/i
const isSpread = /(?:\bplus|\brate\s\+|\bT\s?\+)\s{0,9}$/i
const isMakeWhole =
  /\b(?:treasury|government bond|bund|gilt|reference dealer rate|make[- ]whole|present value|T ?\+ ?\d)/i
const isRedeemed = /\b(?:redeem\w{0,4}|redemption|make[- ]whole|present value)/i

/**
 * `plus 15 basis points in the case of the 0.875% 2025 Notes and the 1.375% 2029 Notes`, `in the case of the 2023 notes,
 * 10 basis points`, `make-whole call at T+20 bps`.
 */
function makeWholes(text: NoteText): Found[] {
  const { flat, notes } = text
  const all = [...flat.matchAll(spread)]
  return all.flatMap((match): Found[] => {
    const [from, end] = statementAround(text, match.index)
    const said = flat.slice(from, end)
    if (!isMakeWhole.test(said) || !isRedeemed.test(said)) return []
    const term = { callable: true, make_whole_bps: Number(match.groups?.['bps']) }
    const after = match.index + match[0].length
    const of = ofSeries.exec(flat.slice(after, after + 40))
    if (of) return listed(text, after + of[0].length, end).map(each => [each, term, from, end])
    const lead = beforeSpread.exec(flat.slice(Math.max(from, match.index - 100), match.index))
    if (lead) {
      const named = onlySeriesIn(flat, match.index - lead[0].length, match.index, notes)
      return named ? [[named, term, from, end]] : []
    }
    const others = all.some(each => each[0] !== match[0] && each.index >= from && each.index < end)
    if (others || !isSpread.test(flat.slice(Math.max(0, match.index - 20), match.index))) return []
    const series = subjectOf(text, from, end)
    return series ? [[series, term, from, end]] : []
  })
}

/** The series listed from a position on: `0.875% 2025 Notes, the 1.375% 2029 Notes and the 2031 Notes`. */
function listed({ flat, notes }: NoteText, from: number, to: number): Series[] {
  const all = seriesIn(flat, from, to, notes)
  const last = all.findIndex((each, i) => {
    const between = flat.slice(all[i - 1]?.to ?? from, each.from)
    return between.replace(/\b(?:and|or|the|our)\b|[\s,]/gi, '') !== ''
  })
  return last < 0 ? all : all.slice(0, last)
}

const atPrice = everyWords(
  String.raw`\b(?:repurchase|purchase)\b[^.;]{0,160}?\b(?<price>10[0-5](?:\.\d{1,3})?)% of (?:the|their|its)\b[^.;]{0,40}?\bprincipal amount`,
)

/** Said of the series that a prospectus offers. */
const ofEachSeries = /\b(?:a|each|any|such|that|applicable)\s{1,3}series\b/i

/** `If a change of control triggering event occurs with respect to the 2.750% notes due 2023 ..., 101% of the principal amount`. */
function changeOfControlPuts(text: NoteText): Found[] {
  const { flat, notes } = text
  return [...flat.matchAll(atPrice)].flatMap((match): Found[] => {
    const [from, to] = statementAround(text, match.index)
    if (!/\bchange (?:of|in) control\b/i.test(flat.slice(from, match.index))) return []
    const named = distinct(seriesIn(flat, from, to, notes))
    const isEach = named.length === 0 && ofEachSeries.test(flat.slice(from, to))
    const those = isEach ? notes.offered : named.length === 0 && notes.subject ? [notes.subject] : named
    return those.map(each => [each, { change_of_control_price: Number(match.groups?.['price']) }, from, to])
  })
}

const cusip = /(?<![0-9A-Z])(?<issuer>[0-9A-Z]{6}) ?(?<issue>[0-9A-Z]{2}) ?(?<check>\d)(?![0-9A-Z])/g

/** `CUSIP / ISIN: | 2028 Notes: 17275R BW1 / US17275RBW16`, in the row of an offer. */
function identifiers(text: NoteText): Found[] {
  const { flat, notes } = text
  return [...flat.matchAll(/\bCUSIPs?\b/g)].flatMap(({ index }): Found[] => {
    const [from, to] = statementAround(text, index)
    const codes = [...flat.slice(index, to).matchAll(cusip)].flatMap(match => {
      const { issuer, issue, check } = match.groups as Record<'issuer' | 'issue' | 'check', string>
      const code = `${issuer}${issue}${check}`
      return isCusip(code)
        ? [{ code, from: index + match.index, to: index + match.index + match[0].length }]
        : []
    })
    return codes.flatMap((each, i): Found[] => {
      const before = codes[i - 1]?.to ?? index
      const label = seriesIn(flat, before, each.from, notes).find(s =>
        /^\s?:\s{0,3}$/.test(flat.slice(s.to, each.from)),
      )
      const after = seriesIn(flat, each.to, codes[i + 1]?.from ?? to, notes).find(s =>
        /^[\s/]{0,5}(?:[A-Z]{2}[0-9A-Z]{9}\d)?\s{0,3}for the $/.test(flat.slice(each.to, s.from)),
      )
      const series = label ?? after ?? (codes.length === 1 ? notes.subject : null)
      return series ? [[series, { cusip: each.code }, from, to]] : []
    })
  })
}
