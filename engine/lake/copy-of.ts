import { readFile } from 'node:fs/promises'
import { damaged, QueryError } from '../base/errors.ts'
import { absent, inLake, type Lake } from './lake.ts'

/** Marks a lake that is the copy of a store. */
export const COPY_OF = 'copy-of.json'

/** The address of the store that a lake is a copy of; null for a lake of its own. */
export async function copyOf(lake: Lake): Promise<string | null> {
  const text = await readFile(inLake(lake, COPY_OF), 'utf8').catch(absent)
  if (text === null) return null
  try {
    return String((JSON.parse(text) as { store: unknown }).store)
  } catch {
    throw damaged(COPY_OF, 'is not valid JSON')
  }
}

/** What may write to a copy. */
const ofCopies: readonly string[] = ['pull', 'snapshots prune', 'snapshots use', 'iceberg']

/** Refuses to ingest, link, correct or build in a copy: it holds no imports, and the next pull would replace the result. */
export async function refuseCopy(lake: Lake, command: string): Promise<void> {
  const store = ofCopies.includes(command) ? null : await copyOf(lake)
  if (store !== null)
    throw new QueryError(
      'INVALID_PARAMETER',
      `this lake is a copy of ${store}, kept by "tranche pull": run "${command}" where that is built`,
      { parameter: 'lake', value: lake.root, store },
    )
}

/** The error for a lake without a snapshot: not built, or a copy whose first pull did not end. */
export const noSnapshotYet = async (lake: Lake): Promise<QueryError> =>
  new QueryError(
    'NOT_READY',
    (await copyOf(lake)) === null
      ? 'the lake has no snapshot yet: run "tranche build"'
      : 'the copy has no snapshot yet: run "tranche pull" again, which continues it',
    { lake: lake.root },
  )
