import t from 'tap'
import { readers } from '../../engine/ingest/readers.ts'
import { holdDamaged } from './damaged-files.ts'
import { soundSources } from './sound-sources.ts'

const sources = await soundSources()

t.test('every kind of source has a sound file that is damaged here', async t => {
  for (const { kind } of readers)
    t.ok(
      sources.some(source => source.kind === kind),
      `${kind}: add a sound file of it to sound-sources.ts`,
    )
})

for (const source of sources.filter(({ holds }) => holds === 'lines')) holdDamaged(t, source)
