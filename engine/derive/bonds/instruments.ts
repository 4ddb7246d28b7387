import { bond, modifiedDuration, yieldToMaturity } from '../../credit/bond.ts'
import { formatDay, settlementDay } from '../../credit/calendar.ts'
import { couponThatAccrues, firstCouponThatAccrues, snapToEighth } from '../../credit/coupon-snap.ts'
import { looksFixedToFloat } from '../../credit/fixed-to-float.ts'
import { type Database, literal } from '../../database/database.ts'
import { tieBreak } from '../../database/tie-break.ts'
import { bonds } from '../../schema/datasets/bonds.ts'
import { joinCompany } from '../issuers/join-company.ts'

/**
 * One id per instrument, from any of a row's identifiers: the CUSIP, also inside a US or Canadian ISIN, else the
 * ISIN, else the source's own id.
 */
export const instrumentId = (alias = ''): string =>
  `coalesce(${alias}cusip, CASE WHEN ${alias}isin[1:2] IN ('US', 'CA') THEN ${alias}isin[3:11] END, ${alias}isin, ${alias}bond_id)`

/** A day as days since 1970, for the maths. */
export const dayNumber = (column: string): string => `date_diff('day', DATE '1970-01-01', ${column})`

/** Whether a coupon is one that another source states with more decimals, rounded to two. */
const IS_ROUNDED_FROM_EXACT = '(t.coupon_rounded AND abs(t.exact_coupon - t.coupon_rate) <= 0.005 + 1e-9)'

/**
 * `unlinked_bonds`: one row per instrument, numbered (`no`) by id, with each term from the newest row that states it; of a coupon
 * that the newest rounds to two decimals, an older row has the others.
 * Instruments known only from prices or trades have a row with unknown terms. `is_sparse` if nothing states coupon
 * type, ranking or call terms, as in holdings lists: the maturity may then be a perpetual's next call. `retired_from` is
 * the first day of the reports that it is retired, after the last that it is not.
 */
export async function deriveInstruments(db: Database, { asOf }: { asOf: string }): Promise<void> {
  const terms = Object.keys(bonds.columns).filter(name => name !== 'bond_id')
  const newest = terms.map(name => `arg_max("${name}", nth) AS "${name}"`)
  await db.run(`
    CREATE OR REPLACE TABLE unlinked_bonds AS
    WITH ordered AS (SELECT ${instrumentId()} AS id, *, row_number() OVER (PARTITION BY ${instrumentId()}
      ORDER BY known_from NULLS FIRST, ingested_at, source, ${tieBreak('listed_bonds')}) AS nth FROM listed_bonds),
    named AS (SELECT *, max(CASE WHEN status <> 'retired' THEN nth END) OVER (PARTITION BY id) AS last_alive FROM ordered),
    terms AS (SELECT id, min(bond_id) AS bond_id, ${newest.join(', ')}, max(known_from) AS known_from,
      arg_max(coupon_rate, nth) FILTER (coupon_rounded IS NOT TRUE) AS exact_coupon,
      min(coalesce(status_date, known_from, DATE '0001-01-01')) FILTER (WHERE status = 'defaulted') AS defaulted_from,
      min(coalesce(known_from, DATE '0001-01-01')) FILTER (WHERE status = 'retired' AND nth > coalesce(last_alive, 0)) AS retired_from,
      arg_max(source, nth) AS source FROM named GROUP BY id),
    priced AS (
      SELECT ${instrumentId()} AS id, max(cusip) AS cusip, max(isin) AS isin
      FROM (SELECT cusip, isin, bond_id FROM listed_prices UNION ALL SELECT cusip, isin, bond_id FROM in_trades)
      GROUP BY 1)
    SELECT CAST(row_number() OVER (ORDER BY coalesce(t.id, p.id)) - 1 AS INTEGER) AS no, coalesce(t.id, p.id) AS id,
      t.* EXCLUDE (id, cusip, isin, currency, coupon_frequency, exact_coupon)
        REPLACE (CASE WHEN ${IS_ROUNDED_FROM_EXACT} THEN t.exact_coupon ELSE t.coupon_rate END AS coupon_rate,
          t.coupon_rounded AND NOT coalesce(${IS_ROUNDED_FROM_EXACT}, FALSE) AS coupon_rounded),
      coalesce(t.cusip, p.cusip, CASE WHEN coalesce(t.isin, p.isin)[1:2] IN ('US', 'CA') THEN coalesce(t.isin, p.isin)[3:11] END) AS cusip,
      coalesce(t.isin, p.isin) AS isin,
      t.currency AS currency,
      t.coupon_frequency AS coupon_frequency,
      CASE WHEN t.rate_structure IS NOT NULL THEN 'source' END AS rate_structure_from, CAST(NULL AS DOUBLE) AS coupon_published, CAST(NULL AS DATE) AS first_coupon_date,
      (SELECT list(s.bond_id ORDER BY s.bond_id) FROM same_instruments s WHERE s.id = coalesce(t.id, p.id)) AS other_ids
    FROM terms t FULL JOIN priced p ON t.id = p.id`)
  await snapCoupons(db)
  await readPublishedFigures(db)
  await db.run(`
    UPDATE unlinked_bonds SET last_fixed_date = CAST(maturity_date - INTERVAL 1 YEAR AS DATE)
    WHERE rate_structure IS NULL AND last_fixed_date IS NULL AND coupon_rate > 0 AND coalesce(rate_type, 'fixed') = 'fixed'
      AND regexp_matches(name, '${NAMED_FIXED_TO_FLOAT}', 'i');
    ALTER TABLE unlinked_bonds ADD COLUMN is_sparse BOOLEAN;
    UPDATE unlinked_bonds SET is_sparse = rate_structure IS NULL AND last_fixed_date IS NULL AND seniority IS NULL
      AND callable IS NULL AND call_schedule IS NULL AND put_schedule IS NULL AND sinking_schedule IS NULL;
    UPDATE unlinked_bonds SET rate_structure = CASE
      WHEN last_fixed_date IS NOT NULL THEN 'fixed_to_float'
      WHEN rate_type = 'floating' THEN 'floating'
      WHEN coupon_rate = 0 THEN 'zero'
      WHEN rate_type = 'fixed' THEN 'fixed' END,
      rate_structure_from = CASE WHEN last_fixed_date IS NOT NULL THEN 'name or last fixed day' WHEN rate_type IS NOT NULL OR coupon_rate = 0 THEN 'rate type' END
    WHERE rate_structure IS NULL;
    ALTER TABLE unlinked_bonds ADD COLUMN is_active BOOLEAN;
    UPDATE unlinked_bonds SET is_active =
      coalesce(maturity_date > DATE ${literal(asOf)}, TRUE) AND coalesce(status <> 'retired', TRUE)`)
}

