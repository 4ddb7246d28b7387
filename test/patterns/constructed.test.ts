import t from 'tap'
import { constructedPatterns, constructorSites } from './collect.ts'
import { slowness } from './slowness.ts'

t.setTimeout(600_000)

t.test('every pattern built at run time is linear, or sees text cut to a length', async t => {
  const patterns = await constructedPatterns(async () => {
    const { jsonText } = await import('../../server/http/respond.ts')
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
    const slow = await slowness(pattern)
    if (slow !== null) t.fail(`${pattern.at} /${pattern.source}/${pattern.flags} ${slow}`)
  }
})
