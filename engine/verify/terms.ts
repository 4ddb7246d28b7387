import { bond, modifiedDuration, yieldToMaturity } from '../credit/bond.ts'
import { addMonths, type Day, formatDay, parseDay, settlementDay } from '../credit/calendar.ts'
import { couponThatAccrues, firstCouponThatAccrues } from '../credit/coupon-snap.ts'
import { looksFixedToFloat } from '../credit/fixed-to-float.ts'
import { bonds as loaded } from '../schema/datasets/bonds.ts'
import { curvesOf } from './curves.ts'
import { makeFixedToFloat } from './fixed-to-float.ts'
import type { Workbench } from './recomputation.ts'
import { dayOf, grouped, instrument, RowBuffer, records } from './workbench.ts'

const stated = Object.keys(loaded.columns).filter(name => name !== 'bond_id')

/** The terms that later steps need; dates are days since 1970. */
export interface Terms {
  readonly id: string
  readonly company_id: string | null
  readonly coupon_rate: number | null
  readonly rate_type: string | null
  readonly rate_structure: string | null
  readonly maturity_date: string | null
  readonly last_fixed_date: string | null
  readonly first_coupon_date: string | null
  /** No source states coupon type, ranking or calls. */
  readonly is_sparse: boolean
  readonly is_active: boolean
}

interface Stated {
  readonly id: string
  readonly company_id: string | null
  readonly coupon_rate: number | null
  readonly coupon_rounded: boolean | null
  /** The newest coupon that no source has rounded. */
  readonly exact_coupon: number | null
  readonly rate_type: string | null
  readonly rate_structure: string | null
  readonly maturity_date: string | null
  readonly last_fixed_date: string | null
  readonly name: string | null
  readonly seniority: string | null
  readonly callable: boolean | null
  readonly call_schedule: string | null
  readonly put_schedule: string | null
  readonly sinking_schedule: string | null
  readonly is_financial: boolean
  readonly accrual: string | null
  readonly status: string | null
  readonly published: {
    readonly price: number
    readonly day: Day
    readonly duration: number
    readonly ytm: number | null
    readonly ytw: number | null
    readonly accrued: number | null
  } | null
}

/** A coupon with two decimals is the eighth that rounds half up to it. */
export function eighthOf(coupon: number): number {
  for (let eighths = Math.floor(coupon * 8); eighths <= Math.ceil(coupon * 8); eighths++)
    if (Math.floor(eighths * 12.5 + 0.5) === Math.round(coupon * 100)) return eighths / 8
  return coupon
}

const namedFixedToFloat =
  /\b(fxd?|fix|fixed)[-/ ]*(to[- ]*)?(flt|frn|var|float|floating)\b|[%/] ?var\b|\bvar(iable)? (rt|rate)\b|\bv\/r\b/i

type Read = Pick<
  Terms,
  'coupon_rate' | 'rate_type' | 'rate_structure' | 'last_fixed_date' | 'first_coupon_date'
>

/** Terms inferred from the published figures of the newest price of a bond without a stated structure. */
function readPublished(row: Stated, coupon: number): Partial<Read> {
  const { price, day, accrued, duration, ytm, ytw } = row.published!
  const settle = settlementDay(day)
  const maturity = parseDay(row.maturity_date!)
  const accrualStart = row.accrual === null ? null : parseDay(row.accrual)
  const bullet = bond({ coupon, maturity, accrualStart })
  const firstCoupon = accrued === null ? null : firstCouponThatAccrues(bullet, accrued, settle)
  const accrues = accrued === null ? coupon : couponThatAccrues(bullet, accrued, settle)
  const read = {
    coupon_rate: accrues,
    first_coupon_date: firstCoupon === null ? null : formatDay(firstCoupon),
  }
  const floatsFrom = looksFixedToFloat({
    coupon: accrues,
    price,
    settle,
    maturity,
    accrualStart,
    firstCoupon,
    publishedModifiedDuration: duration,
    publishedYieldToMaturity: ytm,
    publishedYieldToWorst: ytw,
    isFinancial: row.is_financial,
  })
  const rate_type = row.rate_type ?? 'fixed'
  if (floatsFrom !== null)
    return { ...read, rate_type, rate_structure: 'fixed_to_float', last_fixed_date: formatDay(floatsFrom) }
  const terms = { ...bullet, coupon: accrues, firstCoupon }
  const own = yieldToMaturity(terms, price, settle).ytm
  const isBullet = own !== null && Math.abs(duration / modifiedDuration(terms, own, settle) - 1) <= 0.05
  return isBullet ? { ...read, rate_type, rate_structure: 'fixed' } : read
}

/** A rounded coupon is the exact one within half a hundredth of it, else an eighth. */
function couponOf({ coupon_rate, coupon_rounded, exact_coupon }: Stated): number | null {
  if (coupon_rate === null || !coupon_rounded) return coupon_rate
  const isExact = exact_coupon !== null && Math.abs(exact_coupon - coupon_rate) < 0.0050001
  return isExact ? exact_coupon : eighthOf(coupon_rate)
}

