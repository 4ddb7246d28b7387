import type { Database } from '../database/database.ts'
import { joinedBy } from '../names/known-groups.ts'
import { correctedTables } from '../schema/datasets/corrections.ts'
import { issuerDatasets } from '../schema/datasets/datasets.ts'
import { deriveAnalytics } from './bonds/analytics.ts'
import { curvesOfDay } from './bonds/curve-table.ts'
import { deriveDailyPrices, type TradeDays } from './bonds/daily-prices.ts'
import { deriveDisplayNames } from './bonds/display-names.ts'
import { recogniseFixedToFloat } from './bonds/fixed-to-float.ts'
import { deriveInstruments, linkInstruments } from './bonds/instruments.ts'
import { deriveLatestFigures } from './bonds/latest-figures.ts'
import { deriveSameInstruments } from './bonds/same-instruments.ts'
import { deriveSpreads } from './bonds/spread-table.ts'
import { deriveYieldFlags } from './bonds/yield-flags.ts'
import { deriveDebtDisclosures } from './companies/debt-disclosures.ts'
import { type Ages, deriveCompanies, deriveFinancials } from './companies/metrics.ts'
import { deriveNewestStatements } from './companies/newest-statements.ts'
import { deriveOtherFinancials, type OtherFinancialsOptions } from './companies/other-financials.ts'
import { deriveRestatements } from './companies/restatements.ts'
import { deriveCorrections, deriveCorrectionsInForce, foundBy } from './corrections/corrections.ts'
import { deriveCollateral } from './covenants/collateral.ts'
import { deriveCovenants } from './covenants/covenants.ts'
import { derivePublicInstruments, deriveReconciliations } from './debt/instrument-tables.ts'
import { deriveInstrumentsOfDebt } from './debt/instruments.ts'
import { deriveDocuments } from './entities/documents.ts'
import { deriveEntities } from './entities/entities.ts'
import { deriveIssuers, type IssuerOptions } from './issuers/issuers.ts'
import { deriveStatements, type StatementVersions } from './statements/statements.ts'
import { deriveIndexSpreads, derivePublicBonds, deriveRatings } from './tables.ts'

export interface StepOptions extends IssuerOptions, OtherFinancialsOptions {
  /** Which trades to price; default all. */
  readonly tradeDays?: TradeDays
  /** Whether cleaned trade reports are stored by quarter: builds do, which clean all of them. */
  readonly keepsQuarters?: boolean
  /** Whether the newest statements of past days are stored: builds do. */
  readonly keepsDays?: boolean
  /** Which statements to derive; default all. */
  readonly statements?: StatementVersions
  /** Under which limits of age to derive companies; default all. */
  readonly ages?: Ages
  /** Only what was known at the close of this day is used. */
  readonly asOf: string
  readonly assumeSeniority: string | null
  readonly progress?: (step: string) => void
  /** A folder for files of steps that have more rows than memory; without it DuckDB spills. */
  readonly scratch?: string
}

/** A part of the pipeline that runs as a whole. */
export interface Step {
  /** Views `in_<dataset>`, and tables of earlier steps. */
  readonly reads: readonly string[]
  readonly makes: readonly string[]
  /**
   * Its tables depend on what it reads, `statements` and `assumeSeniority` alone, not on the day but for what `ofDay` says of
   * it: equal inputs make equal tables.
   */
  readonly isRepeatable?: true
  /** What its tables depend on of the day: the same on most days. */
  readonly ofDay?: (asOf: string) => number
  /** Its tables are small, however large what it reads is. */
  readonly isSmall?: true
  /** An option that its tables depend on as well. */
  readonly option?: 'listMentions'
  /** Of tables that it reads in part, the columns. */
  readonly columns?: Readonly<Record<string, readonly string[]>>
  run(db: Database, options: StepOptions, runStep?: RunStep): Promise<void>
}

/** Runs a step that is a part of another. */
export type RunStep = (step: Step, options: StepOptions) => Promise<void>

const links = ['companies_base', 'mention_link']

