import { rm } from 'node:fs/promises'
import type { Test } from 'tap'

/** What a test directory may be filled with at first: tap's own fixtures. */
type Content = Parameters<Test['testdir']>[0]

/** A test that can own a directory. */
export type OwnsFolder = Pick<Test, 'testdir' | 'teardown' | 'saveFixture'>

/**
 * An empty directory of a test, or one with the given content, removed when the test and all its teardowns have ended.
 *
 * tap removes a directory before the teardowns that were registered after it, so that a server which a teardown stops
 * would still be writing into the directory while it is removed. Teardowns run in reverse order, so the first one
 * removes it.
 */
export function testFolder(t: OwnsFolder, content?: Content): string {
  t.saveFixture = true
  let folder = ''
  t.teardown(() => removeFolder(folder))
  folder = t.testdir(content)
  return folder
}

/** Removes a folder in which something may still be written: an engine that was closed finishes its last file. */
export const removeFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
