import { firstOf } from '../../base/elements.ts'
import { memoize } from '../../base/memoize.ts'
import { bond, yieldToMaturity } from '../../credit/bond.ts'
import { type Day, settlementDay } from '../../credit/calendar.ts'
import type { Database } from '../../database/database.ts'
import { tieBreak } from '../../database/tie-break.ts'
import { issuerName } from '../../names/issuer-name.ts'
import { dayNumber, instrumentId } from './instruments.ts'

/** A bond of a list without identifiers, as the list describes it. */
export interface ListedBond {
  readonly name: string
  readonly coupon: number | null
  readonly maturity: Day
  readonly currency: string | null
  /** A price with the yield to maturity published beside it. */
  readonly quote: { readonly day: Day; readonly price: number; readonly ytm: number } | null
}

/** A bond with identifiers. */
export interface IdentifiedBond {
  readonly id: string
  readonly name: string
  readonly coupon: number | null
  readonly accrual: Day | null
  readonly maturity: Day
  readonly currency: string | null
}

/** Maximum difference, in percent, between a bond's yield and the published one. */
const SAME_YIELD = 0.05
/** Minimum letters of a truncated name. */
const SHORTEST_PREFIX = 12

/**
 * The one identified bond that matches a listed bond: same issuer, maturity, coupon and, if both state it, currency;
 * a list without coupons must publish the yield that the bond has at the list's price. A name marked 144A or REG S
 * selects that form of a private placement. Null if there is none, or the match is ambiguous.
 */
export function identifiedBond(listed: ListedBond, bonds: readonly IdentifiedBond[]): string | null {
  const alike = bonds.filter(
    each =>
      each.maturity === listed.maturity &&
      (each.currency === null || listed.currency === null || each.currency === listed.currency) &&
      isSameIssuer(issuerOf(each), issuerOf(listed)) &&
      hasCoupon(each, listed),
  )
  const those = inForm(listed.name, alike)
  return those.length === 1 ? firstOf(those).id : null
}

const issuerOf = memoize(({ name }: { readonly name: string }) => issuerName(name).base)

function isSameIssuer(one: string, other: string): boolean {
  const [short, long] = [one, other].sort((a, b) => a.length - b.length)
  return short === long || (short!.length >= SHORTEST_PREFIX && long!.startsWith(short!))
}

/** Lists round coupons to two decimals. */
const toCents = (coupon: number): number => Math.round(coupon * 100 + 1e-7)

function hasCoupon({ coupon, accrual, maturity }: IdentifiedBond, listed: ListedBond): boolean {
  if (coupon === null) return false
  if (listed.coupon !== null) return toCents(coupon) === toCents(listed.coupon)
  if (listed.quote === null) return false
  const { day, price, ytm } = listed.quote
  const own = yieldToMaturity(bond({ coupon, maturity, accrualStart: accrual }), price, settlementDay(day))
  return own.ytm !== null && Math.abs(own.ytm - ytm) <= SAME_YIELD
}

/** CUSIPs of securities sold abroad begin with a letter. */
const isAbroad = (id: string): boolean => /^[A-Z]/.test(id)

function inForm(name: string, bonds: readonly IdentifiedBond[]): readonly IdentifiedBond[] {
  if (bonds.length < 2) return bonds
  if (/\b144A\b/i.test(name)) return bonds.filter(({ id }) => !isAbroad(id))
  return /\bREG ?S\b/i.test(name) ? bonds.filter(({ id }) => isAbroad(id)) : bonds
}

/** An id formed from a list's description, in place of missing identifiers. */
const isListed = "cusip IS NULL AND isin IS NULL AND contains(bond_id, '|')"

/**
 * `same_instruments(bond_id, id)`: listed bonds without identifiers and their identified bond; and the views
 * `listed_bonds` and `listed_prices`, those datasets' rows with the identifiers found.
 */