/** The pipeline from the rows of a lake to every table, in dependency order. */
export const steps: readonly Step[] = [
  {
    reads: ['in_corrections'],
    makes: ['corrections_in_force'],
    run: deriveCorrectionsInForce,
  },
  {
    reads: ['in_bonds', 'in_prices', 'in_trades'],
    makes: ['unlinked_bonds', 'listed_prices'],
    async run(db, options) {
      options.progress?.('bonds')
      await deriveSameInstruments(db)
      await deriveInstruments(db, options)
    },
  },
  {
    reads: [
      'unlinked_bonds',
      'in_companies',
      'in_directory',
      'in_issuer_codes',
      'in_ownership',
      'in_links',
      'in_facts',
      'in_spreads',
      ...issuerDatasets.map(({ name }) => `in_${name}`),
    ],
    makes: [...links, 'issuer_group', 'sector_label', 'company_link', 'company_of_cik', 'issuer_mentions'],
    isRepeatable: true,
    isSmall: true,
    option: 'listMentions',
    ofDay: joinedBy,
    columns: {
      unlinked_bonds: ['ticker', 'cik', 'issuer_lei', 'issuer_name', 'company_name', 'cusip', 'sector'],
    },
    async run(db, options) {
      options.progress?.('issuers')
      await deriveIssuers(db, options)
    },
  },
  {
    reads: [
      'unlinked_bonds',
      'listed_prices',
      'in_prices',
      'in_trades',
      'in_treasury_yields',
      'issuer_group',
      ...links,
    ],
    makes: ['bonds_base'],
    async run(db) {
      await linkInstruments(db)
      await recogniseFixedToFloat(db, await curvesOfDay(db))
      await deriveDisplayNames(db)
    },
  },
  {
    reads: ['in_facts', 'in_instruments', 'bonds_base', 'company_of_cik', 'corrections_in_force', ...links],
    makes: ['instruments_base', 'reconciliations_base', 'filed_terms', foundBy('instruments')],
    isRepeatable: true,
    columns: {
      bonds_base: [
        ...['id', 'company_id', 'cusip', 'isin', 'coupon_rate', 'maturity_date', 'currency', 'rate_type'],
        ...['rate_structure', 'callable', 'call_schedule'],
      ],
    },
    run: deriveInstrumentsOfDebt,
  },
  {
    reads: ['in_ratings', ...links],
    makes: ['ratings', 'company_ratings', 'company_ratings_by_age', 'newest_letters'],
    async run(db, options) {
      options.progress?.('ratings')
      await deriveRatings(db, options)
    },
  },
  {
    reads: [
      'in_entities',
      'in_ownership',
      'in_guarantees',
      'in_filings',
      'in_directory',
      'bonds_base',
      'corrections_in_force',
      ...links,
    ],
    makes: ['entities', 'ownership', 'guarantees', foundBy('entities')],
    isRepeatable: true,
    columns: { bonds_base: ['id', 'company_id', 'coupon_rate', 'maturity_date'] },
    run: deriveEntities,
  },
  { reads: ['in_indices'], makes: ['index_spreads'], run: deriveIndexSpreads },
  {
    reads: ['in_covenants', 'in_agreement_endings', 'corrections_in_force', ...links],
    makes: ['covenants', foundBy('covenants')],
    run: deriveCovenants,
  },
  {
    reads: [
      'in_collateral',
      'in_covenants',
      'in_agreement_endings',
      'in_instruments',
      'bonds_base',
      'corrections_in_force',
      ...links,
    ],
    makes: ['collateral', foundBy('collateral')],
    run: deriveCollateral,
  },
  {
    reads: ['in_documents', 'in_filings', ...links],
    makes: ['documents'],
    isRepeatable: true,
    run: deriveDocuments,
  },
  {
    reads: ['in_trades', 'in_prices', 'in_treasury_yields', 'bonds_base', 'listed_prices'],
    makes: ['numbered_prices', 'published_figures', 'price_analytics', 'prices_left_out'],
    async run(db, { progress, tradeDays, scratch, cache, keepsQuarters }) {
      progress?.('prices')
      await deriveDailyPrices(db, tradeDays, { scratch, cache: keepsQuarters ? cache : undefined })
      const curves = await curvesOfDay(db)
      await deriveAnalytics(db, curves, done => progress?.(`prices: ${done.toLocaleString('en')} yields`))
    },
  },
  {
    // Apart from other prices, which need no debt instruments.
    reads: [
      'in_trades',
      'in_prices',
      'in_treasury_yields',
      'bonds_base',
      'filed_terms',
      'numbered_prices',
      'price_analytics',
    ],
    makes: ['latest_figures'],
    run: async db => deriveLatestFigures(db, await curvesOfDay(db)),
  },
  {
    reads: ['bonds_base', 'companies_base', 'numbered_prices', 'price_analytics', 'ratings'],
    makes: ['yield_flags'],
    run: deriveYieldFlags,
  },
  {
    reads: [
      'bonds_base',
      'filed_terms',
      'companies_base',
      'numbered_prices',
      'price_analytics',
      'published_figures',
      'yield_flags',
      'latest_figures',
      'prices_left_out',
      'entities',
      'guarantees',
      'collateral',
      'company_ratings',
      'sector_label',
    ],
    makes: ['pricing_history', 'pricing', 'bonds', 'excluded_prices'],
    run: derivePublicBonds,
  },
  {
    reads: [
      'in_spreads',
      'bonds_base',
      'filed_terms',
      'numbered_prices',
      'price_analytics',
      'yield_flags',
      'company_ratings',
      ...links,
    ],
    makes: ['spread_inputs', 'spreads'],
    async run(db, options) {
      options.progress?.('spreads')
      await deriveSpreads(db, options)
    },
  },
  {
    reads: [
      'in_facts',
      'in_calculations',
      'in_filings',
      'in_financials',
      'companies_base',
      'company_link',
      'company_of_cik',
    ],
    makes: ['statements_derived', 'quarantine', 'statement_keys'],
    isRepeatable: true,
    async run(db, options) {
      options.progress?.('statements')
      await deriveStatements(db, options)
    },
  },
  {
    reads: ['statements_derived', 'companies_base'],
    makes: ['financials'],
    isRepeatable: true,
    run: deriveFinancials,
  },
  { reads: ['financials'], makes: ['restatements'], isRepeatable: true, run: deriveRestatements },
  {
    // Apart from reconciliations, which need all statements.
    reads: ['instruments_base', 'companies_base'],
    makes: ['instruments'],
    run: derivePublicInstruments,
  },
  {
    reads: ['instruments_base', 'reconciliations_base', 'statements_derived', 'companies_base'],
    makes: ['debt_reconciliations', 'debt_reconciliations_by_print'],
    run: deriveReconciliations,
  },
  {
    reads: [
      'in_facts',
      'in_filings',
      'in_financials',
      'company_of_cik',
      'statements_derived',
      'quarantine',
      ...links,
    ],
    makes: ['debt_disclosures'],
    isRepeatable: true,
    run: deriveDebtDisclosures,
  },
  {
    reads: ['statements_derived', 'in_facts', 'company_of_cik'],
    makes: ['newest_statements', 'schedule_rest'],
    isRepeatable: true,
    run: deriveNewestStatements,
  },
  {
    reads: [
      'companies_base',
      'bonds_base',
      'entities',
      'company_ratings_by_age',
      'newest_statements',
      'schedule_rest',
      'quarantine',
    ],
    makes: ['companies', 'companies_by_age'],
    async run(db, options) {
      options.progress?.('companies')
      await deriveCompanies(db, options)
    },
  },
  {
    reads: ['corrections_in_force', 'companies_base', ...correctedTables.map(foundBy)],
    makes: ['corrections'],
    run: deriveCorrections,
  },
]

