import { spawnSync } from 'node:child_process'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Ended, tranche } from '../cli/run-cli.ts'
import { root } from '../root.ts'

export type DiskError = 'EIO' | 'ENOSPC'

/** The library that makes a disk fail (`failing-disk.c`), compiled; null, with the reason, if that is impossible. */
export function compileFailingDisk(folder: string): { library: string } | { missing: string } {
  if (process.platform !== 'linux') return { missing: 'files fail by LD_PRELOAD, which is of Linux' }
  const library = join(folder, 'failing-disk.so')
  const source = join(root, 'test', 'faults', 'failing-disk.c')
  const { error, status, stderr } = spawnSync(
    'cc',
    ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl'],
    { encoding: 'utf8' },
  )
  if (error) return { missing: 'there is no C compiler (cc) here' }
  return status === 0
    ? { library }
    : { missing: `cc does not compile failing-disk.c: ${stderr.slice(0, 300)}` }
}

export interface FailingRun {
  readonly library: string
  /** Calls that write below this folder are counted and fail. */
  readonly folder: string
  readonly error: DiskError
  /** Which call fails, from 1; 0 for none. */
  readonly at: number
}

/** Runs `tranche ARGS` on a failing disk; also how many calls wrote. */
export async function trancheOnFailingDisk(
  args: readonly string[],
  { library, folder, error, at }: FailingRun,
): Promise<Ended & { calls: number }> {
  const count = `${library}.count`
  await rm(count, { force: true })
  const ended = await tranche(args, '', {
    LD_PRELOAD: library,
    FAIL_FOLDER: folder,
    FAIL_ERRNO: error,
    FAIL_AT: String(at),
    FAIL_COUNT: count,
  })
  const calls = await stat(count).then(
    ({ size }) => size,
    () => 0,
  )
  return { ...ended, calls }
}

/** Every n of `calls`, or as many as requested, spread evenly. */
export function chosen(calls: number, most: number): number[] {
  if (calls <= most) return Array.from({ length: calls }, (_, i) => i + 1)
  // A single one has some before it that succeeded.
  if (most === 1) return [Math.ceil(calls / 2)]
  return [...new Set(Array.from({ length: most }, (_, i) => 1 + Math.round((i * (calls - 1)) / (most - 1))))]
}
