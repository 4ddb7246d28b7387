import { elementAt } from '../../base/elements.ts'
import { accruedInterest, bond, yieldToMaturity } from '../../credit/bond.ts'
import { addMonths, type Day, settlementDay } from '../../credit/calendar.ts'
import type { CurveHistory } from '../../credit/curve-history.ts'
import { floatInLastYear, type IssuersBond } from '../../credit/fixed-to-float.ts'
import type { Database } from '../../database/database.ts'
import { tieBreak } from '../../database/tie-break.ts'
import { dayNumber, FINANCIAL, instrumentId } from './instruments.ts'

/** Names of banks and insurers, for sources without sectors. */
export const BANK = 'bank|banc|banq|insurance|assurance'

interface Row {
  readonly no: number
  readonly company_id: string
  readonly entity: string
  readonly coupon: number
  readonly structure: 'fixed' | 'fixed_to_float' | null
  readonly maturity: Day
  readonly accrual: Day | null
  readonly day: Day
  readonly price: number
  readonly is_dirty: boolean
}

/**
 * Sets the last fixed day of bonds whose lists publish no yield and that `floatInLastYear` recognises from the
 * issuer's other bonds. Issuers are banks, insurers and brokers, by sector or name.
 */
export async function recogniseFixedToFloat(db: Database, curves: CurveHistory): Promise<void> {
  const rows = await db.rows<Row>(`
    WITH financial AS (
      SELECT b.* FROM bonds_base b LEFT JOIN companies_base c USING (company_id)
      WHERE b.coupon_rate > 0 AND b.maturity_date IS NOT NULL AND b.sinking_schedule IS NULL AND coalesce(b.currency, 'USD') = 'USD' AND b.status IS DISTINCT FROM 'defaulted'
        AND coalesce(b.rate_structure, 'fixed') IN ('fixed', 'fixed_to_float') AND b.company_id IS NOT NULL
        AND (regexp_matches(concat_ws(' ', b.sector, c.sector), '${FINANCIAL}', 'i')
          OR regexp_matches(concat_ws(' ', b.issuer_name, b.company_name, c.name), '${BANK}', 'i'))),
    issuers AS (SELECT DISTINCT company_id FROM financial WHERE is_sparse AND rate_structure IS DISTINCT FROM 'fixed_to_float'),
    newest AS (
      SELECT ${instrumentId()} AS id, last({'price': price, 'day': ${dayNumber('price_date')}, 'dirty': price_basis IS NOT DISTINCT FROM 'dirty'}
        ORDER BY price_date, known_from, source, ${tieBreak('p')}) AS quote
      FROM listed_prices p GROUP BY 1)
    SELECT f.no, f.company_id, coalesce(f.issuer_company_id, f.company_id) AS entity, f.coupon_rate AS coupon, CASE WHEN NOT f.is_sparse OR f.rate_structure = 'fixed_to_float' THEN coalesce(f.rate_structure, 'fixed') END AS structure,
      ${dayNumber('f.maturity_date')} AS maturity, ${dayNumber('coalesce(f.accrual_date, f.issue_date)')} AS accrual,
      n.quote.day AS day, n.quote.price AS price, n.quote.dirty AS is_dirty
    FROM financial f SEMI JOIN issuers i ON i.company_id = f.company_id JOIN newest n ON n.id = f.id
    ORDER BY f.company_id, f.no`)
  const issuers: Row[][] = []
  for (const row of rows) {
    const last = issuers.at(-1)
    if (last?.[0]?.company_id === row.company_id) last.push(row)
    else issuers.push([row])
  }
  const floats = floatInLastYear(issuers.map(bonds => bonds.map(row => readBothWays(row, curves))))
  const found = issuers.flatMap((bonds, i) =>
    bonds.filter((_, j) => elementAt(floats, i)[j]).map(({ no }) => no),
  )
  await db.run('CREATE OR REPLACE TABLE recognised (no INTEGER)')
  await db.append('recognised', [Int32Array.from(found)], found.length)
  await db.run(`
    UPDATE bonds_base SET rate_structure = 'fixed_to_float', last_fixed_date = CAST(maturity_date - INTERVAL 1 YEAR AS DATE),
      rate_structure_from = 'other bonds of the issuer'
    WHERE no IN (SELECT no FROM recognised);
    DROP TABLE recognised`)
}

/** The spreads of a price, for redemption at maturity and a year before. */
function readBothWays(row: Row, curves: CurveHistory): IssuersBond {
  const settle = settlementDay(row.day)
  const spreadTo = (maturity: Day): number | null => {
    const terms = bond({ coupon: row.coupon, maturity, accrualStart: row.accrual })
    const price = row.is_dirty ? row.price - accruedInterest(terms, settle) : row.price
    const { ytm } = yieldToMaturity(terms, price, settle)
    const par = curves.interpolateAt(row.day, (maturity - settle) / 365.25)
    return ytm === null || Number.isNaN(par) ? null : (ytm - par) * 100
  }
  const { entity, coupon, structure, day, maturity } = row
  return {
    entity,
    coupon,
    structure,
    day,
    years: (maturity - settle) / 365.25,
    spread: spreadTo(maturity),
    shorterSpread: spreadTo(addMonths(maturity, -12)),
  }
}
