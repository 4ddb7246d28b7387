import { boolean, type Columns, integer, list, nullable, sqlType, text, unitOf } from '../engine/column.ts'
import { provenance } from '../engine/dataset.ts'
import { datasetNamed } from '../engine/datasets.ts'
import { invalid } from '../engine/errors.ts'
import { nearest } from '../engine/nearest.ts'
import { rawViews, tables } from '../engine/tables.ts'
import { command, lakeParams } from './command.ts'
import { chooseOutput, notice, onTerminal, outputLetters, outputParams, writeList } from './output.ts'

export interface SqlView {
  readonly name: string
  readonly doc: string
  readonly columns: Columns
}

/** Everything that SQL can name: the tables of a snapshot, and rows as they were loaded. */
export const sqlViews: readonly SqlView[] = [
  ...tables.map(({ table, doc, columns }) => ({ name: table, doc, columns })),
  ...rawViews.map(name => {
    const { doc, columns } = datasetNamed(name)!
    return { name, doc, columns: { ...columns, ...provenance } }
  }),
]

export function viewNamed(name: string): SqlView {
  const names = sqlViews.map(v => v.name)
  const found = sqlViews.find(v => v.name === name.toLowerCase())
  if (found) return found
  const suggestion = nearest(name, names)
  throw invalid(
    'table',
    name,
    `there is no table ${name}${suggestion ? `; did you mean ${suggestion}?` : ''}`,
    {
      allowed: names,
      ...(suggestion && { suggestion }),
    },
  )
}

export const viewColumns = {
  table: text('Table.'),
  columns: integer('Columns.'),
  doc: text('What it holds.'),
}

export const viewRows = () =>
  sqlViews.map(({ name, doc, columns }) => ({ table: name, columns: Object.keys(columns).length, doc }))

export const columnColumns = {
  column: text('Column.'),
  type: text('Type in SQL.'),
  unit: nullable(text('Unit.')),
  nullable: boolean('May be missing.'),
  doc: text('What it says.'),
  values: nullable(list('All values, of an enum.')),
}

export const columnRows = ({ columns }: SqlView) =>
  Object.entries(columns).map(([name, column]) => ({
    column: name,
    type: sqlType(column),
    unit: unitOf(column) ?? null,
    nullable: column.nullable,
    doc: column.doc,
    values: column.values ?? null,
  }))

export const schemaCommand = command({
  word: 'schema',
  words: '[TABLE]',
  params: { ...outputParams, ...lakeParams },
  letters: outputLetters,
  examples: ['', 'bonds', 'companies --format json'],
  async run(asked, { words: [name, ...more] }) {
    if (more.length > 0) throw invalid('table', more[0], `schema takes one table, not also ${more[0]}`)
    const choice = chooseOutput(asked, onTerminal())
    if (name === undefined) {
      await writeList(viewColumns, viewRows(), choice)
      if (choice.format === 'table') notice('"tranche schema TABLE" shows its columns')
      return undefined
    }
    const view = viewNamed(name)
    await writeList(columnColumns, columnRows(view), choice)
    return undefined
  },
})
