import t from 'tap'
import { fileName, filingUrl, inputName, inputValue } from '../../server/web/show/inputs.ts'
import { daysOf, tickDecimals, withValues } from '../../server/web/show/plot.ts'

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
    ['91.8bn USD', '91.8bn USD', '50.0m JPY', '3.25 ratio', '0', 'Yes', '–', '2029-08-08'],
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
