import { prepared } from './prepared.ts'
import type { State, Window } from './state.ts'
import type { Store } from './store.ts'

const WINDOW_MS = 60_000

interface Take {
  keyId: string
  n: number
  /** Requests that may have been made already: the limit less `n`. */
  room: number
  now: number
  /** A window that began at or before this is over. */
  over: number
}

/**
 * A window lasts 60 seconds from its first request. It is kept in the store and moved in one statement, so that it is
 * exact over processes and restarts. A clock that jumps back never frees a window: requests stay counted, and the window
 * begins anew at the earlier time, so that it ends at most 60 seconds later.
 */
export function windows({ db }: Store): Pick<State, 'take'> {
  const move = prepared((v: Take) =>
    db
      .updateTable('windows')
      .set(e => {
        const fresh = e('started_at', '<=', v.over)
        const earlier = e('started_at', '>', v.now)
        return {
          started_at: e
            .case()
            .when(e.or([fresh, earlier]))
            .then(v.now)
            .else(e.ref('started_at'))
            .end(),
          used: e
            .case()
            .when(fresh)
            .then(v.n)
            .else(e('used', '+', v.n))
            .end(),
        }
      })
      .where('key_id', '=', v.keyId)
      .where(e => e.or([e('started_at', '<=', v.over), e('used', '<=', v.room)]))
      .returning(['started_at', 'used']),
  )
  const look = prepared((v: { keyId: string }) =>
    db.selectFrom('windows').select(['started_at', 'used']).where('key_id', '=', v.keyId),
  )
  const bringForward = prepared((v: { keyId: string; now: number }) =>
    db
      .updateTable('windows')
      .set({ started_at: v.now })
      .where('key_id', '=', v.keyId)
      .where('started_at', '>', v.now),
  )

  return {
    async take(keyId, limit, n, now) {
      const over = now - WINDOW_MS
      if (n <= limit) {
        const [row] = await move(db, { keyId, room: limit - n, n, now, over })
        if (row) return window(true, limit, row)
      }
      const [row] = await look(db, { keyId })
      if (!row || row.started_at <= over) return window(false, limit, { started_at: now, used: 0 })
      if (row.started_at > now) await bringForward(db, { keyId, now })
      return window(false, limit, { started_at: Math.min(row.started_at, now), used: row.used })
    },
  }
}

const window = (
  allowed: boolean,
  limit: number,
  { started_at, used }: { started_at: number; used: number },
): Window => ({ allowed, limit, remaining: Math.max(0, limit - used), resetsAt: started_at + WINDOW_MS })
