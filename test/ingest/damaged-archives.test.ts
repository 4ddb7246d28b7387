import t from 'tap'
import { holdDamaged } from './damaged-files.ts'
import { soundSources } from './sound-sources.ts'

const sources = await soundSources()

for (const source of sources.filter(({ holds }) => holds === 'exact' || holds === 'columnar'))
  void holdDamaged(t, source)
