import type { Random } from '../../cli/sample/random.ts'
import type { Engine } from '../../engine/engine.ts'
import { operations } from '../../engine/operations/api.ts'
import type { Operation } from '../../engine/operations/operation.ts'
import type { Column } from '../../engine/schema/column.ts'
import type { Param } from '../../engine/schema/params.ts'

export interface Question {
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
}

/** Values for queries: some that the lake has, and some that it does not. */
export type Pools = Readonly<Record<string, readonly (string | number)[]>>

/** Values of the lake as it is today, so that queries of an earlier day also name what was not known then. */
export async function readPools(engine: Engine): Promise<Pools> {
  const values = async (sql: string) =>
    (
      await engine.sql<{ v: string | number }>(
        `SELECT DISTINCT v FROM (${sql}) WHERE v IS NOT NULL ORDER BY v`,
      )
    ).map(row => row.v)
  return {
    ticker: [...(await values('SELECT ticker AS v FROM companies')), 'NOSUCH'],
    cusip: [...(await values('SELECT cusip AS v FROM bonds')), '037833AK6'],
    isin: await values('SELECT isin AS v FROM bonds'),
    sector: [...(await values('SELECT sector AS v FROM companies')), 'No such sector'],
    industry: await values('SELECT industry AS v FROM companies'),
    company: await values('SELECT name AS v FROM companies'),
    text: await values(
      'SELECT name AS v FROM companies UNION ALL SELECT rating FROM ratings UNION ALL SELECT name FROM entities',
    ),
    id: await values(
      'SELECT id AS v FROM entities UNION ALL SELECT id FROM bonds UNION ALL SELECT company_id FROM companies',
    ),
  }
}

/** Queries of one operation: the plain one, and others with random valid parameters. */
export function questionsTo(
  operation: Operation,
  day: string,
  pools: Pools,
  random: Random,
  count: number,
): Question[] {
  const asked: Question[] = []
  for (let i = 0; i < count; i++) {
    const input: Record<string, unknown> = {}
    for (const [name, param] of Object.entries(operation.params)) {
      if (name === 'as_of' || name === 'on_unknown' || name === 'lane') continue
      const isPlain = i === 0
      if (param.required || (!isPlain && random.chance(chanceOf(name)))) {
        const value = valueFor(name, param, operation, input, { day, pools, random })
        if (value !== undefined) input[name] = value
      }
    }
    if (i === 0 && operation.params['explain']) input['explain'] = true
    asked.push({ name: operation.name, input: { ...input, as_of: day } })
  }
  return asked
}

/** Operations that need further days cost a derivation each, and are called less often. */
export const questionsToAll = (day: string, pools: Pools, random: Random, count: number): Question[] =>
  operations.flatMap(operation =>
    questionsTo(operation, day, pools, random, operation.params['since'] ? Math.ceil(count / 4) : count),
  )

/** Few filters at a time, or nothing is left to compare. */
const chanceOf = (name: string): number =>
  name === 'explain' || name === 'sort' || name === 'fields' || name === 'include_metadata' ? 0.5 : 0.12

interface Drawing {
  readonly day: string
  readonly pools: Pools
  readonly random: Random
}

function valueFor(
  name: string,
  param: Param,
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
  drawing: Drawing,
): unknown {
  const { pools, random } = drawing
  const columns = operation.columns ?? {}
  if (name === 'fields') {
    const names = Object.keys(columns)
    return names.length > 0 ? random.shuffled(names).slice(0, random.whole(1, 8)) : undefined
  }
  if (name === 'sort') {
    const names = Object.keys(columns).filter(c => !['json', 'list'].includes(columns[c]!.kind))
    const known = operation.params['group_by'] ? ((input['group_by'] as string[] | undefined) ?? []) : names
    return known.length > 0 ? `${random.chance(0.5) ? '-' : ''}${random.pick(known)}` : undefined
  }
  if (name === 'limit') return random.whole(1, Math.min(param.max ?? 20, 20))
  if (name === 'offset') return random.whole(0, 5)
  // Under as_of a section keeps its company of the snapshot, and that name in the heading that is searched.
  if (name === 'q' && operation.name === 'search.documents')
    return random.pick(pools['text']!.filter(value => !pools['company']!.includes(value)))
  const size = param.many ? random.whole(operation.name.startsWith('compare') ? 2 : 1, 3) : 1
  const values = Array.from({ length: size }, () => drawn(name, param, param.column, drawing))
  if (values.some(value => value === undefined)) return undefined
  return param.many ? [...new Set(values)] : values[0]
}

function drawn(name: string, param: Param, column: Column, { day, pools, random }: Drawing): unknown {
  const from = (pool: readonly (string | number)[] | undefined) =>
    pool && pool.length > 0 ? random.pick(pool) : undefined
  // What is near in meaning depends on all texts that the model of a lake was trained on, also later ones.
  if (name === 'mode') return 'keyword'
  if (column.values) return random.pick(column.values)
  switch (column.kind) {
    case 'boolean':
      return random.chance(0.5)
    case 'date':
      return shifted(day, -random.whole(0, 500))
    case 'integer':
    case 'years':
      if (/year/.test(name)) return Number(day.slice(0, 4)) - random.whole(0, 3)
      if (/quarter/.test(name)) return random.whole(1, 4)
      return Math.min(param.max ?? 400, Math.max(param.min ?? 0, random.whole(0, 400)))
    case 'cents':
      return random.whole(0, 10) * 10_000_000_000
    case 'percent':
    case 'ratio':
    case 'number':
    case 'bps':
      return Math.min(param.max ?? 1e9, random.whole(0, 16) / 2)
    case 'list':
    case 'json':
      return undefined
    default:
      return from(
        pools[name] ?? pools[column.format ?? ''] ?? (/id$/.test(name) ? pools['id'] : pools['text']),
      )
  }
}

const shifted = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)
