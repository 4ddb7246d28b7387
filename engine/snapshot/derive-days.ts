import { invalid } from '../base/errors.ts'
import { mapAtOnce } from '../base/map-at-once.ts'
import type { RunOptions } from '../database/run-limits.ts'
import { type DaysAsked, panelDays } from '../operations/panel-days.ts'
import { tables as allTables, tableNamed } from '../schema/resources/tables.ts'
import { KNOWN_COMPANIES } from './day-tables.ts'
import { DAYS_AT_ONCE } from './days-together.ts'
import { inOrder } from './derived-tables.ts'
import type { SnapshotLease } from './lease.ts'

/** The tables of most panels. Those of whole histories take several times as long. */
const USUAL = ['companies', 'bonds', 'ratings'] as const

/** A day that was asked for. */
export interface DayDerived {
  readonly as_of: string
  /** `derived` now, `stored` before, or that of the `snapshot` itself. */
  readonly state: 'derived' | 'stored' | 'snapshot'
}

export interface DeriveDaysOptions extends DaysAsked {
  /** Default companies, bonds and ratings. */
  readonly tables?: readonly string[] | undefined
  readonly signal?: AbortSignal | undefined
  /** Called after each day, with the number of days done and in all. */
  readonly progress?: ((done: number, total: number) => void) | undefined
}

const options: Record<keyof DeriveDaysOptions, true> = {
  dates: true,
  from: true,
  to: true,
  every: true,
  tables: true,
  signal: true,
  progress: true,
}
export const deriveDaysOptionNames = Object.keys(options)

/** Derives and stores what is missing of tables as of days, two days at a time. */
export async function deriveDays(lease: SnapshotLease, asked: DeriveDaysOptions): Promise<DayDerived[]> {
  const { tables = USUAL, signal, progress } = asked
  const unknown = tables.find(name => !tableNamed(name))
  if (unknown !== undefined)
    throw invalid('tables', unknown, `there is no table ${unknown}`, { allowed: allTables.map(t => t.table) })
  const days = [...new Set(panelDays(asked, lease.manifest.as_of!))]
  const names = inOrder([...tables, KNOWN_COMPANIES])
  const limits: RunOptions = signal ? { signal } : {}
  let done = 0
  return mapAtOnce(days, DAYS_AT_ONCE, async as_of => {
    const state = await lease.storeDay(as_of, names, limits)
    progress?.(++done, days.length)
    return { as_of, state }
  })
}
