/** Kinds of spread curve, parents first: each kind's parent is the one before. */
export const CURVE_LEVELS = ['market', 'rating', 'sector_rating', 'issuer'] as const
export type CurveLevel = (typeof CURVE_LEVELS)[number]

/** Maturities, in years, of bonds that curves are fitted to and compared with. */
export const SHORTEST_YEARS = 1
export const LONGEST_YEARS = 50

/** Fewest bonds that carry a curve: of the market, and of any other group. Smaller groups have their parent's. */
export const FEWEST_OF_MARKET = 10
export const FEWEST_OF_GROUP = 2

/** Fewest past residuals of a bond that give a z-score. */
export const FEWEST_OBSERVATIONS = 10
/** Fewest residuals of a sector and rating that give percentiles. */
export const FEWEST_IN_CELL = 5

/** Why a residual has no z-score. */
export const zNullReasons = ['no_residual', 'few_observations', 'no_variation'] as const

/** Why there is no carry and roll-down. */
export const carryNullReasons = [
  'no_residual',
  'sinking',
  'under_two_years',
  'no_treasury_curve',
  'no_price',
] as const
