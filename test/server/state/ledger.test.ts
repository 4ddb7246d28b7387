import fc from 'fast-check'
import type { Kysely } from 'kysely'
import { checkState } from '../../../server/state/check.ts'
import type { State } from '../../../server/state/state.ts'
import type { Db } from '../../../server/state/store.ts'
import { onBoth } from './both-stores.ts'

const call = { requestId: 'req-1', endpoint: 'search.bonds' }
const payg = { email: 'ana@fund.example', tier: 'pay_as_you_go' } as const

const hold = async (state: State, keyId: string, credits: number): Promise<string> => {
  const held = await state.hold(keyId, credits, call)
  if (held.kind !== 'held') throw new Error(`short of ${held.required}`)
  return held.id
}

const ledgerOf = async (db: Db, keyId: string) =>
  (
    await db
      .selectFrom('ledger')
      .select(['kind', 'credits'])
      .where('key_id', '=', keyId)
      .orderBy('id')
      .execute()
  ).map(({ kind, credits }) => `${kind} ${credits}`)

await onBoth(
  'a call is charged when it is held, and a failed one is given back',
  async (t, { open, tables }) => {
    const state = await open()
    const { keyId } = await state.createKey(payg)
    t.strictSame(await state.hold(keyId, 1, call), { kind: 'short', required: 1, remaining: 0 })
    t.strictSame(await state.creditKey(keyId, 200, 'package 10'), { remaining: 200, used: 0, purchased: 200 })
    const [a, b, c] = [await hold(state, keyId, 3), await hold(state, keyId, 2), await hold(state, keyId, 9)]
    t.equal((await state.balance(keyId)).remaining, 186)
    await state.settle(a)
    await state.release(b)
    await state.settle(c, 4)
    for (const id of [a, b, c]) {
      await state.release(id)
      await state.settle(id, 0)
    }
    t.strictSame(await state.balance(keyId), { remaining: 193, used: 7, purchased: 200 }, 'a hold ends once')
    t.strictSame(await ledgerOf(await tables(), keyId), [
      'grant 200',
      'charge -3',
      'charge -2',
      'charge -9',
      'refund 2',
      'refund 5',
    ])
    t.strictSame(await state.hold(keyId, 0, call), { kind: 'held', id: '0', remaining: 193 }, 'a free call')
    await state.release('0')
    const d = await hold(state, keyId, 1)
    await t.rejects(state.settle(d, 2), RangeError)
    t.equal((await state.balance(keyId)).remaining, 192)
  },
)

await onBoth('of many calls at once just those that are paid for are held', async (t, { open, tables }) => {
  const states = [await open(), await open()]
  const { keyId } = await states[0]!.createKey({ ...payg, credits: 50 })
  const held = await Promise.all(Array.from({ length: 250 }, (_, i) => states[i % 2]!.hold(keyId, 2, call)))
  const ids = held.flatMap(h => (h.kind === 'held' ? h.id : []))
  t.equal(ids.length, 25)
  t.equal(new Set(ids).size, 25)
  await Promise.all(ids.map((id, i) => (i < 20 ? states[i % 2]!.settle(id) : states[i % 2]!.release(id))))
  t.strictSame(await states[1]!.balance(keyId), { remaining: 10, used: 40, purchased: 50 })
  t.equal((await ledgerOf(await tables(), keyId)).length, 1 + 25 + 5)
})

