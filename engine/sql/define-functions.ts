import { QueryError } from '../base/errors.ts'
import { bootstrapSpot, type SpotCurve } from '../credit/curve.ts'
import { type Database, literal, quote } from '../database/database.ts'
import type { ScalarColumn, ScalarFunction } from '../database/vectors.ts'
import { curveHistory } from '../derive/bonds/curve-table.ts'
import { type Column, sqlType } from '../schema/column.ts'
import {
  type ArgsOf,
  type Curves,
  defaultSql,
  type Param,
  type Params,
  type SqlFunction,
  signature,
} from './sql-function.ts'

type ScalarType = ScalarFunction['gives']

const scalarType = (column: Column): ScalarType => {
  const type = sqlType(column)
  return type === 'DATE' || type === 'VARCHAR' || type === 'BOOLEAN' ? type : 'DOUBLE'
}

/** A parameter as the computation receives it. */
function argumentSql(call: string, [name, { column, fallback }]: [string, Param]): string {
  const cast = `CAST(${name} AS ${column.kind === 'enum' ? 'VARCHAR' : scalarType(column)})`
  const value =
    fallback === undefined || fallback === null ? cast : `coalesce(${cast}, ${defaultSql(fallback)})`
  if (column.kind !== 'enum') return value
  const known = column.values!.map((word, position) => `WHEN ${literal(word)} THEN ${position}`)
  const mistake = literal(`${call}: ${name} must be one of ${column.values!.join(', ')}, not `)
  return `CAST(CASE upper(${value}) ${known.join(' ')} ELSE error(${mistake} || ${value}) END AS DOUBLE)`
}

/** The computation's name in DuckDB. */
const inner = ({ name }: SqlFunction): string => quote(`${name} of columns`)

/** A macro gives the function its named parameters, defaults and casts. */
export const macroSql = (f: SqlFunction): string => {
  const args = Object.entries(f.params).map(param => argumentSql(f.name, param))
  return `CREATE OR REPLACE MACRO main.${signature(f)} AS CAST(${inner(f)}(${args.join(', ')}) AS ${sqlType(f.result)})`
}

interface Ready {
  readonly defined: Map<SqlFunction, Promise<void>>
  curves: Promise<Curves> | null
}

const ready = new WeakMap<Database, Ready>()

function namedIn(functions: readonly SqlFunction[], statement: string): readonly SqlFunction[] {
  const spoken = new Set(statement.toLowerCase().match(/\w+/g))
  return functions.filter(f => spoken.has(f.name))
}

/** The table whose rows are the curves. */
export const CURVES = 'treasury_yields'

const onCurves = (functions: readonly SqlFunction[], statement: string): SqlFunction | undefined =>
  namedIn(functions, statement).find(f => f.onCurves)

/** The tables that a statement reads: those that it names, and the curves if a function reads them. */
export const withCurves = (
  named: readonly string[],
  functions: readonly SqlFunction[],
  statement: string,
): readonly string[] => (onCurves(functions, statement) ? [...new Set([...named, CURVES])] : named)

/** Refuses functions that read the curves known on one day, in a statement over several. */
export function refuseCurves(functions: readonly SqlFunction[], statement: string): void {
  const named = onCurves(functions, statement)
  if (named)
    throw new QueryError(
      'INVALID_SQL',
      `${named.name} reads the curves known on one day, and a statement over several has none: ask for one day with as_of`,
    )
}

/**
 * Defines the functions that a statement names (about a millisecond each), and loads the day's curves if one of them
 * needs them. A read-only database has the macros already (`macros: false`).
 */
export async function defineNamed(
  database: Database,
  functions: readonly SqlFunction[],
  statement: string,
  { macros = true }: { readonly macros?: boolean } = {},
): Promise<void> {
  const named = namedIn(functions, statement)
  if (named.length === 0) return
  const state = ready.get(database) ?? { defined: new Map(), curves: null }
  ready.set(database, state)
  await Promise.all(
    named.map(f => {
      const begun = state.defined.get(f) ?? define(database, f, state, macros)
      state.defined.set(f, begun)
      begun.catch(() => state.defined.delete(f))
      return begun
    }),
  )
}

async function define(database: Database, f: SqlFunction, state: Ready, macros: boolean): Promise<void> {
  const names = Object.keys(f.params)
  const args = (columns: readonly ScalarColumn[]) =>
    Object.fromEntries(names.map((name, j) => [name, columns[j]])) as ArgsOf<Params>
  let compute: ScalarFunction['compute']
  if (f.onCurves) {
    state.curves ??= readCurves(database)
    state.curves.catch(() => {
      state.curves = null
    })
    const curves = await state.curves
    compute = (columns, rows) => f.onCurves(args(columns), rows, curves)
  } else compute = (columns, rows) => f.compute(args(columns), rows)
  const takes = Object.values(f.params).map(({ column }) =>
    column.kind === 'enum' ? 'DOUBLE' : scalarType(column),
  )
  await database.define({ name: `${f.name} of columns`, takes, gives: scalarType(f.result), compute })
  if (macros) await database.run(macroSql(f))
}

async function readCurves(database: Database): Promise<Curves> {
  const par = await curveHistory(database)
  const spots = new Map<number, SpotCurve | null>()
  return {
    par,
    spotOn(day) {
      const serving = par.servingDay(day)
      if (serving === null) return null
      if (!spots.has(serving)) spots.set(serving, bootstrapSpot(par.at(serving)!))
      return spots.get(serving)!
    },
  }
}
