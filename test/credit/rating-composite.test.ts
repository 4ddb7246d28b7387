import t from 'tap'
import { ageSpans, DEFAULT_RATING_MAX_AGE, NO_MAX_AGE } from '../../engine/credit/max-age.ts'
import { compositeRating } from '../../engine/credit/rating-composite.ts'
import { agencyScale, letterOnScale, ratingRank } from '../../engine/credit/rating-scale.ts'

const letter = (rank: number | null, ageDays: number) => ({ rank, ageDays })

t.test('a rating counts toward the bucket for five years after its last action', async t => {
  const bucket = (...letters: ReturnType<typeof letter>[]) => {
    const { bucket, nullBecause } = compositeRating(letters, DEFAULT_RATING_MAX_AGE)
    return bucket ?? nullBecause
  }
  t.equal(bucket(), 'not_rated')
  t.equal(bucket(letter(10, 1826)), 'IG')
  t.equal(bucket(letter(10, 1827)), 'stale')
  t.equal(bucket(letter(10, 1000), letter(12, 1900)), 'IG', 'the one that is current stands alone')
  t.equal(bucket(letter(10, 100), letter(12, 1926)), 'IG')
  t.equal(bucket(letter(10, 100), letter(12, 1927)), 'far_apart')
  t.equal(bucket(letter(10, 100), letter(null, 4000)), 'IG', 'a withdrawn letter belongs to no time')
  t.equal(bucket(letter(null, 100)), 'NR')
  t.equal(bucket(letter(10, NO_MAX_AGE)), 'stale', 'so does a letter that no source dates')
})

t.test('without an age limit old ratings count, if they are close together', async t => {
  t.strictSame(compositeRating([letter(10, 6000), letter(12, 5000)], NO_MAX_AGE), {
    rank: 12,
    bucket: 'HY-BB',
    nullBecause: null,
  })
  t.equal(compositeRating([letter(10, 6000), letter(12, 100)], NO_MAX_AGE).nullBecause, 'far_apart')
  t.equal(compositeRating([letter(10, NO_MAX_AGE)], NO_MAX_AGE).bucket, 'IG')
})

t.test('ranges of a limit begin where one more age passes it, and cover every limit', async t => {
  t.strictSame(ageSpans([]), [{ from: 0, to: NO_MAX_AGE }])
  t.strictSame(ageSpans([300, 100, 300]), [
    { from: 0, to: 99 },
    { from: 100, to: 299 },
    { from: 300, to: NO_MAX_AGE },
  ])
  t.strictSame(ageSpans([0, NO_MAX_AGE]), [
    { from: 0, to: NO_MAX_AGE - 1 },
    { from: NO_MAX_AGE, to: NO_MAX_AGE },
  ])
})

t.test("ratings are shown on their agency's own scale", async t => {
  t.equal(letterOnScale('sp', 'BB+ *-'), 'BB+')
  t.equal(letterOnScale('moodys', 'BB+'), 'Ba1')
  t.equal(letterOnScale('moodys', '(P)Baa1'), 'Baa1')
  t.equal(letterOnScale('fitch', 'RD'), 'RD')
  t.equal(letterOnScale('sp', 'RD'), 'D')
  t.equal(letterOnScale('moodys', 'NR'), 'WR')
  t.equal(letterOnScale('moodys', 'D'), null, "Moody's has no D")
  t.equal(letterOnScale('sp', 'A-1+'), null)
  for (const [agency, scale] of Object.entries(agencyScale))
    for (const one of scale)
      t.equal(letterOnScale(agency as 'sp', one), one, `${agency} ${one} ${ratingRank(agency, one)}`)
})
