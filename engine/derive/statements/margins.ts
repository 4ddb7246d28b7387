/** The margins in statements, and the item each is based on. */
export const margins = [
  { name: 'gross_margin', of: 'gross_profit' },
  { name: 'operating_margin', of: 'operating_income' },
  { name: 'ebitda_margin', of: 'ebitda' },
  { name: 'net_margin', of: 'net_income' },
] as const

/** An item in percent of revenue; null if revenue is not positive. */
export function marginOf(
  part: number | null,
  revenue: number | null,
  of: string,
): { readonly value: number | null; readonly because: string | null } {
  if (revenue === null) return { value: null, because: 'no revenue' }
  if (revenue <= 0) return { value: null, because: 'revenue is not positive' }
  if (part === null) return { value: null, because: `no ${of}` }
  return { value: (100 * part) / revenue, because: null }
}

/** The same in SQL, over the columns of a statement. */
export const marginSql = (of: string): string =>
  `CASE WHEN revenue > 0 THEN 100::DOUBLE * ${of} / revenue END`
