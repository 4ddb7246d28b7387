import t from 'tap'
import {
  addBusinessDays,
  addMonths,
  civil,
  formatDay,
  isBusinessDay,
  parseDay,
  settlementDay,
  toDay,
  weekday,
} from '../../engine/credit/calendar.ts'

t.test('a day and its date are the same by our arithmetic and by that of JavaScript', async t => {
  const wrong: number[] = []
  for (let day = -30_000; day < 60_000; day++) {
    const { year, month, day: ofMonth } = civil(day)
    const date = new Date(day * 86_400_000)
    if (
      year !== date.getUTCFullYear() ||
      month !== date.getUTCMonth() + 1 ||
      ofMonth !== date.getUTCDate() ||
      weekday(day) !== date.getUTCDay() ||
      toDay(year, month, ofMonth) !== day
    )
      wrong.push(day)
  }
  t.strictSame(wrong, [])
})

t.test('nonexistent dates are refused', async t => {
  t.equal(formatDay(parseDay('2024-02-29')), '2024-02-29')
  for (const text of [
    '2023-02-29',
    '2024-13-01',
    '2024-00-10',
    '2024-1-1',
    '20240101',
    '2024-01-01T00:00Z',
    '',
  ])
    t.throws(() => parseDay(text), RangeError, text)
})

t.test('adding months keeps the day of the month, or the month end', async t => {
  const after = (text: string, n: number, endOfMonth?: boolean) =>
    formatDay(addMonths(parseDay(text), n, endOfMonth))
  t.equal(after('2025-08-31', 6), '2026-02-28')
  t.equal(after('2026-02-28', 6), '2026-08-28')
  t.equal(after('2026-02-28', 6, true), '2026-08-31')
  t.equal(after('2024-03-15', -15), '2022-12-15')
})

t.test('the bond market is closed on its holidays, including moved ones', async t => {
  const closed = [
    ...['2025-01-01', '2025-01-20', '2025-02-17', '2025-04-18', '2025-05-26', '2025-06-19', '2025-07-04'],
    ...['2025-09-01', '2025-10-13', '2025-11-11', '2025-11-27', '2025-12-25'],
    ...['2022-12-26', '2023-01-02', '2021-07-05', '2020-07-03', '2012-10-30'],
  ]
  const open = ['2021-12-31', '2021-06-18', '2023-04-07', '2021-04-02', '2023-11-10', '2025-12-26']
  t.strictSame(closed.map(parseDay).filter(isBusinessDay), [])
  t.strictSame(
    open.map(parseDay).filter(day => !isBusinessDay(day)),
    [],
  )
})

t.test('trades settle after three, two or one business days, by date', async t => {
  const settles = (text: string) => formatDay(settlementDay(parseDay(text)))
  t.equal(settles('2017-09-01'), '2017-09-07')
  t.equal(settles('2017-09-05'), '2017-09-07')
  t.equal(settles('2024-05-24'), '2024-05-29')
  t.equal(settles('2024-05-28'), '2024-05-29')
  t.equal(settles('2025-12-17'), '2025-12-18')
  t.equal(settles('2025-12-24'), '2025-12-26')
  t.equal(formatDay(addBusinessDays(parseDay('2025-12-20'), 0)), '2025-12-22')
  t.equal(formatDay(addBusinessDays(parseDay('2025-12-22'), -1)), '2025-12-19')
})
