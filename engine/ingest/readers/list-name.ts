/**
 * The name of an unnamed list, from its file: `LQD_holdings` for `data/LQD_holdings-2025-12-17.csv`. Days and
 * versions are dropped, so that files of several days are one list.
 */
export function listNameOf(file: string): string {
  const own = file
    .split(/[/!\\]/)
    .at(-1)!
    .replace(/\.(csv|txt|gz|zip)\b/gi, '')
  const words = own.split(/[^A-Za-z0-9]+/).filter(word => /[A-Za-z]/.test(word))
  return words.join('_') || own
}

/**
 * The id of a bond in a list without identifiers: issuer, coupon and maturity, which a build may join to an
 * identified bond.
 */
export const listedId = (issuer: string, coupon: number | null, maturity: string | null): string =>
  [issuer, coupon ?? '', maturity ?? ''].join('|').toUpperCase()
