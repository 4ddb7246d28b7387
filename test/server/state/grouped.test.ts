import t from 'tap'
import { grouped } from '../../../server/state/grouped.ts'

t.test('calls of one tick are processed together, and each gets its own result', async t => {
  const groups: number[][] = []
  const double = grouped(async (asked: readonly number[]) => {
    groups.push([...asked])
    return asked.map(n => 2 * n)
  })
  t.strictSame(await Promise.all([1, 2, 3].map(double)), [2, 4, 6])
  t.equal(await double(4), 8)
  t.strictSame(groups, [[1, 2, 3], [4]])
})

t.test('calls made while a group is processed form the next', async t => {
  const groups: number[][] = []
  const asking: Promise<number>[] = []
  const same = grouped(async (asked: readonly number[]) => {
    groups.push([...asked])
    if (groups.length === 1) asking.push(same(2), same(3))
    await new Promise(resolve => setTimeout(resolve, 5))
    return asked
  })
  await same(1)
  await Promise.all(asking)
  t.strictSame(groups, [[1], [2, 3]])
})

t.test('a failing group rejects all its calls, and the next is processed', async t => {
  let broken = true
  const same = grouped(async (asked: readonly number[]) => {
    if (broken) throw new Error('the store is gone')
    return asked
  })
  const outcomes = await Promise.allSettled([same(1), same(2)])
  t.ok(outcomes.every(({ status }) => status === 'rejected'))
  broken = false
  t.equal(await same(3), 3)
})
