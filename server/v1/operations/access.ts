import { QueryError } from '../../../engine/base/errors.ts'
import type { Tier as Needed } from '../../../engine/schema/resource.ts'
import { type Tier, tiers } from '../../limits/tiers.ts'

const least: Record<Needed, Tier> = { any: 'pay_as_you_go', pro: 'pro', business: 'business' }

/** Alternatives with the same facts for every tier. */
export const alternatives: Readonly<Record<string, string>> = {
  'search.pricing': '/v1/bonds?has_pricing=true',
}

export const mayAsk = ({ tier: needed }: { readonly tier: Needed }, tier: Tier): boolean =>
  tiers[tier].rank >= tiers[least[needed]].rank

export function checkTier(asked: { readonly name: string; readonly tier: Needed }, tier: Tier): void {
  if (mayAsk(asked, tier)) return
  const required_tier = least[asked.tier]
  const alternative = alternatives[asked.name] ?? null
  throw new QueryError(
    'TIER_RESTRICTED',
    `${asked.name} needs the ${required_tier} tier, and this key has ${tier}${alternative ? `: use ${alternative}` : ''}`,
    { required_tier, current_tier: tier, alternative },
  )
}
