import { cp } from 'node:fs/promises'

/** A sample that was made before the tests, as `.ci/run` does: each test that needs one copies it instead of making it. */
export const madeSample: string | undefined = process.env['TRANCHE_TEST_SAMPLE'] || undefined

/** Puts the sample into a folder where one was made before; otherwise the folder stays empty, and the test makes its own. */
export async function copySample(into: string): Promise<void> {
  if (madeSample) await cp(madeSample, into, { recursive: true })
}
