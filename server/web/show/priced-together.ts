import type { Bond } from '../../../engine/schema/resources/bonds.ts'

/** Prices within so many days of the newest are of the same time. */
const SAME_TIME_DAYS = 7

/** The bonds priced at the time of the newest price among them: older prices say nothing beside it. */
export function pricedTogether<B extends Pick<Bond, 'pricing'>>(bonds: readonly B[]): readonly B[] {
  const ages = bonds.flatMap(({ pricing }) => pricing?.staleness_days ?? [])
  const newest = ages.reduce((least, age) => Math.min(least, age), Number.POSITIVE_INFINITY)
  return bonds.filter(
    ({ pricing }) =>
      typeof pricing?.staleness_days === 'number' && pricing.staleness_days <= newest + SAME_TIME_DAYS,
  )
}

/** Duration of a bond of about ten years. */
const USUAL_DURATION = 7

/**
 * The bond that speaks for a company: of those traded last, the largest fixed one of four to eleven years that is not known to
 * be secured or subordinated, else the largest.
 */
export function benchmarkOf(bonds: readonly Bond[]): Bond | undefined {
  const distance = ({ pricing }: Bond) => Math.abs((pricing?.duration ?? 0) - USUAL_DURATION)
  const fresh = pricedTogether(bonds)
    .filter(({ pricing }) => typeof pricing?.last_price === 'number' && typeof pricing.ytm === 'number')
    .sort((a, b) => (b.outstanding ?? 0) - (a.outstanding ?? 0) || distance(a) - distance(b))
  const isUsual = ({ seniority, rate_type, pricing }: Bond) =>
    (seniority === null || seniority === 'senior_unsecured') &&
    rate_type === 'fixed' &&
    (pricing?.duration ?? 0) > 3.5 &&
    (pricing?.duration ?? 0) < 9
  return fresh.find(isUsual) ?? fresh[0]
}
