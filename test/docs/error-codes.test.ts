import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { type Code, codes } from '../../engine/base/errors.ts'
import { root } from '../root.ts'

const pages = ['README.md', ...readdirSync(join(root, 'docs')).map(name => `docs/${name}`)].filter(name =>
  name.endsWith('.md'),
)

t.test('the reference lists every error code with its status, its cause and what to do', async t => {
  const text = readFileSync(join(root, 'docs/reference.md'), 'utf8')
  const errors = text.slice(text.indexOf('\n## Errors\n'))
  for (const [code, info] of Object.entries(codes)) {
    const status = 'isLocal' in info ? '' : String(info.status)
    const row = errors.split('\n').find(line => line.startsWith(`| \`${code}\` |`))
    t.match(
      row?.split('|').map(cell => cell.trim()),
      ['', `\`${code}\``, status, /^\d+$/, /\.$/, /\.$/, ''],
      code,
    )
  }
})

t.test('pages give codes their own status', async t => {
  let found = 0
  for (const page of pages)
    for (const [whole, status, code] of readFileSync(join(root, page), 'utf8').matchAll(
      /\b([45]\d\d) `([A-Z][A-Z_]{3,40})`/g,
    )) {
      found++
      t.equal(codes[code as Code]?.status, Number(status), `${page}: ${whole}`)
    }
  t.ok(found > 20, `${found} places`)
})
