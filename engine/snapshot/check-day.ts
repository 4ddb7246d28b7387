import { invalid, QueryError } from '../base/errors.ts'
import type { Manifest } from '../lake/snapshot.ts'
import { isCivilDate } from '../schema/written-day.ts'

/** Throws unless a snapshot can answer as of a day: from the first on which anything was known to its own. */
export function checkDay({ as_of, options }: Manifest, asOf: string, parameter: string): void {
  const own = as_of!
  if (!isCivilDate(asOf)) throw invalid(parameter, asOf, `${parameter} must be a valid day, YYYY-MM-DD`)
  if (asOf > own)
    throw invalid(parameter, asOf, `${parameter} is after the snapshot's as-of date ${own}`, { max: own })
  const earliest = options['earliest'] as string | null
  if (earliest !== null && asOf < earliest)
    throw new QueryError(
      'NO_SNAPSHOT',
      `nothing in the lake was known by ${asOf}; the first day is ${earliest}`,
      { earliest },
    )
}
