import { memberOf } from '../base/elements.ts'
import { invalid } from '../base/errors.ts'
import { memoize } from '../base/memoize.ts'
import { literal, quote } from '../database/database.ts'
import { stored } from '../database/views.ts'
import { nearest } from '../names/nearest.ts'
import { amountUnitSql } from '../schema/amount-unit.ts'
import { type Column, date, isNumeric, oneOf, unitOf } from '../schema/column.ts'
import { type ArgsOf, one, type Params, required } from '../schema/params.ts'
import type { Resource } from '../schema/resource.ts'
import { bonds } from '../schema/resources/bonds.ts'
import { collateral } from '../schema/resources/collateral.ts'
import { companies } from '../schema/resources/companies.ts'
import { covenants } from '../schema/resources/covenants.ts'
import { entities } from '../schema/resources/entities.ts'
import { financials } from '../schema/resources/financials.ts'
import { instruments } from '../schema/resources/instruments.ts'
import { ratings } from '../schema/resources/ratings.ts'
import { type RowChange, rowChangeKinds, rowChanges } from '../schema/resources/row-changes.ts'
import { namedCompanies } from './computed-rows.ts'
import { checkList, chooseColumns, orderOf } from './list.ts'
import { type BorrowedDays, type Context, operation, type Page } from './operation.ts'
import { filterParams, pageParams, timeParams, unknownParam } from './params.ts'

/** How rows of a table are matched and named. */
interface Compared {
  readonly resource: Resource
  /** SQL texts. */
  readonly ticker: string
  readonly companyName: string
  readonly name: string
  /** Columns that match rows, if not the key, and their text. */
  readonly matchedBy?: { readonly columns: readonly string[]; readonly id: string; readonly where: string }
}

const period = "fiscal_year || 'Q' || fiscal_quarter || ' ' || basis"

/** Tables that are compared, by the name of their list. */
const compared = {
  companies: {
    resource: companies,
    ticker: 'ticker',
    companyName: 'name',
    name: 'name',
  },
  bonds: {
    resource: bonds,
    ticker: 'company_ticker',
    companyName: 'company_name',
    name: 'display_name',
  },
  financials: {
    resource: financials,
    ticker: 'ticker',
    companyName: 'company_name',
    name: period,
    matchedBy: {
      columns: ['company_id', 'fiscal_year', 'fiscal_quarter', 'basis'],
      id: `company_id || ' ' || ${period}`,
      where: 'is_latest',
    },
  },
  ratings: {
    resource: ratings,
    ticker: 'ticker',
    companyName: 'company_name',
    name: "agency || ' ' || rating_type || ': ' || rating",
  },
  covenants: {
    resource: covenants,
    ticker: 'ticker',
    companyName: 'company_name',
    name: "concat_ws(': ', instrument_name, covenant_name)",
  },
  instruments: { resource: instruments, ticker: 'ticker', companyName: 'company_name', name: 'name' },
  entities: { resource: entities, ticker: 'ticker', companyName: 'company_name', name: 'name' },
  collateral: {
    resource: collateral,
    ticker: 'company_ticker',
    companyName: 'company_name',
    name: 'coalesce(bond_name, instrument_name)',
  },
} as unknown as Readonly<Record<string, Compared>>

const names = Object.keys(compared)
const resource = rowChanges as unknown as Resource

