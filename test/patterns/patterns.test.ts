import t from 'tap'
import { literalPatterns } from './collect.ts'
import { slowness } from './slowness.ts'

t.setTimeout(600_000)

t.test('every pattern in the source takes linear time, or sees text cut to a length', async t => {
  const patterns = literalPatterns()
  t.ok(patterns.length > 500, `${patterns.length} patterns`)
  for (const pattern of patterns) {
    const slow = await slowness(pattern)
    if (slow !== null) t.fail(`${pattern.at} /${pattern.source}/${pattern.flags} ${slow}`)
  }
})

/** Attacks that find each of the slow patterns below. */
const ENOUGH = 80

t.test('the test detects quadratic and exponential patterns', async t => {
  const slow = [
    /\s+$/,
    /^(a|a)*$/,
    /^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)$/,
    /"(?:[^"\\]|\\.)*"/s,
    /[a-z]+_[0-9]/g,
  ]
  for (const { source, flags } of slow)
    t.not(await slowness({ at: 'here', source, flags, longest: null }, ENOUGH), null, `/${source}/`)
  for (const { source, flags } of [/(?<!\s)\s+$/, /^a*$/, /"[^"]*(?:"|$)/g, /^[0-9]+(?:\.[0-9]*)?$/])
    t.equal(await slowness({ at: 'here', source, flags, longest: null }, ENOUGH), null, `/${source}/`)
})
