import { firstOf } from '../base/elements.ts'
import { largest, smallest } from '../base/lists.ts'
import { epochDay } from '../database/plain-values.ts'
import { nearestName } from '../names/nearest.ts'
import { sectorsOfLabel } from '../names/sector.ts'
import { numberAt } from '../query/memory/column.ts'
import { countByValue } from '../query/memory/count-values.ts'
import type { Plan } from '../query/plan/plan.ts'
import { pageSql } from '../query/plan/plan-sql.ts'
import { type Column, type Columns, isNumeric } from '../schema/column.ts'
import type { Condition } from '../schema/filter.ts'
import { excludedPrices } from '../schema/resources/excluded-prices.ts'
import type { Context, ListAnswer, Narrowing } from './operation.ts'

/** Maximum number of values a sentence names; the rest are counted. */
const NAMED = 5
/** Maximum number of values to compare with an unmatched one. */
const MOST_VALUES = 1000

/**
 * Why a list is empty: there is no data, one filter excludes everything that the others pass (with the days or values
 * that exist), or several do together.
 */
export async function whyEmpty(
  context: Context,
  { plan, kinds, narrowing = [], atAnyAge }: ListAnswer,
): Promise<string[]> {
  const { group: _, ...rows } = plan
  const filters = byColumn(narrowing)
  const counted = (dropped: readonly Filter[]) => context.count(without(rows, dropped), kinds)
  const all = await counted(filters)
  if (all === 0)
    return [`no ${nameOf(plan.table)} are known as of ${context.asOf}`, ...(await setAside(context, plan))]
  if (filters.length === 0) return []
  const reasons: string[] = []
  if (atAnyAge) {
    const old = atAnyAge()
    await context.tables(old.plan.table)
    const count = await context.count({ ...old.plan, limit: null, offset: 0 }, old.kinds)
    if (count > 0) reasons.push(`${rowsText(count)} with ${old.text}`)
  }
  for (const filter of filters) {
    const others = without(rows, [filter])
    const left = await context.count(others, kinds)
    if (left > 0)
      reasons.push(
        `${rowsText(left)} without ${filter.text}${await thereAre(context, others, kinds, filter, without(rows, filters))}`,
      )
  }
  if (reasons.length > 0) return reasons
  for (const [i, filter] of filters.entries()) {
    const left = await counted(filters.slice(i + 1))
    if (left > 0) continue
    const before = await counted(filters.slice(i))
    const passed = filters.slice(0, i).map(({ text }) => text)
    const those = passed.length > 0 ? ` with ${passed.join(' and ')}` : ''
    return [`${filter.text} leaves none of the ${rowsText(before)}${those}`]
  }
  return []
}

const PRICES = /^pricing/

/** The rows of a table in words: `financials`, `index spreads`, `prices`. */
const nameOf = (table: string): string =>
  PRICES.test(table) ? 'prices' : table.replace(/_by_.*$/, '').replaceAll('_', ' ')

/** Prices that were loaded and are not used. */
async function setAside(context: Context, { table }: Plan): Promise<string[]> {
  if (!PRICES.test(table)) return []
  await context.tables(excludedPrices.table)
  const plan: Plan = {
    table: excludedPrices.table,
    columns: [],
    where: [],
    after: [],
    order: [],
    limit: null,
    offset: 0,
  }
  const count = await context.count(plan, excludedPrices.columns)
  return count === 0 ? [] : [`${rowsText(count)} of excluded_prices, with the reason`]
}

const rowsText = (count: number): string => `${count.toLocaleString('en-US')} ${count === 1 ? 'row' : 'rows'}`

/** All conditions on one column. */
interface Filter {
  readonly name: string
  readonly column: string
  readonly text: string
  readonly conditions: readonly Condition[]
}

function byColumn(narrowing: readonly Narrowing[]): Filter[] {
  const columns = [...new Set(narrowing.map(({ column }) => column))]
  return columns.map(column => {
    const own = narrowing.filter(n => n.column === column)
    return {
      name: firstOf(own).name,
      column,
      text: own.map(({ name, value }) => `${name}=${valueText(value)}`).join(' and '),
      conditions: own.flatMap(({ conditions }) => conditions),
    }
  })
}

const valueText = (value: unknown): string => {
  if (!Array.isArray(value)) return String(value)
  return value.length <= NAMED ? value.join(',') : `${value.slice(0, NAMED).join(',')},…`
}

function without(plan: Plan, filters: readonly Filter[]): Plan {
  const dropped = new Set(filters.flatMap(({ conditions }) => conditions))
  const remaining = (conditions: readonly Condition[]) => conditions.filter(c => !dropped.has(c))
  return { ...plan, where: remaining(plan.where), after: remaining(plan.after), limit: null, offset: 0 }
}

/** The values of one column in the rows of a plan. */
interface ColumnOfRows {
  readonly plan: Plan
  readonly kinds: Columns
  readonly name: string
  readonly column: Column
}

/**
 * The range of days or numbers, or the few values, that a filter's column has.
 * @param unfiltered all rows: a value that one of them has is no misspelling
 */
