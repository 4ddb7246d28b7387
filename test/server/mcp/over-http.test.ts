import t, { type Test } from 'tap'
import { unitOf } from '../../../engine/schema/column.ts'
import type { tiers } from '../../../server/limits/tiers.ts'
import { type Running, start } from '../start.ts'
import { examples, overHttp } from './clients.ts'

const ask = (
  t: Test,
  { url, keys }: Pick<Running<never>, 'url' | 'keys'>,
  tier: keyof typeof tiers = 'business',
) => overHttp(t, url, { 'X-API-Key': keys[tier] })

/** Whether every member of `few` is the same in `whole`, which may have more. */
function isPart(few: unknown, whole: unknown): boolean {
  if (typeof few !== 'object' || few === null || Array.isArray(few))
    return JSON.stringify(few) === JSON.stringify(whole)
  return Object.entries(few).every(([name, value]) =>
    isPart(value, (whole as Record<string, unknown>)?.[name]),
  )
}

t.test('every operation is a tool that says what it takes, and reads only', async t => {
  const server = await start(t)
  const { client } = await ask(t, server)
  const { tools } = await client.listTools()
  t.strictSame(
    tools.map(tool => tool.name),
    examples.map(e => e.name).filter(name => name !== 'sql'),
  )
  const companies = tools.find(tool => tool.name === 'search_companies')!
  t.match(companies.description, /; in cents: [a-z_,]*\btotal_debt\b/)
  t.match(companies.description, /\{"min_leverage":4,"sort":"-leverage_ratio"\}/)
  const { properties } = companies.inputSchema as { properties: Record<string, unknown> }
  t.match(properties['limit'], { type: 'integer' })
  t.match(tools.find(tool => tool.name === 'resolve_bond')!.inputSchema, {
    properties: { limit: { type: 'integer', minimum: 1, maximum: 20, default: 5 } },
  })
  t.match(tools.find(tool => tool.name === 'search_bonds')!.inputSchema, {
    properties: { is_active: { default: true }, currency: { default: 'USD' } },
  })
  t.match(properties['rating_bucket'], { type: 'array', items: { enum: ['IG', /HY-BB/] } })
  t.notOk(properties['format'], 'the form of an answer is not for a model')
  for (const { name, annotations, description } of tools) {
    t.match(annotations, { readOnlyHint: true }, name)
    t.ok(description!.length > 20, name)
  }
})

t.test('the list of tools is short, and every tool still names all its parameters', async t => {
  const server = await start(t)
  const { client } = await ask(t, server)
  const { tools } = await client.listTools()
  const { length } = JSON.stringify({ tools })
  t.ok(length <= 1330 * tools.length, `${length} characters for ${tools.length} tools`)
  const propertiesOf = (name: string) =>
    tools.find(tool => tool.name === name)!.inputSchema.properties as Record<string, Record<string, unknown>>
  const lists = tools.filter(({ name }) => name.startsWith('search_')).map(({ name }) => propertiesOf(name))
  /** What only programs need: the form of an answer, a pinned snapshot, a parameter with one value. */
  const unneeded = new Set(['format', 'csv_safe', 'csv_units', 'header', 'snapshot'])
  for (const { endpoint, name } of examples.filter(e => e.name !== 'sql')) {
    const properties = propertiesOf(name)
    const missing = Object.entries(endpoint.params).filter(
      ([p, { column }]) => !Object.hasOwn(properties, p) && !unneeded.has(p) && column.values?.length !== 1,
    )
    const sharesFilters = endpoint.listParams !== undefined
    t.equal(
      properties['filters']?.['type'],
      sharesFilters || name === 'traverse_entities' ? 'object' : undefined,
    )
    t.strictSame(
      missing.map(([p]) => p).filter(p => !(sharesFilters && lists.some(list => Object.hasOwn(list, p)))),
      [],
      `${name}: every parameter, or every filter by the tool that lists`,
    )
    for (const [p, { column }] of Object.entries(endpoint.params)) {
      const shown = JSON.stringify(properties[p] ?? '')
      if (shown === '""') continue
      for (const value of column.values && column.values.length <= 16 ? column.values : [])
        t.ok(p === 'on_unknown' || shown.includes(`"${value}"`), `${name} ${p} names ${value}`)
      const unit = unitOf(column)
      if (unit && unit !== 'ratio') t.match(shown, unit, `${name} ${p} has its unit`)
    }
  }
})

