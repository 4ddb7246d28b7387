import t from 'tap'
import { yieldToEventLoop } from '../../engine/base/event-loop.ts'

t.test('one waiter resumes per tick, in order', async t => {
  let turns = 0
  let watching = true
  const count = () => {
    turns++
    if (watching) setImmediate(count)
  }
  setImmediate(count)
  const seen: [string, number][] = []
  const work = async (name: string, pieces: number) => {
    for (let i = 0; i < pieces; i++) {
      await yieldToEventLoop()
      seen.push([name, turns])
    }
  }
  await Promise.all([work('a', 3), work('b', 2), work('c', 1)])
  watching = false
  t.strictSame(
    seen.map(([name]) => name),
    ['a', 'b', 'c', 'a', 'b', 'a'],
  )
  const each = seen.map(([, turn]) => turn)
  t.equal(new Set(each).size, each.length, `turns ${each}`)
})

t.test('a lone waiter waits one tick', async t => {
  let over = false
  setImmediate(() => {
    over = true
  })
  await yieldToEventLoop()
  t.ok(over)
})
