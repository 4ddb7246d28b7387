import { integer, text } from '../engine/schema/column.ts'
import { command, lakeFolder, lakeParams, verbatim } from './command.ts'
import { chooseOutput, notice, onTerminal, outputLetters, outputParams, writeList } from './output.ts'

const columns = {
  table: text('Table.'),
  rows: integer('Rows.'),
  snapshots: integer('Snapshots in its history.'),
  metadata: text('Its metadata file, for catalogs.'),
}

export const icebergCommand = command({
  word: 'iceberg',
  params: {
    location: verbatim(
      'The lake as their readers name it, a URL or an absolute path; default what was given before, or its folder.',
      'URL',
    ),
    ...outputParams,
    ...lakeParams,
  },
  letters: outputLetters,
  notes:
    'The tables name the snapshots\' own Parquet files; nothing is copied. Later builds, "snapshots\n' +
    'use", "snapshots prune" and "pull" keep them up to date, until the folder iceberg of the lake\n' +
    'is deleted. Iceberg names files absolutely: run this again after the lake has moved. See\n' +
    'docs/open-tables.md.',
  examples: ['', '--location s3://desk/lake', '-o tables.csv'],
  async run({ lake, location, ...outputOptions }) {
    const choice = chooseOutput(outputOptions, onTerminal())
    const [{ openLake }, { writeIceberg }] = await Promise.all([
      import('../engine/lake/lake.ts'),
      import('../engine/lake/iceberg/keep-tables.ts'),
    ])
    const opened = await openLake(lakeFolder(lake))
    const tables = await writeIceberg(opened, location === undefined ? {} : { location })
    await writeList(columns, tables, choice)
    notice(`${tables.length} Iceberg tables are up to date`)
    return undefined
  },
})
