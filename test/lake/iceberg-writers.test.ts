import { existsSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import t from 'tap'
import type { QueryError } from '../../engine/base/errors.ts'
import { keepTables, writeIceberg } from '../../engine/lake/iceberg/keep-tables.ts'
import { snapshotNumber } from '../../engine/lake/iceberg/table-metadata.ts'
import { lakePlace } from '../../engine/lake/iceberg/table-place.ts'
import { writeTables } from '../../engine/lake/iceberg/write-tables.ts'
import { inLake, namesIn, openLake } from '../../engine/lake/lake.ts'
import { type Manifest, prune, readCurrent, readManifest } from '../../engine/lake/snapshot.ts'
import { openStore } from '../../engine/lake/store/open-store.ts'
import { pushTables } from '../../engine/lake/store/store-tables.ts'
import { pullSnapshot, pushSnapshot } from '../../engine/lake/store/transfer.ts'
import { tables } from '../../engine/schema/resources/tables.ts'
import { build } from '../../engine/snapshot/build.ts'
import { tranche } from '../cli/run-cli.ts'
import { makeLake, twoIssuers } from '../make-lake.ts'
import { bondsSql, dataFile, historyOf, newLake, pathOf, published, snapshotOf } from './iceberg-lake.ts'

// It builds a lake three times, which takes a busy machine a minute.
t.setTimeout(900_000)

const bonds = { bonds: bondsSql }

t.test('a build writes tables when it is asked to, and those after it keep them', async t => {
  const lake = await makeLake(t.teardown, twoIssuers)
  await t.rejects(build(lake, { icebergLocation: 'desk' }), {
    code: 'INVALID_PARAMETER',
    message: /absolute path/,
  })
  t.equal(await readCurrent(lake), null, 'before anything is derived')
  const plain = await build(lake)
  t.notOk(existsSync(inLake(lake, 'iceberg')))
  const steps: string[] = []
  const asked = await build(lake, { iceberg: true }, step => steps.push(step))
  t.equal(steps.at(-1), 'writing Iceberg tables')
  const sums = ({ tables }: Manifest) => tables.map(({ file, sha256 }) => [file, sha256])
  t.strictSame(sums(asked), sums(plain), 'the snapshot is the same')
  const last = await build(lake)
  for (const { table } of tables)
    t.strictSame(historyOf(published(lake.root, table)), [plain.id, asked.id, last.id], table)

  const { code, out } = await tranche([
    'iceberg',
    '--location',
    's3://desk/lake',
    '--format',
    'csv',
    '--lake',
    lake.root,
  ])
  t.equal(code, 0)
  const [head, ...lines] = out.trimEnd().split('\r\n')
  t.equal(head, 'table,rows,snapshots,metadata')
  t.equal(lines.length, tables.length)
  t.match(lines[2], /^bonds,\d+,3,s3:\/\/desk\/lake\/iceberg\/bonds\/metadata\/v3\.metadata\.json$/)
  const pruned = await tranche(['snapshots', 'prune', '--keep', '1', '--lake', lake.root])
  t.equal(pruned.code, 0)
  t.strictSame(historyOf(published(lake.root)), [last.id])
})

t.test('after a lake has moved, its tables are written for the new place', async t => {
  const lake = await newLake(t)
  const { id } = await snapshotOf(lake, 1, bonds)
  const { id: current } = await snapshotOf(lake, 2, bonds)
  await writeIceberg(lake)
  const before = published(lake.root)
  const to = join(dirname(lake.root), 'a desk')
  await rename(lake.root, to)
  const moved = await openLake(to)
  await writeIceberg(moved)
  const after = published(to)
  t.equal(after.location, `file://${moved.root}/iceberg/bonds`)
  t.strictSame(historyOf(after), [id, current])
  t.equal(after['table-uuid'], before['table-uuid'])
  t.strictSame(after.schemas, before.schemas)
  const { file } = await dataFile(after)
  t.equal(file.file_path, `file://${moved.root}/snapshots/${current}/bonds.parquet`)
  t.strictSame(
    await namesIn(moved, 'iceberg', 'bonds', 'metadata').then(all => all.length),
    6,
    'and nothing else is left',
  )

  await writeIceberg(moved, { location: 's3://desk/lake/' })
  t.equal(published(to).location, 's3://desk/lake/iceberg/bonds')
  await keepTables(moved)
  t.equal(published(to).location, 's3://desk/lake/iceberg/bonds', 'builds keep the place that was given')
  await t.rejects(writeIceberg(moved, { location: 'desk' }), {
    code: 'INVALID_PARAMETER',
    message: /absolute path/,
  })
})

t.test('a writer that ends between any two files leaves the old table or the new one', async t => {
  const lake = await newLake(t)
  const first = await snapshotOf(lake, 1, bonds)
  await writeIceberg(lake)
  const second = await snapshotOf(lake, 2, bonds)
  const manifests: Manifest[] = [await readManifest(lake, first.id), await readManifest(lake, second.id)]
  const write = (place = lakePlace(lake)) =>
    writeTables({
      lake,
      place,
      location: `file://${lake.root}`,
      manifests,
      exists: () => true,
      current: second.id,
      now: new Date(),
    })
  for (let most = 0; ; most++) {
    let writes = 0
    const place = lakePlace(lake)
    const ending =
      <A extends unknown[], R>(work: (...args: A) => Promise<R>) =>
      (...args: A) => {
        if (writes++ === most) throw new Error('killed')
        return work(...args)
      }
    const isWhole = await write({ ...place, put: ending(place.put), swap: ending(place.swap) }).then(
      () => true,
      () => false,
    )
    const found = published(lake.root)
    const { file } = await dataFile(found)
    t.ok(existsSync(pathOf(file.file_path)), `after ${most} files`)
    t.equal(found['current-snapshot-id'], snapshotNumber(most < 4 ? first.id : second.id))
    if (isWhole) break
  }
  t.strictSame(historyOf(published(lake.root)), [first.id, second.id])
})

t.test('metadata that is damaged or was deleted is written anew', async t => {
  const lake = await newLake(t)
  const { id } = await snapshotOf(lake, 1, bonds)
  await writeIceberg(lake)
  await writeFile(inLake(lake, 'iceberg/bonds/metadata/v1.metadata.json'), '{"format-vers')
  await writeIceberg(lake)
  t.match(published(lake.root), { version: 2, snapshots: [{ summary: { 'tranche.snapshot': id } }] })
  await rm(inLake(lake, 'iceberg', 'bonds'), { recursive: true })
  await writeIceberg(lake)
  t.equal(published(lake.root).version, 1)
})

t.test('a store has tables of what was pushed; of two writers at once one publishes', async t => {
  const lake = await newLake(t)
  const first = await snapshotOf(lake, 1, bonds)
  const url = pathToFileURL(join(dirname(lake.root), 'store')).href
  t.match(await pushSnapshot(lake.root, url), { snapshot: first.id, iceberg_tables: undefined })
  t.match(await pushSnapshot(lake.root, url, { iceberg: true }), { sent: 0, iceberg_tables: 1 })
  const root = fileURLToPath(url)
  t.equal(published(root).location, `${url}/iceberg/bonds`)
  const { file } = await dataFile(published(root))
  t.ok(existsSync(fileURLToPath(file.file_path)))

  const second = await snapshotOf(lake, 2, bonds)
  await prune(lake, 1)
  await pushSnapshot(lake.root, url, { iceberg: true })
  t.strictSame(historyOf(published(root)), [first.id, second.id], 'the store still has the first')

  const third = await snapshotOf(lake, 3, bonds)
  await pushSnapshot(lake.root, url)
  const store = await openStore(url)
  t.teardown(() => store.close())
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => pushTables(lake, third.id, store)))
  const codes = outcomes.map(one =>
    one.status === 'fulfilled' ? 'published' : (one.reason as QueryError).code,
  )
  t.ok(codes.includes('published'), codes.join())
  t.strictSame(
    codes.filter(code => code !== 'published' && code !== 'OVERLOADED'),
    [],
  )
  t.match(published(root), { version: 3, snapshots: { length: 3 } })

  await pushSnapshot(lake.root, url, { icebergLocation: 's3://desk/lake' })
  t.equal(published(root).location, 's3://desk/lake/iceberg/bonds')
  await t.rejects(pushSnapshot(lake.root, url, { icebergLocation: 'desk' }), { code: 'INVALID_PARAMETER' })
})

t.test('the tables of a copy follow what is pulled', async t => {
  const lake = await newLake(t)
  const url = pathToFileURL(join(dirname(lake.root), 'store')).href
  await snapshotOf(lake, 1, bonds)
  await pushSnapshot(lake.root, url)
  const folder = join(dirname(lake.root), 'copy')
  await pullSnapshot(url, folder)
  const copy = await openLake(folder)
  t.notOk(existsSync(inLake(copy, 'iceberg')))
  await writeIceberg(copy)
  const second = await snapshotOf(lake, 2, bonds)
  await pushSnapshot(lake.root, url)
  const { bytes } = second.tables[0]!
  await pullSnapshot(url, folder, { most: bytes * 1.5 })
  t.equal(await readCurrent(copy), second.id)
  t.equal(published(copy.root)['current-snapshot-id'], snapshotNumber(second.id))
})
