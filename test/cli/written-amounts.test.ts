import t from 'tap'
import { plainNumber } from '../../cli/written-amounts.ts'
import { bps, cents, date, number, percent, ratio, text } from '../../engine/schema/column.ts'

t.test('numbers as a desk writes them come in the unit of the column', t => {
  const written = [
    [cents(''), '500mm', '50000000000'],
    [cents(''), '$500 MM', '50000000000'],
    [cents(''), '1.25bn', '125000000000'],
    [cents(''), '$1,250,000.50', '125000050'],
    [cents(''), '-$3k', '-300000'],
    [cents(''), '2tn', '200000000000000'],
    [cents(''), '0.5mn', '50000000'],
    [percent(''), '8%', '8'],
    [percent(''), '5.25 %', '5.25'],
    [bps(''), '150bp', '150'],
    [bps(''), '+134bps', '+134'],
    [ratio(''), '4.2x', '4.2'],
    [number(''), '4x', '4'],
  ] as const
  for (const [column, given, plain] of written) t.equal(plainNumber(column, given), plain, given)
  t.end()
})

t.test('what is no such number is left for the parser to judge', t => {
  for (const given of ['50000000000', '5m', 'mm', '$', '$1.005', '1.2.3mm', '5 dollars', '1e9', '$1,000 k x'])
    t.equal(plainNumber(cents(''), given), given, given)
  t.equal(plainNumber(percent(''), '8%%'), '8%%')
  t.equal(plainNumber(text(''), '500mm'), '500mm')
  t.equal(plainNumber(date(''), '2024-06-30'), '2024-06-30')
  t.end()
})
