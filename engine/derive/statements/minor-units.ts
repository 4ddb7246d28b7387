/** Currencies without a minor unit. */
const wholeUnits = new Set('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '))
/** Currencies of 1,000 minor units. */
const thousandths = new Set('BHD IQD JOD KWD LYD OMR TND'.split(' '))

/** What amounts are in: cents, where a currency has them. */
export const amountUnit = (currency: string): string => {
  const minor = minorUnits(currency)
  return minor === 100 ? `${currency} cents` : minor === 1 ? currency : `${currency} thousandths`
}

/** Minor units in one unit of a currency (ISO 4217): 100 cents, 1 yen. */
export const minorUnits = (currency: string): number =>
  wholeUnits.has(currency) ? 1 : thousandths.has(currency) ? 1000 : 100

/** The same in SQL. */
export const minorUnitsSql = (currency: string): string => {
  const among = (codes: ReadonlySet<string>) =>
    `${currency} IN (${[...codes].map(code => `'${code}'`).join(', ')})`
  return `CASE WHEN ${among(wholeUnits)} THEN 1 WHEN ${among(thousandths)} THEN 1000 ELSE 100 END`
}
