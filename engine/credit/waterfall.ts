/** The order of claims at one level of a group. */
export const claimClasses = ['first_lien', 'second_lien', 'senior_unsecured', 'subordinated'] as const
export type ClaimClass = (typeof claimClasses)[number]

export interface RankedClaim {
  readonly id: string
  /** The level of the group whose value it reaches first: 0 is nearest to the assets. */
  readonly level: number
  readonly claimClass: ClaimClass
  readonly amount: number
  /** Value of its own collateral; null for a lien on all assets. */
  readonly collateral: number | null
}

export interface Recovery {
  readonly amount: number
  /** The part that collateral gave it. */
  readonly fromCollateral: number
}

export interface Distribution {
  readonly recoveries: ReadonlyMap<string, Recovery>
  /** What is left for owners. */
  readonly residual: number
}

/**
 * Pays claims out of a value, level by level: what a level leaves is its owner's, the next level's, so creditors of
 * owners rank behind (structural subordination). Within a level liens come first, in their order, from what they
 * attach; then unsecured claims with what collateral did not pay, pro rata; then subordinated ones.
 */
export function distribute(value: number, claims: readonly RankedClaim[]): Distribution {
  const recoveries = new Map<string, Recovery>()
  let pool = Math.max(value, 0)
  const pay = (owed: readonly { readonly id: string; readonly amount: number }[], isSecured: boolean) => {
    const total = owed.reduce((sum, { amount }) => sum + amount, 0)
    const share = total === 0 ? 0 : Math.min(1, pool / total)
    // Rounded along the running total, so that the parts add up to the cent.
    let [exact, paid] = [0, 0]
    for (const { id, amount } of owed) {
      exact += amount * share
      const part = Math.round(exact) - paid
      paid += part
      const before = recoveries.get(id) ?? { amount: 0, fromCollateral: 0 }
      recoveries.set(id, {
        amount: before.amount + part,
        fromCollateral: before.fromCollateral + (isSecured ? part : 0),
      })
    }
    pool -= paid
  }
  const rest = ({ id, amount }: RankedClaim) => ({ id, amount: amount - (recoveries.get(id)?.amount ?? 0) })
  for (const level of [...new Set(claims.map(claim => claim.level))].sort((a, b) => a - b)) {
    const own = claims.filter(claim => claim.level === level)
    const of = (claimClass: ClaimClass) => own.filter(claim => claim.claimClass === claimClass)
    for (const lien of ['first_lien', 'second_lien'] as const) {
      const limited = of(lien).filter(({ collateral }) => collateral !== null)
      pay(
        limited.map(({ id, amount, collateral }) => ({ id, amount: Math.min(amount, collateral!) })),
        true,
      )
      pay(
        of(lien).filter(({ collateral }) => collateral === null),
        true,
      )
    }
    pay([...of('first_lien'), ...of('second_lien'), ...of('senior_unsecured')].map(rest), false)
    pay(of('subordinated'), false)
  }
  return { recoveries, residual: pool }
}
