import { mkdir, rm } from 'node:fs/promises'
import { QueryError } from '../base/errors.ts'
import { usableMemory } from '../base/machine.ts'
import { Database } from '../database/database.ts'
import { storageError } from '../lake/durable.ts'
import { readImports, removeLeftovers } from '../lake/imports.ts'
import { inLake, type Lake } from '../lake/lake.ts'
import { withLock } from '../lake/lock.ts'
import type { IngestOptions } from './request.ts'
import { needsMemory, type Run } from './run.ts'

/** Runs under the lock, with a database that spills into the lake and, on abort, is interrupted and closed. */
export async function withIntake<T>(
  lake: Lake,
  command: string,
  { signal, now = new Date(), memory = memoryLimit() }: Pick<IngestOptions, 'signal' | 'now' | 'memory'>,
  work: (run: Run) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted()
  try {
    return await withLock(lake, command, async () => {
      const records = await readImports(lake)
      await removeLeftovers(lake, records)
      const temp = inLake(lake, 'tmp', 'spill')
      await mkdir(temp, { recursive: true })
      const open = () => Database.create({ memory, temp })
      const run: Run = {
        lake,
        database: await open(),
        records,
        options: signal ? { signal } : {},
        now,
        hashed: new Set(),
        files: [],
        memory,
        async restartDatabase() {
          run.database.close()
          run.database = await open()
          // The lake's rows are hashed again when next needed.
          run.hashed.clear()
        },
      }
      try {
        return await work(run)
      } finally {
        run.database.close()
        await rm(inLake(lake, 'tmp'), { recursive: true, force: true })
      }
    })
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof QueryError && error.code === 'MEMORY_LIMIT')
      throw new QueryError('MEMORY_LIMIT', `${needsMemory(memory)}; the lake is as it was before`)
    throw storageError(error)
  }
}

/** A third of the memory, between half a gigabyte and eight. */
const memoryLimit = () => `${Math.round(Math.min(8e9, Math.max(5e8, usableMemory() / 3)) / 1e6)}MB`
