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

interface NoteDay {
  readonly date: string
  /** The coupon, percent, of the notes that mature on the day; null if the text does not say it. */
  readonly coupon: number | null
}

/** The days on which a text says that notes mature, by month and by year. */
function noteDaysOf(flat: string): Map<string, NoteDay[]> {
  const days = new Map<string, NoteDay[]>()
  for (const { date, from } of datesIn(flat)) {
    const before = withDecimals(flat.slice(Math.max(0, from - BEFORE), from))
    const match = notesDue.exec(before) ?? maturing.exec(before)
    if (match === null) continue
    const said = match.groups?.['coupon']
    const day = { date, coupon: said === undefined ? null : Number(said) }
    for (const period of [date.slice(0, 4), date.slice(0, 7)]) {
      const those = days.get(period)
      if (those === undefined) days.set(period, [day])
      else those.push(day)
    }
  }
  return days
}

/**
 * The month or year in which a line of a table falls due as a day, where the text names one day of that month or year alone as
 * the maturity of notes: of those with its coupon, where the text says the coupon, which it must of a year. Reads the text
 * once, for the first line that asks, however many lines there are.
 */
export function exactMaturities(
  flat: string,
  periodEnd: string | null,
): <M extends string | null>(debt: { readonly maturity: M; readonly coupon: number | null }) => M | string {
  let days: Map<string, NoteDay[]> | null = null
  return ({ maturity, coupon }) => {
    if (maturity?.length !== 7 && maturity?.length !== 4) return maturity
    days ??= noteDaysOf(flat)
    const named = (days.get(maturity) ?? []).filter(
      ({ date, coupon: said }) =>
        date !== periodEnd && (said === null || coupon === null ? maturity.length === 7 : said === coupon),
    )
    const [day, ...others] = new Set(named.map(({ date }) => date))
    return day !== undefined && others.length === 0 ? day : maturity
  }
}
