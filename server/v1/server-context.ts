import type { Engine } from '../../engine/engine.ts'
import type { UnknownParams } from '../http/unknown-params.ts'
import type { FairQueue } from '../limits/fair-queue.ts'
import type { Throttle } from '../limits/throttle.ts'
import type { Log } from '../log/log.ts'
import type { Accounts } from '../state/accounts.ts'
import type { State } from '../state/state.ts'
import type { ResponseCache } from './answers.ts'

/** What answering stands on. */
export interface ServerContext {
  readonly engine: Engine
  readonly state: State
  readonly log: Log | undefined
  readonly clock: () => number
  /** Milliseconds that a statement may run. */
  readonly timeout: number
  readonly mostBodyBytes: number
  readonly unknownParams: UnknownParams
  /** Counts requests without a valid key. */
  readonly unauthorized: Throttle
  /** Lists that were answered, for those who ask the same. */
  readonly answers: ResponseCache
  /** Counts what somebody who is signed in changes. */
  readonly changes: Throttle
  /** People who sign in; none where the server knows keys only. */
  readonly accounts: (State & Accounts) | undefined
  /** Signs in whoever asks. */
  readonly demo: boolean
  /** Lets heavy requests wait their turn, fairly by key. */
  readonly heavy: FairQueue
  /** The configured public origin; null where none is. */
  readonly publicUrl: string | null
}
