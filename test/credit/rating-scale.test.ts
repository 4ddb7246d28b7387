import t from 'tap'
import { composite, isWithdrawn, ratingBucket, ratingRank } from '../../engine/credit/rating-scale.ts'

t.test('both alphabets are accepted for every agency', async t => {
  const rank = (letter: string) => ratingRank('moodys', letter)
  t.strictSame(
    ['AAA', 'Aaa', 'BBB-', 'Baa3', 'BB+', 'Ba1', 'B-', 'B3'].map(rank),
    [1, 1, 10, 10, 11, 11, 16, 16],
  )
  t.strictSame(['CCC+', 'Caa1', 'CC', 'Ca', 'C', 'D', 'SD', 'RD'].map(rank), [17, 17, 20, 20, 21, 22, 22, 22])
})

t.test('watch, provisional, unsolicited and expected marks are ignored', async t => {
  const rank = (letter: string) => ratingRank('sp', letter)
  t.strictSame(
    ['(P)Baa1', 'BBB+u', 'BBB+ *-', 'BBB+ /*-', 'BBB+ (sf)', 'BBB+(EXP)', ' bbb+ ', 'BBB+pi'].map(rank),
    [8, 8, 8, 8, 8, 8, 8, 8],
  )
  t.equal(rank('Ca'), 20)
})

t.test('an outlook, a watch or a short-term rating behind a letter is ignored', async t => {
  const all = [
    'BBB-/Negative/A-3',
    'BBB-/Watch Neg',
    'BBB- (Stable)',
    'Baa3, rating watch negative',
    'Baa3 / Stable',
    'BBB- negative outlook',
    'BBB-',
  ]
  t.strictSame(
    all.map(letter => ratingRank('sp', letter)),
    all.map(() => 10),
  )
  // Of a national scale.
  for (const letter of ['AA (mex)', 'brAA+', 'Aa2.br']) t.equal(ratingRank('sp', letter), null, letter)
  t.ok(isWithdrawn('N/A'))
})

t.test('withdrawn and short-term ratings are not on the scale', async t => {
  for (const letter of ['NR', 'WR', 'WD', 'A-1+', 'P-2', '', '-'])
    t.equal(ratingRank('fitch', letter), null, letter)
  t.ok(isWithdrawn('WR'))
  t.notOk(isWithdrawn('B1'))
})

t.test('buckets end at BBB-, BB- and B-', async t => {
  t.strictSame([null, 1, 10, 11, 13, 14, 16, 17, 22].map(ratingBucket), [
    ...['NR', 'IG', 'IG', 'HY-BB', 'HY-BB', 'HY-B', 'HY-B', 'HY-CCC', 'HY-CCC'],
  ])
})

t.test('the composite is the middle of three, the worse of two, else the one', async t => {
  t.equal(composite([9, 12, 10]), 10)
  t.equal(composite([9, null, 12]), 12)
  t.equal(composite([null, 9]), 9)
  t.equal(composite([null]), null)
})
