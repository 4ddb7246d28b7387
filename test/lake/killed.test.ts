import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { Database, literal } from '../../engine/database/database.ts'
import { ingest } from '../../engine/ingest/ingest.ts'
import { batchFiles, readImports } from '../../engine/lake/imports.ts'
import { ensureLake, inLake, type Lake, namesIn } from '../../engine/lake/lake.ts'
import { readCurrent, readManifest, verifiedFile, verifySnapshot } from '../../engine/lake/snapshot.ts'
import { verifyFile } from '../../engine/lake/verify.ts'
import { testFolder } from '../folder.ts'
import { child } from './child.ts'

const ROWS = 400

/** Spreads of one ticker, with equal numbers of bonds and rejected rows; a file is in the lake whole or not at all. */
const spreadsOf = (ticker: string) =>
  [
    'ticker,spread_date,tenor,spread_bps',
    ...Array.from(
      { length: ROWS },
      (_, i) => `${ticker},${2000 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')}-01,5Y,${i}`,
    ),
    `${ticker},2024-02-30,5Y,1`,
  ].join('\n')

async function files(folder: string, n: number): Promise<string[]> {
  const paths = Array.from({ length: n }, (_, i) => join(folder, `t${i}.csv`))
  for (const [i, path] of paths.entries()) await writeFile(path, spreadsOf(`T${i}`))
  return paths
}

/** Throws unless the lake is intact; returns its tickers and the counts of the current snapshot. */
async function soundness(lake: Lake): Promise<{ tickers: string[]; counts: Record<string, number> | null }> {
  const batches = [...(await batchFiles(lake)).values()].flat()
  for (const batch of batches) await verifyFile(inLake(lake, batch.path), batch, batch.path)
  for (const { rejects, report } of await readImports(lake)) {
    if (rejects?.rows !== 1 || report.accepted !== ROWS || report.read !== ROWS + 1)
      throw new Error('a record that does not account for its file')
    await verifyFile(inLake(lake, rejects.path), rejects, rejects.path)
  }
  const database = await Database.create({ threads: 1 })
  try {
    const rows =
      batches.length === 0
        ? []
        : await database.rows<{ ticker: string; n: number }>(
            `SELECT ticker, count(*) AS n FROM read_parquet([${batches.map(b => literal(inLake(lake, b.path))).join(', ')}]) GROUP BY ticker ORDER BY ticker`,
          )
    for (const { ticker, n } of rows) if (n !== ROWS) throw new Error(`${ticker} has ${n} rows`)
    const id = await readCurrent(lake)
    if (id === null) return { tickers: rows.map(row => row.ticker), counts: null }
    const manifest = await readManifest(lake, id)
    const { problems } = await verifySnapshot(lake, id)
    if (problems.length > 0) throw new Error(problems.join('; '))
    const path = await verifiedFile(lake, manifest, manifest.tables[0]!)
    const counted = await database.rows<{ ticker: string; n: number }>(
      `SELECT * FROM read_parquet(${literal(path)})`,
    )
    return {
      tickers: rows.map(row => row.ticker),
      counts: Object.fromEntries(counted.map(row => [row.ticker, row.n])),
    }
  } finally {
    database.close()
  }
}

t.test('an ingest killed at any step is complete or absent, and the next one cleans up', async t => {
  const folder = testFolder(t)
  const lake = await ensureLake(join(folder, 'lake'))
  const [first, second] = (await files(folder, 2)) as [string, string]
  await ingest(lake, [first])
  for (const point of ['batch-written', 'file-moved:1', 'file-moved:2', 'before-record']) {
    const setting = /:\d$/.test(point) ? point : `${point}:1`
    const ended = await child('write-lake', [lake.root, 'ingest', second], {
      TRANCHE_FAULT: `import:${setting}`,
    }).ended
    t.equal(ended.signal, 'SIGKILL', point)
    t.strictSame((await soundness(lake)).tickers, ['T0'], `${point}: absent`)
  }
  await child('write-lake', [lake.root, 'ingest', second], { TRANCHE_FAULT: 'import:after-record:1' }).ended
  t.strictSame((await soundness(lake)).tickers, ['T0', 'T1'], 'whole from the record on')
  const { totals } = await ingest(lake, [first, second])
  t.match(totals, { accepted: 0, duplicate: 2 * ROWS, rejected: 2 })
  t.strictSame(await namesIn(lake), ['batches', 'imports', 'lake.json', 'rejects'])
  t.equal((await namesIn(lake, 'batches', 'spreads')).length, 2, 'what the killed ones left is gone')
  t.equal((await namesIn(lake, 'rejects')).length, 2)
})

