import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { HotMemory } from '../../engine/query/memory/memory.ts'
import { DayCache } from '../../engine/snapshot/day-cache.ts'

const value = { bytes: 100 }
const how = (most: number, make = async () => value) => ({ most: async () => most, make })

t.test('a value is made once it is asked for again, and then found', async t => {
  const cache = new DayCache(new HotMemory(1000))
  t.equal(cache.getOnRepeat('terms', how(400)), null, 'the first')
  await setImmediate()
  t.equal(cache.getOnRepeat('terms', how(400)), null, 'is made meanwhile')
  await cache.settled()
  t.equal(cache.getOnRepeat('terms', how(400)), value)
})

t.test('a value of more than half of the memory, or any without memory, is never made', async t => {
  for (const cache of [new DayCache(new HotMemory(1000)), new DayCache(new HotMemory(0))])
    for (let call = 0; call < 4; call++) {
      const never = async () => t.fail('made') as never
      t.equal(cache.getOnRepeat('terms', how(501, never)), null)
      await cache.settled()
    }
})

t.test('a failure is tried again', async t => {
  const cache = new DayCache(new HotMemory(1000))
  let calls = 0
  const make = async () => {
    if (++calls === 1) throw new Error('interrupted')
    return value
  }
  for (let call = 0; call < 3; call++) {
    cache.getOnRepeat('terms', how(1, make))
    await cache.settled()
  }
  t.equal(cache.getOnRepeat('terms', how(1, make)), value)
  t.equal(calls, 2)
})
