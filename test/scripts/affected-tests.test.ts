import t from 'tap'
import { affectedTests } from '../../scripts/test-fast/affected-tests.ts'

const imports = (name: string, path: string): string => `import { ${name} } from '${path}'`

const tests = new Map([
  ['test/query/page.test.ts', imports('a', '../../engine/query/other.ts')],
  [
    'test/engine.test.ts',
    `${imports('a', '../engine/query/page.ts')}\n${imports('makeLake', './make-lake.ts')}`,
  ],
  ['test/make-lake.ts', imports('a', '../engine/query/page.ts')],
  ['test/server/http/etag.test.ts', ''],
  ['test/architecture.test.ts', ''],
  ['test/docs/pages.test.ts', ''],
  ['test/ingest/golden-readers.test.ts', ''],
])
const affected = (...changed: string[]) => affectedTests(new Set(changed), tests).tests

t.test('a source selects its mirror and the tests that import it', async t => {
  t.strictSame(affected('engine/query/page.ts'), [
    'test/architecture.test.ts',
    'test/engine.test.ts',
    'test/query/page.test.ts',
  ])
  t.strictSame(affected('server/http/etag.ts'), [
    'test/architecture.test.ts',
    'test/server/http/etag.test.ts',
  ])
})

t.test('a test selects itself, a helper the tests that import it', async t => {
  t.strictSame(affected('test/engine.test.ts'), ['test/engine.test.ts'])
  t.strictSame(affected('test/make-lake.ts'), ['test/engine.test.ts'])
})

t.test('pages and golden files select their own tests', async t => {
  t.strictSame(affected('docs/screens.md'), ['test/docs/pages.test.ts'])
  t.strictSame(affected('test/golden/readers/fred/one/DGS10.csv'), ['test/ingest/golden-readers.test.ts'])
  t.strictSame(affected('package.json'), [])
})

t.test('a file imported by many tests selects none of them, unless all are requested', async t => {
  const many = new Map(
    Array.from({ length: 9 }, (_, i) => [`test/t${i}.test.ts`, imports('a', '../engine/hub.ts')]),
  )
  const changed = new Set(['engine/hub.ts'])
  t.strictSame(affectedTests(changed, many), { tests: [], hubs: ['engine/hub.ts'] })
  t.equal(affectedTests(changed, many, true).tests.length, 9)
})