t.test('a full disk at any step of an ingest is one clear error and leaves nothing', async t => {
  const folder = testFolder(t)
  const lake = await ensureLake(join(folder, 'lake'))
  const [file] = (await files(folder, 1)) as [string]
  for (const point of ['batch-written', 'file-moved', 'before-record']) {
    const setting = `import:${point}:1:ENOSPC`
    const { lines, code } = await child('write-lake', [lake.root, 'ingest', file], { TRANCHE_FAULT: setting })
      .ended
    t.equal(code, 5)
    t.match(lines[0], /^STORAGE_FAILED the disk is full.*the lake is as it was before$/)
    t.strictSame(await namesIn(lake, 'imports'), [])
    t.strictSame(await namesIn(lake, 'batches', 'spreads'), [])
    t.strictSame((await soundness(lake)).tickers, [])
  }
})

t.test('of two concurrent ingests one runs and the other is refused', async t => {
  const folder = testFolder(t)
  const lake = await ensureLake(join(folder, 'lake'))
  const [a, b] = (await files(folder, 2)) as [string, string]
  const holder = child('write-lake', [lake.root, 'hold'])
  await holder.said('held')
  const { lines } = await child('write-lake', [lake.root, 'ingest', a]).ended
  t.match(lines[0], /^OVERLOADED the lake is being written by process \d+ \(hold\)/)
  holder.process.kill('SIGKILL')
  await holder.ended
  const both = await Promise.all([a, b].map(file => child('write-lake', [lake.root, 'ingest', file]).ended))
  const said = both.map(({ lines }) => lines[0]!.split(' ')[0]).sort()
  t.ok(said.includes('accepted'), 'one at least goes on')
  t.ok(said.every(word => word === 'accepted' || word === 'OVERLOADED'))
  await soundness(lake)
})

/** The same rounds for the same seed. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1664525 + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

t.test('kill -9 at any moment of ingests and builds loses nothing that was reported done', async t => {
  const rounds = Number(process.env['TRANCHE_KILL_ROUNDS'] ?? 8)
  const next = random(Number(process.env['TRANCHE_KILL_SEED'] ?? 7))
  const folder = testFolder(t)
  const lake = await ensureLake(join(folder, 'lake'))
  const paths = await files(folder, rounds * 4)
  let at = 0
  for (let round = 0; round < rounds; round++) {
    const before = await soundness(lake)
    const worker = child('write-lake', [lake.root, 'work', ...paths.slice(at, at + 4)])
    await worker.said('ready')
    await new Promise(resolve => setTimeout(resolve, next() * 900))
    worker.process.kill('SIGKILL')
    const { lines, errors } = await worker.ended
    t.equal(errors, '')
    const after = await soundness(lake)
    const ingested = lines.filter(line => line.startsWith('ingested')).length
    const built = lines.filter(line => line.startsWith('built'))
    const more = after.tickers.length - before.tickers.length
    t.ok(more === ingested || more === ingested + 1, `${ingested} said to be done, ${more} there`)
    const snapshot = Object.keys(after.counts ?? {}).length
    const old = Object.keys(before.counts ?? {}).length
    const atLeast = built.length > 0 ? before.tickers.length + built.length : old
    t.ok(snapshot >= atLeast && snapshot <= after.tickers.length, `${snapshot} in the snapshot in force`)
    at += more
  }
})
