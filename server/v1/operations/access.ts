import { QueryError } from '../../../engine/base/errors.ts'
import type { Tier as Needed } from '../../../engine/schema/resource.ts'
import { type Tier, tiers } from '../../limits/tiers.ts'

const least: Record<Needed, Tier> = { any: 'pay_as_you_go', pro: 'pro', business: 'business' }

export const mayAsk = ({ tier: needed }: { readonly tier: Needed }, tier: Tier): boolean =>
  tiers[tier].rank >= tiers[least[needed]].rank

interface Restricted {
  readonly name: string
  readonly tier: Needed
  readonly alternative?: string
}

export function checkTier(restricted: Restricted, tier: Tier): void {
  if (mayAsk(restricted, tier)) return
  const required_tier = least[restricted.tier]
  const { alternative = null } = restricted
  throw new QueryError(
    'TIER_RESTRICTED',
    `${restricted.name} needs the ${required_tier} tier, but this key has ${tier}${alternative ? `: use ${alternative}` : ''}`,
    { required_tier, current_tier: tier, alternative },
  )
}
