import type { Test } from 'tap'

/** What a test directory may be filled with at first: tap's own fixtures. */
type Content = Parameters<Test['testdir']>[0]

/** A test that can own a directory. */
export type OwnsFolder = Pick<Test, 'testdir' | 'teardown'>

/**
 * An empty directory of a test, or one with the given content, removed when the test and all its teardowns have ended.
 *
 * tap removes a directory before the teardowns that were registered after it, so that a server which a teardown stops
 * would still be writing into the directory while it is removed. The first teardown of a test decides the order of all,
 * so one is registered here, before the directory is made.
 */
export function testFolder(t: OwnsFolder, content?: Content): string {
  t.teardown(() => {})
  return t.testdir(content)
}
