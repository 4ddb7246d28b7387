import { invalid } from '../base/errors.ts'
import { literal } from '../database/database.ts'
import { nearest } from '../names/nearest.ts'
import { type Column, unitOf } from '../schema/column.ts'
import type { Dataset } from '../schema/dataset.ts'
import { datasetNamed, datasets } from '../schema/datasets/datasets.ts'
import { stagedColumns } from './checks.ts'

/** How a user's file gives a dataset's column: its name, unit, date format and words. */
export interface MappedColumn {
  readonly from?: string
  readonly constant?: string
  readonly unit?: Unit
  /** In strptime format: `%m/%d/%Y`. */
  readonly date_format?: string
  /** Their words and ours; null for one that means missing. Other words stay. */
  readonly values?: Readonly<Record<string, string | null>>
}

export interface Mapping {
  readonly dataset: Dataset
  readonly columns: Readonly<Record<string, MappedColumn>>
  /** Columns of the file that are knowingly ignored. */
  readonly ignore: readonly string[]
  /** Words that mean missing in any column: `NA`, `--`. */
  readonly nulls: readonly string[]
}

const units = [
  'cents',
  'dollars',
  'thousands',
  'millions',
  'billions',
  'fraction',
  'decimal',
  'percent',
  'bps',
] as const
export type Unit = (typeof units)[number]

const money: Partial<Record<Unit, string>> = {
  cents: '1',
  dollars: '100',
  thousands: '100000',
  millions: '100000000',
  billions: '100000000000',
}
const scale: Partial<Record<Unit, string>> = {
  thousands: '1000',
  millions: '1000000',
  billions: '1000000000',
}

/** The factor from a unit to the column's own unit; undefined for an unsuitable unit. */
export function factor(column: Column, unit: Unit): string | undefined {
  switch (column.kind) {
    case 'cents':
      return money[unit]
    case 'percent':
      return { fraction: '100', decimal: '100', percent: '1', bps: '0.01' }[unit as string]
    case 'bps':
      return { fraction: '10000', decimal: '10000', percent: '100', bps: '1' }[unit as string]
    case 'ratio':
      return { fraction: '1', decimal: '1', percent: '0.01', bps: '0.0001' }[unit as string]
    case 'number':
      return column.unit === 'percent of par'
        ? { fraction: '100', decimal: '100', percent: '1' }[unit as string]
        : scale[unit]
    case 'integer':
      return scale[unit]
    default:
      return undefined
  }
}

/** The columns of a dataset that a file may fill, including `known_from`. */
export const fillable = (dataset: Dataset): string[] => stagedColumns(dataset)

/** Names of dataset columns in the service's records: its own exports can be loaded again. */
export const aliasesOf = (dataset: Dataset): Readonly<Record<string, string>> => ({
  ...('ticker' in dataset.columns ? { company_ticker: 'ticker' } : {}),
  ...('feed' in dataset.columns ? { source: 'feed' } : {}),
})

/** Parses a mapping file; each error names its place. */
export function parseMapping(text: string, datasetName?: string): Mapping {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (error) {
    throw wrong('', text.slice(0, 40), `is not JSON: ${(error as Error).message}`)
  }
  const map = object('', parsed)
  for (const key of Object.keys(map))
    if (!['dataset', 'columns', 'constants', 'ignore', 'nulls'].includes(key))
      throw wrong(key, map[key], 'is unknown: a mapping has dataset, columns, constants, ignore and nulls')
  const dataset = datasetOf(map['dataset'] ?? datasetName)
  if (datasetName && dataset.name !== datasetName)
    throw wrong('dataset', dataset.name, `says ${dataset.name} where --dataset says ${datasetName}`)
  const columns: Record<string, MappedColumn> = {}
  for (const [said, value] of Object.entries(object('columns', map['columns'] ?? {}))) {
    const place = `columns.${said}`
    const name = nameOf(dataset, said, place)
    columns[name] = columnOf(dataset, name, value, place)
  }
  for (const [said, value] of Object.entries(object('constants', map['constants'] ?? {}))) {
    const place = `constants.${said}`
    const name = nameOf(dataset, said, place)
    if (name in columns) throw wrong(place, value, `is also under columns: ${name} can be only one of them`)
    columns[name] = { constant: scalar(place, value) }
  }
  return { dataset, columns, ignore: texts('ignore', map['ignore']), nulls: texts('nulls', map['nulls']) }
}

