import t from 'tap'
import { holdDamaged } from './damaged-files.ts'
import { soundSources } from './sound-sources.ts'

const sources = await soundSources()

for (const source of sources.filter(({ holds }) => holds === 'structured' || holds === 'prose'))
  void holdDamaged(t, source)