/**
 * `FXD-FLT`, `FX-FRN`, `FIX/FLOAT`, `Fixed-to-Floating`, `3.5%/VAR`, `VAR RT`: names that say so, used without
 * published figures.
 */
const NAMED_FIXED_TO_FLOAT =
  '\\b(fxd?|fix|fixed)[-/ ]*(to[- ]*)?(flt|frn|var|float|floating)\\b|[%/] ?var\\b|\\bvar(iable)? (rt|rate)\\b|\\bv/r\\b'

/** Coupons rounded to two decimals are read as the eighth that rounds to them. */
async function snapCoupons(db: Database): Promise<void> {
  const rounded = await db.rows<{ coupon: number }>(
    'SELECT DISTINCT coupon_rate AS coupon FROM unlinked_bonds WHERE coupon_rounded AND coupon_rate IS NOT NULL',
  )
  const changed = rounded.filter(({ coupon }) => snapToEighth(coupon) !== coupon)
  if (changed.length === 0) return
  const cases = changed.map(({ coupon }) => `WHEN ${coupon} THEN ${snapToEighth(coupon)}`).join(' ')
  await db.run(
    `UPDATE unlinked_bonds SET coupon_published = coupon_rate, coupon_rate = CASE coupon_rate ${cases} ELSE coupon_rate END ` +
      'WHERE coupon_rounded',
  )
}

/** Sectors, in funds' and companies' words, whose debt often floats in its last year or is perpetual. */
export const FINANCIAL = 'bank|insur|broker|financ|asset manager'

/** Within this share of a bullet's duration, a published duration still confirms a bullet. */
const NEAR_BULLET = 0.05

interface PublishedRow {
  readonly id: string
  readonly coupon: number
  readonly price: number
  readonly date: number
  readonly maturity: number
  readonly accrual: number | null
  readonly duration: number
  readonly ytm: number | null
  readonly ytw: number | null
  readonly accrued: number | null
  readonly financial: boolean
}

interface PublishedTerms {
  readonly coupon: number
  readonly firstCoupon: number | null
  readonly lastFixed: number | null
  readonly structure: 'fixed' | 'fixed_to_float' | null
}

/**
 * Terms inferred from a price's published figures, which are compared with those of a bullet, where the source does not state them: the current coupon, an odd
 * first coupon date, the last fixed day of a fixed-to-float bond, and that a bond is fixed.
 */
