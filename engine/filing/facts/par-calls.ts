import { everyWords } from './flat-text.ts'
import { onlySeriesIn, seriesIn } from './note-series.ts'
import { type Found, type NoteText, statementAround, subjectOf } from './note-text.ts'
import { datesIn } from './spelled-dates.ts'

/** The day of a call at par of each series. */
export const parCallsIn = (text: NoteText): Found[] => [...definedIn(text), ...statedIn(text)]

const definition = everyWords(String.raw`"par call date" (?:means|shall mean)\b`)

/** `"Par Call Date" means (i) with respect to the 0.875% 2025 Notes, February 24, 2025 (...), (ii) ...`. */
function definedIn({ flat, notes }: NoteText): Found[] {
  return [...flat.matchAll(definition)].flatMap(match => {
    const to = Math.min(flat.length, match.index + 2400)
    const all = seriesIn(flat, match.index, to, notes)
    // `means May 5, 2025 in the case of the 2025 Notes`: each day is before its series.
    if (datesIn(flat.slice(match.index, all[0]?.from ?? to)).length > 0) return []
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

/** `(the date that is three months prior to the maturity date of the 2030 Notes)`. */
const monthsBefore =
  /^,?\s{0,3}\((?:which is\s)?(?:the date that is\s)?(?:\w{3,8}|\d{1,3})(?: \(\d{1,3}\))? (?:calendar )?(?:months?|days?),? (?:prior to|before)\s[^()]{0,100}\bmaturity\b[^()]{0,100}\)/i
const inCaseOf = /^,?\s{1,3}(?:in the case of|with respect to)\sthe\s/i
const onOrAfter = /\bon\s{1,3}(?:or|and)\s{1,3}after\s{1,3}$/i
const isRedemption = /\b(?:redeem\w{0,4}|redemption|par call|make[- ]whole)\b/i
/** Conversions, puts, and redemptions on an event. */
const isOther =
  /\bconver(?:t|si)|\bsale price\b|\btax(?:es|ation)?\b|\bspecial\b|\bholders? (?:may|will have the right to|can) require\b/i
const atPar =
  /\b(?:100(?:\.0{1,4})?% of (?:the|their|its) (?:aggregate |outstanding |unpaid ){0,2}principal|par call\b|at par\b)/i
const isDefinition = /^"(?:[^"]{0,30} )?par call date" (?:means|shall mean)/i
const isParCallDate = /\bpar call(?: date)?:?\s{1,9}(?:on (?:or|and) after\s)?$/i

/** A day `(three months prior to the maturity date)` in a sentence about redemption; `on or after` a day at par. */
function statedIn(text: NoteText): Found[] {
  const { flat, notes } = text
  return datesIn(flat).flatMap(({ date, from: at, to: end }): Found[] => {
    const lead = inCaseOf.exec(flat.slice(end, end + 40))
    const begin = end + (lead?.[0].length ?? 0)
    const named = lead
      ? seriesIn(flat, begin, begin + 90, notes).find(each => each.from === begin)
      : undefined
    // `in the case of the 2030 notes, January 19, 2030 (one month prior to their maturity date)`.
    const led = lead ? undefined : seriesIn(flat, Math.max(0, at - 90), at, notes).at(-1)
    const isLed =
      led !== undefined &&
      /^,\s{1,3}$/.test(flat.slice(led.to, at)) &&
      /\b(?:in the case of|with respect to)\s{1,3}the\s{1,3}$/i.test(
        flat.slice(Math.max(0, led.from - 30), led.from),
      )
    const rest = named?.to ?? end
    const brackets = monthsBefore.exec(flat.slice(rest, rest + 300))
    const before = flat.slice(Math.max(0, at - 40), at)
    const [from, to] = statementAround(text, at)
    const said = flat.slice(from, to)
    const isOnOrAfter =
      onOrAfter.test(before) || (named !== undefined && /\bon (?:or|and) after\b/i.test(said))
    const isStated =
      brackets !== null ||
      isParCallDate.test(before) ||
      (named !== undefined && isDefinition.test(said)) ||
      (isOnOrAfter && atPar.test(flat.slice(end, to)))
    if (!isStated || !isRedemption.test(said) || isOther.test(said)) return []
    const inBrackets = brackets ? onlySeriesIn(flat, rest, rest + brackets[0].length, notes) : undefined
    const own = named ?? (isLed ? led : undefined)
    const series = own ?? (inBrackets === undefined ? subjectOf(text, from, to) : inBrackets)
    if (!series || date < '2000' || date.slice(0, 4) > series.year) return []
    return [[series, { callable: true, par_call_date: date }, from, to]]
  })
}
