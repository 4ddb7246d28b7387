import type { Resource } from './resource.ts'
import { bonds } from './resources/bonds.ts'
import { collateral } from './resources/collateral.ts'
import { companies } from './resources/companies.ts'
import { covenants } from './resources/covenants.ts'
import { documents } from './resources/documents.ts'
import { entities, guarantees, ownership } from './resources/entities.ts'
import { excludedPrices } from './resources/excluded-prices.ts'
import { financials } from './resources/financials.ts'
import { pricing, pricingHistory } from './resources/pricing.ts'
import { quarantine } from './resources/quarantine.ts'
import { ratings } from './resources/ratings.ts'
import { spreadInputs } from './resources/spread-inputs.ts'
import { spreads } from './resources/spreads.ts'

/** Every table of a snapshot, one Parquet each, with its public columns. */
export const tables = [
  companies,
  bonds,
  pricing,
  pricingHistory,
  excludedPrices,
  financials,
  spreads,
  spreadInputs,
  ratings,
  covenants,
  collateral,
  entities,
  ownership,
  guarantees,
  documents,
  quarantine,
] as unknown as readonly Resource[]

/** Datasets that `sql` can also see as they were loaded, with the rows known on the day. */
export const rawViews = ['treasury_yields', 'facts', 'filings', 'trades', 'prices'] as const

export const tableNamed = (name: string): Resource | undefined => tables.find(t => t.table === name)

export const primaryKeys: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  tables.map(t => [t.table, t.key]),
)
