import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { billOf, licenceFiles, licencesText, partsOf } from '../../scripts/licences.ts'
import { root } from '../root.ts'

const parts = partsOf(root)
const manifest = { name: 'x', version: '1.0.0', license: 'MIT', description: 'X.' }

t.test('the bill of materials and the licences are those of the lock file ("npm run licences")', async t => {
  for (const [file, text] of licenceFiles(root)) t.ok(readFileSync(join(root, file), 'utf8') === text, file)
})

t.test(
  'every package that is installed or bundled has a licence, and no tool of development is one',
  async t => {
    const names = parts.map(part => part.name)
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      dependencies: object
    }
    for (const name of Object.keys(dependencies)) t.ok(names.includes(name), name)
    for (const name of ['react', 'echarts', '@codemirror/view']) t.ok(names.includes(name), name)
    for (const name of ['typescript', 'tap', 'vite', '@biomejs/biome']) t.notOk(names.includes(name), name)
    t.strictSame(
      parts.filter(part => part.license === 'unknown').map(part => part.name),
      [],
    )
  },
)

t.test(
  'the bill is CycloneDX with a version, a hash and a licence for each, and the same each time',
  async t => {
    const bill = JSON.parse(billOf(parts, manifest))
    t.match(bill, { bomFormat: 'CycloneDX', specVersion: '1.6', serialNumber: /^urn:uuid:[0-9a-f-]{36}$/ })
    t.equal(bill.components.length, parts.length)
    t.equal(bill.dependencies[0].dependsOn.length, parts.length)
    for (const { name, hashes, purl, licenses } of bill.components) {
      t.match(hashes?.[0], { alg: 'SHA-512', content: /^[0-9a-f]{128}$/ }, name)
      t.match(purl, /^pkg:npm\/(%40)?[^@]+@\d/)
      t.equal(licenses.length, 1)
    }
    t.equal(billOf(partsOf(root), manifest), billOf(parts, manifest))
  },
)

t.test('a licence text is printed once, with the packages under it', async t => {
  const part = { version: '1.0.0', license: 'MIT', integrity: null, isOptional: false, isBundled: false }
  const text = licencesText([
    { ...part, name: 'a', text: 'Free.' },
    { ...part, name: 'b', text: 'Free.' },
    { ...part, name: 'c', text: null },
    { ...part, name: 'c-linux-x64', isOptional: true, text: null },
  ])
  t.match(text, /a 1\.0\.0 \(MIT\)\nb 1\.0\.0 \(MIT\)\n\nFree\.\n/)
  t.match(text, /c 1\.0\.0 \(MIT\)\n\nLicensed under MIT; the package carries no licence text\./)
  t.match(text, /where the system allows.*\n\nc-linux-x64 1\.0\.0 \(MIT\)\n$/)
})