async function thereAre(
  context: Context,
  plan: Plan,
  kinds: Columns,
  { name, column, conditions }: Filter,
  unfiltered: Plan,
): Promise<string> {
  const kind = kinds[column]
  if (!kind) return ''
  const of = { plan, kinds, name: column, column: kind }
  if (kind.kind === 'date' || isNumeric(kind)) {
    const span = await spanOf(context, of)
    const shown = (edge: string | number) => (typeof edge === 'number' ? Number(edge.toFixed(4)) : edge)
    return span === null
      ? `, none has ${column}`
      : `, ${column} from ${shown(span.min)} to ${shown(span.max)}`
  }
  const isNamed =
    kind.kind === 'enum' || (kind.kind === 'text' && (!kind.format || kind.format === 'currency'))
  // Listing other companies would not help.
  if (!isNamed || column === 'company_id') return ''
  const names = await valuesOf(context, of)
  if (names.length === 0) return `, none has ${name}`
  // Enum values were validated before: they are meant as written.
  const requested = kind.kind === 'text' ? conditions.flatMap(c => (c.op === 'in' ? c.values : [])) : []
  const known = new Set(
    requested.length > 0 ? (await valuesOf(context, { ...of, plan: unfiltered })).map(fold) : [],
  )
  const meant = meantAmong(
    requested.map(String).filter(value => !known.has(fold(value))),
    names,
    column === 'sector' ? sectorsOfLabel : () => [],
  )
  const suggestion = meant.length > 0 ? `; did you mean ${meant.join(' or ')}?` : ''
  return `, ${name} ${names.slice(0, NAMED).join(', ')}${names.length > NAMED ? ' and others' : ''}${suggestion}`
}

/** The least and the greatest value; null if there is none. */
async function spanOf(
  context: Context,
  of: ColumnOfRows,
): Promise<{ min: string | number; max: string | number } | null> {
  const loaded = inMemory(context, of)
  const isDate = of.column.kind === 'date'
  if (loaded) {
    const values = loaded.rows.map(row => numberAt(loaded.column(of.name), row))
    const known = values.filter(value => !Number.isNaN(value))
    if (known.length === 0) return null
    const [min, max] = [smallest(known), largest(known)]
    return isDate ? { min: epochDay(min), max: epochDay(max) } : { min, max }
  }
  const { text, values } = groupedSql(of, [], ['min', 'max'])
  const cast = isDate ? 'VARCHAR' : 'DOUBLE'
  const [span] = await context.database.rows<{ min: string | number | null; max: string | number }>(
    `SELECT CAST(min AS ${cast}) AS min, CAST(max AS ${cast}) AS max FROM (${text})`,
    values,
  )
  return span && span.min !== null ? { min: span.min, max: span.max } : null
}

/** The values, the most frequent first. */
async function valuesOf(context: Context, of: ColumnOfRows): Promise<string[]> {
  const loaded = inMemory(context, of)
  if (loaded)
    // Values come in the order of DuckDB, which those of the same count keep.
    return countByValue(loaded.column(of.name), loaded.rows, false)
      .filter(({ value }) => value !== null)
      .sort((a, b) => b.count - a.count)
      .slice(0, MOST_VALUES)
      .map(({ value }) => String(value))
  const { text, values } = groupedSql(of, ['value'], ['count'])
  const found = await context.database.rows<{ value: string }>(
    `SELECT value FROM (${text}) WHERE value IS NOT NULL ORDER BY count DESC, value LIMIT ${MOST_VALUES}`,
    values,
  )
  return found.map(({ value }) => value)
}

const inMemory = (context: Context, { plan, kinds, name, column }: ColumnOfRows) =>
  context.memoryRows({ ...plan, columns: [{ name, column }], order: [] }, kinds)

function groupedSql(
  { plan, kinds, name, column }: ColumnOfRows,
  by: readonly string[],
  metrics: readonly ('min' | 'max' | 'count')[],
) {
  const group = {
    by: by.map(each => ({ name: each, column: name })),
    value: name,
    time: name,
    company: name,
    metrics,
  }
  const columns = [...by, ...metrics].map(each => ({ name: each, column }))
  return pageSql({ ...plan, columns, group, order: [] }, kinds, false)
}

const fold = (value: string): string => value.toLowerCase()
const lettersAndDigits = (value: string): string => fold(value).replaceAll(/[^\p{L}\p{N}]/gu, '')

/**
 * The values probably meant by values that no row has.
 * @param labelled the values that another classification's label stands for
 */
function meantAmong(
  requested: readonly string[],
  names: readonly string[],
  labelled: (value: string) => readonly string[],
): string[] {
  const meant = requested.flatMap(value => {
    const known = labelled(value).filter(name => names.includes(name))
    if (known.length > 0) return known
    // Codes that differ in a character are others: 10-K is not 10-Q written wrongly, but 10K is 10-K.
    if (/\d/.test(value))
      return names.filter(name => lettersAndDigits(name) === lettersAndDigits(value)).slice(0, 1)
    return nearestName(value, names) ?? []
  })
  return [...new Set(meant)]
}
