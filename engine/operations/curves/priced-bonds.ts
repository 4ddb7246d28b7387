// Indices below are within bounds by construction: checks would cost in the loops.

import { elementAt, firstOf } from '../../base/elements.ts'
import { type Database, literal } from '../../database/database.ts'
import { stored } from '../../database/views.ts'
import { dayNumber } from '../../derive/bonds/instruments.ts'

/** The tables of a day, and which companies of it the caller may see. */
export interface DaySource {
  readonly database: Database
  readonly coverage: 'all' | 'standard'
}

/** Text of every priced bond by column, in the order of their ids: a bond is its position. */
export interface BondTexts {
  readonly id: readonly string[]
  readonly cusip: readonly (string | null)[]
  readonly display_name: readonly (string | null)[]
  readonly company_id: readonly (string | null)[]
  readonly ticker: readonly (string | null)[]
  readonly company_name: readonly (string | null)[]
  readonly sector: readonly (string | null)[]
  readonly seniority: readonly (string | null)[]
  readonly rate_structure: readonly (string | null)[]
  readonly maturity_date: readonly (string | null)[]
  readonly day_count: readonly (string | null)[]
  readonly callable: readonly (boolean | null)[]
  readonly sinking: readonly boolean[]
  readonly coverage: readonly (string | null)[]
}

/** Numbers and days of every priced bond by column, NaN if unknown. */
export interface BondTerms {
  readonly coupon: Float64Array
  /** The day to which the bond is yielded. */
  readonly maturity: Float64Array
  readonly accrual: Float64Array
  readonly firstCoupon: Float64Array
  readonly frequency: Float64Array
}

/** Every bond with a price that the caller may see. */
export interface PricedBonds {
  readonly size: number
  readonly texts: BondTexts
  readonly terms: BondTerms
  /** The company of every bond, -1 without one; and the sector of every company, -1 without one. */
  readonly company: Int32Array
  readonly companyIds: readonly string[]
  readonly sectorOfCompany: Int32Array
  /** The sector of every bond without a company. */
  readonly sectorOfBond: Int32Array
  readonly sectors: readonly string[]
  readonly bytes: number
}

const texts = [
  'id',
  'cusip',
  'display_name',
  'company_id',
  'ticker',
  'company_name',
  'company_sector AS sector',
  'seniority',
  'rate_structure',
  'CAST(maturity_date AS VARCHAR) AS maturity_date',
  'day_count',
  'callable',
  'sinking_schedule IS NOT NULL AS sinking',
  'coverage',
]
const NUMBERS = ['coupon', 'maturity', 'accrual', 'firstCoupon', 'frequency'] as const

/** The bonds that are numbered, in the order of their numbers. */
const numbered = ({ coverage }: DaySource): string =>
  `SELECT *, CAST(row_number() OVER (ORDER BY id) - 1 AS INTEGER) AS no FROM ${stored('bonds')}
   WHERE "pricing.last_trade_date" IS NOT NULL ${coverage === 'standard' ? "AND coverage = 'standard'" : ''}`

export async function pricedBonds(source: DaySource): Promise<PricedBonds> {
  const day = (column: string) => `CAST(${dayNumber(column)} AS DOUBLE)`
  const { columns, names, rowCount } = await source.database.columns(
    `SELECT ${texts.join(', ')} FROM (${numbered(source)}) ORDER BY no`,
  )
  const found = Object.fromEntries(names.map((name, j) => [name, elementAt(columns, j)]))
  const { columns: numbers } = await source.database.columns(
    `SELECT coupon_rate, ${day("CASE WHEN rate_structure = 'fixed_to_float' THEN coalesce(last_fixed_date, maturity_date) ELSE maturity_date END")},
       ${day('coalesce(accrual_date, issue_date)')}, ${day('first_coupon_date')}, CAST(coalesce(coupon_frequency, 2) AS DOUBLE)
     FROM (${numbered(source)}) ORDER BY no`,
  )
  const terms = Object.fromEntries(
    NUMBERS.map((name, j) => [
      name,
      Float64Array.from(elementAt(numbers, j) as (number | null)[], v => v ?? Number.NaN),
    ]),
  ) as unknown as BondTerms
  const companyIds = distinct(found['company_id'] as (string | null)[])
  const sectors = distinct(found['sector'] as (string | null)[])
  const company = codesIn(companyIds, found['company_id'] as (string | null)[])
  const sectorOfBond = codesIn(sectors, found['sector'] as (string | null)[])
  const sectorOfCompany = new Int32Array(companyIds.length).fill(-1)
  for (let i = rowCount - 1; i >= 0; i--)
    if (company[i]! >= 0 && sectorOfBond[i]! >= 0) sectorOfCompany[company[i]!] = sectorOfBond[i]!
  return {
    size: rowCount,
    texts: found as unknown as BondTexts,
    terms,
    company,
    companyIds,
    sectorOfCompany,
    sectorOfBond,
    sectors,
    bytes: rowCount * 700,
  }
}