t.test('filters that several lists share are given as one object, or beside the other arguments', async t => {
  const { call } = await ask(t, await start(t))
  const nested = await call('export', { data_type: 'companies', filters: { sector: 'Energy' } })
  const flat = await call('export', { data_type: 'companies', sector: 'Energy' })
  t.ok(nested.body.data.length > 0)
  t.strictSame(nested.body.data, flat.body.data)
  const counted = await call('count_facets', { data_type: 'companies', filters: { sector: 'Energy' } })
  t.equal(counted.body.meta.total, nested.body.meta.total)
  t.match(await call('count_facets', { data_type: 'companies', filters: { min_ytm: 8 } }), {
    isError: true,
    text: /companies has no filter min_ytm/,
  })
  t.match(await call('export', { data_type: 'companies', filters: 'sector' }), {
    isError: true,
    text: /filters must be an object/,
  })
})

t.test('a tool has the rows that HTTP has', async t => {
  const server = await start(t)
  const { call } = await ask(t, server)
  for (const { name, endpoint, args } of examples.filter(e => e.name !== 'sql')) {
    const { isError, body, text } = await call(name, args)
    t.notOk(isError, `${name}: ${text}`)
    const path = endpoint.path.replace(/\{(\w+)\}/g, (_, member: string) => String(args[member]))
    const query = Object.entries(args).filter(([member]) => !endpoint.path.includes(`{${member}}`))
    const words = query.map(([member, value]) => `${member}=${encodeURIComponent(String(value))}`)
    const http =
      endpoint.method === 'POST'
        ? await server.ask(path, { body: args })
        : await server.ask(`${path}?${[...words, ...(endpoint.bulk ? ['format=json'] : [])].join('&')}`)
    t.equal(http.status, 200, `${name}: ${http.text}`)
    t.equal(body.meta.total, http.body.meta.total, `${name} total`)
    const { meta: _tool, ...mine } = body
    const { meta: _http, ...theirs } = http.body
    const rows = mine[endpoint.envelope]
    if (!Array.isArray(rows)) t.strictSame(mine, theirs, name)
    else {
      t.equal(rows.length, theirs[endpoint.envelope].length, name)
      for (const [i, row] of rows.entries())
        t.ok(isPart(row, theirs[endpoint.envelope][i]), `${name} row ${i}: ${JSON.stringify(row)}`)
    }
  }
})

t.test('a page names the next, until every row was seen once', async t => {
  const server = await start(t)
  const { call } = await ask(t, server)
  const seen: string[] = []
  let args: Record<string, unknown> | undefined = { limit: 1, sort: '-total_debt', fields: ['ticker'] }
  while (args) {
    const { body, text } = await call('search_companies', args)
    seen.push(...body.data.map((row: { ticker: string }) => row.ticker))
    args = body.meta.next
    t.equal(text.includes('More: call search_companies'), args !== undefined)
  }
  const { body } = await server.ask('/v1/companies?sort=-total_debt')
  t.strictSame(
    seen,
    body.data.map((row: { ticker: string }) => row.ticker),
  )
})

t.test(
  'columns asked about are shown beside the usual ones, with units, and what is left out is said',
  async t => {
    const { call } = await ask(t, await start(t))
    const { body, text } = await call('search_companies', { min_net_leverage: -100, sort: ['-cash'] })
    const row = body.data[0]
    for (const name of ['ticker', 'total_debt', 'net_leverage_ratio', 'cash']) t.ok(name in row, name)
    t.notOk('lei' in row)
    t.match(body.meta.units, { total_debt: 'cents', cash: 'cents' })
    t.match(body.meta.left_out, [/further columns/])
    t.match(text, /^\d rows? match, rows 1 to \d, as of 2025-/)
    t.match(text, /ticker,name,.*total_debt \(cents\)/)
  },
)

