import t from 'tap'
import { literalPatterns } from './collect.ts'
import { slowness } from './slowness.ts'

t.setTimeout(600_000)

t.test('every pattern in the source takes linear time, or sees text cut to a length', t => {
  const patterns = literalPatterns()
  t.ok(patterns.length > 500, `${patterns.length} patterns`)
  for (const pattern of patterns) {
    const slow = slowness(pattern)
    if (slow !== null) t.fail(`${pattern.at} /${pattern.source}/${pattern.flags} ${slow}`)
  }
  t.end()
})

t.test('the test detects quadratic and exponential patterns', t => {
  const slow = [
    /\s+$/,
    /^(a|a)*$/,
    /^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)$/,
    /"(?:[^"\\]|\\.)*"/s,
    /[a-z]+_[0-9]/g,
  ]
  for (const { source, flags } of slow)
    t.not(slowness({ at: 'here', source, flags, longest: null }), null, `/${source}/`)
  for (const { source, flags } of [/(?<!\s)\s+$/, /^a*$/, /"[^"]*(?:"|$)/g, /^[0-9]+(?:\.[0-9]*)?$/])
    t.equal(slowness({ at: 'here', source, flags, longest: null }), null, `/${source}/`)
  t.end()
})
