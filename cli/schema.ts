import { invalid } from '../engine/base/errors.ts'
import { nearest } from '../engine/names/nearest.ts'
import {
  boolean,
  type Columns,
  integer,
  list,
  nullable,
  sqlType,
  text,
  unitOf,
} from '../engine/schema/column.ts'
import { provenance } from '../engine/schema/dataset.ts'
import { datasetNamed } from '../engine/schema/datasets/datasets.ts'
import { histories, rawViews, tables } from '../engine/schema/resources/tables.ts'
import { defaultSql, type SqlFunction, signature } from '../engine/sql/sql-function.ts'
import { sqlFunctions } from '../engine/sql/sql-functions.ts'
import { command, lakeParams } from './command.ts'
import { chooseOutput, notice, onTerminal, outputLetters, outputParams, writeList } from './output.ts'

export interface SqlView {
  readonly name: string
  readonly doc: string
  readonly columns: Columns
}

/** Everything that SQL can name: the tables of a snapshot, rows as loaded, and histories over several days. */
export const sqlViews: readonly SqlView[] = [
  ...tables.map(({ table, doc, columns }) => ({ name: table, doc, columns })),
  ...rawViews.map(name => {
    const { doc, columns } = datasetNamed(name)!
    return { name, doc, columns: { ...columns, ...provenance } }
  }),
  ...histories,
]

export function viewNamed(name: string): SqlView {
  const names = sqlViews.map(v => v.name)
  const found = sqlViews.find(v => v.name === name.toLowerCase())
  if (found) return found
  const suggestion = nearest(name, names)
  throw invalid('table', name, `no table ${name}${suggestion ? `; did you mean ${suggestion}?` : ''}`, {
    allowed: names,
    ...(suggestion && { suggestion }),
  })
}

export const viewColumns = {
  table: text('Table.'),
  columns: integer('Columns.'),
  doc: text('Description.'),
}

export const viewRows = () =>
  sqlViews.map(({ name, doc, columns }) => ({ table: name, columns: Object.keys(columns).length, doc }))

export const columnColumns = {
  column: text('Column.'),
  type: text('Type in SQL.'),
  unit: nullable(text('Unit.')),
  nullable: boolean('May be missing.'),
  doc: text('What it says.'),
  values: nullable(list('All values of an enum.')),
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

const functionColumns = {
  function: text('Call, with the default of each optional argument.'),
  type: text('Type of the result.'),
  unit: nullable(text('Unit of the result.')),
  doc: text('Description of the result.'),
  example: text('Example.'),
}

const functionRows = () =>
  sqlFunctions.map(f => ({
    function: signature(f),
    type: sqlType(f.result),
    unit: unitOf(f.result) ?? null,
    doc: f.doc,
    example: f.example,
  }))

const argumentColumns = {
  argument: text('Argument.'),
  type: text('Type in SQL.'),
  unit: nullable(text('Unit.')),
  default: nullable(text('Default, also for null; missing if required.')),
  doc: text('What it says.'),
  values: nullable(list('All values of an enum.')),
}

const argumentRows = ({ params }: SqlFunction) =>
  Object.entries(params).map(([name, { column, fallback }]) => ({
    argument: name,
    type: sqlType(column),
    unit: unitOf(column) ?? null,
    default: fallback === undefined ? null : defaultSql(fallback),
    doc: column.doc,
    values: column.values ?? null,
  }))

export const schemaCommand = command({
  word: 'schema',
  words: '[TABLE | functions | FUNCTION]',
  firstWords: [...sqlViews.map(v => v.name), 'functions', ...sqlFunctions.map(f => f.name)],
  params: { ...outputParams, ...lakeParams },
  letters: outputLetters,
  examples: ['', 'bonds', 'companies --format json', 'functions', 'bond_yield'],
  async run(outputOptions, { words: [name, ...more] }) {
    if (more.length > 0) throw invalid('table', more[0], `schema takes one name, not also ${more[0]}`)
    const choice = chooseOutput(outputOptions, onTerminal())
    if (name === undefined) {
      await writeList(viewColumns, viewRows(), choice)
      if (choice.format === 'table')
        notice('"tranche schema TABLE" shows its columns, "tranche schema functions" the functions of SQL')
      return undefined
    }
    if (name.toLowerCase() === 'functions') {
      await writeList(functionColumns, functionRows(), choice)
      return undefined
    }
    const called = sqlFunctions.find(f => f.name === name.toLowerCase())
    if (called) {
      await writeList(argumentColumns, argumentRows(called), choice)
      if (choice.format === 'table') notice(called.doc, called.example)
      return undefined
    }
    const view = viewNamed(name)
    await writeList(columnColumns, columnRows(view), choice)
    return undefined
  },
})
