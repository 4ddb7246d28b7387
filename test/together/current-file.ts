import type { Test } from 'tap'

let current: Test | undefined

/** What a test file that shares its process imports as `tap`: its own subtest. */
export const currentFile = (): Test => {
  if (!current) throw new Error('no test file is running')
  return current
}

export const setCurrentFile = (test: Test): void => {
  current = test
}
