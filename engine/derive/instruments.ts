import { bond, modifiedDuration, yieldToMaturity } from '../credit/bond.ts'
import { formatDay, settlementDay } from '../credit/calendar.ts'
import { couponThatAccrues, snapToEighth } from '../credit/coupon-snap.ts'
import { looksFixedToFloat } from '../credit/fixed-to-float.ts'
import { type Database, literal } from '../database.ts'
import { bonds } from '../datasets.ts'
import { joinCompany } from './issuers.ts'

/**
 * One id an instrument, from whichever identifiers a row has: the CUSIP, also where it stands inside a US or
 * Canadian ISIN, else the ISIN, else the source's own id.
 */
export const instrumentId = (alias = ''): string =>
  `coalesce(${alias}cusip, CASE WHEN ${alias}isin[1:2] IN ('US', 'CA') THEN ${alias}isin[3:11] END, ${alias}isin, ${alias}bond_id)`

/** A day as a whole number of days since 1970, as the maths wants it. */
export const dayNumber = (column: string): string => `date_diff('day', DATE '1970-01-01', ${column})`

/**
 * `bonds_base`: one row an instrument, each term as the newest row that states it says. Instruments that only
 * prices or trades speak of have a row too, with terms unknown.
 */
export async function deriveInstruments(db: Database, { asOf }: { asOf: string }): Promise<void> {
  const terms = Object.keys(bonds.columns).filter(name => name !== 'bond_id')
  const newest = terms.map(
    name =>
      `last("${name}" ORDER BY known_from NULLS FIRST, ingested_at, source) FILTER (WHERE "${name}" IS NOT NULL) AS "${name}"`,
  )
  await db.run(`
    CREATE OR REPLACE TABLE bonds_base AS
    WITH named AS (SELECT ${instrumentId()} AS id, * FROM in_bonds),
    terms AS (SELECT id, any_value(bond_id) AS bond_id, ${newest.join(', ')}, max(known_from) AS known_from,
      min(coalesce(known_from, DATE '0001-01-01')) FILTER (WHERE status = 'defaulted') AS defaulted_from,
      last(source ORDER BY known_from NULLS FIRST, ingested_at, source) AS source FROM named GROUP BY id),
    priced AS (
      SELECT ${instrumentId()} AS id, max(cusip) AS cusip, max(isin) AS isin
      FROM (SELECT cusip, isin, bond_id FROM in_prices UNION ALL SELECT cusip, isin, bond_id FROM in_trades)
      GROUP BY 1)
    SELECT coalesce(t.id, p.id) AS id,
      t.* EXCLUDE (id, cusip, isin, currency, coupon_frequency),
      coalesce(t.cusip, p.cusip, CASE WHEN coalesce(t.isin, p.isin)[1:2] IN ('US', 'CA') THEN coalesce(t.isin, p.isin)[3:11] END) AS cusip,
      coalesce(t.isin, p.isin) AS isin,
      t.currency AS currency,
      t.coupon_frequency AS coupon_frequency,
      CAST(NULL AS DOUBLE) AS coupon_published
    FROM terms t FULL JOIN priced p ON t.id = p.id`)
  await snapCoupons(db)
  await readPublishedFigures(db)
  await db.run(`
    UPDATE bonds_base SET rate_structure = CASE
      WHEN last_fixed_date IS NOT NULL THEN 'fixed_to_float'
      WHEN rate_type = 'floating' THEN 'floating'
      WHEN coupon_rate = 0 THEN 'zero'
      WHEN rate_type = 'fixed' THEN 'fixed' END
    WHERE rate_structure IS NULL;
    ALTER TABLE bonds_base ADD COLUMN is_active BOOLEAN;
    UPDATE bonds_base SET is_active =
      coalesce(maturity_date > DATE ${literal(asOf)}, TRUE) AND coalesce(status <> 'retired', TRUE)`)
}

/** Coupons that a source rounds to two decimals are eighths wherever rounding an eighth gives them. */
async function snapCoupons(db: Database): Promise<void> {
  const rounded = await db.rows<{ coupon: number }>(
    'SELECT DISTINCT coupon_rate AS coupon FROM bonds_base WHERE coupon_rounded AND coupon_rate IS NOT NULL',
  )
  const changed = rounded.filter(({ coupon }) => snapToEighth(coupon) !== coupon)
  if (changed.length === 0) return
  const cases = changed.map(({ coupon }) => `WHEN ${coupon} THEN ${snapToEighth(coupon)}`).join(' ')
  await db.run(
    `UPDATE bonds_base SET coupon_published = coupon_rate, coupon_rate = CASE coupon_rate ${cases} ELSE coupon_rate END ` +
      'WHERE coupon_rounded',
  )
}

