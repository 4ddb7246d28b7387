import { join } from 'node:path'
import t, { type Test } from 'tap'
import { openState } from '../../server/state/open.ts'
import { DEMO_EMAIL, ensureDemoAccount } from '../../server/v1/demo-account.ts'
import { testFolder } from '../folder.ts'
import { browser, signedUp } from './browser.ts'
import { start } from './start.ts'

const folder = testFolder(t)
let stores = 0

async function startWith(t: Test) {
  const state = await openState(join(folder, `${stores++}.db`))
  t.teardown(() => state.close())
  const running = await start(t, { state, accounts: state })
  const signUp = async (email: string, owner?: string) =>
    signedUp(
      running.url,
      (await state.createAccount({ email, tier: 'business', ...(owner && { owner }) })).token,
    )
  return { ...running, signUp, ana: await signUp('ana@fund.example') }
}

t.test('a screen is saved, opened, renamed, changed and deleted', async t => {
  const { ana } = await startWith(t)
  const wanted = { name: 'Levered energy', resource: 'companies', query: 'sector=Energy&min_leverage=4' }
  const made = await ana.send('POST', '/account/screens', wanted)
  t.match(made, { status: 201, body: { data: { ...wanted, changed_by: 'ana@fund.example' } } })
  const { id } = made.body.data
  t.match((await ana.get('/account/screens')).body, { data: [wanted], meta: { total: 1, most: 100 } })
  t.match(await ana.send('PATCH', `/account/screens/${id}`, { name: 'Energy' }), {
    status: 200,
    body: { data: { id, name: 'Energy', query: wanted.query } },
  })
  await ana.send('PATCH', `/account/screens/${id}`, { query: 'sector=Energy' })
  t.match((await ana.get('/account/screens')).body.data, [{ name: 'Energy', query: 'sector=Energy' }])
  t.equal((await ana.send('DELETE', `/account/screens/${id}`)).status, 204)
  t.match(await ana.send('DELETE', `/account/screens/${id}`), {
    status: 404,
    body: { error: { code: 'NOT_FOUND' } },
  })
  t.equal((await ana.send('PATCH', `/account/screens/${id}`, { name: 'x' })).status, 404)
})

t.test('what cannot be saved is refused with what to do', async t => {
  const { ana } = await startWith(t)
  await ana.send('POST', '/account/screens', { name: 'One', resource: 'bonds' })
  for (const [path, body, message] of [
    ['screens', { name: 'one', resource: 'bonds' }, /a saved screen named One exists: choose another name/],
    ['screens', { name: 'Two', resource: 'bond' }, /no list bond; did you mean bonds\?/],
    ['screens', { name: 'Two\u202e', resource: 'bonds' }, /send plain text/],
    ['screens', { name: 'x'.repeat(101), resource: 'bonds' }, /100/],
    ['screens', { resource: 'bonds' }, /name is required/],
    ['columns', { name: 'Two', resource: 'bonds', fields: ['cupon_rate'] }, /did you mean coupon_rate/],
    ['columns', { name: 'Two', resource: 'bonds' }, /fields is required/],
    ['watchlists', { name: 'Two', members: ['FRNLL'] }, /write a company as company:TICKER/],
    [
      'watchlists',
      { name: 'Two', members: Array.from({ length: 101 }, (_, i) => `company:C${i}`) },
      /at most 100/,
    ],
    ['notes', { subject: 'company:ALFA', text: 'x'.repeat(4_001) }, /4,?000/],
    ['notes', { subject: 'ALFA', text: 'x' }, /company:TICKER/],
  ] as const)
    t.match(
      await ana.send('POST', `/account/${path}`, body),
      { status: 400, body: { error: { message } } },
      `${path} ${JSON.stringify(body).slice(0, 80)}`,
    )
})

t.test('people of an account share saved work; others see none of it, and keys do not reach it', async t => {
  const { ana, signUp, ask, url } = await startWith(t)
  const bo = await signUp('bo@fund.example', 'ana@fund.example')
  const eve = await signUp('eve@other.example')
  const { id } = (await ana.send('POST', '/account/watchlists', { name: 'Desk', members: ['company:ALFA'] }))
    .body.data
  t.match(await bo.send('PATCH', `/account/watchlists/${id}`, { add: ['bond:000000aa7', 'company:ALFA'] }), {
    status: 200,
    body: { data: { members: ['company:ALFA', 'bond:000000AA7'], changed_by: 'bo@fund.example' } },
  })
  await bo.send('POST', `/account/watchlists/${id}/seen`, { day: '2025-06-02' })
  t.match((await bo.get('/account/watchlists')).body.data, [{ seen: '2025-06-02' }])
  t.match((await ana.get('/account/watchlists')).body.data, [{ seen: null }])
  t.strictSame((await eve.get('/account/watchlists')).body.data, [])
  for (const [method, path, body] of [
    ['PATCH', '', { name: 'x' }],
    ['DELETE', '', undefined],
    ['POST', '/seen', { day: '2025-06-02' }],
  ] as const)
    t.equal((await eve.send(method, `/account/watchlists/${id}${path}`, body)).status, 404)
  for (const path of ['screens', 'columns', 'watchlists', 'notes', 'saved'])
    t.equal((await ask(`/account/${path}`)).status, 401, `a key does not read ${path}`)
  t.equal((await browser(url).get('/account/saved')).status, 401)
  ana.csrf = ''
  t.equal(
    (await ana.send('POST', '/account/watchlists', { name: 'x' })).status,
    403,
    'the CSRF token is needed',
  )
})

