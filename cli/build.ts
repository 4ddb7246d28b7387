import { invalid } from '../engine/base/errors.ts'
import type { Manifest } from '../engine/lake/snapshot.ts'
import { boolean, date, oneOf, text } from '../engine/schema/column.ts'
import { one } from '../engine/schema/params.ts'
import { seniorities } from '../engine/schema/vocabulary.ts'
import { vectorIndexes } from '../engine/search/vectors/vector-index.ts'
import type { Gate } from '../engine/snapshot/gate.ts'
import { followBuild } from './build-progress.ts'
import { command, icebergParams, lakeFolder, lakeParams } from './command.ts'
import { inWorker } from './in-worker.ts'
import { stoppable } from './interrupt.ts'
import { chooseOutput, notice, onTerminal, outputLetters, outputParams, writeObject } from './output.ts'
import { showProgress } from './progress.ts'

export const buildCommand = command({
  word: 'build',
  params: {
    as_of: one(
      date(
        'Derive as of the close of this day; default the latest day on which a trade, a price or a filing became known.',
      ),
    ),
    assume_seniority: one(
      oneOf(seniorities, 'Assumed in the spread series for bonds whose seniority no source states.'),
    ),
    embedder: one(
      text('Model for semantic search: lsa, trained on the filings, or transformers:MODEL_OR_DIR.', {
        example: 'transformers:./all-mpnet-base-v2',
      }),
    ),
    vector_index: one(
      oneOf(
        vectorIndexes,
        'Index for semantic search: exact compares all passages, hnsw searches graphs of them, auto uses graphs if there are many.',
      ),
    ),
    gate: one(
      text('JSON file of rules that the snapshot must fulfil to become current; see docs/data.md.', {
        example: 'rules.json',
      }),
    ),
    full: one(
      boolean(
        'Derive every company and index every document anew; by default what did not change is taken from earlier builds.',
      ),
    ),
    ...icebergParams,
    ...outputParams,
    ...lakeParams,
  },
  letters: outputLetters,
  notes: 'The old snapshot stays current until the last step, so a build may be stopped at any time.',
  examples: [
    '',
    '--gate rules.json',
    '--iceberg',
    '--assume-seniority senior_unsecured',
    '--as-of 2025-06-30',
    '--embedder transformers:./all-mpnet-base-v2',
    '--vector-index exact',
  ],
  async run({ lake, as_of, assume_seniority, embedder, vector_index, gate, full, ...given }) {
    const { iceberg, iceberg_location, ...outputOptions } = given
    const choice = chooseOutput(outputOptions, onTerminal())
    const progress = showProgress()
    const options = {
      ...(as_of && { asOf: as_of }),
      ...(embedder && { embedder }),
      ...(vector_index && { vectorIndex: vector_index }),
      ...(assume_seniority && { assumeSeniority: assume_seniority }),
      ...(gate && { gate: await readGate(gate) }),
      ...(full && { full }),
      ...(iceberg && { iceberg }),
      ...(iceberg_location !== undefined && { icebergLocation: iceberg_location }),
    }
    const job = { lake: lakeFolder(lake), options }
    const stepOf = followBuild()
    const follow = (label: string) => progress.report(stepOf(label))
    const { manifest, notes } = await stoppable(signal => inWorker('build', job, follow, signal)).finally(
      progress.end,
    )
    const made = buildSummary(manifest)
    await writeObject({ data: made }, made, choice)
    const { freshnessText } = await import('../engine/snapshot/as-of-day.ts')
    for (const sentence of manifest.freshness ? freshnessText(manifest.freshness) : []) notice(sentence)
    for (const note of notes) notice(note)
    notice(`snapshot ${manifest.id} is current`)
    return undefined
  },
})

/** The rules in a file. */
async function readGate(path: string): Promise<Gate> {
  const [{ readFile }, { parseGate }] = await Promise.all([
    import('node:fs/promises'),
    import('../engine/snapshot/gate.ts'),
  ])
  const text = await readFile(path, 'utf8').catch(error => {
    throw invalid('gate', path, `gate ${path} cannot be read: ${(error as Error).message}`)
  })
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch (error) {
    throw invalid('gate', path, `gate ${path} is not JSON: ${(error as Error).message}`)
  }
  return parseGate(given)
}

/** Prints the result of a build. */
export const buildSummary = ({ id, as_of, options, tables, notes, freshness }: Manifest) => ({
  snapshot: id,
  as_of,
  freshness,
  options,
  tables: tables.map(({ name, rows, bytes }) => ({ table: name, rows, bytes })),
  notes,
})
