import { readFile, stat } from 'node:fs/promises'
import t from 'tap'
import { checkState } from '../../../server/state/check.ts'
import { openState } from '../../../server/state/open.ts'
import type { State } from '../../../server/state/state.ts'
import { testFolder } from '../../folder.ts'
import { onBoth } from './both-stores.ts'

const payg = { email: 'ana@fund.example', tier: 'pay_as_you_go' } as const

await onBoth('a key opens its account and is nowhere in the store', async (t, { location, open, tables }) => {
  const state = await open()
  const made = await state.createKey({ ...payg, email: ' Ana@Fund.example ', label: 'desk', credits: 20 })
  t.match(made.key, /^tr_[0-9a-f]{32}$/)
  t.equal(made.prefix, made.key.slice(0, 11))
  t.match(await state.authenticate(made.key), {
    keyId: made.keyId,
    ...payg,
    label: 'desk',
    prefix: made.prefix,
  })
  for (const wrong of [
    '',
    made.key.toUpperCase(),
    `${made.key} `,
    made.key.slice(0, -1),
    `tr_${'0'.repeat(32)}`,
  ])
    t.equal(await state.authenticate(wrong), null, wrong)
  const db = await tables()
  const kept = JSON.stringify([await db.selectFrom('keys').selectAll().execute(), await state.listKeys()])
  t.notOk(kept.includes(made.key.slice(12)), 'not in a column')
  if (state.kind === 'postgres') return
  for (const file of [location, `${location}-wal`])
    t.notOk((await readFile(file)).includes(made.key.slice(3)), `not in ${file}`)
  t.equal((await stat(location)).mode & 0o777, 0o600)
  t.equal((await stat(`${location}-wal`)).mode & 0o777, 0o600)
})

await onBoth('a key of another prefix, and one of another secret', async (t, { open }) => {
  const state = await open({ keyPrefix: 'cd', secret: 's'.repeat(32) })
  const { key } = await state.createKey(payg)
  t.match(key, /^cd_[0-9a-f]{32}$/)
  t.ok(await state.authenticate(key))
  await t.rejects(open({ secret: 'z'.repeat(32) }), { code: 'INVALID_PARAMETER', message: /another secret/ })
  await t.rejects(open(), { message: /set TRANCHE_SECRET/ })
  await t.rejects(open({ secret: 'short' }), { code: 'INVALID_PARAMETER' })
  await t.rejects(open({ keyPrefix: 'Tr_' }), { code: 'INVALID_PARAMETER' })
})

await onBoth(
  'a regenerated key keeps its id, credits and window; the old one is dead',
  async (t, { open }) => {
    const [here, there] = [await open(), await open()]
    const old = await here.createKey({ ...payg, credits: 5 })
    t.ok(await there.authenticate(old.key))
    await here.take(old.keyId, 60, 7, 1_000_000)
    const next = await here.regenerateKey(old.keyId)
    t.match(next, { keyId: old.keyId, credits: 5, createdAt: old.createdAt })
    t.not(next.key, old.key)
    t.equal(await there.authenticate(old.key), null)
    t.equal((await there.authenticate(next.key))?.keyId, old.keyId)
    t.equal((await there.take(old.keyId, 60, 1, 1_000_001)).remaining, 52)
  },
)

await onBoth('a revoked key is dead and stays listed', async (t, { open }) => {
  const [here, there] = [await open({ now: () => 1_700_000_000_000 }), await open()]
  const { keyId, key } = await here.createKey(payg)
  const other = await here.createKey({ ...payg, tier: 'pro' })
  const revoked = await here.revokeKey(keyId)
  t.equal(revoked.revokedAt, '2023-11-14T22:13:20.000Z')
  t.strictSame(await there.revokeKey(keyId), revoked, 'once')
  t.equal(await there.authenticate(key), null)
  t.strictSame(
    (await there.listKeys({ revoked: false })).map(k => k.keyId),
    [other.keyId],
  )
  t.strictSame(
    (await there.listKeys({ revoked: true })).map(k => k.keyId),
    [keyId],
  )
  t.equal((await there.listKeys()).length, 2)
  await t.rejects(here.regenerateKey(keyId), { code: 'INVALID_PARAMETER', message: /is revoked/ })
  await t.rejects(here.creditKey(keyId, 1, 'x'), { code: 'INVALID_PARAMETER', message: /is revoked/ })
  const missing: (() => Promise<unknown>)[] = [
    () => here.regenerateKey('x'),
    () => here.revokeKey('x'),
    () => here.creditKey('x', 1, ''),
    () => here.balance('x'),
  ]
  for (const asked of missing) await t.rejects(asked, { code: 'NOT_FOUND' })
})

await onBoth('an email holds several keys in one account, each of its own tier', async (t, { open }) => {
  const state = await open()
  const one = await state.createKey(payg)
  const two = await state.createKey({ ...payg, tier: 'business', credits: 3 })
  t.equal(one.accountId, two.accountId)
  t.equal((await state.authenticate(one.key))?.tier, 'pay_as_you_go')
  t.equal((await state.authenticate(two.key))?.tier, 'business')
  t.equal((await state.balance(one.keyId)).remaining, 0, 'credits are of a key')
  await t.rejects(state.createKey({ ...payg, email: 'nobody' }), { code: 'INVALID_PARAMETER' })
  await t.rejects(state.createKey({ ...payg, credits: 1.5 }), { code: 'INVALID_PARAMETER' })
})

