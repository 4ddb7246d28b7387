import { elementAt, groupOf } from '../base/elements.ts'
import { registrantName } from '../names/registrant-name.ts'
import type { Lines } from './block.ts'
import { oneLine } from './characters.ts'
import { formNamed } from './form.ts'

/** What a document says of itself; null if it does not. */
export interface Cover {
  readonly form: string | null
  readonly company: string | null
  /** Whether the name is a tagged fact rather than read off the page. */
  readonly isTagged: boolean
  readonly cik: string | null
  readonly ticker: string | null
  /** `YYYY-MM-DD`. */
  readonly period: string | null
  /** The day that a prospectus supplement or term sheet gives itself. */
  readonly dated: string | null
}

/** Reads tagged facts first, then the lines of the first pages. */
export function coverOf({ blocks, facts }: Lines): Cover {
  const lines = blocks.slice(0, 200).map(({ text }) => text.replaceAll(' | ', ' '))
  const fact = (name: string) => facts.get(`dei:${name}`) ?? null
  const cik = fact('EntityCentralIndexKey')
  const symbol = fact('TradingSymbol') ?? symbolOf(lines)
  const tagged = fact('EntityRegistrantName')
  const type = fact('DocumentType')
  return {
    form: (type === null ? null : (formNamed(type) ?? type)) ?? formOf(lines),
    company: tagged ?? registrantOf(lines),
    isTagged: tagged !== null,
    cik: cik !== null && /^\d{1,10}$/.test(cik) ? cik.padStart(10, '0') : null,
    ticker: symbol !== null && /^[A-Z]{1,5}([.-][A-Z])?$/.test(symbol) ? symbol : null,
    period: dayIn(fact('DocumentPeriodEndDate') ?? '') ?? periodOf(lines),
    dated: offeringDay(lines),
  }
}

function formOf(lines: readonly string[]): string | null {
  for (const line of lines.slice(0, 60)) {
    if (/^filed pursuant to rule 433\b/i.test(line)) return 'FWP'
    if (/^filed pursuant to rule 424\(b\)\((\d)\)/i.test(line)) return `424B${/\((\d)\)/.exec(line)![1]}`
    const form = /^\W*form\s*((?:10|8|6|20)-?\s?[KQF](?:SB|405|T)?)\s*(\/\s*A\b|amendment)?/i.exec(line)
    if (form) return formNamed(`${groupOf(form, 1).replace(/\s/g, '')}${form[2] ? '/A' : ''}`)
    const exhibit = /^exhibit\s*(?:no\.?\s*)?(\d{1,3})(?:\.(\d{1,3}))?\b/i.exec(line)
    if (exhibit) return `EX-${exhibit[1]}${exhibit[2] ? `.${exhibit[2]}` : ''}`
  }
  const agreement = lines.slice(0, 60).find(line => AGREEMENT.test(line) && line.length < 200)
  if (agreement) return INDENTURE.test(agreement) ? 'EX-4' : 'EX-10'
  const isSubsidiaries = lines
    .slice(0, 15)
    .some(line => /^(list of )?(significant )?subsidiaries of\b|^subsidiaries$/i.test(line))
  return isSubsidiaries ? 'EX-21' : null
}

const AGREEMENT =
  /\b((credit|loan|security|guaranty|guarantee|pledge|financing|note purchase) agreement|indenture)\b/i
const INDENTURE = /\bindenture\b/i

/** A row of a cover that lists its registrants: `001-12609 PG&E CORPORATION California 94-3234914`. */
const REGISTRANT_ROW = /^\s*\d{1,3}-\d{4,6}\s+(\S.{1,150}\d{2}-\d{7})\s*$/

/**
 * The common stock's symbol in the table of securities: `Common Stock, par value $0.01 FL New York Stock Exchange`.
 */
function symbolOf(lines: readonly string[]): string | null {
  for (const line of lines.slice(0, 80)) {
    const symbol =
      /\b(?:common|ordinary) (?:stock|shares?)\b.{0,80}?\s([A-Z]{1,5})\s+(?:the )?(?:new york stock exchange|nasdaq|nyse)\b/i.exec(
        line,
      )?.[1]
    if (symbol && symbol === symbol.toUpperCase() && !/^(THE|NEW|NYSE|NONE)$/.test(symbol)) return symbol
  }
  return null
}

const FILE_NUMBER = /^.*\bcommission\s+file\s*(?:nos?\.?|numbers?)?:?\s*[\d-]*\s*/i

