import { dirname, join } from 'node:path'

/** Tests of files that are not imported. */
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

/** Tests that import a file imported by more tests than this are left to the whole suite. */
const MOST_IMPORTERS = 8

/** The tests of changed files, sorted, and the changed files with too many importers. */
export interface Affected {
  readonly tests: readonly string[]
  readonly hubs: readonly string[]
}

/**
 * @param changed paths from the root of the project
 * @param tests text of every TypeScript file of the tests, by path
 * @param all also the tests that import a file which many import
 */
export function affectedTests(
  changed: ReadonlySet<string>,
  tests: ReadonlyMap<string, string>,
  all = false,
): Affected {
  const affected = new Set<string>()
  const add = (path: string) => {
    if (isTest(path) && tests.has(path)) affected.add(path)
  }
  for (const path of changed) {
    add(path)
    add(mirrorOf(path))
    for (const [pattern, test] of watched) if (pattern.test(path)) add(test)
  }
  const importers = new Map<string, string[]>()
  for (const [path, text] of tests)
    for (const from of importsOf(path, text))
      if (changed.has(from)) importers.set(from, [...(importers.get(from) ?? []), path])
  const hubs: string[] = []
  for (const [from, paths] of importers)
    if (all || paths.length <= MOST_IMPORTERS) for (const path of paths) add(path)
    else hubs.push(from)
  return { tests: [...affected].sort(), hubs: hubs.sort() }
}
