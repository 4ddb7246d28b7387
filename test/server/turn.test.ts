import t from 'tap'
import { fairQueue } from '../../server/limits/fair-queue.ts'
import { turnWith } from '../../server/limits/turn.ts'

const queue = () => fairQueue({ running: 1, runningPerKey: 1, waitingPerKey: 4, waiting: 16 })

t.test('a turn that is passed on goes to the next key, and comes back', async t => {
  const slots = queue()
  const order: string[] = []
  const turn = turnWith(await slots.enter({ key: 'panel' }), () => slots.enter({ key: 'panel' }))
  const other = slots.enter({ key: 'other' }).then(leave => {
    order.push('other')
    leave()
  })
  order.push('first day')
  await Promise.all([turn.pass(), turn.pass()])
  order.push('second day')
  await turn.pass()
  order.push('third day')
  turn.end()
  await other
  t.strictSame(order, ['first day', 'other', 'second day', 'third day'])
  const leave = await slots.enter({ key: 'last' })
  leave()
})

t.test('a task that ended keeps no slot, whatever it still passes on', async t => {
  const slots = queue()
  const enter = () => slots.enter({ key: 'panel' })
  const turn = turnWith(await enter(), enter)
  const leaveOther = slots.enter({ key: 'other' })
  const passing = turn.pass()
  turn.end()
  ;(await leaveOther)()
  await passing
  await turn.pass()
  const leave = await slots.enter({ key: 'next' })
  leave()
  const late = turnWith(await enter(), async () => {
    throw new Error('its time is over')
  })
  await late.pass()
  late.end()
  ;(await slots.enter({ key: 'next' }))()
  t.pass('every slot was free again')
})
