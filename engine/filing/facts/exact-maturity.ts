import { datesIn } from './spelled-dates.ts'

/** `4.75 % senior notes due `, before a day. */
const notesDue =
  /(?:(?<![\d.])(?<coupon>\d{1,2}(?:\.\d{1,5})?)\s?%[^.;%]{0,60})?\b(?:notes|debentures|bonds)[^.;]{0,60}\bdue\s{1,9}$/i

/**
 * The month in which a line of a table falls due as a day, where the text names one day of that month alone as the maturity of
 * notes: of those with its coupon, where the text says the coupon.
 */
export function exactMaturity<M extends string | null>(
  { maturity, coupon }: { readonly maturity: M; readonly coupon: number | null },
  flat: string,
  periodEnd: string | null,
): M | string {
  if (maturity?.length !== 7) return maturity
  const days = datesIn(flat).filter(({ date, from }) => {
    if (!date.startsWith(maturity) || date === periodEnd) return false
    const match = notesDue.exec(flat.slice(Math.max(0, from - 120), from))
    const said = match?.groups?.['coupon']
    return match !== null && (said === undefined || coupon === null || Number(said) === coupon)
  })
  const [day, ...others] = new Set(days.map(({ date }) => date))
  return day !== undefined && others.length === 0 ? day : maturity
}
