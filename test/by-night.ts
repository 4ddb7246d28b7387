/** Whether all cases are tried, as by the nightly run (`.ci/nightly ways`): TRANCHE_ALL_WAYS=1. */
export const byNight = process.env['TRANCHE_ALL_WAYS'] === '1'

/** The first of cases that say much the same, at each change; all of them by night. */
export const firstOf = <T>(count: number, cases: readonly T[]): readonly T[] =>
  byNight ? cases : cases.slice(0, count)

/** One of so many in turn, at each change; all of them by night. */
export const oneOf = <T>(every: number, cases: readonly T[]): readonly T[] =>
  byNight ? cases : cases.filter((_, i) => i % every === 0)
