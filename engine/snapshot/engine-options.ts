export interface EngineOptions {
  /** Milliseconds a statement may run; none if 0. */
  readonly timeout?: number
  /** Memory of DuckDB, `2GB`. */
  readonly memory?: string
  readonly threads?: number
  /** Memory for tables that are asked about again and again, `512MB`; an eighth of the machine's if not said, none if `0`. */
  readonly hotMemory?: string
  /** Companies whose changes since a past day are derived one by one before the whole day is; 4 if not said. */
  readonly companiesOfDay?: number
}

/** Every option: the type holds that none is left out. */
const known: Record<keyof EngineOptions, true> = {
  timeout: true,
  memory: true,
  threads: true,
  hotMemory: true,
  companiesOfDay: true,
}

export const engineOptionNames: readonly string[] = Object.keys(known)
