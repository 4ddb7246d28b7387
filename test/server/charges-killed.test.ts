import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { builtLake } from '../built-lake.ts'
import { twoIssuers } from '../make-lake.ts'
import { serving, stateOf, until } from './serving.ts'
import { ask } from './start.ts'

const timeout = 600_000 * Math.max(1, Number(process.env['TRANCHE_KILLS'] ?? 4) / 20)
t.setTimeout(timeout)

/** The nightly run kills more often. */
const KILLS = Number(process.env['TRANCHE_KILLS'] ?? 4)
/** Kills of one server: it waits longer and longer to replace processes that die young. */
const KILLS_A_SERVER = 5
const CLIENTS = 6
const GRANTED = 1_000_000

/** Pseudo-random numbers from 0 to 1, the same in every run. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

t.test('kill -9 neither loses nor doubles an acknowledged charge', { timeout }, async t => {
  const lake = await builtLake(t.teardown, twoIssuers)
  const state = await stateOf(t, lake.root)
  const made = (email: string) => state.createKey({ email, tier: 'pay_as_you_go', credits: GRANTED })
  // A key's minute allows 60 requests: each client has enough keys.
  const plain = await Promise.all(Array.from({ length: CLIENTS }, (_, i) => made(`plain${i}@example.com`)))
  const named = await Promise.all(Array.from({ length: CLIENTS }, (_, i) => made(`named${i}@example.com`)))
  let server = await serving(t, ['--lake', lake.root])
  const random = seeded(11)
  let running = true
  const answered = new Map<string, number>()
  const interrupted = new Map<string, number>()
  const add = (to: Map<string, number>, keyId: string) => to.set(keyId, (to.get(keyId) ?? 0) + 1)
  const body = { operations: [{ primitive: 'search.bonds', params: { limit: 1 } }] }

  /** Requests without a key of their own: an interrupted one may or may not have been charged. */
  const asks = plain.map(async ({ key, keyId }) => {
    while (running) {
      const status = await ask(server.url, '/v1/bonds?limit=1', { key }).then(
        a => a.status,
        () => null,
      )
      if (status === 200) add(answered, keyId)
      else if (status === null) add(interrupted, keyId)
      await setTimeout(status === 429 ? 200 : 20)
    }
  })
  /** Repeats a request with an Idempotency-Key until it is answered: charged once, however often sent. */
  const sends = named.map(async ({ key, keyId }) => {
    for (let n = 0; running; n++) {
      const headers = { 'Idempotency-Key': `${keyId}-${n}` }
      await until(async () => {
        const status = await ask(server.url, '/v1/batch', { key, body, headers }).then(
          a => a.status,
          () => null,
        )
        if (status === 429) await setTimeout(200)
        return status === 200
      })
      add(answered, keyId)
    }
  })
  for (let kill = 0; kill < KILLS; kill++) {
    const before = [...answered.values()].reduce((a, b) => a + b, 0)
    await until(() => [...answered.values()].reduce((a, b) => a + b, 0) > before + CLIENTS)
    if (kill > 0 && kill % KILLS_A_SERVER === 0) {
      t.strictSame(await server.stop(), { code: 0, signal: null })
      server = await serving(t, ['--lake', lake.root])
    }
    await setTimeout(random() * 100)
    const [worker] = server.workers()
    if (worker) process.kill(worker, 'SIGKILL')
  }
  running = false
  await Promise.all([...asks, ...sends])
  t.strictSame(await server.stop(), { code: 0, signal: null })

  // Whoever opens the store next releases what the dead held.
  const after = await stateOf(t, lake.root)
  for (const { keyId } of named) {
    const { used } = await after.balance(keyId)
    t.equal(used, answered.get(keyId), 'charged once for each request that was answered')
  }
  for (const { keyId } of plain) {
    const { used } = await after.balance(keyId)
    const [least, more] = [answered.get(keyId) ?? 0, interrupted.get(keyId) ?? 0]
    t.ok(used >= least && used <= least + more, `${used} charged, ${least} answered, ${more} broken off`)
  }
  const { rows } = await after.ledger(
    [...plain, ...named].map(one => one.keyId),
    { limit: 10_000, offset: 0 },
  )
  const sum = rows.reduce((all, { credits }) => all + credits, 0)
  let balances = 0
  for (const { keyId } of [...plain, ...named]) balances += (await after.balance(keyId)).remaining
  t.equal(balances, sum, 'balances are the sums of their ledgers')
})
