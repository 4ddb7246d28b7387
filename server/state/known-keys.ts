import { hash } from 'node:crypto'
import type { MaybePromise } from '../../engine/base/maybe-promise.ts'
import type { Principal } from './state.ts'
import type { Store } from './store.ts'

/** Maximum number of cached keys. */
const MOST = 20_000

/** Cached keys, valid as long as nothing stored about keys can have changed. */
export function knownKeys({ changes }: Store, look: (presented: string) => Promise<Principal | null>) {
  if (!changes) return look
  const known = new Map<string, Principal>()
  let seen = changes()
  const isCurrent = () => {
    const now = changes()
    const same = now === seen
    seen = now
    return same
  }
  const lookUp = async (presented: string, id: string): Promise<Principal | null> => {
    const at = seen
    const found = await look(presented)
    if (found && changes() === at) {
      if (known.size >= MOST) known.clear()
      known.set(id, found)
    }
    return found
  }
  return (presented: string): MaybePromise<Principal | null> => {
    if (!isCurrent()) known.clear()
    const id = hash('sha256', presented, 'base64')
    return known.get(id) ?? lookUp(presented, id)
  }
}