t.test('a mistake is told so that the next call can be right', async t => {
  const { call } = await ask(t, await start(t))
  const cases: [string, object, RegExp[], object][] = [
    [
      'search_companies',
      { min_leverge: 4 },
      [/did you mean min_leverage/, /Fix the arguments/],
      { suggestion: 'min_leverage' },
    ],
    ['search_companies', { rating_bucket: 'B' }, [/must be one of IG, /], { parameter: 'rating_bucket' }],
    ['search_companies', { fields: ['nam'] }, [/Allowed: company_id, ticker, name/], { suggestion: 'name' }],
    ['search_companies', { limit: 101 }, [/limit must be between 1 and 100/], { max: 100 }],
    ['search_companies', { format: 'csv' }, [/there is no parameter format/], {}],
    ['search_bonds', { ticker: ['ALFX'] }, [/INVALID_TICKER.*did you mean ALF/], { unknown: ['ALFX'] }],
    ['history_pricing', {}, [/MISSING_PARAMETER: cusip is required/], { parameter: 'cusip' }],
    [
      'traverse_entities',
      { start: 'ALFA', relationships: ['debt'] },
      [/company:TICKER/],
      { parameter: 'start' },
    ],
    ['search_companies', { as_of: '1900-01-01' }, [/NO_SNAPSHOT: .*the first day is/], {}],
    ['search_company', {}, [/there is no tool search_company; did you mean search_companies/], {}],
  ]
  for (const [name, args, words, details] of cases) {
    const { isError, text, body } = await call(name, { ...args })
    t.ok(isError, `${name} ${JSON.stringify(args)}`)
    for (const word of words) t.match(text, word)
    t.match(body.error.details, details)
  }
})

t.test('an answer without rows says why in its text, and nothing of columns', async t => {
  const server = await start(t)
  const { client } = await ask(t, server)
  const answer = await client.callTool({ name: 'search_bonds', arguments: { min_ytm: 99 } })
  const { text } = (answer.content as { text: string }[])[0]!
  t.match(text, /^0 rows match, as of [\d-]+\.\nEmpty because: \d+ rows without min_ytm=99, /)
  t.notMatch(text, /Left out/)
})

t.test('keys, tiers, limits, credits and usage are those of /v1', async t => {
  const now = Date.now()
  const server = await start(t, { clock: () => now })
  const { url, keys, state, ids } = server
  await t.rejects(overHttp(t, url, {}), /UNAUTHORIZED/)
  await t.rejects(overHttp(t, url, { 'X-API-Key': 'tr_00000000000000000000000000000000' }), /UNAUTHORIZED/)
  await overHttp(t, url, { Authorization: `Bearer ${keys.pro}` })

  const { client, call } = await ask(t, server, 'pay_as_you_go')
  const { tools } = await client.listTools()
  t.notOk(tools.some(tool => tool.name === 'search_pricing' || tool.name === 'export'))
  t.match(await call('search_pricing'), { isError: true, text: /TIER_RESTRICTED[\s\S]*has_pricing=true/ })
  t.match(await call('search_companies', { ticker: 'BETA' }), { isError: true, text: /TIER_RESTRICTED/ })
  t.equal((await state.balance(ids.pay_as_you_go)).remaining, 100, 'what fails costs nothing')
  t.notMatch(JSON.stringify((await call('search_companies')).body.data), /BETA/)
  t.equal((await state.balance(ids.pay_as_you_go)).remaining, 99)
  await call('search_documents', { q: 'debt' })
  t.equal((await state.balance(ids.pay_as_you_go)).remaining, 96)

  for (let i = 0; i < 60; i++) await call('search_companies', { limit: 0 })
  t.match(await call('search_companies'), { isError: true, text: /RATE_LIMITED: .*wait 60 seconds/ })
  await t.rejects(client.listTools(), /RATE_LIMITED/)
  t.equal((await state.balance(ids.pay_as_you_go)).remaining, 96)

  await server.close()
  const calls = state.calls.filter(c => c.keyId === ids.pay_as_you_go)
  const of = (endpoint: string) => calls.filter(c => c.endpoint === endpoint).map(c => [c.status, c.cost])
  t.strictSame(of('search.pricing'), [[403, 0]])
  t.strictSame(of('search.documents'), [[200, 3]])
  t.strictSame(of('search.companies').slice(0, 3), [
    [403, 0],
    [200, 1],
    [400, 0],
  ])
  t.strictSame(of('search.companies').at(-1), [429, 0])
})