function termsOf(row: Stated, asOf: Day): Terms {
  const { id, company_id, maturity_date } = row
  const coupon_rate = couponOf(row)
  const canFloat =
    row.rate_structure === null && (row.rate_type ?? 'fixed') === 'fixed' && (coupon_rate ?? 0) > 0
  let read: Read = {
    coupon_rate,
    rate_type: row.rate_type,
    rate_structure: row.rate_structure,
    last_fixed_date: row.last_fixed_date,
    first_coupon_date: null,
  }
  if (canFloat && row.published && maturity_date !== null && row.sinking_schedule === null)
    read = { ...read, ...readPublished(row, coupon_rate!) }
  const isNamed =
    canFloat &&
    read.rate_structure === null &&
    (read.rate_type ?? 'fixed') === 'fixed' &&
    namedFixedToFloat.test(row.name ?? '')
  if (isNamed && maturity_date !== null)
    read = { ...read, last_fixed_date: read.last_fixed_date ?? monthsOn(maturity_date, -12) }
  const unsaid = read.rate_structure === null && read.last_fixed_date === null
  const structure =
    read.last_fixed_date !== null
      ? 'fixed_to_float'
      : read.rate_type === 'floating'
        ? 'floating'
        : read.coupon_rate === 0
          ? 'zero'
          : read.rate_type
  return {
    id,
    company_id,
    maturity_date,
    ...read,
    rate_structure: read.rate_structure ?? structure,
    is_sparse:
      unsaid &&
      [row.seniority, row.callable, row.call_schedule, row.put_schedule, row.sinking_schedule].every(
        term => term === null,
      ),
    is_active: !(maturity_date !== null && parseDay(maturity_date) <= asOf) && row.status !== 'retired',
  }
}

/**
 * `made_stated`: each term from the newest row that states it; `made_terms`: what follows from them and from
 * published figures. A bond's company is taken from the stored table.
 */
export async function makeTerms(bench: Workbench): Promise<void> {
  const { db, asOf, sampled } = bench
  const order = "(coalesce(b.known_from, DATE '0001-01-01'), b.ingested_at, b.source)"
  await db.run(`
    CREATE TABLE made_stated AS
    WITH terms AS (
      SELECT ${instrument('b')} AS id, ${stated.map(c => `arg_max(b."${c}", ${order}) FILTER (b."${c}" IS NOT NULL) AS "${c}"`).join(', ')},
        arg_max(b.coupon_rate, ${order}) FILTER (b.coupon_rate IS NOT NULL AND NOT coalesce(b.coupon_rounded, FALSE)) AS exact_coupon,
        min(coalesce(b.status_date, b.known_from, DATE '0001-01-01')) FILTER (b.status = 'defaulted') AS defaulted_from,
        min(coalesce(b.known_from, DATE '0001-01-01')) FILTER (b.status = 'retired' AND (o.alive IS NULL OR ${order} > o.alive)) AS retired_from
      FROM raw_bonds b LEFT JOIN (
        SELECT ${instrument('b')} AS id, max(${order}) FILTER (b.status <> 'retired') AS alive FROM raw_bonds b GROUP BY 1) o ON o.id = ${instrument('b')}
      GROUP BY 1),
    priced AS (
      SELECT id, max(cusip) AS cusip, max(isin) AS isin FROM (
        SELECT ${instrument('p')} AS id, p.cusip, p.isin FROM raw_prices p
        UNION ALL SELECT ${instrument('t')}, t.cusip, t.isin FROM raw_trades t) GROUP BY id)
    SELECT coalesce(t.id, p.id) AS id, t.* EXCLUDE (id, cusip, isin), coalesce(t.isin, p.isin) AS isin,
      coalesce(t.cusip, p.cusip, CASE WHEN left(coalesce(t.isin, p.isin), 2) IN ('US', 'CA') THEN substr(coalesce(t.isin, p.isin), 3, 9) END) AS cusip,
      k.company_id
    FROM terms t FULL JOIN priced p ON p.id = t.id LEFT JOIN kept_bonds k ON k.id = coalesce(t.id, p.id)
    ${sampled ? 'WHERE k.id IS NOT NULL' : ''}`)
  const made = await RowBuffer.table<Terms>(db, 'made_terms', {
    id: 'VARCHAR',
    company_id: 'VARCHAR',
    coupon_rate: 'DOUBLE',
    rate_type: 'VARCHAR',
    rate_structure: 'VARCHAR',
    maturity_date: 'VARCHAR',
    last_fixed_date: 'VARCHAR',
    first_coupon_date: 'VARCHAR',
    is_sparse: 'BOOLEAN',
    is_active: 'BOOLEAN',
  })
  const today = parseDay(asOf)
  const rows = records<Stated>(
    db,
    `WITH published AS (
      SELECT ${instrument('p')} AS id, arg_max({'price': p.price, 'day': ${dayOf('p.price_date')}, 'duration': p.published_duration,
        'ytm': p.published_ytm, 'ytw': p.published_ytw, 'accrued': p.accrued}, (p.price_date, coalesce(p.known_from, DATE '9999-12-31'), p.source)) AS published
      FROM raw_prices p WHERE p.published_duration IS NOT NULL AND p.price_basis IS DISTINCT FROM 'dirty' GROUP BY 1)
    SELECT s.id, s.company_id, s.coupon_rate, s.coupon_rounded, s.exact_coupon, s.rate_type, s.rate_structure, s.maturity_date,
      s.last_fixed_date, coalesce(s.accrual_date, s.issue_date) AS accrual, s.status, s.name, s.seniority, s.callable, s.call_schedule, s.put_schedule, s.sinking_schedule,
      coalesce(regexp_matches(lower(s.sector), 'bank|insur|broker|financ|asset manager'), FALSE) AS is_financial, published
    FROM made_stated s LEFT JOIN published p ON p.id = s.id ORDER BY s.id`,
  )
  for await (const [row] of grouped(rows, r => r.id)) await made.add(termsOf(row!, today))
  await made.flush()
  await makeFixedToFloat(bench, await curvesOf(bench))
}

/** The day the given number of months after another, as `YYYY-MM-DD`. */
export const monthsOn = (day: string, months: number): string => formatDay(addMonths(parseDay(day), months))
