import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { Database, literal } from '../../engine/database/database.ts'
import { inLake, type Lake } from '../../engine/lake/lake.ts'
import { currentManifest, type Manifest, prune, publish } from '../../engine/lake/snapshot.ts'
import { builtLake } from '../built-lake.ts'
import { twoIssuers } from '../make-lake.ts'
import { serving, stateOf, until } from './serving.ts'
import { ask } from './start.ts'

const swaps = Number(process.env['TRANCHE_SWAPS'] ?? 30)

/** Tables that name the company, with the column that does. */
const naming: Readonly<Record<string, string>> = { companies: 'name', bonds: 'company_name' }

const questions = {
  '/v1/companies?ticker=ALFA&fields=name': 'name',
  '/v1/bonds?ticker=ALFA&fields=company_name': 'company_name',
  '/v1/bonds?ticker=ALFA&fields=company_name&limit=1&offset=1': 'company_name',
} as const

/** Publishes a snapshot like another, with only those tables, in which each company has a new name. */
async function rename(lake: Lake, database: Database, like: Manifest, name: string): Promise<Manifest> {
  const { as_of, options, layout, inputs } = like
  const tables = like.tables.filter(table => naming[table.name])
  return publish(lake, async folder => {
    for (const { name: table, file } of tables)
      await database.run(
        `COPY (SELECT * REPLACE (${literal(name)} AS ${naming[table]})
               FROM read_parquet(${literal(inLake(lake, 'snapshots', like.id, file))}))
         TO ${literal(join(folder, file))} (FORMAT parquet)`,
      )
    return { as_of, options, layout, inputs, tables: tables.map(({ name, file }) => ({ name, file })) }
  })
}

const threadsOf = async (pid: number): Promise<number> =>
  Number(/^Threads:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))![1])

/** Of a client between two requests: 500 to 1,000 a second come together. */
const PAUSE_MS = 5

interface Seen {
  readonly path: keyof typeof questions
  readonly status: number
  readonly tag: string
  readonly snapshot: string
  readonly names: readonly string[]
}

t.test(`${swaps} snapshots replace each other under load without a failed or mixed answer`, async t => {
  const lake = await builtLake(t.teardown, twoIssuers)
  const first = await currentManifest(lake)
  const state = await stateOf(t, lake.root)
  const keys = await Promise.all(
    Array.from({ length: 1000 }, () => state.createKey({ email: 'ana@example.com', tier: 'business' })),
  )
  const server = await serving(t, ['--lake', lake.root])
  const database = await Database.create({ threads: 1 })
  t.teardown(() => database.close())

  const seen: Seen[] = []
  const failed: string[] = []
  let swapping = true
  let asked = 0
  const paths = Object.keys(questions) as (keyof typeof questions)[]
  const clients = Array.from({ length: 6 }, async () => {
    while (swapping) {
      const number = asked++
      const path = paths[number % paths.length]!
      const { status, headers, body } = await ask(server.url, path, { key: keys[number % keys.length]!.key })
      if (status !== 200) failed.push(`${status} ${JSON.stringify(body)}`)
      else {
        const names = body.data.map((row: Record<string, string>) => row[questions[path]])
        seen.push({ path, status, tag: headers.etag!, snapshot: body.meta.snapshot, names })
      }
      // A saturated processor would keep each new snapshot waiting until the server stops reading it into memory.
      await setTimeout(PAUSE_MS)
    }
  })
  await until(() => failed.length > 0 || seen.length > 20)
  const [worker] = server.workers()
  const threads = await threadsOf(worker!)

  const named = new Map([[first.id, twoIssuers['companies']![0]!['name'] as string]])
  for (let i = 1, made = first; i <= swaps; i++) {
    made = await rename(lake, database, made, `Alfa ${i}`)
    named.set(made.id, `Alfa ${i}`)
    await until(() => failed.length > 0 || seen.at(-1)?.snapshot === made.id)
    if (i % 10 === 0) await prune(lake, 5)
  }
  swapping = false
  await Promise.all(clients)

  t.strictSame(failed, [])
  t.equal(new Set(seen.map(({ snapshot }) => snapshot)).size, swaps + 1, 'every snapshot answered')
  const mixed = seen.filter(({ snapshot, names }) => names.some(name => name !== named.get(snapshot)))
  t.strictSame(mixed, [], 'what is answered is of the snapshot that is named')
  const tags = new Map(seen.map(({ path, tag, snapshot }) => [`${path} ${tag}`, snapshot]))
  t.ok(
    seen.every(({ path, tag, snapshot }) => tags.get(`${path} ${tag}`) === snapshot),
    'a tag belongs to one snapshot',
  )
  t.equal(tags.size, new Set(seen.map(({ path, snapshot }) => `${path} ${snapshot}`)).size)
  // Each open snapshot has its own threads.
  await until(async () => (await threadsOf(worker!)) <= threads + 4)
  await server.stop()
})
