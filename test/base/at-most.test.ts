import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { AtMost } from '../../engine/base/at-most.ts'

t.test('works run in order, so many at once, and one that fails makes room', async t => {
  const turns = new AtMost(2)
  const begun: number[] = []
  let running = 0
  let most = 0
  const work = (n: number) =>
    turns.run(async () => {
      begun.push(n)
      most = Math.max(most, ++running)
      await setTimeout(5 - n)
      running--
      if (n === 1) throw new Error('one')
      return n
    })
  const results = await Promise.allSettled([0, 1, 2, 3, 4].map(work))
  t.strictSame(begun, [0, 1, 2, 3, 4])
  t.equal(most, 2)
  t.strictSame(
    results.map(result => (result.status === 'fulfilled' ? result.value : result.reason.message)),
    [0, 'one', 2, 3, 4],
  )
})
