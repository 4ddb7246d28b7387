import { sql } from 'kysely'

/** The source of rows for `Store.each`: an object per row. */
export const textOf = (name: string) => sql<string>`value ->> ${sql.lit(name)}`
export const wholeOf = (name: string) => sql<number>`cast(${textOf(name)} as bigint)`
export const numberOf = (name: string) => sql<number>`cast(${textOf(name)} as double precision)`
