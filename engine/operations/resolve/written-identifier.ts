import { isCusip, isIsin } from '../../credit/identifiers.ts'

/** `CUSIP:`, `isin=`, `/cusip/` before an identifier. */
const LABEL = /^[\s/]*(?:cusip|isin)\b[\s:=#/]*/i

/** How people group the characters of a CUSIP and of an ISIN: `037833 DP 2`, `US 037833DP2 9`. */
const CUSIP_GROUPS = new Set(['6-2-1', '6-3', '8-1', '6-2'])
const ISIN_GROUPS = new Set(['2-10', '2-9-1'])

/** Fewer digits than this before the last group may be a name: `AMAZON 29 5`. */
const LEAST_DIGITS = 3

/** A CUSIP or ISIN with valid check digit. A word of nine letters is no CUSIP. */
export const isIdentifier = (text: string): boolean => (isCusip(text) && /\d/.test(text)) || isIsin(text)

/**
 * The CUSIP or ISIN that a whole text is, with a label or in groups: `CUSIP: 037833-DP-2`; null if it is none. In groups it may
 * have a wrong check digit, or none.
 */
export function writtenIdentifier(written: string): string | null {
  const groups = written
    .replace(LABEL, '')
    .trim()
    .toUpperCase()
    .split(/[\s-]+/)
  const joined = groups.join('')
  if (groups.length === 1) return isIdentifier(joined) ? joined : null
  if (!/^[0-9A-Z*@#]+$/.test(joined)) return null
  const layout = groups.map(group => group.length).join('-')
  const main = CUSIP_GROUPS.has(layout) ? groups[0] : ISIN_GROUPS.has(layout) ? groups[1] : undefined
  return main !== undefined && main.replace(/\D/g, '').length >= LEAST_DIGITS ? joined : null
}
