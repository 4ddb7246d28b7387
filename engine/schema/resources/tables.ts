import { type History, historyOf } from '../history.ts'
import type { Resource } from '../resource.ts'
import { bonds } from './bonds.ts'
import { collateral } from './collateral.ts'
import { companies, companiesByAge } from './companies.ts'
import { corrections } from './corrections.ts'
import { covenants } from './covenants.ts'
import { debtDisclosures } from './debt-disclosures.ts'
import { debtReconciliations, debtReconciliationsByPrint } from './debt-reconciliations.ts'
import { documents } from './documents.ts'
import { entities, guarantees, ownership } from './entities.ts'
import { excludedPrices } from './excluded-prices.ts'
import { financials } from './financials.ts'
import { indexSpreads } from './index-spreads.ts'
import { instruments } from './instruments.ts'
import { pricing, pricingHistory } from './pricing.ts'
import { quarantine } from './quarantine.ts'
import { ratings } from './ratings.ts'
import { restatements } from './restatements.ts'
import { spreadInputs } from './spread-inputs.ts'
import { spreads } from './spreads.ts'

/** Every table of a snapshot, one Parquet each, with its public columns. */
export const tables = [
  companies,
  companiesByAge,
  bonds,
  pricing,
  pricingHistory,
  excludedPrices,
  financials,
  restatements,
  debtDisclosures,
  spreads,
  spreadInputs,
  indexSpreads,
  ratings,
  covenants,
  collateral,
  instruments,
  debtReconciliations,
  debtReconciliationsByPrint,
  entities,
  ownership,
  guarantees,
  documents,
  corrections,
  quarantine,
] as unknown as readonly Resource[]

/** Datasets that `sql` can also read as loaded, with the rows known on the day. */
export const rawViews = ['treasury_yields', 'facts', 'filings', 'trades', 'prices', 'indices'] as const

/** Intervals of the rows of tables, which SQL over several days can also read. */
export const histories: readonly History[] = tables.flatMap(table => historyOf(table) ?? [])

export const tableNamed = (name: string): Resource | undefined => tables.find(t => t.table === name)

export const primaryKeys: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  tables.map(t => [t.table, t.key]),
)
