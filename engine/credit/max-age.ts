/** A company's figures are current for this many days after their period ended: fifteen months. */
export const DEFAULT_MAX_AGE = 456

/** A rating is current for this many days after its last action or affirmation: five years. */
export const DEFAULT_RATING_MAX_AGE = 1826

/** The limit of `max_age=none`. */
export const NO_MAX_AGE = 2_147_483_647

/** The limit in days that `max_age` asks for. */
export const maxAgeOf = (asked: number | 'none' | undefined, byDefault: number): number =>
  asked === 'none' ? NO_MAX_AGE : (asked ?? byDefault)

/** Limits from `from` to `to`, inclusive. */
export interface AgeSpan {
  readonly from: number
  readonly to: number
}

/** The ranges of the limit over which the same ages pass it: an age passes a limit that is not below it. */
export function ageSpans(ages: readonly number[]): AgeSpan[] {
  const starts = [...new Set([0, ...ages.map(age => Math.max(age, 0))])].sort((a, b) => a - b)
  return starts.map((from, i) => ({ from, to: (starts[i + 1] ?? NO_MAX_AGE + 1) - 1 }))
}
