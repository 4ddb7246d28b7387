import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { AppOptions } from '../../server/app/app.ts'
import type { Tier } from '../../server/limits/tiers.ts'
import type { Log } from '../../server/log/log.ts'
import { openState } from '../../server/state/open.ts'
import { testFolder } from '../folder.ts'
import { browser, PASSWORD, signedUp } from './browser.ts'
import { start } from './start.ts'

const MINUTE = 60_000
const headers = (...all: Record<string, string>[]) => all
const SCRIPT = '<script>alert(1)</script>'

// For the whole file: a store that is still open when its file is deleted reports it.
const folder = testFolder(t)
let stores = 0

/** The application with accounts, on a clock set by the test. */
async function startWith(t: Test, options: Partial<AppOptions> = {}) {
  const clock = { now: Date.UTC(2026, 0, 5) }
  const logged: object[] = []
  const note = (about: object) => void logged.push(about)
  const log = { info: note, warn: note, error: note } as unknown as Log
  const state = await openState(join(folder, `${stores++}.db`), { now: () => clock.now })
  t.teardown(() => state.close())
  const running = await start(t, { state, accounts: state, log, clock: () => clock.now, ...options })
  const invite = async (email: string, tier: Tier = 'pro', role: 'user' | 'admin' = 'user') =>
    (await state.createAccount({ email, tier, role })).token
  return {
    ...running,
    state,
    clock,
    logged,
    invite,
    signUp: async (email: string, tier?: Tier, role?: 'user' | 'admin') =>
      signedUp(running.url, await invite(email, tier, role)),
  }
}

t.test('a link sets a password once, before it expires, and signs in', async t => {
  const { url, invite, clock } = await startWith(t)
  const token = await invite('ana@fund.example')
  const own = browser(url)
  t.match(await own.get('/session'), { status: 401, body: { error: { code: 'UNAUTHORIZED' } } })
  for (const password of ['short', 'password1234', 'aaaaaaaaaaaaaa', 'x'.repeat(257), 71_717]) {
    const refused = await own.send('POST', '/session/accept', { token, password })
    t.match(refused, { status: 400, body: { error: { details: { parameter: 'password' } } } })
    t.notOk(refused.text.includes(String(password)), 'a password is never repeated')
  }
  t.equal((await own.send('POST', '/session/accept', { token: 'x', password: PASSWORD })).status, 404)
  const accepted = await own.send('POST', '/session/accept', { token, password: PASSWORD })
  t.match(accepted, {
    status: 200,
    headers: { 'cache-control': 'no-store' },
    body: {
      account: { email: 'ana@fund.example', role: 'user', tier: 'pro', owner: true },
      csrf: /^[0-9a-f]{64}$/,
      key: null,
      demo: false,
    },
  })
  t.match(
    accepted.headers['set-cookie']![0],
    /^tranche_session=[\w-]{43}; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/,
  )
  t.equal((await browser(url).send('POST', '/session/accept', { token, password: PASSWORD })).status, 404)

  const late = await invite('bo@fund.example')
  clock.now += 3 * 24 * 60 * MINUTE
  t.equal((await own.send('POST', '/session/accept', { token: late, password: PASSWORD })).status, 404)
})

t.test('a session uses the chosen key, and a key in the request takes precedence', async t => {
  const { url, signUp, keys, clock } = await startWith(t)
  const ana = await signUp('ana@fund.example', 'pay_as_you_go')
  t.match(await ana.get('/v1/bonds'), { status: 403, body: { error: { details: { reason: 'no_key' } } } })
  const first = (await ana.send('POST', '/account/keys', { label: 'one' })).body.data
  clock.now++
  const second = (await ana.send('POST', '/account/keys', { label: 'two' })).body.data
  t.match((await ana.get('/session')).body.key, { id: first.id, label: 'one', tier: 'pay_as_you_go' })
  t.match((await ana.send('POST', '/session/key', { id: second.id })).body.key, { id: second.id })
  const me = await ana.get('/v1/auth/me')
  t.match(me, { status: 200, headers: { 'x-ratelimit-limit': '60' }, body: { key: { id: second.id } } })
  t.equal((await ana.get('/v1/bonds')).status, 402, 'the key pays')
  t.match(await ana.get('/v1/auth/me', { 'X-API-Key': keys.business }), {
    body: { email: 'desk@example.com', tier: 'business' },
  })
  t.equal((await ana.get('/v1/auth/me', { 'X-API-Key': 'tr_0' })).status, 401, 'also one that is wrong')
  await ana.send('DELETE', `/account/keys/${second.id}`)
  t.match((await ana.get('/session')).body.key, { id: first.id }, 'the next one in force')
  t.equal((await ana.send('POST', '/session/key', { id: second.id })).status, 400)
  const stranger = await signUp('eve@fund.example')
  t.equal((await stranger.send('POST', '/session/key', { id: first.id })).status, 404)
  t.equal((await browser(url).get('/v1/bonds', { Cookie: 'tranche_session=x' })).status, 401)
})

