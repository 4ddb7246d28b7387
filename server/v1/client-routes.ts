// Written by `npm run docs` from the declarations. Do not edit.
/** The route of each operation. */
export const routes = {
  'search.companies': { method: 'GET', path: '/v1/companies', envelope: 'data' },
  'get.company': { method: 'GET', path: '/v1/companies/{ticker}', envelope: 'data' },
  'search.bonds': { method: 'GET', path: '/v1/bonds', envelope: 'data' },
  'resolve.bond': { method: 'GET', path: '/v1/bonds/resolve', envelope: 'data' },
  'search.pricing': { method: 'GET', path: '/v1/pricing', envelope: 'data' },
  'history.pricing': { method: 'GET', path: '/v1/bonds/{cusip}/pricing/history', envelope: 'data' },
  'bond.risk': { method: 'GET', path: '/v1/bonds/{cusip}/risk', envelope: 'data' },
  'search.financials': { method: 'GET', path: '/v1/financials', envelope: 'data' },
  'search.restatements': { method: 'GET', path: '/v1/financials/restatements', envelope: 'data' },
  'search.collateral': { method: 'GET', path: '/v1/collateral', envelope: 'data' },
  'search.instruments': { method: 'GET', path: '/v1/instruments', envelope: 'data' },
  'search.corrections': { method: 'GET', path: '/v1/corrections', envelope: 'data' },
  'search.reconciliations': { method: 'GET', path: '/v1/instruments/reconciliation', envelope: 'data' },
  'search.covenants': { method: 'GET', path: '/v1/covenants', envelope: 'data' },
  'compare.covenants': { method: 'GET', path: '/v1/covenants/compare', envelope: '' },
  'search.headroom': { method: 'GET', path: '/v1/covenants/headroom', envelope: 'data' },
  'search.maturities': { method: 'GET', path: '/v1/maturities', envelope: 'data' },
  'search.liquidity': { method: 'GET', path: '/v1/liquidity', envelope: 'data' },
  'recovery.company': { method: 'GET', path: '/v1/companies/{ticker}/recovery', envelope: 'data' },
  'search.ratings': { method: 'GET', path: '/v1/ratings', envelope: 'ratings' },
  'search.migrations': { method: 'GET', path: '/v1/ratings/migrations', envelope: 'data' },
  'search.spreads': { method: 'GET', path: '/v1/market/cds', envelope: 'data' },
  'aggregate.spreads': { method: 'GET', path: '/v1/market/cds/aggregate', envelope: 'data' },
  'search.indices': { method: 'GET', path: '/v1/market/spreads', envelope: 'data' },
  'market.curves': { method: 'GET', path: '/v1/market/curves', envelope: 'data' },
  'search.relative_value': { method: 'GET', path: '/v1/relative-value', envelope: 'data' },
  'market.scenario': { method: 'GET', path: '/v1/scenarios', envelope: 'data' },
  'search.returns': { method: 'GET', path: '/v1/returns', envelope: 'data' },
  'search.trade_liquidity': { method: 'GET', path: '/v1/trade-liquidity', envelope: 'data' },
  'traverse.entities': { method: 'POST', path: '/v1/entities/traverse', envelope: 'data' },
  'search.documents': { method: 'GET', path: '/v1/documents/search', envelope: 'data' },
  suggest: { method: 'GET', path: '/v1/suggest', envelope: 'data' },
  'changes.company': { method: 'GET', path: '/v1/companies/{ticker}/changes', envelope: 'data' },
  'search.changes': { method: 'GET', path: '/v1/changes', envelope: 'data' },
  panel: { method: 'GET', path: '/v1/panel', envelope: 'data' },
  'count.facets': { method: 'GET', path: '/v1/facets', envelope: 'data' },
  export: { method: 'GET', path: '/v1/export', envelope: 'data' },
  'auth.me': { method: 'GET', path: '/v1/auth/me', envelope: '' },
  'usage.analytics': { method: 'GET', path: '/v1/usage/analytics', envelope: 'data' },
  'request.coverage': { method: 'POST', path: '/v1/coverage/request', envelope: 'data' },
  batch: { method: 'POST', path: '/v1/batch', envelope: 'results' },
  sql: { method: 'POST', path: '/v1/sql', envelope: 'data' },
} as const

/** Those of one list or company whose figures can be as first reported. */
export const takesFirstPrints = {
  'search.companies': true,
  'get.company': true,
  'search.financials': true,
  'search.reconciliations': true,
  'search.headroom': true,
  'search.maturities': true,
  'search.liquidity': true,
  'recovery.company': true,
} as const

/** Those of one list or company whose figures are null beyond an age. */
export const takesMaxAge = {
  'search.companies': true,
  'get.company': true,
  'search.headroom': true,
  'search.maturities': true,
  'search.liquidity': true,
  'recovery.company': true,
} as const

/** Those allowed in a batch. */
export const primitives = {
  'search.companies': true,
  'search.bonds': true,
  'resolve.bond': true,
  'search.pricing': true,
  'traverse.entities': true,
  'search.documents': true,
} as const
