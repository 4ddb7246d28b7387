import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { root } from './root.ts'

// tsc does not rewrite a dynamic import of a source inside an `export default`.
t.test('nothing compiled imports a source file', async t => {
  const dist = join(root, 'dist')
  if (!existsSync(dist)) return
  const left: string[] = []
  for (const entry of await readdir(dist, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.js')) continue
    const path = join(entry.parentPath, entry.name)
    if (/\bimport\(\s*['"]\.[^'"]*\.ts['"]|\bfrom ['"]\.[^'"]*\.ts['"]/.test(await readFile(path, 'utf8')))
      left.push(path)
  }
  t.strictSame(left, [])
})
