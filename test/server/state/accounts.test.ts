import { readFile } from 'node:fs/promises'
import type { Accounts } from '../../../server/state/accounts.ts'
import { onBoth } from './both-stores.ts'

const visitor = { address: '203.0.113.7', agent: 'Browser/1' }
const password = 'correct horse battery staple'
const ana = 'ana@fund.example'
const start = Date.UTC(2026, 0, 5)

const join = async (state: Accounts, email: string) => {
  const { token } = await state.createAccount({ email, tier: 'business' })
  return (await state.acceptLink({ token, password }, visitor))!
}

await onBoth('what lets somebody in is nowhere in the store', async (t, { location, open, tables }) => {
  const state = await open()
  const { token: link } = await state.createAccount({ email: ana })
  const { token, session } = (await state.acceptLink({ token: link, password }, visitor))!
  const db = await tables()
  const kept = JSON.stringify([
    await db.selectFrom('logins').selectAll().execute(),
    await db.selectFrom('sessions').selectAll().execute(),
  ])
  t.match(kept, /\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  for (const secret of [link, token, session.csrf, password]) {
    t.notOk(kept.includes(secret))
    if (state.kind === 'sqlite') t.notOk((await readFile(`${location}-wal`)).includes(secret))
  }
})

await onBoth('a link is used by one of many who follow it at once', async (t, { open }) => {
  const [here, there] = [await open(), await open()]
  const { token } = await here.createAccount({ email: ana })
  const all = await Promise.all(
    [here, there, here, there].map(state => state.acceptLink({ token, password }, visitor)),
  )
  t.equal(all.filter(Boolean).length, 1)
  const { token: next } = await here.resetAccount(ana)
  t.equal(await there.session(all.find(Boolean)!.token), null, 'sessions end with the password')
  t.equal(await there.acceptLink({ token, password }, visitor), null)
  t.ok(await there.acceptLink({ token: next, password }, visitor))
})

await onBoth('tries are counted over all processes and before they are made', async (t, { open }) => {
  const clock = { now: start }
  const both = [await open({ now: () => clock.now }), await open({ now: () => clock.now })]
  await join(both[0]!, ana)
  const guess = (i: number, said = 'wrong', address = visitor.address) =>
    both[i % 2]!.signIn({ email: ana, password: said }, { ...visitor, address })
  const kinds = async (n: number) =>
    (await Promise.all(Array.from({ length: n }, (_, i) => guess(i)))).map(a => a.kind).sort()
  t.strictSame(await kinds(7), ['locked', 'locked', ...Array(5).fill('wrong')])
  t.match(await guess(0, password, '198.51.100.1'), { kind: 'locked', email: ana, seconds: 900 })
  clock.now += 899_999
  t.match(await guess(1, password), { kind: 'locked', seconds: 1 })
  clock.now += 1
  t.match(await guess(0, password), { kind: 'in' })
  t.strictSame(await kinds(5), Array(5).fill('wrong'), 'a right one begins the count anew')
  clock.now += 900_000
  t.strictSame(
    await kinds(7),
    ['locked', 'locked', ...Array(5).fill('wrong')],
    'and so does the end of a wait',
  )
  await both[1]!.resetAccount(ana)
  t.match(await guess(0), { kind: 'wrong' }, 'and so does a reset')
})

await onBoth(
  'a session is signed out in every process at once, and the oldest give way',
  async (t, { open }) => {
    const clock = { now: start }
    const [here, there] = [await open({ now: () => clock.now }), await open({ now: () => clock.now })]
    const first = await join(here, ana)
    t.ok(await there.session(first.token))
    t.equal(await there.session(`${first.token.slice(0, -1)}!`), null)
    t.equal(await here.endSession('eve@fund.example', first.session.id), false, 'of another nobody')
    t.equal(await here.endSession(ana, first.session.id), true)
    t.equal(await there.session(first.token), null)
    const opened = []
    for (let i = 0; i < 22; i++, clock.now++) opened.push(await here.openSession(ana, visitor))
    t.equal((await there.sessions(ana)).length, 20)
    t.equal(await there.session(opened[1]!.token), null)
    t.ok(await there.session(opened[2]!.token))
  },
)

await onBoth('an account is an email of a key, and shares its seats with keys', async (t, { open }) => {
  const state = await open()
  const desk = await state.createKey({ email: ana, tier: 'business' })
  const { token, ...account } = await state.createAccount({ email: ana })
  t.match(account, { accountId: desk.accountId, owner: ana, tier: 'business' }, 'of the tier of its keys')
  const { session } = (await state.acceptLink({ token, password }, visitor))!
  t.match(session.key, { keyId: desk.keyId })
  for (const name of ['b', 'c', 'd'])
    await state.createKey({ email: `${name}@x.example`, tier: 'pro', account: ana })
  await state.createAccount({ email: 'e@x.example', owner: ana })
  t.strictSame(await state.seats(desk.accountId), { used: 5, total: 5 })
  await t.rejects(state.createAccount({ email: 'f@x.example', owner: ana }), /no free seat/)
  await state.removeSeat(desk.accountId, 'b@x.example')
  t.strictSame(await state.seats(desk.accountId), { used: 4, total: 5 })
  await state.createAccount({ email: 'f@x.example', owner: ana })
  await t.rejects(state.removeSeat(desk.accountId, 'b@x.example'), { code: 'NOT_FOUND' })
})