export const searchChanges = operation({
  name: 'search.changes',
  method: 'GET',
  path: '/v1/changes',
  command: 'diff',
  doc: 'What differs in a table between two days: rows added and removed, and each value that changed, as known at both closes.',
  tier: 'any',
  cost: 'complex',
  heavy: 'days',
  answers: 'rows',
  envelope: 'data',
  columns: rowChanges.columns,
  resource,
  meta: {
    since: { type: 'string', format: 'date' },
    until: { type: 'string', format: 'date' },
    summary: {
      type: 'object',
      description: 'Rows by what happened to them, over all pages.',
      properties: Object.fromEntries(rowChangeKinds.map(kind => [kind, { type: 'integer' as const }])),
    },
  },
  positional: ['resource'],
  examples: [
    'bonds --since 2025-03-31',
    'companies --since 2025-01-31 --column leverage_ratio --sort -difference',
  ],
  params: {
    resource: required(one(oneOf(names, 'The table to compare.'))),
    since: required(one(date('From the close of this day.'))),
    until: one(date('To the close of this day; default the as-of date.')),
    ...filterParams(rowChanges),
    ...pageParams<typeof rowChanges.columns>(rowChanges.limit, rowChanges.sort),
    ...unknownParam,
    ...timeParams,
  },
  check(args) {
    checkList(resource, args)
    columnsToCompare(memberOf(compared, args.resource), args.column)
    if (args.until !== undefined) checkOrder(args.since, args.until)
  },
  async run(context, args) {
    const table = memberOf(compared, args.resource)
    const until = args.until ?? context.asOf
    if (until > context.asOf)
      throw invalid('until', until, `until is after the as-of date ${context.asOf}`, { max: context.asOf })
    checkOrder(args.since, until)
    const { ids, unknown } = await namedCompanies(context, args)
    const sql = differencesSql(table, {
      since: args.since,
      until,
      ids,
      coverage: context.coverage,
      columns: columnsToCompare(table, args.column),
      kinds: args.change,
    })
    const onBothDays = async <T>(use: (days: BorrowedDays) => Promise<T>): Promise<T> => {
      const [days] = await context.borrowTogether([args.since, until], 'since', [])
      try {
        await days!.tables(table.resource.table)
        return await use(days!)
      } finally {
        days!.release()
      }
    }
    const columns = chooseColumns(resource, args.fields as string[] | undefined)
    const { limit = null, offset } = args as { limit?: number; offset: number }
    const order = orderOf(resource, args.sort as string[] | undefined)
      .map(({ column, descending }) => `${quote(column)} ${descending ? 'DESC' : 'ASC'} NULLS LAST`)
      .join(', ')
    const pageSql =
      `SELECT ${columns.map(({ name }) => quote(name)).join(', ')} FROM (${sql}) ORDER BY ${order}` +
      `${limit === null ? '' : ` LIMIT ${limit}`} OFFSET ${offset}`
    const compute = () =>
      onBothDays(async days => {
        const counts = await counted(days, sql)
        // A page past the end needs no statement, and may begin further on than one can say.
        const page = offset < counts.total ? await days.database.columns(pageSql) : NO_ROWS
        const bytes = page.rowCount * columns.length * BYTES_OF_CELL
        return { ...counts, columns: page.columns, rowCount: page.rowCount, bytes }
      })
    const found = await (limit === null ? compute() : context.cached(`differences ${pageSql}`, compute))
    const { total, summary } = found
    return {
      kind: 'rows',
      columns,
      total,
      limit,
      offset,
      chunks: () => [{ columns: found.columns, rowCount: found.rowCount }],
      meta: {
        since: args.since,
        until,
        summary,
        filters_applied: Object.fromEntries(
          (['ticker', 'change', 'column'] as const).flatMap(name =>
            args[name] === undefined ? [] : [[name, args[name]]],
          ),
        ),
        ...(unknown.length > 0 && { unknown }),
        ...(total === 0 && {
          empty_because: [`nothing that was asked for differs between ${args.since} and ${until}`],
        }),
      },
    }
  },
  out: undefined as Page<RowChange> | undefined,
})

const NO_ROWS = { columns: [] as readonly unknown[][], rowCount: 0 }

/** What a cell takes in memory, about. */
const BYTES_OF_CELL = 40

function checkOrder(since: string, until: string): void {
  if (since >= until) throw invalid('since', since, `since must be before until (${until})`, { max: until })
}

interface ColumnToCompare {
  readonly name: string
  readonly column: Column
}

const comparable = memoize(({ resource, matchedBy }: Compared): readonly ColumnToCompare[] => {
  const matching = new Set([...(matchedBy?.columns ?? resource.key), 'company_id', 'known_from', '_explain'])
  return Object.entries(resource.columns).flatMap(([name, column]) =>
    matching.has(name) ? [] : [{ name, column }],
  )
})

/** The named columns; by default those that a list shows, but for those that move as days pass. */
function columnsToCompare(table: Compared, named: readonly string[] | undefined): readonly ColumnToCompare[] {
  const all = comparable(table)
  const { resource } = table
  const { clocks = [] } = resource
  if (named === undefined) {
    const shown = new Set(chooseColumns(resource, undefined).map(({ name }) => name))
    return all.filter(({ name }) => shown.has(name) && !clocks.includes(name))
  }
  return named.map(name => {
    const found = all.find(column => column.name === name.toLowerCase())
    if (found) return found
    const allowed = all.map(column => column.name)
    const suggestion = nearest(name, allowed)
    const meant = suggestion ? `; did you mean ${suggestion}?` : ''
    throw invalid('column', name, `${resource.name} has no column ${name} to compare${meant}`, {
      allowed,
      ...(suggestion && { suggestion }),
    })
  })
}

interface Asked {
  readonly since: string
  readonly until: string
  /** Companies; null for all. */
  readonly ids: readonly string[] | null
  readonly coverage: Context['coverage']
  readonly columns: readonly ColumnToCompare[]
  readonly kinds: ArgsOf<Params>[string]
}

