import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { root } from '../root.ts'

const run = (command: string, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: 'utf8' })
  return { status, out: stdout, err: stderr }
}
const hasBash = run('bash', '-c', 'true').status === 0
const skip = hasBash ? false : 'there is no bash here'

const nightly = join(root, '.ci/nightly')

t.test('every part of the nightly run is listed with its time, and has a script', { skip }, async t => {
  const { status, out } = run('bash', nightly, '--list')
  t.equal(status, 0)
  const listed = out.trimEnd().split('\n')
  const written = [...readFileSync(nightly, 'utf8').matchAll(/^part_(\w+)\(\)/gm)].map(m => m[1]!)
  t.strictSame(
    listed.map(line => line.split(' ')[0]),
    written,
  )
  for (const line of listed) t.match(line, /^\w+ +about +\d+ minutes {2}\S.{20,}/)
  for (const name of written) t.match(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8'), `\`${name}\``)
})

t.test('an unknown part is refused before anything runs', { skip }, async t => {
  const { status, out, err } = run('bash', nightly, 'soak', 'sok')
  t.strictSame([status, out], [2, ''])
  t.match(err, /no part sok; the parts are: soak fuzz /)
})

t.test('the scripts that parts run are those of the project, each named in full', async t => {
  const run = [...readFileSync(nightly, 'utf8').matchAll(/\bdist\/([\w/-]*(?:\.test)?)([^\w/-]\S*)/g)]
  t.ok(run.some(([, script]) => script === 'scripts/hostile'))
  for (const [named, script, rest] of run) {
    if (script === 'test' || script === '') continue
    t.match(rest, /^\.js\b/, named)
    t.ok(existsSync(join(root, `${script}.ts`)), named)
  }
})

/** Test settings that do not make it longer. */
const others = /^TRANCHE_(TEST_\w+|SCREENSHOTS|DEBUG|FAULT)$/

t.test('every environment variable that makes a test longer is set by the nightly run', async t => {
  const asked = readFileSync(nightly, 'utf8')
  const read = new Set<string>()
  for (const entry of readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' }))
    if (entry.endsWith('.ts'))
      for (const [, name] of readFileSync(join(root, 'test', entry), 'utf8').matchAll(
        /process\.env\['((?:TRANCHE|FUZZ)_\w+)'\]/g,
      ))
        if (!others.test(name!)) read.add(name!)
  t.ok(read.size >= 5)
  for (const name of read) t.match(asked, new RegExp(`\\b${name}\\b`), name)
})

t.test('tests are counted by file, and the slowest files named', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'tranche-summary-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const summary = (lines: readonly string[]) => {
    writeFileSync(join(folder, 'log'), `${lines.join('\n')}\n`)
    return run(process.execPath, join(root, '.ci/summary.mjs'), join(folder, 'log'))
  }
  const passing = [
    '# Subtest: dist/test/a.test.js',
    '    # Subtest: prices are clean',
    '        ok 1 - should be equal',
    '    ok 1 - prices are clean # time=20ms',
    '    ok 2 - on PostgreSQL # SKIP it is not installed',
    'ok 1 - dist/test/a.test.js # time=78.5ms',
    'ok 2 - dist/test/b.test.js # time=12345.678ms',
  ]
  t.strictSame(summary(passing), {
    status: 0,
    out: 'the slowest of 2 test files:\n    12.3 s  dist/test/b.test.js\n     0.1 s  dist/test/a.test.js\n1 passed, 0 failed, 1 skipped\n',
    err: '',
  })
  const failing = summary([...passing, '    not ok 3 - a spread is in tenths # time=3ms'])
  t.equal(failing.status, 1)
  t.match(failing.out, '1 passed, 1 failed, 1 skipped')
  t.equal(summary(['nothing ran']).status, 1, 'no test at all is a failure')
})