export async function deriveSameInstruments(db: Database): Promise<void> {
  await db.run('CREATE OR REPLACE TABLE same_instruments (bond_id VARCHAR, id VARCHAR)')
  const last = (column: string) =>
    `last(${column} ORDER BY known_from NULLS FIRST, ingested_at, source, ${tieBreak('b')}) FILTER (${column} IS NOT NULL)`
  const listed = await db.rows<{
    bond_id: string
    name: string
    coupon: number | null
    maturity: number
    currency: string | null
    day: number | null
    price: number | null
    ytm: number | null
  }>(`
    WITH listed AS (
      SELECT bond_id, ${last('coalesce(issuer_name, name)')} AS name, ${last('coupon_rate')} AS coupon,
        ${last(dayNumber('maturity_date'))} AS maturity, ${last('currency')} AS currency
      FROM in_bonds b WHERE ${isListed} GROUP BY bond_id),
    quoted AS (
      SELECT bond_id, last({'day': ${dayNumber('price_date')}, 'price': price, 'ytm': published_ytm}
        ORDER BY price_date, known_from, source, ${tieBreak('p')}) AS quote
      FROM in_prices p WHERE ${isListed} AND published_ytm IS NOT NULL AND coalesce(price_basis, 'clean') = 'clean' GROUP BY bond_id)
    SELECT l.*, q.quote.day AS day, q.quote.price AS price, q.quote.ytm AS ytm
    FROM listed l LEFT JOIN quoted q USING (bond_id) WHERE name IS NOT NULL AND maturity IS NOT NULL ORDER BY bond_id`)
  const joined = listed.length === 0 ? [] : await joinListed(db, listed)
  await db.append('same_instruments', [joined.map(j => j.bond_id), joined.map(j => j.id)], joined.length)
  for (const dataset of ['bonds', 'prices'])
    await db.run(
      `CREATE OR REPLACE VIEW listed_${dataset} AS ${joined.length === 0 ? `SELECT * FROM in_${dataset}` : withIdentifiers(dataset)}`,
    )
}

/** An identified bond's id is its CUSIP or, without one, its ISIN. */
const withIdentifiers = (dataset: string): string => `
  SELECT r.* REPLACE (CASE WHEN length(s.id) = 9 THEN s.id ELSE r.cusip END AS cusip, CASE WHEN length(s.id) = 12 THEN s.id ELSE r.isin END AS isin)
  FROM in_${dataset} r LEFT JOIN same_instruments s ON s.bond_id = r.bond_id AND r.cusip IS NULL AND r.isin IS NULL`

async function joinListed(
  db: Database,
  listed: readonly (Omit<ListedBond, 'quote'> & {
    readonly bond_id: string
    readonly day: number | null
    readonly price: number | null
    readonly ytm: number | null
  })[],
): Promise<{ bond_id: string; id: string }[]> {
  const days = [...new Set(listed.map(({ maturity }) => maturity))]
  const last = (column: string) => `arg_max(${column}, nth)`
  const identified = await db.rows<IdentifiedBond>(`
    WITH named AS (SELECT ${instrumentId()} AS id, *, row_number() OVER (PARTITION BY ${instrumentId()}
      ORDER BY known_from NULLS FIRST, ingested_at, source, ${tieBreak('b')}) AS nth
      FROM in_bonds b WHERE coalesce(cusip, isin) IS NOT NULL AND ${dayNumber('maturity_date')} IN (${days.join(', ')}))
    SELECT id, ${last('coalesce(issuer_name, company_name, name)')} AS name, ${last('coupon_rate')} AS coupon,
      ${last(dayNumber('coalesce(accrual_date, issue_date)'))} AS accrual, ${last(dayNumber('maturity_date'))} AS maturity, ${last('currency')} AS currency
    FROM named GROUP BY id HAVING name IS NOT NULL ORDER BY id`)
  const byMaturity = new Map<number, IdentifiedBond[]>()
  for (const each of identified) {
    const those = byMaturity.get(each.maturity)
    if (those) those.push(each)
    else byMaturity.set(each.maturity, [each])
  }
  return listed.flatMap(({ bond_id, day, price, ytm, ...terms }) => {
    const quote = day === null || price === null || ytm === null ? null : { day, price, ytm }
    const id = identifiedBond({ ...terms, quote }, byMaturity.get(terms.maturity) ?? [])
    return id === null ? [] : [{ bond_id, id }]
  })
}
