import t from 'tap'
import { start } from './start.ts'

/**
 * The parameters that the public documentation of an API of this kind shows, each with a value as clients write it.
 * Parameters that must stand together are one entry.
 */
const documented: Readonly<Record<string, readonly string[]>> = {
  '/v1/auth/me': [''],
  '/v1/companies': [
    'ticker=ALFA,BETA',
    'sector=Energy',
    'industry=Drilling',
    'min_leverage=1.5&max_leverage=6',
    'min_net_leverage=1&max_net_leverage=5.5',
    'min_debt=1000000&max_debt=900000000000',
    'has_structural_sub=true',
    'has_floating_rate=true',
    'has_near_term_maturity=false',
    'fields=ticker,name,net_leverage_ratio,debt_due_1yr',
    'sort=-leverage_ratio&limit=10&offset=0',
    'include_metadata=true',
    'format=csv',
  ],
  '/v1/companies/ALFA': [''],
  '/v1/companies/ALFA/changes': ['', 'since=2025-01-31'],
  '/v1/bonds': [
    'ticker=ALFA,BETA',
    'sector=Technology',
    'cusip=000000AA7,000000BB4',
    'seniority=senior_unsecured',
    'security_type=first_lien',
    'instrument_type=term_loan_b',
    'issuer_type=opco',
    'rate_type=floating',
    'min_coupon=5&max_coupon=8.5',
    'min_ytm=4.0&max_ytm=12',
    'min_spread=50&max_spread=900',
    'has_pricing=true',
    'maturity_before=2031-01-01&maturity_after=2026-01-01',
    'min_outstanding=100000000',
    'has_guarantors=false',
    'currency=USD',
    'fields=name,cusip,pricing&sort=-pricing.ytm',
    'limit=100&offset=0',
    'aggregation=latest',
  ],
  '/v1/bonds/resolve': [
    'q=Alfa 6% 2030',
    'cusip=000000AA7',
    'isin=US0378331005',
    'q=alfa&ticker=ALFA&coupon=6&maturity_year=2030',
    'q=alfa 6 2030&match_mode=exact&limit=3',
  ],
  '/v1/pricing': [
    'ticker=ALFA,BETA',
    'cusip=000000AA7',
    'date=2025-03-31',
    'cusip=000000AA7&date_from=2025-01-01&date_to=2025-06-02',
    'cusip=000000AA7&from=2025-01-01&to=2025-06-02',
    'aggregation=latest',
    'aggregation=daily',
    'aggregation=weekly',
    'min_ytm=2&max_ytm=11.5',
    'min_spread=10',
    'fields=cusip,ytm,spread,staleness_days&sort=-ytm&limit=25',
  ],
  '/v1/bonds/000000AA7/pricing/history': [
    '',
    'date_from=2025-01-01&date_to=2025-06-02',
    'from_date=2025-01-01&to_date=2025-06-02',
    'from=2025-01-01&to=2025-06-02&aggregation=weekly',
  ],
  '/v1/financials': [
    'ticker=ALFA',
    'ticker=ALFA&period=TTM',
    'period=2024Q3',
    'fiscal_year=2024&fiscal_quarter=4',
    'ticker=ALFA&format=csv',
    'fields=ticker,fiscal_year,revenue,ebitda,free_cash_flow,cash',
    'ticker=ALFA&include_metadata=true',
    'sector=Energy',
    'filing_type=10-K',
    'period_after=2024-01-01&period_before=2025-12-31',
    'min_revenue=100000000',
    'min_ebitda=50000000',
  ],
  '/v1/collateral': [
    'ticker=ALFA',
    'bond_cusip=000000AA7',
    'debt_instrument_id=ALFA-TLB',
    'collateral_type=real_estate',
    'collateral_type=intellectual_property',
    'collateral_type=unsecured',
    'fields=id,collateral_type,bond_cusip,debt_instrument_id,description',
    'limit=100&offset=0&sort=-estimated_value',
  ],
  '/v1/covenants': [
    'ticker=ALFA',
    'covenant_type=financial',
    'test_metric=leverage_ratio',
    'test_metric=first_lien_leverage',
    'test_metric=interest_coverage',
    'test_metric=fixed_charge_coverage',
    'min_threshold=2&max_threshold=5.5',
    'has_step_down=true',
    'cusip=000000AA7',
    'covenant_name=Change of control put',
    'min_confidence=0.8',
    'fields=ticker,covenant_name,threshold_value&limit=20&offset=0',
  ],
  '/v1/covenants/compare': [
    'ticker=ALFA,BETA',
    'ticker=ALFA,BETA&covenant_type=financial&test_metric=leverage_ratio',
  ],
  '/v1/ratings': [
    'ticker=ALFA,BETA',
    'sector=Energy',
    'rating_bucket=HY-BB',
    'sp_rating=BB%2B',
    'moodys_rating=Ba1',
    'rating_type=issuer',
    'cusip=000000AA7',
    'issuer_only=true',
    'from_date=2024-01-01&to_date=2025-12-31',
    'latest=true',
    'fields=ticker,agency,rating,outlook&sort=-effective_date&limit=200&offset=0',
  ],
  '/v1/market/cds': [
    'ticker=ALFA',
    'sector=Energy',
    'tenor=10Y',
    'source=bond_spread_proxy',
    'from_date=2024-01-01&to_date=2025-12-31',
    'latest_only=true',
    'fields=ticker,spread_date,spread_bps&sort=-spread_date&limit=200&offset=0',
  ],
  '/v1/market/spreads': ['', 'rating=HY', 'from_date=2025-01-01&to_date=2025-06-02', 'format=csv&limit=1000'],
  '/v1/documents/search': [
    'q=change of control',
    'q="senior notes" OR indenture&mode=keyword',
    'q=how is the debt secured&mode=semantic',
    'q=leverage covenant&mode=hybrid',
    'q=debt&ticker=ALFA,BETA',
    'q=debt&doc_type=10-K',
    'q=debt&section_type=debt_footnote,covenants',
    'q=debt&filed_after=2023-01-01&filed_before=2025-12-31',
    'q=debt&fields=id,ticker,snippet,content',
    'q=debt&sort=-relevance',
    'q=debt&sort=-filing_date&limit=5&offset=0',
    'q=debt&sort=filing_date',
  ],
  '/v1/export': ['data_type=bonds', 'data_type=companies&format=json&limit=50000'],
  '/v1/usage/analytics': ['days=30'],
}

