import type { Kysely, RawBuilder } from 'kysely'
import { QueryError } from '../../engine/base/errors.ts'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>

/** A database with the tables, and the differences between SQLite and PostgreSQL. */
export interface Store {
  readonly kind: 'sqlite' | 'postgres'
  readonly db: Db
  /** Column types, and the function that aggregates values into a JSON array. */
  readonly words: { readonly serial: string; readonly bytes: string; readonly jsonArray: string }
  /** A row for each member of a JSON array, as its `value`. */
  each(json: string | RawBuilder<unknown>): RawBuilder<{ value: unknown }>
  /** A serialised transaction that survives the death of this process. */
  transaction<T>(work: (tx: Db) => Promise<T>): Promise<T>
  /** The same, surviving a power failure: for what was acknowledged to people. */
  durably<T>(work: (tx: Db) => Promise<T>): Promise<T>
  /**
   * A number that changes when another process may have written, or this one has written `durably`; null if that is
   * expensive to know.
   */
  readonly changes: (() => number) | null
  /** Inside a transaction: locks the schema against other processes and creates it if necessary. */
  prepareTables(tx: Db): Promise<void>
  /** Throws if the connected database is no longer the one at its location. Cheap enough to call before every use. */
  readonly checkIdentity?: () => void
  /** Throws if the database is visibly damaged, by reading the start of its file. */
  readonly checkFile?: () => void
  /** How an operator can fix a database failure; null if it is our bug. */
  explain(error: unknown): QueryError | null
  close(): Promise<void>
}

/** Why a state store cannot be used. */
export type Unavailable = 'unreachable' | 'refused' | 'locked' | 'missing' | 'replaced'

export const stateUnavailable = (reason: Unavailable, message: string) =>
  new QueryError('STATE_UNAVAILABLE', message, { reason })

export const stateDamaged = (message: string) => new QueryError('STATE_DAMAGED', message)
