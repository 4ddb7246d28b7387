import { createReadStream } from 'node:fs'
import { firstOf, memberOf } from '../base/elements.ts'
import { literal, quote } from '../database/database.ts'
import type { Dataset } from '../schema/dataset.ts'
import { datasets } from '../schema/datasets/datasets.ts'
import { COMMA_NOTE, type DecimalMark, decimalMarkOf, numberText } from './decimal-mark.ts'
import { refuseFractions } from './fractions.ts'
import { aliasesOf, fillable, type Mapping, mappedSql, plainName } from './mapping.ts'
import { SLICE, settleParquet } from './parquet-table.ts'
import { type Plan, planTable } from './plan-table.ts'
import { Refused, type SourceFile, unreadable } from './readers/reader.ts'
import { AT, type IngestRun, type Settlement, table } from './settle.ts'

/** A user's own table: DuckDB reads it into the staging table, and the usual checks follow. */
type Format = 'parquet' | 'json' | 'ndjson' | 'delimited'

const LONGEST_LINE = 32 * 1024 * 1024

interface Shape {
  readonly format: Format
  readonly delimiter: string
  /** Names as in the file. */
  readonly names: readonly string[]
}

const isBinary = (head: string) => head.slice(0, 4096).includes('\0')

function formatOf(file: SourceFile): Format | null {
  if (Buffer.from(file.headBytes.subarray(0, 4)).toString('latin1') === 'PAR1') return 'parquet'
  if (isBinary(file.head)) return null
  const start = file.head.replace(/^\uFEFF/, '').trimStart()
  if (/^\[\s*(\{|\])/.test(start)) return 'json'
  if (start.startsWith('{')) return 'ndjson'
  return start === '' ? null : 'delimited'
}

/** The table format of a file; null if it is not a table. */
export async function shapeOf(file: SourceFile, intake: IngestRun): Promise<Shape | null> {
  const format = formatOf(file)
  if (!format) return null
  const found = (names: readonly string[], delimiter = '') => ({ format, delimiter, names })
  switch (format) {
    case 'parquet':
      return found(await parquetNames(file, intake))
    case 'delimited': {
      const [line = ''] = file.head
        .replace(/^\uFEFF/, '')
        .split(/\r?\n|\r/)
        .filter(each => each.trim() !== '')
      const delimiter = delimiterOf(line)
      // If lines end in a separator, the last column has no name.
      const names = cells(line, delimiter).map((name, i) => (name === '' ? `column ${i + 1}` : name))
      return found(names, delimiter)
    }
    default:
      return found(keysIn(file.head))
  }
}

async function parquetNames(file: SourceFile, intake: IngestRun): Promise<string[]> {
  const from = `read_parquet(${literal(await file.path())})`
  const described = await intake.database
    .rows<{ column_name: string }>(`DESCRIBE SELECT * FROM ${from}`)
    .catch(unreadable)
  return described.map(row => row.column_name)
}

/** The most frequent separator outside quotes in the header line. */
function delimiterOf(line: string): string {
  const bare = line.replace(/"([^"]|"")*"/g, '')
  const count = (mark: string) => bare.split(mark).length
  return [',', '\t', ';', '|'].reduce((best, mark) => (count(mark) > count(best) ? mark : best))
}

function cells(line: string, delimiter: string): string[] {
  const found: string[] = []
  let cell = ''
  let quoted = false
  for (const char of line) {
    if (char === '"') quoted = !quoted
    else if (char === delimiter && !quoted) {
      found.push(cell.trim())
      cell = ''
    } else cell += char
  }
  return [...found, cell.trim()]
}

/** Keys of the complete objects in the head; all keys are collected when the file is read. */
function keysIn(head: string): string[] {
  const keys = new Set<string>()
  let depth = 0
  let from = -1
  let text = false
  for (let i = 0; i < head.length; i++) {
    const char = head[i]
    if (text) {
      if (char === '\\') i++
      else if (char === '"') text = false
    } else if (char === '"') text = true
    else if (char === '{' && depth++ === 0) from = i
    else if (char === '}' && --depth === 0) for (const key of keysOf(head.slice(from, i + 1))) keys.add(key)
  }
  return [...keys]
}

function keysOf(text: string): string[] {
  try {
    return Object.keys(JSON.parse(text) as object)
  } catch {
    return []
  }
}

/**
 * The dataset of a header: it has all non-nullable columns and one of the required ones, and no other dataset fits as
 * well. Null if none fits; throws if several do.
 */
