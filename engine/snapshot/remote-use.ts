import { invalid } from '../base/errors.ts'
import type { Operation } from '../operations/operation.ts'
import type { RemoteUse } from '../query/choose-lane.ts'
import type { RemoteLane } from '../query/remote/remote-lane.ts'
import type { Input } from '../schema/params.ts'
import type { SnapshotDay } from './day.ts'
import type { EngineOptions } from './engine-options.ts'

/** Rows of a table above which plans go to the remote engine. Below, one machine is faster: see docs/scale.md. */
export const REMOTE_ABOVE = 100_000_000

/** Throws on an address that cannot be one. */
export async function checkRemote(address: string): Promise<void> {
  const { parseRemote } = await import('../query/remote/address.ts')
  parseRemote(address)
}

/** The lane of a snapshot's tables on a remote engine. */
export async function openRemote(
  address: string,
  snapshot: string,
  tables: readonly { readonly name: string; readonly rows: number }[],
): Promise<RemoteLane> {
  const [{ parseRemote }, { TrinoClient }, { RemoteLane }] = await Promise.all([
    import('../query/remote/address.ts'),
    import('../query/remote/trino-client.ts'),
    import('../query/remote/remote-lane.ts'),
  ])
  const client = new TrinoClient(parseRemote(address))
  return new RemoteLane(client, snapshot, new Map(tables.map(({ name, rows }) => [name, rows])))
}

/** What of a request the remote engine answers: plans of lists and aggregates, as of the snapshot's own day. */
export function remoteUse(
  day: SnapshotDay,
  operation: Operation,
  args: Input,
  { remote, remoteAbove = REMOTE_ABOVE }: EngineOptions,
): RemoteUse | null {
  const isAsked = args['lane'] === 'remote'
  if (remote === undefined) {
    if (!isAsked) return null
    throw invalid(
      'lane',
      'remote',
      'no remote engine is connected (TRANCHE_REMOTE, or tranche serve --remote): ask without lane',
    )
  }
  if (!operation.params['lane']) return null
  const { remote: lane } = day.tables
  if (lane) return { lane, isAsked, above: remoteAbove }
  if (!isAsked) return null
  throw invalid(
    'lane',
    'remote',
    "the remote engine has the tables of the snapshot's own day alone: ask without as_of, or without lane",
  )
}
