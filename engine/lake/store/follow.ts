import { setTimeout as pause } from 'node:timers/promises'
import { QueryError } from '../../base/errors.ts'
import { openLake } from '../lake.ts'
import { hasSnapshot } from '../snapshot.ts'
import { type Pulled, type PullOptions, pull } from './pull.ts'
import { manifestName } from './push.ts'
import type { Store } from './store.ts'

/** Snapshots that may be asked for at a time: names that are made up must not hold up the next pull for long. */
const MOST_ASKED = 4

export interface FollowOptions extends Omit<PullOptions, 'snapshot'> {
  /** How often the store is asked for a new snapshot. */
  readonly everyMs: number
  readonly signal: AbortSignal
  readonly onPulled: (pulled: Pulled) => void
  /** The store cannot be read, or a snapshot of it is damaged: the last one goes on answering. Called once per failure. */
  readonly onFailure: (error: unknown) => void
}

export interface Follower {
  /** Resolves after the signal. */
  readonly done: Promise<void>
  /**
   * Asks the store at once, and copies the named snapshot if only the store has it.
   * @returns whether the copy holds it; rejects if the store cannot be read
   */
  copy(id: string): Promise<boolean>
}

/**
 * Keeps a copy up to date until the signal: pulls each new snapshot, which readers of the folder then switch to, and
 * snapshots that are asked for by name, which other copies may have had before this one.
 */
export function follow(store: Store, folder: string, options: FollowOptions): Follower {
  const { everyMs, signal, onPulled, onFailure, ...how } = options
  let seen: string | undefined
  let last: Promise<unknown> = Promise.resolve()
  /** Pulls write to one folder, so they run one after the other. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work)
    last = result.catch(() => {})
    return result
  }

  const look = async (): Promise<void> => {
    const current = await store.read('CURRENT', signal)
    if (current !== null && current.tag === seen) return
    const pulled = await pull(store, folder, { ...how, signal })
    if (pulled.snapshot !== pulled.before) onPulled(pulled)
    // Asked again with the tag of what was read before the pull: a snapshot pushed meanwhile is seen next time.
    seen = current?.tag
  }

  const watch = async (): Promise<void> => {
    let failing = ''
    while (!signal.aborted) {
      try {
        await inTurn(look)
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

  const find = async (id: string): Promise<boolean> => {
    const lake = await openLake(folder)
    if (await hasSnapshot(lake, id)) return true
    await look()
    if (await hasSnapshot(lake, id)) return true
    if ((await store.read(manifestName(id), signal)) === null) return false
    await pull(store, folder, { ...how, signal, snapshot: id })
    return true
  }
  const asked = new Map<string, Promise<boolean>>()
  return {
    done: watch(),
    async copy(id) {
      const known = asked.get(id)
      if (known) return known
      if (asked.size >= MOST_ASKED)
        throw new QueryError('OVERLOADED', 'other snapshots are being copied: try again soon')
      const found = inTurn(() => find(id)).finally(() => asked.delete(id))
      asked.set(id, found)
      return found
    },
  }
}
