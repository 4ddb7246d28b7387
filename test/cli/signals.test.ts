import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { ingest } from '../../engine/ingest/ingest.ts'
import { batchFiles, readImports } from '../../engine/lake/imports.ts'
import { ensureLake } from '../../engine/lake/lake.ts'
import { readCurrent, verifySnapshot } from '../../engine/lake/snapshot.ts'
import { verifiedInputs } from '../../engine/lake/verify.ts'
import { build } from '../../engine/snapshot/build.ts'
import { annualReport, prose } from '../filing/make-filing.ts'
import { testFolder } from '../folder.ts'
import { start, tranche } from './run-cli.ts'

const folder = testFolder(t)
const lake = await ensureLake(join(folder, 'lake'))
const small = join(folder, 'small.csv')
await writeFile(
  small,
  `ticker,spread_date,tenor,spread_bps\n${Array.from({ length: 500 }, (_, i) => `AAA,${2000 + (i % 20)}-01-${10 + Math.floor(i / 20)},5Y,${i}`).join('\n')}\n`,
)
await ingest(lake, [small], { dataset: 'spreads' })
await build(lake)
const before = await readCurrent(lake)

/** A second, plus a margin for other tests on the machine. */
const SOON_MS = 4000
const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

/** Sends a signal some time after the lake was locked; returns how long the program took to end. */
async function stopped(args: readonly string[], signal: keyof typeof codes, after: number) {
  const child = start([...args, '--lake', lake.root])
  let err = ''
  child.stderr!.on('data', chunk => {
    err += chunk
  })
  const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>
  while (!existsSync(join(lake.root, 'LOCK')) && child.exitCode === null) await setTimeout(5)
  await setTimeout(after)
  const sent = performance.now()
  child.kill(signal)
  const [code, by] = await ended
  return { code, by, err, took: performance.now() - sent }
}

async function isWhole(t: import('tap').Test, which: string) {
  await verifiedInputs(lake, await batchFiles(lake))
  t.equal(await readCurrent(lake), before, `${which}: the old snapshot is in force`)
  t.strictSame((await verifySnapshot(lake, before!)).problems, [], which)
}

t.test('a signal stops ingest within a second, even inside a long document', async t => {
  const files = join(folder, 'filings')
  await mkdir(files)
  const long = annualReport.replace('</body>', `${prose('a very long matter', 250_000)}</body>`)
  const members = Array.from(
    { length: 40_000 },
    (_, i) => `<tr><td>Acme Gas ${i} LLC</td><td>Delaware</td></tr>`,
  )
  await writeFile(join(files, 'acme-10k.htm'), long)
  await writeFile(
    join(files, 'ex21.htm'),
    `<html><body><p>Exhibit 21.1</p><p>Subsidiaries of Acme Pipelines Inc.</p><table>${members.join('\n')}</table></body></html>`,
  )
  const imports = (await readImports(lake)).length
  for (const [signal, after] of [
    ['SIGTERM', 100],
    ['SIGINT', 1000],
    ['SIGHUP', 2000],
  ] as const) {
    const { code, by, err, took } = await stopped(['ingest', files], signal, after)
    const which = `${signal} after ${after} ms`
    t.ok(code === codes[signal] || by === signal, `${which}: ${code} ${by} ${err}`)
    t.ok(took < SOON_MS, `${which}: ${took} ms`)
    await isWhole(t, which)
    t.ok((await readImports(lake)).length <= imports + 2)
  }
  const again = await tranche(['ingest', small, '--dataset', 'spreads', '--lake', lake.root])
  t.equal(again.code, 0, 'the next one takes over')
})

t.test('a signal stops a build within a second, and the old snapshot stays current', async t => {
  for (const [signal, after] of [
    ['SIGTERM', 0],
    ['SIGINT', 150],
  ] as const) {
    const { code, by, took, err } = await stopped(['build'], signal, after)
    const which = `${signal} after ${after} ms`
    t.ok(code === codes[signal] || by === signal, `${which}: ${code} ${by} ${err}`)
    t.ok(took < SOON_MS, `${which}: ${took} ms`)
    await isWhole(t, which)
  }
  t.equal((await tranche(['build', '--lake', lake.root])).code, 0)
})