/** How far, as a share, a published duration may lie from that of the bullet that it confirms. */
const LIKE_BULLET = 0.02

/**
 * What the published figures of a price tell of terms that its source does not state: the coupon now accruing, the last
 * fixed day of a fixed-to-float bond, and that a bond is fixed at all.
 */
async function readPublishedFigures(db: Database): Promise<void> {
  const rows = await db.rows<{
    id: string
    coupon: number
    price: number
    date: number
    maturity: number
    accrual: number | null
    duration: number
    ytw: number | null
    accrued: number | null
  }>(`
    SELECT b.id, b.coupon_rate AS coupon, p.last.price AS price, ${dayNumber('p.last.date')} AS date,
      ${dayNumber('b.maturity_date')} AS maturity, ${dayNumber('b.accrual_date')} AS accrual,
      p.last.duration AS duration, p.last.ytw AS ytw, p.last.accrued AS accrued
    FROM bonds_base b JOIN (
      SELECT ${instrumentId()} AS id, last({'price': price, 'date': price_date, 'duration': published_duration,
        'ytw': published_ytw, 'accrued': accrued} ORDER BY price_date, known_from, source) AS last
      FROM in_prices WHERE published_duration IS NOT NULL AND coalesce(price_basis, 'clean') = 'clean' GROUP BY 1) p ON p.id = b.id
    WHERE b.rate_structure IS NULL AND coalesce(b.rate_type, 'fixed') = 'fixed' AND b.coupon_rate > 0
      AND b.maturity_date IS NOT NULL ORDER BY b.id`)
  const found: [id: string, coupon: number, lastFixed: string | null, structure: string | null][] = []
  for (const row of rows) {
    const settle = settlementDay(row.date)
    const stated = bond({ coupon: row.coupon, maturity: row.maturity, accrualStart: row.accrual })
    const coupon = row.accrued === null ? row.coupon : couponThatAccrues(stated, row.accrued, settle)
    const lastFixed = looksFixedToFloat({
      coupon,
      price: row.price,
      settle,
      maturity: row.maturity,
      publishedModifiedDuration: row.duration,
      publishedYieldToWorst: row.ytw,
    })
    const terms = { ...stated, coupon }
    const { ytm } = yieldToMaturity(terms, row.price, settle)
    const isBullet =
      ytm !== null && Math.abs(row.duration / modifiedDuration(terms, ytm, settle) - 1) <= LIKE_BULLET
    const structure = lastFixed !== null ? 'fixed_to_float' : isBullet ? 'fixed' : null
    if (coupon !== row.coupon || structure !== null)
      found.push([row.id, coupon, lastFixed === null ? null : formatDay(lastFixed), structure])
  }
  await db.run(
    'CREATE OR REPLACE TABLE published_terms (id VARCHAR, coupon DOUBLE, last_fixed VARCHAR, structure VARCHAR)',
  )
  await db.append(
    'published_terms',
    [0, 1, 2, 3].map(j => found.map(f => f[j])),
    found.length,
  )
  await db.run(`
    UPDATE bonds_base SET coupon_published = CASE WHEN p.coupon <> coupon_rate THEN coalesce(coupon_published, coupon_rate) ELSE coupon_published END,
      coupon_rate = p.coupon, last_fixed_date = CAST(p.last_fixed AS DATE), rate_structure = p.structure,
      rate_type = coalesce(rate_type, CASE WHEN p.structure IS NOT NULL THEN 'fixed' END)
    FROM published_terms p WHERE p.id = bonds_base.id`)
}

/** Gives every instrument its company, once issuers are linked. */
export const linkInstruments = (db: Database): Promise<void> =>
  db.run(`
    CREATE OR REPLACE TABLE bonds_base AS
    SELECT b.*, company.company_id FROM bonds_base b
    ${joinCompany('b', 'coalesce(b.issuer_name, b.company_name)', 'issuer_lei')}`)
