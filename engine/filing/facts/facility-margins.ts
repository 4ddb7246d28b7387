import { ofFloor } from './floors.ts'
import type { InstrumentLine } from './instrument-line.ts'

/** The words of an interest rate that a margin is added to. */
const margin =
  /\b(?<index>SOFR|LIBOR|EURIBOR|Secured\s+Overnight\s+Financing\s+Rate|London\s+Inter-?bank\s+Offered\s+Rate)\b(?:(?!\bbase\s+rate\b|\bfederal\s+funds\b|\bprime\b)[^.;%]){0,130}?(?:\bplus\b|\bin\s+addition\s+to\b)(?<between>[^.;%\d]{0,80})(?:(?<percent>\d{1,2}(?:\.\d{1,4})?) ?%|(?<points>\d{1,3}(?:\.\d{1,2})?)\s+basis\s+points)/i

/** Before an index: it is one of the rates of which a base rate is the highest. */
const ofBaseRate = /\b(?:highest|greatest|higher|greater)\s{1,3}of\b(?:[^.]|\.\d)*$/i
/** Most characters of the rates that stand before the last of them. */
const BASE_RATE = 400

/** `(plus a 0.10% credit spread adjustment)`, `plus an adjustment of 0.10%`: makes one index of another. */
const ofAdjustment =
  /\(?\bplus\s{1,3}an?\s{1,3}(?:[\d.]{1,6}\s?%\s{1,3}adjustment\b|[\d.]{1,6}\s?%\s{1,3}credit\b(?:[^().;%]{0,260}?\badjustment\b\)?)?|(?:[a-z]+\s{1,3}){0,3}?adjustment\s{1,3}(?:of|equal\s{1,3}to)\s{1,3}[\d.]{1,6}\s?%(?:\s{1,3}\([^()]{0,60}\))?)/gi
/** `Adjusted Term SOFR Rate (defined as the Term SOFR Rate plus 0.10%)`. */
const ofDefinition = /\(defined\s{1,3}as\b[^()]{0,160}\)/gi
/** `plus a 0.10% adjustment and a spread of`: the margin is what stands behind it. */
const andAdjustment = /\bplus\s{1,3}an?\s{1,3}[\d.]{1,6}\s?%\s{1,3}adjustment,?\s{1,3}(?:and|plus)\s{1,3}/gi
/** One margin over one index; the index alone where the margin depends on a rating or a ratio. */
export function marginIn(said: string): InstrumentLine {
  const text = said
    .replace(ofDefinition, ' ')
    .replace(andAdjustment, 'plus ')
    .replace(ofAdjustment, ' ')
    .replace(ofFloor, ' ')
  const told = marginOver(text)
  return told.benchmark === undefined ? indexIn(text) : told
}

const bears =
  /\b(?:bears?|bearing|accrues?|accruing|bore)\s+interest\b|\binterest\s+rates?\b|\b(?:borrowings|loans|advances)\b[^.;]{0,60}\binterest\b/i
const everyIndex =
  /\b(?:SOFR|LIBOR|EURIBOR|SONIA|Secured\s+Overnight\s+Financing\s+Rate|London\s+Inter-?bank\s+Offered\s+Rate)\b/gi
/** A reference that was, or that another may replace. */
const isFormerIndex =
  /\b(?:replac\w+|transition\w*|cessation|discontinu\w+|swaps?|hedg\w+|successor)\b|\bchang(?:ed?|es|ing)\b[^.;]{0,80}\bfrom\b/i

/** The one index of the sentences that say what interest a facility bears. */
function indexIn(text: string): InstrumentLine {
  // Items of a list are about other debt.
  if (/[\u2022\u25aa\u25cf\u00b7]/.test(text)) return {}
  const sentences = text.split(/(?<=\.)\s/).filter(each => bears.test(each))
  if (sentences.some(each => isFormerIndex.test(each))) return {}
  const [name, ...others] = new Set(
    sentences.flatMap(each => [...each.matchAll(everyIndex)].map(([index]) => nameOf(index))),
  )
  return name === undefined || others.length > 0 ? {} : { benchmark: name }
}

const nameOf = (index: string): string =>
  /sofr|secured/i.test(index)
    ? 'SOFR'
    : /euribor/i.test(index)
      ? 'EURIBOR'
      : /sonia/i.test(index)
        ? 'SONIA'
        : 'LIBOR'

const andMargin = /^[^.]{0,400}\bin\s+(?:each|either)\s+case,?\s+plus\b/i

function marginOver(text: string): InstrumentLine {
  const match = margin.exec(text)
  if (match !== null && ofBaseRate.test(text.slice(Math.max(0, match.index - BASE_RATE), match.index)))
    return {}
  // `SOFR plus 0.10% plus 1.25% to 1.65%`.
  if (match && /^\s{0,3}(?:plus|\+)\s{0,3}\d/.test(text.slice(match.index + match[0].length))) return {}
  // `Term SOFR plus 0.10%, ... in each case, plus an applicable margin`.
  if (match && andMargin.test(text.slice(match.index + match[0].length))) return {}
  const { index = '', between = '', percent, points } = match?.groups ?? {}
  // `the one-month rate plus 1.00%` is one of the rates that a base rate is the highest of.
  if (
    match &&
    /\bone[\s-]month\b/i.test(text.slice(Math.max(0, match.index - 20), match.index + match[0].length)) &&
    Number(percent) === 1
  )
    return {}
  if (!match || /\b(?:rang\w+|between|from|vary\w*|varies|depend\w*|based)\b/i.test(between)) return {}
  if (
    /^[^.;]{0,60}(?:\b(?:to|or)\s+\d|depend|based on|-\s?\d)/i.test(
      text.slice(match.index + match[0].length).slice(0, 90),
    )
  )
    return {}
  const spread_bps = percent !== undefined ? Math.round(Number(percent) * 1e5) / 1e3 : Number(points)
  return { benchmark: nameOf(index), spread_bps }
}
