import t from 'tap'
import { buildSteps, followBuild } from '../../cli/build-progress.ts'
import { build } from '../../engine/snapshot/build.ts'
import { makeLake, twoIssuers } from '../make-lake.ts'

t.test('a build shows its share, which never falls, and the time left', async t => {
  let now = 0
  const stepOf = followBuild(() => now)
  t.strictSame(stepOf('verifying batches'), { label: 'verifying batches', share: 0, secondsLeft: null })
  now = 30
  const { share = 0, secondsLeft } = stepOf('writing tables')
  t.ok(share > 0.3 && share < 0.4, String(share))
  t.ok(secondsLeft! > 45 && secondsLeft! < 70, String(secondsLeft))
  now = 50
  const half = stepOf('reading sections: 50%')
  t.ok(half.share! > share)
  t.equal(stepOf('prices: 65,536 yields').share, half.share, 'a late label of an earlier step')
  t.equal(stepOf('no step at all').share, half.share)
  t.ok(stepOf('checking the data').share! < 1, 'the end alone is 100%')
})

t.test('every step that a build reports has a share', async t => {
  const labels: string[] = []
  const lake = await makeLake(t.teardown, twoIssuers)
  await build(lake, {}, label => labels.push(label))
  const steps = new Set(labels.map(label => label.split(': ')[0] ?? ''))
  t.strictSame(
    [...steps].filter(step => !buildSteps.includes(step)),
    [],
  )
  t.ok(steps.size > 8, [...steps].join(', '))
})
