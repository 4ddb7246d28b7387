import t from 'tap'
import { estimateTimeLeft } from '../../engine/ingest/time-left.ts'

const MB = 1_000_000
/** Documents refused at sight, then filings that take a second each. */
const pdfs = Array.from({ length: 20 }, (_, i) => ({ name: `pdf/${i}.pdf`, bytes: 10 * MB }))
const filings = Array.from({ length: 80 }, (_, i) => ({ name: `10k/${i}.htm.gz`, bytes: MB }))
const cost = (name: string) => (name.endsWith('.pdf') ? 0.01 : 1)

t.test('the share is of the time, not of the bytes, and ends at 1 only at the end', async t => {
  for (const files of [
    [...pdfs, ...filings],
    [...filings.slice(0, 10), ...pdfs, ...filings.slice(10)],
    [...filings, ...pdfs],
  ]) {
    let now = 0
    const time = estimateTimeLeft(files, () => now)
    const all = files.reduce((sum, { name }) => sum + cost(name), 0)
    let before = 0
    for (const [i, { name }] of files.entries()) {
      time.begin(i)
      now += cost(name) / 2
      const { share, seconds_left } = time.at()
      t.ok(share >= before && share < 1, `${share} after ${before}`)
      before = share
      const seen = new Set(files.slice(0, i).map(file => cost(file.name)))
      if (seen.size === 2 && now > 2 && seconds_left !== null) {
        t.ok(Math.abs(share - now / all) < 0.1, `share ${share} at ${now / all}`)
        t.ok(Math.abs(seconds_left - (all - now)) < 0.2 * all, `${seconds_left} of ${all - now}`)
      }
      now += cost(name) / 2
    }
    time.end()
    t.strictSame(time.at(), { share: 1, seconds_left: 0 })
  }
})

t.test('a last file that takes longer than any other is never said to be done', async t => {
  let now = 0
  const files = [
    { name: 'a.csv', bytes: MB },
    { name: 'b.csv', bytes: MB },
  ]
  const time = estimateTimeLeft(files, () => now)
  time.begin(0)
  now = 4
  time.begin(1)
  for (; now < 300; now += 10) {
    const { share, seconds_left } = time.at()
    t.ok(share < 1 && (seconds_left ?? 0) >= 1)
  }
})

t.test('nothing is said of the time before enough was done', async t => {
  const time = estimateTimeLeft(
    [
      { name: 'a.csv', bytes: MB },
      { name: 'b.csv', bytes: MB },
    ],
    () => 0,
  )
  time.begin(0)
  t.strictSame(time.at(), { share: 0, seconds_left: null })
})
