export interface EngineOptions {
  /** Milliseconds a statement may run; no limit if 0. */
  readonly timeout?: number
  /** DuckDB memory, `2GB`. */
  readonly memory?: string
  readonly threads?: number
  /** Memory for frequently used tables, `512MB`; default an eighth of the machine's, none if `0`. */
  readonly hotMemory?: string
  /** Companies whose changes since a past day are derived singly before the whole day is; default 4. */
  readonly companiesOfDay?: number
  /** A Trino server that holds the snapshots too, `trino://host:8080/catalog/schema`: see docs/scale.md. */
  readonly remote?: string
  /** Rows of a table above which its lists and aggregates are answered there; default 100 million. */
  readonly remoteAbove?: number
  /**
   * Whether a new snapshot is read into memory before it answers: what the current one has there, and what was called
   * last. Calls go on with the current one until then, for ten seconds at most. Default false: the next call has the new
   * snapshot.
   */
  readonly warmSwitch?: boolean
  /**
   * Copies a snapshot that this lake does not hold from the store that it is a copy of; false if the store does not hold it
   * either. May throw NOT_READY while it is copied.
   */
  readonly copySnapshot?: (id: string) => Promise<boolean>
}

/** Every option; the type ensures that none is missing. */
const known: Record<keyof EngineOptions, true> = {
  timeout: true,
  memory: true,
  threads: true,
  hotMemory: true,
  companiesOfDay: true,
  warmSwitch: true,
  remote: true,
  remoteAbove: true,
  copySnapshot: true,
}

export const engineOptionNames: readonly string[] = Object.keys(known)