const distinct = (values: readonly (string | null)[]): string[] =>
  [...new Set(values.filter(value => value !== null))].sort()

function codesIn(words: readonly string[], values: readonly (string | null)[]): Int32Array {
  const codes = new Map(words.map((word, code) => [word, code]))
  return Int32Array.from(values, value => (value === null ? -1 : codes.get(value)!))
}

/** Prices by column, ordered by bond and day. */
export interface Prices {
  readonly size: number
  readonly bond: Float64Array
  readonly day: Float64Array
  /** Percent; NaN for a price without a spread. */
  readonly ytm: Float64Array
  readonly years: Float64Array
  readonly price: Float64Array
  readonly duration: Float64Array
  readonly isEstimated: Float64Array
}

/** The latest price of every bond at or before a day, if the bond was active then. */
export const latestPrices = (source: DaySource, day: string): Promise<Prices> =>
  pricesOf(source, `date <= DATE ${literal(day)}`, 'h.bond_id')

/** The last price of every bond in each of the weeks before a day: week k ends 7 k days before it, the first is 1. */
export const weeklyPrices = (source: DaySource, day: string, weeks: number): Promise<Prices> =>
  pricesOf(
    source,
    `date <= DATE ${literal(day)} - 7 AND date > DATE ${literal(day)} - ${7 * (weeks + 1)}`,
    `h.bond_id, date_diff('day', h.date, DATE ${literal(day)}) // 7`,
  )

async function pricesOf(source: DaySource, where: string, per: string): Promise<Prices> {
  const parts: { columns: Float64Array[]; rowCount: number }[] = []
  for await (const part of source.database.numbers(
    `WITH newest AS (
       SELECT h.* FROM ${stored('pricing_history')} h WHERE ${where}
       QUALIFY row_number() OVER (PARTITION BY ${per} ORDER BY h.date DESC) = 1)
     SELECT b.no, CAST(${dayNumber('h.date')} AS INTEGER), CASE WHEN h.spread IS NOT NULL THEN h.ytm END, h.remaining_years, h.last_price,
       h.duration, CAST(h.price_source = 'estimated' AS INTEGER)
     FROM newest h JOIN (${numbered(source)}) b ON b.id = h.bond_id WHERE h.is_active ORDER BY 1, 2`,
  ))
    parts.push(part)
  const size = parts.reduce((sum, { rowCount }) => sum + rowCount, 0)
  const column = (j: number): Float64Array => {
    if (parts.length === 1) return elementAt(firstOf(parts).columns, j)
    const whole = new Float64Array(size)
    let at = 0
    for (const { columns, rowCount } of parts) {
      whole.set(elementAt(columns, j), at)
      at += rowCount
    }
    return whole
  }
  const [bond, day, ytm, years, price, duration, isEstimated] = [0, 1, 2, 3, 4, 5, 6].map(column) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ]
  return { size, bond, day, ytm, years, price, duration, isEstimated }
}

/**
 * The day of the curves where none is asked: the newest day with a price within `maxStaleness` days before it of at
 * least `fewest` bonds with a spread; null if there is none.
 */
export async function newestCurveDay(
  source: DaySource,
  maxStaleness: number,
  fewest: number,
): Promise<string | null> {
  const visible = source.coverage === 'standard' ? "AND coverage = 'standard'" : ''
  const seen = `SELECT date, bond_id FROM ${stored('pricing_history')} WHERE spread IS NOT NULL AND is_active ${visible}`
  const days = (within: string) =>
    source.database.rows<{ day: string }>(
      `SELECT CAST(d.date AS VARCHAR) AS day FROM (SELECT DISTINCT date FROM (${seen}) ${within}) d
       JOIN (${seen}) p ON p.date <= d.date AND p.date >= d.date - ${maxStaleness}
       GROUP BY d.date HAVING count(DISTINCT p.bond_id) >= ${fewest} ORDER BY 1 DESC LIMIT 1`,
    )
  // The newest day usually has enough bonds; only else are all days counted.
  const [newest] = await days(`WHERE date = (SELECT max(date) FROM (${seen}))`)
  return newest?.day ?? (await days(''))[0]?.day ?? null
}