await onBoth(
  'a balance is the sum of its ledger and never negative, whatever is asked',
  async (t, { open, tables }) => {
    const state = await open()
    const db = await tables()
    const amount = fc.integer({ min: 1, max: 12 })
    const step = fc.oneof(
      fc.record({ do: fc.constant('credit' as const), n: amount }),
      fc.record({ do: fc.constant('hold' as const), n: amount }),
      fc.record({
        do: fc.constantFrom('settle' as const, 'release' as const, 'part' as const),
        n: fc.nat(20),
      }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async steps => {
        const { keyId } = await state.createKey(payg)
        let [remaining, purchased] = [0, 0]
        const holds: { id: string; credits: number; over: boolean }[] = []
        for (const { do: what, n } of steps) {
          const one = holds[n % Math.max(holds.length, 1)]
          if (what === 'credit') {
            await state.creditKey(keyId, n, 'x')
            remaining += n
            purchased += n
          } else if (what === 'hold') {
            const held = await state.hold(keyId, n, call)
            if ((held.kind === 'held') !== remaining >= n) return false
            if (held.kind === 'held') {
              holds.push({ id: held.id, credits: n, over: false })
              remaining -= n
            }
            if (held.remaining !== remaining) return false
          } else if (one) {
            const spent =
              what === 'settle' ? one.credits : what === 'release' ? 0 : Math.floor(one.credits / 2)
            if (what === 'release') await state.release(one.id)
            else await state.settle(one.id, what === 'part' ? spent : undefined)
            if (!one.over) remaining += one.credits - spent
            one.over = true
          }
        }
        const rows = await db.selectFrom('ledger').select('credits').where('key_id', '=', keyId).execute()
        const balance = await state.balance(keyId)
        const sum = rows.reduce((s, row) => s + row.credits, 0)
        return (
          balance.remaining === remaining &&
          sum === remaining &&
          remaining >= 0 &&
          balance.purchased === purchased &&
          balance.used === purchased - remaining
        )
      }),
      { numRuns: 40 },
    )
    t.pass()
  },
)

await onBoth(
  'an idempotency key runs once, answers again for 24 hours, and is for one request',
  async (t, { open }) => {
    const [state, other] = [await open(), await open()]
    const states: readonly State[] = [state, other]
    const { keyId } = await state.createKey({ ...payg, credits: 10 })
    const at = 1_800_000_000_000
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, i) => states[i % 2]!.claim(keyId, 'k1', 'f', at)),
    )
    t.equal(claims.filter(c => c.kind === 'mine').length, 1)
    t.equal(claims.filter(c => c.kind === 'running').length, 19)
    t.strictSame(await other.claim(keyId, 'k1', 'other', at), { kind: 'other' })
    const answer = {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from([0, 255, 7]),
    }
    const id = await hold(state, keyId, 2)
    await state.settle(id, undefined, { keyId, idempotencyKey: 'k1', answer })
    const kept = await other.claim(keyId, 'k1', 'f', at + 86_399_999)
    t.equal(kept.kind, 'kept')
    if (kept.kind === 'kept') {
      t.strictSame(
        [kept.answer.status, kept.answer.headers, [...kept.answer.body]],
        [200, answer.headers, [0, 255, 7]],
      )
    }
    t.strictSame(await other.claim(keyId, 'k1', 'other', at), { kind: 'other' })
    t.equal((await state.balance(keyId)).used, 2)
    t.strictSame(await other.claim(keyId, 'k1', 'f', at + 86_400_000), { kind: 'mine' }, 'forgotten')
    await other.abandon(keyId, 'k1')
    t.strictSame(await state.claim(keyId, 'k1', 'other', at), { kind: 'mine' }, 'given up')
    await state.keep(keyId, 'k1', { ...answer, body: new Uint8Array(0) })
    await state.abandon(keyId, 'k1')
    t.match(await other.claim(keyId, 'k1', 'other', at), { kind: 'kept', answer: { body: { length: 0 } } })
  },
)

await onBoth('calls are summed where they happened, with exact percentiles', async (t, { open }) => {
  const state = await open()
  const a = await state.createKey({ ...payg, label: 'a' })
  const b = await state.createKey({ ...payg })
  const stranger = await state.createKey({ email: 'x@y.example', tier: 'pro' })
  const day = Date.UTC(2026, 0, 5)
  const one = (keyId: string, at: number, milliseconds: number, more = {}) => ({
    keyId,
    endpoint: 'search.bonds',
    status: 200,
    cost: 1,
    milliseconds,
    at,
    ...more,
  })
  await state.record([])
  await state.record([
    ...Array.from({ length: 1_200 }, (_, i) => one(a.keyId, day + i, (i % 100) + 1)),
    one(b.keyId, day + 86_400_000 - 1, 1234.56, { endpoint: 'traverse', cost: 3 }),
    one(b.keyId, day + 86_400_000, 2.345, { status: 404, cost: 0 }),
    one(b.keyId, day + 2 * 86_400_000, 1),
    one(stranger.keyId, day, 9),
  ])
  t.strictSame(await state.usage(a.accountId, day, day + 2 * 86_400_000), {
    daily: [
      { date: '2026-01-05', queries: 1201, cost: 1203, errors: 0 },
      { date: '2026-01-06', queries: 1, cost: 0, errors: 1 },
    ],
    endpoints: [
      { endpoint: 'search.bonds', queries: 1201, cost: 1200, avg_ms: (12 * 5050 + 2.35) / 1201 },
      { endpoint: 'traverse', queries: 1, cost: 3, avg_ms: 1230 },
    ],
    keys: [
      { key_id: a.keyId, label: 'a', queries: 1200 },
      { key_id: b.keyId, label: null, queries: 2 },
    ],
    latency_ms: { p50: 50, p95: 96, p99: 100 },
  })
  t.match(await state.usage(a.accountId, 0, 1), {
    daily: [],
    latency_ms: { p50: null, p95: null, p99: null },
  })
  const [used] = (await state.listKeys()).filter(k => k.keyId === a.keyId)
  t.equal(used?.lastUsedAt, new Date(day + 1199).toISOString())
  t.equal(await state.forget(day + 86_400_000), 1202)
  t.equal(await state.forget(day + 86_400_000), 0)
  t.match(await state.usage(a.accountId, day, day + 2 * 86_400_000), {
    daily: [{ date: '2026-01-06', queries: 1 }],
  })
})

