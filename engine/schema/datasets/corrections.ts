import {
  type Column,
  type Columns,
  date,
  nullable,
  oneOf,
  pick,
  sqlType,
  text,
  timestamp,
} from '../column.ts'
import { type Check, dataset } from '../dataset.ts'
import { collateral } from './collateral.ts'
import { covenants } from './covenants.ts'
import { entities } from './entities.ts'
import { instruments, instrumentTerms } from './instruments.ts'

/** Tables whose facts are read out of documents. */
export const correctedTables = ['covenants', 'collateral', 'instruments', 'entities'] as const
export type CorrectedTable = (typeof correctedTables)[number]

/** The fields that a correction may set. A row keeps its id, its company and its evidence. */
export const correctable: Readonly<Record<CorrectedTable, Columns>> = {
  covenants: pick(
    covenants.columns,
    'instrument_name',
    'agreement_date',
    'effective_from',
    'ended_on',
    'ended_because',
    'covenant_type',
    'covenant_name',
    'test_metric',
    'threshold_value',
    'threshold_type',
    'test_frequency',
    'description',
    'step_down_schedule',
    'cure_period_days',
    'equity_cure',
    'definitions',
    'baskets',
    'put_price_pct',
  ),
  collateral: pick(
    collateral.columns,
    'type',
    'description',
    'assets',
    'priority',
    'estimated_value',
    'valuation_date',
    'valuation_source',
    'jurisdiction',
    'instrument_name',
    'agreement_date',
    'ended_on',
    'ended_because',
  ),
  instruments: pick(instruments.columns, 'name', ...instrumentTerms, 'maturity_date', 'guarantors'),
  entities: pick(
    entities.columns,
    'name',
    'entity_type',
    'jurisdiction',
    'lei',
    'ownership_pct',
    'is_guarantor',
    'is_vie',
    'removed_date',
  ),
}

/** Tables whose rows a correction may drop; entities are named by other rows, so they end by `removed_date`. */
export const droppable: readonly CorrectedTable[] = ['covenants', 'collateral', 'instruments']

/** True in SQL if JSON has the shape of a field, so that what reads it later finds its members. */
function isShaped(name: string, json: string): string {
  if (name === 'equity_cure') return `json_type(${json}) = 'OBJECT'`
  const isMember =
    name === 'step_down_schedule'
      ? `coalesce(json_type(x, '$.threshold_value') IN ('DOUBLE', 'BIGINT', 'UBIGINT'), false)
          AND (json_type(x, '$.date') IS NULL OR json_type(x, '$.date') = 'NULL' OR TRY_CAST(x->>'$.date' AS DATE) IS NOT NULL)`
      : `json_type(x) = 'OBJECT'`
  return `CASE WHEN json_type(${json}) = 'ARRAY' THEN len(list_filter(CAST(${json} AS JSON[]), x -> NOT (${isMember}))) = 0 ELSE false END`
}

/** What a value of a column looks like. */
function wanted(column: Column): string {
  switch (column.kind) {
    case 'text':
      return 'text'
    case 'enum':
      return `one of ${column.values!.join(', ')}`
    case 'json':
      return `JSON (${column.doc.replace(/\.$/, '')})`
    case 'list':
      return 'a list as JSON, ["a","b"]'
    case 'cents':
      return 'a whole number of cents'
    case 'integer':
      return 'a whole number'
    case 'date':
      return 'a day, YYYY-MM-DD'
    case 'boolean':
      return 'true or false'
    default:
      return 'a number, with a point for decimals'
  }
}

/** True in SQL if a text is a value of a column. */
function isValue(name: string, column: Column, sql: string): string {
  switch (column.kind) {
    case 'text':
      return `trim(${sql}) <> ''`
    case 'enum':
      return `${sql} IN (${column.values!.map(value => `'${value.replaceAll("'", "''")}'`).join(', ')})`
    case 'json':
      return `CASE WHEN json_valid(${sql}) THEN ${isShaped(name, `CAST(${sql} AS JSON)`)} ELSE false END`
    case 'list':
      return `json_valid(${sql}) AND starts_with(ltrim(${sql}), '[')`
    case 'cents':
    case 'integer':
      return `regexp_full_match(${sql}, '-?[0-9]{1,15}')`
    case 'date':
      return `regexp_full_match(${sql}, '[0-9]{4}-[0-9]{2}-[0-9]{2}') AND TRY_CAST(${sql} AS DATE) IS NOT NULL`
    default:
      return `TRY_CAST(${sql} AS ${sqlType(column)}) IS NOT NULL${column.kind === 'boolean' ? '' : ` AND isfinite(TRY_CAST(${sql} AS DOUBLE))`}`
  }
}

/** A text as a value of a column, in SQL. */
export const valueSql = (column: Column, sql: string): string =>
  column.kind === 'list' ? `CAST(CAST(${sql} AS JSON) AS VARCHAR[])` : `CAST(${sql} AS ${sqlType(column)})`

const checks: readonly Check[] = [
  {
    sql: `action <> 'set' or ${correctedTables
      .map(
        table =>
          `corrects = '${table}' and field in (${Object.keys(correctable[table])
            .map(name => `'${name}'`)
            .join(', ')})`,
      )
      .join(' or ')}`,
    says: 'field must be a field of the table that a correction may set: "tranche correct fields" lists them',
  },
  {
    sql: `action <> 'drop' or field is null and corrects in (${droppable.map(table => `'${table}'`).join(', ')})`,
    says: `drop takes no field, and a row of ${droppable.join(', ')}`,
  },
  ...correctedTables.flatMap(table =>
    Object.entries(correctable[table]).flatMap(([name, column]): Check[] => [
      {
        sql: `corrects <> '${table}' or action <> 'set' or field is distinct from '${name}' or ${
          column.nullable ? 'value is null or ' : 'value is not null and '
        }coalesce(${isValue(name, column, 'value')}, false)`,
        says: `${table}.${name} must be ${wanted(column)}${column.nullable ? ', or nothing for not known' : ''}`,
      },
    ]),
  ),
]

export const corrections = dataset({
  name: 'corrections',
  doc: "Users' corrections of facts that were read out of documents.",
  columns: {
    corrects: oneOf(correctedTables, 'Table of the corrected row.'),
    row_id: text('Id of the corrected row.'),
    action: oneOf(
      ['set', 'drop', 'remove'],
      '`set` gives a field a value, `drop` drops the row, `remove` takes back an earlier correction.',
    ),
    field: nullable(text('Field that is set; none if the row is dropped.')),
    value: nullable(
      text('The right value, as in CSV: money in cents, days as YYYY-MM-DD, lists as JSON; none: not known.'),
    ),
    reason: text('Why.'),
    made_by: text('Who made it.'),
    made_on: date('Day from which it holds.'),
    made_at: timestamp('When it was made: of several for one field the last one counts.'),
  },
  key: ['corrects', 'row_id', 'field', 'made_at'],
  known: ['made_on'],
  checks,
})
