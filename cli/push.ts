import { QueryError } from '../engine/base/errors.ts'
import type { TransferStep } from '../engine/lake/store/transfer.ts'
import { boolean, text } from '../engine/schema/column.ts'
import { fallback, one } from '../engine/schema/params.ts'
import { command, icebergParams, lakeFolder, lakeParams } from './command.ts'
import { stoppable } from './interrupt.ts'
import { chooseOutput, notice, onTerminal, outputLetters, outputParams, writeObject } from './output.ts'
import { showProgress } from './progress.ts'
import { snapshotNamed } from './snapshots.ts'
import { transferStep } from './store-lake.ts'

export const pushCommand = command({
  word: 'push',
  words: 'STORE',
  params: {
    snapshot: fallback(one(text('The snapshot: its id, the start of it, or "current".')), 'current'),
    force: fallback(one(boolean("Also where the store's snapshot is newer: goes back to this one.")), false),
    ...icebergParams,
    ...outputParams,
    ...lakeParams,
  },
  letters: outputLetters,
  notes:
    'STORE is s3://BUCKET/NAME (region, endpoint and credentials as in every AWS tool; needs @aws-sdk/client-s3) or\n' +
    'file:///PATH, a folder that machines share. Readers see the old snapshot until the last step, so a push may be\n' +
    'stopped at any time, and the next continues it. Of two at once one publishes; the other ends with exit code 5.',
  examples: [
    's3://desk/lake',
    's3://desk/lake --iceberg',
    's3://desk/lake --snapshot 20260102 --force',
    'file:///mnt/share/lake',
  ],
  async run({ lake, snapshot, force, ...given }, { words: [address, ...more] }) {
    const { iceberg, iceberg_location, ...outputOptions } = given
    const choice = chooseOutput(outputOptions, onTerminal())
    if (address === undefined || more.length > 0)
      throw new QueryError('MISSING_PARAMETER', 'give one store: push s3://BUCKET/NAME', {
        parameter: 'words',
      })
    const [{ openLake }, { pushSnapshot }] = await Promise.all([
      import('../engine/lake/lake.ts'),
      import('../engine/lake/store/transfer.ts'),
    ])
    const folder = lakeFolder(lake)
    const id = await snapshotNamed(await openLake(folder), snapshot)
    const progress = showProgress()
    const step = transferStep('send')
    const how = {
      snapshot: id,
      force,
      ...(iceberg && { iceberg }),
      ...(iceberg_location !== undefined && { icebergLocation: iceberg_location }),
      progress: (at: TransferStep) => progress.report(step(at)),
    }
    const pushed = await stoppable(signal => pushSnapshot(folder, address, { ...how, signal })).finally(
      progress.end,
    )
    await writeObject({ data: pushed }, { ...pushed }, choice)
    notice(`snapshot ${id} is current in ${address}`)
    return undefined
  },
})
