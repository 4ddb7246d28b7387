import { createReadStream } from 'node:fs'
import type { IngestProgress } from '../engine/ingest/ingest.ts'
import type { IngestReport } from '../engine/ingest/report.ts'
import type { IngestOptions } from '../engine/ingest/request.ts'
import type { Manifest } from '../engine/lake/snapshot.ts'
import type { BuildOptions } from '../engine/snapshot/build.ts'

/**
 * Commands that compute for long without yielding and write to the lake. Inputs, progress and results are plain
 * values.
 */
export const jobs = {
  async ingest(
    {
      lake,
      paths,
      options,
    }: { lake: string; paths: readonly string[]; options: Omit<IngestOptions, 'signal' | 'stdin'> },
    progress: (progress: IngestProgress) => void,
    signal: AbortSignal,
  ): Promise<IngestReport> {
    const [{ ingest }, { ensureLake }] = await Promise.all([
      import('../engine/ingest/ingest.ts'),
      import('../engine/lake/lake.ts'),
    ])
    // A thread has no standard input.
    const stdin = paths.includes('-') ? { stdin: createReadStream('', { fd: 0, autoClose: false }) } : {}
    return ingest(await ensureLake(lake), paths, { ...options, ...stdin, signal }, progress)
  },

  async build(
    { lake, options }: { lake: string; options: Omit<BuildOptions, 'signal'> },
    progress: (label: string) => void,
    signal: AbortSignal,
  ): Promise<{ manifest: Manifest; notes: readonly string[] }> {
    const [{ build }, { openLake }] = await Promise.all([
      import('../engine/snapshot/build.ts'),
      import('../engine/lake/lake.ts'),
    ])
    const notes: string[] = []
    const manifest = await build(await openLake(lake), { ...options, signal }, progress, note =>
      notes.push(note),
    )
    return { manifest, notes }
  },
}

export type Jobs = typeof jobs
