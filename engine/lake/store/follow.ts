import { setTimeout as pause } from 'node:timers/promises'
import { type Pulled, type PullOptions, pull } from './pull.ts'
import type { Store } from './store.ts'

export interface FollowOptions extends PullOptions {
  /** How often the store is asked for a new snapshot. */
  readonly everyMs: number
  readonly signal: AbortSignal
  readonly onPulled: (pulled: Pulled) => void
  /** The store cannot be read, or a snapshot of it is damaged: the last one goes on answering. Called once per failure. */
  readonly onFailure: (error: unknown) => void
}

/** Keeps a copy up to date until the signal: pulls each new snapshot, which readers of the folder then switch to. */
export async function follow(store: Store, folder: string, options: FollowOptions): Promise<void> {
  const { everyMs, signal, onPulled, onFailure, ...how } = options
  let seen: string | undefined
  let failing = ''
  while (!signal.aborted) {
    try {
      const current = await store.read('CURRENT', signal)
      if (current === null || current.tag !== seen) {
        const pulled = await pull(store, folder, { ...how, signal })
        if (pulled.snapshot !== pulled.before) onPulled(pulled)
        // Asked again with the tag of what was read before the pull: a snapshot pushed meanwhile is seen next time.
        seen = current?.tag
      }
      failing = ''
    } catch (error) {
      if (signal.aborted) return
      const text = error instanceof Error ? error.message : String(error)
      if (text !== failing) onFailure(error)
      failing = text
    }
    await pause(everyMs, undefined, { signal }).catch(() => {})
  }
}
