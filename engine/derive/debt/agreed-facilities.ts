import { later } from '../../base/days.ts'
import type { InstrumentRow } from './instrument-row.ts'
import { empty, type LoadedInstrument, saidBy } from './loaded-instruments.ts'
import { candidates, FACILITY_TERMS, mayBe } from './same-facility.ts'

/**
 * Rows with the facilities that agreements define. An agreement adds what is not known of the one facility with its
 * commitment; one made after the newest balances and texts, of a facility that no row may be, is a row of its own.
 * Of older ones nothing says that they are in force.
 */
export function withAgreed(
  company: string,
  known: readonly InstrumentRow[],
  read: readonly LoadedInstrument[],
  newest: string | null,
): InstrumentRow[] {
  const rows = [...known]
  const agreed = read
    .filter(({ rule }) => rule === 'facility_agreed')
    .toSorted((a, b) => ((a.balance_date ?? '') < (b.balance_date ?? '') ? 1 : -1))
  for (const one of agreed) {
    const [same, ...others] = candidates(rows, one)
    if (same !== undefined) {
      if (others.length === 0) rows[rows.indexOf(same)] = withTerms(same, one)
      continue
    }
    const id = `${company}/${one.name}`
    const isSince = newest === null || (one.balance_date ?? '') > newest
    if (!isSince || rows.some(row => row.id === id || mayBe(row, one))) continue
    const row = withTerms(empty(company, one, null), one)
    rows.push({
      ...row,
      id,
      commitment: one.commitment,
      currency: one.currency,
      instrument_type: one.instrument_type,
      balance_date: one.balance_date,
      is_counted: false,
      is_current: true,
      isDescribed: true,
      evidence: { ...row.evidence, commitment: saidBy(one), instrument_type: saidBy(one) },
    })
  }
  return rows
}

/** A row with terms of its agreement that nothing else states. */
function withTerms(row: InstrumentRow, one: LoadedInstrument): InstrumentRow {
  const said = saidBy(one)
  const values: Record<string, unknown> = {}
  const evidence: Record<string, unknown> = { ...row.evidence }
  for (const field of ['issuer', 'maturity', ...FACILITY_TERMS] as const)
    if (row[field] === null && one[field] !== null) {
      values[field] = one[field]
      evidence[field] = said
    }
  if (row.rate_type === null && row.coupon_rate === null && one.rate_type !== null) {
    values['rate_type'] = one.rate_type
    evidence['rate_type'] = said
  }
  return { ...row, ...values, evidence, known_from: later(row.known_from, one.known_from) }
}
