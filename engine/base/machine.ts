import { availableParallelism, totalmem } from 'node:os'
import { invalid } from './errors.ts'

/**
 * Bytes of memory this process may use: the machine's, or less under a container or service limit (cgroup
 * `memory.max`). All memory shares are taken of this.
 */
export function usableMemory(): number {
  return memoryWithin(process.constrainedMemory(), totalmem())
}

/** A limit of 0, or above the machine's memory, means none: without a limit Linux reports a number near 2^63. */
export const memoryWithin = (limit: number | undefined, machine: number): number =>
  limit !== undefined && limit > 0 && limit < machine ? limit : machine

/** A share of the usable memory, in DuckDB's notation. */
export const memoryShare = (share: number): string =>
  `${Math.max(1, Math.floor((usableMemory() * share) / 2 ** 20))}MiB`

/** Number of threads that can run at the same time. */
export const usableThreads = (): number => availableParallelism()

/**
 * Threads of a database that is not told how many, from `TRANCHE_THREADS`; null if that is not set: one for each processor. Fewer do the
 * same work in less processor time, which is what counts where several processes share a machine.
 * @throws {QueryError} if it is no whole number from 1
 */
export function databaseThreads(given = process.env['TRANCHE_THREADS']): number | null {
  if (given === undefined || given === '') return null
  const threads = Number(given)
  if (!Number.isInteger(threads) || threads < 1)
    throw invalid('TRANCHE_THREADS', given, 'TRANCHE_THREADS must be a whole number from 1')
  return threads
}
