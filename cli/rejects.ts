import type { Reject } from '../engine/ingest/rejects.ts'
import { integer, nullable, text } from '../engine/schema/column.ts'
import { one } from '../engine/schema/params.ts'
import { command, lakeFolder, lakeParams } from './command.ts'
import {
  chooseOutput,
  notice,
  onTerminal,
  outputLetters,
  outputParams,
  wantsAll,
  writeRows,
} from './output.ts'

const columns = {
  file: text('File.'),
  position: nullable(text('Position in it; missing if the whole file was refused.')),
  dataset: nullable(text('Dataset the row was for.')),
  column: nullable(text('Invalid column.')),
  value: nullable(text('What it held.')),
  reason: text('Why it was refused.'),
  raw: nullable(text('The row as in the file.')),
  import: text('Record of the import in the lake.'),
}

const PAGE = 50

export const rejectsCommand = command({
  word: 'rejects',
  params: {
    dataset: one(text('Only rows of this dataset.')),
    limit: one(integer(`Rows to show; default ${PAGE} as table and json, all in other formats.`), {
      min: 1,
    }),
    ...outputParams,
    ...lakeParams,
  },
  letters: outputLetters,
  examples: ['', '--dataset bonds', '-o rejects.csv'],
  async run({ lake, dataset, limit, ...outputOptions }) {
    const choice = chooseOutput(outputOptions, onTerminal())
    const [{ readRejects }, { openLake }] = await Promise.all([
      import('../engine/ingest/rejects.ts'),
      import('../engine/lake/lake.ts'),
    ])
    const opened = await openLake(lakeFolder(lake))
    const most = limit ?? (wantsAll(choice) ? Number.POSITIVE_INFINITY : PAGE)
    const state = { more: false }
    const rejects = readRejects(opened, { ...(dataset && { dataset }), limit: most + 1 })
    const named = Object.entries(columns).map(([name, column]) => ({ name, column }))
    const shown = choice.format === 'table' ? named.filter(({ name }) => name !== 'import') : named
    const rows = await writeRows(
      {
        columns: shown,
        chunks: chunked(
          rejects,
          most,
          shown.map(c => c.name as keyof Reject),
          state,
        ),
        meta: async () => ({ more: state.more }),
      },
      choice,
    )
    if (state.more) notice(`the first ${rows} are shown: --limit N shows more, -o FILE writes all`)
    else if (rows === 0) notice('nothing was refused')
    return undefined
  },
})

const CHUNK = 1024

async function* chunked(
  rejects: AsyncIterable<Reject>,
  most: number,
  names: readonly (keyof Reject)[],
  state: { more: boolean },
) {
  let rows: Reject[] = []
  let seen = 0
  const chunk = () => ({ rowCount: rows.length, columns: names.map(name => rows.map(r => r[name])) })
  for await (const reject of rejects) {
    if (seen++ >= most) {
      state.more = true
      break
    }
    rows.push(reject)
    if (rows.length < CHUNK) continue
    yield chunk()
    rows = []
  }
  yield chunk()
}