t.test("changes need the session's token and come from our own pages only", async t => {
  const { signUp, url } = await startWith(t)
  const ana = await signUp('ana@fund.example', 'business')
  const eve = await signUp('eve@fund.example')
  const id = (await ana.send('POST', '/account/keys', {})).body.data.id
  const json = { 'Content-Type': 'application/json' }
  const asked: [method: string, path: string, body?: object][] = [
    ['POST', '/account/keys', {}],
    ['PATCH', `/account/keys/${id}`, { label: 'x' }],
    ['POST', `/account/keys/${id}/regenerate`],
    ['DELETE', `/account/keys/${id}`],
    ['POST', '/account/seats', { email: 'x@y.example' }],
    ['POST', '/account/coverage-requests', { ticker: 'NEWCO', company_name: 'Newco' }],
    ['POST', '/session/key', { id }],
    ['DELETE', '/session'],
    ['POST', '/v1/batch', { operations: [] }],
  ]
  for (const [method, path, body] of asked) {
    for (const csrf of ['', eve.csrf, ana.csrf.slice(1), `${ana.csrf}0`])
      t.match(await ana.send(method, path, body, { ...json, 'X-CSRF-Token': csrf }), {
        status: 403,
        body: { error: { code: 'FORBIDDEN', details: { reason: 'csrf' } } },
      })
    for (const from of headers(
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { Origin: url.replace(/\d+$/, '1') },
    ))
      t.match(await ana.send(method, path, body, { ...json, ...from }), {
        status: 403,
        body: { error: { details: { reason: 'cross_origin' } } },
      })
  }
  t.match(await ana.get('/v1/bonds', { 'Sec-Fetch-Site': 'same-site' }), { status: 403 }, 'not even a look')
  for (const from of headers({ 'Sec-Fetch-Site': 'same-origin' }, { Origin: url }))
    t.equal((await ana.send('PATCH', `/account/keys/${id}`, { label: 'desk' }, from)).status, 200)
  t.match((await ana.get('/account/keys')).body.data, [{ id, label: 'desk', revoked_at: null }])
})

t.test('forms posted from another site are refused, including sign-in', async t => {
  const { url, signUp } = await startWith(t)
  const ana = await signUp('ana@fund.example')
  const form = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: 'https://evil.example' }
  for (const path of ['/account/keys', '/session', '/session/accept', '/v1/batch'])
    t.equal((await ana.send('POST', path, { email: 'x' }, { ...form, 'X-CSRF-Token': '' })).status, 403, path)
  const own = { ...form, Origin: url }
  t.equal((await ana.send('POST', '/session', { email: 'x' }, own)).status, 415, 'a form is no JSON')
  const cors = await startWith(t, { cors: '*' })
  for (const path of ['/session', '/Session', '//account/keys', '/%61ccount/keys', '/admin/accounts']) {
    const { headers } = await browser(cors.url).get(path, { Origin: 'https://other.example' })
    t.equal(headers['access-control-allow-origin'], undefined, `${path} is for our own pages`)
  }
  const { headers } = await browser(cors.url).get('/v1/bonds', { Origin: 'https://other.example' })
  t.equal(headers['access-control-allow-origin'], '*')
  t.equal(headers['access-control-allow-credentials'], undefined)
})

