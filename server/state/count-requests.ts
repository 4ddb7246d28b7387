import type { Window } from './state.ts'

export const WINDOW_MS = 60_000

export interface WindowRequest {
  readonly keyId: string
  readonly limit: number
  readonly n: number
  readonly now: number
  /** Whether the caller can retry once another process has returned its lease. */
  readonly patient: boolean
}

/** Requests of a key since its window began, in Unix epoch milliseconds. */
export interface WindowCount {
  readonly started_at: number
  /** Including leased requests. */
  readonly used: number
  /** Requests leased to a process, which may not have used them. */
  readonly lent: number
  /** 1 if the lease was recalled: nothing is leased again in this window. */
  readonly recalled: number
  /** The run that holds the lease. */
  readonly holder: string | null
}

/**
 * A window lasts 60 seconds from its first request. A clock that jumps back never frees a window: requests stay
 * counted, and the window is moved to the earlier time, so that it ends at most 60 seconds later. A refused request
 * starts none. `allowed` is null while another process holds a lease, which is then recalled.
 */
export function counting(
  before: WindowCount,
  { n, limit, now, patient }: Omit<WindowRequest, 'keyId'>,
): { allowed: boolean | null; shown: WindowCount; stored: WindowCount } {
  const isOver = before.started_at <= now - WINDOW_MS
  const current = isOver
    ? { started_at: now, used: 0, lent: 0, recalled: 0, holder: null }
    : {
        ...before,
        started_at: Math.min(before.started_at, now),
        lent: patient ? before.lent : 0,
      }
  if (current.lent > 0) return { allowed: null, shown: current, stored: { ...current, recalled: 1 } }
  const allowed = current.used + n <= limit
  const shown = allowed ? { ...current, used: current.used + n } : current
  return { allowed, shown, stored: isOver && !allowed ? before : shown }
}

export const known = ({ started_at, used }: WindowCount) => ({ startedAt: started_at, used })

export const window = (
  allowed: boolean,
  limit: number,
  { startedAt, used }: { readonly startedAt: number; readonly used: number },
): Window => ({
  allowed,
  limit,
  remaining: Math.max(0, limit - used),
  resetsAt: startedAt + WINDOW_MS,
})
