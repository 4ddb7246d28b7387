import { existsSync } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeSample } from '../cli/sample.ts'
import { layout } from '../engine/schema/resources/layout.ts'

/** The sample of 253 companies, made once and kept in the temporary folder. */
export async function sampleLake(): Promise<string> {
  const folder = join(tmpdir(), `tranche-bench-sample-${layout}`)
  if (existsSync(join(folder, 'CURRENT'))) return folder
  const making = await mkdtemp(`${folder}-`)
  try {
    await makeSample(making, { scale: 1, seed: 1, signal: new AbortController().signal }, () => {})
    await rename(making, folder)
  } finally {
    await rm(making, { recursive: true, force: true })
  }
  return folder
}