t.test('a stolen key cannot change keys, and a regenerated key is invalid at once', async t => {
  const { url, signUp, ask } = await startWith(t)
  const ana = await signUp('ana@fund.example')
  const { id, key } = (await ana.send('POST', '/account/keys', { label: 'desk' })).body.data
  const thief = browser(url)
  const stolen = { 'X-API-Key': key, 'X-CSRF-Token': ana.csrf }
  for (const [method, path] of [
    ['POST', `/account/keys/${id}/regenerate`],
    ['DELETE', `/account/keys/${id}`],
    ['GET', '/account/keys'],
    ['GET', '/session'],
    ['GET', '/admin/accounts'],
    ['GET', '/admin/audit-log'],
  ] as const)
    t.equal((await thief.send(method, path, undefined, stolen)).status, 401, `${method} ${path}`)
  t.equal((await ask('/v1/auth/me', { key })).status, 200)
  const next = (await ana.send('POST', `/account/keys/${id}/regenerate`)).body.data
  t.match(next, { id, label: 'desk', key: /^tr_[0-9a-f]{32}$/ })
  t.equal((await ask('/v1/auth/me', { key })).status, 401)
  t.equal((await ask('/v1/auth/me', { key: next.key })).status, 200)
  t.notOk((await ana.get('/account/keys')).text.includes(next.key), 'shown once')
  const eve = await signUp('eve@fund.example', 'business', 'admin')
  t.equal((await eve.send('POST', `/account/keys/${id}/regenerate`)).status, 404, 'nor does an administrator')
})

t.test('a planted session is not taken over, and sign-in creates a new one', async t => {
  const { url, signUp } = await startWith(t)
  const eve = await signUp('eve@fund.example')
  await signUp('ana@fund.example')
  const victim = browser(url)
  const planted = eve.cookie
  victim.cookie = planted
  const given = { email: ' Ana@fund.example', password: PASSWORD }
  t.match(await victim.send('POST', '/session', given), { body: { account: { email: 'ana@fund.example' } } })
  t.not(victim.cookie, planted)
  t.equal((await eve.get('/session')).status, 401, 'the one that was planted is over')
  victim.cookie = `${victim.cookie}; ${victim.cookie}`
  t.equal((await victim.get('/session')).status, 401, 'of two cookies none is believed')
})

t.test('a session ends when unused, expired, signed out, or its account is disabled', async t => {
  const { url, signUp, clock, state } = await startWith(t)
  const ana = await signUp('ana@fund.example')
  const other = browser(url)
  await other.send(
    'POST',
    '/session',
    { email: 'ana@fund.example', password: PASSWORD },
    { 'User-Agent': SCRIPT },
  )
  const { data } = (await ana.get('/account/sessions')).body
  t.match(data, [{ current: Boolean, address: '127.0.0.1' }, {}])
  t.strictSame(data.map((s: { agent: string | null }) => s.agent).sort(), [SCRIPT, null].sort())
  const theirs = data.find((s: { current: boolean }) => !s.current)
  t.equal((await other.send('DELETE', `/account/sessions/${theirs.id}`)).status, 204)
  t.match((await other.get('/session')).status, 401)
  t.equal((await ana.send('DELETE', `/account/sessions/${theirs.id}`)).status, 404)

  for (let i = 0; i < 13; i++) {
    clock.now += 11 * 60 * MINUTE
    t.equal((await ana.get('/session')).status, 200)
  }
  clock.now += 12 * 60 * MINUTE
  t.equal((await ana.get('/session')).status, 401, 'unused for 12 hours')
  const again = () => ana.send('POST', '/session', { email: 'ana@fund.example', password: PASSWORD })
  await again()
  for (let i = 0; i < 16; i++) {
    await ana.get('/session')
    clock.now += 11 * 60 * MINUTE
  }
  t.equal((await ana.get('/session')).status, 401, 'older than a week')
  await again()
  const signedOut = await ana.send('DELETE', '/session')
  t.equal(signedOut.status, 204)
  t.match(signedOut.headers['set-cookie']![0], /^tranche_session=; .*1970/)
  t.equal((await ana.get('/session')).status, 401)
  await again()
  await state.enableAccount('ana@fund.example', false)
  t.equal((await ana.get('/session')).status, 401)
  t.equal((await again()).status, 401)
})

t.test('changing the password ends all other sessions', async t => {
  const { url, signUp } = await startWith(t)
  const ana = await signUp('ana@fund.example')
  const other = browser(url)
  const signIn = (password: string) => other.send('POST', '/session', { email: 'ana@fund.example', password })
  await signIn(PASSWORD)
  const next = 'four words nobody knows'
  const change = (current: string, password: string) =>
    ana.send('POST', '/session/password', { current, password })
  t.equal((await change('wrong wrong wrong', next)).status, 403)
  t.equal((await change(PASSWORD, 'short')).status, 400)
  const before = ana.cookie
  t.match(await change(PASSWORD, next), { status: 200, body: { account: { email: 'ana@fund.example' } } })
  t.not(ana.cookie, before)
  t.equal((await ana.get('/session')).status, 200)
  t.equal((await other.get('/session')).status, 401)
  t.equal((await signIn(PASSWORD)).status, 401)
  t.equal((await signIn(next)).status, 200)
})