await onBoth(
  'a business account has five seats, and no more when all are asked for at once',
  async (t, { open }) => {
    const [here, there] = [await open(), await open()]
    const account = 'head@fund.example'
    const seat = (state: State, n: number) =>
      state.createKey({ email: `m${n}@fund.example`, tier: 'business', account })
    await t.rejects(seat(here, 1), { code: 'NOT_FOUND', message: /owns no account/ })
    const owner = await here.createKey({ email: account, tier: 'pro' })
    t.strictSame(await here.seats(owner.accountId), { used: 1, total: 1 })
    await t.rejects(seat(here, 1), { code: 'INVALID_PARAMETER', message: /business key/ })
    await here.createKey({ email: account, tier: 'business' })
    const asked = await Promise.allSettled([1, 2, 3, 4, 5, 6].map(n => seat(n % 2 ? here : there, n)))
    const seated = asked.flatMap(a => (a.status === 'fulfilled' ? a.value : []))
    t.equal(seated.length, 4)
    t.ok(seated.every(key => key.accountId === owner.accountId))
    const refused = asked.flatMap(a => (a.status === 'rejected' ? String(a.reason.message) : []))
    t.ok(refused.every(message => /no free seat, all 5 are taken/.test(message)))
    t.strictSame(await there.seats(owner.accountId), { used: 5, total: 5 })
    t.ok(
      await there.createKey({ email: seated[0]!.email, tier: 'business', account }),
      'a member has further keys',
    )
    t.equal((await there.createKey({ email: seated[0]!.email, tier: 'pro' })).accountId, owner.accountId)
    await here.revokeKey(seated[1]!.keyId)
    t.strictSame(await here.seats(owner.accountId), { used: 4, total: 5 })
    await seat(there, 9)
    await t.rejects(here.createKey({ email: seated[1]!.email, tier: 'business' }), {
      message: /no free seat/,
    })
    await here.createKey({ email: 'other@bank.example', tier: 'pro' })
    await t.rejects(here.createKey({ email: 'other@bank.example', tier: 'business', account }), {
      message: /belongs to another account/,
    })
  },
)

await onBoth(
  'a window is 60 seconds from its first request, and takes n requests or none',
  async (t, { open }) => {
    const state = await open()
    const { keyId } = await state.createKey(payg)
    const at = 1_800_000_000_000
    const resetsAt = at + 60_000
    t.strictSame(await state.take(keyId, 60, 50, at), { allowed: true, limit: 60, remaining: 10, resetsAt })
    t.strictSame(await state.take(keyId, 60, 11, at + 1), {
      allowed: false,
      limit: 60,
      remaining: 10,
      resetsAt,
    })
    t.strictSame(await state.take(keyId, 60, 10, at + 2), {
      allowed: true,
      limit: 60,
      remaining: 0,
      resetsAt,
    })
    t.match(await state.take(keyId, 60, 1, at + 59_999), { allowed: false, remaining: 0, resetsAt })
    t.match(await state.take(keyId, 60, 1, at + 60_000), {
      allowed: true,
      remaining: 59,
      resetsAt: at + 120_000,
    })
    t.match(
      await state.take(keyId, 60, 61, at + 180_000),
      { allowed: false, remaining: 60 },
      'more than ever',
    )
    t.match(await state.take(keyId, 5, 1, at + 60_001), { allowed: true, limit: 5, remaining: 3 })
  },
)

await onBoth(
  'a clock that jumps back frees no request and holds a window for 60 seconds more at most',
  async (t, { open }) => {
    const state = await open()
    const { keyId } = await state.createKey(payg)
    const at = 1_800_000_000_000
    await state.take(keyId, 60, 60, at)
    const back = at - 3_600_000
    t.match(await state.take(keyId, 60, 1, back), { allowed: false, resetsAt: back + 60_000 })
    t.match(await state.take(keyId, 60, 1, back + 59_999), { allowed: false, resetsAt: back + 60_000 })
    t.match(await state.take(keyId, 60, 60, back + 60_000), { allowed: true, remaining: 0 })
    const further = back - 3_600_000
    t.match(await state.take(keyId, 100, 1, further), {
      allowed: true,
      remaining: 39,
      resetsAt: further + 60_000,
    })
    t.match(await state.take(keyId, 100, 40, further + 59_999), { allowed: false, remaining: 39 })
  },
)

await onBoth('of ten times the quota at once exactly the quota passes', async (t, { open }) => {
  const states = [await open(), await open()]
  const { keyId } = await states[0]!.createKey(payg)
  const now = Date.now()
  const taken = await Promise.all(
    Array.from({ length: 600 }, (_, i) => states[i % 2]!.take(keyId, 60, 1, now + (i % 7))),
  )
  const allowed = taken.filter(w => w.allowed)
  t.equal(allowed.length, 60)
  t.strictSame(
    allowed.map(w => w.remaining).sort((a, b) => a - b),
    Array.from({ length: 60 }, (_, i) => i),
    'each sees one less',
  )
  t.ok(taken.every(w => w.remaining >= 0))
})

