import type { Column } from '../../../../engine/schema/column.ts'
import type { Condition, Filter } from '../../../../engine/schema/filter.ts'
import type { Resource } from '../../../../engine/schema/resource.ts'
import { routes } from '../../../v1/client-routes.ts'
import { prefix } from '../../app/server.ts'
import { shellWord } from '../../show/shell.ts'
import { callOf, type ScreenQuery } from './screen-query.ts'
import type { ScreenDefinition } from './screens.ts'

type Call = Readonly<Record<string, string>>

const addressOf = ({ operation }: ScreenDefinition): string =>
  location.origin + prefix + routes[operation].path

const urlOf = (screened: ScreenDefinition, call: Call): string =>
  `${addressOf(screened)}?${new URLSearchParams(call).toString().replaceAll('%2C', ',')}`

const optionOf = (name: string): string => `--${name.replaceAll('_', '-')}`

const commandOf = ({ command }: ScreenDefinition, call: Call): string =>
  ['tranche', command, ...Object.entries(call).map(([k, v]) => `${optionOf(k)} ${shellWord(v)}`)].join(' ')

const pythonText = (text: string): string => JSON.stringify(text)

const pythonOf = (screened: ScreenDefinition, call: Call): string => `import io, os, pandas, requests

answer = requests.get(
    ${pythonText(addressOf(screened))},
    params={
${Object.entries({ ...call, format: 'parquet' })
  .map(([name, value]) => `        ${pythonText(name)}: ${pythonText(value)},`)
  .join('\n')}
    },
    headers={"X-API-Key": os.environ["TRANCHE_KEY"]},
)
answer.raise_for_status()
frame = pandas.read_parquet(io.BytesIO(answer.content))`

const quote = (name: string): string => (/^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name}"`)
const literal = (value: string | number | boolean): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)

function sqlCondition(given: Condition, column: Column | undefined): string {
  const name = quote(given.column)
  if (given.op === 'present') return `${name} IS NOT NULL`
  if (given.op === 'absent') return `${name} IS NULL`
  if (given.op === 'in') {
    const caseless = column?.kind === 'text' && !column.format
    const values = given.values.map(v => literal(caseless ? String(v).toLowerCase() : v))
    return `${caseless ? `lower(${name})` : name} IN (${values.join(', ')})`
  }
  return `${name} ${given.op === 'ge' ? '>=' : '<='} ${literal(given.value)}`
}

/** A filter's text as the values of its conditions. */
function valuesOf(text: string, column: Column): (string | number | boolean)[] {
  if (column.kind === 'boolean') return [text === 'true']
  const isText = column.kind === 'text' || column.kind === 'enum' || column.kind === 'date'
  return text.split(',').map(part => (isText ? part : Number(part)))
}

/** The same rows in SQL, with the declared conditions. Null if no plain statement gives them. */
function sqlOf(
  screened: ScreenDefinition,
  { filters, headings, sort, isFirstPrint }: ScreenQuery,
): string | undefined {
  const { resource, params = {}, conditions, isComputed } = screened
  if (isComputed) return undefined
  if (!conditions && Object.keys(params).some(name => Object.hasOwn(filters, name))) return undefined
  const { columns, name, newest, ages } = resource
  const prints = isFirstPrint && ages ? ages : null
  const isNewest = newest !== undefined && filters[newest.param] === 'true'
  const active = Object.entries(resource.filters).flatMap(([param, filter]) => {
    const usual = filter.byDefault
    const given =
      filters[param] ??
      (usual && !usual.unless.some(other => filters[other] !== undefined) ? String(usual.value) : undefined)
    if (given === undefined) return []
    const kind =
      filter.op === 'has' || filter.op === 'is'
        ? { kind: 'boolean' as const }
        : (filter.param ?? columns[filter.column]!)
    return filter
      .conditions(valuesOf(given, kind as Column))
      .map(condition => [filter.stage, sqlCondition(condition, columns[condition.column])] as const)
  })
  const late = (stage: Filter['stage']): boolean => isNewest && stage === 'picked'
  const meant = conditions?.(filters) ?? []
  const where = [
    ...(prints ? firstPrintsOf(prints) : []),
    ...meant.map(condition => sqlCondition(condition, columns[condition.column])),
    ...active.flatMap(([stage, text]) => (late(stage) ? [] : [text])),
  ]
  const picked = isNewest
    ? [newestRow(newest), ...active.flatMap(([stage, text]) => (late(stage) ? [text] : []))]
    : []
  return [
    `SELECT ${headings.map(h => quote(h.name)).join(', ')}`,
    `FROM ${prints?.table ?? name}`,
    ...(where.length ? [`WHERE ${where.join('\n  AND ')}`] : []),
    ...(picked.length ? [`QUALIFY ${picked.join('\n  AND ')}`] : []),
    `ORDER BY ${ordered(sort)}`,
  ].join('\n')
}

/** The rows of a table with every print that are first ones, within the usual limits of age. */
const firstPrintsOf = ({ limits, prints }: NonNullable<Resource['ages']>): string[] => [
  prints.original,
  ...Object.values(limits).map(({ from, to, byDefault }) => `${byDefault} BETWEEN ${from} AND ${to}`),
]

const ordered = (key: string): string =>
  key.startsWith('-') ? `${quote(key.slice(1))} DESC NULLS LAST` : `${quote(key)} NULLS LAST`

const newestRow = ({ per, by }: NonNullable<Resource['newest']>): string =>
  `row_number() OVER (PARTITION BY ${per.map(quote).join(', ')} ORDER BY ${by.map(ordered).join(', ')}) = 1`

/** A screen in each interface's notation. */
export function copies(screened: ScreenDefinition, query: ScreenQuery): { name: string; text: string }[] {
  const call = callOf(query)
  const sql = sqlOf(screened, query)
  return [
    { name: 'Link', text: location.href },
    { name: 'URL', text: urlOf(screened, call) },
    { name: 'curl', text: `curl -H "X-API-Key: $TRANCHE_KEY" ${shellWord(urlOf(screened, call))}` },
    { name: 'CLI', text: commandOf(screened, call) },
    ...(sql === undefined ? [] : [{ name: 'SQL', text: sql }]),
    { name: 'Python', text: pythonOf(screened, call) },
  ]
}
