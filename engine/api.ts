import type { Operation } from './operation.ts'
import { aggregateSpreads } from './operations/aggregate-spreads.ts'
import { companyChanges } from './operations/changes.ts'
import { compareCovenants } from './operations/compare-covenants.ts'
import { exportData } from './operations/export.ts'
import { countFacets } from './operations/facets.ts'
import { searchFinancials } from './operations/financials.ts'
import {
  searchBonds,
  searchCollateral,
  searchCompanies,
  searchCovenants,
  searchRatings,
  searchSpreads,
} from './operations/lists.ts'
import { searchPricing } from './operations/pricing.ts'
import { bondPricingHistory } from './operations/pricing-history.ts'
import { resolveBond } from './operations/resolve-bond.ts'
import { searchDocuments } from './operations/search-documents.ts'
import { traverseEntities } from './operations/traverse-entities.ts'

/** The one list of operations: the library, the CLI, the server, tools and docs are made from it. */
const all = {
  'search.companies': searchCompanies,
  'search.bonds': searchBonds,
  'resolve.bond': resolveBond,
  'search.pricing': searchPricing,
  'history.pricing': bondPricingHistory,
  'search.financials': searchFinancials,
  'search.collateral': searchCollateral,
  'search.covenants': searchCovenants,
  'compare.covenants': compareCovenants,
  'search.ratings': searchRatings,
  'search.spreads': searchSpreads,
  'aggregate.spreads': aggregateSpreads,
  'traverse.entities': traverseEntities,
  'search.documents': searchDocuments,
  'changes.company': companyChanges,
  'count.facets': countFacets,
  export: exportData,
} as const

export type Operations = typeof all

export const operations = Object.values(all) as unknown as readonly Operation[]
