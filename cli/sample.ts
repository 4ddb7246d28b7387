import { mkdir, rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { invalid } from '../engine/base/errors.ts'
import { ownedPath, removeAbandoned } from '../engine/base/owned-folder.ts'
import type { Manifest } from '../engine/lake/snapshot.ts'
import { integer } from '../engine/schema/column.ts'
import { fallback, one } from '../engine/schema/params.ts'
import { buildSummary } from './build.ts'
import { followBuild } from './build-progress.ts'
import { command, lakeFolder, lakeParams } from './command.ts'
import { ingestStep } from './ingest.ts'
import { stoppable } from './interrupt.ts'
import { chooseOutput, notice, onTerminal, outputLetters, outputParams, writeObject } from './output.ts'
import { type Step, showProgress } from './progress.ts'

export const sampleCommand = command({
  word: 'sample',
  params: {
    scale: fallback(one(integer('Size as a multiple of 253 companies.'), { min: 1, max: 1000 }), 1),
    seed: fallback(one(integer('The same seed makes the same rows.'), { min: 0, max: 2 ** 31 - 1 }), 1),
    ...outputParams,
    ...lakeParams,
  },
  letters: outputLetters,
  notes:
    'All issuers, bonds, prices and ratings are fictional; only the Treasury yields are real.\n' +
    'A lake that already has rows is left alone.',
  examples: ['', '--scale 10 --lake /tmp/big'],
  async run({ lake, scale, seed, ...outputOptions }) {
    const choice = chooseOutput(outputOptions, onTerminal())
    const progress = showProgress()
    notice('The issuers of the sample are fictional, and so are all their data.')
    const manifest = await stoppable(signal =>
      makeSample(lakeFolder(lake), { scale, seed, signal }, progress.report),
    ).finally(progress.end)
    const made = buildSummary(manifest)
    await writeObject({ data: made }, made, choice)
    const where = lake ? ` --lake ${lake}` : ''
    notice(`snapshot ${manifest.id} is current; try: tranche companies --min-leverage 4${where}`)
    return undefined
  },
})

/** Generates the sample's files, ingests them like any others, and builds the lake. */
export async function makeSample(
  folder: string,
  { scale, seed, signal }: { scale: number; seed: number; signal: AbortSignal },
  onStep: (step: Step) => void,
): Promise<Manifest> {
  const [{ ensureLake }, { readImports }, { generateSample }, { ingest }, { build }] = await Promise.all([
    import('../engine/lake/lake.ts'),
    import('../engine/lake/imports.ts'),
    import('./sample/generate.ts'),
    import('../engine/ingest/ingest.ts'),
    import('../engine/snapshot/build.ts'),
  ])
  const opened = await ensureLake(folder)
  // Files are named after their parameters, so that ingesting the same sample again adds nothing.
  const name = `sample-seed${seed}-x${scale}`
  if ((await readImports(opened)).some(record => !record.name.startsWith(`${name}/`)))
    throw invalid(
      'lake',
      folder,
      `the lake at ${folder} has other rows, which the sample would mix with: choose another with --lake`,
    )
  const report = (step: Step) => {
    signal.throwIfAborted()
    onStep(step)
  }
  await removeAbandoned()
  const scratch = ownedPath('sample')
  await mkdir(scratch, { mode: 0o700 })
  const home = process.cwd()
  try {
    const { files } = await generateSample(join(scratch, name), { scale, seed }, (done, total, what) =>
      report({ label: `making ${what}`, done, total }),
    )
    // Sources are recorded with the path as given: a temporary folder would be meaningless.
    process.chdir(scratch)
    const named = files.map(file => ({ ...file, path: relative(scratch, file.path) }))
    for (const [dataset, paths] of byDataset(named)) {
      const options = { ...(dataset !== undefined && { dataset }), signal }
      const { totals } = await ingest(opened, paths, options, at => report(ingestStep(at)))
      if (totals.rejected > 0 || totals.files.refused > 0 || totals.files.unknown > 0)
        throw new Error(`the sample's own ${dataset ?? 'curves'} were refused: ${JSON.stringify(totals)}`)
    }
    process.chdir(home)
    const stepOf = followBuild()
    return await build(opened, {}, label => report(stepOf(label)))
  } finally {
    process.chdir(home)
    await rm(scratch, { recursive: true, force: true })
  }
}

function byDataset(files: readonly { readonly path: string; readonly dataset?: string }[]) {
  const groups = new Map<string | undefined, string[]>()
  for (const { path, dataset } of files) groups.set(dataset, [...(groups.get(dataset) ?? []), path])
  return groups
}
