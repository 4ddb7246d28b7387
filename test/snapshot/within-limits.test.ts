import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { withinLimits } from '../../engine/snapshot/within-limits.ts'

t.test('work that fails after its caller has left does not end the process', async t => {
  const unhandled: unknown[] = []
  const note = (reason: unknown) => unhandled.push(reason)
  process.on('unhandledRejection', note)
  t.teardown(() => process.off('unhandledRejection', note))
  const failing = async () => {
    await setTimeout(20)
    throw new Error('INTERRUPT Error: Interrupted!')
  }
  const left = new Error('left')
  await t.rejects(withinLimits(failing(), { signal: AbortSignal.abort(left) }, '2025-01-02'), left)
  await t.rejects(withinLimits(failing(), { signal: AbortSignal.timeout(1) }, '2025-01-02'), {
    name: 'TimeoutError',
  })
  await t.rejects(withinLimits(failing(), { timeout: 1 }, '2025-01-02'), { code: 'QUERY_TIMEOUT' })
  await setTimeout(60)
  t.strictSame(unhandled, [])
})
