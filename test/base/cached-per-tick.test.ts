import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { cachedPerTick } from '../../engine/base/cached-per-tick.ts'

/** Blocks the current tick of the event loop. */
function spend(milliseconds: number): void {
  const until = performance.now() + milliseconds
  while (performance.now() < until);
}

t.test('a result is shared within a tick, for at most a millisecond, and refreshed in the next', async t => {
  let looks = 0
  const look = cachedPerTick(() => ++looks)
  const first = performance.now()
  const [one, two] = [look(), look()]
  if (performance.now() - first < 1) t.strictSame([one, two], [1, 1])
  await null
  spend(2)
  const later = look()
  t.ok(later > two, 'what is done meanwhile in the same turn is seen')
  await setImmediate()
  await setImmediate()
  t.ok(look() > later)
})

t.test('a failure is not cached', async t => {
  let there = false
  const look = cachedPerTick(() => {
    if (!there) throw new Error('not there')
    return there
  })
  t.throws(look, { message: 'not there' })
  there = true
  t.equal(look(), true)
  t.equal(look(), true)
})
