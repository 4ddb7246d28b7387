import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { processTree } from '../../scripts/soak/processes.ts'
import { isFlat, quantile, type Sample, trendOf } from '../../scripts/soak/trend.ts'

const samples = (count: number, value: (i: number) => number): Sample[] =>
  Array.from({ length: count }, (_, i) => ({ at: i, value: value(i) }))

const tolerance = { share: 0.1, least: 8 }

t.test('steady growth is detected under noise and varying caches', async t => {
  const noise = (i: number) => ((i * 7919) % 40) - 20
  t.ok(
    isFlat(
      samples(300, i => 400 + noise(i)),
      tolerance,
    ),
  )
  t.notOk(
    isFlat(
      samples(300, i => 400 + noise(i) + i * 0.4),
      tolerance,
    ),
    '120 MB in five minutes',
  )
  t.ok(
    isFlat(
      samples(300, i => (i % 60 < 8 ? 700 : 400)),
      tolerance,
    ),
    'two snapshots are open for a while',
  )
  t.ok(
    isFlat(
      samples(300, i => 400 - i * 0.5),
      tolerance,
    ),
    'to shrink is no growth',
  )
  t.ok(isFlat([], tolerance))
})

t.test('growth is reported for the observed time', async t => {
  const { growth, first, last, most } = trendOf(samples(101, i => 50 + 2 * i))
  t.strictSame([growth, first, last, most], [200, 50, 250, 250])
  t.equal(quantile([5, 1, 4, 2, 3], 0.5), 3)
  t.equal(quantile([5, 1, 4, 2, 3], 1), 5)
})

t.test(
  'a process is listed with its memory and open descriptors',
  { skip: process.platform !== 'linux' && '/proc tells it, on Linux alone' },
  async t => {
    const [before] = processTree(process.pid)
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.ok((server.address() as AddressInfo).port)
    const [after] = processTree(process.pid)
    t.ok(after!.descriptors > before!.descriptors)
    t.ok(after!.megabytes > 10 && after!.megabytes < 10_000)
    server.close()
    t.strictSame(processTree(2 ** 30), [], 'one that is not there is left out')
  },
)
