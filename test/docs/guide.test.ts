import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { operations } from '../../engine/operations/api.ts'
import { formsByName } from '../../scripts/example-forms.ts'
import { readGuide } from '../../scripts/guide/guide.ts'
import { layout } from '../../scripts/guide/layout.ts'
import { codeTabs, renderMarkdown } from '../../scripts/guide/markdown.ts'
import { searchedSections } from '../../scripts/guide/search.ts'
import { cutReference, navigationOf } from '../../scripts/guide/sources.ts'
import { root } from '../root.ts'

const { pages, navigation, images } = readGuide(root, formsByName(operations))
const assets = { script: '/assets/guide.js', styles: ['/assets/guide.css'] }
const written = new Map(pages.map(page => [page.address, layout(page, { navigation, assets })]))

/** What the server has besides the pages. */
const others = new Set([
  ...['/', '/v1/openapi.json', '/guide/theme.js', '/guide/mark.svg'],
  ...[assets.script, ...assets.styles],
  ...[...images.keys()].map(name => `/guide/images/${name}`),
])

const idsOf = (html: string): Set<string> =>
  new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id!))

t.test('every link of every page leads to a page, and to a heading that it has', async t => {
  const ids = new Map([...written].map(([address, html]) => [address, idsOf(html)]))
  const broken: string[] = []
  for (const [address, html] of written)
    for (const [, to] of html.matchAll(/<a\s[^>]*href="([^"]*)"/g)) {
      if (/^https?:/.test(to!)) continue
      const [path, anchor] = to!.split('#')
      const target = path || address
      const isKnown = written.has(target) || others.has(target)
      if (!isKnown || (anchor !== undefined && !ids.get(target)?.has(anchor)))
        broken.push(`${address}: ${to}`)
    }
  t.strictSame(broken, [])
  t.ok(written.size > 100, 'operations, tables and requests have pages of their own')
})

t.test(
  'pages load scripts, styles and pictures from this server alone, and have none written into them',
  async t => {
    for (const [address, html] of written) {
      const loaded = [...html.matchAll(/<(?:script|link|img)\s[^>]*(?:src|href)="([^"]*)"/g)].map(
        ([, from]) => from!,
      )
      t.strictSame(
        loaded.filter(from => !others.has(from)),
        [],
        address,
      )
      t.notMatch(html, /<script(?![^>]*\ssrc=)|<style|\sstyle="|\son\w+="/, address)
    }
  },
)

t.test('every page of docs/ is in the site, and all but the contents in its navigation', async t => {
  const listed = new Set(navigation.flatMap(({ links }) => links.map(({ address }) => address)))
  const own = readdirSync(join(root, 'docs')).filter(name => name.endsWith('.md') && name !== 'README.md')
  t.strictSame(
    own.map(name => `/guide/${name.slice(0, -3)}`).filter(address => !listed.has(address)),
    [],
  )
  t.ok(written.has('/guide'))
})

t.test('ids of a page are unique', async t => {
  const twice = [...written].filter(([, html]) => {
    const all = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id)
    return new Set(all).size < all.length
  })
  t.strictSame(
    twice.map(([address]) => address),
    [],
  )
})

t.test('the reference is cut into a page for each operation, table and dataset', async t => {
  const { rest, chapters } = cutReference(
    '# Reference\n\n## Operations\n\nlist\n\n### search.bonds\n\nBonds.\n\n## Tables\n\nstored\n\n### Table bonds\n\nColumns.\n\n## Errors\n\ncodes\n',
  )
  t.equal(rest, '# Reference\n\n## Operations\n\nlist\n\n## Tables\n\nstored\n')
  t.strictSame(
    chapters.map(({ address, part, text }) => [address, part, text.trim()]),
    [
      ['/guide/reference/search.bonds', 'Operations', '# search.bonds\n\nBonds.'],
      ['/guide/reference/table-bonds', 'Tables', '# Table bonds\n\nColumns.'],
      ['/guide/reference/errors', 'Errors', '# Errors\n\ncodes'],
    ],
  )
})

t.test('the navigation has the groups of the page of contents, in its order', async t => {
  const index =
    'Use it:\n\n| start | [Start](start.md) |\n\nTrust:\n\n| [A](a.md), [B](b.md) | [out](x.json) |\n'
  const link = (to: string) => (to.endsWith('.md') ? `/guide/${to.slice(0, -3)}` : null)
  t.strictSame(navigationOf(index, link), [
    { title: 'Use it', links: [{ title: 'Start', address: '/guide/start' }] },
    {
      title: 'Trust',
      links: [
        { title: 'A', address: '/guide/a' },
        { title: 'B', address: '/guide/b' },
      ],
    },
  ])
})

const links = { link: (to: string) => (to === 'in.md' ? '/guide/in' : null), image: () => '/guide/images/x' }

t.test(
  'forms of one example that follow each other become tabs; an example and its output do not',
  async t => {
    const block = (language: string) => `\`\`\`${language}\nx\n\`\`\`\n`
    const { html } = renderMarkdown(
      `${block('sh')}\n<!-- not run: why -->\n${block('http')}\n${block('python')}\nand\n\n${block('ts')}\n${block('text')}`,
      links,
    )
    t.strictSame(
      [...html.matchAll(/data-tab="([^"]+)"/g)].map(([, form]) => form),
      ['CLI', 'HTTP', 'Python'],
    )
    t.notMatch(html, 'not run')
    t.equal(html.match(/class="code"/g)?.length, 5)
    t.match(codeTabs([{ language: 'sh', text: 'a <b>' }]), /data-tab="CLI".*a &lt;b&gt;/)
  },
)

t.test('a link that leads out of the site keeps its text; HTML in a page is refused', async t => {
  const { html } = renderMarkdown('[in](in.md) [`out`](../engine/x.ts)\n', links)
  t.equal(html, '<p><a href="/guide/in">in</a> <code>out</code></p>\n')
  t.match(renderMarkdown('| a |\n| --: |\n| 1 |\n', links).html, '<td class="number">1</td>')
  t.throws(() => renderMarkdown('<div onclick="x()">\n\nx\n\n</div>\n', links), /HTML of its own/)
})

t.test('every section is searched by its text, and a request of the API by its name', async t => {
  const sections = searchedSections(pages)
  t.match(
    sections.find(([address]) => address === '/guide/reference/search.bonds'),
    [String, 'search.bonds', '', /min_ytm/],
  )
  t.match(
    sections.find(([address]) => address === '/docs/search.bonds'),
    [String, 'GET /v1/bonds', '', /^search\.bonds /],
  )
  const measured = sections.find(([address]) => address === '/guide/extraction#what-was-measured')
  t.strictSame(
    measured?.slice(2),
    ['What was measured', ''],
    'tables of a measurement are found by their heading',
  )
  t.match(
    sections.find(([address]) => address === '/guide/extraction#rules'),
    [String, String, 'Rules', /test_sentence/],
  )
  t.ok(Buffer.byteLength(JSON.stringify(sections)) < 750_000, 'the index of the search stays small')
})
