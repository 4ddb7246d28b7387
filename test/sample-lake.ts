import { cp, mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'

/** A sample made before the tests, as `.ci/run` does: tests copy it instead of making their own. */
export const madeSample: string | undefined = process.env['TRANCHE_TEST_SAMPLE'] || undefined

/**
 * Copies the sample into a folder if one was made before; otherwise leaves the folder empty, and the test makes its
 * own. In the suite the copies share the past days that are derived from them, which takes seconds a day: the files of
 * a day are named by the code and the rows that it is derived from, so that a copy which has other rows has others.
 */
export async function copySample(into: string): Promise<void> {
  if (!madeSample) return
  await cp(madeSample, into, { recursive: true })
  const lakes = process.env['TRANCHE_TEST_LAKES']
  if (!lakes) return
  const days = join(lakes, 'days-of-the-sample')
  await mkdir(days, { recursive: true })
  await symlink(days, join(into, 'days')).catch((error: NodeJS.ErrnoException) => {
    // The sample was asked for days before.
    if (error.code !== 'EEXIST') throw error
  })
}