await onBoth('what a process was lent and has not used is not lost to others', async (t, { open }) => {
  const [idle, busy] = [await open(), await open()]
  const { keyId } = await idle.createKey({ ...payg, tier: 'business' })
  const now = Date.now()
  for (const remaining of [499, 498, 497])
    t.match(await idle.take(keyId, 500, 1, now), { allowed: true, remaining })
  for (const remaining of [496, 495])
    t.match(await busy.take(keyId, 500, 1, now + 1), { allowed: true, remaining }, 'it is called back')
  t.match(await idle.take(keyId, 500, 495, now + 2), { allowed: true, remaining: 0 })
  t.match(await busy.take(keyId, 500, 1, now + 3), { allowed: false, remaining: 0 })

  const other = await idle.createKey({ ...payg, tier: 'business' })
  t.match(await idle.take(other.keyId, 500, 1, now), { remaining: 499 })
  t.match(await busy.take(other.keyId, 500, 1, now - 5), { remaining: 498 }, 'though it came before')

  t.match(await idle.take(keyId, 500, 1, now + 60_003), { allowed: true, remaining: 499 })
  await idle.close()
  t.match(await busy.take(keyId, 500, 499, now + 60_004), { allowed: true, remaining: 0 }, 'or given back')
})

await onBoth('a change of tier changes the window of a key at once', async (t, { open }) => {
  const state = await open()
  const { keyId } = await state.createKey(payg)
  const now = Date.now()
  t.match(await state.take(keyId, 500, 1, now), { limit: 500, remaining: 499 })
  t.match(await state.take(keyId, 60, 1, now), { limit: 60, remaining: 58 })
  t.match(await state.take(keyId, 60, 58, now), { allowed: true, remaining: 0 })
  t.match(await state.take(keyId, 60, 1, now), { allowed: false, remaining: 0 })
})

await onBoth('coverage is asked for once by an account', async (t, { open }) => {
  const state = await open()
  const { accountId } = await state.createKey(payg)
  const wanted = { ticker: 'acme', companyName: 'Acme Corp', cik: null, note: null }
  const first = await state.requestCoverage(accountId, wanted, 1_700_000_000_000)
  t.match(first, { created: true, requestedAt: '2023-11-14T22:13:20.000Z' })
  t.strictSame(await state.requestCoverage(accountId, { ...wanted, ticker: 'ACME ' }, 1_800_000_000_000), {
    ...first,
    created: false,
  })
})

await onBoth('a new store is made once by all who open it at the same time', async (t, { open, tables }) => {
  const states = await Promise.all(Array.from({ length: 6 }, () => open()))
  const { key } = await states[0]!.createKey(payg)
  for (const state of states) t.ok(await state.authenticate(key), 'one secret')
  t.ok(await states[5]!.ping())
  const db = await tables()
  for (const name of ['schema', 'schema_usable_from'])
    await db.updateTable('settings').set({ value: '999' }).where('name', '=', name).execute()
  await t.rejects(open(), { code: 'STATE_DAMAGED', message: /upgrade Tranche/ })
})

await onBoth('a store is looked into without changing it', async (t, { location, open, tables }) => {
  const state = await open()
  const { keyId } = await state.createKey({ ...payg, credits: 5 })
  const good = await checkState(location)
  t.ok(good.every(f => f.status === 'ok'))
  t.ok(good.some(f => f.says === '1 active, 0 revoked'))
  const db = await tables()
  await db.updateTable('credits').set({ remaining: 6 }).where('key_id', '=', keyId).execute()
  t.match(
    (await checkState(location)).filter(f => f.status === 'problem'),
    [{ check: 'credits', says: new RegExp(keyId) }],
  )
})

t.test('an invalid store location is reported as such', async t => {
  const folder = testFolder(t, { 'notes.txt': 'x'.repeat(8192) })
  await t.rejects(openState(`${folder}/notes.txt`), {
    code: 'STATE_DAMAGED',
    message: /not a SQLite database/,
  })
  await t.rejects(openState(`${folder}/none/state.db`), { code: 'STORAGE_FAILED', message: /no such folder/ })
  await t.rejects(openState(folder), { code: 'STORAGE_FAILED', message: /it is a folder: give a file/ })
  await t.rejects(openState(`${folder}/new.db`, { create: false }), { code: 'NOT_FOUND' })
  await t.rejects(openState('mysql://u@h/d'), { code: 'INVALID_PARAMETER' })
  await t.rejects(openState('postgres://u:hidden@127.0.0.1:1/d'), {
    code: 'STATE_UNAVAILABLE',
    details: { reason: 'unreachable' },
    message: /^(?!.*hidden).*ECONNREFUSED/,
  })
  t.match(await checkState(`${folder}/new.db`), [{ status: 'note' }])
  t.match(await checkState('postgres://u:hidden@127.0.0.1:1/d'), [
    { status: 'problem', says: /^(?!.*hidden)/ },
  ])
})
