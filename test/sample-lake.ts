import { cp } from 'node:fs/promises'

/** A sample made before the tests, as `.ci/run` does: tests copy it instead of making their own. */
export const madeSample: string | undefined = process.env['TRANCHE_TEST_SAMPLE'] || undefined

/**
 * Copies the sample into a folder if one was made before; otherwise leaves the folder empty, and the test makes its
 * own.
 */
export async function copySample(into: string): Promise<void> {
  if (madeSample) await cp(madeSample, into, { recursive: true })
}
