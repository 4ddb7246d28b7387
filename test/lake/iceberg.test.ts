import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { QueryError } from '../../engine/base/errors.ts'
import { keepTables, writeIceberg } from '../../engine/lake/iceberg/keep-tables.ts'
import { snapshotNumber } from '../../engine/lake/iceberg/table-metadata.ts'
import { fieldsOf } from '../../engine/lake/iceberg/table-schema.ts'
import { inLake, namesIn } from '../../engine/lake/lake.ts'
import { prune, readManifest } from '../../engine/lake/snapshot.ts'
import { useSnapshot } from '../../engine/lake/use-snapshot.ts'
import { sqlType } from '../../engine/schema/column.ts'
import { tables } from '../../engine/schema/resources/tables.ts'
import { bondsSql, dataFile, historyOf, newLake, pathOf, published, snapshotOf } from './iceberg-lake.ts'

const bonds = { bonds: bondsSql }

t.test("a snapshot's own files are Iceberg tables, with ids, units, order and bounds", async t => {
  const lake = await newLake(t)
  const { id } = await snapshotOf(lake, 1, bonds)
  const [table, ...others] = await writeIceberg(lake)
  const location = `file://${lake.root}`
  t.strictSame(others, [])
  t.strictSame(table, {
    table: 'bonds',
    rows: 3,
    snapshots: 1,
    metadata: `${location}/iceberg/bonds/metadata/v1.metadata.json`,
  })
  const metadata = published(lake.root)
  const number = snapshotNumber(id)
  t.match(metadata, {
    'format-version': 2,
    'table-uuid': /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    location: `${location}/iceberg/bonds`,
    'last-sequence-number': 1,
    'last-column-id': 11,
    'current-snapshot-id': number,
    'snapshot-log': [{ 'timestamp-ms': Date.UTC(2026, 0, 1), 'snapshot-id': number }],
    refs: { main: { 'snapshot-id': number, type: 'branch' }, [id]: { 'snapshot-id': number, type: 'tag' } },
    properties: { 'gc.enabled': 'false', 'tranche.key': 'id' },
  })
  t.ok(Number.isSafeInteger(number))
  t.match(metadata.schemas[0]!.fields.slice(2, 9), [
    { id: 3, name: 'coupon_rate', required: false, type: 'double', doc: 'Coupon a year. Unit: percent.' },
    { id: 4, name: 'maturity_date', type: 'date' },
    { id: 5, name: 'is_active', type: 'boolean' },
    { id: 6, name: 'outstanding', type: 'long', doc: /Unit: cents\.$/ },
    { id: 7, name: 'price_factor', type: 'decimal(9, 4)' },
    { id: 8, name: 'collateral.assets', type: { type: 'list', 'element-id': 9, element: 'string' } },
    { id: 10, name: 'pricing.ytm' },
  ])
  const mapping = JSON.parse(metadata.properties['schema.name-mapping.default']!)
  t.strictSame(mapping[7], {
    'field-id': 8,
    names: ['collateral.assets'],
    fields: [{ 'field-id': 9, names: ['element'] }],
  })
  t.strictSame(
    metadata['sort-orders'].find(order => order['order-id'] === metadata['default-sort-order-id'])?.fields,
    [1, 4].map(source => ({
      transform: 'identity',
      'source-id': source,
      direction: 'asc',
      'null-order': 'nulls-last',
    })),
    'as far as the file has the columns of the order',
  )
  const { list, manifest, file } = await dataFile(metadata)
  t.match(list.metadata, { 'format-version': '2', 'snapshot-id': String(number), 'sequence-number': '1' })
  t.match(list.rows[0], { content: 0, added_files_count: 1, added_rows_count: 3, sequence_number: 1 })
  t.equal(list.rows[0].manifest_length, (await readFile(pathOf(list.rows[0].manifest_path))).length)
  t.equal(manifest.metadata['schema'], JSON.stringify(metadata.schemas[0]))
  t.strictSame(
    manifest.schema.fields.map(field => [field.name, field['field-id']]),
    [
      ['status', 0],
      ['snapshot_id', 1],
      ['sequence_number', 3],
      ['file_sequence_number', 4],
      ['data_file', 2],
    ],
    'readers find the fields by their ids',
  )
  const stored = (await readManifest(lake, id)).tables[0]!
  t.match(file, {
    file_path: `${location}/snapshots/${id}/bonds.parquet`,
    record_count: 3,
    file_size_in_bytes: stored.bytes,
    split_offsets: [4],
  })
  const of = (pairs: readonly { key: number; value: unknown }[]) =>
    Object.fromEntries(pairs.map(({ key, value }) => [key, value]))
  const [nulls, lower, upper] = [of(file.null_value_counts), of(file.lower_bounds), of(file.upper_bounds)]
  t.match(nulls, { 1: 0, 4: 1, 5: 1, 6: 1, 10: 1, 11: 1 })
  t.notOk(8 in nulls, 'lists have no counts')
  const long = (value: unknown) => (value as Buffer).readBigInt64LE()
  t.strictSame([long(lower[6]), long(upper[6])], [125000000000n, 9007199254740993n], 'cents keep every digit')
  const day = (value: unknown) => (value as Buffer).readInt32LE() * 86_400_000
  t.strictSame([day(lower[4]), day(upper[4])], [Date.UTC(2029, 5, 15), Date.UTC(2031, 0, 1)])
  t.strictSame([String(lower[1]), String(upper[1])], ['AMBRA', 'ZRNYN'])
  t.strictSame(
    [String(lower[11]), String(upper[11])],
    ['Ambrarrow Bancor', '𝔷ornyne'],
    'texts by their first characters',
  )
  t.strictSame([lower[5], upper[5]], [Buffer.of(0), Buffer.of(1)])
})

