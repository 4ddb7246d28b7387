import t from 'tap'
import { openMetrics } from '../../server/log/metrics.ts'
import type { Call } from '../../server/state/state.ts'
import { usageLog } from '../../server/v1/usage-log.ts'
import { memoryState } from './memory-state.ts'
import { until } from './serving.ts'
import { start } from './start.ts'

const call = (n: number): Call => ({
  keyId: 'k',
  endpoint: 'search.bonds',
  status: 200,
  cost: 1,
  milliseconds: n,
  at: n,
})

/** A store that can be made to fail, or to pause during a write. */
function store() {
  const own = { recorded: [] as Call[], broken: false, wait: Promise.resolve() }
  return {
    ...own,
    async record(this: typeof own, calls: readonly Call[]) {
      await this.wait
      if (this.broken) throw new Error('the disk is full')
      this.recorded.push(...calls)
    },
  }
}

t.test('calls that the store does not take are kept, the oldest dropped, and all counted', async t => {
  const state = store()
  state.broken = true
  let dropped = 0
  const logged: { dropped: number; waiting: number }[] = []
  const log = { error: (about: never) => logged.push(about) } as never
  const usage = usageLog(state, {
    log,
    most: 100,
    dropped: n => {
      dropped += n
    },
  })
  for (let i = 0; i < 1000; i++) usage.add(call(i))
  await until(() => logged.length > 0)
  t.equal(logged.length, 1, 'the log says it once a while, not for every call')
  t.equal(logged[0]!.dropped + logged[0]!.waiting, 1000)
  t.equal(logged[0]!.dropped, dropped)

  state.broken = false
  await usage.flush()
  t.equal(state.recorded.length + dropped, 1000)
  t.ok(state.recorded.length > 90, `${state.recorded.length} of 100 are kept`)
  t.strictSame(
    state.recorded.map(one => one.at),
    Array.from({ length: state.recorded.length }, (_, i) => 1000 - state.recorded.length + i),
    'the newest, in order',
  )
})

t.test('a call that was written is never counted as dropped', async t => {
  const state = store()
  let go = () => {}
  state.wait = new Promise(resolve => {
    go = resolve
  })
  let dropped = 0
  const usage = usageLog(state, {
    most: 100,
    dropped: n => {
      dropped += n
    },
  })
  for (let i = 0; i < 50; i++) usage.add(call(i))
  const writing = usage.flush()
  await new Promise(setImmediate)
  for (let i = 50; i < 300; i++) usage.add(call(i))
  go()
  await writing
  await usage.flush()
  t.equal(state.recorded.length + dropped, 300)
  t.equal(new Set(state.recorded.map(one => one.at)).size, state.recorded.length, 'none is written twice')
})

t.test('a server that stops without its store reports the lost calls', async t => {
  const state = Object.assign(memoryState(), {
    record: async () => {
      throw new Error('the disk is full')
    },
  })
  const metrics = openMetrics({ connections: () => 0, manifest: async () => null })
  t.match(await metrics.text(), /^tranche_usage_dropped_total 0$/m)
  const lines: { message: string; dropped: number }[] = []
  const log = {
    error: (about: object, message: string) => lines.push({ message, ...about } as never),
    info: () => {},
  } as never
  const server = await start(t, { state, log, usageDropped: metrics.usageDropped })
  for (let i = 0; i < 3; i++) await server.ask('/v1/auth/me')
  await t.rejects(server.close(), /disk is full/)
  t.match(lines.at(-1), { message: /usage that could not be written is dropped/, dropped: 3 })
  t.match(await metrics.text(), /^tranche_usage_dropped_total 3$/m)
})
