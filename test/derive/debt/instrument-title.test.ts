import t from 'tap'
import { ungluedWords } from '../../../engine/derive/debt/glued-words.ts'
import { titleOf } from '../../../engine/derive/debt/instrument-title.ts'

t.test('the coupon stands in front, in place of the digits that filers write for it', t => {
  const titles: [string, number, string][] = [
    ['Notes 3150 due 2024', 3.15, '3.15% Notes due 2024'],
    ['Senior Notes due 2024 at 3.850 Percent', 3.85, '3.85% Senior Notes due 2024'],
    [
      'Fixed Rate Senior Notes 4 Point 88 Percent due February 2026',
      4.88,
      '4.88% Fixed Rate Senior Notes due February 2026',
    ],
    ['Notes 4.150 due 2045 Member', 4.15, '4.15% Notes due 2045'],
    ['Senior Notes 0000 due 2025', 0, '0% Senior Notes due 2025'],
    ['Senior Notes 2000 due 2031', 2, '2% Senior Notes due 2031'],
    ['Senior Notes 405 due August 2029', 4, '4% Senior Notes due August 2029'],
    ['Senior Notes due 2025', 20.25, '20.25% Senior Notes due 2025'],
    ['Notes 4.852027', 4.85, '4.85% Notes 2027'],
    ['Notes 1902025', 1.9, '1.9% Notes 2025'],
    ['Senior Notes 2019 due 20311625 Percent', 1.625, '1.625% Senior Notes 2019 due 2031'],
    ['2000 Notes due May 2030', 2, '2% Notes due May 2030'],
    ['2020 Notes', 2.02, '2.02% 2020 Notes'],
    ['4.125% Senior Notes due 2030', 4.125, '4.125% Senior Notes due 2030'],
  ]
  for (const [words, coupon, title] of titles) t.equal(titleOf(words, coupon), title, words)
  t.equal(titleOf('Revolving Credit Facility', null), 'Revolving Credit Facility')
  t.end()
})

t.test('words that filers run together are told apart, if all of them are known', t => {
  t.strictSame(ungluedWords('Otherlongtermdebt'), ['Other', 'long', 'term', 'debt'])
  t.strictSame(ungluedWords('Internationalplc'), ['International', 'plc'])
  t.strictSame(ungluedWords('Amendedand'), ['Amended', 'and'])
  t.strictSame(ungluedWords('Fourpointfivepercentmaturingin'), [
    'Four',
    'point',
    'five',
    'percent',
    'maturing',
    'in',
  ])
  for (const word of ['Subordinated', 'Walgreens', 'Banknotesque', 'plc', 'Foreign'])
    t.strictSame(ungluedWords(word), [word])
  t.end()
})
