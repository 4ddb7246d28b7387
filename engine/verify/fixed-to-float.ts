import { elementAt } from '../base/elements.ts'
import { accruedInterest, bond, yieldToMaturity } from '../credit/bond.ts'
import { type Day, settlementDay } from '../credit/calendar.ts'
import { interpolate } from '../credit/curve.ts'
import { floatInLastYear } from '../credit/fixed-to-float.ts'
import { type Curves, reaches } from './curves.ts'
import type { Workbench } from './recomputation.ts'
import { dayOf, grouped, instrument, RowBuffer, records } from './workbench.ts'

interface Candidate {
  readonly id: string
  readonly company_id: string
  readonly entity: string
  readonly coupon: number
  readonly is_open: boolean
  readonly structure: 'fixed' | 'fixed_to_float'
  readonly maturity: Day
  readonly earlier: Day
  readonly accrual: Day | null
  readonly day: Day
  readonly price: number
  readonly is_dirty: boolean
}

/**
 * Completes `made_terms`: bonds of financial issuers that float in their last year, judged by the issuer's other
 * bonds.
 */
export async function makeFixedToFloat({ db }: Workbench, curves: Curves): Promise<void> {
  const rows = records<Candidate>(
    db,
    `WITH newest AS (
      SELECT ${instrument('p')} AS id, arg_max({'price': p.price, 'day': ${dayOf('p.price_date')}, 'dirty': coalesce(p.price_basis = 'dirty', FALSE)},
        (p.price_date, coalesce(p.known_from, DATE '9999-12-31'), p.source)) AS quote FROM raw_prices p GROUP BY 1)
    SELECT t.id, t.company_id, coalesce(json_extract_string(k._explain, '$.issuer.company_id'), t.company_id) AS entity, t.coupon_rate AS coupon, t.is_sparse AND t.rate_structure IS DISTINCT FROM 'fixed_to_float' AS is_open, coalesce(t.rate_structure, 'fixed') AS structure,
      ${dayOf('CAST(t.maturity_date AS DATE)')} AS maturity, ${dayOf('CAST(CAST(t.maturity_date AS DATE) - INTERVAL 12 MONTH AS DATE)')} AS earlier,
      ${dayOf('coalesce(s.accrual_date, s.issue_date)')} AS accrual, n.quote.day AS day, n.quote.price AS price, n.quote.dirty AS is_dirty
    FROM made_terms t JOIN made_stated s USING (id) JOIN newest n USING (id) JOIN kept_bonds k USING (id) LEFT JOIN kept_companies c ON c.company_id = t.company_id
    WHERE t.company_id IS NOT NULL AND t.maturity_date IS NOT NULL AND t.coupon_rate > 0 AND s.sinking_schedule IS NULL AND (t.rate_structure IS NULL OR t.rate_structure IN ('fixed', 'fixed_to_float'))
      AND (s.currency IS NULL OR s.currency = 'USD') AND (s.status IS NULL OR s.status <> 'defaulted')
      AND (coalesce(regexp_matches(lower(concat_ws(' ', s.sector, c.sector)), 'bank|insur|broker|financ|asset manager'), FALSE)
        OR coalesce(regexp_matches(lower(concat_ws(' ', s.issuer_name, s.company_name, c.name)), 'bank|banc|banq|insurance|assurance'), FALSE))
    ORDER BY t.company_id, t.id`,
  )
  const found = await RowBuffer.table<{ id: string }>(db, 'made_fixed_to_float', { id: 'VARCHAR' })
  const issuers: Candidate[][] = []
  for await (const bonds of grouped(rows, r => r.company_id))
    if (bonds.some(row => row.is_open)) issuers.push(bonds)
  const floats = floatInLastYear(
    issuers.map(bonds =>
      bonds.map(row => ({
        entity: row.entity,
        coupon: row.coupon,
        structure: row.is_open ? null : row.structure,
        day: row.day,
        years: (row.maturity - settlementDay(row.day)) / 365.25,
        spread: spreadTo(row.maturity, row, curves),
        shorterSpread: spreadTo(row.earlier, row, curves),
      })),
    ),
  )
  for (const [i, bonds] of issuers.entries())
    for (const [j, { id }] of bonds.entries()) if (elementAt(floats, i)[j]) await found.add({ id })
  await found.flush()
  await db.run(`UPDATE made_terms SET rate_structure = 'fixed_to_float',
    last_fixed_date = CAST(CAST(CAST(maturity_date AS DATE) - INTERVAL 12 MONTH AS DATE) AS VARCHAR)
    WHERE id IN (SELECT id FROM made_fixed_to_float)`)
}

/** Basis points over the curve of the day, for redemption on this day. */
function spreadTo(maturity: Day, row: Candidate, curves: Curves): number | null {
  const settle = settlementDay(row.day)
  const terms = bond({ coupon: row.coupon, maturity, accrualStart: row.accrual })
  const clean = row.is_dirty ? row.price - accruedInterest(terms, settle) : row.price
  const { ytm } = yieldToMaturity(terms, clean, settle)
  const curve = curves(row.day)
  const years = (maturity - settle) / 365.25
  if (ytm === null || curve === null || !reaches(curve.par.tenorYears, years)) return null
  return (ytm - interpolate(curve.par, years)!.ratePct) * 100
}
