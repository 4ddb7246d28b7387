import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { testFolder } from '../folder.ts'
import { root } from '../root.ts'

t.test('preparing a clone builds once, and again only after a source changed', async t => {
  const folder = testFolder(t)
  mkdirSync(join(folder, 'scripts'))
  cpSync(join(root, 'scripts/prepare.mjs'), join(folder, 'scripts/prepare.mjs'))
  const old = new Date('2020-01-01')
  for (const name of ['engine', 'server', 'cli', 'bench', 'test', 'docs']) {
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, 'a.ts'), '')
    utimesSync(join(folder, name, 'a.ts'), old, old)
  }
  writeFileSync(join(folder, 'tsconfig.json'), '{}')
  const build =
    'mkdir -p dist/cli dist/web && touch dist/cli/main.js dist/web/index.html && echo built >> builds.txt'
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({
      name: 'x',
      scripts: {
        'build:unchecked': build,
        build: `${build} && echo types >> builds.txt`,
        types: 'echo types >> builds.txt',
      },
    }),
  )
  const builds = (...words: string[]) => {
    const { NODE_OPTIONS: _, ...env } = process.env
    const { status } = spawnSync(process.execPath, ['scripts/prepare.mjs', ...words], { cwd: folder, env })
    t.equal(status, 0)
    return spawnSync('cat', ['builds.txt'], { cwd: folder, encoding: 'utf8' }).stdout.split('\n').length - 1
  }
  t.equal(builds(), 1)
  t.equal(builds(), 1, 'nothing changed')
  const later = new Date(Date.now() + 60_000)
  utimesSync(join(folder, 'cli/a.ts'), later, later)
  t.equal(builds(), 2, 'a source is newer')
  utimesSync(join(folder, 'cli/a.ts'), old, old)
  t.equal(builds('checked'), 3, 'types were not checked')
  t.equal(builds('checked'), 3, 'and are since')
  const muchLater = new Date(Date.now() + 120_000)
  utimesSync(join(folder, 'cli/a.ts'), muchLater, muchLater)
  t.equal(builds('checked'), 5, 'built with its types')
})