await onBoth('calls are filed once, whoever asks first', async (t, { open, location }) => {
  const [here, there] = [await open(), await open()]
  const { accountId, keyId } = await here.createKey({ ...payg, label: 'a' })
  const at = Date.UTC(2026, 0, 5)
  const calls = (n: number) =>
    Array.from({ length: n }, (_, i) => ({
      keyId,
      endpoint: 'search.bonds',
      status: 200,
      cost: 1,
      milliseconds: 2,
      at: at + 1000 * i,
    }))
  const recorded = async () => (await checkState(location)).find(f => f.check === 'calls')?.says
  const sum = async (state: State) =>
    (await state.usage(accountId, at, at + 86_400_000)).daily.map(day => [day.queries, day.cost])
  for (const state of [here, there, here]) await state.record(calls(100))
  t.equal(await recorded(), '300 recorded', 'those that wait are seen without being filed')
  t.strictSame(await Promise.all([sum(here), sum(there)]), [[[300, 300]], [[300, 300]]])
  await Promise.all([here, there].flatMap(state => Array.from({ length: 25 }, () => state.record(calls(2)))))
  t.equal(await recorded(), '400 recorded')
  const lastUsed = { lastUsedAt: new Date(at + 99_000).toISOString() }
  t.match(await there.listKeys(), [lastUsed])
  t.match(await here.revokeKey(keyId), lastUsed)
  t.strictSame(await sum(there), [[400, 400]])
  t.equal(await here.forget(at + 60_000), 280, 'a minute of a key is forgotten at a time')
  t.equal(await recorded(), '120 recorded')
})

await onBoth('calls of an older version are kept in groups', async (t, { open, tables }) => {
  const state = await open()
  const { accountId, keyId } = await state.createKey({ ...payg, label: 'a' })
  const day = Date.UTC(2026, 0, 5)
  const calls = Array.from({ length: 300 }, (_, i) => ({
    keyId,
    endpoint: i % 3 ? 'search.bonds' : 'traverse',
    status: i % 50 ? 200 : 404,
    cost: i % 4,
    milliseconds: (i % 10) + 0.5,
    at: day + 7000 * i,
  }))
  await state.record(calls)
  const wanted = await state.usage(accountId, day, day + 86_400_000)
  const db = (await tables()) as unknown as Kysely<{
    calls: object
    settings: { name: string; value: string }
  }>
  const newer = ['call_groups', 'call_batches', 'watchlist_looks', 'saved_items', 'audit_entries']
  for (const table of newer) await db.schema.dropTable(table).execute()
  await db.schema
    .createTable('calls')
    .$call(made => ['key_id', 'endpoint'].reduce((c, name) => c.addColumn(name, 'text'), made))
    .$call(made => ['status', 'cost', 'at'].reduce((c, name) => c.addColumn(name, 'bigint'), made))
    .addColumn('milliseconds', 'double precision')
    .execute()
  await db
    .insertInto('calls')
    .values(calls.map(({ keyId: key_id, ...call }) => ({ key_id, ...call })))
    .execute()
  await db.updateTable('settings').set({ value: '3' }).where('name', '=', 'schema').execute()
  t.strictSame(await (await open()).usage(accountId, day, day + 86_400_000), wanted)
})
