import { cp, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { Database, literal } from '../../engine/database/database.ts'
import { diffSnapshots } from '../../engine/lake/diff-snapshots.ts'
import { ensureLake, inLake, type Lake, namesIn } from '../../engine/lake/lake.ts'
import { sealed } from '../../engine/lake/seal.ts'
import {
  currentManifest,
  listSnapshots,
  type Manifest,
  prune,
  publish,
  readCurrent,
  readManifest,
  verifiedFile,
  verifySnapshot,
} from '../../engine/lake/snapshot.ts'
import { type OwnsFolder, testFolder } from '../folder.ts'
import { child } from './child.ts'

const newLake = (t: OwnsFolder) => ensureLake(join(testFolder(t), 'lake'))
const noon = new Date('2026-01-02T12:00:00Z')

async function build(lake: Lake, bonds: string, now = noon): Promise<Manifest> {
  return publish(
    lake,
    async folder => {
      const database = await Database.create({ threads: 1 })
      await database.run(
        `COPY (SELECT * FROM (VALUES ${bonds}) t(cusip, coupon)) TO ${literal(join(folder, 'bonds.parquet'))} (FORMAT parquet)`,
      )
      database.close()
      await mkdir(join(folder, 'search'))
      await writeFile(join(folder, 'search', 'words.bin'), 'index')
      return {
        as_of: '2026-01-01',
        options: { assume_seniority: null },
        inputs: [],
        tables: [{ name: 'bonds', file: 'bonds.parquet' }],
      }
    },
    now,
  )
}

const two = `('037833100', 5.0), ('594918104', 4.0)`

t.test('a build publishes its snapshot with its manifest', async t => {
  const lake = await newLake(t)
  t.equal(await readCurrent(lake), null)
  await t.rejects(currentManifest(lake), { code: 'NOT_READY', message: /tranche build/ })
  const made = await build(lake, two)
  t.match(made.id, /^20260102T120000Z-[0-9a-f]{8}$/)
  t.strictSame(await currentManifest(lake), made)
  t.match(made, {
    schema: 1,
    as_of: '2026-01-01',
    tables: [
      {
        name: 'bonds',
        file: 'bonds.parquet',
        rows: 2,
        columns: [
          { name: 'cusip', type: 'VARCHAR' },
          { name: 'coupon', type: 'DECIMAL(2,1)' },
        ],
      },
    ],
    files: [{ file: 'search/words.bin', bytes: 5 }],
  })
  t.match(await verifySnapshot(lake, made.id), { files: 2, problems: [], unnamed: [] })
  t.match(await listSnapshots(lake), [{ id: made.id, current: true, rows: 2, problem: null }])
  t.equal(
    await verifiedFile(lake, made, made.tables[0]!),
    inLake(lake, 'snapshots', made.id, 'bonds.parquet'),
  )
})

t.test('ids sort in build order, even if the clock went back', async t => {
  const lake = await newLake(t)
  const ids = [
    (await build(lake, two)).id,
    (await build(lake, two)).id,
    (await build(lake, two, new Date('2020-01-01T00:00:00Z'))).id,
  ]
  t.strictSame(ids, [...ids].sort())
  t.equal(new Set(ids).size, 3)
  t.equal(await readCurrent(lake), ids[2])
})

t.test('a failing build keeps the old snapshot current and leaves nothing behind', async t => {
  const lake = await newLake(t)
  const old = await build(lake, two)
  await t.rejects(
    publish(lake, async folder => {
      await writeFile(join(folder, 'half.parquet'), 'x')
      throw new Error('no')
    }),
    { message: 'no' },
  )
  await t.rejects(
    publish(lake, async () => {
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
    }),
    { code: 'STORAGE_FAILED', message: /disk is full.*as it was before/ },
  )
  t.strictSame(await namesIn(lake, 'snapshots'), [old.id])
  t.equal(await readCurrent(lake), old.id)
})

t.test('pruning keeps the newest and the current snapshot', async t => {
  const lake = await newLake(t)
  const ids: string[] = []
  for (let i = 0; i < 4; i++) ids.push((await build(lake, two)).id)
  await writeFile(inLake(lake, 'CURRENT'), `${ids[0]}\n`)
  t.strictSame(await prune(lake, 1), [ids[2], ids[1]])
  t.strictSame(await namesIn(lake, 'snapshots'), [ids[0], ids[3]])
  t.strictSame(await prune(lake, 0), [ids[3]])
  t.equal((await currentManifest(lake)).id, ids[0])
})

t.test('two snapshots are compared by key, and by whole row without one', async t => {
  const lake = await newLake(t)
  const a = await build(lake, two)
  const b = await build(lake, `('037833100', 5.5), ('88160R101', 4.0), ('912810TM0', 1.0)`)
  t.strictSame(await diffSnapshots(lake, a.id, b.id, { bonds: ['cusip'] }), [
    {
      table: 'bonds',
      rows_before: 2,
      rows_after: 3,
      added: 2,
      removed: 1,
      changed: 1,
      columns_added: [],
      columns_removed: [],
    },
  ])
  t.match(await diffSnapshots(lake, a.id, b.id, {}), [{ added: 3, removed: 2, changed: null }])
  t.match(await diffSnapshots(lake, a.id, a.id, { bonds: ['cusip'] }), [{ added: 0, removed: 0, changed: 0 }])
})

t.test('every kind of damage is refused by name, and other tables are still served', async t => {
  const lake = await newLake(t)
  const made = await build(lake, two)
  const folder = inLake(lake, 'snapshots', made.id)
  const [bonds] = made.tables
  const [index] = made.files
  const whole = await readFile(join(folder, 'bonds.parquet'))

  for (let bit = 0; bit < 200; bit++) {
    const at = (bit * 7919) % (whole.length * 8)
    const flipped = Buffer.from(whole)
    flipped[at >> 3] = flipped[at >> 3]! ^ (1 << (at & 7))
    await writeFile(join(folder, 'bonds.parquet'), flipped)
    await verifiedFile(lake, made, bonds!).then(
      () => t.fail(`bit ${at} was not noticed`),
      error => error.code === 'DATA_DAMAGED' || t.fail(String(error)),
    )
  }
  t.match(await verifySnapshot(lake, made.id), { problems: [/bonds.parquet: was changed/] })
  await verifiedFile(lake, made, index!)

  await writeFile(join(folder, 'bonds.parquet'), whole.subarray(0, 50))
  await t.rejects(verifiedFile(lake, made, bonds!), { message: /has 50 bytes, but/ })
  await cp(join(folder, 'search', 'words.bin'), join(folder, 'bonds.parquet'))
  await t.rejects(verifiedFile(lake, made, bonds!), { code: 'DATA_DAMAGED' })
  await rm(join(folder, 'bonds.parquet'))
  await t.rejects(verifiedFile(lake, made, bonds!), { message: /is missing/ })

  const outside = join(lake.root, '..', 'outside')
  await mkdir(outside, { recursive: true })
  await writeFile(join(outside, 'bonds.parquet'), whole)
  await symlink(join(outside, 'bonds.parquet'), join(folder, 'bonds.parquet'))
  await t.rejects(verifiedFile(lake, made, bonds!), { message: /link/ })
  await rename(join(folder, 'search'), join(outside, 'search'))
  await symlink(join(outside, 'search'), join(folder, 'search'))
  await t.rejects(verifiedFile(lake, made, index!), { message: /through a link/ })
})

t.test(
  'a manifest that is missing, changed, or of another version or place is refused with the reason',
  async t => {
    const lake = await newLake(t)
    const made = await build(lake, two)
    const path = inLake(lake, 'snapshots', made.id, 'manifest.json')
    const text = await readFile(path, 'utf8')
    const refuses = async (content: string, message: RegExp) => {
      await writeFile(path, content)
      await t.rejects(currentManifest(lake), { code: 'DATA_DAMAGED', message })
      t.match(await listSnapshots(lake), [{ id: made.id, current: true, problem: message }])
    }
    await refuses(sealed({ ...made, schema: 2 }), /schema 2, this version reads 1: upgrade/)
    await refuses(sealed({ ...made, schema: 0 }), /"tranche build" again/)
    await refuses(text.replace('"rows": 2', '"rows": 3'), /seal does not match/)
    await refuses(text.slice(0, 100), /not valid JSON/)
    await refuses('', /not valid JSON/)
    await refuses('null', /schema/)
    await refuses(sealed({ ...made, id: '20200101T000000Z-00000000' }), /manifest of 2020/)
    for (const file of ['../../../secret', '/etc/passwd', 'a/../../b'])
      await refuses(sealed({ ...made, files: [{ ...made.files[0], file }] }), /outside the snapshot/)
    await rm(path)
    await t.rejects(currentManifest(lake), { code: 'DATA_DAMAGED', message: /is missing/ })
    await rm(inLake(lake, 'snapshots', made.id), { recursive: true })
    await t.rejects(currentManifest(lake), { code: 'DATA_DAMAGED', message: /CURRENT.*does not exist/ })
    await t.rejects(readManifest(lake, '20200101T000000Z-00000000'), { code: 'NOT_FOUND' })
    await t.rejects(readManifest(lake, '../../etc'), { code: 'NOT_FOUND' })
    await writeFile(inLake(lake, 'CURRENT'), '../../etc\n')
    await t.rejects(readCurrent(lake), { code: 'DATA_DAMAGED', message: /CURRENT/ })
  },
)

t.test(
  'a build killed at any step leaves the old snapshot or the new one, and the next cleans up',
  async t => {
    const lake = await newLake(t)
    for (const point of [
      'publish:filled',
      'publish:before-rename',
      'publish:before-current',
      'publish:after-current',
    ]) {
      const old = (await build(lake, two)).id
      const ended = await child('write-lake', [lake.root, 'build'], { TRANCHE_FAULT: `${point}:1` }).ended
      t.equal(ended.signal, 'SIGKILL', point)
      const current = await currentManifest(lake)
      if (point === 'publish:after-current') t.not(current.id, old, 'the new one is in force')
      else t.equal(current.id, old, `${point} leaves the old one in force`)
      t.strictSame((await verifySnapshot(lake, current.id)).problems, [])
    }
    await build(lake, two)
    t.notOk((await readdir(inLake(lake, 'snapshots'))).some(name => name.startsWith('.')))
    for (const { problem } of await listSnapshots(lake)) t.equal(problem, null)
  },
)

t.test('a full disk at any step of a build is one clear error', async t => {
  const lake = await newLake(t)
  const old = (await build(lake, two)).id
  for (const point of ['publish:filled', 'publish:before-rename']) {
    const { lines, code } = await child('write-lake', [lake.root, 'build'], {
      TRANCHE_FAULT: `${point}:1:ENOSPC`,
    }).ended
    t.equal(code, 5)
    t.match(lines[0], /^STORAGE_FAILED the disk is full/)
    t.equal(await readCurrent(lake), old)
    t.strictSame(await namesIn(lake, 'snapshots'), [old])
  }
})

t.test('interrupted pruning leaves complete snapshots', async t => {
  const lake = await newLake(t)
  for (let i = 0; i < 3; i++) await build(lake, two)
  const { signal } = await child('write-lake', [lake.root, 'prune'], { TRANCHE_FAULT: 'prune:renamed:1' })
    .ended
  t.equal(signal, 'SIGKILL')
  for (const { id } of await listSnapshots(lake)) t.strictSame((await verifySnapshot(lake, id)).problems, [])
  await build(lake, two)
  t.notOk((await namesIn(lake, 'snapshots')).some(name => name.startsWith('.')))
})
