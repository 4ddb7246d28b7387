import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { testFolder } from '../folder.ts'
import { root } from '../root.ts'

const counted = (covered: number, total: number) => ({ covered, total, pct: (100 * covered) / total })
const file = (covered: number) => ({
  lines: counted(covered, 10),
  functions: counted(covered, 10),
  branches: counted(covered, 10),
})

t.test('coverage of the product below its floor fails, and modules that no test loads are named', async t => {
  const folder = testFolder(t, {
    dist: { engine: { 'a.js': '', 'b.js': '' }, cli: { 'c.js': '' }, test: { 'a.test.js': '' } },
  })
  const at = (name: string) => join(folder, name)
  writeFileSync(
    at('summary.json'),
    JSON.stringify({
      [at('dist/engine/a.js')]: file(9),
      [at('dist/cli/c.js')]: file(6),
      [at('dist/test/a.test.js')]: file(0),
    }),
  )
  const compare = (env: NodeJS.ProcessEnv = {}) => {
    const words = [join(root, '.ci/coverage.mjs'), at('summary.json'), at('floor.json'), at('dist')]
    const { status, stdout } = spawnSync(process.execPath, words, {
      encoding: 'utf8',
      env: { ...process.env, UPDATE: '', ...env },
    })
    return { status, said: stdout }
  }
  const without = compare()
  t.equal(without.status, 1)
  t.match(without.said, /no floor is kept/)
  t.match(without.said, `no test loads ${at('dist/engine/b.js')}`)
  t.equal(compare({ UPDATE: '1' }).status, 0)
  t.strictSame(JSON.parse(readFileSync(at('floor.json'), 'utf8')), { lines: 75, functions: 75, branches: 75 })
  t.equal(compare().status, 0)
  writeFileSync(at('floor.json'), JSON.stringify({ lines: 75.1, functions: 70, branches: 70 }))
  const below = compare()
  t.equal(below.status, 1)
  t.match(below.said, 'lines: 75 % is below the floor of 75.1 %')
})
