import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import t from 'tap'
import { root } from './root.ts'

/** The required first line of a file with unchecked list accesses, such as `list[i]!`. */
const reason = /^\/\/ Indices below are within bounds by construction: /

/**
 * Lines with an unchecked access: in all files, and in files that do not give the reason. Lower these numbers when
 * some are removed.
 */
const MOST = 986
const MOST_WITHOUT_REASON = 168

async function* sources(): AsyncGenerator<{ path: string; text: string }> {
  for (const tree of ['engine', 'server', 'cli', 'scripts', 'bench'])
    for (const entry of await readdir(join(root, tree), { recursive: true, withFileTypes: true })) {
      const file = join(entry.parentPath, entry.name)
      if (entry.isFile() && /\.tsx?$/.test(entry.name) && !file.includes('node_modules'))
        yield { path: relative(root, file), text: await readFile(file, 'utf8') }
    }
}

t.test('unchecked list accesses do not increase, and files that use them in loops say why', async t => {
  const without: string[] = []
  let all = 0
  let silent = 0
  for await (const { path, text } of sources()) {
    const count = text.split('\n').filter(line => /\]!(?!=)/.test(line)).length
    all += count
    if (count === 0 || reason.test(text)) continue
    silent += count
    without.push(`${path}: ${count}`)
  }
  const advice =
    'iterate, destructure, or use engine/base/elements.ts; in a hot loop say so in the first line'
  t.ok(all <= MOST, `${all} lines of at most ${MOST}: ${advice}`)
  t.ok(silent <= MOST_WITHOUT_REASON, `${silent} of at most ${MOST_WITHOUT_REASON}: ${without.join(', ')}`)
})
