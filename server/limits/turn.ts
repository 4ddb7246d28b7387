import type { MaybePromise } from '../../engine/base/maybe-promise.ts'

/** A slot of a queue. A long task passes it on between its parts, and waits for it again. */
export interface Turn {
  /** Lets those that wait have the slot. Parts that run at once share the wait. Does nothing once the task has ended. */
  pass(): Promise<void>
  /** Gives the slot back; may be called repeatedly. */
  end(): void
}

/** The turn of a task that needs no slot. */
export const freeTurn: Turn = { pass: async () => {}, end() {} }

/** @param enter waits for the slot; resolves to what gives it back */
export function turnWith(leave: () => void, enter: () => Promise<() => void>): Turn {
  let giveBack = leave
  let ended = false
  let passing: Promise<void> | null = null
  const again = async () => {
    giveBack()
    // Without a slot because the task's time is over: it ends.
    const entered = await enter().catch(() => () => {})
    if (ended) entered()
    else giveBack = entered
  }
  return {
    async pass() {
      if (ended) return
      passing ??= again().finally(() => {
        passing = null
      })
      await passing
    },
    end() {
      ended = true
      giveBack()
    },
  }
}

/** What waits for a turn: nothing where none is needed. */
export type TakeTurn = () => MaybePromise<Turn>
