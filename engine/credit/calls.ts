import { type Day, dayIn } from './calendar.ts'
import type { Redemption } from './terms.ts'

/** Notice period in days of a call that is already in force. */
const CALL_NOTICE_DAYS = 30

/**
 * Percent: a yield to call above it is withheld. It is annualised from the few weeks to a call that nobody expects, of a
 * bond far below its call price; the yield to worst, which is lower, stays.
 */
export const HIGHEST_YIELD_TO_CALL = 50

/** A schedule `[{"date": "2027-06-01", "price": 102.5}]`, by day; a missing price is par. Null for any other JSON. */
export function callsIn(json: string): Redemption[] | null {
  const parsed: unknown = JSON.parse(json)
  if (!Array.isArray(parsed)) return null
  const calls: Redemption[] = []
  for (const entry of parsed as { date?: unknown; price?: unknown }[]) {
    const { date, price = 100 } = entry ?? {}
    const day = typeof date === 'string' ? dayIn(date) : null
    if (day === null || typeof price !== 'number') return null
    calls.push({ day, price })
  }
  return calls.sort((a, b) => a.day - b.day)
}

/** Calls after a settlement day; one already in force is made at the shortest notice. */
export function redemptionsAhead(calls: readonly Redemption[], settle: Day, maturity: Day): Redemption[] {
  const earliest = settle + CALL_NOTICE_DAYS
  const inForce = calls.filter(call => call.day <= earliest).at(-1)
  return [
    ...(inForce ? [{ day: earliest, price: inForce.price }] : []),
    ...calls.filter(call => call.day > earliest),
  ].filter(call => call.day < maturity)
}
