import { isAfter } from '../../base/days.ts'
import { statedIn } from './facility-maturity.ts'
import { sentencesNaming } from './facility-sentences.ts'
import type { FiledSection } from './filed-section.ts'
import { isInRow, oneLine, sentenceAround } from './flat-text.ts'
import type { InstrumentLine } from './instrument-line.ts'
import { proseOf } from './issue-lists.ts'
import { AMOUNT, amountIn, type Scale, scaleOf } from './money.ts'
import { type DescribedNote, noteLine, notesDescribedIn, titled } from './note-sentences.ts'

const isIssued = /\b(?:issued|sold|completed|closed)\b[^.;]{0,120}$/i
const isSince = /\bsubsequent\b|\bproposed\b|\bintends?\b|\bexpects?\b/i
/** What may be said of notes that are gone, in whole or in part, or became others. */
const isGone =
  /\b(?:redeem|redemption|repurchas|repa(?:id|y)|retir|exchang|convert|tender|discharg|defeas)\w*/i

/**
 * Notes of which a note on debt that lists none tells what was issued and when it falls due, but no coupon, or the coupon in the
 * sentences that call them by a name. Left out where any
 * sentence that names notes of that day tells of their end.
 */
export function notesWithoutCoupon(section: FiledSection): InstrumentLine[] {
  const day = section.period_end
  if (day === null) return []
  const flat = proseOf(section.text)
  const scale = scaleOf(flat, section.amounts_in)
  const named = seriesByName(flat, scale)
  const plain = notesDescribedIn(flat, scale).filter(({ coupon }) => coupon === null)
  return [...plain, ...named].flatMap((note): InstrumentLine[] => {
    const { coupon, maturity, issued: amount, kind, from, to, alias } = note
    if (maturity === null || amount === null || !isAfter(maturity, day)) return []
    const [begin, end] = sentenceAround(flat, from)
    const lead = flat.slice(begin, from)
    if (isInRow(section.text, from) || !(named.includes(note) || isIssued.test(lead)) || isSince.test(lead))
      return []
    if (
      /\b(?:floating|variable|convertible)\b/i.test(kind) ||
      endsOf(flat, alias).some(each => isGone.test(each))
    )
      return []
    const name = alias !== null && /\w\s\w/.test(alias) ? alias : titled(oneLine(kind, 80))
    const rate = coupon === null ? '' : `${coupon}% `
    const due = maturity.slice(0, 4)
    const terms: InstrumentLine = coupon === null ? {} : { rate_type: 'fixed', coupon_rate: coupon }
    const title = `${rate}${name.includes(due) ? name : `${name} due ${due}`}`
    return [
      noteLine(section, { name: title, rate: terms, maturity, amount, day, begin, end: Math.max(end, to) }),
    ]
  })
}

const KIND =
  '(?:(?:senior|subordinated|secured|unsecured|first|mortgage)\\s{1,3}){0,4}(?:notes|bonds|debentures)'
/** `issued our First Mortgage Bonds, Series 2016A (the "Series 2016A Bonds") in an offering with an aggregate principal amount of $250 million`. */
const seriesIssued = new RegExp(
  `\\bissued\\s{1,3}(?:our\\s{1,3}|its\\s{1,3})?(?<kind>${KIND})(?:,?\\s{1,3}series\\s{1,3}[\\w-]{1,8})?\\s{1,3}\\((?:the\\s{1,3})?"(?<alias>[A-Z][^"]{3,40}(?:Notes|Bonds|Debentures))"\\)(?:[^.;$]|\\.\\d){0,260}?\\bprincipal\\s{1,3}amount\\s{1,3}of\\s{1,3}${AMOUNT}`,
  'gi',
)
const bears =
  /\bbears?\s{1,3}interest\s{1,3}at\s{1,3}(?:an?\s{1,3}|the\s{1,3})?(?:fixed\s{1,3}|annual\s{1,3}){0,2}(?:rate\s{1,3}of\s{1,3})?(?<rate>\d{1,2}(?:\.\d{1,5})?)\s?(?:%|percent\b)/i

/** Series that a note tells by a name, whose terms the sentences with the name state. */
function seriesByName(flat: string, scale: Scale): DescribedNote[] {
  return [...flat.matchAll(seriesIssued)].map(match => {
    const { kind = '', alias = '' } = match.groups ?? {}
    const told = sentencesNaming(flat, alias, sentenceAround(flat, match.index)[0])
    const rate = told.map(each => bears.exec(each)?.groups?.['rate']).find(each => each !== undefined)
    return {
      alias,
      kind,
      coupon: rate === undefined ? null : Number(rate),
      maturity: told.flatMap(statedIn).at(0) ?? null,
      issued: amountIn(match.groups ?? {}, scale),
      from: match.index,
      to: match.index + match[0].length,
    }
  })
}

const everyEnd = new RegExp(isGone, 'gi')

/** The sentences that tell of the end of notes by their name, or without one. */
function endsOf(flat: string, alias: string | null): string[] {
  return [...flat.matchAll(everyEnd)]
    .map(({ index }) => flat.slice(...sentenceAround(flat, index)))
    .filter(
      each => alias === null || each.includes(alias) || /\b(?:the|these|such)\s{1,3}notes\b/i.test(each),
    )
    .filter(each => !isTerm.test(each))
}

/** A right to redeem, or what the proceeds repaid: neither says anything of an end. */
const isTerm = /\b(?:may(?!\s{1,3}\d)|can|could|option|right|proceeds)\b/i
