import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { root } from '../root.ts'
import { pages } from './pages.ts'
import { commandsOf, headingsOf, linksOf, placesOf, snippetsOf } from './snippets.ts'

const all = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'bench/README.md',
  ...readdirSync(join(root, 'docs'))
    .filter(name => name.endsWith('.md'))
    .map(name => `docs/${name}`),
]

/** Pages that the walk does not run. */
const elsewhere = [
  // Python, in test/docs/notebooks and test/python.
  'docs/notebooks.md',
  'docs/python.md',
  // Applied to a copy of the sources, in test/docs/extending.
  'docs/extending.md',
  // Run the benchmarks, or speak of other releases.
  'bench/README.md',
  // Asks a lake of public files that are not part of the project.
  'docs/real-lake.md',
]

t.test('every page with runnable blocks is run', async t => {
  const shows = all.filter(page => snippetsOf(page).length > 0)
  t.strictSame([...pages, ...elsewhere].toSorted(), shows.toSorted())
})

t.test('pages link to existing files', async t => {
  for (const page of all)
    for (const link of linksOf(page))
      t.ok(existsSync(join(root, dirname(page), link)), `${page} links to ${link}`)
})

t.test('pages link to existing headings', async t => {
  for (const page of all)
    for (const { to, heading } of placesOf(page)) {
      const target = to === '' ? page : join(dirname(page), to)
      if (target.endsWith('.md'))
        t.ok(headingsOf(target).includes(heading), `${page} links to ${to}#${heading}`)
    }
})

t.test('a block is split into commands as a shell would', async t => {
  t.strictSame(commandsOf('a 1  # why\n\nb "two\nlines" # it\nc \'#1\' \\\n  d#e\n# only words\n'), [
    'a 1',
    'b "two\nlines"',
    "c '#1' \\\n  d#e",
  ])
})
