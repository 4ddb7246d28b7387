// The tests of changed files: npm run test:fast [-- --list] [-- --all]
// A test file selects itself; a source selects its mirror (engine/query/page.ts selects test/query/page.test.ts) and
// the tests that import it; a test helper selects the tests that import it. Changed are files that differ from where
// the branch left main, and uncommitted ones; on main, uncommitted ones. Tests that import a widely imported file run
// with --all only.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { affectedTests } from './test-fast/affected-tests.ts'

const git = (...words: string[]): string[] =>
  execFileSync('git', words, { encoding: 'utf8' })
    .split('\n')
    .filter(line => line !== '')

/** Where the branch left main; without main, the last commit. */
function base(): string {
  for (const main of ['main', 'origin/main'])
    try {
      return git('merge-base', 'HEAD', main)[0]!
    } catch {
      // main has another name, or the clone does not have it.
    }
  return 'HEAD'
}

const changed = new Set([
  ...git('diff', '--name-only', '--diff-filter=d', base()),
  ...git('ls-files', '--others', '--exclude-standard'),
])
const tests = new Map(
  readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .map(name => [join('test', name), readFileSync(join('test', name), 'utf8')] as const),
)
const { tests: affected, hubs } = affectedTests(changed, tests, process.argv.includes('--all'))
const compiled = affected.map(name => join('dist', name.replace(/\.ts$/, '.js'))).filter(existsSync)

if (hubs.length > 0) console.log(`imported by many tests, which --all runs too: ${hubs.join(', ')}`)
if (compiled.length === 0) console.log(`${changed.size} files changed, and no test imports them directly`)
else {
  console.log(`${compiled.length} test files for ${changed.size} changed files:`)
  for (const name of affected) console.log(`  ${name}`)
  if (!process.argv.includes('--list')) {
    const { status } = spawnSync('npx', ['tap', '--disable-coverage', ...compiled], { stdio: 'inherit' })
    process.exitCode = status ?? 1
  }
}
