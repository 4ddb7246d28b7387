import { memberOf } from '../base/elements.ts'
import { numberAt, wordAt } from '../query/memory/column.ts'
import type { MemoryRows } from '../query/memory/count-values.ts'
import type { Plan } from '../query/plan/plan.ts'
import { countSql } from '../query/plan/plan-sql.ts'
import { type Columns, cents, list as listOf, nullable, oneOf } from '../schema/column.ts'
import { valueSchema } from '../schema/json-schema.ts'
import { one, usually } from '../schema/params.ts'
import { type Bond, bonds } from '../schema/resources/bonds.ts'
import { type Collateral, collateral } from '../schema/resources/collateral.ts'
import { ageParams, type Company, companies, reportedParam } from '../schema/resources/companies.ts'
import { type Correction, corrections } from '../schema/resources/corrections.ts'
import { type Covenant, covenants } from '../schema/resources/covenants.ts'
import { type DebtReconciliation, debtReconciliations } from '../schema/resources/debt-reconciliations.ts'
import { type IndexSpread, indexSpreads } from '../schema/resources/index-spreads.ts'
import { type Instrument, instruments } from '../schema/resources/instruments.ts'
import { type Rating, ratings } from '../schema/resources/ratings.ts'
import { type Restatement, restatements } from '../schema/resources/restatements.ts'
import { type Spread, spreads } from '../schema/resources/spreads.ts'
import { covenantTypes } from '../schema/vocabulary.ts'
import { explainBonds } from './explain-prices.ts'
import { explainRestatements } from './explain-restatements.ts'
import {
  explainCollateral,
  explainCorrections,
  explainCovenants,
  explainIndexSpreads,
  explainRatings,
} from './explain-sources.ts'
import { explainSpreads } from './explain-spreads.ts'
import { list } from './list.ts'
import type { Context } from './operation.ts'
import { warnOfMixedSources } from './warn-of-mixed-sources.ts'
import { warnOfNotRepeated } from './warn-of-not-repeated.ts'
import { warnOfOldDocuments } from './warn-of-old-documents.ts'
import { warnOfUndatedCompanies } from './warn-of-undated-companies.ts'
import { warnOfUnknownCurrency } from './warn-of-unknown-currency.ts'

/** What is summed: an amount in cents, of the rows where `counted` is true, if they have one `currency`. */
interface Summed {
  readonly amount: string
  readonly counted?: string
  readonly currency?: string
}

/** A sum over all matches of a list, not of the page. */
async function sumOfMatches(
  context: Context,
  plan: Plan,
  { columns: kinds }: { readonly columns: Columns },
  summed: Summed,
): Promise<number | null> {
  const { amount, counted, currency } = summed
  const names = [amount, ...(counted ? [counted] : []), ...(currency ? [currency] : [])]
  const columns = names.map(name => ({ name, column: memberOf(kinds, name) }))
  const found = context.memoryRows({ ...plan, columns }, kinds)
  if (found) return sumInMemory(found, summed)
  const sum = `sum(${amount})${counted ? ` FILTER (WHERE ${counted})` : ''}`
  const sql = currency ? `CASE WHEN count(DISTINCT ${currency}) = 1 THEN ${sum} END` : sum
  const { text, values } = countSql({ ...plan, limit: null, offset: 0 }, kinds, `CAST(${sql} AS BIGINT)`)
  const [row] = await context.database.rows<{ total: number | null }>(text, values)
  return row?.total ?? null
}

function sumInMemory({ rows, column }: MemoryRows, { amount, counted, currency }: Summed): number | null {
  if (currency) {
    const known = rows.map(row => wordAt(column(currency), row)).filter(word => word !== null)
    if (new Set(known).size !== 1) return null
  }
  const amounts = rows
    .filter(row => !counted || wordAt(column(counted), row) === true)
    .map(row => numberAt(column(amount), row))
    .filter(value => !Number.isNaN(value))
  return amounts.length === 0 ? null : amounts.reduce((sum, value) => sum + value, 0)
}

export const searchCompanies = warnOfUndatedCompanies(
  list(companies, {
    name: 'search.companies',
    row: undefined as Company | undefined,
    path: '/v1/companies',
    command: 'companies',
    tier: 'any',
    cost: 'simple',
    batch: true,
    params: { ...ageParams, ...reportedParam },
    examples: [
      '--min-leverage 4 --sort -leverage_ratio',
      '--sector Energy --fields ticker,total_debt,rating_bucket',
      '--sp-rating BBB- --min-leverage 4',
      '--ticker FLKNT --max-age none',
      '--reported original --min-leverage 4',
    ],
  }),
)

export const searchBonds = warnOfUnknownCurrency(
  list(bonds, {
    name: 'search.bonds',
    row: undefined as Bond | undefined,
    path: '/v1/bonds',
    command: 'bonds',
    tier: 'any',
    cost: 'simple',
    batch: true,
    params: { aggregation: usually(one(oneOf(['latest'], 'Bonds carry their latest price.')), 'latest') },
    examples: ['--min-ytm 8 --sort -pricing.ytm', '--seniority senior_secured --fields name,cusip,pricing'],
    explain: explainBonds,
  }),
  { table: 'bonds', columns: bonds.columns },
)

