import t from 'tap'
import { starvedMs, stateOf } from '../../server/process/process-state.ts'
import { isHung, type Look, noSilence, silence } from '../../server/process/silence.ts'

const after = (looks: readonly Look[]) => looks.reduce(silence, noSilence)
const times = (count: number, look: Look) => Array.from({ length: count }, () => look)
const silent = (elapsed: number, starved = 0): Look => ({ answered: false, elapsed, starved })

t.test('a worker counts as hung after five silent seconds, not before', async t => {
  t.notOk(isHung(after(times(9, silent(500)))))
  t.ok(isHung(after(times(10, silent(500)))))
})

t.test('an answer ends the silence', async t => {
  const looks = [
    ...times(9, silent(500)),
    { answered: true, elapsed: 500, starved: 0 },
    ...times(9, silent(500)),
  ]
  t.notOk(isHung(after(looks)))
})

t.test('a machine suspended overnight does not condemn its workers', async t => {
  t.notOk(isHung(after([silent(500), silent(8 * 3_600_000), silent(500)])))
})

t.test('time without a processor does not count, up to twenty seconds', async t => {
  t.notOk(isHung(after(times(39, silent(500, 450)))))
  t.ok(isHung(after(times(40, silent(500, 450)))))
})

t.test('the process state is read from the system', { skip: process.platform !== 'linux' }, async t => {
  t.ok(starvedMs(process.pid) >= 0)
  t.equal(stateOf(process.pid), 'running')
  t.equal(stateOf(2 ** 22 + 1), 'in an unknown state', 'there is no such process')
})
