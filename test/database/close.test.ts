import { spawnSync } from 'node:child_process'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { Database } from '../../engine/database/database.ts'
import { plainProcess } from '../plain-process.ts'

t.test(
  'a database that is closed while statements run ends them, and neither crashes nor hangs the process',
  async t => {
    const script = fileURLToPath(new URL(`close-while-busy${extname(import.meta.url)}`, import.meta.url))
    const [command, args] = plainProcess(import.meta.url, script, [])
    const { status, signal, stdout } = spawnSync(command, args, { encoding: 'utf8', timeout: 300_000 })
    t.strictSame({ status, signal, stdout }, { status: 0, signal: null, stdout: 'closed\n' })
  },
)

t.test(
  'a statement that runs when its database is closed is interrupted, and a later one refused',
  async t => {
    const db = await Database.create()
    const endless = db.rows('SELECT count(*) FROM range(1000000000) a, range(1000000000) b')
    await db.rows('SELECT 1')
    db.close()
    await t.rejects(endless, /INTERRUPT/)
    await t.rejects(db.rows('SELECT 1'), /the database is closed/)
    db.close()
  },
)
