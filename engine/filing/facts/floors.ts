import type { InstrumentLine } from './instrument-line.ts'

const RATE = '(?<rate>\\d{1,2}(?:\\.\\d{1,4})?) ?%'
const INDEX =
  '(?:(?:adjusted|term|daily|simple|the)\\s{1,3}){0,3}(?:SOFR|LIBOR|EURIBOR|SONIA|benchmark|interest\\s{1,3}rate)'
/** `subject to a SOFR floor of 0.75%`, `(with a floor of 1.00%)`, `subject to a 0.50% floor`, `(but not less than 0.75% per annum)`. */
const floors = [
  `\\b(?:(?:${INDEX})\\s{1,3})?(?:rate\\s{1,3})?floor\\s{1,3}(?:of|equal\\s{1,3}to|at)\\s{1,3}(?:${RATE}|(?<zero>zero)\\b)`,
  `\\bsubject\\s{1,3}to\\s{1,3}(?:an?\\s{1,3})?${RATE}\\s{1,3}(?:${INDEX}\\s{1,3})?floor\\b`,
  `\\b${INDEX}\\b[^.;%]{0,30}\\bnot\\s{1,3}(?:be\\s{1,3})?less\\s{1,3}than\\s{1,3}(?:${RATE}|(?<zero>zero)\\b)`,
].map(pattern => new RegExp(pattern, 'gi'))
/** A floor of another rate than the reference of a loan. */
const isOfBase = /\b(?:base|prime|ABR|federal\s{1,3}funds)\b[^.;%]{0,60}$/i

/** A floor in brackets between a reference and its margin, `Term SOFR (subject to a 0.00% floor) plus 2.75%`. */
export const ofFloor =
  /,?\s{1,3}subject\s{1,3}to\s{1,3}an?\s{1,3}(?:(?:[\w-]{2,12}\s{1,3}){0,3}floor\s{1,3}of\s{1,3}[\d.]{1,6}\s?%|[\d.]{1,6}\s?%\s{1,3}(?:[\w-]{2,12}\s{1,3}){0,2}floor),?|\((?:[A-Z\d-]{2,8}\s{1,3})?floor\s{1,3}of\s{1,3}[\d.]{1,6}\s?%\)|\((?:subject\s{1,3}to|with|but)\s{1,3}[^()]{0,80}?(?:\bfloor\b|\bless\s{1,3}than\b)[^()]{0,60}\)/gi

/** The one floor of the reference that the words about a facility state, in basis points. */
export function floorIn(said: string): InstrumentLine {
  const all = floors.flatMap(pattern =>
    [...said.matchAll(pattern)].flatMap(({ index, groups = {} }) =>
      isOfBase.test(said.slice(Math.max(0, index - 80), index))
        ? []
        : [groups['zero'] === undefined ? Number(groups['rate']) : 0],
    ),
  )
  const [floor, ...others] = new Set(all)
  return floor === undefined || others.length > 0 ? {} : { floor_bps: Math.round(floor * 1e5) / 1e3 }
}
