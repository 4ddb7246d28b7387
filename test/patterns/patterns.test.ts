import t from 'tap'
import { attackOf, attacksOn, repetitionOf } from './attacks.ts'
import { constructedPatterns, constructorSites, literalPatterns, type Pattern } from './collect.ts'
import { aboveLinear, cpuTime } from './growth.ts'

t.setTimeout(600_000)

// Longer inputs find what is quadratic only in a small part of its work: TRANCHE_LONG_ATTACKS=1, for the nightly run.
const isLong = process.env['TRANCHE_LONG_ATTACKS'] === '1'
const longest = isLong ? 131_072 : 16_384
const trivial = isLong ? 8 : 6
const mostAttacks = isLong ? 600 : 160
/** Where the text is cut to a length, a pattern may take this long for a text of that length, milliseconds. */
const CUT_LIMIT = 50

/** Runs a pattern over a whole text: every match where it is for every match, as callers do. */
function matcher({ source, flags }: Pattern): (text: string) => unknown {
  const pattern = new RegExp(source, flags)
  if (!pattern.global) return text => pattern.exec(text)
  return text => {
    pattern.lastIndex = 0
    for (let from = 0; pattern.test(text); from = pattern.lastIndex)
      // An empty match is followed by one further on.
      if (pattern.lastIndex === from && ++pattern.lastIndex > text.length) break
  }
}

/** What makes a pattern slow, in words; null where nothing does. */
function slowness(pattern: Pattern): string | null {
  const repetition = repetitionOf(pattern.source, pattern.flags)
  if (repetition === 'none') return null
  const run = matcher(pattern)
  const isNested = repetition === 'nested'
  for (const attack of attacksOn(pattern.source, pattern.flags, mostAttacks)) {
    const input = (length: number) => attackOf(attack, length)
    const slow =
      pattern.longest === null
        ? aboveLinear({ run, input }, { longest, trivial, isNested })
        : tooSlow(() => run(input(pattern.longest!)), pattern.longest)
    if (slow !== null) return `${JSON.stringify(attack)}: ${slow}`
  }
  return null
}

function tooSlow(run: () => unknown, length: number): string | null {
  const time = cpuTime(1, run) > CUT_LIMIT ? cpuTime(2, run) : 0
  return time > CUT_LIMIT ? `${time.toFixed(0)} ms for the ${length} characters that it may see` : null
}

t.test(
  'every pattern of the source is read in time linear in the text, or sees a text cut to a length',
  t => {
    const patterns = literalPatterns()
    t.ok(patterns.length > 500, `${patterns.length} patterns`)
    for (const pattern of patterns) {
      const slow = slowness(pattern)
      if (slow !== null) t.fail(`${pattern.at} /${pattern.source}/${pattern.flags} ${slow}`)
    }
    t.end()
  },
)

t.test('so is every pattern that is made of a text', async t => {
  const patterns = await constructedPatterns(async () => {
    const { jsonText } = await import('../../server/respond.ts')
    jsonText({ amount: 2n ** 60n })
  })
  const seen = new Set(patterns.map(({ site }) => site))
  t.strictSame(
    constructorSites().filter(site => !seen.has(site)),
    [],
    'each place that makes a pattern makes it when its module is loaded, where this test sees it',
  )
  t.ok(patterns.length > 50, `${patterns.length} patterns`)
  for (const pattern of patterns) {
    const slow = slowness(pattern)
    if (slow !== null) t.fail(`${pattern.at} /${pattern.source}/${pattern.flags} ${slow}`)
  }
})

t.test('the test finds patterns that are quadratic or exponential', t => {
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
