import { integer } from '../../engine/schema/column.ts'
import { fallback, one } from '../../engine/schema/params.ts'
import { packages, tiers } from '../limits/tiers.ts'
import { keysOf } from './keys.ts'
import { forSignedIn } from './operation.ts'

export const partParams = {
  limit: fallback(one(integer('Rows.'), { min: 1, max: 500 }), 100),
  offset: fallback(one(integer('Rows to skip.'), { min: 0 }), 0),
}

/** Credits belong to keys; the balance is their sum. */
const credits = forSignedIn({
  name: 'account.credits',
  method: 'GET',
  path: '/account/credits',
  params: partParams,
  async handle({ state, session }, part) {
    const keys = await keysOf(state, session)
    const inForce = keys.filter(key => key.revokedAt === null)
    const balances = await Promise.all(
      inForce.map(async ({ keyId, label, prefix, tier }) => ({
        id: keyId,
        label,
        prefix,
        tier,
        unlimited: !tiers[tier].paid,
        ...(await state.balance(keyId)),
      })),
    )
    const sum = (name: 'remaining' | 'used' | 'purchased') =>
      balances.reduce((all, balance) => all + balance[name], 0)
    const { rows, total } = await state.ledger(
      keys.map(key => key.keyId),
      part,
    )
    return {
      body: {
        data: {
          balance: { remaining: sum('remaining'), used: sum('used'), purchased: sum('purchased') },
          keys: balances,
          packages: Object.entries(packages).map(([dollars, credits]) => ({
            dollars: Number(dollars),
            credits,
          })),
          ledger: rows.map(({ keyId, requestId, ...row }) => ({
            ...row,
            key_id: keyId,
            request_id: requestId,
          })),
        },
        meta: { total, ...part },
      },
    }
  },
})

export const creditOperations = [credits]