t.test('too many failures lock an email out for a while, known or not', async t => {
  const { url, signUp, clock, logged } = await startWith(t)
  const ana = await signUp('ana@fund.example')
  const guess = (email: string, password = 'wrong wrong wrong') =>
    browser(url).send('POST', '/session', { email, password })
  const known = await guess('ana@fund.example')
  const unknown = await guess('nobody@fund.example')
  const plain = ({ body, status }: typeof known) => ({ status, error: { ...body.error, request_id: '' } })
  t.strictSame(plain(known), plain(unknown), 'the same answer')
  for (const email of ['ana@fund.example', 'nobody@fund.example']) {
    const all = await Promise.all(Array.from({ length: 8 }, () => guess(email)))
    t.strictSame(all.map(a => a.status).sort(), [401, 401, 401, 401, 429, 429, 429, 429], 'also at once')
    t.match(await guess(email, PASSWORD), { status: 429, headers: { 'retry-after': '900' } })
  }
  t.equal((await ana.get('/session')).status, 200, 'who is signed in stays so')
  clock.now += 15 * MINUTE
  t.equal((await guess('ana@fund.example', PASSWORD)).status, 200)
  t.equal((await guess('ana@fund.example')).status, 401, 'and counts from none')
  for (let i = 0; i < 30; i++) await guess(`n${i}@fund.example`)
  t.match(await guess('ana@fund.example', PASSWORD), { status: 429 }, 'the address waits too')

  const text = JSON.stringify(logged)
  t.match(text, /"audit":"sign-in locked","email":"ana@fund.example","seconds":900/)
  t.match(text, /"audit":"sign-in refused","email":null/)
  t.match(text, /"audit":"password set"/)
  for (const secret of ['nobody@', 'wrong wrong', PASSWORD, ana.cookie.split('=')[1]!, ana.csrf])
    t.notOk(text.includes(secret), `no ${secret} in the log`)
})

t.test('text is returned in JSON as written, within limits', async t => {
  const { signUp } = await startWith(t)
  const ana = await signUp('ana@fund.example', 'business', 'admin')
  const { id } = (await ana.send('POST', '/account/keys', { label: SCRIPT })).body.data
  await ana.send('POST', '/account/coverage-requests', {
    ticker: '<b>X</b>',
    company_name: SCRIPT,
    note: `one\n${SCRIPT}`,
  })
  t.equal((await ana.send('POST', '/account/seats', { email: '<img/src=x>@fund.example' })).status, 201)
  for (const path of [
    '/account/keys',
    '/account/coverage-requests',
    '/account/seats',
    '/admin/accounts',
    '/admin/audit-log',
    '/admin/coverage-requests',
    '/session',
  ])
    t.match((await ana.get(path)).headers, {
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'content-security-policy': /default-src 'none'/,
    })
  t.match((await ana.get('/account/keys')).body.data, [{ label: SCRIPT }])
  t.match((await ana.get('/account/coverage-requests')).body.data, [
    { ticker: '<B>X</B>', company_name: SCRIPT, note: `one\n${SCRIPT}` },
  ])
  const bad: [string, string, object][] = [
    ['PATCH', `/account/keys/${id}`, { label: 'x'.repeat(101) }],
    ['PATCH', `/account/keys/${id}`, { label: 'a\u001b[2Jb' }],
    ['PATCH', `/account/keys/${id}`, { label: 'a\nb' }],
    ['PATCH', `/account/keys/${id}`, { label: 'a\u202eb' }],
    ['POST', '/account/coverage-requests', { ticker: 'AB', company_name: 'a\u0007b' }],
    ['POST', '/account/coverage-requests', { ticker: 'A\u0007', company_name: 'ab' }],
    ['POST', '/account/coverage-requests', { ticker: 'AB', company_name: 'ab', note: 'x'.repeat(2001) }],
    ['POST', '/account/seats', { email: 'a\u001b@fund.example' }],
    ['POST', '/account/seats', { email: 'no email' }],
    ['POST', '/account/keys', { labl: 'x' }],
  ]
  for (const [method, path, body] of bad)
    t.equal((await ana.send(method, path, body)).status, 400, JSON.stringify(body))
  const large = { ticker: 'AB', company_name: 'ab', note: 'x'.repeat(16 * 1024) }
  t.match(await ana.send('POST', '/account/coverage-requests', large), {
    status: 413,
    body: { error: { code: 'PAYLOAD_TOO_LARGE', details: { max_bytes: 16 * 1024 } } },
  })
})