t.test('pages of the web may ask only where the operator lets them', async t => {
  const body = { jsonrpc: '2.0', id: 1, method: 'ping' }
  const headers = { Accept: 'application/json, text/event-stream' }
  const from = (origin: string) => ({ body, headers: { ...headers, Origin: origin } })
  const closed = await start(t)
  t.equal((await closed.ask('/mcp', { body, headers })).status, 200)
  for (const origin of ['https://evil.example', 'null', closed.url])
    t.match(await closed.ask('/mcp', from(origin)), { status: 403, body: { error: { code: 'FORBIDDEN' } } })
  const open = await start(t, { cors: ['https://desk.example'] })
  t.equal((await open.ask('/mcp', from('https://desk.example'))).status, 200)
  t.equal((await open.ask('/mcp', from('https://evil.example'))).status, 403)
})

t.test('one message a request: no stream, no session, no batch', async t => {
  const { ask } = await start(t)
  const headers = { Accept: 'application/json, text/event-stream' }
  for (const method of ['GET', 'DELETE'])
    t.match(await ask('/mcp', { method, headers }), { status: 405, headers: { allow: 'POST' } })
  const batch = JSON.stringify([{ jsonrpc: '2.0', id: 1, method: 'ping' }])
  t.match(await ask('/mcp', { body: batch, headers }), {
    status: 400,
    body: { error: { code: 'INVALID_JSON' } },
  })
  const unknown = { jsonrpc: '2.0', id: 1, method: 'tools/eat' }
  t.match(await ask('/mcp', { body: unknown, headers }), { status: 200, body: { error: { code: -32601 } } })
})

t.test('resources tell the schema, the snapshot and the conventions; prompts say how to work', async t => {
  const server = await start(t)
  const { client } = await ask(t, server)
  const { resources } = await client.listResources()
  const read = async (uri: string) => {
    const { contents } = await client.readResource({ uri })
    return (contents[0] as { text: string }).text
  }
  for (const { uri } of resources) t.ok((await read(uri)).length > 100, uri)
  t.match(JSON.parse(await read('tranche://snapshot')), {
    id: server.engine.snapshot,
    tables: { companies: 2 },
  })
  t.notMatch(await read('tranche://snapshot'), server.lake.root)
  t.match(JSON.parse(await read('tranche://schema/bonds')).columns, [{ name: 'id', kind: 'text' }])
  t.match(await read('tranche://conventions'), /# Conventions/)
  await t.rejects(client.readResource({ uri: 'tranche://schema/nothing' }), /no resource/)

  const { prompts } = await client.listPrompts()
  t.strictSame(prompts.map(p => p.name).sort(), [
    'compare_covenants',
    'covenants',
    'explain_number',
    'liquidity',
    'recovery',
    'screen',
    'structure',
    'what_changed',
  ])
  const { tools } = await client.listTools()
  for (const { name, arguments: args = [] } of prompts) {
    const given = Object.fromEntries(
      args.map(arg => [arg.name, ['as_of', 'until'].includes(arg.name) ? '2025-06-02' : 'ALFA']),
    )
    const { messages } = await client.getPrompt({ name, arguments: given })
    const { text } = messages[0]!.content as { text: string }
    t.match(text, /ALFA[\s\S]*(?:as_of:|until) "2025-06-02"/)
    for (const [named] of text.matchAll(
      /\b(?:(?:search|compare|resolve|traverse)_\w+|changes_company|recovery_company)/g,
    ))
      t.ok(
        tools.some(tool => tool.name === named),
        `${name} names ${named}`,
      )
    await t.rejects(client.getPrompt({ name }), /is required/)
  }
})