t.test('a note is written in place, and a change in between is not overwritten', async t => {
  const { ana } = await startWith(t)
  const subject = 'company:ALFA'
  const first = await ana.send('POST', '/account/notes', {
    subject: 'company:alfa',
    text: 'Refinancing?\nAsk.',
  })
  t.match(first, { status: 201, body: { data: { subject, text: 'Refinancing?\nAsk.' } } })
  const { id, changed_at } = first.body.data
  await new Promise(resolve => setTimeout(resolve, 5))
  t.equal(
    (await ana.send('POST', '/account/notes', { subject, text: 'Done.', expected: changed_at })).status,
    200,
  )
  t.match(await ana.send('POST', '/account/notes', { subject, text: 'Old.', expected: changed_at }), {
    status: 400,
    body: { error: { message: /changed this note meanwhile/ } },
  })
  await ana.send('POST', '/account/notes', { subject: 'bond:000000AA7', text: 'Cheap' })
  t.match((await ana.get(`/account/notes?subject=${subject}`)).body.data, [{ id, text: 'Done.' }])
  t.equal((await ana.get('/account/notes')).body.meta.total, 2)
  t.equal((await ana.send('DELETE', `/account/notes/${id}`)).status, 204)
  t.equal((await ana.get('/account/notes')).body.meta.total, 1)
})

t.test('saved work leaves as a file, and another account reads it', async t => {
  const { ana, signUp } = await startWith(t)
  const eve = await signUp('eve@other.example')
  await ana.send('POST', '/account/screens', { name: 'Cheap', resource: 'bonds', query: 'min_ytm=8' })
  await ana.send('POST', '/account/columns', {
    name: 'Short',
    resource: 'bonds',
    fields: ['cusip', 'pricing.ytm'],
  })
  await ana.send('POST', '/account/watchlists', { name: 'Desk', members: ['company:ALFA', 'bond:000000AA7'] })
  await ana.send('POST', '/account/notes', { subject: 'company:ALFA', text: 'Watch' })
  const file = (await ana.get('/account/saved')).body.data
  t.strictSame(file, {
    version: 1,
    screens: [{ name: 'Cheap', resource: 'bonds', query: 'min_ytm=8' }],
    columns: [{ name: 'Short', resource: 'bonds', fields: ['cusip', 'pricing.ytm'] }],
    watchlists: [{ name: 'Desk', members: ['company:ALFA', 'bond:000000AA7'] }],
    notes: [{ subject: 'company:ALFA', text: 'Watch' }],
  })
  t.strictSame((await eve.send('POST', '/account/saved', file)).body.data, { added: 4, replaced: 0, kept: 0 })
  t.strictSame((await eve.get('/account/saved')).body.data, file)
  t.strictSame((await eve.send('POST', '/account/saved', file)).body.data, { added: 0, replaced: 0, kept: 4 })
  t.strictSame((await eve.send('POST', '/account/saved', { ...file, existing: 'replace' })).body.data, {
    added: 0,
    replaced: 4,
    kept: 0,
  })
  for (const [broken, message] of [
    [{ version: 2 }, /version/],
    [{ version: 1, screens: {} }, /screens must be a list/],
    [{ version: 1, screens: ['x'] }, /screens\[0\] must be an object/],
    [
      { version: 1, watchlists: [{ name: 'A' }, { name: 'B', members: ['x'] }] },
      /watchlists\[1\]: write a company as/,
    ],
    [
      { version: 1, notes: [{ subject: 'company:A', texts: 'x' }] },
      /notes\[0\]: there is no parameter texts/,
    ],
  ] as const)
    t.match(await eve.send('POST', '/account/saved', broken), { status: 400, body: { error: { message } } })
})

t.test('a new demo account has screens that answer, and those deleted stay deleted', async t => {
  const { state, ask } = await startWith(t)
  await ensureDemoAccount(state)
  const { accountId } = (await state.accounts({ email: DEMO_EMAIL })).rows[0]!
  const saved = await state.savedItems(accountId)
  t.equal(saved.length, 3)
  for (const { name, body } of saved)
    t.equal((await ask(`/v1/${body['resource']}?${body['query']}`)).status, 200, name)
  await state.removeItem(accountId, 'screen', saved[0]!.id)
  await ensureDemoAccount(state)
  t.equal((await state.savedItems(accountId)).length, 2)
})
