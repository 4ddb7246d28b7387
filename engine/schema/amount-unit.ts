/** The unit of an amount, as answers name it. Amounts without a currency are in dollars. */
export const amountUnit = (currency: unknown): string =>
  (currency ?? 'USD') === 'USD' ? 'cents' : 'minor units'

/** The same as SQL, of the SQL of a currency. */
export const amountUnitSql = (currency: string): string =>
  `CASE WHEN coalesce(${currency}, 'USD') = 'USD' THEN 'cents' ELSE 'minor units' END`
