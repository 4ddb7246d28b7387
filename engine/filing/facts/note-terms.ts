import type { InstrumentLine } from './debt-tables.ts'
import { quoted } from './evidence.ts'
import type { FiledSection } from './filed-section.ts'
import { everyWords, flatten, sentenceAround } from './flat-text.ts'
import { recordId } from './record-id.ts'
import { datesIn } from './spelled-dates.ts'

const sections: ReadonlySet<string> = new Set(['indenture', 'covenants', 'debt_footnote'])

interface Series {
  readonly coupon: number
  readonly year: string
  readonly from: number
  readonly to: number
}

// `the 0.875% 2025 Notes`, `the 2.750% fixed rate notes due 2023`, `6.25% Senior Notes due March 15, 2033`.
const series =
  /(?<![\d.-])(?<coupon>\d{1,2}\.\d{1,4})% (?:(?<year>20\d\d) notes\b|(?:[a-z-]{2,15} ){0,4}(?:notes|debentures) due (?:[a-z]{3,9} (?:\d{1,2}, )?)?(?<due>20\d\d)\b)/gi

const seriesIn = (flat: string, from: number, to: number): Series[] =>
  [...flat.slice(from, to).matchAll(series)].flatMap(match => {
    const { coupon, year, due } = match.groups as { coupon: string; year?: string; due?: string }
    const at = from + match.index
    return [{ coupon: Number(coupon), year: year ?? due ?? '', from: at, to: at + match[0].length }]
  })

type Term = Pick<InstrumentLine, 'make_whole_bps' | 'par_call_date' | 'change_of_control_price' | 'callable'>

/**
 * Redemption terms of single series of notes, named by coupon and year: the spread of a make-whole price, the day of a
 * call at par, the price of a put on a change of control. Terms of `the notes` without saying which are left out.
 */
export function noteTermsIn(section: FiledSection): InstrumentLine[] {
  if (!sections.has(section.section_type)) return []
  const flat = flatten(section.text)
  const found = new Map<string, InstrumentLine>()
  const take = ({ coupon, year }: Series, term: Term, from: number, to: number): void => {
    const name = `${coupon}% notes due ${year}`
    const key = [name, ...Object.keys(term)].join('|')
    if (found.has(key)) return
    found.set(key, {
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
  }
  for (const [each, term, from, to] of [...parCalls(flat), ...makeWholes(flat), ...changeOfControlPuts(flat)])
    take(each, term, from, to)
  return [...found.values()]
}

type Found = readonly [Series, Term, number, number]

const parCall = everyWords(String.raw`"par call date" (?:means|shall mean)\b`)

/** `"Par Call Date" means (i) with respect to the 0.875% 2025 Notes, February 24, 2025 (...), (ii) ...`. */
function parCalls(flat: string): Found[] {
  return [...flat.matchAll(parCall)].flatMap(match => {
    const to = Math.min(flat.length, match.index + 2400)
    const all = seriesIn(flat, match.index, to)
    return all.flatMap((each, i): Found[] => {
      // Up to the next series; what stands in brackets names the maturity of the same.
      const end = Math.min(all[i + 1]?.from ?? to, each.to + 60)
      const day = /^\s?(?:notes)?\s?,\s/i.test(flat.slice(each.to, each.to + 4))
        ? datesIn(flat.slice(each.to, end))[0]
        : undefined
      return day ? [[each, { callable: true, par_call_date: day.date }, match.index, each.to + day.to]] : []
    })
  })
}

const spread = everyWords(
  String.raw`(?<bps>\d{1,3}(?:\.\d)?) basis points (?:in the case of|for|with respect to) the\b`,
)

/** `plus 15 basis points in the case of the 0.875% 2025 Notes and the 1.375% 2029 Notes`. */
function makeWholes(flat: string): Found[] {
  const all = [...flat.matchAll(spread)]
  return all.flatMap((match, i): Found[] => {
    const [from, sentenceEnd] = sentenceAround(flat, match.index)
    if (!/\b(?:treasury|government bond|make[- ]whole|present value)/i.test(flat.slice(from, sentenceEnd)))
      return []
    const to = Math.min(sentenceEnd, all[i + 1]?.index ?? sentenceEnd)
    return seriesIn(flat, match.index, to).map(each => [
      each,
      { callable: true, make_whole_bps: Number(match.groups?.['bps']) },
      from,
      sentenceEnd,
    ])
  })
}

const atPrice = everyWords(
  String.raw`\b(?:repurchase|purchase)\b[^.;]{0,160}?\b(?<price>10[0-5](?:\.\d{1,3})?)% of (?:the|their|its)\b[^.;]{0,40}?\bprincipal amount`,
)

/** `If a change of control triggering event occurs with respect to the 2.750% notes due 2023 ..., 101% of the principal amount`. */
function changeOfControlPuts(flat: string): Found[] {
  return [...flat.matchAll(atPrice)].flatMap((match): Found[] => {
    const [from, to] = sentenceAround(flat, match.index)
    const at = flat.slice(from, match.index).search(/\bchange (?:of|in) control\b/i)
    if (at < 0) return []
    return seriesIn(flat, from, to).map(each => [
      each,
      { change_of_control_price: Number(match.groups?.['price']) },
      from,
      to,
    ])
  })
}
