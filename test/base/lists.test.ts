import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import t from 'tap'
import ts from 'typescript'
import { append, largest, smallest } from '../../engine/base/lists.ts'
import { root } from '../root.ts'

t.test('lists of a million are appended and compared', async t => {
  const many = Array.from({ length: 1_000_000 }, (_, i) => i - 500_000)
  const list = [1]
  append(list, many)
  t.equal(list.length, 1_000_001)
  t.equal(largest(many), 499_999)
  t.equal(smallest(many), -500_000)
  t.equal(largest([], 0), 0)
  t.equal(smallest([3, 4], 2), 2)
  t.equal(largest([]), Number.NEGATIVE_INFINITY)
})

/** Spread into the arguments of these, a list of more than about 120,000 values overflows the stack. */
const growing: Readonly<Record<string, readonly string[]>> = {
  Math: ['max', 'min'],
  String: ['fromCharCode', 'fromCodePoint'],
}
const methods = ['push', 'unshift', 'splice', 'concat']

t.test('no list is spread into the arguments of a call that takes any number', async t => {
  const found: string[] = []
  for (const tree of ['engine', 'server', 'cli'])
    for (const entry of await readdir(join(root, tree), { recursive: true, withFileTypes: true })) {
      const file = join(entry.parentPath, entry.name)
      if (!entry.isFile() || !/\.ts$/.test(file) || file.includes('/server/web/')) continue
      // Payments of one bond and letters of three agencies; this room imports nothing.
      if (file.startsWith(join(root, 'engine/credit/'))) continue
      const source = ts.createSourceFile(file, await readFile(file, 'utf8'), ts.ScriptTarget.Latest, true)
      const visit = (node: ts.Node): void => {
        if (
          ts.isCallExpression(node) &&
          node.arguments.some(ts.isSpreadElement) &&
          ts.isPropertyAccessExpression(node.expression)
        ) {
          const name = node.expression.name.text
          if (methods.includes(name) || growing[node.expression.expression.getText(source)]?.includes(name))
            found.push(`${relative(root, file)}: ${node.getText(source).slice(0, 80)}`)
        }
        ts.forEachChild(node, visit)
      }
      visit(source)
    }
  t.strictSame(found, [], 'use append, largest and smallest of engine/base/lists.ts')
})
