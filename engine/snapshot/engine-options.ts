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
}

/** Every option; the type ensures that none is missing. */
const known: Record<keyof EngineOptions, true> = {
  timeout: true,
  memory: true,
  threads: true,
  hotMemory: true,
  companiesOfDay: true,
}

export const engineOptionNames: readonly string[] = Object.keys(known)
