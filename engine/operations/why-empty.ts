import { firstOf } from '../base/elements.ts'
import { nearestName } from '../names/nearest.ts'
import type { Plan } from '../query/plan/plan.ts'
import { pageSql } from '../query/plan/plan-sql.ts'
import { type Columns, isNumeric } from '../schema/column.ts'
import type { Condition } from '../schema/filter.ts'
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
  const what = plan.table.replace(/_by_.*$/, '').replaceAll('_', ' ')
  if (all === 0) return [`no ${what} are known as of ${context.asOf}`]
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
  const sql = (by: readonly string[], metrics: readonly ('min' | 'max' | 'count')[], of = plan) =>
    pageSql(
      {
        ...of,
        columns: [...by, ...metrics].map(name => ({ name, column: kind! })),
        group: {
          by: by.map(name => ({ name, column })),
          value: column,
          time: column,
          company: column,
          metrics,
        },
        order: [],
      },
      kinds,
      false,
    )
  if (kind && (kind.kind === 'date' || isNumeric(kind))) {
    const { text, values } = sql([], ['min', 'max'])
    const cast = kind.kind === 'date' ? 'VARCHAR' : 'DOUBLE'
    const [span] = await context.database.rows<{ min: string | number | null; max: string | number }>(
      `SELECT CAST(min AS ${cast}) AS min, CAST(max AS ${cast}) AS max FROM (${text})`,
      values,
    )
    const shown = (edge: string | number) => (typeof edge === 'number' ? Number(edge.toFixed(4)) : edge)
    return span!.min === null
      ? `, none has ${column}`
      : `, ${column} from ${shown(span!.min)} to ${shown(span!.max)}`
  }
  const isNamed =
    kind?.kind === 'enum' || (kind?.kind === 'text' && (!kind.format || kind.format === 'currency'))
  // Listing other companies would not help.
  if (!isNamed || column === 'company_id') return ''
  const valuesOf = async (of: Plan) => {
    const { text, values } = sql(['value'], ['count'], of)
    const found = await context.database.rows<{ value: string }>(
      `SELECT value FROM (${text}) WHERE value IS NOT NULL ORDER BY count DESC, value LIMIT ${MOST_VALUES}`,
      values,
    )
    return found.map(({ value }) => value)
  }
  const names = await valuesOf(plan)
  if (names.length === 0) return `, none has ${name}`
  // Enum values were validated before: they are meant as written.
  const requested = kind.kind === 'text' ? conditions.flatMap(c => (c.op === 'in' ? c.values : [])) : []
  const known = new Set(requested.length > 0 ? (await valuesOf(unfiltered)).map(fold) : [])
  const meant = meantAmong(
    requested.map(String).filter(value => !known.has(fold(value))),
    names,
  )
  const suggestion = meant.length > 0 ? `; did you mean ${meant.join(' or ')}?` : ''
  return `, ${name} ${names.slice(0, NAMED).join(', ')}${names.length > NAMED ? ' and others' : ''}${suggestion}`
}

const fold = (value: string): string => value.toLowerCase()
const lettersAndDigits = (value: string): string => fold(value).replaceAll(/[^\p{L}\p{N}]/gu, '')

/** The values probably meant by values that no row has. */
function meantAmong(requested: readonly string[], names: readonly string[]): string[] {
  const meant = requested.flatMap(value => {
    // Codes that differ in a character are others: 10-K is not 10-Q written wrongly, but 10K is 10-K.
    if (/\d/.test(value))
      return names.filter(name => lettersAndDigits(name) === lettersAndDigits(value)).slice(0, 1)
    return nearestName(value, names) ?? []
  })
  return [...new Set(meant)]
}
