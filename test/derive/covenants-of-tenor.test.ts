import t from 'tap'
import { standingCovenants } from '../../engine/derive/covenants/standing.ts'
import type { StatedCovenant } from '../../engine/derive/covenants/stated-covenant.ts'
import { stated } from './stated-covenant.ts'

t.test('a loan whose name states its tenor ends with it, unless something is said since', t => {
  const ended = (rows: readonly StatedCovenant[], day: string) =>
    standingCovenants(rows, day).map(each => each.ended_on)
  const named = (
    name: string,
    day: string,
    agreement_date: string | null,
    more: Partial<StatedCovenant> = {},
  ) => stated(day, { instrument_name: name, agreement_date, document_type: '8-K', ...more })
  const year = [named('364-Day Credit Agreement dated 2020-03-10', '2020-03-13', '2020-03-10')]
  t.strictSame(ended(year, '2021-03-09'), [null])
  t.strictSame(ended(year, '2021-03-10'), ['2021-03-09'])
  t.match(standingCovenants(year, '2021-03-10'), [{ ended_because: 'matured' }])
  t.strictSame(
    ended([named('Five-Year Credit Agreement dated 2012-06-08', '2012-06-11', '2012-06-08')], '2018-01-01'),
    ['2017-06-08'],
  )
  t.strictSame(
    ended([named('364-Day Credit Agreement', '2018-03-09', null)], '2020-01-01'),
    ['2019-03-08'],
    'without its date, from the day of the document at the latest',
  )
  t.strictSame(
    ended([named('364-Day Credit Agreement', '2022-06-01', '2020-03-10')], '2023-01-01'),
    [null],
    'a document after its end tells that it was extended',
  )
  const until = { agreement_maturity_date: '2022-03-10' }
  t.strictSame(ended([named('364-Day Credit Agreement', '2020-03-13', '2020-03-10', until)], '2021-06-01'), [
    null,
  ])
  t.strictSame(ended([named('Five-Year Notes', '2012-06-11', '2012-06-08')], '2020-01-01'), [null])
  t.strictSame(
    ended([named('364-Day Credit Agreement', '2020-03-13', '2020-03-10', { rule: null })], '2023-01-01'),
    [null],
    'loaded rows state their own end',
  )
  t.end()
})
