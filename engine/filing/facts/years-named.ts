import type { InstrumentLine } from './instrument-line.ts'
import { dayNamed } from './maturities.ts'

const YEAR_FIRST =
  /^(?:(?<month>[A-Z][a-z]{2,8}) )?(?<year>20\d\d)(?:[- ]?[A-Z])? (?:(?:\d-year|[a-z]{4,13}(?:-[a-z]{4,8})?) ){0,3}(?:notes|bonds|debentures)(?: - \d{1,2}(?:\.\d{1,5})? ?%)?$/i
const YEAR_LAST = /\b(?:notes?|bonds?|debentures?) (?<year>20\d\d)$/i

/** The year or month by which a line calls its notes, `January 2027 Notes`, `2031 Asset-Backed Notes`, `2030 Notes - 2.125%`, `2.00% Notes 2029`. */
function yearNamed(name: string): string | null {
  const { month, year } = (YEAR_FIRST.exec(name) ?? YEAR_LAST.exec(name))?.groups ?? {}
  return year === undefined ? null : dayNamed(month === undefined ? year : `${month} ${year}`)
}

/**
 * Lines of notes without a maturity that their name calls by a year or month after the report's day, when they fall due: an
 * earlier one may be that of their issue. Not where another line may be the same notes.
 */
export function withYearsNamed(lines: readonly InstrumentLine[], day: string | null): InstrumentLine[] {
  return lines.map(line => {
    const named = line.maturity == null && day !== null ? yearNamed(line.name ?? '') : null
    if (named === null || day === null || named <= day.slice(0, named.length)) return line
    const isTwice = lines.some(other => other !== line && other.maturity?.startsWith(named.slice(0, 4)))
    return isTwice ? line : { ...line, maturity: named }
  })
}
