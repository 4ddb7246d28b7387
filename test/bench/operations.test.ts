import t from 'tap'
import { questions, sampleOf } from '../../bench/questions.ts'
import { random } from '../../cli/sample/random.ts'
import { operations } from '../../engine/operations/api.ts'
import { openSample } from '../sample-engine.ts'

// Days of single companies are derived, which takes a while on a busy machine.
t.setTimeout(300_000)

t.test('the benchmark has an answered question of every operation', async t => {
  const engine = await openSample(t)
  // A past day would have to be derived.
  const sample = { ...(await sampleOf(engine)), days: [engine.manifest.as_of!] }
  const draw = random('questions')
  t.strictSame(Object.keys(questions).sort(), operations.map(({ name }) => name).sort())
  for (const [name, ask] of Object.entries(questions)) {
    await t.resolves(engine.ask(name, ask(sample, draw)), name)
    const asked = new Set(Array.from({ length: 50 }, () => JSON.stringify(ask(sample, draw))))
    t.ok(asked.size > 10, `${name} is asked with other arguments`)
  }
})
