import { DATE } from './facility-maturity.ts'
import type { Mention } from './facility-mentions.ts'
import { dayNamed } from './maturities.ts'
import { monthAfter, NUMBERS, numberSaid, ORDINALS } from './tenors.ts'

// Reports of agreements let facilities fall due some years after a day that stands elsewhere: `five years after the Closing Date`.

const WHAT =
  "(?<what>(?:[\\w'-]+\\s{1,3}){0,4}?(?:closing|effective|amendment|restatement|funding|issue|signing)(?:\\s{1,3}date)?\\b|date\\s{1,3}(?:of\\s{1,3}(?:(?:the|its)\\s{1,3})?(?:initial\\s{1,3})?(?:closing|funding|agreement|execution|credit\\s{1,3}agreement|amendment)|hereof|thereof)|effectiveness|execution)"
const later = new RegExp(
  `\\b(?:matur\\w+|expir\\w+|terminat\\w+|due|payable|repaid|term)\\b(?:[^.;$]|\\.(?=\\d)){0,90}?(?:(?<ordinal>${ORDINALS.join('|')})(?:\\s{1,3}\\(\\w{3,4}\\))?\\s{1,3}anniversary\\s{1,3}of|(?<days>36[0-9])(?:\\s{1,3}\\(\\d{3}\\))?\\s{1,3}days?\\s{1,3}(?:after|from|following)|(?<years>${NUMBERS.join('|')}|\\d)(?:\\s{1,3}\\(\\d\\))?\\s{1,3}years?\\s{1,3}(?:after|from|following))\\s{1,3}(?:(?:the|its)\\s{1,3})?${WHAT}`,
  'i',
)
/** Days of what the facility depends on, or of another day that may come before. */
const isOtherwise = /\b(?:earlier|earliest|options?|may(?!\s{1,3}\d)|if|notes)\b/i
const agreedOn = new RegExp(
  `\\b(?:on|effective|dated\\s{1,3}as\\s{1,3}of)\\s{1,3}(?<date>${DATE})\\b(?:[^.;]|\\.(?=\\w)){0,120}?\\b(?:entered\\s{1,3}into|executed|closed|amended|completed|borrowed)\\b`,
  'gi',
)
/** How far before a facility the day of its agreement may stand, characters. */
const BEFORE = 2500
/** How far behind its name the years of one of several facilities may stand, characters. */
const OWN = 160

/** What is said of a facility. */
interface Said {
  /** From its amount on, up to the next facility. */
  readonly own: string
  readonly sentence: string
  readonly following: readonly string[]
  /** What the text calls it. */
  readonly alias: string | undefined
}

/**
 * The month in which a facility of a report falls due that is said to end years after its agreement, where the report gives the day
 * of that; the day itself where the text calls that day by the same name, `(the "Closing Date")`.
 */
export function dueYearsAfter(
  flat: string,
  mention: Mention,
  { own, sentence, following, alias }: Said,
): string | null {
  const said = [own, ...following].flatMap(sentence => {
    const at = alias === undefined ? -1 : sentence.indexOf(alias)
    const behind = at < 0 ? sentence : sentence.slice(at, at + alias!.length + OWN)
    const match = later.exec(behind)
    return match === null || isOtherwise.test(match[0]) ? [] : [match.groups ?? {}]
  })
  const [first] = said
  const before = flat.slice(Math.max(0, mention.from - BEFORE), mention.from)
  const agreed = [...before.matchAll(agreedOn)].at(-1)
  const agreedDay = dayNamed((agreed?.groups?.['date'] ?? '').replace(/\s+/g, ' '))
  if (first === undefined) {
    // Of an amendment the tenor is that of the agreement before it.
    const isNew = agreed !== undefined && !/\bamend/i.test(before.slice(agreed.index))
    const tenor = isNew ? tenorIn(sentence) : null
    return tenor === null || agreedDay === null ? null : afterTenor(agreedDay, tenor)
  }
  const { ordinal, years, days, what = '' } = first
  const number = ordinal === undefined ? numberSaid(years ?? '') : ORDINALS.indexOf(ordinal.toLowerCase()) + 1
  const named = dayCalled(flat, what)
  // Loans that are drawn later fall due after a day that the report does not know.
  const day = named ?? (/\bfunding\b/i.test(what) ? null : agreedDay)
  if (day === null) return null
  if (days !== undefined) return afterTenor(day, days)
  if (number < 1) return null
  const due = `${Number(day.slice(0, 4)) + number}${day.slice(4)}`
  return named === null || due.endsWith('02-29') ? due.slice(0, 7) : due
}

const everyTenor = /\b(?:(?<years>two|three|four|five|six|seven|[2-7])[- ]year|(?<days>36[0-9])[- ]day)\b/gi

/** The one tenor that a sentence gives a facility, `five` or `364`. */
function tenorIn(sentence: string): string | null {
  const [one, ...others] = new Set(
    [...sentence.matchAll(everyTenor)].map(({ groups }) =>
      (groups?.['years'] ?? groups?.['days'] ?? '').toLowerCase(),
    ),
  )
  return one === undefined || others.length > 0 || /\bextension|\boptions?\b/i.test(sentence) ? null : one
}

/** The month some years, or days of a year, after a day. */
function afterTenor(day: string, tenor: string): string | null {
  if (/^36\d$/.test(tenor))
    return day.length < 10
      ? null
      : new Date(Date.parse(day) + Number(tenor) * 86_400_000).toISOString().slice(0, 7)
  return monthAfter(day, numberSaid(tenor))
}

/** The day that a text calls by a name between quotes, `April 26, 2023 (the "Closing Date")`. */
function dayCalled(flat: string, what: string): string | null {
  const name = what.replace(/\s+/g, ' ')
  const at = flat.search(/\(the\s"/) < 0 ? -1 : flat.toLowerCase().indexOf(`"${name.toLowerCase()}"`)
  if (at < 0) return null
  const date = lastDate.exec(flat.slice(Math.max(0, at - 60), at))?.groups?.['date'] ?? ''
  const day = dayNamed(date.replace(/\s+/g, ' '))
  return day?.length === 10 ? day : null
}
const lastDate = new RegExp(`(?<date>${DATE})[^.;\\d]{0,30}$`, 'i')
