import t from 'tap'
import { numberOf } from '../../engine/base/number-words.ts'

t.test('a number in digits or in one word', async t => {
  t.strictSame(
    ['0', '12', 'zero', 'twelve', 'nineteen', 'twenty', 'ninety', '', 'none', '1.5', 'twenty one'].map(
      numberOf,
    ),
    [0, 12, 0, 12, 19, 20, 90, null, null, null, null],
  )
})