t.test('an owner adds and removes seats, together with their keys', async t => {
  const { url, signUp, ask } = await startWith(t)
  const poor = await signUp('cy@shop.example', 'pro')
  t.match(await poor.send('POST', '/account/seats', { email: 'x@shop.example' }), {
    body: { error: { code: 'TIER_RESTRICTED' } },
  })
  const ana = await signUp('ana@fund.example', 'business')
  const invited = await ana.send('POST', '/account/seats', { email: 'bo@fund.example' })
  t.match(invited, { status: 201, body: { data: { email: 'bo@fund.example' } } })
  const { link } = invited.body.data
  t.ok(link.startsWith(`${url}/#/welcome?token=`))
  const bo = await signedUp(url, link.split('token=')[1])
  const boKey = (await bo.send('POST', '/account/keys', {})).body.data
  t.match(boKey, { email: 'bo@fund.example', tier: 'business' })
  await ana.send('POST', '/account/keys', {})
  t.equal((await ana.get('/account/keys')).body.meta.total, 2, 'the owner sees all')
  t.equal((await bo.get('/account/keys')).body.meta.total, 1, 'others their own')
  t.equal((await bo.send('DELETE', '/account/seats/ana@fund.example')).status, 403)
  t.equal((await ana.send('POST', '/account/seats', { email: 'bo@fund.example' })).status, 400)
  t.equal((await ana.send('POST', '/account/seats', { email: 'cy@shop.example' })).status, 400)
  for (const name of ['c', 'd', 'e'])
    t.equal((await ana.send('POST', '/account/seats', { email: `${name}@fund.example` })).status, 201)
  t.match(await ana.send('POST', '/account/seats', { email: 'f@fund.example' }), {
    status: 400,
    body: { error: { message: /no free seat, all 5 are taken/ } },
  })
  t.match((await ana.get('/account/seats')).body.meta, { used: 5, total: 5 })
  t.equal((await ana.send('DELETE', '/account/seats/bo%40fund.example')).status, 204)
  t.equal((await bo.get('/session')).status, 401)
  t.equal((await ask('/v1/auth/me', { key: boKey.key })).status, 401)
  t.equal((await ana.send('DELETE', '/account/seats/ana@fund.example')).status, 400)
})

t.test('credits have a ledger, and keys per person are limited', async t => {
  const { signUp, state, ask } = await startWith(t)
  const ana = await signUp('ana@fund.example', 'pay_as_you_go')
  const { id, key } = (await ana.send('POST', '/account/keys', {})).body.data
  await state.creditKey(id, 200, 'package 10')
  await ask('/v1/bonds', { key })
  t.match((await ana.get('/account/credits?limit=1')).body, {
    data: {
      balance: { remaining: 199, used: 1, purchased: 200 },
      keys: [{ id, unlimited: false, remaining: 199 }],
      packages: [{ dollars: 10, credits: 200 }, {}, {}, {}],
      ledger: [{ key_id: id, kind: 'charge', credits: -1, endpoint: 'search.bonds' }],
    },
    meta: { total: 2, limit: 1 },
  })
  const made = await Promise.all(Array.from({ length: 12 }, () => ana.send('POST', '/account/keys', {})))
  t.equal(made.filter(answer => answer.status === 201).length, 9, 'ten in force')
})

