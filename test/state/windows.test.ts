import t from 'tap'
import { counting } from '../../server/state/windows.ts'

const start = 1_000_000
const asked = { n: 1, limit: 60, now: start + 1000 }

t.test('a window counts until it is full, and begins anew after 60 seconds', t => {
  const within = counting({ started_at: start, used: 59 }, asked)
  t.strictSame(within, {
    allowed: true,
    shown: { started_at: start, used: 60 },
    kept: { started_at: start, used: 60 },
  })
  t.match(counting(within.kept, asked), { allowed: false, kept: { started_at: start, used: 60 } })
  const now = start + 60_000
  t.match(counting(within.kept, { ...asked, now }), { allowed: true, kept: { started_at: now, used: 1 } })
  t.equal(counting(within.kept, { ...asked, now: now - 1 }).allowed, false)
  t.end()
})

t.test('a clock that jumps back frees nothing, and the window ends 60 seconds after it', t => {
  const now = start - 500_000
  t.match(counting({ started_at: start, used: 60 }, { ...asked, now }), {
    allowed: false,
    kept: { started_at: now, used: 60 },
  })
  t.end()
})

t.test('a request that is refused begins no window', t => {
  const over = { started_at: start - 60_000, used: 7 }
  t.strictSame(counting(over, { n: 61, limit: 60, now: start }), {
    allowed: false,
    shown: { started_at: start, used: 0 },
    kept: over,
  })
  t.end()
})
