import type { Random } from '../cli/sample/random.ts'
import { memberOf } from '../engine/base/elements.ts'
import { literal, quote } from '../engine/database/database.ts'
import type { Column } from '../engine/schema/column.ts'
import type { Condition, Filter } from '../engine/schema/filter.ts'
import type { Resource } from '../engine/schema/resource.ts'
import { parseSort, type Sort, totalOrder } from '../engine/schema/sort.ts'
import type { Shown } from './case.ts'

type Value = string | number | boolean

/** Values of filter columns to choose from: some words, and quantiles of ordered columns. */
export type Pools = ReadonlyMap<string, readonly Value[]>

/** A query of a resource, for the engine and for DuckDB. */
export interface Question {
  readonly input: Readonly<Record<string, unknown>>
  /** Conditions on rows, and on the newest row of each group if only these are requested. */
  readonly where: readonly Condition[]
  readonly after: readonly Condition[]
  readonly newest: boolean
  readonly order: readonly Sort[]
  readonly shown: Shown
}

const LIMIT = 50
/** Filters of a query, and columns beside those that it mentions. */
const MOST_FILTERS = 3
const MORE_COLUMNS = 5

const isOrdered = ({ op }: Filter): boolean => op === 'at_least' || op === 'at_most'
const isWord = ({ op }: Filter): boolean => op === 'any_of' || op === 'company'

/** One statement per column that selects realistic filter values from a table. */
export const poolSql = (resource: Resource): ReadonlyMap<string, string> =>
  new Map(
    Object.values(resource.filters).flatMap(filter => {
      const column = quote(filter.column)
      const from = `FROM ${quote(resource.table)} WHERE ${column} IS NOT NULL`
      if (isWord(filter))
        return [[filter.column, `SELECT DISTINCT ${column} ${from} ORDER BY ALL LIMIT 1000`]]
      const steps = Array.from({ length: 19 }, (_, i) => (i + 1) / 20)
      const of =
        memberOf(resource.columns, filter.column).kind === 'date' ? `CAST(v AS VARCHAR)` : 'CAST(v AS DOUBLE)'
      return isOrdered(filter)
        ? [
            [
              filter.column,
              `SELECT DISTINCT ${of} FROM (SELECT unnest(quantile_disc(${column}, [${steps.join(', ')}])) AS v ${from}) ORDER BY ALL`,
            ],
          ]
        : []
    }),
  )

/** Values for a filter; null if the table has none. */
function drawn(random: Random, { column, ...filter }: Filter, pools: Pools): readonly Value[] | null {
  if (filter.op === 'is' || filter.op === 'has' || filter.param?.kind === 'boolean')
    return [random.chance(0.5)]
  const pool = pools.get(column) ?? []
  if (pool.length === 0) return null
  if (filter.op === 'at_least' || filter.op === 'at_most') return [random.pick(pool)]
  return random.shuffled(pool).slice(0, random.whole(1, 3))
}

const kindShown = ({ kind }: Column): Shown[string] | null => {
  if (kind === 'list' || kind === 'json' || kind === 'timestamp') return null
  if (kind === 'text' || kind === 'enum' || kind === 'date') return 'text'
  return kind === 'boolean' ? 'boolean' : 'number'
}

