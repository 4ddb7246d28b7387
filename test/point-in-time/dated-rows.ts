export type Row = Readonly<Record<string, unknown>>

export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)

/** Rows that were known on the day of a column. */
export const known = (rows: readonly Row[], column: string): Row[] =>
  rows.map(row => ({ known_from: row[column], ...row }))
