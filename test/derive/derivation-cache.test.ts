import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { DerivationCache } from '../../engine/derive/cache/derivation-cache.ts'
import { LakeCache, trimCache } from '../../engine/lake/derivation-cache.ts'
import { ensureLake, type Lake } from '../../engine/lake/lake.ts'
import { testFolder } from '../folder.ts'
import { derived, type Row, year } from './reports.ts'

const emptyLake = (t: Test): Promise<Lake> => ensureLake(testFolder(t))

/** A cache that counts the companies found and stored. */
function counted(cache: LakeCache): DerivationCache & { found: number; stored: number } {
  const counts = {
    found: 0,
    stored: 0,
    async find(step: string, keys: Iterable<string>) {
      const parts = await cache.find(step, keys)
      counts.found += parts.reduce((sum, part) => sum + part.keys.length, 0)
      return parts
    },
    keep(...args: Parameters<LakeCache['keep']>) {
      counts.stored += args[1].length
      return cache.keep(...args)
    },
  }
  return counts
}

/** The rows of a company, and whether they were derived or found in the cache of the lake by a new process. */
async function derive(t: Test, lake: Lake, facts: Row[], company = {}) {
  const cache = counted(new LakeCache(lake))
  const { rows } = await derived(t, { facts, company, cache })
  const { found, stored } = cache
  return {
    rows: await rows(),
    how: found === 1 && stored === 0 ? 'found' : stored === 1 ? 'derived' : 'neither',
  }
}

const partsIn = async (lake: Lake): Promise<string[]> => {
  const [code] = await readdir(join(lake.root, 'cache'))
  const folder = join(lake.root, 'cache', code!, 'statements')
  return (await readdir(folder)).map(name => join(folder, name))
}

t.test('a company is derived again only if something it is derived from differs', async t => {
  const lake = await emptyLake(t)
  const filed = year(2022)
  const first = await derive(t, lake, filed)
  t.equal(first.how, 'derived')
  t.ok(first.rows.length > 3)
  t.strictSame(first.rows, await derived(t, { facts: filed }).then(({ rows }) => rows()))
  t.strictSame(await derive(t, lake, filed), { rows: first.rows, how: 'found' })

  const later = await derive(t, lake, [...filed, ...year(2023)])
  t.equal(later.how, 'derived')
  t.ok(later.rows.length > first.rows.length)
  t.equal((await derive(t, lake, filed, { sic: '6021' })).how, 'derived', 'a bank has other statements')
  const [fact, ...others] = filed
  const corrected = await derive(t, lake, [{ ...fact!, value: Number(fact!['value']) * 2 }, ...others])
  t.equal(corrected.how, 'derived')
  t.notSame(corrected.rows, first.rows)
  t.strictSame(await derive(t, lake, filed), { rows: first.rows, how: 'found' })
  t.equal((await partsIn(lake)).length, 4)
})

t.test('rows of a damaged or deleted part are derived again', async t => {
  const lake = await emptyLake(t)
  const filed = year(2022)
  const { rows } = await derive(t, lake, filed)
  for (const damage of [
    (part: string) => writeFile(join(part, 'statement_rows.parquet'), 'damaged'),
    (part: string) => writeFile(join(part, 'part.json'), '{}'),
    (part: string) => rm(join(part, 'statements_left.parquet')),
    () => rm(join(lake.root, 'cache'), { recursive: true }),
  ]) {
    const [part] = await partsIn(lake)
    await damage(part!)
    t.strictSame(await derive(t, lake, filed), { rows, how: 'derived' })
    t.strictSame(await derive(t, lake, filed), { rows, how: 'found' })
    t.equal((await partsIn(lake)).length, 1)
  }
})

t.test('a part that two processes stored is used once', async t => {
  const lake = await emptyLake(t)
  const filed = year(2022)
  const { rows } = await derive(t, lake, filed)
  const [part] = await partsIn(lake)
  const twin = join(part!, '..', 'twin')
  await mkdir(twin)
  for (const name of await readdir(part!))
    await writeFile(join(twin, name), await readFile(join(part!, name)))
  t.strictSame(await derive(t, lake, filed), { rows, how: 'found' })
})

t.test('a cache that cannot be written does not prevent an answer', async t => {
  const lake = await emptyLake(t)
  await writeFile(join(lake.root, 'cache'), '')
  const { rows, how } = await derive(t, lake, year(2022))
  t.equal(how, 'derived')
  t.ok(rows.length > 3)
})

t.test('the parts unused for longest are removed when they take too much', async t => {
  const lake = await emptyLake(t)
  await derive(t, lake, year(2022))
  await derive(t, lake, year(2023))
  const [one, other] = await partsIn(lake)
  const hours = (n: number) => new Date(Date.now() - n * 3_600_000)
  await utimes(one!, hours(3), hours(3))
  await utimes(other!, hours(2), hours(2))
  await trimCache(lake)
  t.equal((await partsIn(lake)).length, 2)
  await trimCache(lake, 1)
  t.strictSame(await partsIn(lake), [])
  await derive(t, lake, year(2022))
  await trimCache(lake, 1)
  t.equal((await partsIn(lake)).length, 1, 'a part in use stays')
})

t.test('what a long build has found stays until it ends', async t => {
  const lake = await emptyLake(t)
  await derive(t, lake, year(2022))
  const [part] = await partsIn(lake)
  const [key] = (JSON.parse(await readFile(join(part!, 'part.json'), 'utf8')) as { keys: string[] }).keys
  const longAgo = new Date(Date.now() - 3 * 3_600_000)

  for (const hold of [true, false]) {
    const cache = new LakeCache(lake, { hold })
    t.equal((await cache.find('statements', [key!])).length, 1)
    await utimes(part!, longAgo, longAgo)
    await cache.stillUsed()
    await trimCache(lake, 1)
    t.equal((await partsIn(lake)).length, hold ? 1 : 0)
    cache.close()
  }
})
