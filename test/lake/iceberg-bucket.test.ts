import { join } from 'node:path'
import t from 'tap'
import { literal } from '../../engine/database/database.ts'
import { snapshotNumber } from '../../engine/lake/iceberg/table-metadata.ts'
import { ensureLake } from '../../engine/lake/lake.ts'
import { prune } from '../../engine/lake/snapshot.ts'
import { pushSnapshot } from '../../engine/lake/store/transfer.ts'
import { noGateway, startBucket } from './bucket.ts'
import { bondsSql, snapshotOf } from './iceberg-lake.ts'
import { differing, icebergDuckdb, noBucketReaders, readWithPyiceberg } from './read-iceberg.ts'

const STORE = 's3://desk/lake'

t.test('other engines read the tables of a bucket', { skip: noGateway || noBucketReaders }, async t => {
  const { root, settings } = await startBucket(t)
  const lake = await ensureLake(join(root, 'lake'))
  const endpoint = new URL(settings.AWS_ENDPOINT_URL_S3)
  const duckdb = await icebergDuckdb(
    t,
    `CREATE SECRET (TYPE s3, KEY_ID ${literal(settings.AWS_ACCESS_KEY_ID)}, SECRET ${literal(settings.AWS_SECRET_ACCESS_KEY)},
      REGION ${literal(settings.AWS_REGION)}, ENDPOINT ${literal(endpoint.host)}, URL_STYLE 'path', USE_SSL false)`,
  )
  const properties = {
    's3.endpoint': endpoint.origin,
    's3.access-key-id': settings.AWS_ACCESS_KEY_ID,
    's3.secret-access-key': settings.AWS_SECRET_ACCESS_KEY,
    's3.region': settings.AWS_REGION,
  }
  const own = (day: number) => `SELECT ${day} AS day, * FROM (${bondsSql})`
  const publishDay = async (day: number) => {
    const { id } = await snapshotOf(lake, day, {
      bonds: own(day),
      ratings: `SELECT 'BB' AS rating, ${day} AS day`,
    })
    await pushSnapshot(lake.root, STORE, { iceberg: true })
    return snapshotNumber(id)
  }
  const bonds = `${STORE}/iceberg/bonds`
  const reads = async (snapshot: number | null, day: number) => {
    const to = join(root, `bonds-${snapshot}-${day}.parquet`)
    const [told] = readWithPyiceberg([{ table: bonds, snapshot, to, properties }])
    t.strictSame(
      await duckdb(differing(own(day), `SELECT * FROM read_parquet(${literal(to)})`)),
      [[0]],
      `pyiceberg, day ${day}`,
    )
    const at = snapshot === null ? '' : `, snapshot_from_id => ${snapshot}`
    t.strictSame(
      await duckdb(differing(own(day), `SELECT * FROM iceberg_scan(${literal(bonds)}${at})`)),
      [[0]],
      `DuckDB, day ${day}`,
    )
    return told!
  }

  const first = await publishDay(1)
  await reads(null, 1)
  const second = await publishDay(2)
  await reads(null, 2)
  await reads(first, 1)

  // What the lake lets go, the store keeps.
  const [gone] = await prune(lake, 1)
  await t.rejects(pushSnapshot(lake.root, STORE, { snapshot: gone! }), { code: 'NOT_FOUND' })
  const third = await publishDay(3)
  const told = await reads(null, 3)
  t.strictSame(told.snapshots, [first, second, third])
  await reads(first, 1)
  await reads(second, 2)
  t.strictSame(await duckdb(`SELECT count(*)::INTEGER FROM iceberg_snapshots(${literal(bonds)})`), [[3]])
})
