import t from 'tap'
import { throttle } from '../../../server/limits/throttle.ts'
import { runIdempotent } from '../../../server/v1/idempotency.ts'
import { memoryState } from '../memory-state.ts'
import { onBoth } from './both-stores.ts'

t.setTimeout(240_000)

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const payg = { email: 'ana@fund.example', tier: 'pay_as_you_go', credits: 1000 } as const
const call = { requestId: 'req-1', endpoint: 'search.bonds' }
const visitor = { address: '192.0.2.1', agent: null }
const answer = { status: 200, headers: {}, body: Buffer.from('{}') }

/** Pseudo-random numbers from 0 to 1, the same in every run. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

await onBoth(
  'whatever the clock does, a window passes no more than its limit and ends within a minute',
  async (t, { open }) => {
    const start = Date.UTC(2026, 9, 25, 0, 30)
    const clock = { now: start }
    const state = await open({ now: () => clock.now })
    const { keyId } = await state.createKey(payg)
    const random = seeded(7)
    let [passed, minutes] = [0, 1]
    const highest = start
    for (let i = 0; i < 120; i++) {
      // Back by up to a day, or forward again.
      const before = clock.now
      if (i % 3 === 0) clock.now = random() < 0.5 ? highest : highest - Math.floor(random() * DAY)
      if (clock.now - before >= MINUTE) minutes++
      const window = await state.take(keyId, 20, 1, clock.now)
      if (window.allowed) passed++
      const wait = window.resetsAt - clock.now
      if (wait <= 0 || wait > MINUTE) t.fail(`the window ends in ${wait} ms`)
      if (window.remaining < 0 || window.remaining > 20) t.fail(`${window.remaining} are left`)
    }
    // A jump forward by more than a minute looks like a minute that passed: each may begin a window.
    t.ok(passed >= 20 && passed <= 20 * minutes, `${passed} pass in ${minutes} minutes`)

    clock.now = highest + HOUR
    t.match(await state.take(keyId, 20, 20, clock.now), { allowed: true, remaining: 0 })
    for (const back of [1, MINUTE, HOUR, DAY, 400 * DAY]) {
      const now = clock.now - back
      const refused = await state.take(keyId, 20, 1, now)
      t.equal(refused.allowed, false, 'a jump back frees nothing')
      t.ok(refused.resetsAt - now <= MINUTE)
    }
    const now = clock.now - 400 * DAY + MINUTE
    t.equal((await state.take(keyId, 20, 1, now)).allowed, true, 'nobody waits for longer than a window')
  },
)

await onBoth(
  'a request that runs keeps its Idempotency-Key and its hold while the clock jumps',
  async (t, { open }) => {
    const clock = { now: Date.UTC(2026, 0, 5) }
    const here = await open({ now: () => clock.now })
    const { keyId } = await here.createKey(payg)
    const hold = await here.hold(keyId, 3, call)
    t.strictSame(await here.claim(keyId, 'k', 'f', clock.now), { kind: 'mine' })
    for (const jump of [2 * DAY, -5 * DAY, 400 * DAY, -400 * DAY]) {
      clock.now += jump
      // Another process starts, and releases what the dead hold.
      const other = await open({ now: () => clock.now })
      t.strictSame(await other.claim(keyId, 'k', 'f', clock.now), { kind: 'running' }, `${jump / DAY} days`)
      t.equal((await other.balance(keyId)).remaining, 997, 'the hold stands')
    }
    await here.settle(hold.kind === 'held' ? hold.id : '', undefined, { keyId, idempotencyKey: 'k', answer })
    t.match(await here.balance(keyId), { remaining: 997, used: 3 }, 'charged once')
    clock.now -= 10 * DAY
    t.match(await here.claim(keyId, 'k', 'f', clock.now), { kind: 'kept', answer: { status: 200 } })
  },
)

await onBoth(
  'a lock after wrong passwords ends in its time, though the clock jumps back',
  async (t, { open }) => {
    const clock = { now: Date.UTC(2026, 0, 5) }
    const state = await open({ now: () => clock.now })
    await state.createAccount({ email: 'ana@fund.example' })
    const wrong = () => state.signIn({ email: 'ana@fund.example', password: 'wrong' }, visitor)
    for (let i = 0; i < 5; i++) await wrong()
    t.match(await wrong(), { kind: 'locked' })
    clock.now -= 30 * DAY
    const locked = await wrong()
    t.equal(locked.kind, 'locked', 'a jump back frees nothing')
    t.ok(locked.kind === 'locked' && locked.seconds <= 15 * 60, 'and locks nobody out for longer')
    clock.now += 15 * MINUTE + 1
    t.match(await wrong(), { kind: 'wrong' })
  },
)

await onBoth('a session ends in its time, and a jump there and back loses none', async (t, { open }) => {
  const clock = { now: Date.UTC(2026, 0, 5) }
  const state = await open({ now: () => clock.now })
  const { token } = await state.createAccount({ email: 'ana@fund.example' })
  const opened = await state.acceptLink({ token, password: 'correct horse battery staple' }, visitor)
  const stands = async () => (await state.session(opened!.token)) !== null
  t.ok(await stands())
  clock.now += 30 * DAY
  t.notOk(await stands(), 'over')
  clock.now -= 30 * DAY
  t.ok(await stands(), 'a jump there and back')
  clock.now -= HOUR
  t.ok(await stands(), 'a jump back')
  clock.now += 8 * DAY
  t.notOk(await stands(), 'never longer than a week after it began')
})

t.test('a clock jump neither frees a throttled address nor locks one out for longer', t => {
  const count = throttle({ allowed: 2 })
  const now = Date.UTC(2026, 0, 5)
  t.strictSame([count('192.0.2.1', now), count('192.0.2.1', now), count('192.0.2.1', now)], [0, 0, 60])
  t.equal(count('192.0.2.1', now - DAY), 60, 'it still has had its share, and waits a minute at most')
  t.equal(count('192.0.2.1', now - DAY + 59_999), 1)
  t.equal(count('192.0.2.1', now - DAY + MINUTE), 0)
  t.end()
})

t.test('waiting for the first request of an idempotency key ignores the wall clock', async t => {
  const state = memoryState()
  const { keyId } = await state.createKey(payg)
  await state.claim(keyId, 'k', 'f', 0)
  let [now, looks] = [Date.UTC(2026, 0, 5), 0]
  const clock = () => {
    now += HOUR
    if (++looks === 3) void state.keep(keyId, 'k', answer)
    return now
  }
  const done = runIdempotent(state, { keyId, key: 'k', fingerprint: 'f' }, clock, async () => answer)
  t.match(await done, { replayed: true }, 'hours by the clock are no reason to give up')
})