/** The mapping of a file whose columns have the dataset's own names. */
export const plainMapping = (dataset: Dataset): Mapping => ({ dataset, columns: {}, ignore: [], nulls: [] })

export function datasetOf(name: unknown): Dataset {
  if (name === undefined) throw wrong('dataset', name, 'is missing: give the dataset of the rows')
  const found = typeof name === 'string' ? datasetNamed(name) : undefined
  if (found) return found
  const names = datasets.map(d => d.name)
  const meant = typeof name === 'string' ? nearest(name, names) : undefined
  throw invalid(
    'dataset',
    name,
    `no dataset ${JSON.stringify(name)}${meant ? `, did you mean ${meant}?` : ''} There are ${names.join(', ')}`,
  )
}

function columnOf(dataset: Dataset, name: string, value: unknown, place: string): MappedColumn {
  if (typeof value === 'string') return { from: value }
  const entry = object(place, value)
  for (const key of Object.keys(entry))
    if (!['from', 'constant', 'unit', 'date_format', 'values'].includes(key))
      throw wrong(
        `${place}.${key}`,
        entry[key],
        'is unknown: allowed are from, constant, unit, date_format, values',
      )
  if ('constant' in entry) {
    if (Object.keys(entry).length > 1) throw wrong(place, value, 'has a constant and takes nothing else')
    return { constant: scalar(`${place}.constant`, entry['constant']) }
  }
  const { from = name, unit, date_format, values } = entry
  if (typeof from !== 'string') throw wrong(`${place}.from`, from, 'must be the name of a column of the file')
  const column: Column = dataset.columns[name] ?? { kind: 'date', doc: '', nullable: true }
  return {
    from,
    ...(unit === undefined ? {} : { unit: unitNamed(column, name, unit, `${place}.unit`) }),
    ...(date_format === undefined
      ? {}
      : { date_format: formatOf(column, name, date_format, `${place}.date_format`) }),
    ...(values === undefined ? {} : { values: words(`${place}.values`, values) }),
  }
}

function unitNamed(column: Column, name: string, unit: unknown, place: string): Unit {
  if (!units.includes(unit as Unit)) throw wrong(place, unit, `must be one of ${units.join(', ')}`)
  if (factor(column, unit as Unit) !== undefined) return unit as Unit
  const fitting = units.filter(u => factor(column, u) !== undefined)
  throw wrong(
    place,
    unit,
    fitting.length > 0
      ? `does not fit ${name}, which is in ${unitOf(column) ?? 'a plain number'}: use ${fitting.join(', ')}`
      : `does not fit ${name}, which is ${column.kind}`,
  )
}

function formatOf(column: Column, name: string, format: unknown, place: string): string {
  if (column.kind !== 'date') throw wrong(place, format, `does not fit ${name}, which is ${column.kind}`)
  if (typeof format !== 'string' || !/%/.test(format))
    throw wrong(place, format, 'must be a format like %m/%d/%Y')
  return format
}

function words(place: string, value: unknown): Record<string, string | null> {
  const map = object(place, value)
  return Object.fromEntries(
    Object.entries(map).map(([theirs, ours]) => [
      theirs,
      ours === null ? null : scalar(`${place}.${theirs}`, ours),
    ]),
  )
}

function nameOf(dataset: Dataset, written: string, place: string): string {
  const name = aliasesOf(dataset)[written] ?? written
  if (fillable(dataset).includes(name)) return name
  const meant = nearest(name, fillable(dataset))
  throw wrong(place, name, `is not a column of ${dataset.name}${meant ? `, did you mean ${meant}?` : ''}`)
}

