import { sql } from 'kysely'

/** What `Store.each` gives a row for: a member of its objects. */
export const textOf = (name: string) => sql<string>`value ->> ${sql.lit(name)}`
export const wholeOf = (name: string) => sql<number>`cast(${textOf(name)} as bigint)`
export const numberOf = (name: string) => sql<number>`cast(${textOf(name)} as double precision)`
