import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { root } from '../root.ts'

/** What the frame of every page looks like; the tear sheet changes it for paper. */
const SHARED = ['.bar', '.shell']

t.test('a class is styled by one stylesheet: the explorer loads all of them', async t => {
  const folder = join(root, 'server', 'web')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const placesOf = new Map<string, string[]>()
  for (const file of files.filter(name => name.endsWith('.css') && !name.startsWith('guide'))) {
    const text = readFileSync(join(folder, file), 'utf8').replace(/\/\*[^*]*\*\//g, '')
    const selectors = [...text.matchAll(/([^{}]+)\{/g)].flatMap(([, list]) => list!.split(','))
    for (const selector of new Set(selectors.map(one => one.trim())))
      if (/^\.[\w-]+$/.test(selector)) placesOf.set(selector, [...(placesOf.get(selector) ?? []), file])
  }
  const several = [...placesOf].filter(([name, places]) => places.length > 1 && !SHARED.includes(name))
  t.strictSame(several, [])
  t.ok(placesOf.size > 50, `${placesOf.size} classes`)
})