/** Random filters, order and columns among those that a resource declares. */
export function anyQuestion(random: Random, resource: Resource, pools: Pools): Question {
  const { columns, filters, newest: picks } = resource
  const given = new Map<string, readonly Value[]>()
  const taken = new Set<string>()
  for (const [name, filter] of random
    .shuffled(Object.entries(filters))
    .slice(0, random.whole(0, MOST_FILTERS))) {
    const values = taken.has(filter.column) ? null : drawn(random, filter, pools)
    if (!values) continue
    taken.add(filter.column)
    given.set(name, values)
  }
  const newest = picks !== undefined && random.chance(0.25)
  const [where, after]: [Condition[], Condition[]] = [[], []]
  for (const [name, filter] of Object.entries(filters)) {
    const { byDefault, stage } = filter
    const unless = byDefault?.unless.some(other => given.has(other))
    const values = given.get(name) ?? (byDefault && !unless ? [byDefault.value] : null)
    if (values) (newest && stage === 'picked' ? after : where).push(...filter.conditions(values))
  }
  const sortable = Object.keys(columns).filter(
    name => !['json', 'list'].includes(memberOf(columns, name).kind),
  )
  const sort = random
    .shuffled(sortable)
    .slice(0, random.whole(1, 2))
    .map(name => (random.chance(0.5) ? name : `-${name}`))
  const order = totalOrder(sort.map(parseSort), resource.key)
  const showable = Object.keys(columns).filter(name => kindShown(memberOf(columns, name)))
  const fields = [
    ...new Set([...order.map(s => s.column), ...taken, ...random.shuffled(showable).slice(0, MORE_COLUMNS)]),
  ].filter(name => kindShown(memberOf(columns, name)))
  const isOne = (name: string) =>
    isOrdered(memberOf(filters, name)) || typeof given.get(name)![0] === 'boolean'
  return {
    input: {
      ...Object.fromEntries([...given].map(([name, values]) => [name, isOne(name) ? values[0] : values])),
      ...(newest && { [picks!.param]: true }),
      sort,
      fields,
      limit: LIMIT,
    },
    where,
    after,
    newest,
    order,
    shown: Object.fromEntries(fields.map(name => [name, kindShown(memberOf(columns, name))!])),
  }
}

const valueSql = (value: Value, column: Column): string =>
  column.kind === 'date'
    ? `DATE ${literal(String(value))}`
    : typeof value === 'string'
      ? literal(value)
      : String(value)

function conditionSql(condition: Condition, columns: Resource['columns']): string {
  const name = quote(condition.column)
  const column = memberOf(columns, condition.column)
  switch (condition.op) {
    case 'present':
      return `${name} IS NOT NULL`
    case 'absent':
      return `${name} IS NULL`
    case 'in':
      return `${name} IN (${condition.values.map(v => valueSql(v, column)).join(', ')})`
    default:
      return `${name} ${condition.op === 'ge' ? '>=' : '<='} ${valueSql(condition.value, column)}`
  }
}

/** Hand-written DuckDB forms of a query: a page with its total, or a page and a count. */
export interface Forms {
  readonly windowed: string
  readonly paged: string
  readonly counted: string
  /** Finds the page among row ids alone, and reads only its rows whole. Only for tables, and ungrouped rows. */
  readonly joined: string | null
}

export function formsOf(resource: Resource, question: Question, from: string, offset: number): Forms {
  const { where, after, newest, order, shown } = question
  const said = (conditions: readonly Condition[]) =>
    conditions.length ? ` WHERE ${conditions.map(c => conditionSql(c, resource.columns)).join(' AND ')}` : ''
  const by = (sorts: readonly Sort[]) =>
    sorts.map(s => `${quote(s.column)} ${s.descending ? 'DESC' : 'ASC'} NULLS LAST`).join(', ')
  const { per = [], by: latest = [] } = resource.newest ?? {}
  const first = `QUALIFY row_number() OVER (PARTITION BY ${per.map(quote).join(', ')} ORDER BY ${by(totalOrder(latest.map(parseSort), resource.key))}) = 1`
  const rows = newest
    ? `(SELECT * FROM ${from}${said(where)} ${first})${said(after)}`
    : `${from}${said([...where, ...after])}`
  const list = Object.keys(shown).map(quote).join(', ')
  const page = `ORDER BY ${by(order)} LIMIT ${LIMIT} OFFSET ${offset}`
  const keys = order.map(s => quote(s.column)).join(', ')
  return {
    windowed: `SELECT ${list}, count(*) OVER () AS "_total" FROM ${rows} ${page}`,
    paged: `SELECT ${list} FROM ${rows} ${page}`,
    counted: `SELECT count(*) AS n FROM ${rows}`,
    joined: newest
      ? null
      : `WITH f AS MATERIALIZED (SELECT rowid AS r, ${keys} FROM ${rows}), p AS (SELECT r FROM f ${page})
         SELECT ${list}, (SELECT count(*) FROM f) AS "_total" FROM ${from} c JOIN p ON c.rowid = p.r ORDER BY ${by(order)}`,
  }
}
