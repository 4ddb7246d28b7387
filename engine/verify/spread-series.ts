import { firstOf } from '../base/elements.ts'
import { literal } from '../database/database.ts'
import type { Workbench } from './recomputation.ts'
import { grouped, RowBuffer, records } from './workbench.ts'

interface Priced {
  readonly bond_id: string
  readonly company_id: string
  readonly date: string
  readonly spread: number | null
  readonly last_price: number
  readonly remaining_years: number
  readonly price_source: string
  readonly trade_count: number
  readonly known_from: string | null
}

const bounds: readonly (readonly [tenor: string, from: number, to: number])[] = [
  ['1Y', 1, 2],
  ['3Y', 2, 4],
  ['5Y', 4, 6],
  ['7Y', 6, 8.5],
  // The last tenor includes twelve years.
  ['10Y', 8.5, 12 + Number.EPSILON * 8],
]

const tenorOf = (years: number): string | null =>
  bounds.find(([, from, to]) => years >= from && years < to)?.[0] ?? null

const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (sorted.length - 1) / 2
  return ((sorted[Math.floor(at)] ?? Number.NaN) + (sorted[Math.ceil(at)] ?? Number.NaN)) / 2
}

/** The last of several days; null where one is not known. */
const latest = (days: readonly (string | null)[]): string | null =>
  days.includes(null) ? null : (days.toSorted().at(-1) ?? null)

/** Step 3, and the conditions for any tenor. */
function filtered(row: Priced): string | null {
  if (row.price_source === 'estimated') return 'estimated'
  if (row.last_price < 60) return 'price_below_60'
  if (row.remaining_years < 1) return 'maturity_below_1_year'
  if (tenorOf(row.remaining_years) === null) return 'outside_tenors'
  return row.spread === null ? 'no_spread' : null
}

/** Step 4, for one bond among those of its tenor: the others are collected anew for each. */
function outlier(row: Priced, group: readonly Priced[], issuerMedian: number): string | null {
  const own = row.spread!
  if (group.length >= 4) {
    const others = group.filter(other => other !== row).map(other => other.spread!)
    const mean = others.reduce((a, b) => a + b, 0) / others.length
    const variance = others.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (others.length - 1)
    return Math.abs(own - mean) > 3 * Math.max(10, Math.sqrt(variance)) ? 'beyond_3_sigma' : null
  }
  if (own < -200 || own > 3000) return 'outside_range'
  return Math.abs(own - issuerMedian) > 300 ? 'far_from_issuer_median' : null
}

/** `made_spreads` and `made_spread_inputs`: the five steps, by issuer and day. */
export async function makeSpreads({ db, assumeSeniority }: Workbench): Promise<void> {
  const series = await RowBuffer.table<{
    company_id: string
    spread_date: string
    tenor: string
    source: string
    spread_bps: number
    bond_count: number
    trade_count: number
    known_from: string | null
  }>(db, 'made_spreads', {
    company_id: 'VARCHAR',
    spread_date: 'VARCHAR',
    tenor: 'VARCHAR',
    source: 'VARCHAR',
    spread_bps: 'DOUBLE',
    bond_count: 'INTEGER',
    trade_count: 'INTEGER',
    known_from: 'VARCHAR',
  })
  const inputs = await RowBuffer.table<{
    bond_id: string
    spread_date: string
    tenor: string | null
    outcome: string
  }>(db, 'made_spread_inputs', {
    bond_id: 'VARCHAR',
    spread_date: 'VARCHAR',
    tenor: 'VARCHAR',
    outcome: 'VARCHAR',
  })
  const ranking = `coalesce(s.seniority, f.seniority${assumeSeniority === null ? '' : `, ${literal(assumeSeniority)}`})`
  const rows = records<Priced>(
    db,
    `SELECT p.bond_id, p.company_id, p.last_trade_date AS date, p.spread, p.last_price, p.remaining_years, p.price_source, p.trade_count, p.known_from
     FROM made_shown p JOIN made_stated s ON s.id = p.bond_id JOIN made_terms t ON t.id = p.bond_id
       LEFT JOIN made_filed_terms f ON f.id = p.bond_id
     WHERE p.company_id IS NOT NULL AND ${ranking} = 'senior_unsecured' AND t.rate_structure = 'fixed'
       AND (s.currency IS NULL OR s.currency = 'USD') ORDER BY p.company_id, p.date`,
  )
  for await (const day of grouped(rows, r => `${r.company_id}\n${r.date}`)) {
    const { company_id, date } = firstOf(day)
    const outcomes = new Map<Priced, string | null>(day.map(row => [row, filtered(row)]))
    const entered = day.filter(row => outcomes.get(row) === null)
    const issuerMedian = entered.length > 0 ? median(entered.map(row => row.spread!)) : 0
    for (const [tenor] of bounds) {
      const group = entered.filter(row => tenorOf(row.remaining_years) === tenor)
      for (const row of group) outcomes.set(row, outlier(row, group, issuerMedian))
      const used = group.filter(row => outcomes.get(row) === null)
      if (used.length === 0) continue
      await series.add({
        company_id,
        spread_date: date,
        tenor,
        source: 'bond_spread_proxy',
        spread_bps: Math.max(-200, Math.round(median(used.map(row => row.spread!)) * 10) / 10),
        bond_count: used.length,
        trade_count: used.reduce((sum, row) => sum + row.trade_count, 0),
        known_from: latest(used.map(row => row.known_from)),
      })
    }
    for (const [row, outcome] of outcomes)
      await inputs.add({
        bond_id: row.bond_id,
        spread_date: date,
        tenor: tenorOf(row.remaining_years),
        outcome: outcome ?? 'used',
      })
  }
  await series.flush()
  await inputs.flush()
}
