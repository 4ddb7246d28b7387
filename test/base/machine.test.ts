import { readdir, readFile } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { databaseThreads, memoryShare, memoryWithin, usableMemory } from '../../engine/base/machine.ts'
import { Database } from '../../engine/database/database.ts'
import { root } from '../root.ts'

t.test('the memory of a container is its limit, else that of the machine', async t => {
  t.equal(memoryWithin(2 ** 29, 2 ** 34), 2 ** 29)
  t.equal(memoryWithin(2 ** 64, 2 ** 34), 2 ** 34, 'no limit is a number beyond the machine')
  t.equal(memoryWithin(0, 2 ** 34), 2 ** 34)
  t.equal(memoryWithin(undefined, 2 ** 34), 2 ** 34)
  t.ok(usableMemory() <= totalmem())
  t.equal(memoryShare(0.5), `${Math.floor(usableMemory() / 2 ** 21)}MiB`)
})

t.test('TRANCHE_THREADS says how many threads a database has that is not told', async t => {
  t.equal(databaseThreads(''), null)
  t.equal(databaseThreads('3'), 3)
  for (const wrong of ['0', '1.5', 'many'])
    t.throws(() => databaseThreads(wrong), { code: 'INVALID_PARAMETER', details: { value: wrong } })
  t.intercept(process, 'env', { value: { ...process.env, TRANCHE_THREADS: '3' } })
  const threads = async (options: { threads?: number }) => {
    const database = await Database.create(options)
    t.teardown(() => database.close())
    return (await database.rows("SELECT current_setting('threads') AS threads"))[0]
  }
  t.strictSame(await threads({}), { threads: 3 })
  t.strictSame(await threads({ threads: 2 }), { threads: 2 })
})

t.test('no other file asks the system for memory or processors', async t => {
  const asks = /\b(totalmem|freemem|availableParallelism|constrainedMemory|availableMemory)\b|\bcpus\(/
  for (const folder of ['engine', 'cli', 'server', 'scripts']) {
    const names = await readdir(join(root, folder), { recursive: true })
    for (const name of names.filter(each => each.endsWith('.ts') && !each.includes('node_modules'))) {
      const file = join(folder, name)
      if (file === join('engine', 'base', 'machine.ts')) continue
      t.notMatch(await readFile(join(root, file), 'utf8'), asks, file)
    }
  }
})
