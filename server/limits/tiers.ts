/** The rights of each tier: requests a minute per key, and whether calls cost credits. */
export const tiers = {
  pay_as_you_go: { limit: 60, paid: true, rank: 0, coverage: 'standard', seats: 1 },
  pro: { limit: 100, paid: false, rank: 1, coverage: 'standard', seats: 1 },
  business: { limit: 500, paid: false, rank: 2, coverage: 'all', seats: 5 },
} as const

export type Tier = keyof typeof tiers

/** Credits by cost class. */
export const credits = { free: 0, simple: 1, complex: 2, advanced: 3 } as const

/** Credits in a prepaid package, by price. */
export const packages = { 10: 200, 25: 500, 50: 1000, 100: 2000 } as const

/** Names of tiers as an operator may write them. */
export const namedTiers = ['payg', 'pay_as_you_go', 'pro', 'business'] as const

export const tierNamed = (name: (typeof namedTiers)[number]): Tier =>
  name === 'payg' ? 'pay_as_you_go' : name