function object(place: string, value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrong(place, value, 'must be a JSON object')
  return value as Record<string, unknown>
}

function texts(place: string, value: unknown): string[] {
  if (value === undefined) return []
  if (!Array.isArray(value) || value.some(v => typeof v !== 'string'))
    throw wrong(place, value, 'must be a list of strings')
  return value
}

function scalar(place: string, value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return String(value)
  throw wrong(place, value, 'must be a string, number or boolean')
}

const wrong = (place: string, value: unknown, what: string) =>
  invalid('map', value, `mapping: ${place ? `${place} ` : ''}${what}`)

/** Currencies whose minor unit is not a hundredth, by digits after the point (ISO 4217). */
const digits: Readonly<Record<string, number>> = Object.fromEntries([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ').map(c => [c, 0]),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map(c => [c, 3]),
])

/**
 * A dataset column as text, in SQL over the file's column.
 * @param currency SQL of the row's currency, if the dataset has one: money in major units depends on it
 */
export function mappedSql(
  text: string,
  column: Column,
  mapped: MappedColumn,
  nulls: readonly string[],
  currency: string | null,
): string {
  let sql = text
  const gone = [
    ...nulls,
    ...Object.entries(mapped.values ?? {}).flatMap(([theirs, ours]) => (ours === null ? theirs : [])),
  ]
  if (gone.length > 0)
    sql = `CASE WHEN trim(${sql}) IN (${gone.map(literal).join(', ')}) THEN NULL ELSE ${sql} END`
  const replaced = Object.entries(mapped.values ?? {}).filter(([, ours]) => ours !== null)
  if (replaced.length > 0)
    sql = `CASE trim(${sql}) ${replaced.map(([a, b]) => `WHEN ${literal(a)} THEN ${literal(b!)}`).join(' ')} ELSE ${sql} END`
  // Text in another format stays, so that the column's check reports it.
  if (mapped.date_format)
    sql = `coalesce(CAST(CAST(try_strptime(trim(${sql}), ${literal(mapped.date_format)}) AS DATE) AS VARCHAR), ${sql})`
  return mapped.unit ? convertedSql(sql, column, mapped.unit, currency) : sql
}

/**
 * In decimals, so that 19.99 dollars are 1999 cents; money is rounded to the cent. Text that is not a number stays.
 */
function convertedSql(text: string, column: Column, unit: Unit, currency: string | null): string {
  const by = factor(column, unit)!
  if (by === '1') return text
  const whole = column.kind === 'cents' || column.kind === 'integer'
  const number = `TRY_CAST(${text} AS DOUBLE)`
  const scale = `CAST(${by} AS DECIMAL(${whole ? '12, 0' : '14, 4'}))${minor(column, currency)}`
  const product = `TRY_CAST(${text} AS DECIMAL(38, ${whole ? 10 : 18})) * ${scale}`
  const exact = whole ? `CAST(round(${product}) AS DECIMAL(38, 0))` : `CAST(${product} AS DOUBLE)`
  const exactBelow = (whole ? 1e16 : 1e15) / Number(by)
  return (
    `CASE WHEN ${number} IS NULL THEN ${text} WHEN abs(${number}) < ${exactBelow} THEN CAST(${exact} AS VARCHAR) ` +
    `ELSE CAST(${number} * ${scale} AS VARCHAR) END`
  )
}

const minor = (column: Column, currency: string | null) => {
  if (column.kind !== 'cents' || !currency) return ''
  const whens = Object.entries(digits).map(
    ([code, n]) => `WHEN ${literal(code)} THEN ${n === 0 ? '0.01' : '10'}`,
  )
  return ` * CAST(CASE upper(trim(${currency})) ${whens.join(' ')} ELSE 1 END AS DECIMAL(4, 2))`
}

/** `Coupon Rate` and `coupon_rate` are the same name. */
export const plainName = (name: string): string =>
  name
    .replace(/^\uFEFF/, '')
    .trim()
    .toLowerCase()
    .replace(/[ .-]+/g, '_')
