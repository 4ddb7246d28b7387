import t from 'tap'
import { benchCase, difference, type Ground } from '../../bench/case.ts'
import { measure, quantile } from '../../bench/measure.ts'
import { random } from '../../cli/sample/random.ts'

const effort = { rounds: 3, minCalls: 4, maxCalls: 4, roundTime: 1, warmUp: 1 }
const ground = {} as Ground

const screen = (engine: (leverage: number) => number) =>
  benchCase<number>({
    name: 'screen',
    question: 'How many companies are above a leverage?',
    ask: random => random.whole(0, 1_000_000),
    baselines: { raw: { run: async (_, leverage) => () => ({ total: leverage, rows: [[leverage]] }) } },
    engine: { run: async (_, leverage) => () => ({ total: engine(leverage), rows: [[leverage]] }) },
  })

t.test('contestants that agree are timed on the same queries', async t => {
  const measured = await measure(
    screen(total => total),
    ground,
    random('a'),
    effort,
  )
  t.equal(measured.contestants['raw']!.calls, 12)
  t.equal(measured.contestants['engine']!.calls, 12)
  t.equal(measured.meanRows, 1)
  t.ok(measured.ratios['raw']!.low <= measured.ratios['raw']!.high)
})

t.test('an engine with different answers is not measured', async t => {
  await t.rejects(
    measure(
      screen(total => total + 1),
      ground,
      random('a'),
      effort,
    ),
    {
      message: /engine answers otherwise than raw: total/,
    },
  )
})

t.test('no query repeats, so nothing can be cached', async t => {
  const asked: number[] = []
  await measure(
    screen(total => {
      asked.push(total)
      return total
    }),
    ground,
    random('a'),
    effort,
  )
  t.equal(new Set(asked).size, asked.length)
})

t.test('answers differ from the first unequal row', t => {
  t.equal(
    difference({ total: 2, rows: [['F'], ['GM']] }, { total: 2, rows: [['F'], ['T']] }),
    'row 2 is ["T"], not ["GM"]',
  )
  t.equal(difference({ total: 2, rows: [] }, { total: 3, rows: [] }), 'total 3, not 2')
  t.equal(difference({ total: 1, rows: [[null]] }, { total: 1, rows: [[null]] }), null)
  t.end()
})

t.test('a quantile is one of the measured times', t => {
  const sorted = Array.from({ length: 200 }, (_, i) => i + 1)
  t.equal(quantile(sorted, 0.5), 100)
  t.equal(quantile(sorted, 0.99), 198)
  t.equal(quantile([7], 0.99), 7)
  t.end()
})