export function datasetOfHeader(names: readonly string[]): Dataset | null {
  const written = new Set(names.map(plainName))
  const fitting = datasets
    .map(dataset => {
      const aliases = aliasesOf(dataset)
      return { dataset, has: new Set([...written].map(name => aliases[name] ?? name)) }
    })
    .filter(({ dataset: { columns, needsOneOf }, has }) => {
      const required = Object.keys(columns).filter(name => !memberOf(columns, name).nullable)
      const known = Object.keys(columns).filter(name => has.has(name))
      return (
        required.every(name => has.has(name)) &&
        (!needsOneOf || needsOneOf.some(name => has.has(name))) &&
        known.length >= 3 &&
        known.length * 2 > has.size
      )
    })
    .map(({ dataset, has }) => ({
      dataset,
      foreign: [...has].filter(name => !(name in dataset.columns)).length,
    }))
    .sort((a, b) => a.foreign - b.foreign)
  const [best, next] = fitting
  if (!best) return null
  if (next && next.foreign === best.foreign)
    throw new Refused(
      `the columns fit ${fitting
        .filter(f => f.foreign === best.foreign)
        .map(f => f.dataset.name)
        .join(' and ')}: choose one with --dataset`,
    )
  return best.dataset
}

/** One object over several lines, neither a list of rows nor one per line. */
const isSingleObject = (head: string) => /^\uFEFF?\s*\{\s*\n/.test(head)

/** Reads a whole table into a settlement; returns the number of rows and notes for the user. */
export async function readTable(
  file: SourceFile,
  shape: Shape,
  mapping: Mapping,
  intake: IngestRun,
  settlement: Settlement,
): Promise<readonly string[]> {
  if (shape.format === 'ndjson' && isSingleObject(file.head))
    throw new Refused('is one JSON object: a table is a JSON array of objects, or one object per line')
  const names =
    shape.format === 'ndjson' || shape.format === 'json' ? await allKeys(file, shape, intake) : shape.names
  if (shape.format === 'json' && /^\uFEFF?\s*\[\s*\]\s*$/.test(file.head)) return []
  const plan = planTable(names, mapping)
  if (shape.format === 'parquet') {
    const staged = (text: (from: string) => string) => stagedSql(mapping, plan, text)
    const check = (relation: string) => refuseFractions(mapping, fromOf(plan), relation, settlement)
    await settleParquet(file, mapping.dataset, staged, check, settlement)
    return plan.notes
  }
  const { relation, notes } = await stageFile(file, { ...shape, names }, mapping, plan, intake, settlement)
  await refuseFractions(mapping, fromOf(plan), relation, settlement)
  const [{ n, last }] = (await settlement.rows<{ n: number; last: number }>(
    `SELECT count(*) AS n, coalesce(max(_row), 0) AS last FROM ${relation}`,
  )) as [{ n: number; last: number }]
  for (let from = 0; from < last && n > 0; from += SLICE) {
    const slice =
      n <= SLICE ? relation : `(SELECT * FROM ${relation} WHERE _row > ${from} AND _row <= ${from + SLICE})`
    const [{ rows }] = (await settlement.rows<{ rows: number }>(`SELECT count(*) AS rows FROM ${slice}`)) as [
      { rows: number },
    ]
    if (rows > 0) await settlement.settle(new Map([[mapping.dataset, slice]]), rows)
    if (n <= SLICE) break
  }
  await settlement.run(`DROP TABLE IF EXISTS ${table('stage', mapping.dataset)}`)
  return [...plan.notes, ...notes]
}

const fromOf =
  ({ columns }: Plan) =>
  (name: string) =>
    columns.get(name)?.from

/** Columns of the staged relation, from texts of the file's columns. */
function stagedSql(
  mapping: Mapping,
  plan: Plan,
  text: (from: string) => string,
  mark: DecimalMark = 'point',
): string {
  const { dataset } = mapping
  const sqlOf = (name: string): string => {
    const mapped = plan.columns.get(name)
    if (!mapped) return 'NULL'
    if (mapped.constant !== undefined) return literal(mapped.constant)
    const column = dataset.columns[name] ?? { kind: 'date' as const, doc: '', nullable: true }
    const currency = name !== 'currency' && 'currency' in dataset.columns ? sqlOf('currency') : null
    const written = numberText(text(mapped.from!), column, mapped, mark)
    return mappedSql(written, column, mapped, mapping.nulls, currency === 'NULL' ? null : currency)
  }
  return fillable(dataset)
    .map(name => `CAST(${sqlOf(name)} AS VARCHAR) AS ${quote(name)}`)
    .join(', ')
}

async function stageFile(
  file: SourceFile,
  shape: Shape,
  mapping: Mapping,
  plan: Plan,
  intake: IngestRun,
  settlement: Settlement,
): Promise<{ relation: string; notes: readonly string[] }> {
  const path = literal(await file.path())
  const at = (position: string) => `${literal(file.name + AT)} || ${position} AS _at`
  const stage = table('stage', mapping.dataset)
  const source = { file, path, stage, settlement, intake, dataset: mapping.dataset }
  switch (shape.format) {
    case 'json':
    case 'ndjson': {
      const keys = shape.names
      const columns = stagedSql(mapping, plan, from => `_values[${keys.indexOf(from) + 1}]`)
      await stageLines(source, shape.format)
      const pointers = keys.map(key => literal(`/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`))
      await settlement.run(
        `CREATE OR REPLACE TABLE ${stage} AS SELECT _row, ${at(`'row ' || _row`)}, ${columns} FROM ` +
          `(SELECT _row, json_extract_string(line, [${pointers.join(', ')}]) AS _values FROM lines WHERE fine)`,
      )
      await settlement.run('DROP TABLE lines')
      return { relation: stage, notes: [] }
    }
    default: {
      // Where decimals have commas, another separator stands between cells.
      const mark = shape.delimiter === ',' ? 'point' : await markOf(source, shape, plan)
      const columns = stagedSql(mapping, plan, quote, mark)
      await stageDelimited(source, shape, columns, at(`'row ' || _row`))
      return { relation: stage, notes: mark === 'comma' ? [COMMA_NOTE] : [] }
    }
  }
}

interface Source {
  readonly file: SourceFile
  readonly path: string
  readonly stage: string
  readonly settlement: Settlement
  readonly intake: IngestRun
  readonly dataset: Dataset
}

/** Table `lines`: one JSON text per row with its position, `fine` if it is an object. The others are rejected. */
async function stageLines(
  { file, path, settlement, intake, dataset }: Source,
  format: 'json' | 'ndjson',
): Promise<void> {
  if (format === 'json')
    await settlement
      .run(
        `CREATE OR REPLACE TABLE lines AS SELECT *, json_type(line) = 'OBJECT' AS fine FROM (SELECT row_number() OVER () AS _row, ` +
          `CAST(json AS VARCHAR) AS line FROM read_json_objects(${path}, format = 'array', maximum_object_size = ${LONGEST_LINE}))`,
      )
      .catch(unreadable)
  else {
    const scan =
      `read_csv(${path}, columns = {'line': 'VARCHAR'}, delim = '\u0001', quote = '', escape = '', header = false, ` +
      `auto_detect = false, max_line_size = ${LONGEST_LINE}, buffer_size = ${2 * LONGEST_LINE}, store_rejects = true, ` +
      `rejects_table = 'bad_lines', rejects_scan = 'bad_scans')`
    await intake.database.session(async session => {
      for (const left of ['bad_lines', 'bad_scans']) await session.run(`DROP TABLE IF EXISTS ${left}`)
      await session.run(
        `CREATE OR REPLACE TABLE lines AS SELECT *, CASE WHEN json_valid(line) THEN json_type(line) = 'OBJECT' ELSE false END AS fine ` +
          `FROM (SELECT row_number() OVER () AS _row, line FROM ${scan}) WHERE trim(coalesce(line, ''), ' ' || chr(13)) <> ''`,
      )
      await session.run(`INSERT INTO rejects ${badLinesSql(file.name, dataset)}`)
    }, intake.options)
  }
  await settlement.run(
    `INSERT INTO rejects SELECT _row, ${literal(file.name)}, 'row ' || _row, ${literal(dataset.name)}, NULL, NULL, ` +
      `CASE WHEN json_valid(line) THEN 'is not a JSON object' ELSE 'is not JSON' END, left(line, 4000) FROM lines WHERE NOT fine`,
  )
}

/** Keys of all rows, in order of appearance. */
async function allKeys(file: SourceFile, shape: Shape, intake: IngestRun): Promise<readonly string[]> {
  const reader = shape.format === 'json' ? 'array' : 'newline_delimited'
  const found = await intake.database
    .rows<{ key: string }>(
      `SELECT DISTINCT unnest(json_keys(json)) AS key FROM read_json_objects(${literal(await file.path())}, ` +
        `format = '${reader}', ignore_errors = ${shape.format === 'ndjson'}, maximum_object_size = ${LONGEST_LINE}) ` +
        `WHERE json_type(json) = 'OBJECT'`,
    )
    .catch(unreadable)
  const all = found.map(({ key }) => key)
  return [
    ...shape.names.filter(name => all.includes(name)),
    ...all.filter(key => !shape.names.includes(key)).sort(),
  ]
}

function markOf({ path, dataset, settlement }: Source, shape: Shape, plan: Plan): Promise<DecimalMark> {
  const columns = [...plan.columns].flatMap(([name, mapped]) => {
    const column = dataset.columns[name]
    return column ? [[column, mapped] as const] : []
  })
  return decimalMarkOf(settlement, delimitedSql(path, shape, 'ignore_errors = true'), columns)
}

/** A scan whose columns are all text. */
function delimitedSql(path: string, { names, delimiter }: Shape, more: string): string {
  const types = names.map(name => `${literal(name)}: 'VARCHAR'`).join(', ')
  return (
    `read_csv(${path}, columns = {${types}}, delim = ${literal(delimiter)}, quote = '"', escape = '"', header = true, ` +
    `auto_detect = false, max_line_size = ${LONGEST_LINE}, buffer_size = ${2 * LONGEST_LINE}, ${more})`
  )
}

async function stageDelimited(
  { file, path, stage, settlement, intake, dataset }: Source,
  shape: Shape,
  columns: string,
  at: string,
): Promise<void> {
  const rejects = "store_rejects = true, rejects_table = 'bad_lines', rejects_scan = 'bad_scans'"
  const scan = delimitedSql(path, shape, rejects)
  const blank = shape.names.length === 1 ? `WHERE ${quote(firstOf(shape.names))} IS NOT NULL` : ''
  await intake.database.session(async session => {
    for (const left of ['bad_lines', 'bad_scans']) await session.run(`DROP TABLE IF EXISTS ${left}`)
    await session.run(
      `CREATE OR REPLACE TABLE ${stage} AS SELECT _row, ${at}, ${columns} ` +
        `FROM (SELECT row_number() OVER () + 1 AS _row, * FROM ${scan}) ${blank}`,
    )
    await session.run(`INSERT INTO rejects ${badLinesSql(file.name, dataset)}`)
  }, intake.options)
  // DuckDB gives no position of a good row and skips blank lines; it numbers refused rows as a spreadsheet does.
  const refused = await settlement.rows<{ _row: number }>(
    `SELECT _row FROM rejects WHERE file = ${literal(file.name)}`,
  )
  const blanks = shape.names.length === 1 ? [] : await blankRows(await file.path())
  const skipped = [...refused.map(row => row._row), ...blanks].sort((a, b) => a - b)
  if (skipped.length === 0) return
  await settlement.run('CREATE OR REPLACE TABLE skips (after BIGINT, shift BIGINT)')
  await intake.database.append(
    'skips',
    [skipped.map((row, i) => BigInt(row - i)), skipped.map((_, i) => BigInt(i + 1))],
    skipped.length,
  )
  await settlement.run(
    `CREATE OR REPLACE TABLE ${stage} AS SELECT _placed AS _row, ${at.replaceAll('_row', '_placed')}, ` +
      `* EXCLUDE (_row, _at, _placed, after, shift) FROM (SELECT *, _row + coalesce(shift, 0) AS _placed FROM ${stage} ` +
      'ASOF LEFT JOIN (SELECT after, max(shift) AS shift FROM skips GROUP BY after) skips ON _row >= skips.after) ORDER BY _row',
  )
}

/** Lines that DuckDB could not read, once each, in the columns of `rejects`. */
const badLinesSql = (name: string, dataset: Dataset) =>
  `SELECT line, ${literal(name)}, 'row ' || line, ${literal(dataset.name)}, NULL, NULL, any_value(CASE CAST(error_type AS VARCHAR) ` +
  `WHEN 'MISSING COLUMNS' THEN 'has too few cells' WHEN 'TOO MANY COLUMNS' THEN 'has too many cells' ` +
  `WHEN 'UNQUOTED VALUE' THEN 'has a quote that does not close, or text after it' ` +
  `WHEN 'INVALID ENCODING' THEN 'is not UTF-8: save the file as UTF-8' WHEN 'LINE SIZE OVER MAXIMUM' THEN 'is longer than 32 MB' ` +
  `ELSE lower(CAST(error_type AS VARCHAR)) END), left(trim(any_value(csv_line), chr(10) || chr(13)), 4000) FROM bad_lines GROUP BY line`

/** Numbers of the blank lines of a delimited file, counting records as a spreadsheet does, except at its end. */
export async function blankRows(path: string): Promise<number[]> {
  if (!(await hasBlankRows(path))) return []
  const rows: number[] = []
  let row = 1
  let length = 0
  let quoted = false
  let trailing = 0
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }))
    for (const byte of chunk as Buffer) {
      if (byte === 0x0a && !quoted) {
        if (length === 0) {
          rows.push(row)
          trailing++
        } else trailing = 0
        row++
        length = 0
      } else if (byte !== 0x0d || quoted) {
        if (byte === 0x22) quoted = !quoted
        length++
      }
    }
  return length === 0 ? rows.slice(0, rows.length - trailing) : rows
}

async function hasBlankRows(path: string): Promise<boolean> {
  let before = Buffer.from('\n')
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    const joined = Buffer.concat([before, chunk as Buffer])
    if (joined.includes('\n\n') || joined.includes('\n\r\n')) return true
    before = joined.subarray(-2)
  }
  return false
}
