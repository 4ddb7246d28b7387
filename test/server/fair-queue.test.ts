import t from 'tap'
import { QueryError } from '../../engine/base/errors.ts'
import { fairQueue } from '../../server/limits/fair-queue.ts'

const limits = { running: 2, runningPerKey: 1, waitingPerKey: 3, waiting: 100 }

t.test('keys take turns, and no key holds all slots', async t => {
  const queue = fairQueue({ ...limits, waitingPerKey: 20 })
  const order: string[] = []
  const releases: (() => void)[] = []
  const enter = (key: string, name: string) =>
    queue.enter({ key }).then(release => {
      order.push(name)
      releases.push(release)
    })
  const all = Array.from({ length: 18 }, (_, i) => enter('a', `a${i}`))
  all.push(enter('b', 'b0'), enter('c', 'c0'), enter('c', 'c1'))
  await new Promise(setImmediate)
  t.strictSame(order, ['a0', 'b0'], 'another key starts at once beside eighteen of one')
  while (releases.length > 0) {
    releases.shift()!()
    await new Promise(setImmediate)
  }
  await Promise.all(all)
  t.ok(
    order.indexOf('c0') < order.indexOf('a2') && order.indexOf('c1') < order.indexOf('a4'),
    order.join(' '),
  )
  t.equal(order.length, 21)
})

t.test('a key whose queue is full is refused, and others are not', async t => {
  const queue = fairQueue(limits)
  const release = await queue.enter({ key: 'a' })
  const waiting = [1, 2, 3].map(() => queue.enter({ key: 'a' }))
  await t.rejects(queue.enter({ key: 'a' }), { code: 'OVERLOADED' })
  const other = await queue.enter({ key: 'b' })
  other()
  release()
  for (const next of waiting) (await next)()
})

t.test('above the total, the last task of the longest queue makes room for a key with fewer', async t => {
  const queue = fairQueue({ running: 1, runningPerKey: 1, waitingPerKey: 10, waiting: 4 })
  const release = await queue.enter({ key: 'x' })
  const outcomes: string[] = []
  const wait = (key: string, name: string) =>
    queue.enter({ key }).then(
      leave => {
        outcomes.push(name)
        leave()
      },
      error => outcomes.push(`${name} ${(error as QueryError).code}`),
    )
  const all = [wait('a', 'a0'), wait('a', 'a1'), wait('a', 'a2'), wait('a', 'a3')]
  await new Promise(setImmediate)
  all.push(wait('b', 'b0'))
  await new Promise(setImmediate)
  t.strictSame(outcomes, ['a3 OVERLOADED'])
  release()
  await Promise.all(all)
  t.strictSame(outcomes.slice(1), ['a0', 'b0', 'a1', 'a2'])
})

t.test('a task that leaves the queue never starts, and a slot is released once', async t => {
  const queue = fairQueue({ running: 1, runningPerKey: 1, waitingPerKey: 10, waiting: 10 })
  const release = await queue.enter({ key: 'a' })
  const gone = new AbortController()
  const late = new QueryError('QUERY_TIMEOUT', 'late')
  const leaving = queue.enter({ key: 'b', signal: gone.signal })
  const staying = queue.enter({ key: 'c' })
  gone.abort(late)
  await t.rejects(leaving, late)
  await t.rejects(queue.enter({ key: 'd', signal: gone.signal }), late)
  release()
  release()
  const next = await staying
  let started = false
  const last = queue.enter({ key: 'e' }).then(leave => {
    started = true
    return leave
  })
  await new Promise(setImmediate)
  t.notOk(started)
  next()
  ;(await last)()
})
