import t from 'tap'
import { readers } from '../../engine/ingest/readers.ts'
import { holdDamaged } from './damaged-files.ts'
import { soundSources } from './sound-sources.ts'

const sources = await soundSources()

t.test('every kind of source has an intact file to damage', async t => {
  for (const { kind } of readers)
    t.ok(
      sources.some(source => source.kind === kind),
      `${kind}: add a sound file of it to sound-sources.ts`,
    )
})

const lines = sources.filter(({ holds }) => holds === 'lines')
// The other half is in damaged-more-lines.test.ts, so that both run at once.
for (const source of lines.filter((_, i) => i % 2 === 0)) void holdDamaged(t, source)
