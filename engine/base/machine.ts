import { availableParallelism, totalmem } from 'node:os'

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
