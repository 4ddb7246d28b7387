import type { Test } from 'tap'
import type { Row, Service } from './service.ts'
import * as spec from './spec.ts'

const path = '/v1/entities/traverse'

export function walkRelations(t: Test, service: Service) {
  const traverse = async (body: Row) => {
    const answer = await service.post(path, body)
    if (answer.status !== 200) throw new Error(`${JSON.stringify(body)}: ${answer.text.slice(0, 300)}`)
    return answer.body.data
  }
  const refused = async (body: unknown) => {
    const { status, body: told } = await service.post(path, body as object)
    return [status, told.error.code, told.error.details.parameter ?? null]
  }
  const guaranteed = async () => {
    const rows = await service.rows('bonds')
    return rows.find(row => row['is_active'] && row['cusip'] && (row['guarantor_count'] as number) > 1)!
  }
  const ids = (rows: readonly Row[]) => rows.map(row => row['id']).sort()

  t.test(
    'POST /v1/entities/traverse: a company by id or by ticker, with its entities level by level',
    async t => {
      const { company_ticker: ticker, company_name: company } = await guaranteed()
      const asked = { relationships: ['subsidiaries'], depth: 10 }
      const data = await traverse({ start: { type: 'company', id: ticker }, ...asked })
      t.strictSame(await traverse({ start: { type: 'company', ticker }, ...asked }), data)
      t.strictSame(
        await traverse({ start: { type: 'company', ticker: String(ticker).toLowerCase() }, ...asked }),
        data,
      )
      t.match(data.start, { type: 'company', name: company, company })
      t.ok(data.start.id === ticker || data.start.ticker === ticker)
      t.match(data.traversal, { relationship: 'subsidiaries', direction: 'outbound', depth: 10 })
      const { entities } = data.traversal
      const { guarantee_type: _, ...always } = spec.entity
      t.strictSame(spec.faultsOf(always, entities), [])
      t.ok(entities.every((e: Row) => 'guarantee_type' in e))
      t.equal(new Set(ids(entities)).size, entities.length, 'each once')
      const levels = entities.map((e: Row) => e['level'])
      t.strictSame(
        levels,
        [...levels].sort((a, b) => a - b),
      )
      t.equal(levels[0], 1)
      const counts = (type: string) => entities.filter((e: Row) => e['entity_type'] === type).length
      t.match(data.summary, {
        total_entities: entities.length,
        total_guarantors: entities.filter((e: Row) => e['is_guarantor']).length,
        max_depth: levels.at(-1),
        holdcos: counts('holdco'),
        fincos: counts('finco'),
        opcos: counts('opco'),
        vies: entities.filter((e: Row) => e['is_vie']).length,
        guarantee_coverage: Number,
      })
      const near = await traverse({ start: { type: 'company', id: ticker }, relationships: ['subsidiaries'] })
      t.equal(near.traversal.depth, 1)
      t.strictSame(ids(near.traversal.entities), ids(entities.filter((e: Row) => e['level'] === 1)))
      const parentOf = await traverse({
        start: { type: 'company', id: ticker },
        relationships: ['parent_of'],
        depth: 10,
      })
      t.strictSame(ids(parentOf.traversal.entities), ids(entities))
    },
  )

  t.test('POST /v1/entities/traverse: every relationship of the table, there and back', async t => {
    const { id, cusip, company_ticker: ticker } = await guaranteed()
    const bond = { type: 'bond', id: cusip }
    const inbound = await traverse({ start: bond, relationships: ['guarantees'], direction: 'inbound' })
    t.match(inbound.start, { type: 'bond', id, name: String })
    const guarantors: Row[] = inbound.traversal.entities
    t.ok(guarantors.length > 1 && guarantors.every(e => e['is_guarantor'] === true))
    t.equal(inbound.summary.total_guarantors, guarantors.length)
    t.strictSame(spec.faultsOf(spec.entity, guarantors), [])
    const guarantor = { type: 'entity', id: guarantors[0]!['id'] }
    const outbound = await traverse({ start: guarantor, relationships: ['guarantees'] })
    t.ok(ids(outbound.traversal.instruments).includes(id), 'the bond is among those that it guarantees')
    t.strictSame(
      spec.faultsOf({ id: 'string', company_ticker: 'string' }, outbound.traversal.instruments),
      [],
    )

    const parents = await traverse({ start: guarantor, relationships: ['parents'], depth: 10 })
    t.ok(parents.traversal.entities.length >= 1)
    const parent = parents.traversal.entities[0]
    const children = await traverse({
      start: { type: 'entity', id: parent.id },
      relationships: ['subsidiaries'],
    })
    t.ok(ids(children.traversal.entities).includes(guarantor.id), 'a child of its parent')

    const borrowers = await traverse({ start: bond, relationships: ['borrowers'], direction: 'inbound' })
    t.ok(borrowers.traversal.entities.length >= 1)
    const borrower = borrowers.traversal.entities[0]
    const debt = await traverse({ start: { type: 'entity', id: borrower.id }, relationships: ['debt'] })
    t.ok(ids(debt.traversal.instruments).includes(id), 'debt of its borrower')
    t.equal(
      debt.traversal.instruments.filter((b: Row) => b['is_active']).length,
      borrower.debt_at_entity.count,
    )

    const several = await traverse({
      start: { type: 'company', ticker },
      relationships: ['subsidiaries', 'debt'],
      direction: 'both',
      depth: 3,
    })
    t.strictSame(several.traversal.relationships, ['subsidiaries', 'debt'])
    t.equal(several.traversal.direction, 'both')
    t.ok(several.traversal.entities.length > 0 && several.traversal.instruments.length > 0)
  })

  t.test('POST /v1/entities/traverse: filters and fields', async t => {
    const { company_ticker: ticker } = await guaranteed()
    const start = { start: { type: 'company', id: ticker }, relationships: ['subsidiaries'], depth: 10 }
    const all: Row[] = (await traverse(start)).traversal.entities
    const of = async (filters: object): Promise<Row[]> =>
      (await traverse({ ...start, filters })).traversal.entities
    const [{ jurisdiction, entity_type }] = all as [Row]
    const cases: [filters: object, holds: (e: Row) => boolean][] = [
      [{ entity_type: [entity_type] }, e => e['entity_type'] === entity_type],
      [
        { entity_type: ['opco', 'subsidiary'] },
        e => ['opco', 'subsidiary'].includes(String(e['entity_type'])),
      ],
      [{ is_guarantor: true }, e => e['is_guarantor'] === true],
      [{ is_guarantor: false }, e => e['is_guarantor'] === false],
      [{ jurisdiction: String(jurisdiction).toUpperCase() }, e => e['jurisdiction'] === jurisdiction],
    ]
    for (const [filters, holds] of cases) {
      const expected = all.filter(holds)
      t.strictSame(ids(await of(filters)), ids(expected), JSON.stringify(filters))
      t.ok(expected.length > 0 && expected.length < all.length, JSON.stringify(filters))
    }
    const { traversal } = await traverse({ ...start, fields: ['name', 'debt_at_entity'] })
    t.strictSame(Object.keys(traversal.entities[0]), ['name', 'debt_at_entity'])
  })

  t.test('POST /v1/entities/traverse: what it cannot follow is refused', async t => {
    const { company_ticker: ticker } = await guaranteed()
    const start = { type: 'company', id: ticker }
    const relationships = ['subsidiaries']
    for (const depth of [0, 11, 1.5, 'x'])
      t.strictSame(await refused({ start, relationships, depth }), [400, 'INVALID_PARAMETER', 'depth'])
    t.strictSame(await refused({ relationships }), [400, 'MISSING_PARAMETER', 'start'])
    t.strictSame(await refused({ start }), [400, 'MISSING_PARAMETER', 'relationships'])
    t.strictSame(await refused({ start, relationships: [] }), [400, 'MISSING_PARAMETER', 'relationships'])
    t.strictSame(await refused({ start, relationships: ['owns'] }), [
      400,
      'INVALID_PARAMETER',
      'relationships',
    ])
    t.strictSame(await refused({ start, relationships, direction: 'up' }), [
      400,
      'INVALID_PARAMETER',
      'direction',
    ])
    t.strictSame(await refused({ start: { type: 'fund', id: 'x' }, relationships }), [
      400,
      'INVALID_PARAMETER',
      'start.type',
    ])
    t.strictSame(await refused({ start: { type: 'company' }, relationships }), [
      400,
      'MISSING_PARAMETER',
      'start.id',
    ])
    t.strictSame(await refused({ start: { type: 'bond', id: '000000AB5' }, relationships }), [
      404,
      'INVALID_CUSIP',
      null,
    ])
    t.strictSame(await refused({ start: { type: 'company', id: 'NOSUCH' }, relationships }), [
      404,
      'INVALID_TICKER',
      null,
    ])
    const uuid = '00000000-0000-4000-8000-000000000000'
    t.strictSame(await refused({ start: { type: 'entity', id: uuid }, relationships }), [
      404,
      'NOT_FOUND',
      null,
    ])
    t.strictSame(await refused({ start, relationships, fields: ['nonsense'] }), [
      400,
      'INVALID_PARAMETER',
      'fields',
    ])
    t.strictSame(await refused({ start, relationships, filters: { colour: 'red' } }), [
      400,
      'INVALID_PARAMETER',
      'filters.colour',
    ])
  })

  t.test('GET /v1/covenants/compare: companies side by side', async t => {
    const covenants = (await service.rows('covenants')).filter(c => c['in_force'])
    const withMetric = [
      ...new Set(covenants.filter(c => c['test_metric'] === 'leverage_ratio').map(c => String(c['ticker']))),
    ]
    const without = (await service.rows('companies'))
      .map(c => String(c['ticker']))
      .find(c => !withMetric.includes(c))!
    const tickers = [withMetric[0]!, without, withMetric[1]!]
    const body = await service.get(`/v1/covenants/compare?ticker=${tickers}&test_metric=leverage_ratio`)
    t.strictSame(Object.keys(body), ['tickers', 'companies', 'comparison_matrix', 'presence_matrix', 'meta'])
    t.strictSame(body.tickers, tickers)
    t.strictSame(Object.keys(body.companies), tickers)
    const own = (ticker: string) =>
      covenants.filter(c => c['ticker'] === ticker && c['test_metric'] === 'leverage_ratio')
    for (const ticker of tickers) {
      const { name, covenant_count, covenants: shown } = body.companies[ticker]
      t.type(name, 'string')
      t.equal(covenant_count, own(ticker).length)
      t.equal(shown.length, covenant_count)
      for (const covenant of shown)
        t.strictSame(Object.keys(covenant), [
          'covenant_type',
          'covenant_name',
          'test_metric',
          'threshold_value',
          'threshold_type',
          'test_frequency',
          'has_step_down',
        ])
    }
    t.match(body.companies[without], { covenant_count: 0, covenants: [] })
    t.equal(body.comparison_matrix.length, 1)
    const [row] = body.comparison_matrix
    t.equal(row.metric, 'leverage_ratio')
    t.equal(row[without], null)
    t.strictSame(Object.keys(row[tickers[0]!]), ['threshold_value', 'threshold_type', 'test_frequency'])
    for (const presence of body.presence_matrix) {
      t.strictSame(Object.keys(presence).sort(), ['covenant_name', ...tickers].sort())
      for (const ticker of tickers)
        t.equal(
          presence[ticker],
          own(ticker).some(c => c['covenant_name'] === presence.covenant_name),
        )
    }
    t.match(body.meta, {
      tickers_compared: 3,
      total_covenants: tickers.reduce((sum, ticker) => sum + own(ticker).length, 0),
      filter_test_metric: 'leverage_ratio',
    })
    const typed = await service.get(`/v1/covenants/compare?ticker=${tickers}&covenant_type=negative`)
    t.equal(typed.meta.filter_test_metric, null)
    for (const { covenants: shown } of Object.values<{ covenants: Row[] }>(typed.companies))
      t.ok(shown.every(c => c['covenant_type'] === 'negative'))
    const path = '/v1/covenants/compare'
    t.equal((await service.ask(path)).body.error.code, 'MISSING_PARAMETER')
    t.equal((await service.ask(`${path}?ticker=${without}`)).status, 400, 'two at least')
    const many = (await service.rows('companies')).map(c => c['ticker']).slice(0, 11)
    t.equal((await service.ask(`${path}?ticker=${many}`)).status, 400, 'ten at most')
    t.equal((await service.get(`${path}?ticker=${many.slice(0, 10)}`)).meta.tickers_compared, 10)
    t.equal((await service.ask(`${path}?ticker=${without},NOSUCH`)).body.error.code, 'INVALID_TICKER')
  })
}
