import { dirname, join } from 'node:path'

/** Tests of what no import says. */
const watched: readonly (readonly [RegExp, string])[] = [
  [/^(README|CONTRIBUTING|docs\/[^/]+)\.md$/, 'test/docs/pages.test.ts'],
  [/^docs\/extending\.md$/, 'test/docs/extending.test.ts'],
  [/^test\/golden\/readers\//, 'test/ingest/golden-readers.test.ts'],
  [/^\.ci\//, 'test/ci/nightly.test.ts'],
  [/^(engine|server|cli|scripts|bench)\/.*\.ts$/, 'test/architecture.test.ts'],
]

const isTest = (path: string): boolean => path.endsWith('.test.ts')

/** `engine/query/page.ts` is mirrored by `test/query/page.test.ts`, `server/http/etag.ts` by `test/server/http/etag.test.ts`. */
const mirrorOf = (path: string): string =>
  join('test', path.replace(/^engine\//, '').replace(/\.tsx?$/, '.test.ts'))

/** The files that a file imports, as paths from the root of the project. */
const importsOf = (path: string, text: string): string[] =>
  [...text.matchAll(/from '(\.[^']+)'/g)].map(([, from]) => join(dirname(path), from!))

/**
 * The tests of changed files, sorted.
 * @param changed paths from the root of the project
 * @param tests text of every TypeScript file of the tests, by path
 */
export function affectedTests(changed: ReadonlySet<string>, tests: ReadonlyMap<string, string>): string[] {
  const affected = new Set<string>()
  const add = (path: string) => {
    if (isTest(path) && tests.has(path)) affected.add(path)
  }
  for (const path of changed) {
    add(path)
    add(mirrorOf(path))
    for (const [pattern, test] of watched) if (pattern.test(path)) add(test)
  }
  for (const [path, text] of tests) if (importsOf(path, text).some(from => changed.has(from))) add(path)
  return [...affected].sort()
}