t.test('changes over HTTP are in the audit log with who made them, and from where', async t => {
  const { url, signUp } = await startWith(t)
  const ana = await signUp('ana@fund.example', 'business')
  const root = await signUp('root@desk.example', 'pro', 'admin')
  const { id } = (await ana.send('POST', '/account/keys', { label: 'desk' })).body.data
  await ana.send('PATCH', `/account/keys/${id}`, { label: 'night' })
  await ana.send('POST', `/account/keys/${id}/regenerate`)
  await ana.send('DELETE', `/account/keys/${id}`)
  for (const _ of [1, 2]) await ana.send('POST', '/account/seats', { email: 'bo@fund.example' })
  await ana.send('DELETE', '/account/seats/bo@fund.example')
  const changed = { current: PASSWORD, password: `${PASSWORD} again` }
  t.equal((await ana.send('POST', '/session/password', changed)).status, 200)

  const { body } = await root.get('/admin/audit-log?who=ana@fund.example')
  t.strictSame(body.data.map(({ action }: { action: string }) => action).reverse(), [
    'password set',
    'key created',
    'key labelled',
    'key regenerated',
    'key revoked',
    'account created',
    'account reset',
    'seat removed',
    'password set',
  ])
  for (const { address } of body.data) t.match(address, /127\.0\.0\.1/, new URL(url).host)
  t.match(body.data[1], { subject: 'bo@fund.example', request_id: /^[\w-]{8,}$/ })
  t.equal((await root.get(`/admin/audit-log?subject=${id}&limit=1`)).body.meta.total, 4)
})

t.test('only administrators see all accounts', async t => {
  const { signUp } = await startWith(t)
  const ana = await signUp('ana@fund.example')
  const root = await signUp('root@desk.example', 'pro', 'admin')
  await ana.send('POST', '/account/coverage-requests', { ticker: 'NEWCO', company_name: 'Newco' })
  for (const path of ['/admin/accounts', '/admin/audit-log', '/admin/coverage-requests']) {
    t.match(await ana.get(path), { status: 403, body: { error: { details: { reason: 'role' } } } })
    t.equal((await root.get(path)).status, 200)
  }
  t.match((await root.get('/admin/accounts')).body, {
    data: [
      { email: 'ana@fund.example', role: 'user', has_password: true },
      { email: 'root@desk.example', role: 'admin' },
    ],
    meta: { total: 2 },
  })
  t.match((await root.get('/admin/coverage-requests')).body.data, [
    { account: 'ana@fund.example', ticker: 'NEWCO' },
  ])
  t.strictSame((await root.get('/account/coverage-requests')).body.data, [])
})

t.test('over TLS the cookie is bound to the host', async t => {
  const { url, signUp } = await startWith(t, { trustProxy: 1 })
  await signUp('ana@fund.example')
  const own = browser(url)
  const behind = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'debt.example.com' }
  const from = { ...behind, Origin: 'https://debt.example.com' }
  const answer = await own.send('POST', '/session', { email: 'ana@fund.example', password: PASSWORD }, from)
  t.match(
    answer.headers['set-cookie']![0],
    /^__Host-tranche_session=[\w-]{43}; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Strict$/,
  )
  t.equal((await own.get('/session', behind)).status, 200)
  const inClear = { ...behind, Origin: 'http://debt.example.com' }
  t.equal((await own.send('DELETE', '/session', undefined, inClear)).status, 403)
})

t.test('a demo signs in only users of this machine', async t => {
  const { url, state } = await startWith(t, { demo: true })
  const { ensureDemoAccount } = await import('../../server/v1/demo-account.ts')
  await ensureDemoAccount(state)
  const own = browser(url)
  t.match((await own.get('/session')).body, {
    account: { email: 'demo@localhost', role: 'admin' },
    demo: true,
  })
  const port = new URL(url).port
  for (const host of ['localhost', '127.0.0.1', '[::1]', '127.0.0.2'])
    t.equal((await browser(url).get('/session', { Host: `${host}:${port}` })).status, 200, host)
  for (const host of ['evil.example', '127.0.0.1.evil.example', 'localhost.evil.example', '192.0.2.1'])
    for (const path of ['/session', '/v1/bonds', '/healthz'])
      t.match(await own.get(path, { Host: host }), {
        status: 403,
        body: { error: { details: { reason: 'host' } } },
      })
  for (const by of headers(
    { 'X-Forwarded-For': '203.0.113.9' },
    { Forwarded: 'for=203.0.113.9' },
    { Via: '1.1 p' },
  ))
    t.equal((await browser(url).get('/session', by)).status, 401)
  t.equal((await browser(url).get('/session', { 'Sec-Fetch-Site': 'cross-site' })).status, 403)

  const plain = await start(t, { state, accounts: state })
  t.equal(
    (await browser(plain.url).get('/session', { Cookie: own.cookie })).status,
    401,
    'no demo, no session',
  )
  await state.createAccount({ email: 'ana@fund.example' })
  await ensureDemoAccount(state)
  t.match((await own.get('/session')).body.account, { role: 'user' }, 'others are not shown to it')
})
