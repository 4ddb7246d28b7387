import fc from 'fast-check'
import t from 'tap'
import { fuse } from '../../engine/search/fuse.ts'
import { bestScores } from '../../engine/search/keyword/best-scores.ts'

t.test('a section found by both searches outranks one found first by either', async t => {
  const scores = fuse([
    [1, 2],
    [2, 3],
  ])
  const ranked = [...scores].sort((a, b) => b[1] - a[1]).map(([section]) => section)
  t.strictSame(ranked, [2, 1, 3])
  t.equal(scores.get(2), 1 / 62 + 1 / 61)
})

t.test('the best of many are those that sorting finds, ties in the order of the sections', async t => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 20 })),
      fc.integer({ min: 0, max: 60 }),
      (scores, count) => {
        const matches = { sections: Uint32Array.from(scores.keys()), scores: Float32Array.from(scores) }
        const sorted = [...scores.keys()].sort((a, b) => scores[b]! - scores[a]! || a - b).slice(0, count)
        t.strictSame(bestScores(matches, count), sorted)
      },
    ),
    { seed: 3 },
  )
})
