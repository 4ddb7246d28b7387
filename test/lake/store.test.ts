import { existsSync } from 'node:fs'
import {
  appendFile,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { Database, literal } from '../../engine/database/database.ts'
import { fingerprint } from '../../engine/lake/fingerprint.ts'
import { ensureLake, inLake, type Lake, openLake } from '../../engine/lake/lake.ts'
import { noteUse } from '../../engine/lake/last-use.ts'
import { takeLock } from '../../engine/lake/lock.ts'
import { sealed, unsealed } from '../../engine/lake/seal.ts'
import {
  currentManifest,
  listSnapshots,
  type Manifest,
  publish,
  readCurrent,
  verifySnapshot,
} from '../../engine/lake/snapshot.ts'
import { follow } from '../../engine/lake/store/follow.ts'
import { openStore } from '../../engine/lake/store/open-store.ts'
import { pull } from '../../engine/lake/store/pull.ts'
import { manifestName, push } from '../../engine/lake/store/push.ts'
import { S3Store } from '../../engine/lake/store/s3-store.ts'
import type { Store } from '../../engine/lake/store/store.ts'
import { pushTables } from '../../engine/lake/store/store-tables.ts'
import { testFolder } from '../folder.ts'
import { freePort, noGateway, startBucket } from './bucket.ts'
import { snapshotOf } from './iceberg-lake.ts'

/** Rounds of racing writers; more in .ci/nightly. */
const ROUNDS = Number(process.env['TRANCHE_STORE_ROUNDS'] ?? 3)
const WRITERS = 16

/** A snapshot of one table and a file, built of one batch. */
async function built(lake: Lake, text: string, day: number, batch = 'a batch'): Promise<Manifest> {
  return publish(
    lake,
    async folder => {
      const inputs = [await batchOf(lake, batch)]
      const database = await Database.create({ threads: 1 })
      await database.run(
        `COPY (SELECT ${literal(text)} AS word) TO ${literal(join(folder, 'words.parquet'))} (FORMAT parquet)`,
      )
      database.close()
      await mkdir(join(folder, 'search'))
      await writeFile(join(folder, 'search', 'text.bin'), text.repeat(3000))
      return { as_of: null, options: {}, inputs, tables: [{ name: 'words', file: 'words.parquet' }] }
    },
    new Date(Date.UTC(2026, 0, day)),
  )
}

/** The file of a batch, written again if there is none: no import names it, so each build removes it first. */
async function batchOf(lake: Lake, text: string) {
  const path = 'batches/bonds/one.parquet'
  await mkdir(inLake(lake, 'batches', 'bonds'), { recursive: true })
  if (!existsSync(inLake(lake, path))) await writeFile(inLake(lake, path), text)
  return { dataset: 'bonds', path, rows: 1, ...(await fingerprint(inLake(lake, path))) }
}

interface Place {
  /** An empty store. */
  readonly open: () => Promise<Store>
  /** The file that holds an object. */
  readonly fileOf: (store: Store, name: string) => string
}

const contents = async (lake: Lake, id: string): Promise<string[]> => {
  const { files, problems } = await verifySnapshot(lake, id)
  return [
    String(files),
    ...problems,
    ...(await readdir(inLake(lake, 'snapshots', id), { recursive: true })).sort(),
  ]
}

// Over 80 lines: what every kind of store keeps to.
function keepsTo(t: Test, { open, fileOf }: Place): void {
  const fresh = async (t: Test) => {
    const folder = testFolder(t, { lake: {}, copy: {} })
    return { store: await open(), lake: await ensureLake(join(folder, 'lake')), copy: join(folder, 'copy') }
  }

  t.test('what is pushed is pulled, and nothing is sent or received twice', async t => {
    const { store, lake, copy } = await fresh(t)
    await t.rejects(pull(store, copy), { code: 'NOT_READY', message: /tranche push/ })
    const { id } = await built(lake, 'one', 1)
    t.match(await push(lake, id, store), { snapshot: id, before: null, sent: 3, present: 0 })
    t.match(await push(lake, id, store), { before: id, sent: 0, present: 3, bytes: 0 })
    t.match(await pull(store, copy), { snapshot: id, before: null, received: 3, present: 0 })
    t.match(await pull(store, copy), { before: id, received: 0 })
    t.strictSame(await contents(await openLake(copy), id), await contents(lake, id))
    const next = await built(lake, 'two', 2)
    t.match(await push(lake, next.id, store), { before: id, sent: 2, present: 1 }, 'the batch is there')
    t.match(await pull(store, copy), { before: id, received: 2, present: 1 })
    t.equal(await readCurrent(await openLake(copy)), next.id)
  })

  t.test('an older snapshot needs --force, another lake another place', async t => {
    const { store, lake } = await fresh(t)
    const first = await built(lake, 'one', 1)
    const second = await built(lake, 'two', 2)
    await push(lake, second.id, store)
    await t.rejects(push(lake, first.id, store), {
      code: 'INVALID_PARAMETER',
      details: { current: second.id },
    })
    t.match(await push(lake, first.id, store, { force: true }), { before: second.id })
    const other = await ensureLake(join(t.testdirName, 'other'))
    const theirs = await built(other, 'three', 3, 'another batch')
    await t.rejects(push(other, theirs.id, store), { code: 'INVALID_PARAMETER', message: /different lake/ })
    t.match(await store.read('CURRENT'), { text: `${first.id}\n` })
  })

  t.test('of racing writers one publishes, and the others are told', async t => {
    const { store, lake } = await fresh(t)
    for (let round = 1; round <= ROUNDS; round++) {
      const before = await store.read('CURRENT')
      const tag = before?.tag ?? null
      const won = await Promise.all(
        Array.from({ length: WRITERS }, (_, i) => store.swap('CURRENT', `${round} ${i}\n`, tag)),
      )
      t.equal(won.filter(Boolean).length, 1)
      t.match(await store.read('CURRENT'), { text: `${round} ${won.indexOf(true)}\n` })
    }
    // A whole push that lost: another was published after it had looked.
    const { id } = await built(lake, 'one', 1)
    const late: Store = Object.assign(Object.create(store), {
      async put(...args: Parameters<Store['put']>) {
        const now = await store.read('CURRENT')
        if (now) await store.swap('CURRENT', '20260101T000000Z-00000000\n', now.tag)
        return store.put(...args)
      },
    })
    await t.rejects(push(lake, id, late, { force: true }), { code: 'OVERLOADED', message: /was first/ })
    t.match(await store.read('CURRENT'), { text: '20260101T000000Z-00000000\n' })
  })

  t.test('a stream that breaks is continued, and so is a pull that was cut off', async t => {
    const { store, lake, copy } = await fresh(t)
    const { id } = await built(lake, 'one', 1)
    await push(lake, id, store)
    const asked: [string, number][] = []
    let broken = 0
    const unsteady: Store = Object.assign(Object.create(store), {
      async get(name: string, from: number) {
        asked.push([name, from])
        const whole = await store.get(name, from)
        return Readable.from(
          (async function* () {
            let sent = 0
            for await (const chunk of whole) {
              const bytes = chunk as Buffer
              if (name.endsWith('text.bin') && broken < 3) {
                broken++
                yield bytes.subarray(0, 1000 - sent)
                throw new Error('ECONNRESET')
              }
              sent += bytes.length
              yield bytes
            }
          })(),
        )
      },
    })
    t.match(await pull(unsteady, copy), { snapshot: id, received: 3 })
    t.strictSame(
      asked.filter(([name]) => name.endsWith('text.bin')).map(([, from]) => from),
      [0, 1000, 2000, 3000],
    )
    const next = await built(lake, 'two', 2)
    await push(lake, next.id, store)
    const dead: Store = Object.assign(Object.create(store), {
      get: () => Promise.reject(new Error('ECONNREFUSED')),
    })
    await t.rejects(pull(dead, copy), { code: 'STORAGE_FAILED', message: /ECONNREFUSED.*pull again/ })
    const begun = `${copy}-2`
    await t.rejects(pull(dead, begun), { code: 'STORAGE_FAILED' })
    await t.rejects(currentManifest(await openLake(begun)), {
      code: 'NOT_READY',
      message: /copy has no snapshot yet: run "tranche pull" again/,
    })
    t.equal(await readCurrent(await openLake(copy)), id, 'the old one answers')
    t.match(await pull(store, copy), { snapshot: next.id })
  })

  t.test('bytes that are not those that were pushed are never served', async t => {
    const { store, lake, copy } = await fresh(t)
    const first = await built(lake, 'one', 1)
    await push(lake, first.id, store)
    await pull(store, copy)
    const { id } = await built(lake, 'two', 2)
    await push(lake, id, store)
    const file = fileOf(store, `snapshots/${id}/search/text.bin`)
    const bytes = await readFile(file)
    bytes[100]! ^= 1
    await writeFile(file, bytes)
    await t.rejects(pull(store, copy), { code: 'DATA_DAMAGED', message: /SHA-256.*delete it there and push/ })
    const there = await openLake(copy)
    t.equal(await readCurrent(there), first.id)
    t.strictSame(
      (await listSnapshots(there)).map(s => s.id),
      [first.id],
    )
    await rm(file)
    t.match(await push(lake, id, store), { sent: 1 })
    t.match(await pull(store, copy), { snapshot: id }, 'the store is mended as the message says')
  })

  t.test('its Iceberg tables have the snapshots that were pushed', async t => {
    const { store, lake } = await fresh(t)
    const folder = 'iceberg/ratings/metadata'
    for (const day of [1, 2]) {
      const { id } = await snapshotOf(lake, day, { ratings: "SELECT 'BB' AS rating" })
      await push(lake, id, store)
      const metadata = `${store.url}/${folder}/v${day}.metadata.json`
      t.match(await pushTables(lake, id, store), [{ table: 'ratings', rows: 1, snapshots: day, metadata }])
    }
    t.equal((await store.read(`${folder}/version-hint.text`))?.text, '2')
  })

  t.test('a store cannot name files outside the copy', async t => {
    const { store, lake, copy } = await fresh(t)
    const { id } = await built(lake, 'one', 1)
    await push(lake, id, store)
    const name = manifestName(id)
    const text = await readFile(inLake(lake, name), 'utf8')
    const manifest = unsealed<Manifest>(text, name)
    for (const path of ['../out.parquet', 'CURRENT', '/tmp/out', 'batches/../../x']) {
      const hostile = sealed({ ...manifest, inputs: [{ ...manifest.inputs[0], path }] })
      const now = await store.read(name)
      await store.swap(name, hostile, now?.tag ?? null)
      await t.rejects(pull(store, copy), { code: 'DATA_DAMAGED', message: /outside its snapshot/ })
    }
    const now = await store.read('CURRENT')
    await store.swap('CURRENT', '../../elsewhere\n', now?.tag ?? null)
    await t.rejects(pull(store, copy), { code: 'DATA_DAMAGED', message: /does not name a snapshot/ })
  })
}

t.test('a shared folder', async t => {
  let made = 0
  const root = testFolder(t)
  keepsTo(t, {
    open: () => openStore(pathToFileURL(join(root, String(++made))).href),
    fileOf: ({ url }, name) => join(new URL(url).pathname, name),
  })
})

t.test('a bucket', { skip: noGateway }, async t => {
  const { root, settings } = await startBucket(t)
  let made = 0
  const stores: Store[] = []
  t.teardown(() => {
    for (const store of stores) store.close()
  })
  const opened = async (store: Promise<Store>) => {
    stores.push(await store)
    return store
  }
  keepsTo(t, {
    open: () => opened(openStore(`s3://desk/lakes/${++made}`)),
    fileOf: ({ url }, name) => join(root, url.slice('s3://'.length), name),
  })

  t.test('a large file goes up in parts, each checked', async t => {
    const store = await opened(S3Store.open('s3://desk/parts', 'desk', 'parts', 5 * 2 ** 20))
    const path = join(testFolder(t), 'large.bin')
    await writeFile(path, Buffer.alloc(12 * 2 ** 20, 'tranche'))
    const expected = await fingerprint(path)
    await store.put('batches/large.bin', path, expected)
    t.strictSame(await store.describe('batches/large.bin'), expected)
    const parts: Buffer[] = []
    for await (const chunk of await store.get('batches/large.bin', 7 * 2 ** 20)) parts.push(chunk as Buffer)
    t.ok(Buffer.concat(parts).equals((await readFile(path)).subarray(7 * 2 ** 20)))
    await truncate(path, 11 * 2 ** 20)
    await t.rejects(store.put('batches/short.bin', path, expected), { code: 'DATA_DAMAGED' })
    await appendFile(path, Buffer.alloc(2 ** 20, 'changed'))
    await t.rejects(store.put('batches/changed.bin', path, expected), { code: 'DATA_DAMAGED' })
    t.equal(await store.describe('batches/changed.bin'), null)
  })

  t.test('what is wrong is said, without secrets', async t => {
    const lost = await opened(openStore('s3://nowhere/lake'))
    await t.rejects(lost.read('CURRENT'), { code: 'STORAGE_FAILED', message: /no such bucket/ })
    process.env['AWS_SECRET_ACCESS_KEY'] = 'a wrong one'
    const denied = await opened(openStore('s3://desk/lake'))
    await t.rejects(denied.read('CURRENT'), { code: 'STORAGE_FAILED', message: /access is denied/ })
    process.env['AWS_SECRET_ACCESS_KEY'] = settings.AWS_SECRET_ACCESS_KEY
    process.env['AWS_ENDPOINT_URL_S3'] = `http://127.0.0.1:${await freePort()}`
    const away = await opened(openStore('s3://desk/lake'))
    const error = await away.read('CURRENT').catch((e: Error) => e)
    t.match(error, { code: 'STORAGE_FAILED', message: /cannot be reached.*ECONNREFUSED/ })
    t.notMatch(String(error), /secret/)
    process.env['AWS_ENDPOINT_URL_S3'] = settings.AWS_ENDPOINT_URL_S3
  })
})

const shared = async (t: Test) => {
  const folder = testFolder(t, { lake: {}, store: {}, copy: {} })
  const store = await openStore(pathToFileURL(join(folder, 'store')).href)
  return { store, lake: await ensureLake(join(folder, 'lake')), copy: join(folder, 'copy') }
}

t.test('a copy is written by pull alone, and a lake of its own never becomes one', async t => {
  const { store, lake, copy } = await shared(t)
  const { id } = await built(lake, 'one', 1)
  await push(lake, id, store)
  await pull(store, copy)
  const there = await openLake(copy)
  await t.rejects(takeLock(there, 'build'), {
    code: 'INVALID_PARAMETER',
    message: /copy of file:.*run "build" where/,
  })
  await t.rejects(pull(store, lake.root), { code: 'INVALID_PARAMETER', message: /lake of its own/ })
  const other = await openStore(pathToFileURL(join(copy, '..', 'other')).href)
  await push(lake, id, other)
  await t.rejects(pull(other, copy), { code: 'INVALID_PARAMETER', message: /is a copy of file:/ })
  await mkdir(join(copy, '..', 'used'))
  await writeFile(join(copy, '..', 'used', 'notes.txt'), 'mine')
  await t.rejects(pull(store, join(copy, '..', 'used')), { code: 'INVALID_PARAMETER', message: /not a lake/ })
  t.strictSame(await readdir(join(copy, '..', 'used')), ['notes.txt'])
})

t.test('what was damaged in the copy is received again, alone', async t => {
  const { store, lake, copy } = await shared(t)
  const { id } = await built(lake, 'one', 1)
  await push(lake, id, store)
  await pull(store, copy)
  const there = await openLake(copy)
  await appendFile(inLake(there, 'snapshots', id, 'words.parquet'), 'x')
  t.match(await pull(store, copy), { before: id, received: 1, present: 2 })
  await rm(inLake(there, 'batches'), { recursive: true })
  t.match(await pull(store, copy), { before: id, received: 1, present: 2 })
  t.strictSame((await verifySnapshot(there, id)).problems, [])
})

t.test(
  'files of a snapshot that the copy holds are replaced in place, so that queries always find them',
  async t => {
    const { store, lake, copy } = await shared(t)
    const [first, second] = [await built(lake, 'one', 1), await built(lake, 'two', 2)]
    for (const { id } of [first, second]) {
      await push(lake, id, store)
      await pull(store, copy)
    }
    const there = await openLake(copy)
    const folder = inLake(there, 'snapshots', first.id)
    const inodes = () =>
      Promise.all(
        ['', 'words.parquet', 'search/text.bin'].map(async name => (await stat(join(folder, name))).ino),
      )
    const before = await inodes()
    await push(lake, first.id, store, { force: true })
    t.match(await pull(store, copy), { snapshot: first.id, received: 0 })
    t.strictSame(await inodes(), before, 'the folder and its files are those that were there')

    await appendFile(join(folder, 'words.parquet'), 'x')
    await pull(store, copy)
    const after = await inodes()
    t.strictSame([after[0], after[2]], [before[0], before[2]])
    t.not(after[1], before[1], 'only what was damaged is another file')

    await rename(join(folder, 'search'), join(copy, 'elsewhere'))
    await symlink(join(copy, 'elsewhere'), join(folder, 'search'))
    await pull(store, copy)
    t.strictSame((await verifySnapshot(there, first.id)).problems, [], 'a link where a folder belongs')
    const names = await readdir(inLake(there, 'snapshots'))
    t.strictSame(names.sort(), [first.id, second.id].sort(), 'nothing is left beside')
  },
)

t.test('a bounded copy lets the least recently used snapshots go, never the current one', async t => {
  const { store, lake, copy } = await shared(t)
  const ids: string[] = []
  for (const [i, word] of ['one', 'two', 'six'].entries()) {
    const { id } = await built(lake, word, i + 1)
    ids.push(id)
    await push(lake, id, store)
    await pull(store, copy)
  }
  const last = await built(lake, 'ten', 9)
  await push(lake, last.id, store)
  const bytes = [...last.tables, ...last.files, ...last.inputs].reduce((sum, f) => sum + f.bytes, 0)
  await t.rejects(pull(store, copy, { most: bytes - 1 }), {
    code: 'INVALID_PARAMETER',
    details: { needed: bytes },
  })
  const { removed } = await pull(store, copy, { most: bytes * 2 + 5000 })
  t.strictSame(removed, ids.slice(0, 2))
  t.strictSame(
    (await listSnapshots(await openLake(copy))).map(s => s.id),
    [last.id, ids[2]],
  )
  // One that is older, but was asked for since.
  await pull(store, copy, { snapshot: ids[0]!, most: bytes * 3 + 5000 })
  const there = await openLake(copy)
  await noteUse(there, ids[0]!, new Date(Date.now() + 60_000))
  const next = await built(lake, 'new', 10)
  await push(lake, next.id, store)
  t.match(await pull(store, copy, { most: bytes * 3 + 5000 }), { removed: [ids[2]] })
  t.strictSame(
    (await listSnapshots(there)).map(s => s.id),
    [next.id, last.id, ids[0]],
  )
  t.match(await pull(store, copy, { most: bytes * 2 + 5000 }), { removed: [last.id] }, 'a lower bound')
  await t.rejects(pull(store, copy, { most: bytes - 1 }), { code: 'INVALID_PARAMETER' })
})

t.test('a follower pulls each new snapshot, and outlives a store that is gone', async t => {
  const { store, lake, copy } = await shared(t)
  const first = await built(lake, 'one', 1)
  await push(lake, first.id, store)
  await pull(store, copy)
  const stopping = new AbortController()
  const pulled: string[] = []
  const failures: string[] = []
  let isGone = false
  const flaky: Store = Object.assign(Object.create(store), {
    read(...args: Parameters<Store['read']>) {
      return isGone ? Promise.reject(new Error('the network is down')) : store.read(...args)
    },
  })
  const following = follow(flaky, copy, {
    everyMs: 5,
    signal: stopping.signal,
    onPulled: ({ snapshot }) => pulled.push(snapshot),
    onFailure: error => failures.push((error as Error).message),
  })
  const wait = async (done: () => boolean) => {
    while (!done()) await new Promise(resolve => setTimeout(resolve, 5))
  }
  isGone = true
  await wait(() => failures.length > 0)
  await new Promise(resolve => setTimeout(resolve, 50))
  t.strictSame(failures, ['the network is down'], 'told once')
  isGone = false
  const second = await built(lake, 'two', 2)
  await push(lake, second.id, store)
  await wait(() => pulled.length > 0)
  t.strictSame(pulled, [second.id])
  t.equal(await readCurrent(await openLake(copy)), second.id)
  stopping.abort()
  await following.done
})

t.test('only addresses of stores are opened', async t => {
  for (const url of ['s3://', 'gs://bucket/x', '/folder', 'file://host/x', 'http://host/'])
    await t.rejects(openStore(url), { code: 'INVALID_PARAMETER', message: /s3:\/\/BUCKET/ })
  for (const url of ['s3://key:a-secret@desk/lake', 's3://desk/lake?signature=a-secret']) {
    const error: Error = await openStore(url).then(
      () => new Error('it was opened'),
      thrown => thrown,
    )
    t.match(error, { code: 'INVALID_PARAMETER', message: /give credentials as to other AWS tools/ })
    t.notMatch(JSON.stringify([error, error.message]), 'a-secret')
  }
})