const asText = ({ kind }: Column, value: string): string =>
  kind === 'list' || kind === 'json' ? `CAST(to_json(${value}) AS VARCHAR)` : `CAST(${value} AS VARCHAR)`

/** A column that differs as a struct; null if it does not. Amounts of two currencies have no difference. */
function differenceSql({ name, column }: ColumnToCompare, hasCurrency: boolean): string {
  const [was, is] = [`was.${quote(name)}`, `is_.${quote(name)}`]
  const isInCurrency = hasCurrency && column.kind === 'cents'
  const isComparable = isInCurrency ? "coalesce(was.currency, 'USD') = coalesce(is_.currency, 'USD')" : 'TRUE'
  const difference = isNumeric(column)
    ? `CASE WHEN ${isComparable} THEN CAST(${is} AS DOUBLE) - CAST(${was} AS DOUBLE) END`
    : 'CAST(NULL AS DOUBLE)'
  const named = isNumeric(column) ? unitOf(column) : undefined
  const unit = isInCurrency
    ? amountUnitSql('is_.currency')
    : named === undefined
      ? 'CAST(NULL AS VARCHAR)'
      : literal(named)
  return `CASE WHEN ${was} IS DISTINCT FROM ${is} THEN {'column': ${literal(name)}, 'before': ${asText(column, was)},
    'after': ${asText(column, is)}, 'difference': ${difference}, 'unit': ${unit}} END`
}

const NO_COLUMN =
  "{'column': CAST(NULL AS VARCHAR), 'before': CAST(NULL AS VARCHAR), 'after': CAST(NULL AS VARCHAR), 'difference': CAST(NULL AS DOUBLE), 'unit': CAST(NULL AS VARCHAR)}"

/** The differences of a table over days together, with the columns of the resource. */
function differencesSql(
  { resource, ticker, companyName, name, matchedBy }: Compared,
  { since, until, ids, coverage, columns, kinds }: Asked,
): string {
  const [first] = resource.key
  const {
    columns: keys,
    id,
    where,
  } = matchedBy ?? { columns: resource.key, id: quote(first!), where: 'TRUE' }
  const rows = [
    where,
    ...(ids === null ? [] : [ids.length === 0 ? 'FALSE' : `company_id IN (${ids.map(literal).join(', ')})`]),
    ...(coverage === 'standard' ? ["coverage = 'standard'"] : []),
  ].join(' AND ')
  const side = (day: string) =>
    `SELECT *, TRUE AS is_there, ${id} AS id_, ${ticker} AS ticker_, ${companyName} AS company_name_, ${name} AS name_
     FROM ${stored(resource.table)} WHERE as_of = DATE ${literal(day)} AND ${rows}`
  const either = (column: string) => `coalesce(is_.${column}, was.${column}) AS ${column.replace(/_$/, '')}`
  const change = `CASE WHEN was.is_there IS NULL THEN 'added' WHEN is_.is_there IS NULL THEN 'removed' ELSE 'changed' END`
  const wanted = kinds as readonly string[] | undefined
  const hasCurrency = Object.hasOwn(resource.columns, 'currency')
  const differences = columns.map(column => differenceSql(column, hasCurrency)).join(', ')
  return `
    WITH was AS (${side(since)}), is_ AS (${side(until)}),
    rows_ AS (
      SELECT ${['ticker_', 'company_name_', 'id_', 'name_', 'company_id', 'coverage'].map(either).join(', ')}, ${change} AS change,
        unnest(CASE WHEN was.is_there AND is_.is_there THEN list_filter([${differences}], lambda d: d IS NOT NULL)
          ELSE [${NO_COLUMN}] END) AS d
      FROM was FULL JOIN is_ ON ${keys.map(key => `was.${quote(key)} = is_.${quote(key)}`).join(' AND ')})
    SELECT ticker, company_name, id, name, change, d."column" AS "column", d.before AS before, d.after AS after,
      d.difference AS difference, d.unit AS unit, company_id, coverage
    FROM rows_${wanted ? ` WHERE change IN (${wanted.map(literal).join(', ')})` : ''}`
}

/** The number of differences, and of rows by what happened to them. */
async function counted(
  { database }: BorrowedDays,
  sql: string,
): Promise<{ total: number; summary: Record<string, number> }> {
  const found = await database.rows<{ change: string; rows: number; differences: number }>(
    `SELECT change, count(DISTINCT id) AS rows, count(*) AS differences FROM (${sql}) GROUP BY change`,
  )
  const rowsOf = (kind: string) => found.find(({ change }) => change === kind)?.rows ?? 0
  return {
    total: found.reduce((sum, { differences }) => sum + differences, 0),
    summary: Object.fromEntries(rowChangeKinds.map(kind => [kind, rowsOf(kind)])),
  }
}
