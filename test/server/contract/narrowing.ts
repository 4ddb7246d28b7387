import type { Row } from './service.ts'

/** A way of narrowing a list, and the rows it must return. */
export interface Case {
  readonly query: string
  readonly holds: (row: Row) => boolean
  /** Defaults that do not apply then; by default all do. */
  readonly frees?: 'all' | readonly string[]
}

/** A documented parameter, tested with values from the data. */
export type Narrowing = (rows: readonly Row[]) => readonly Case[]

/** The value of a member; `pricing.ytm` looks into an object. */
export const at = (row: Row, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Row | null)?.[name] ?? null, row)

/** Values by frequency. */
function common(rows: readonly Row[], member: string): unknown[] {
  const counts = new Map<unknown, number>()
  for (const row of rows) {
    const value = at(row, member)
    if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return [...counts].sort(([, a], [, b]) => b - a).map(([value]) => value)
}

/** The median of the values. */
function middle(rows: readonly Row[], member: string): string {
  const values = rows.map(row => at(row, member)).filter(value => value !== null) as (string | number)[]
  values.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  return String(values[Math.floor(values.length / 2)])
}

const write = (param: string, value: unknown) => `${param}=${encodeURIComponent(String(value))}`

/** Whole values in any case: one, a comma list, or the parameter repeated. */
export const anyOf =
  (param: string, member: string, frees?: Case['frees']): Narrowing =>
  rows => {
    const [first, second] = common(rows, member)
    const free = frees && { frees }
    const either = (row: Row) => [first, second].includes(at(row, member))
    return [
      {
        query: write(param, String(first).toLowerCase()),
        holds: row => at(row, member) === first,
        ...free,
      },
      { query: write(param, `${first},${second}`), holds: either, ...free },
      { query: `${write(param, first)}&${write(param, second)}`, holds: either, ...free },
    ]
  }

/** One of an enum: every documented value. */
export const eachOf =
  (param: string, member: string, values: readonly string[], frees?: Case['frees']): Narrowing =>
  () =>
    values.map(value => ({
      query: write(param, value),
      holds: row => at(row, member) === value,
      ...(frees && { frees }),
    }))

type Ordered = string | number

export const atLeast =
  (param: string, member: string): Narrowing =>
  rows => {
    const bound = middle(rows, member)
    const least = typeof common(rows, member)[0] === 'number' ? Number(bound) : bound
    return [{ query: write(param, bound), holds: row => isKnown(row, member, v => v >= least) }]
  }

export const atMost =
  (param: string, member: string): Narrowing =>
  rows => {
    const bound = middle(rows, member)
    const most = typeof common(rows, member)[0] === 'number' ? Number(bound) : bound
    return [{ query: write(param, bound), holds: row => isKnown(row, member, v => v <= most) }]
  }

const isKnown = (row: Row, member: string, holds: (value: Ordered) => boolean): boolean => {
  const value = at(row, member) as Ordered | null
  return value !== null && holds(value)
}

/** True, false, and as 1 and 0 and in upper case; rows with null pass neither. */
export const whether =
  (param: string, claim: (row: Row) => boolean | null, frees?: Case['frees']): Narrowing =>
  () =>
    ['true', 'FALSE', '1', '0'].map(given => ({
      query: `${param}=${given}`,
      holds: row => claim(row) === (given === 'true' || given === '1'),
      ...(frees && { frees }),
    }))

/** A boolean member. */
export const claimed = (param: string): Narrowing => whether(param, row => row[param] as boolean | null)
