import { currentSpan } from '../base/spans.ts'
import type { Database } from '../database/database.ts'
import type { Columns } from '../schema/column.ts'
import type { Choice, HotLane } from './memory/lane.ts'
import type { Plan } from './plan/plan.ts'
import type { RemoteLane } from './remote/remote-lane.ts'

/** The data sources that can answer a plan. */
export interface Source {
  readonly database: Database
  readonly hot: HotLane
  /** Where a request may be answered by a remote engine. */
  readonly remote?: RemoteUse | null
}

/** Which plans of a request a remote engine answers: all, or those of tables with more rows than a limit. */
export interface RemoteUse {
  readonly lane: RemoteLane
  readonly isAsked: boolean
  readonly above: number
}

export type LaneChoice =
  | Choice
  | { readonly lane: 'remote'; readonly remote: RemoteLane; readonly why: string }

/** The lane that answers a plan. One in memory must then be answered synchronously. */
export function chooseLane(source: Source, plan: Plan, kinds: Columns): LaneChoice {
  const choice = choose(source, plan, kinds)
  noteLane(choice.lane)
  return choice
}

function choose({ hot, remote }: Source, plan: Plan, kinds: Columns): LaneChoice {
  if (!remote) return hot.choose(plan, kinds)
  const why = whyRemote(remote, plan.table)
  return why === null ? hot.choose(plan, kinds) : { lane: 'remote', remote: remote.lane, why }
}

/** Records in the request's span which lane answers it. */
export const noteLane = (lane: LaneChoice['lane']): void => currentSpan()?.set({ 'tranche.lane': lane })

/** The remote engine, if it answers a plan. */
export const remoteFor = ({ remote }: Pick<Source, 'remote'>, { table }: Plan): RemoteLane | null =>
  remote && whyRemote(remote, table) !== null ? remote.lane : null

const written = (rows: number): string => rows.toLocaleString('en-US')

function whyRemote({ lane, isAsked, above }: RemoteUse, table: string): string | null {
  if (isAsked) return 'the request asked for the remote lane'
  const rows = lane.rowsOf(table)
  return rows !== null && rows > above
    ? `${table} has ${written(rows)} rows, more than the ${written(above)} above which the remote engine answers`
    : null
}
