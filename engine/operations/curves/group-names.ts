import { elementAt } from '../../base/elements.ts'
import { CURVE_LEVELS } from '../../credit/curve-rules.ts'
import { ratingBuckets } from '../../schema/vocabulary.ts'
import { CELLS_OF_SECTOR } from './day-curves.ts'
import type { FittedDay } from './fitted-day.ts'

/** What a group is called. */
export interface GroupName {
  readonly group: string
  readonly ticker: string | null
  readonly company_name: string | null
  readonly company_id: string | null
  readonly coverage: string | null
  readonly sector: string | null
  readonly rating_bucket: string | null
}

/** The names of all groups of a day. */
export function groupNames({ inputs, prices, fit }: FittedDay): readonly GroupName[] {
  const { bonds } = inputs
  const { texts } = bonds
  const bondOf = new Map<number, number>()
  for (const bond of prices.bond)
    if (!bondOf.has(elementAt(bonds.company, bond))) bondOf.set(elementAt(bonds.company, bond), bond)
  const nameOf = (level: string, key: number): GroupName => {
    const none = { ticker: null, company_name: null, company_id: null, coverage: null }
    if (level === 'market') return { group: 'all', ...none, sector: null, rating_bucket: null }
    if (level === 'rating') {
      const bucket = ratingBuckets[key] ?? null
      return { group: bucket ?? 'unrated', ...none, sector: null, rating_bucket: bucket }
    }
    if (level === 'sector_rating') {
      const sector = elementAt(bonds.sectors, Math.floor(key / CELLS_OF_SECTOR))
      const bucket = ratingBuckets[key % CELLS_OF_SECTOR] ?? null
      return { group: `${sector} ${bucket ?? 'unrated'}`, ...none, sector, rating_bucket: bucket }
    }
    const bond = bondOf.get(key)!
    const company_id = elementAt(bonds.companyIds, key)
    const sector = elementAt(bonds.sectorOfCompany, key)
    const ticker = texts.ticker[bond] ?? null
    return {
      group: ticker ?? company_id,
      ticker,
      company_name: texts.company_name[bond] ?? null,
      company_id,
      coverage: texts.coverage[bond] ?? null,
      sector: sector < 0 ? null : elementAt(bonds.sectors, sector),
      rating_bucket: ratingBuckets[elementAt(fit.buckets, key)] ?? null,
    }
  }
  return Array.from(fit.tree.level, (level, g) =>
    nameOf(elementAt(CURVE_LEVELS, level), elementAt(fit.key, g)),
  )
}
