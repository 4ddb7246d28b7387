import { type Tier, tiers } from '../tiers.ts'
import { textOf } from './each.ts'
import { grouped } from './grouped.ts'
import { principal } from './keys.ts'
import { prepared } from './prepared.ts'
import { hashOf, isKey } from './secret.ts'
import type { State } from './state.ts'
import type { Store } from './store.ts'
import { countAll, moving } from './windows.ts'

interface Asked {
  readonly hash: string
  readonly now: number
}

/** Whose key it is and what it has left, for all requests of a turn in one transaction. */
export function admission(store: Store, secret: Uint8Array): Pick<State, 'admit'> {
  const look = prepared((v: { hashes: string }) =>
    store.db
      .selectFrom('windows')
      .innerJoin('keys', 'keys.id', 'windows.key_id')
      .select(['started_at', 'used', 'hash', 'id', 'account_id', 'email', 'tier', 'label', 'prefix'])
      .select('created_at')
      .where('hash', 'in', e =>
        e.selectFrom(store.each(v.hashes).as('one')).select(textOf('hash').as('hash')),
      )
      .where('revoked_at', 'is', null)
      .orderBy('key_id')
      .$if(store.kind === 'postgres', rows => rows.forUpdate('windows')),
  )
  const move = moving(store)
  const admit = grouped((asked: readonly Asked[]) =>
    store.transaction(async tx => {
      const hashes = [...new Set(asked.map(({ hash }) => hash))].map(hash => ({ hash }))
      const rows = new Map((await look(tx, { hashes: JSON.stringify(hashes) })).map(row => [row.hash, row]))
      const known = asked.flatMap(({ hash, now }, i) => {
        const row = rows.get(hash)
        return row ? [{ i, row, keyId: row.id, limit: tiers[row.tier as Tier].limit, n: 1, now }] : []
      })
      const counted = countAll(known, new Map([...rows.values()].map(row => [row.id, row])))
      await move(tx, counted.moved)
      const admitted = new Array<Awaited<ReturnType<State['admit']>>>(asked.length).fill(null)
      for (const [j, { i, row }] of known.entries())
        admitted[i] = { principal: principal(row), window: counted.windows[j]! }
      return admitted
    }),
  )
  return {
    admit: async (presented, now) =>
      isKey(presented) ? admit({ hash: hashOf(secret, presented), now }) : null,
  }
}