const stepsThatMake = (tables: readonly string[]): readonly Step[] =>
  steps.filter(({ makes }) => tables.some(table => makes.includes(table)))

/**
 * Several steps over only the rows that some of their tables depend on, which is a fraction of the work. The other
 * tables that they make are incomplete.
 */
export interface ShortCut extends Step {
  /** The steps that make the same tables from all rows. */
  readonly insteadOf: readonly Step[]
}

function shortCut(
  makes: readonly string[],
  insteadOf: readonly Step[],
  options: Pick<StepOptions, 'tradeDays' | 'statements' | 'ages'>,
): ShortCut {
  const made = insteadOf.flatMap(step => step.makes)
  return {
    insteadOf,
    makes,
    reads: insteadOf.flatMap(({ reads }) => reads.filter(name => !made.includes(name))),
    async run(db, given, runStep = (step, options) => step.run(db, options)) {
      for (const step of insteadOf) await runStep(step, { ...given, ...options })
    },
  }
}

/** `bonds` and `pricing` depend on the latest price of each bond and on no other. */
export const latestPrices: ShortCut = shortCut(
  ['bonds', 'pricing'],
  stepsThatMake(['numbered_prices', 'latest_figures', 'yield_flags', 'pricing_history']),
  { tradeDays: 'recent' },
)

const figureSteps = stepsThatMake(['statements_derived', 'newest_statements', 'companies'])

/** `companies` has the figures under the default limits of age only. */
export const defaultFigures: ShortCut = shortCut(['companies'], figureSteps, {
  statements: 'newest',
  ages: 'default',
})

/** Companies depend on their newest statements and on no earlier version. */
export const newestFigures: ShortCut = shortCut(['companies', 'companies_by_age'], figureSteps, {
  statements: 'newest',
})

/** What `financials` has besides rows of a snapshot: in tables of its own, so that it runs beside any step. */
const otherFinancials: Step = {
  makes: ['other_financials', 'other_companies'],
  reads: [
    ...['in_facts', 'in_calculations', 'in_filings', 'in_financials'],
    ...['companies_base', 'company_link', 'company_of_cik'],
  ],
  run: deriveOtherFinancials,
}

/** Of several that make the same table, the shortest first. */
export const shortCuts: readonly ShortCut[] = [
  latestPrices,
  defaultFigures,
  newestFigures,
  // Instead of no step: nothing else makes its tables.
  { ...shortCut(otherFinancials.makes, [otherFinancials], {}), insteadOf: [] },
]