t.test('every documented public request is answered', async t => {
  const { ask } = await start(t)
  for (const [path, queries] of Object.entries(documented))
    for (const query of queries) {
      const encoded = query.replaceAll('% ', '%25 ').replaceAll(' ', '%20').replaceAll('"', '%22')
      const { status, text } = await ask(query ? `${path}?${encoded}` : path)
      t.equal(status, 200, `${path}?${query} ${status === 200 ? '' : text}`)
    }
})

t.test('every documented public body is answered', async t => {
  const { ask } = await start(t)
  const traversals = [
    {
      start: { type: 'company', id: 'ALFA' },
      relationships: ['subsidiaries'],
      direction: 'outbound',
      depth: 3,
    },
    { start: { type: 'company', ticker: 'ALFA' }, relationships: ['parent_of'] },
    { start: { type: 'bond', id: '000000AA7' }, relationships: ['guarantees'], direction: 'inbound' },
    {
      start: { type: 'company', id: 'ALFA' },
      relationships: ['subsidiaries', 'debt'],
      direction: 'both',
      depth: 10,
      filters: { entity_type: ['opco', 'finco'], is_guarantor: true, jurisdiction: 'Delaware' },
      fields: ['name', 'entity_type', 'is_guarantor'],
    },
  ]
  for (const body of traversals) {
    const { status, text } = await ask('/v1/entities/traverse', { body })
    t.equal(status, 200, `${JSON.stringify(body)} ${status === 200 ? '' : text}`)
  }
  const operations = [
    { primitive: 'search.companies', params: { ticker: 'ALFA', fields: 'ticker,leverage_ratio' } },
    { primitive: 'search.bonds', params: { ticker: 'ALFA', has_pricing: true } },
    { primitive: 'resolve.bond', params: { q: 'Alfa 6% 2030' } },
    { primitive: 'search.pricing', params: { ticker: 'ALFA' } },
    { primitive: 'traverse.entities', params: traversals[0] },
    { operation_id: 'op-6', primitive: 'search.documents', params: { q: 'debt', limit: 5 } },
  ]
  const { body } = await ask('/v1/batch', { body: { operations } })
  t.match(body.meta, { total_operations: 6, successful: 6, failed: 0 }, JSON.stringify(body.results))
  t.equal(body.results[5].operation_id, 'op-6')
  const request = await ask('/v1/coverage/request', { body: { ticker: 'ZETA', company_name: 'Zeta Corp' } })
  t.equal(request.status, 202)
})

t.test('answers have the documented shape', async t => {
  const { ask } = await start(t)
  const body = async (path: string) => (await ask(path)).body
  t.match(await body('/v1/companies?limit=1'), {
    data: [{ ticker: 'ALFA' }],
    meta: { total: 2, limit: 1, offset: 0, filters_applied: {}, request_id: String },
  })
  t.match(await body('/v1/companies?ticker=ALFA'), { meta: { filters_applied: { ticker: ['ALFA'] } } })
  t.match(await body('/v1/ratings?limit=1'), { ratings: Array, meta: { total: 4 } })
  t.match(await body('/v1/bonds/resolve?cusip=000000AA7'), {
    data: {
      query: '000000AA7',
      matches: [{ confidence: 1, bond: { cusip: '000000AA7' } }],
      exact_match: true,
    },
  })
  t.match(await body('/v1/pricing'), {
    data: Array,
    meta: { priced_count: Number, stale_count: Number, as_of: String },
  })
  t.match(await body('/v1/financials?period=TTM'), { data: Array, meta: { total: Number, period: 'TTM' } })
  t.match(await body('/v1/covenants'), {
    meta: { covenant_types: ['financial', 'negative', 'incurrence', 'protective'] },
  })
  t.match(await body('/v1/covenants/compare?ticker=ALFA,BETA'), {
    tickers: ['ALFA', 'BETA'],
    companies: { ALFA: { covenant_count: Number, covenants: Array } },
    comparison_matrix: Array,
    presence_matrix: Array,
    meta: { tickers_compared: 2, total_covenants: 2, filter_test_metric: null },
  })
  t.match(await body('/v1/documents/search?q=debt'), {
    data: Array,
    meta: { query: 'debt', mode: 'keyword' },
  })
})
