import { execFileSync } from 'node:child_process'
import t from 'tap'
import { cents, date, integer, number, percent, ratio } from '../../engine/schema/column.ts'
import { covenants } from '../../engine/schema/resources/covenants.ts'
import { flowsOf } from '../../server/web/pages/bond/flows.ts'
import { dayText, isoDay, setDayForm } from '../../server/web/show/days.ts'
import { exactly, headingUnit, money, shown, withUnit } from '../../server/web/show/figures.ts'
import { fileName, filingUrl, inputName, inputValue } from '../../server/web/show/inputs.ts'
import { whyMissing } from '../../server/web/show/missing.ts'
import { daysOf, tickDecimals, withValues } from '../../server/web/show/plot.ts'
import { shellWord } from '../../server/web/show/shell.ts'
import { staleness } from '../../server/web/show/stale.ts'

t.test('a threshold is shown as times or as money', async t => {
  const { threshold_value } = covenants.columns
  t.equal(shown(threshold_value, 3.75), '3.75')
  t.equal(shown(threshold_value, 10_000_000_000), '$100mm')
  t.equal(withUnit(threshold_value, 15_000_000_000), '$150mm')
  t.equal(headingUnit(threshold_value), undefined)
})

t.test('an input is labelled by its item, concept or bond', t => {
  t.strictSame(
    [
      { item: 'total_debt' },
      { concept: 'us-gaap:LongTermDebtNoncurrent' },
      { concept: 'aapl:EBITDAOfSegments' },
      { item: 'bond', bond_id: '037833AL4' },
      {},
    ].map(inputName),
    ['Total debt', 'Long term debt noncurrent', 'Ebitda of segments', 'Bond 037833AL4', '–'],
  )
  t.end()
})

t.test('dollars and cents are both shown as money, and unknown values as a dash', t => {
  t.strictSame(
    [
      { value: 91_807_000_000_00, unit: 'USD cents' },
      { value: 91_807_000_000, unit: 'USD' },
      { value: 5_000_000_000, unit: 'JPY minor units' },
      { value: 3.254, unit: 'ratio' },
      { value: 0, unit: 'count' },
      { value: true },
      { value: null, unit: 'USD' },
      { value: '2029-08-08' },
    ].map(inputValue),
    ['$91.8bn', '$91.8bn', '50.0mm JPY', '3.25 ratio', '0', 'Yes', '–', '2029-08-08'],
  )
  t.end()
})

t.test('a source is shown as its file name, and a filing links to the SEC', t => {
  t.equal(fileName('/srv/data/real/xbrl/CIK0000320193.json.gz:row 12'), 'CIK0000320193.json.gz:row 12')
  t.equal(
    filingUrl('0000320193-24-000123', '0000320193'),
    'https://www.sec.gov/Archives/edgar/data/320193/000032019324000123/0000320193-24-000123-index.htm',
  )
  t.equal(
    filingUrl('0000320193-24-000123', null),
    'https://www.sec.gov/Archives/edgar/data/320193/000032019324000123/0000320193-24-000123-index.htm',
  )
  t.equal(filingUrl('javascript:alert(1)', '0000320193'), null)
  t.end()
})

t.test('lines without values are not drawn, and only days with values are on the axis', t => {
  const lines = [
    { name: '5Y', points: [['2025-01-03', 100] as const, ['2025-01-02', null] as const] },
    { name: '7Y', points: [['2025-01-02', null] as const] },
  ]
  t.strictSame(
    withValues(lines).map(line => line.name),
    ['5Y'],
  )
  t.strictSame(daysOf(lines), ['2025-01-03'])
  t.end()
})

t.test('axis ticks have enough decimals to be distinct', t => {
  for (const [low, high] of [
    [4.21, 4.26],
    [0, 1],
    [99.98, 100.02],
    [120, 480],
    [0, 35_000],
    [7, 7],
  ] as const) {
    const decimals = tickDecimals([low, high])
    const span = high - low || high
    // ECharts cuts an axis into at most ten steps.
    const ticks = Array.from({ length: 11 }, (_, i) => (low + (span * i) / 10).toFixed(decimals))
    t.equal(new Set(ticks).size, ticks.length, `${low} to ${high}: ${ticks.join(' ')}`)
  }
  t.equal(tickDecimals([120, 480]), 0)
  t.end()
})

