import {
  chmodSync,
  closeSync,
  cpSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import Libsql from 'libsql'
import t from 'tap'
import { checkState } from '../../../server/state/check.ts'
import { newestSchema } from '../../../server/state/migrations.ts'
import { openState } from '../../../server/state/open.ts'
import { builtLake } from '../../built-lake.ts'
import { oneOf } from '../../by-night.ts'
import { tranche } from '../../cli/run-cli.ts'
import { testFolder } from '../../folder.ts'
import { twoIssuers } from '../../make-lake.ts'

t.setTimeout(600_000)

const lake = await builtLake(t.teardown, twoIssuers)
const folder = testFolder(t)
const whole = join(folder, 'whole.db')

/** A store with a key and enough calls to fill some pages. */
const state = await openState(whole)
const { keyId } = await state.createKey({ email: 'ana@example.com', tier: 'pro' })
for (let i = 0; i < 200; i++) await state.creditKey(keyId, 1, 'a reason that fills the pages of the ledger')
await state.close()
const database = new Libsql(whole)
database.pragma('wal_checkpoint(truncate)')
database.close()

const size = readFileSync(whole).length

const overwrite = (file: string, at: number, bytes: Buffer) => {
  const fd = openSync(file, 'r+')
  writeSync(fd, bytes, 0, bytes.length, at)
  closeSync(fd)
}

/** Kinds of damage, and the resulting message. */
const faults: Record<string, { break: (file: string) => void; says: RegExp }> = {
  'a header of garbage': {
    break: file => overwrite(file, 0, Buffer.alloc(100, 0xa5)),
    says: /not a SQLite database: choose another file with --state|is damaged: .*restore it from a backup/,
  },
  'pages of garbage': {
    break: file => {
      for (let at = 4096; at < size; at += 4096) overwrite(file, at, Buffer.alloc(2048, 0xa5))
    },
    says: /is damaged: .*restore it from a backup/,
  },
  'a file cut short': {
    break: file => truncateSync(file, 4096 + 1000),
    says: /is damaged: .*restore it from a backup|cannot be read or written/,
  },
  'a text file': {
    break: file => writeFileSync(file, 'notes on the desk\n'.repeat(1000)),
    says: /not a SQLite database: choose another file with --state/,
  },
}

const commands = (location: string): string[][] => [
  ['serve', '--port', '0', '--lake', lake.root, '--state', location],
  ['keys', 'list', '--state', location],
  ['accounts', 'list', '--state', location],
  ['doctor', '--lake', lake.root, '--state', location],
]

/** Every command on one location ends by itself, with a sentence of advice and no stack. */
async function refuse(t: Tap, location: string, says: RegExp): Promise<void> {
  for (const words of commands(location)) {
    const { code, out, err } = await tranche(words)
    const name = words.slice(0, 2).join(' ')
    t.ok(code !== 0 && code !== 1, `${name} ends with ${code}`)
    t.match(out + err, says, name)
    t.notMatch(out + err, /This is a bug|\n\s+at /, name)
  }
}
type Tap = typeof t

for (const [name, fault] of oneOf(2, Object.entries(faults)))
  t.test(`${name} is refused by every command, with advice`, async t => {
    const file = join(testFolder(t), 'state.db')
    cpSync(whole, file)
    fault.break(file)
    await refuse(t as never, file, fault.says)
  })

t.test('a folder in place of a file is refused', async t => {
  const file = join(testFolder(t), 'state.db')
  mkdirSync(file)
  await refuse(t as never, file, /it is a folder: give a file with --state/)
})

t.test('a file locked by another process is refused, and used once free', async t => {
  const file = join(testFolder(t), 'state.db')
  cpSync(whole, file)
  const holder = new Libsql(file)
  holder.exec('pragma locking_mode = exclusive; begin exclusive; create table mine (x)')
  await Promise.all(
    commands(file).map(async words => {
      const { code, out, err } = await tranche(words)
      t.match(out + err, /another process keeps it locked: end that process/, words.join(' '))
      t.ok(code === 5 || code === 4, `${words[0]} ends with ${code}`)
    }),
  )
  holder.exec('rollback')
  holder.close()
  t.equal((await tranche(['keys', 'list', '--state', file])).code, 0)
})

const isRoot = process.getuid?.() === 0
t.test('a read-only file is refused', { skip: isRoot && 'root may write everything' }, async t => {
  const file = join(testFolder(t), 'state.db')
  cpSync(whole, file)
  chmodSync(file, 0o444)
  chmodSync(t.testdirName, 0o555)
  t.teardown(() => chmodSync(t.testdirName, 0o755))
  await refuse(t as never, file, /check its owner and permissions/)
})

/** Writes settings of a store: the version of its tables, and the oldest that can use them. */
function setVersion(file: string, version: number, usableFrom = newestSchema): void {
  const database = new Libsql(file)
  database.exec(`update settings set value = '${version}' where name = 'schema'`)
  database.exec(`update settings set value = '${usableFrom}' where name = 'schema_usable_from'`)
  database.close()
}
const versionOf = async (file: string) =>
  (await checkState(file)).find(finding => finding.check === 'version')

t.test('a store of another version is reported by doctor and left unchanged', async t => {
  const file = join(testFolder(t), 'state.db')
  cpSync(whole, file)
  t.match(await versionOf(file), { status: 'ok', says: `${newestSchema}, the newest` })

  setVersion(file, newestSchema + 1, newestSchema + 1)
  t.match(await versionOf(file), { status: 'problem', says: /reads up to .*: upgrade Tranche/ })
  const told = await tranche(['doctor', '--lake', lake.root, '--state', file])
  t.equal(told.code, 4)
  t.match(await tranche(['keys', 'list', '--state', file]), { code: 4, err: /upgrade Tranche/ })

  setVersion(file, newestSchema - 1)
  const bytes = readFileSync(file)
  t.match(await versionOf(file), { status: 'note', says: /migrates it/ })
  t.strictSame(readFileSync(file), bytes, 'doctor changes nothing')
})

t.test('a store that a newer program only added tables to serves this one too', async t => {
  const file = join(testFolder(t), 'state.db')
  cpSync(whole, file)
  setVersion(file, newestSchema + 1)
  t.match(await versionOf(file), { status: 'ok', says: /of a newer program beside this one/ })
  t.match(await tranche(['keys', 'list', '--state', file]), { code: 0 }, 'servers are upgraded one by one')
})

t.test('checking an open store keeps its locks', async t => {
  const file = join(folder, 'shared.db')
  cpSync(whole, file)
  const [store, other] = [await openState(file), await openState(file)]
  t.teardown(() => Promise.all([store.close(), other.close()]))
  await store.ping()
  await other.close()
  await store.creditKey(keyId, 1, 'in the -wal file')
  const before = statSync(`${file}-wal`).ino
  const { code, err } = await tranche(['keys', 'list', '--state', file])
  t.equal(code, 0, err)
  t.equal(statSync(`${file}-wal`, { throwIfNoEntry: false })?.ino, before, 'the file of newest changes stays')
  t.equal(await store.ping(), true)
})