export function termsPublished(row: Omit<PublishedRow, 'id'>): PublishedTerms {
  const settle = settlementDay(row.date)
  const stated = bond({ coupon: row.coupon, maturity: row.maturity, accrualStart: row.accrual })
  const firstCoupon = row.accrued === null ? null : firstCouponThatAccrues(stated, row.accrued, settle)
  const coupon = row.accrued === null ? row.coupon : couponThatAccrues(stated, row.accrued, settle)
  const lastFixed = looksFixedToFloat({
    coupon,
    price: row.price,
    settle,
    maturity: row.maturity,
    accrualStart: row.accrual,
    firstCoupon,
    publishedModifiedDuration: row.duration,
    publishedYieldToMaturity: row.ytm,
    publishedYieldToWorst: row.ytw,
    isFinancial: row.financial,
  })
  if (lastFixed !== null) return { coupon, firstCoupon, lastFixed, structure: 'fixed_to_float' }
  const terms = { ...stated, coupon, firstCoupon }
  const { ytm } = yieldToMaturity(terms, row.price, settle)
  const isNear =
    ytm !== null && Math.abs(row.duration / modifiedDuration(terms, ytm, settle) - 1) <= NEAR_BULLET
  return { coupon, firstCoupon, lastFixed, structure: isNear ? 'fixed' : null }
}

/** Reads the newest published figures of each bond whose structure no source states. */
async function readPublishedFigures(db: Database): Promise<void> {
  const rows = await db.rows<PublishedRow>(`
    SELECT b.id, b.coupon_rate AS coupon, p.last.price AS price, ${dayNumber('p.last.date')} AS date,
      ${dayNumber('b.maturity_date')} AS maturity, ${dayNumber('coalesce(b.accrual_date, b.issue_date)')} AS accrual,
      p.last.duration AS duration, p.last.ytm AS ytm, p.last.ytw AS ytw, p.last.accrued AS accrued,
      coalesce(regexp_matches(b.sector, '${FINANCIAL}', 'i'), FALSE) AS financial
    FROM unlinked_bonds b JOIN (
      SELECT ${instrumentId()} AS id, last({'price': price, 'date': price_date, 'duration': published_duration,
        'ytm': published_ytm, 'ytw': published_ytw, 'accrued': accrued} ORDER BY price_date, known_from, source, ${tieBreak('listed_prices')}) AS last
      FROM listed_prices WHERE published_duration IS NOT NULL AND coalesce(price_basis, 'clean') = 'clean' GROUP BY 1) p ON p.id = b.id
    WHERE b.rate_structure IS NULL AND coalesce(b.rate_type, 'fixed') = 'fixed' AND b.coupon_rate > 0
      AND b.maturity_date IS NOT NULL AND b.sinking_schedule IS NULL ORDER BY b.id`)
  const found = rows.map(row => ({ ...termsPublished(row), id: row.id }))
  const day = (value: number | null) => (value === null ? null : formatDay(value))
  await db.run(
    'CREATE OR REPLACE TABLE published_terms (id VARCHAR, coupon DOUBLE, first_coupon VARCHAR, last_fixed VARCHAR, structure VARCHAR)',
  )
  await db.append(
    'published_terms',
    [
      found.map(f => f.id),
      found.map(f => f.coupon),
      found.map(f => day(f.firstCoupon)),
      found.map(f => day(f.lastFixed)),
      found.map(f => f.structure),
    ],
    found.length,
  )
  await db.run(`
    UPDATE unlinked_bonds SET coupon_published = CASE WHEN p.coupon <> coupon_rate THEN coalesce(coupon_published, coupon_rate) ELSE coupon_published END,
      coupon_rate = p.coupon, first_coupon_date = CAST(p.first_coupon AS DATE),
      last_fixed_date = coalesce(CAST(p.last_fixed AS DATE), last_fixed_date), rate_structure = p.structure,
      rate_structure_from = CASE WHEN p.structure IS NOT NULL THEN 'published figures' END,
      rate_type = coalesce(rate_type, CASE WHEN p.structure IS NOT NULL THEN 'fixed' END)
    FROM published_terms p WHERE p.id = unlinked_bonds.id`)
}

/**
 * `bonds_base`: every instrument with its company: the issuer's group if the issuer is not listed itself.
 * `issuer_company_id` is the issuer's own.
 */
export const linkInstruments = (db: Database): Promise<void> =>
  db.run(`
    CREATE OR REPLACE TABLE bonds_base AS
    SELECT b.*, coalesce(g.group_id, link_.company_id) AS company_id, link_.company_id AS issuer_company_id, g.group_by, g.group_reason
    FROM unlinked_bonds b
    ${joinCompany('b', 'coalesce(b.issuer_name, b.company_name)', 'issuer_lei')}
    LEFT JOIN issuer_group g ON g.company_id = link_.company_id`)