t.test('figures are written as desks write them, and every digit is kept for hovering', t => {
  const price = number('Price.', { unit: 'percent of par' })
  const spread = integer('Spread.', { unit: 'basis points' })
  const dv01 = number('Price change.', { unit: 'cents per 100 par' })
  t.equal(withUnit(price, 98.28125), '98.28')
  t.equal(exactly(price, 98.28125), '98.28125 percent of par')
  t.strictSame(
    [5.4312, 4.875, 3.25, 6].map(v => shown(percent('Yield.'), v)),
    ['5.43%', '4.875%', '3.25%', '6.00%'],
  )
  t.equal(exactly(percent('Yield.'), 5.4312), '5.4312%')
  t.strictSame(
    [134.4, -20, 0, 3.4].map(v => shown(spread, v)),
    ['+134', '−20', '0', '+3.4'],
  )
  t.strictSame(
    [4.1822, 4.25, 4.5, -1].map(v => shown(ratio('Leverage.'), v)),
    ['4.2x', '4.25x', '4.5x', '−1.0x'],
  )
  t.equal(shown(ratio('Confidence of the extraction, 0 to 1.'), 0.93), '0.9', 'a share is no multiple')
  t.equal(withUnit(dv01, 3.34), '$334 per $1mm')
  t.equal(headingUnit(dv01), '$ per $1mm')
  t.equal(shown(cents('Debt.'), 4_522_530_000_000), '45,225.3')
  t.equal(headingUnit(cents('Debt.')), '$mm')
  t.equal(exactly(cents('Debt.'), 4_522_530_000_050, 'EUR'), '45,225,300,000.5 EUR')
  t.strictSame(
    [4_522_530_000_000, 73_400_000_000, 1_230_000_000, -45_000_000, null].map(v => money(v)),
    ['$45.2bn', '$734mm', '$12.3mm', '−$450,000', '–'],
  )
  t.equal(money(73_400_000_000, 'EUR'), '734mm EUR')
  t.end()
})

t.test('a day is written in the chosen form, and read in any', t => {
  const of = (form: 'iso' | 'words' | 'us') => {
    setDayForm(form)
    return shown(date('Day.'), '2025-06-03')
  }
  t.strictSame([of('words'), of('us'), of('iso')], ['3 Jun 2025', '06/03/2025', '2025-06-03'])
  t.equal(dayText('2025-06-03T23:59:59Z'), '2025-06-03')
  t.equal(dayText('unknown'), 'unknown')
  for (const text of ['2025-06-03', '20250603', '6/3/2025', '3 Jun 2025', '03 june 2025'])
    t.equal(isoDay(text), '2025-06-03', text)
  t.equal(isoDay('soon'), 'soon')
  t.end()
})

t.test('a price or figure that is old is marked, with its age', t => {
  t.match(staleness('pricing.ytm', { pricing: { staleness_days: 59 } }), '59 days')
  t.equal(staleness('last_price', { staleness_days: 2 }), null)
  t.match(staleness('net_leverage_ratio', { figures_age_days: 400 }), '400 days')
  t.equal(staleness('leverage_ratio', { figures_age_days: 90 }), null)
  t.equal(staleness('coupon_rate', { staleness_days: 59 }), null, 'terms do not age')
  t.end()
})

t.test('a word of a command is pasted without effect on the terminal, and read as it is', t => {
  t.equal(shellWord('OBDC'), 'OBDC')
  t.equal(shellWord("Moody's & Co"), `'Moody'\\''s & Co'`)
  for (const word of ["it's \x1b[2J \\ é $HOME `id`\n\x07", 'a\u009bb', 'plain words', '']) {
    const quoted = shellWord(word)
    t.notMatch(quoted, /\p{Cc}/u)
    t.equal(
      execFileSync('bash', ['-c', `printf %s ${quoted}`], { env: { LC_ALL: 'C.UTF-8' } }).toString(),
      word,
    )
  }
  t.end()
})

t.test(
  'cash flows of a sinking bond are of what is outstanding, and none where its schedule does not fit',
  t => {
    const terms = {
      coupon_rate: 6,
      maturity_date: '2027-06-15',
      coupon_frequency: 1,
      rate_structure: 'fixed',
      sinking_schedule: [
        { date: '2024-06-15', percent: 20 },
        { date: '2026-06-15', percent: 40 },
      ],
    } as unknown as Parameters<typeof flowsOf>[0]
    t.strictSame(flowsOf(terms, '2025-07-01'), [
      { day: '2026-06-15', coupon: 6, principal: 50 },
      { day: '2027-06-15', coupon: 3, principal: 50 },
    ])
    t.strictSame(
      flowsOf({ ...terms, sinking_schedule: null }, '2025-07-01')?.map(({ principal }) => principal),
      [0, 100],
    )
    t.equal(
      flowsOf({ ...terms, sinking_schedule: [{ date: '2026-06-16', percent: 40 }] }, '2025-07-01'),
      null,
    )
    t.end()
  },
)

t.test('a figure that a company does not have says why', async t => {
  const old = { figures_null_because: 'stale', figures_age_days: 1091 }
  t.equal(whyMissing('leverage_ratio', old), 'the newest statements, 1,091 days old, are too old')
  t.equal(
    whyMissing('debt_due_1yr', { ...old, period_end_date: '2023-06-30' }),
    'the newest statements, of 2023-06-30, are too old',
  )
  t.equal(whyMissing('total_debt', { figures_null_because: 'no_statements' }), 'no statements')
  t.equal(whyMissing('leverage_ratio', { figures_null_because: null }), null, 'for reasons of its own')
  t.equal(whyMissing('bond_count', old), null, 'no figure of statements')
  t.equal(
    whyMissing('rating_bucket', { rating_null_because: 'stale', rating_age_days: 3923 }),
    'no rating action for 3,923 days',
  )
  t.equal(whyMissing('rating_bucket', { rating_null_because: 'not_rated' }), 'not rated')
})
