import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { random } from '../../cli/sample/random.ts'
import { open } from '../../engine/engine.ts'
import { ensureLake } from '../../engine/lake/lake.ts'
import { currentManifest } from '../../engine/lake/snapshot.ts'
import { tables } from '../../engine/schema/resources/tables.ts'
import { builtLake } from '../built-lake.ts'
import { removeFolder } from '../folder.ts'
import { lastDay, richRows } from './rich-lake.ts'

/**
 * Number of days to try; `TRANCHE_DAYS_TOGETHER=200` for a long run, with another seed if given, and over the built lake
 * in a folder that may be written to.
 */
const number = Number(process.env['TRANCHE_DAYS_TOGETHER'] ?? 3)
const seed = process.env['TRANCHE_LEAK_SEED'] ?? '1'
const folder = process.env['TRANCHE_DAYS_LAKE']
t.setTimeout(Math.max(10, number) * 60_000)

const lake = folder ? await ensureLake(folder) : await builtLake(t.teardown, richRows, { asOf: lastDay })
const { as_of } = await currentManifest(lake)

const dayBefore = (n: number): string =>
  new Date(Date.parse(as_of!) - n * 86_400_000).toISOString().slice(0, 10)
const drawn = random(`days ${seed}`)
const days = [
  ...new Set(Array.from({ length: number }, () => dayBefore(drawn.whole(1, folder ? 1800 : 500)))),
]

const forget = (name: 'days' | 'cache') => removeFolder(join(lake.root, name))

/** The checksums of every table of days that an engine derives, in order. */
async function derived(days: readonly string[]): Promise<Map<string, string>> {
  await forget('days')
  const engine = await open(lake)
  try {
    await engine.deriveDays({ dates: days, tables: tables.map(({ table }) => table) })
  } finally {
    engine.close()
  }
  const found = new Map<string, string>()
  for (const day of days) {
    const [made] = await readdir(join(lake.root, 'days', day))
    const files = join(lake.root, 'days', day, made!)
    for (const name of (await readdir(files)).filter(name => name.endsWith('.json')))
      found.set(`${day} ${name}`, await readFile(join(files, name), 'utf8'))
  }
  return found
}

t.test('days that share what was derived before are, byte for byte, those of each day alone', async t => {
  await forget('cache')
  const together = await derived(days)
  t.ok(together.size >= days.length * 20, `${together.size} tables of ${days.length} days`)
  const differ = (tables: Map<string, string>, how: string) => {
    for (const [table, record] of tables)
      if (together.get(table) !== record) t.fail(`${table} differs ${how}`)
  }
  differ(await derived([...days].reverse()), 'if all of it was derived before')
  for (const day of days) {
    await forget('cache')
    differ(await derived([day]), 'if nothing was derived before')
  }
})
