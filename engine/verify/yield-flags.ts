import { firstOf } from '../base/elements.ts'
import type { Workbench } from './recomputation.ts'
import { grouped, RowBuffer, records } from './workbench.ts'

interface Spread {
  readonly is_usd: boolean
  readonly bond_id: string
  readonly company_id: string
  readonly date: string
  readonly spread: number
  readonly is_sparse: boolean
  readonly is_financial: boolean
}

interface Against {
  readonly compared_with: 'issuer' | 'rating_bucket' | 'market'
  readonly compared_spread: number
  readonly compared_bonds: number
}

type Flag = { bond_id: string; date: string; flag: string } & { [K in keyof Against]: Against[K] | null }

const sectors = 'bank|insur|broker|financ|asset manager'
const names = 'bank|banc|banq|insurance|assurance'

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (sorted.length - 1) / 2
  return ((sorted[Math.floor(at)] ?? Number.NaN) + (sorted[Math.ceil(at)] ?? Number.NaN)) / 2
}

/** The peers of a doubtful bond: its issuer's others, else its bucket, else the day's market. */
function againstOf(
  bond: Spread,
  day: readonly Spread[],
  bucketOf: (row: Spread) => string | null,
): Against | null {
  const against = (compared_with: Against['compared_with'], rows: readonly Spread[]): Against => ({
    compared_with,
    compared_spread: median(rows.map(row => row.spread)),
    compared_bonds: rows.length,
  })
  const others = day.filter(row => row.company_id === bond.company_id && row !== bond)
  if (others.length >= (day.length < 10 ? 3 : 1)) return against('issuer', others)
  const bucket = bucketOf(bond)
  const rated = bucket === null ? [] : day.filter(row => bucketOf(row) === bucket)
  if (rated.length >= 10) return against('rating_bucket', rated)
  return day.length >= 10 ? against('market', day) : null
}

/** Whether a bond is too far from its peers, and the name of the reason. */
function flagAgainst(bond: Spread, against: Against): string | null {
  const isIssuer = against.compared_with === 'issuer'
  const limit = isIssuer
    ? Math.max(300, Math.abs(against.compared_spread) / 2)
    : bond.is_financial
      ? 300
      : 500
  if (Math.abs(bond.spread - against.compared_spread) <= limit) return null
  return isIssuer ? 'far_from_issuer_curve' : 'far_from_market_curve'
}

/** `made_flags`: prices whose yield is withheld, because it is far from those of its peers of the day. */
export async function makeYieldFlags({ db, sampled }: Workbench): Promise<void> {
  const made = await RowBuffer.table<Flag>(db, 'made_flags', {
    bond_id: 'VARCHAR',
    date: 'VARCHAR',
    flag: 'VARCHAR',
    compared_with: 'VARCHAR',
    compared_spread: 'DOUBLE',
    compared_bonds: 'INTEGER',
  })
  // A day's market is all of its bonds: a sample of companies cannot judge it, and uses the stored flags.
  if (sampled) {
    await db.run(`INSERT INTO made_flags SELECT bond_id, CAST(date AS VARCHAR), yield_null_because, compared_with, compared_spread, compared_bonds
      FROM kept_pricing_history WHERE ytm_withheld IS NOT NULL`)
    return
  }
  const letters = new Map<string, { day: string; bucket: string }[]>()
  for await (const { company_id, day, bucket } of records<{
    company_id: string
    day: string
    bucket: string
  }>(
    db,
    `SELECT k.company_id, CAST(greatest(k.effective_date, k.known_from) AS VARCHAR) AS day, m.rating_bucket AS bucket
     FROM kept_ratings k JOIN made_ratings m USING (id) WHERE k.cusip IS NULL AND k.company_id IS NOT NULL
       AND coalesce(k.effective_date, k.known_from) IS NOT NULL
     ORDER BY day, k.effective_date NULLS LAST, k.agency, k.id`,
  ))
    letters.set(company_id, [...(letters.get(company_id) ?? []), { day, bucket }])
  const rows = records<Spread>(
    db,
    `SELECT p.bond_id, p.company_id, p.date, p.spread, t.is_sparse, s.currency IS NULL OR s.currency = 'USD' AS is_usd,
       coalesce(regexp_matches(lower(concat_ws(' ', s.sector, c.sector)), '${sectors}'), FALSE)
         OR coalesce(regexp_matches(lower(concat_ws(' ', s.issuer_name, s.company_name)), '${names}'), FALSE) AS is_financial
     FROM made_prices p JOIN made_terms t ON t.id = p.bond_id JOIN made_stated s ON s.id = p.bond_id
     LEFT JOIN kept_companies c ON c.company_id = p.company_id WHERE p.spread IS NOT NULL ORDER BY p.date, p.bond_id`,
  )
  for await (const day of grouped(rows, r => r.date)) {
    if (!day.some(row => row.is_sparse)) continue
    const { date } = firstOf(day)
    const bucketOf = (row: Spread) =>
      letters.get(row.company_id)?.findLast(l => l.day <= date)?.bucket ?? null
    const market = median(day.map(row => row.spread))
    for (const bond of day) {
      if (!bond.is_sparse) continue
      const isNearMarket = day.length >= 10 && Math.abs(bond.spread - market) <= 150
      const against = isNearMarket ? null : againstOf(bond, day, bucketOf)
      const flag = against && flagAgainst(bond, against)
      if (flag) await made.add({ bond_id: bond.bond_id, date, flag, ...against })
      else if (bond.is_usd && bond.spread < -50)
        await made.add({
          bond_id: bond.bond_id,
          date,
          flag: 'below_treasury',
          compared_with: null,
          compared_spread: null,
          compared_bonds: null,
        })
    }
  }
  await made.flush()
}
