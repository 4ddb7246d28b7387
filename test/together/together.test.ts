import { spawnSync } from 'node:child_process'
import { extname, join, relative } from 'node:path'
import t from 'tap'
import { testFolder } from '../folder.ts'
import { plainProcess } from '../plain-process.ts'
import { root } from '../root.ts'
import { inTurn } from './in-turn.ts'
import { byProcess } from './processes.ts'

t.test(
  'files that change or measure their process have one of their own, the others share it by folder',
  async t => {
    const folder = testFolder(t, {
      'a.test.js': "t.test('a')",
      'b.test.js': "process.env['X'] = 'y'",
      'c.test.js': "import { spawn } from 'node:child_process'",
      'd.test.js': "t.test('d')",
      in: Object.fromEntries(
        Array.from({ length: 11 }, (_, i) => [`${String(i).padStart(2, '0')}.test.js`, '']),
      ),
    })
    const names = ['d.test.js', 'c.test.js', 'b.test.js', 'a.test.js']
    const inside = Array.from({ length: 11 }, (_, i) => join('in', `${String(i).padStart(2, '0')}.test.js`))
    const outside = ['a', 'b'].map(name => join('out', `${name}.test.js`))
    t.strictSame(byProcess(folder, [...names, ...inside, ...outside], ['.', 'in']), [
      ['a.test.js', 'd.test.js'],
      ['b.test.js'],
      ['c.test.js'],
      inside.slice(0, 10),
      inside.slice(10),
      ...outside.map(name => [name]),
    ])
  },
)

t.test('files in turn run at one of several commits, all others at each', async t => {
  const often = ['derive/link.test.js', 'web/explorer.test.js'].map(name => join(name))
  const seldom = ['deploy.test.js', 'lake/killed.test.js', 'web/find.test.js', 'web/walk.test.js'].map(name =>
    join(name),
  )
  const names = [...seldom, ...often]
  t.strictSame(inTurn(names, undefined), names)
  const turns = ['1/3', '2/3', '3/3'].map(turn => inTurn(names, turn))
  for (const files of turns) t.strictSame(files.slice(-2), often)
  t.strictSame(turns.flatMap(files => files.slice(0, -2)).sort(), seldom)
  for (const turn of ['', '0/3', '4/3', 'first']) t.throws(() => inTurn(names, turn), /as 2\/4/, turn)
})

t.test(
  'every file of a process reports its own tests, and one that fails leaves the others to run',
  async t => {
    const fixture = (body: string) => `import t from 'tap'\nimport { log } from './log.js'\n${body}`
    const folder = testFolder(t, {
      'log.js': "export const log = line => console.log('# ' + line)",
      'a.test.js': fixture(
        "t.teardown(() => log('a ends'))\nt.test('passes', async t => t.ok(true))\nt.test('fails', async t => t.ok(false))",
      ),
      'b.test.js': fixture("throw new Error('does not load')"),
      'c.test.js': fixture(
        "log('c begins')\nawait t.test('waits', async t => t.ok(true))\nt.equal(t.name, 'x')",
      ),
    })
    const files = ['a', 'b', 'c'].map(name => join(folder, `${name}.test.js`))
    const program = join(import.meta.dirname, `run${extname(import.meta.url)}`)
    const [command, args] = plainProcess(import.meta.url, program, files)
    const { status, stdout } = spawnSync(command, args, {
      encoding: 'utf8',
      env: { ...process.env, TAP: '1' },
    })
    t.equal(status, 1)
    const [a, b, c] = files.map(file => relative(root, file))
    const lines = stdout.split('\n').filter(line => /^ *(not )?ok|^ {4}# [ac] /.test(line))
    t.strictSame(
      lines.filter(line => !line.startsWith('        ')).map(line => line.replace(/ # time=.*/, '')),
      [
        '    ok 1 - passes',
        '    not ok 2 - fails',
        `not ok 1 - ${a}`,
        '    not ok 1 - does not load',
        `not ok 2 - ${b}`,
        '    ok 1 - waits',
        '    not ok 2 - should be equal',
        `not ok 3 - ${c}`,
      ],
    )
    const at = (text: string) => stdout.indexOf(text)
    t.ok(at('# a ends') < at(`not ok 2 - ${b}`), 'its teardowns end before the next file begins')
  },
)
