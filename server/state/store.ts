import type { Kysely, RawBuilder } from 'kysely'
import { QueryError } from '../../engine/base/errors.ts'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>

/** A database that holds the tables, and the little in which SQLite and PostgreSQL differ. */
export interface Store {
  readonly kind: 'sqlite' | 'postgres'
  readonly db: Db
  /** Types of columns, and the function that makes a JSON array of the values of a group. */
  readonly words: { readonly serial: string; readonly bytes: string; readonly jsonArray: string }
  /** A row for each member of a JSON array, as its `value`. */
  each(json: string | RawBuilder<unknown>): RawBuilder<{ value: unknown }>
  /** One transaction that nothing else writes into; it survives the death of this process once it has returned. */
  transaction<T>(work: (tx: Db) => Promise<T>): Promise<T>
  /** The same, and it survives the loss of power too: what people are told they have. */
  durably<T>(work: (tx: Db) => Promise<T>): Promise<T>
  /**
   * A number that is another one once another process may have written, or this one has done something `durably`; null
   * where that is not cheap to know.
   */
  readonly changes: (() => number) | null
  /** Inside a transaction: waits until no other process changes the tables themselves, and makes where they stand. */
  prepareTables(tx: Db): Promise<void>
  /**
   * Throws where the database behind this connection is no longer the one at its location. Cheap enough to call before
   * every use.
   */
  readonly checkIdentity?: () => void
  /** Throws where the database can be seen to be damaged, at the cost of a look at its file. */
  readonly checkFile?: () => void
  /** What an operator can do about a failure of the database; null where it is a bug of ours. */
  explain(error: unknown): QueryError | null
  close(): Promise<void>
}

/** Why a state store cannot be used. */
export type Unavailable = 'unreachable' | 'refused' | 'locked' | 'missing' | 'replaced'

export const stateUnavailable = (reason: Unavailable, message: string) =>
  new QueryError('STATE_UNAVAILABLE', message, { reason })

export const stateDamaged = (message: string) => new QueryError('STATE_DAMAGED', message)