/** The line above `(Exact name of registrant as specified in its charter)`, or other evidence of the filer's name. */
function registrantOf(lines: readonly string[]): string | null {
  const at = lines.findIndex(line => /exact\s+name\s+of\s+(the\s+)?(registrant|company|issuer)/i.test(line))
  if (at > 0) {
    const inside = elementAt(lines, at)
      .slice(0, elementAt(lines, at).search(/\(?exact\s+name/i))
      .trimEnd()
    for (const line of [inside, elementAt(lines, at - 1)]) {
      const text = line.replace(FILE_NUMBER, '')
      const named = isNaming(text) ? name(text) : null
      if (named !== null) return named
    }
    const listed = lines.slice(at, at + 5).flatMap(line => REGISTRANT_ROW.exec(line)?.[1] ?? [])
    const named = listed.map(name).find(said => said !== null)
    if (named) return named
  }
  const numbered = lines.findIndex(line => /^commission\s+file\s*(no|number)/i.test(line))
  const after =
    numbered < 0 ? [] : lines.slice(numbered, numbered + 3).map(line => line.replace(FILE_NUMBER, ''))
  const below = after
    .filter(line => isNaming(line) && !/exact|registrant|\(/i.test(line))
    .map(name)
    .find(said => said !== null)
  if (below) return below
  const proceeds = lines.map(
    line =>
      /\bproceeds(?:, before expenses,)? to (?!the )([A-Z].+?)(?: \(?before\b|, before\b|$)/s.exec(line)?.[1],
  )
  const offering = proceeds.find(line => line !== undefined && !/^(us|issuer|company)\b/i.test(line))
  if (offering) return name(offering)
  const list = lines.slice(0, 15)
  for (const [i, line] of list.entries()) {
    const match =
      /^(?:list of |significant |principal |direct and indirect |certain )*subsidiaries (?:of|for)\b\s*(.*)$/is.exec(
        line,
      )
    if (!match) continue
    const owner = match[1] === '' ? (list[i + 1] ?? '') : groupOf(match, 1)
    if (!/^(the )?(registrant|company)\b/i.test(owner)) return name(owner)
  }
  return null
}

const isNaming = (line: string): boolean =>
  /\p{L}{2}/u.test(line) &&
  !/^[_\W]*$|^\(|^(commission|file|number|registrant)\b|transition period|^for the |date of report|securities exchange act/i.test(
    line,
  )

const name = (text: string): string | null => {
  const clean = oneLine(text)
    .replace(/(?<![\s*†‡§])[\s*†‡§]+$/, '')
    .replace(/(?<!\s)\s*\(\d\)$/, '')
    .replace(/,? (as of|at) [A-Z][a-z]+ \d{1,2}, \d{4}.*$/s, '')
  return clean.length <= 120 ? registrantName(clean) : null
}

const PERIOD =
  /\b(?:fiscal year|year|quarter(?:ly)? period|quarter|period|date of report)\b[^.;]{0,60}?(?:ended|ending|:|reported\)?:?)[^.;]{0,40}?\b([A-Z][a-z]+\.? \d{1,2}, ?\d{4})/i

function periodOf(lines: readonly string[]): string | null {
  for (const [i, line] of lines.slice(0, 60).entries()) {
    const match = PERIOD.exec(line) ?? PERIOD.exec(`${line} ${lines[i + 1] ?? ''}`)
    const day = match && dayIn(groupOf(match, 1))
    if (day) return day
  }
  return null
}

const DAY = '(?<day>[A-Z][a-z]{2,8}\\.?\\s{1,3}\\d{1,2},\\s{0,3}\\d{4})'
/** `The date of this prospectus supplement is December 2, 2024`, of the supplement itself and not of the prospectus that it goes with. */
const ownDay = new RegExp(
  `\\bdate\\s{1,3}of\\s{1,3}this\\s{1,3}(?:prospectus|pricing)\\s{1,3}supplement\\s{1,3}is\\s{1,3}${DAY}`,
  'i',
)
/** A line of the cover: `PRELIMINARY PROSPECTUS SUPPLEMENT DATED FEBRUARY 26, 2024`, `Subject to completion, dated March 27, 2025`. */
const titleDay = new RegExp(
  `^\\W{0,3}(?:subject\\s{1,3}to\\s{1,3}completion|(?:preliminary\\s{1,3})?(?<what>prospectus\\s{1,3}supplement|pricing\\s{1,3}(?:supplement|term\\s{1,3}sheet)))(?:\\s{1,3}no\\.?\\s{1,3}[\\w-]{1,12})?,?\\s{1,3}(?:dated\\s{1,3})?${DAY}\\W{0,3}$`,
  'i',
)

/** The day of a supplement. A pricing supplement also names the prospectus supplement that it goes with, of years before. */
function offeringDay(lines: readonly string[]): string | null {
  const isPricing = lines.slice(0, 60).some(line => /\bpricing\s{1,3}supplement\b/i.test(line))
  for (const line of lines) {
    const match = ownDay.exec(line) ?? titleDay.exec(line)
    const isOther = isPricing && /^prospectus/i.test(match?.groups?.['what'] ?? '')
    const day = isOther ? undefined : match?.groups?.['day']
    if (day !== undefined) return dayIn(day.replace(/\s+/g, ' '))
  }
  return null
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** The day in `September 28, 2024`, `28 September 2024` or `2024-09-28`. */
export function dayIn(text: string): string | null {
  const iso = /(\d{4})-(\d{2})-(\d{2})/.exec(text)
  if (iso) return `${iso[1]}-${iso[2]}-${iso[3]}`
  const match = /([A-Za-z]{3,9})\.? (\d{1,2}), ?(\d{4})/.exec(text)
  const turned = match ? null : /(\d{1,2}) ([A-Za-z]{3,9}),? (\d{4})/.exec(text)
  const [month, day, year] = match
    ? [groupOf(match, 1), groupOf(match, 2), groupOf(match, 3)]
    : turned
      ? [groupOf(turned, 2), groupOf(turned, 1), groupOf(turned, 3)]
      : []
  if (month === undefined) return null
  const number = MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1
  if (number === 0 || Number(day) < 1 || Number(day) > 31) return null
  return `${year}-${String(number).padStart(2, '0')}-${day!.padStart(2, '0')}`
}
