import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { mapAtOnce } from '../../engine/base/map-at-once.ts'

t.test('results keep the order of their items, and no more run than may', async t => {
  let running = 0
  let most = 0
  const results = await mapAtOnce([5, 1, 3, 0, 2], 2, async turns => {
    most = Math.max(most, ++running)
    for (let i = 0; i < turns; i++) await setImmediate()
    running--
    return turns * 10
  })
  t.strictSame(results, [50, 10, 30, 0, 20])
  t.equal(most, 2)
  t.strictSame(await mapAtOnce([], 2, async () => 1), [])
})

t.test('after an error nothing else is begun, and what was begun has ended', async t => {
  const ended: number[] = []
  const doing = mapAtOnce([1, 2, 3, 4], 2, async item => {
    if (item === 1) throw new Error('no')
    await setImmediate()
    ended.push(item)
  })
  await t.rejects(doing, { message: 'no' })
  t.strictSame(ended, [2])
})
