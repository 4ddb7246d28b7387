import type { Engine } from '../../engine/engine.ts'
import type { UnknownParams } from '../http/unknown-params.ts'
import type { FairQueue } from '../limits/fair-queue.ts'
import type { Throttle } from '../limits/throttle.ts'
import type { Log } from '../log/log.ts'
import type { Accounts } from '../state/accounts.ts'
import type { State } from '../state/state.ts'
import type { ResponseCache } from './answers.ts'

/** The page at which a sign-in with a provider begins. */
export const SSO_PATH = '/session/provider'

/** A provider at which people sign in, as the sign-in page shows it. */
export interface SingleSignOn {
  /** "Sign in with NAME". */
  readonly name: string
}

/** What handlers share. */
export interface ServerContext {
  readonly engine: Engine
  readonly state: State
  readonly log: Log | undefined
  readonly clock: () => number
  /** Timeout of a statement in milliseconds. */
  readonly timeout: number
  readonly mostBodyBytes: number
  readonly unknownParams: UnknownParams
  /** Default and maximum rows of a list in a format other than JSON. */
  readonly fileRows: number
  /** Counts requests without a valid key. */
  readonly unauthorized: Throttle
  /** Cached lists. */
  readonly answers: ResponseCache
  /** Limits the changes of a signed-in person. */
  readonly changes: Throttle
  /** People who sign in; null if the server only has keys. */
  readonly accounts: (State & Accounts) | undefined
  /** Where people sign in who have no password here; null if only with one. */
  readonly singleSignOn: SingleSignOn | null
  /** Signs in every visitor. */
  readonly demo: boolean
  /** Queues heavy requests, fairly by key. */
  readonly heavy: FairQueue
  /** Queues requests for which an earlier day may have to be derived first, fairly by key. */
  readonly cold: FairQueue
  /** The configured public origin, or null. */
  readonly publicUrl: string | null
}
