import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { makeSample } from '../cli/sample.ts'
import { type Engine, open } from '../engine/engine.ts'
import { removeFolder } from './folder.ts'
import { copySample, madeSample } from './sample-lake.ts'

/** The sample, opened from its own folder. */
export async function openSample(t: Test): Promise<Engine> {
  const folder = await mkdtemp(join(tmpdir(), 'tranche-test-'))
  t.teardown(() => removeFolder(folder))
  const lake = join(folder, 'lake')
  await copySample(lake)
  const signal = new AbortController().signal
  if (!madeSample) await makeSample(lake, { scale: 1, seed: 1, signal }, () => {})
  const engine = await open(lake)
  t.teardown(() => engine.close())
  return engine
}