t.test('every column that a table declares has a type in Iceberg', async t => {
  for (const { table, columns } of tables) {
    const stored = Object.entries(columns).map(([name, column]) => ({ name, type: sqlType(column) }))
    const { fields } = fieldsOf(stored, columns, [], 0)
    t.equal(fields.length, stored.length, table)
    for (const { name, doc } of fields) t.ok(doc, `${table}.${name}`)
  }
  t.throws(
    () => fieldsOf([{ name: 'a', type: 'MAP(VARCHAR, VARCHAR)' }], {}, [], 0),
    /no Iceberg type for MAP/,
  )
})

t.test('the history is what was current: it grows with builds, and forgets what is pruned', async t => {
  const lake = await newLake(t)
  const before = await snapshotOf(lake, 1, bonds)
  const first = await snapshotOf(lake, 2, bonds)
  const heldUp = new QueryError('GATE_FAILED', 'a gate held it up')
  await t.rejects(snapshotOf(lake, 3, bonds, async () => heldUp))
  await writeIceberg(lake)
  t.strictSame(
    historyOf(published(lake.root)),
    [before.id, first.id],
    'and not the one that the gate held up',
  )
  await writeIceberg(lake)
  t.equal(published(lake.root).version, 1, 'nothing has changed')

  await t.rejects(snapshotOf(lake, 4, bonds, async () => heldUp))
  const second = await snapshotOf(lake, 5, bonds, undefined, () => keepTables(lake).then(() => {}))
  const metadata = published(lake.root)
  t.strictSame(historyOf(metadata), [before.id, first.id, second.id])
  t.match(metadata, {
    version: 2,
    'last-sequence-number': 3,
    'current-snapshot-id': snapshotNumber(second.id),
  })
  t.match(metadata.snapshots[2], {
    'parent-snapshot-id': snapshotNumber(first.id),
    'sequence-number': 3,
    summary: { operation: 'overwrite', 'tranche.as-of': '2026-01-02' },
  })
  t.match(metadata['metadata-log'], [{ 'metadata-file': /\/iceberg\/bonds\/metadata\/v1\.metadata\.json$/ }])

  // Rolled back.
  await useSnapshot(lake, first.id, undefined as never, () => keepTables(lake))
  const back = published(lake.root)
  t.equal(back['current-snapshot-id'], snapshotNumber(first.id))
  t.strictSame(historyOf(back), [before.id, first.id, second.id])
  const log = back['snapshot-log'].map(one => one['snapshot-id'])
  t.strictSame(log, [before.id, first.id, second.id, first.id].map(snapshotNumber))
  const times = back['snapshot-log'].map(one => one['timestamp-ms'])
  t.strictSame(times, times.toSorted(), 'the log is in order of time')

  const gone = await prune(lake, 1, doomed => keepTables(lake, doomed))
  t.ok(gone.includes(second.id) || gone.includes(before.id))
  const left = published(lake.root)
  const kept = historyOf(left) as string[]
  t.strictSame(
    kept,
    kept.filter(id => existsSync(inLake(lake, 'snapshots', id))),
    'every snapshot has its files',
  )
  t.strictSame(
    new Set(left['snapshot-log'].map(one => one['snapshot-id'])),
    new Set(kept.map(snapshotNumber)),
  )
  const files = await namesIn(lake, 'iceberg', 'bonds', 'metadata')
  t.equal(
    files.filter(name => name.endsWith('.avro')).length,
    2 * kept.length,
    'no manifest of another stays',
  )
})

