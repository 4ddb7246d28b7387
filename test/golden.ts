import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'
import { root } from './root.ts'

/** Compares text with a file of `test/golden`; UPDATE=1 writes the file: read the diff before committing it. */
export function matchesGolden(t: Test, name: string, text: string): void {
  const path = join(root, 'test/golden', name)
  if (process.env['UPDATE'] === '1') {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  t.equal(text, existsSync(path) ? readFileSync(path, 'utf8') : '', name)
}
