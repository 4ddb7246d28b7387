import type { SqlValue } from '../database/parameters.ts'

/** Values that a caller names for an SQL expression; null and undefined name none. */
type Named = readonly (readonly [sql: string, values: readonly string[] | null | undefined])[]

/** SQL conditions that each expression is one of its named values, in any case, with the values to bind. */
export function valueConditions(named: Named): { conditions: string[]; values: SqlValue[] } {
  const given = named.filter(([, values]) => values)
  return {
    conditions: given.map(([sql]) => `lower(${sql}) IN (SELECT lower(unnest(?::JSON::VARCHAR[])))`),
    values: given.map(([, values]) => JSON.stringify(values)),
  }
}
