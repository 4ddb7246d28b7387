import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { Database } from '../../engine/database/database.ts'
import { testFolder } from '../folder.ts'

process.env['TMPDIR'] = testFolder(t)
const temporary = process.env['TMPDIR']
const folders = () => readdirSync(temporary).filter(name => name.startsWith('tranche-spill-'))

/** A process that opens a database, says so, and stays. */
const script = (database: string) => `
  import { Database } from ${JSON.stringify(database)}
  const db = await Database.create()
  await db.run('SELECT 1')
  process.send('open')
  setInterval(() => {}, 1000)`

t.test('a database spills into a folder of its process, and that of a killed process is removed', async t => {
  const file = join(testFolder(t), 'open.mjs')
  writeFileSync(file, script(new URL('../../engine/database/database.js', import.meta.url).href))
  const child = fork(file, { env: { ...process.env, TMPDIR: temporary } })
  await once(child, 'message')
  const [left] = folders()
  t.ok(left)
  child.kill('SIGKILL')
  await once(child, 'exit')
  t.strictSame(folders(), [left], 'nothing could clear it')

  const database = await Database.create({ memory: '64MB', threads: 1 })
  const own = folders()
  t.equal(own.length, 1)
  t.not(own[0], left, 'the next process clears what a dead one left')
  const folder = join(temporary, own[0]!)
  t.equal(statSync(folder).mode & 0o777, 0o700)
  const [{ spill }] = (await database.rows(`SELECT current_setting('temp_directory') AS spill`)) as [
    { spill: string },
  ]
  t.ok(spill.startsWith(`${folder}/`))
  t.equal(
    (
      await database.rows(
        'SELECT i % 7 AS k FROM range(3_000_000) t(i) ORDER BY hash(i) LIMIT 1 OFFSET 2_999_999',
      )
    ).length,
    1,
  )
  database.close()
  t.strictSame(readdirSync(folder), [], 'what was spilled goes with its database')
})

t.test('a database without spilling has no folder', async t => {
  const database = await Database.create({ temp: null })
  t.teardown(() => database.close())
  t.strictSame(await database.rows(`SELECT current_setting('temp_directory') AS spill`), [{ spill: '' }])
})
