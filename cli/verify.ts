import { QueryError } from '../engine/base/errors.ts'
import { date, integer, nullable, number, oneOf, text } from '../engine/schema/column.ts'
import { many, one } from '../engine/schema/params.ts'
import { tables } from '../engine/schema/resources/tables.ts'
import type { Difference } from '../engine/verify/recomputation.ts'
import { command, lakeFolder, lakeParams } from './command.ts'
import { exits } from './errors.ts'
import { stoppable } from './interrupt.ts'
import { chooseOutput, notice, onTerminal, outputLetters, outputParams, writeList } from './output.ts'
import { showProgress } from './progress.ts'
import { snapshotNamed } from './snapshots.ts'

const columns = {
  dataset: text('Table.'),
  key: text('Key of the row.'),
  field: text('Field.'),
  stored: nullable(text('Stored value.')),
  recomputed: nullable(text('Recomputed value.')),
  difference: nullable(number('Stored less recomputed.')),
  cause: text('Likely cause.'),
}

/** Maximum number of differences to show. */
const MOST = 100_000

export const verifyCommand = command({
  word: 'verify',
  words: '[SNAPSHOT]',
  params: {
    as_of: one(date('Verify the tables as of this earlier day.')),
    dataset: many(
      oneOf(
        tables.map(t => t.table),
        'Only these tables.',
      ),
    ),
    sample: one(integer('Verify only this many companies, chosen by id, with their bonds.'), { min: 1 }),
    ...outputParams,
    ...lakeParams,
  },
  letters: outputLetters,
  notes: 'Independent code recomputes the figures from the loaded rows. Exit code 4 if one differs.',
  examples: ['', 'current --dataset financials', '--sample 20', '--as-of 2025-03-31 -o differences.csv'],
  async run({ lake, as_of, dataset, sample, ...outputOptions }, { words: [snapshot, ...more] }) {
    if (more.length > 0)
      throw new QueryError('INVALID_PARAMETER', `verify takes one snapshot, not also ${more.join(' ')}`, {
        parameter: 'words',
      })
    const choice = chooseOutput(outputOptions, onTerminal())
    const [{ openLake }, { readManifest }, { verifyFigures }] = await Promise.all([
      import('../engine/lake/lake.ts'),
      import('../engine/lake/snapshot.ts'),
      import('../engine/verify/verify.ts'),
    ])
    const opened = await openLake(lakeFolder(lake))
    const manifest = await readManifest(opened, await snapshotNamed(opened, snapshot ?? 'current'))
    const progress = showProgress()
    const differences: Difference[] = []
    const verified = await stoppable(signal =>
      verifyFigures(opened, manifest, {
        ...(as_of && { asOf: as_of }),
        ...(dataset && { tables: dataset }),
        ...(sample && { sample }),
        progress(label, done) {
          signal.throwIfAborted()
          progress.report({ label, ...(done !== undefined && { done, unit: 'rows' as const }) })
        },
        found: difference => void (differences.length < MOST && differences.push(difference)),
      }),
    ).finally(progress.end)
    await writeList(columns, differences, choice)
    const figures = verified.tables.reduce((sum, t) => sum + t.rows * t.columns, 0)
    const counted = `${figures.toLocaleString('en-US')} figures of ${verified.tables.length} tables as of ${verified.as_of}`
    if (verified.differences === 0) {
      notice(`${counted}: all match their recomputation`)
      return undefined
    }
    if (verified.differences > MOST) notice(`the first ${MOST.toLocaleString('en-US')} differences are shown`)
    for (const t of verified.tables)
      if (t.differences > 0) notice(`  ${t.table}: ${t.differences.toLocaleString('en-US')}`)
    notice(`${counted}: ${verified.differences.toLocaleString('en-US')} differ from their recomputation`)
    return exits.damaged
  },
})
