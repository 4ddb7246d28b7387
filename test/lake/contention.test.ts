import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { ingest } from '../../engine/ingest/ingest.ts'
import { ensureLake, namesIn } from '../../engine/lake/lake.ts'
import { readCurrent, verifySnapshot } from '../../engine/lake/snapshot.ts'
import { build } from '../../engine/snapshot/build.ts'
import { tranche } from '../cli/run-cli.ts'
import { testFolder } from '../folder.ts'
import { child } from './child.ts'

const folder = testFolder(t)
const lake = await ensureLake(join(folder, 'lake'))
const file = join(folder, 'spreads.csv')
await writeFile(file, 'ticker,spread_date,tenor,spread_bps\nAAA,2024-01-02,5Y,55\n')
await ingest(lake, [file], { dataset: 'spreads' })
await build(lake)

const runs = [['build'], ['build'], ['snapshots', 'prune', '--keep', '1']]
const run = (args: readonly string[]) => tranche([...args, '--lake', lake.root])

t.test('of two builds and a prune at once, the losers name the lock holder', async t => {
  const ended = await Promise.all(runs.map(run))
  t.ok(
    ended.some(({ code }) => code === 0),
    'one at least goes on',
  )
  for (const [i, { code, err }] of ended.entries()) {
    const which = `${runs[i]!.join(' ')}: ${err}`
    if (code === 0) continue
    t.equal(code, 5, which)
    t.match(
      err,
      /the lake is being written by process \d+ \((build|snapshots prune)\)|other writers are taking the lake/,
      which,
    )
  }
  const current = await readCurrent(lake)
  t.strictSame((await verifySnapshot(lake, current!)).problems, [])
  t.strictSame(
    (await namesIn(lake)).filter(name => name.startsWith('LOCK')),
    [],
  )
  t.strictSame(
    (await namesIn(lake, 'snapshots')).filter(name => name.startsWith('.')),
    [],
  )
})

t.test('builds and a prune name the process that holds the lake', async t => {
  const holder = child('write-lake', [lake.root, 'hold'])
  t.teardown(() => holder.process.kill('SIGKILL'))
  await holder.said('held')
  const before = await readCurrent(lake)
  for (const [i, { code, err }] of (await Promise.all(runs.map(run))).entries()) {
    t.equal(code, 5, runs[i]!.join(' '))
    t.match(err, /the lake is being written by process \d+ \(hold\)/)
  }
  t.equal(await readCurrent(lake), before)
})
