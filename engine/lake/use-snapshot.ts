import { damaged, QueryError } from '../base/errors.ts'
import { writeWhole } from './durable.ts'
import { inLake, type Lake } from './lake.ts'
import { checkHeld, withLock } from './lock.ts'
import { readCurrent, readManifest, verifySnapshot } from './snapshot.ts'

/**
 * Makes a stored snapshot current: an earlier one, to go back, or one that the gate of its build held up. Every file
 * is verified first. Servers switch to it as to a new one; the next build replaces it.
 * @param layout of the tables that this version reads
 * @param chosen what follows under the same lock
 * @returns id of the snapshot that was current
 */
export const useSnapshot = (
  lake: Lake,
  id: string,
  layout: string,
  chosen: () => Promise<unknown> = async () => {},
): Promise<string | null> =>
  withLock(lake, 'snapshots use', async () => {
    const manifest = await readManifest(lake, id)
    if (manifest.layout !== layout)
      throw new QueryError(
        'NOT_READY',
        `snapshot ${id} was built by version ${manifest.engine}, whose tables this version does not read: build again`,
        { snapshot: id },
      )
    const { problems } = await verifySnapshot(lake, id)
    if (problems.length > 0) throw damaged(`snapshots/${id}`, `is damaged: ${problems.join('; ')}`)
    await checkHeld(lake)
    const before = await readCurrent(lake)
    if (before !== id) await writeWhole(inLake(lake, 'CURRENT'), `${id}\n`)
    await chosen()
    return before
  })
