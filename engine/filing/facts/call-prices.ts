import { everyWords } from './flat-text.ts'
import { type Found, type NoteText, statementAround, subjectOf } from './note-text.ts'
import { datesIn } from './spelled-dates.ts'

interface Call {
  readonly date: string
  readonly price: number
}

/** Calls at fixed prices: by year in a table, or day by day in a sentence. */
export const callPricesIn = (text: NoteText): Found[] => [...byYearIn(text), ...byDayIn(text)]

const period = everyWords(
  String.raw`\b(?:twelve|12)[- ]month periods? (?:beginning|commencing)(?: on)? (?<day>(?:january|february|march|april|may|june|july|august|september|october|november|december) \d{1,2})\b`,
)
const row = /\b(?<year>20\d\d)(?: and(?: thereafter)?)?[\s.:]{1,300}(?<price>1\d\d(?:\.\d{1,5})?)(?= ?%|\s)/
/** How far below its sentence a table of prices may begin, and a row below another, characters. */
const [BELOW, APART] = [500, 330]

/**
 * `if redeemed during the twelve-month period beginning on June 15 of the years indicated below: 2027 103.250% 2028
 * 101.625% 2029 and thereafter 100.000%`.
 */
function byYearIn(text: NoteText): Found[] {
  const { flat } = text
  return [...flat.matchAll(period)].flatMap((match): Found[] => {
    const end = match.index + match[0].length
    const calls: Call[] = []
    let to = end
    for (;;) {
      const next = row.exec(flat.slice(to, to + (calls.length === 0 ? BELOW : APART)))
      const between = next ? flat.slice(to, to + next.index) : ''
      if (!next?.groups || (calls.length > 0 && !/^(?:\s|%|;|,|\.|and|thereafter){0,40}$/i.test(between)))
        break
      const { year, price } = next.groups as { year: string; price: string }
      calls.push({ date: datesIn(`${match.groups?.['day']}, ${year}`)[0]?.date ?? '', price: Number(price) })
      to += next.index + next[0].length
    }
    const [from] = statementAround(text, match.index)
    return scheduleOf(text, calls, from, end, to)
  })
}

const dayAndPrice =
  /\bon (?:or|and) after (?<day>[A-Z][a-z]{2,8} \d{1,2}, 20\d\d)[^.;%]{0,160}?\bat (?:a |the )?(?:redemption )?(?:price )?(?:equal to |of )?(?<price>1\d\d\.\d{1,5})%/g

/** `on or after June 15, 2027, at 103.250%, on or after June 15, 2028, at 101.625%`. */
function byDayIn(text: NoteText): Found[] {
  const { flat } = text
  const statements = new Map<number, { to: number; calls: Call[] }>()
  for (const match of flat.matchAll(dayAndPrice)) {
    const [from, to] = statementAround(text, match.index)
    const those = statements.get(from) ?? { to, calls: [] }
    const { day, price } = match.groups as { day: string; price: string }
    those.calls.push({ date: datesIn(day)[0]?.date ?? '', price: Number(price) })
    statements.set(from, those)
  }
  return [...statements].flatMap(([from, { to, calls }]) => scheduleOf(text, calls, from, to, to))
}

/** The highest call price that is no misreading. */
const MOST = 125

/** A schedule of later days at lower prices, of the series that the words before it are about. */
function scheduleOf(
  text: NoteText,
  calls: readonly Call[],
  from: number,
  subjectTo: number,
  to: number,
): Found[] {
  const [first] = calls
  if (first === undefined || first.price <= 100 || first.price > MOST) return []
  const falls = calls.every(({ date, price }, i) => {
    const before = calls[i - 1]
    return date !== '' && price >= 100 && (!before || (date > before.date && price <= before.price))
  })
  const series = subjectOf(text, from, subjectTo)
  const said = text.flat.slice(from, subjectTo)
  if (!falls || !series || first.date.slice(0, 4) > series.year || !/\bredeem|\bredemption/i.test(said))
    return []
  return [[series, { callable: true, call_schedule: calls }, from, to]]
}
