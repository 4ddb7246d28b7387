import { withDecimals } from './fractions.ts'
import { datesIn } from './spelled-dates.ts'

/** `4.75 % senior notes due `, before a day. */
const notesDue =
  /(?:(?<![\d.])(?<coupon>\d{1,2}(?:\.\d{1,5})?)\s?%[^.;%]{0,60})?\b(?:notes|debentures|bonds)[^.;]{0,60}\bdue\s{1,9}(?:on\s{1,9})?$/i

/** `5.625% Senior Notes at par, which mature on `, `at a rate of 4.375% per annum and will mature on `, before a day. */
const maturing =
  /(?<![\d.])(?<coupon>\d{1,2}(?:\.\d{1,5})?)\s?%[^.;%]{0,140}\bmatur(?:e|es|ing)\s{1,9}on\s{1,9}$/i
/** How far before a day the coupon of its notes may stand, characters. */
const BEFORE = 220

/**
 * The month or year in which a line of a table falls due as a day, where the text names one day of that month or year alone as
 * the maturity of notes: of those with its coupon, where the text says the coupon, which it must of a year.
 */
export function exactMaturity<M extends string | null>(
  { maturity, coupon }: { readonly maturity: M; readonly coupon: number | null },
  flat: string,
  periodEnd: string | null,
): M | string {
  if (maturity?.length !== 7 && maturity?.length !== 4) return maturity
  const days = datesIn(flat).filter(({ date, from }) => {
    if (!date.startsWith(maturity) || date === periodEnd) return false
    const before = withDecimals(flat.slice(Math.max(0, from - BEFORE), from))
    const match = notesDue.exec(before) ?? maturing.exec(before)
    const said = match?.groups?.['coupon']
    if (said === undefined || coupon === null) return match !== null && maturity.length === 7
    return Number(said) === coupon
  })
  const [day, ...others] = new Set(days.map(({ date }) => date))
  return day !== undefined && others.length === 0 ? day : maturity
}
