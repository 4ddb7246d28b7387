// Written by `npm run docs` from the declarations. Do not edit.
/** Commands that call an operation. */
export const operationCommands = [
  {
    operation: 'search.companies',
    word: 'companies',
    doc: 'Companies with their debt metrics as of a day.',
  },
  {
    operation: 'get.company',
    word: 'company',
    doc: 'One company with its debt metrics, by ticker, CIK, LEI or id.',
  },
  {
    operation: 'search.bonds',
    word: 'bonds',
    doc: 'Bonds and loans with their terms, issuer, collateral and latest price.',
  },
  {
    operation: 'resolve.bond',
    word: 'resolve',
    doc: 'Find a bond by identifier or description.',
  },
  {
    operation: 'search.pricing',
    word: 'pricing',
    doc: 'Prices of bonds with yield and spread to Treasury: latest, by day, or by week.',
  },
  {
    operation: 'history.pricing',
    word: 'pricing-history',
    doc: 'Prices of one bond over up to two years, newest first.',
  },
  {
    operation: 'bond.risk',
    word: 'risk',
    doc: 'Option-adjusted spread, durations and other risk of a bond.',
  },
  {
    operation: 'search.financials',
    word: 'financials',
    doc: 'Financial statements by quarter and for the trailing twelve months.',
  },
  {
    operation: 'search.restatements',
    word: 'restatements',
    doc: 'Figures that a later version of a statement changed, each with the value before and after and both filings.',
  },
  {
    operation: 'search.collateral',
    word: 'collateral',
    doc: 'Collateral behind secured bonds and loans, pledged on the day by default.',
  },
  {
    operation: 'search.instruments',
    word: 'instruments',
    doc: 'Notes, loans, facilities and commercial paper, as filings tag them at the newest balance date and as loaded, without leases.',
  },
  {
    operation: 'search.corrections',
    word: 'corrections',
    doc: "Users' corrections of facts read out of documents, in force on the as-of day.",
  },
  {
    operation: 'search.reconciliations',
    word: 'debt-reconciliation',
    doc: "A company's debt instruments added up and compared with its tagged total debt, with the lines between them.",
  },
  {
    operation: 'search.covenants',
    word: 'covenants',
    doc: 'Covenants of bonds and credit agreements, those in force by default.',
  },
  {
    operation: 'compare.covenants',
    word: 'compare-covenants',
    doc: 'Covenants in force of two to ten companies side by side.',
  },
  {
    operation: 'search.headroom',
    word: 'headroom',
    doc: 'Headroom under financial covenants, tightest first, also after a shock.',
  },
  {
    operation: 'search.maturities',
    word: 'maturities',
    doc: 'Maturity wall: principal due by company and year, as filed and by the bonds or instruments known.',
  },
  {
    operation: 'search.liquidity',
    word: 'liquidity',
    doc: 'Cash, undrawn facilities and free cash flow against debt due, thinnest cover first.',
  },
  {
    operation: 'recovery.company',
    word: 'recovery',
    doc: 'Recovery waterfall: a value paid through entities, liens and ranks, at several multiples.',
  },
  {
    operation: 'search.ratings',
    word: 'ratings',
    doc: 'Rating actions by company, agency and rating type.',
  },
  {
    operation: 'search.migrations',
    word: 'rating-migrations',
    doc: 'Issuers whose composite rating moved between two days, as an agency changed its rating: fallen angels, rising stars, upgrades and downgrades.',
  },
  {
    operation: 'search.spreads',
    word: 'spreads',
    doc: 'Credit spread time series by company and tenor.',
  },
  {
    operation: 'aggregate.spreads',
    word: 'spread-aggregate',
    doc: 'Statistics of spreads by day, week, month, tenor, sector, industry, rating bucket or company.',
  },
  {
    operation: 'search.indices',
    word: 'index-spreads',
    doc: 'Option-adjusted spreads of bond indices by day, as published.',
  },
  {
    operation: 'market.curves',
    word: 'curves',
    doc: 'Spread curves of a day, fitted by issuer, sector and rating, rating, and for the market.',
  },
  {
    operation: 'search.relative_value',
    word: 'relative-value',
    doc: 'Rich and cheap bonds: residuals to the fitted spread curves of a day, with carry and roll-down.',
  },
  {
    operation: 'market.scenario',
    word: 'scenario',
    doc: 'Bonds valued after moves of the curve and shocks of spreads.',
  },
  {
    operation: 'search.returns',
    word: 'returns',
    doc: 'Total returns of bonds or of a weighted list, and in excess of Treasuries.',
  },
  {
    operation: 'search.trade_liquidity',
    word: 'trade-liquidity',
    doc: 'Liquidity of bonds by their trades: Amihud, Roll, days without trades, sizes.',
  },
  {
    operation: 'traverse.entities',
    word: 'traverse',
    doc: 'Guarantors, subsidiaries, parents and debt reached from a company, a bond or an entity.',
  },
  {
    operation: 'search.documents',
    word: 'search',
    doc: 'Sections of filings by keyword, by meaning, or both.',
  },
  {
    operation: 'suggest',
    word: 'suggest',
    doc: 'Companies and titles of filing sections that a text being typed may become, for search fields.',
  },
  {
    operation: 'changes.company',
    word: 'changes',
    doc: 'What changed for a company between two days: debt, entities, metrics, ratings, prices, filings.',
  },
  {
    operation: 'search.changes',
    word: 'diff',
    doc: 'What differs in a table between two days: rows added and removed, and each value that changed, as known at both closes.',
  },
  {
    operation: 'panel',
    word: 'panel',
    doc: 'Rows of one list as of many days, each with its day. Charged for every 12 days begun.',
  },
  {
    operation: 'count.facets',
    word: 'facets',
    doc: "Distribution of a list's rows by column: counts by value and histograms, each without the filters of its own column.",
  },
  {
    operation: 'export',
    word: 'export',
    doc: 'Rows of one resource in bulk, up to 50,000 over HTTP.',
  },
] as const
