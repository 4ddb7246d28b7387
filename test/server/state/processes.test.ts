import t from 'tap'
import { openStore } from '../../../server/state/open.ts'
import type { NewKey } from '../../../server/state/state.ts'
import type { Db } from '../../../server/state/store.ts'
import { testFolder } from '../../folder.ts'
import { until } from '../serving.ts'
import { onBoth } from './both-stores.ts'
import { startChild } from './child.ts'

const call = { requestId: 'req-1', endpoint: 'search.bonds' }
const payg = { email: 'ana@fund.example', tier: 'pay_as_you_go' } as const

await onBoth(
  'two processes and a restart pass exactly the quota and the credits',
  async (t, { location, open }) => {
    const here = await open()
    const { keyId } = await here.createKey(payg)
    const children = await Promise.all([startChild(location), startChild(location)])
    await Promise.all(children.map(child => child.call('creditKey', [keyId, 1, 'x'], 100)))
    const now = Date.now()
    const taken = await Promise.all(children.map(child => child.call('take', [keyId, 60, 1, now], 300)))
    t.equal(taken.flat().filter(w => w.allowed).length, 60)
    const held = await Promise.all(children.map(child => child.call('hold', [keyId, 2, call], 100)))
    const ids = held.flat().flatMap(h => (h.kind === 'held' ? h.id : []))
    t.equal(new Set(ids).size, 100)
    await children[1]!.call('settle', [ids[0]!])
    await Promise.all(children.map(child => child.kill()))
    const again = await startChild(location)
    t.match(await again.call('take', [keyId, 60, 1, now + 59_000]), [{ allowed: false, remaining: 0 }])
    t.match(await again.call('take', [keyId, 60, 1, now + 60_000]), [{ allowed: true, remaining: 59 }])
    t.strictSame(
      await again.call('balance', [keyId]),
      [{ remaining: 198, used: 2, purchased: 200 }],
      'what dead processes held is given back',
    )
    await again.kill()
  },
)

await onBoth('what a killed process has answered stays counted', async (t, { location, open }) => {
  const here = await open()
  const { keyId } = await here.createKey(payg)
  const child = await startChild(location)
  const now = Date.now()
  t.match((await child.call('take', [keyId, 60, 1, now], 10)).at(-1), { allowed: true, remaining: 50 })
  await child.kill()
  const taken = await Promise.all(Array.from({ length: 60 }, () => here.take(keyId, 60, 1, now + 1)))
  const passed = taken.filter(w => w.allowed).length
  t.ok(passed <= 50 && passed > 40, `${passed} pass`)
})

await onBoth(
  'a key is dead in every process when the reply to its regeneration comes',
  async (t, { location, open }) => {
    const here = await open()
    const child = await startChild(location)
    let { keyId, key } = await here.createKey(payg)
    for (let i = 0; i < 10; i++) {
      t.equal((await child.call('authenticate', [key]))[0]?.keyId, keyId)
      const old = key
      key = (await here.regenerateKey(keyId)).key
      t.strictSame(await child.call('authenticate', [old], 3), [null, null, null])
    }
    const [next] = await child.call('regenerateKey', [keyId])
    t.equal(await here.authenticate(key), null)
    t.ok(await here.authenticate(next!.key))
    await here.revokeKey(keyId)
    t.strictSame(await child.call('authenticate', [next!.key]), [null])
    await child.kill()
  },
)

await onBoth('an idempotency key of a killed process may be tried again', async (t, { location, open }) => {
  const here = await open()
  const { keyId } = await here.createKey(payg)
  const child = await startChild(location)
  const now = Date.now()
  t.strictSame(await child.call('claim', [keyId, 'k', 'f', now]), [{ kind: 'mine' }])
  t.strictSame(await here.claim(keyId, 'k', 'f', now), { kind: 'running' })
  await child.kill()
  await open()
  t.strictSame(await here.claim(keyId, 'k', 'f', now), { kind: 'mine' })
})

await onBoth(
  'kill -9 at any moment loses no key and no credit that was acknowledged',
  async (t, { location, open }) => {
    const here = await open()
    const { keyId } = await here.createKey(payg)
    let credits = 0
    const keys: string[] = []
    for (let round = 0; round < 3; round++) {
      const child = await startChild(location)
      for (let i = 0; i < 3; i++) {
        const [made] = await child.call('createKey', [{ ...payg, tier: 'pro' }])
        keys.push(made!.key)
        credits = (await child.call('creditKey', [keyId, 1, 'x']))[0]!.purchased
      }
      // In the middle of others.
      void child.call('creditKey', [keyId, 1, 'x'], 50).catch(() => {})
      await new Promise(resolve => setTimeout(resolve, round * 5))
      await child.kill()
      const balance = await here.balance(keyId)
      t.ok(balance.purchased >= credits, `${balance.purchased} there, ${credits} acknowledged`)
      t.equal(balance.remaining, balance.purchased)
    }
    for (const key of keys) if (!(await here.authenticate(key))) t.fail('a key is lost')
  },
)

t.test('processes that open a new store at once agree', async t => {
  const location = `${testFolder(t)}/state.db`
  const children = await Promise.all([1, 2, 3].map(() => startChild(location)))
  const [made] = await children[0]!.call('createKey', [payg])
  for (const child of children) t.ok((await child.call('authenticate', [made!.key]))[0])
  await Promise.all(children.map(child => child.kill()))
})

await onBoth(
  'transactions that wait for the rows of each other both succeed',
  async (t, { location, open }) => {
    const keys = await open()
    const [one, two] = [
      await keys.createKey(payg),
      await keys.createKey({ ...payg, email: 'bo@fund.example' }),
    ]
    const store = await openStore(location, false)
    t.teardown(() => store.close())
    // In SQLite one transaction writes at a time.
    if (store.kind === 'sqlite') {
      t.pass()
      return
    }
    const label = (tx: Db, { keyId }: NewKey, text: string) =>
      tx.updateTable('keys').set({ label: text }).where('id', '=', keyId).execute()
    let locked = 0
    let attempts = 0
    const labelBoth = (text: string, first: NewKey, second: NewKey) =>
      store.transaction(async tx => {
        attempts++
        await label(tx, first, text)
        locked++
        await until(() => locked >= 2)
        await label(tx, second, text)
      })
    await Promise.all([labelBoth('forward', one, two), labelBoth('backward', two, one)])
    t.equal(attempts, 3, 'the server ended one of them, which was repeated')
    const labels = (await keys.listKeys()).map(key => key.label)
    t.equal(new Set(labels).size, 1, 'both keys have the label of the one that came last')
  },
)
