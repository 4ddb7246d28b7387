import { countSql } from '../query/plan/plan-sql.ts'
import { cents, list as listOf, nullable, oneOf } from '../schema/column.ts'
import { valueSchema } from '../schema/json-schema.ts'
import { one, usually } from '../schema/params.ts'
import { bonds } from '../schema/resources/bonds.ts'
import { collateral } from '../schema/resources/collateral.ts'
import { ageParams, companies } from '../schema/resources/companies.ts'
import { covenants } from '../schema/resources/covenants.ts'
import { indexSpreads } from '../schema/resources/index-spreads.ts'
import { ratings } from '../schema/resources/ratings.ts'
import { spreads } from '../schema/resources/spreads.ts'
import { covenantTypes } from '../schema/vocabulary.ts'
import { explainBonds } from './explain-prices.ts'
import { explainEvidence, explainIndexSpreads, explainRatings } from './explain-sources.ts'
import { explainSpreads } from './explain-spreads.ts'
import { list } from './list.ts'
import { warnOfMixedSources } from './warn-of-mixed-sources.ts'

export const searchCompanies = list(companies, {
  name: 'search.companies',
  path: '/v1/companies',
  command: 'companies',
  tier: 'any',
  cost: 'simple',
  batch: true,
  params: ageParams,
  examples: [
    '--min-leverage 4 --sort -leverage_ratio',
    '--sector Energy --fields ticker,total_debt,rating_bucket',
    '--sp-rating BBB- --min-leverage 4',
    '--ticker KRVWN --max-age none',
  ],
})

export const searchBonds = list(bonds, {
  name: 'search.bonds',
  path: '/v1/bonds',
  command: 'bonds',
  tier: 'any',
  cost: 'simple',
  batch: true,
  params: { aggregation: usually(one(oneOf(['latest'], 'Bonds carry their latest price.')), 'latest') },
  examples: ['--min-ytm 8 --sort -pricing.ytm', '--seniority senior_secured --fields name,cusip,pricing'],
  explain: explainBonds,
})

export const searchCollateral = list(collateral, {
  name: 'search.collateral',
  path: '/v1/collateral',
  command: 'collateral',
  tier: 'any',
  cost: 'simple',
  examples: ['--collateral-type real_estate,equipment --has-valuation true'],
  explain: explainEvidence,
  meta: {
    total_estimated_value: valueSchema(nullable(cents('Estimated value of all matches, not of the page.'))),
  },
  async summary(context, plan) {
    const all = countSql({ ...plan, limit: null, offset: 0 }, collateral.columns)
    const text = all.text.replace('count(*) AS total', 'CAST(sum(estimated_value) AS BIGINT) AS total')
    const [row] = await context.database.rows<{ total: number | null }>(text, all.values)
    return { total_estimated_value: row?.total ?? null }
  },
})

export const searchCovenants = list(covenants, {
  name: 'search.covenants',
  path: '/v1/covenants',
  command: 'covenants',
  tier: 'any',
  cost: 'simple',
  examples: ['--ticker KRVWN --covenant-type financial', '--test-metric leverage_ratio --max-threshold 5'],
  explain: explainEvidence,
  meta: { covenant_types: valueSchema(listOf('The types of covenant there are.')) },
  summary: async () => ({ covenant_types: covenantTypes }),
})

export const searchRatings = list(ratings, {
  name: 'search.ratings',
  path: '/v1/ratings',
  command: 'ratings',
  tier: 'any',
  cost: 'simple',
  envelope: 'ratings',
  examples: ['--latest true --rating-bucket HY-B', '--sp-rating BB+ --latest true'],
  explain: explainRatings,
})

export const searchIndexSpreads = list(indexSpreads, {
  name: 'search.indices',
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
    path: '/v1/market/cds',
    command: 'spreads',
    tier: 'any',
    cost: 'simple',
    examples: ['--ticker FRNLL --tenor 5Y', '--latest-only true --sort -spread_bps'],
    explain: explainSpreads,
  }),
)
