import { QueryError } from '../engine/base/errors.ts'
import type { Pulled, TransferStep } from '../engine/lake/store/transfer.ts'
import { integer } from '../engine/schema/column.ts'
import { one } from '../engine/schema/params.ts'
import { command, lakeFolder, lakeParams } from './command.ts'
import { stoppable } from './interrupt.ts'
import { chooseOutput, notice, onTerminal, outputLetters, outputParams, writeObject } from './output.ts'
import { showProgress } from './progress.ts'
import { cacheBytes, cacheParams, transferStep } from './store-lake.ts'

export const pullCommand = command({
  word: 'pull',
  words: 'STORE',
  params: {
    every: one(integer('Stay, and ask for a new snapshot so often.', { unit: 'seconds' }), {
      min: 1,
      max: 86_400,
    }),
    ...cacheParams,
    ...outputParams,
    ...lakeParams,
  },
  letters: outputLetters,
  notes:
    'STORE is what "tranche push" published to. The lake becomes a copy of its current snapshot, from which every\n' +
    'command answers, as of any day; ingest and build stay where it is built. Each file is checked against its SHA-256,\n' +
    'and the snapshot becomes current when all are there. A pull that was stopped is continued by the next, and a file\n' +
    'that was damaged here is received again.',
  examples: ['s3://desk/lake --lake ./desk', 's3://desk/lake --lake ./desk --every 60 --cache 50GB'],
  async run({ lake, every, cache, ...outputOptions }, { words: [address, ...more] }) {
    const choice = chooseOutput(outputOptions, onTerminal())
    if (address === undefined || more.length > 0)
      throw new QueryError('MISSING_PARAMETER', 'give one store: pull s3://BUCKET/NAME', {
        parameter: 'words',
      })
    const most = await cacheBytes(cache)
    const { followStore, pullSnapshot } = await import('../engine/lake/store/transfer.ts')
    const folder = lakeFolder(lake)
    const progress = showProgress()
    const step = transferStep('receive')
    const how = {
      progress: (at: TransferStep) => progress.report(step(at)),
      ...(most !== undefined && { most }),
    }
    const pulled = await stoppable(signal => pullSnapshot(address, folder, { ...how, signal })).finally(
      progress.end,
    )
    await writeObject({ data: pulled }, { ...pulled }, choice)
    notice(pulledText(pulled, address))
    if (every === undefined) return undefined
    const following = { ...how, everyMs: every * 1000, ...followNotices(address, progress.end) }
    await stoppable(signal => followStore(address, folder, { ...following, signal }))
    return undefined
  },
})

const pulledText = ({ snapshot, before }: Pulled, address: string): string =>
  before === snapshot ? `snapshot ${snapshot} is whole` : `snapshot ${snapshot} of ${address} is current`

/** What a follower of a store tells: new snapshots, and why there are none. */
export const followNotices = (address: string, before: () => void = () => {}) => ({
  onPulled(pulled: Pulled) {
    before()
    notice(pulledText(pulled, address))
  },
  onFailure(error: unknown) {
    before()
    notice(`${error instanceof Error ? error.message : String(error)}; the last snapshot goes on answering`)
  },
})
