import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { testFolder } from './folder.ts'
import { root } from './root.ts'

t.test('a folder stays until the teardowns of its test have ended', async t => {
  let folder = ''
  const seen: boolean[] = []
  await t.test('a test whose teardown still needs the folder', async t => {
    folder = testFolder(t, { file: 'x' })
    t.teardown(async () => {
      await new Promise(resolve => setImmediate(resolve))
      seen.push(existsSync(join(folder, 'file')))
    })
    t.ok(existsSync(join(folder, 'file')))
  })
  t.strictSame(seen, [true])
  t.notOk(existsSync(folder), 'then it is removed')
})

t.test('tests make their folders by testFolder', async t => {
  const found: string[] = []
  for (const name of await readdir(join(root, 'test'), { recursive: true })) {
    if (!name.endsWith('.ts') || name === 'folder.ts' || name === 'folder.test.ts') continue
    if (/\.testdir\(/.test(await readFile(join(root, 'test', name), 'utf8'))) found.push(name)
  }
  t.strictSame(found, [])
})
