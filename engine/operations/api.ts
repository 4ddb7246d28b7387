import { aggregateSpreads } from './aggregate-spreads.ts'
import { bondRisk } from './bond-risk.ts'
import { companyChanges } from './changes.ts'
import { compareCovenants } from './compare-covenants.ts'
import { exportData } from './export.ts'
import { countFacets } from './facets.ts'
import { searchFinancials } from './financials.ts'
import { getCompany } from './get-company.ts'
import { searchHeadroom } from './headroom.ts'
import { searchLiquidity } from './liquidity.ts'
import {
  searchBonds,
  searchCollateral,
  searchCompanies,
  searchCorrections,
  searchCovenants,
  searchIndexSpreads,
  searchInstruments,
  searchRatings,
  searchReconciliations,
  searchRestatements,
  searchSpreads,
} from './lists.ts'
import { marketCurves } from './market-curves.ts'
import { searchMaturities } from './maturity-wall.ts'
import type { Operation, OutputOf, RowIn } from './operation.ts'
import { panel } from './panel.ts'
import { searchPricing } from './pricing.ts'
import { bondPricingHistory } from './pricing-history.ts'
import { searchRatingMigrations } from './rating-migrations.ts'
import { companyRecovery } from './recovery.ts'
import { searchRelativeValue } from './relative-value.ts'
import { resolveBond } from './resolve-bond.ts'
import { searchChanges } from './row-changes.ts'
import { marketScenario } from './scenario.ts'
import { searchDocuments } from './search-documents.ts'
import { searchReturns } from './search-returns.ts'
import { suggest } from './suggest.ts'
import { searchTradeLiquidity } from './trade-liquidity.ts'
import { traverseEntities } from './traverse-entities.ts'

/** The one list of operations, from which the library, CLI, server, tools and docs are made. */
const all = {
  'search.companies': searchCompanies,
  'get.company': getCompany,
  'search.bonds': searchBonds,
  'resolve.bond': resolveBond,
  'search.pricing': searchPricing,
  'history.pricing': bondPricingHistory,
  'bond.risk': bondRisk,
  'search.financials': searchFinancials,
  'search.restatements': searchRestatements,
  'search.collateral': searchCollateral,
  'search.instruments': searchInstruments,
  'search.corrections': searchCorrections,
  'search.reconciliations': searchReconciliations,
  'search.covenants': searchCovenants,
  'compare.covenants': compareCovenants,
  'search.headroom': searchHeadroom,
  'search.maturities': searchMaturities,
  'search.liquidity': searchLiquidity,
  'recovery.company': companyRecovery,
  'search.ratings': searchRatings,
  'search.migrations': searchRatingMigrations,
  'search.spreads': searchSpreads,
  'aggregate.spreads': aggregateSpreads,
  'search.indices': searchIndexSpreads,
  'market.curves': marketCurves,
  'search.relative_value': searchRelativeValue,
  'market.scenario': marketScenario,
  'search.returns': searchReturns,
  'search.trade_liquidity': searchTradeLiquidity,
  'traverse.entities': traverseEntities,
  'search.documents': searchDocuments,
  suggest,
  'changes.company': companyChanges,
  'search.changes': searchChanges,
  panel,
  'count.facets': countFacets,
  export: exportData,
} as const

export type Operations = typeof all

/** Operations that answer with a list. */
export type ListName = {
  [N in keyof Operations]: [RowIn<NonNullable<OutputOf<Operations[N]>>>] extends [never] ? never : N
}[keyof Operations]

export const operations = Object.values(all) as unknown as readonly Operation[]
