import type { Code } from '../../engine/base/errors.ts'
import type { SqlValue } from '../../engine/database/parameters.ts'
import type { Over } from '../../engine/sql/admit-statement.ts'

/** A Parquet file is written by a second, temporary database of the same process, and unlinked before it is read. */
export const sqlFormats = ['json', 'csv', 'ndjson', 'arrow', 'parquet'] as const
export type SqlFormat = (typeof sqlFormats)[number]

export interface OpenMessage {
  readonly kind: 'open'
  readonly file: string
  /** Megabytes of DuckDB, and of the whole process. */
  readonly memory: number
  readonly resident: number
  readonly threads: number
}

export interface RunMessage {
  readonly kind: 'run'
  readonly sql: string
  readonly over: Over
  readonly params: readonly SqlValue[] | Readonly<Record<string, SqlValue>>
  /** Maximum rows to return. */
  readonly limit: number | null
  readonly maxRows: number
  readonly maxBytes: number
  readonly format: SqlFormat
  readonly csvSafe: boolean
  readonly about: Readonly<Record<string, string>>
}

/** Asks which documented tables a statement reads. */
export interface TablesMessage {
  readonly kind: 'tables'
  readonly sql: string
  readonly over: Over
}

export interface Named {
  readonly kind: 'named'
  readonly tables: readonly string[]
}

export interface Done {
  readonly kind: 'done'
  readonly columns: readonly { readonly name: string; readonly kind: string }[]
  readonly bytes: Uint8Array
  readonly rowCount: number
  readonly truncated: boolean
  /** Megabytes in use by the process. */
  readonly resident: number
}

export interface Failed {
  readonly kind: 'failed'
  /** Null for a bug. */
  readonly code: Code | null
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
}

/** From a process that makes a file of days: how many are derived; `wait` ends it before the rest, as it is others' turn. */
export type Prepared =
  | { readonly kind: 'done' | 'wait' }
  | { readonly kind: 'progress'; readonly ready: number }

export type Message = OpenMessage | RunMessage | TablesMessage
/** A child sends `memory` when it has grown too large, just before it exits. */
export type Reply = { readonly kind: 'ready' | 'opened' | 'memory' } | Named | Done | Failed