t.test('a metadata file stays while its snapshot does, because catalogs name it', async t => {
  const lake = await newLake(t)
  const first = await snapshotOf(lake, 1, bonds)
  await writeIceberg(lake)
  const keep = () => keepTables(lake).then(() => {})
  for (const day of [2, 3]) await snapshotOf(lake, day, bonds, undefined, keep)
  const names = async () =>
    (await namesIn(lake, 'iceberg', 'bonds', 'metadata')).filter(name => name.endsWith('.json'))
  t.strictSame(await names(), ['v1.metadata.json', 'v2.metadata.json', 'v3.metadata.json'])
  t.strictSame(
    historyOf(JSON.parse(await readFile(inLake(lake, 'iceberg/bonds/metadata/v1.metadata.json'), 'utf8'))),
    [first.id],
  )
  await prune(lake, 2, doomed => keepTables(lake, doomed))
  t.strictSame(await names(), ['v2.metadata.json', 'v3.metadata.json', 'v4.metadata.json'])
})

t.test('columns keep their ids when others come and go; a changed type begins a new history', async t => {
  const lake = await newLake(t)
  const keep = () => keepTables(lake).then(() => {})
  const first = await snapshotOf(lake, 1, {
    ratings: "SELECT 'F' AS ticker, 7::INTEGER AS rank, 'BB' AS rating",
  })
  await writeIceberg(lake)
  const second = await snapshotOf(
    lake,
    2,
    { ratings: "SELECT ['x'] AS tags, 'BB' AS rating, 'F' AS ticker, 7::BIGINT AS rank" },
    undefined,
    keep,
  )
  const wider = published(lake.root, 'ratings')
  t.match(wider.schemas, [
    {
      'schema-id': 0,
      fields: [
        { id: 1, name: 'ticker' },
        { id: 2, type: 'int' },
        { id: 3, name: 'rating' },
      ],
    },
    {
      'schema-id': 1,
      fields: [
        { id: 4, name: 'tags', type: { 'element-id': 5 } },
        { id: 3 },
        { id: 1 },
        { id: 2, type: 'long' },
      ],
    },
  ])
  t.strictSame(
    wider.snapshots.map(one => one['schema-id']),
    [0, 1],
  )
  t.strictSame(historyOf(wider), [first.id, second.id])

  const third = await snapshotOf(
    lake,
    3,
    { ratings: 'SELECT 7 AS rating, 1.5::DOUBLE AS fresh' },
    undefined,
    keep,
  )
  const changed = published(lake.root, 'ratings')
  t.strictSame(historyOf(changed), [third.id], 'the texts cannot be read as numbers')
  t.match(changed.schemas.at(-1)?.fields, [
    { id: 6, name: 'rating', type: 'int' },
    { id: 7, name: 'fresh' },
  ])
  t.equal(changed['last-column-id'], 7)
})

t.test('a table that the current snapshot does not have is removed', async t => {
  const lake = await newLake(t)
  await snapshotOf(lake, 1, { ...bonds, ratings: "SELECT 'F' AS ticker", no_resource: 'SELECT 1 AS a' })
  t.strictSame(
    (await writeIceberg(lake)).map(({ table }) => table),
    ['bonds', 'ratings'],
    'public tables only',
  )
  await snapshotOf(lake, 2, bonds, undefined, () => keepTables(lake).then(() => {}))
  t.strictSame(await namesIn(lake, 'iceberg'), ['bonds', 'settings.json'])
})

t.test('a lake without Iceberg tables gets none by a build, and one without a snapshot says so', async t => {
  const lake = await newLake(t)
  await t.rejects(writeIceberg(lake), { code: 'NOT_READY', message: /tranche build/ })
  await snapshotOf(lake, 1, bonds)
  t.strictSame(await keepTables(lake), [])
  t.notOk(existsSync(inLake(lake, 'iceberg')))
})
