import { availableParallelism, totalmem } from 'node:os'

/**
 * Bytes of memory that this process may use: those of the machine, or fewer where a container or a service manager limits
 * it (cgroup `memory.max`). Every share of memory is taken of this.
 */
export function usableMemory(): number {
  return memoryWithin(process.constrainedMemory(), totalmem())
}

/** A limit of 0 or above what the machine has is none: without one, Linux gives a number near 2^63. */
export const memoryWithin = (limit: number | undefined, machine: number): number =>
  limit !== undefined && limit > 0 && limit < machine ? limit : machine

/** A share of the usable memory as DuckDB takes it. */
export const memoryShare = (share: number): string =>
  `${Math.max(1, Math.floor((usableMemory() * share) / 2 ** 20))}MiB`

/** Threads that may run at the same time. */
export const usableThreads = (): number => availableParallelism()
