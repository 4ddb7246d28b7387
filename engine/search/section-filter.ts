// The columns hold a value for every section, and the tests run for each: hence the non-null assertions.
import type { Names, SectionColumns } from './keyword/section-writer.ts'
import { NO_DAY } from './text/section.ts'

/** Which sections may be found; what is not said does not narrow. Days count from 1970. */
export interface SectionFilter {
  readonly companies?: readonly string[]
  readonly docTypes?: readonly string[]
  readonly sectionTypes?: readonly string[]
  readonly filedAfter?: number
  readonly filedBefore?: number
  /** Known by the close of this day; sections without a known day are left out. */
  readonly knownBy?: number
  readonly standardOnly?: boolean
}

/** 1 for each section that passes a filter; null where all do. */
export function allowedSections(
  filter: SectionFilter,
  columns: SectionColumns,
  names: Names,
): Uint8Array | null {
  const { company, docType, sectionType, filed, known, extended } = columns
  const tests: ((section: number) => boolean)[] = []
  const among = (wanted: readonly string[] | undefined, column: Int32Array, all: readonly string[]) => {
    if (!wanted) return
    const asked = new Set(wanted.map(name => name.toLowerCase()))
    const pass = Uint8Array.from(all, name => (asked.has(name.toLowerCase()) ? 1 : 0))
    tests.push(section => pass[column[section]!] === 1)
  }
  among(filter.companies, company, names.company)
  among(filter.docTypes, docType, names.docType)
  among(filter.sectionTypes, sectionType, names.sectionType)
  const { filedAfter, filedBefore, knownBy } = filter
  if (filedAfter !== undefined) tests.push(section => filed[section]! >= filedAfter)
  if (filedBefore !== undefined)
    tests.push(section => filed[section]! <= filedBefore && filed[section] !== NO_DAY)
  if (knownBy !== undefined) tests.push(section => known[section]! <= knownBy && known[section] !== NO_DAY)
  if (filter.standardOnly) tests.push(section => extended[section] === 0)
  if (tests.length === 0) return null
  const allowed = new Uint8Array(company.length).fill(1)
  for (const passes of tests)
    for (let section = 0; section < allowed.length; section++)
      if (allowed[section] === 1 && !passes(section)) allowed[section] = 0
  return allowed
}

/** How many sections a filter on the known day leaves out because their day is not known. */
export function undatedSections(filter: SectionFilter, columns: SectionColumns, names: Names): number {
  if (filter.knownBy === undefined) return 0
  const { knownBy: _, ...others } = filter
  const allowed = allowedSections(others, columns, names)
  return columns.known.reduce(
    (n, day, i) => n + (day === NO_DAY && (!allowed || allowed[i] === 1) ? 1 : 0),
    0,
  )
}
