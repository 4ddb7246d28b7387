import { formatDay, toDay } from '../../credit/calendar.ts'
import { everyWords } from './flat-text.ts'

const months = [
  'january', 'february', 'march', 'april', 'may', 'june',
  'july', 'august', 'september', 'october', 'november', 'december',
] // biome-ignore format: half a year a row

const MONTH =
  '(?<month>jan(?:uary|\\.)?|feb(?:ruary|\\.)?|mar(?:ch|\\.)?|apr(?:il|\\.)?|may|june?\\.?|july?\\.?|aug(?:ust|\\.)?|sept?(?:ember|\\.)?|oct(?:ober|\\.)?|nov(?:ember|\\.)?|dec(?:ember|\\.)?)'
const written = everyWords(
  String.raw`(?:\b|(?<=\b(?:of|at|on)))${MONTH} ?(?<day>\d{1,2}),? ?(?<year>(?:19|20)\d{2})\b`,
)
const numeric = /\b(?<m>\d{1,2})\/(?<d>\d{1,2})\/(?<y>(?:19|20)\d{2})\b/g

export interface WrittenDate {
  readonly date: string
  readonly from: number
  readonly to: number
}

/** `December 31, 2025` and `12/31/2025` in a text, in order; nonexistent days are skipped. */
export function datesIn(flat: string): WrittenDate[] {
  const found: WrittenDate[] = []
  const add = (match: RegExpExecArray, year: number, month: number, day: number) => {
    const date = formatDay(toDay(year, month, day))
    if (
      month >= 1 &&
      month <= 12 &&
      date === `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
    )
      found.push({ date, from: match.index, to: match.index + match[0].length })
  }
  for (const match of flat.matchAll(written)) {
    const { month, day, year } = match.groups as Record<'month' | 'day' | 'year', string>
    add(
      match,
      Number(year),
      months.findIndex(m => m.startsWith(month.slice(0, 3).toLowerCase())) + 1,
      Number(day),
    )
  }
  for (const match of flat.matchAll(numeric)) {
    const { m, d, y } = match.groups as Record<'m' | 'd' | 'y', string>
    add(match, Number(y), Number(m), Number(d))
  }
  return found.sort((a, b) => a.from - b.from)
}
