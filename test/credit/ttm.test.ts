import t from 'tap'
import { parseDay } from '../../engine/credit/calendar.ts'
import { type Flow, quarterFromIntervals, quartersOf, trailingTwelveMonths } from '../../engine/credit/ttm.ts'

const flow = (start: string, end: string, value: number): Flow => ({
  start: parseDay(start),
  end: parseDay(end),
  value,
})
const year2023 = flow('2023-01-01', '2023-12-31', 400)
const half2023 = flow('2023-01-01', '2023-06-30', 180)
const half2024 = flow('2024-01-01', '2024-06-30', 230)
const quarter = (n: number, year: number, value: number) => {
  const [start, end] = [
    ['01-01', '03-31'],
    ['04-01', '06-30'],
    ['07-01', '09-30'],
    ['10-01', '12-31'],
  ][n - 1] as [string, string]
  return flow(`${year}-${start}`, `${year}-${end}`, value)
}

t.test('a fiscal year is its own trailing twelve months', async t => {
  const ttm = trailingTwelveMonths([year2023, quarter(4, 2023, 120)])
  t.match(ttm, { value: 400, quarters: 4, is_annualized: false, method: 'fiscal_year' })
})

t.test('the year is rolled on by the year to date less the one before', async t => {
  const ttm = trailingTwelveMonths([year2023, half2023, half2024])
  t.strictSame(ttm, {
    quarters: 4,
    is_annualized: false,
    reason: null,
    value: 450,
    method: 'year_plus_ytd_less_prior_ytd',
    used: [year2023, half2024, half2023],
  })
})

t.test('without the year before, four quarters are summed', async t => {
  const quarters = [quarter(3, 2023, 1), quarter(4, 2023, 2), quarter(1, 2024, 3), quarter(2, 2024, 4)]
  t.match(trailingTwelveMonths(quarters), { value: 10, method: 'four_quarters', used: quarters })
})

t.test('else the longest year to date is annualised and flagged', async t => {
  const ttm = trailingTwelveMonths([half2024, quarter(2, 2024, 120)])
  t.match(ttm, { value: 460, quarters: 2, is_annualized: true, method: 'annualized', used: [half2024] })
  t.strictSame(trailingTwelveMonths([half2023], parseDay('2024-06-30')), {
    value: null,
    reason: 'no_flow_at_period_end',
  })
  t.equal(trailingTwelveMonths([]).value, null)
})

t.test('a filer on 52 and 53 week years is rolled on the same way', async t => {
  const ttm = trailingTwelveMonths([
    flow('2022-09-25', '2023-09-30', 383),
    flow('2022-09-25', '2022-12-31', 117),
    flow('2023-10-01', '2023-12-30', 119),
  ])
  t.match(ttm, { value: 385, method: 'year_plus_ytd_less_prior_ytd' })
})

t.test('a quarter is the difference of two year-to-date figures, Q4 of the year and nine months', async t => {
  const first = quarter(1, 2024, 100)
  t.match(quarterFromIntervals([first, half2024], half2024.end), {
    value: 130,
    method: 'ytd_difference',
    start: parseDay('2024-04-01'),
  })
  const nineMonths = flow('2023-01-01', '2023-09-30', 290)
  t.match(quarterFromIntervals([year2023, nineMonths], year2023.end), {
    value: 110,
    method: 'ytd_difference',
  })
})

t.test('Q4 is the year less three quarters where no nine months are stated', async t => {
  const quarters = [quarter(1, 2023, 90), quarter(2, 2023, 90), quarter(3, 2023, 100)]
  t.match(quarterFromIntervals([year2023, ...quarters], year2023.end), {
    value: 120,
    method: 'annual_less_quarters',
    start: parseDay('2023-10-01'),
  })
})

t.test('a quarter that cannot be formed says why', async t => {
  t.strictSame(quarterFromIntervals([half2024], half2024.end), { value: null, reason: 'no_shorter_period' })
  t.strictSame(quarterFromIntervals([half2024], parseDay('2024-09-30')), {
    value: null,
    reason: 'no_flow_at_period_end',
  })
})

t.test('lengths that are no whole quarters count as none', async t => {
  t.equal(quartersOf(quarter(1, 2024, 0)), 1)
  t.equal(quartersOf(flow('2023-01-01', '2023-01-31', 0)), null)
  t.equal(quartersOf(flow('2022-01-01', '2023-12-31', 0)), null)
})
