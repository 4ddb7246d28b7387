import t from 'tap'
import { counting } from '../../../server/state/count-requests.ts'

const start = 1_000_000
const asked = { n: 1, limit: 60, now: start + 1000, patient: true }
const window = (started_at: number, used: number, lent = 0) => ({
  started_at,
  used,
  lent,
  recalled: 0,
  holder: null,
})

t.test('a window counts to its limit, and restarts after 60 seconds', t => {
  const within = counting(window(start, 59), asked)
  t.strictSame(within, {
    allowed: true,
    shown: window(start, 60),
    stored: window(start, 60),
  })
  t.match(counting(within.stored, asked), { allowed: false, stored: { started_at: start, used: 60 } })
  const now = start + 60_000
  t.match(counting(within.stored, { ...asked, now }), { allowed: true, stored: { started_at: now, used: 1 } })
  t.equal(counting(within.stored, { ...asked, now: now - 1 }).allowed, false)
  t.end()
})

t.test('a clock that jumps back frees nothing, and the window ends within 60 seconds of it', t => {
  const now = start - 500_000
  t.match(counting(window(start, 60), { ...asked, now }), {
    allowed: false,
    stored: { started_at: now, used: 60 },
  })
  t.end()
})

t.test('a refused request starts no window', t => {
  const over = window(start - 60_000, 7, 3)
  t.strictSame(counting(over, { ...asked, n: 61, now: start }), {
    allowed: false,
    shown: window(start, 0),
    stored: over,
  })
  t.end()
})

t.test("another process's lease is recalled before anything is counted", t => {
  const stands = window(start, 20, 10)
  const recalled = { ...stands, recalled: 1 }
  t.strictSame(counting(stands, asked), { allowed: null, shown: stands, stored: recalled })
  const dead = counting(recalled, { ...asked, patient: false })
  const stored = { ...window(start, 21), recalled: 1 }
  t.strictSame(dead, { allowed: true, shown: stored, stored }, 'a lease whose holder hangs counts as used')
  t.end()
})