const pledgedAssets = {
  table: 'collateral',
  columns: collateral.columns,
  called: ['pledged asset', 'pledged assets'],
} as const

export const searchCollateral = warnOfNotRepeated(
  warnOfOldDocuments(
    list(collateral, {
      name: 'search.collateral',
      row: undefined as Collateral | undefined,
      path: '/v1/collateral',
      command: 'collateral',
      tier: 'any',
      cost: 'simple',
      examples: ['--collateral-type real_estate,equipment --has-valuation true'],
      explain: explainCollateral,
      meta: {
        total_estimated_value: valueSchema(
          nullable(cents('Estimated value of all matches, not of the page.')),
        ),
      },
      async summary(context, plan) {
        const total = await sumOfMatches(context, plan, collateral, { amount: 'estimated_value' })
        return { total_estimated_value: total }
      },
    }),
    {
      ...pledgedAssets,
      day: 'last_stated',
      where: [{ column: 'in_force', op: 'in', values: [true] }],
    },
  ),
  pledgedAssets,
)

export const searchCovenants = warnOfOldDocuments(
  list(covenants, {
    name: 'search.covenants',
    row: undefined as Covenant | undefined,
    path: '/v1/covenants',
    command: 'covenants',
    tier: 'any',
    cost: 'simple',
    examples: [
      '--ticker FLKNT --covenant-type financial',
      '--test-metric leverage_ratio --max-threshold 5',
      '--ticker FLKNT --in-force false --fields covenant_name,instrument_name,ended_on,ended_because',
    ],
    explain: explainCovenants,
    meta: { covenant_types: valueSchema(listOf('Types of covenants in the list.')) },
    summary: async () => ({ covenant_types: covenantTypes }),
  }),
  {
    table: 'covenants',
    columns: covenants.columns,
    called: ['covenant in force', 'covenants in force'],
    day: 'last_stated',
    where: [{ column: 'in_force', op: 'in', values: [true] }],
  },
)

export const searchCorrections = list(corrections, {
  name: 'search.corrections',
  row: undefined as Correction | undefined,
  path: '/v1/corrections',
  command: 'corrections',
  tier: 'pro',
  cost: 'simple',
  examples: ['--corrects covenants --sort ticker', '--is-applied false'],
  explain: explainCorrections,
})

export const searchInstruments = list(instruments, {
  name: 'search.instruments',
  row: undefined as Instrument | undefined,
  path: '/v1/instruments',
  command: 'instruments',
  tier: 'pro',
  cost: 'complex',
  examples: [
    '--ticker FLKNT --sort maturity_year',
    '--seniority senior_secured --min-principal 50000000000',
    '--instrument-type revolver --fields ticker,name,commitment,drawn,undrawn',
  ],
  meta: {
    total_carrying_amount: valueSchema(
      nullable(
        cents('Carrying amount of all counted matches, not of the page; null for several currencies.'),
      ),
    ),
  },
  async summary(context, plan) {
    const total = await sumOfMatches(context, plan, instruments, {
      amount: 'carrying_amount',
      counted: 'is_counted',
      currency: 'currency',
    })
    return { total_carrying_amount: total }
  },
})

export const searchReconciliations = list(debtReconciliations, {
  name: 'search.reconciliations',
  row: undefined as DebtReconciliation | undefined,
  path: '/v1/instruments/reconciliation',
  command: 'debt-reconciliation',
  tier: 'pro',
  cost: 'complex',
  params: reportedParam,
  examples: [
    '--ticker FLKNT',
    '--reconciles false --fields ticker,difference_pct,likely_causes',
    '--reported original --fields ticker,balance_date,tagged_debt,form',
  ],
})

export const searchRatings = list(ratings, {
  name: 'search.ratings',
  row: undefined as Rating | undefined,
  path: '/v1/ratings',
  command: 'ratings',
  tier: 'any',
  cost: 'simple',
  envelope: 'ratings',
  examples: ['--latest true --rating-bucket HY-B', '--sp-rating BB+ --latest true'],
  explain: explainRatings,
})

export const searchRestatements = list(restatements, {
  name: 'search.restatements',
  row: undefined as Restatement | undefined,
  path: '/v1/financials/restatements',
  command: 'restatements',
  tier: 'any',
  cost: 'simple',
  explain: explainRestatements,
  examples: ['--min-change 1 --figure revenue,ebitda', '--ticker FLKNT --kind restated,completed'],
})

export const searchIndexSpreads = list(indexSpreads, {
  name: 'search.indices',
  row: undefined as IndexSpread | undefined,
  path: '/v1/market/spreads',
  command: 'index-spreads',
  tier: 'any',
  cost: 'simple',
  examples: ['--rating-band HY --from-date 2025-01-01', '--latest-only true --sort series'],
  explain: explainIndexSpreads,
})

export const searchSpreads = warnOfMixedSources(
  list(spreads, {
    name: 'search.spreads',
    row: undefined as Spread | undefined,
    path: '/v1/market/cds',
    command: 'spreads',
    tier: 'any',
    cost: 'simple',
    examples: ['--ticker FRNLL --tenor 5Y', '--latest-only true --sort -spread_bps'],
    explain: explainSpreads,
  }),
)
