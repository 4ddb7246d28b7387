import t from 'tap'
import { builtLake } from '../built-lake.ts'
import { twoIssuers } from '../make-lake.ts'
import { patient, serving, stateOf, until } from './serving.ts'
import { ask } from './start.ts'

// One lake and its store, served by two servers, one of them with two workers.
const lake = await builtLake(t.teardown, twoIssuers)
const state = await stateOf(t, lake.root)
const servers = await Promise.all([
  serving(t, ['--lake', lake.root, ...patient]),
  serving(t, ['--lake', lake.root, '--workers', '2', ...patient]),
])
const urls = servers.map(({ url }) => url)

/**
 * A key's minute follows the clock: if the machine was too busy to finish within one, the work is repeated with
 * another key.
 */
async function withinAMinute<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    const began = Date.now()
    const done = await work()
    if (Date.now() - began < 59_000) return done
  }
}

/** Sends many requests at once, alternating between the servers; counts each status. */
async function storm(urls: readonly string[], count: number, key: string, path = '/v1/bonds?limit=1') {
  const answers = await Promise.all(
    Array.from({ length: count }, (_, i) => ask(urls[i % urls.length]!, path, { key })),
  )
  const statuses: Record<number, number> = {}
  for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1
  const left = answers.filter(a => a.status === 200).map(a => Number(a.headers['x-ratelimit-remaining']))
  return { statuses, left: left.sort((a, b) => a - b), answers }
}

t.test('of ten times the limit exactly the limit passes, over two servers', async t => {
  const { statuses, left, answers, anew } = await withinAMinute(async () => {
    const { key } = await state.createKey({ email: 'p@example.com', tier: 'pay_as_you_go', credits: 1000 })
    const stormed = await storm(urls, 600, key)
    const again = await serving(t, ['--lake', lake.root, ...patient])
    const { status } = await ask(again.url, '/v1/bonds', { key })
    await again.stop()
    return { ...stormed, anew: status }
  })
  t.strictSame(statuses, { 200: 60, 429: 540 })
  t.strictSame(
    left,
    Array.from({ length: 60 }, (_, i) => i),
    'what remains falls by one each time',
  )
  t.match(answers.find(a => a.status === 429)?.headers, {
    'retry-after': /^\d+$/,
    'x-ratelimit-remaining': '0',
  })

  t.equal(anew, 429, 'nor does a process that starts now begin the minute anew')
})

t.test('credits are spent exactly once by either server, never below zero', async t => {
  const made = await Promise.all(
    ['a', 'b'].map(name =>
      state.createKey({ email: `${name}@example.com`, tier: 'pay_as_you_go', credits: 21 }),
    ),
  )
  const [changes, bonds] = await Promise.all([
    storm(urls, 60, made[0]!.key, '/v1/companies/ALFA/changes'),
    storm(urls, 60, made[1]!.key),
  ])
  t.strictSame(changes.statuses, { 200: 10, 402: 50 }, 'two credits each')
  t.strictSame(bonds.statuses, { 200: 21, 402: 39 })
  t.match(await state.balance(made[0]!.keyId), { remaining: 1, used: 20, purchased: 21 })
  t.match(await state.balance(made[1]!.keyId), { remaining: 0, used: 21, purchased: 21 })
})

t.test('a call repeated with its idempotency key is charged once, over two servers', async t => {
  const { key, keyId } = await state.createKey({ email: 'q@example.com', tier: 'pay_as_you_go', credits: 9 })
  const body = { operations: [{ primitive: 'search.bonds', params: { limit: 1 } }] }
  const send = (i: number) =>
    ask(urls[i % 2]!, '/v1/batch', { key, body, headers: { 'Idempotency-Key': 'once-1' } })
  const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => send(i)))
  const done = answers.filter(({ status }) => status === 200)
  t.ok(done.length >= 1)
  t.equal(new Set(done.map(({ text }) => text)).size, 1, 'the same bytes')
  t.match(await state.balance(keyId), { remaining: 8 })
})

t.test('a revoked or regenerated key is refused at once by every server', async t => {
  const { key, keyId } = await state.createKey({ email: 'ana@example.com', tier: 'business' })
  const all = async (key: string) =>
    Promise.all([...urls, ...urls, ...urls].map(async url => (await ask(url, '/v1/auth/me', { key })).status))
  t.strictSame(new Set(await all(key)), new Set([200]))
  const anew = await state.regenerateKey(keyId)
  t.strictSame(new Set(await all(key)), new Set([401]))
  t.strictSame(new Set(await all(anew.key)), new Set([200]))
  await state.revokeKey(keyId)
  t.strictSame(new Set(await all(anew.key)), new Set([401]))
})

t.test('a server stopped under load loses no accepted request, and no record of it', async t => {
  // A separate agent, so that every connection that is kept is in use.
  const { url, stop } = await serving(t, ['--lake', lake.root, '--workers', '2', ...patient])
  const made = await state.createKey({ email: 'load@example.com', tier: 'business' })
  const more = await Promise.all(
    Array.from({ length: 19 }, () => state.createKey({ email: 'load@example.com', tier: 'business' })),
  )
  const outcomes: Record<string, number> = {}
  let stopped = false
  const clients = [made, ...more].map(async ({ key }) => {
    while (!stopped) {
      const outcome = await ask(url, '/v1/bonds?limit=1', { key }).then(
        ({ status }) => String(status),
        ({ code, reused }) => (code === 'ECONNRESET' && reused ? 'again' : String(code)),
      )
      if (outcome === 'again') continue
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
      if (outcome !== '200') return
    }
  })
  await until(() => (outcomes['200'] ?? 0) > 100)
  t.strictSame(await stop(), { code: 0, signal: null })
  stopped = true
  await Promise.all(clients)
  const { 200: answered = 0, ECONNREFUSED: refused, ...lost } = outcomes
  t.strictSame(lost, {}, 'all are answered, or refused before they are accepted')
  t.equal(refused, 20)
  const now = Date.now()
  const { daily } = await state.usage(made.accountId, now - 86_400_000, now + 86_400_000)
  t.equal(
    daily.reduce((sum, { queries }) => sum + queries, 0),
    answered,
  )
})
