import { cp, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { ingest } from '../../engine/ingest/ingest.ts'
import { readImports } from '../../engine/lake/imports.ts'
import { ensureLake, type Lake, openLake } from '../../engine/lake/lake.ts'
import { readCurrent, verifySnapshot } from '../../engine/lake/snapshot.ts'
import { build } from '../../engine/snapshot/build.ts'
import { type Ended, tranche } from '../cli/run-cli.ts'
import { testFolder } from '../folder.ts'
import { serving, until } from '../server/serving.ts'
import { chosen, compileFailingDisk, type DiskError, trancheOnFailingDisk } from './failing-disk.ts'

/** Calls that are made to fail for each command and error: `TRANCHE_DISK_FAULTS=all` in the nightly run. */
const wanted = process.env['TRANCHE_DISK_FAULTS'] ?? '1'
const MOST = wanted === 'all' ? Number.POSITIVE_INFINITY : Number(wanted)

const folder = testFolder(t)
const compiled = compileFailingDisk(folder)
const skip = 'missing' in compiled ? compiled.missing : false
const library = 'library' in compiled ? compiled.library : ''

const spreads = (ticker: string) =>
  `ticker,spread_date,tenor,spread_bps\n${Array.from({ length: 20 }, (_, i) => `${ticker},2024-01-${i + 10},5Y,${i}`).join('\n')}\n${ticker},2024-02-30,5Y,1\n`
const SAYS: Record<DiskError, RegExp> = {
  ENOSPC: /the disk is full/,
  EIO: /the disk (failed to|cannot be) read/,
}

/** A lake with one file, a snapshot and a key; each command runs on a copy. */
async function makeTemplate(): Promise<string> {
  const template = join(folder, 'template')
  const lake = await ensureLake(template)
  for (const ticker of ['AAA', 'BBB']) await writeFile(join(folder, `${ticker}.csv`), spreads(ticker))
  await ingest(lake, [join(folder, 'AAA.csv')], { dataset: 'spreads' })
  await build(lake)
  const { code, err } = await tranche([
    'keys',
    'create',
    '--email',
    'a@b.example',
    '--tier',
    'pro',
    '--lake',
    template,
  ])
  if (code !== 0) throw new Error(err)
  return template
}

/** What readers of a lake see: the current snapshot and the ingested files. */
async function servedBy(lake: Lake): Promise<{ current: string | null; imports: number }> {
  const current = await readCurrent(lake)
  const problems = current === null ? [] : (await verifySnapshot(lake, current)).problems
  if (problems.length > 0) throw new Error(problems.join('; '))
  return { current, imports: (await readImports(lake)).length }
}

function failsClearly(t: Test, { code, err }: Ended, error: DiskError, which: string): void {
  t.equal(code, 5, `${which}: ${err}`)
  t.match(err, SAYS[error], which)
  t.notMatch(err, /bug in Tranche|\n\s+at |Error:.*Error:/, which)
}

/** Files that a command leaves only if it did not finish. */
async function leftovers(lake: string): Promise<string[]> {
  const names = await readdir(lake, { recursive: true })
  return names.filter(name => /(^|\/)(tmp\/|LOCK|\.tmp|\.old)|\.tmp$/.test(name))
}

const errors = ['ENOSPC', 'EIO'] as const

const commands = {
  ingest: (lake: string) => ['ingest', join(folder, 'BBB.csv'), '--dataset', 'spreads', '--lake', lake],
  build: (lake: string) => ['build', '--lake', lake],
} as const

t.test('a disk may fail at any write of ingest and build', { skip }, async t => {
  const template = await makeTemplate()
  for (const [command, argsOf] of Object.entries(commands))
    for (const error of wanted === 'all' || command === 'build' ? errors : errors.slice(0, 1))
      await t.test(`${error} in ${command} is one clear error, and the old data is served`, async t => {
        const copy = async () => {
          const path = join(folder, 'lake')
          await rm(path, { recursive: true, force: true })
          await cp(template, path, { recursive: true })
          return openLake(path)
        }
        const sound = await copy()
        const run = { library, folder: sound.root, error }
        const { code, calls, err } = await trancheOnFailingDisk(argsOf(sound.root), { ...run, at: 0 })
        t.equal(code, 0, err)
        t.ok(calls > 5, `${calls} calls write`)
        const ats = chosen(calls, MOST)
        let recovered = 0
        for (const at of ats) {
          const lake = await copy()
          const before = await servedBy(lake)
          const which = `${command}, ${error} at call ${at} of ${calls}`
          const ended = await trancheOnFailingDisk(argsOf(lake.root), { ...run, at })
          // A search index that cannot be copied from the previous snapshot is rebuilt.
          if (command === 'build' && error === 'EIO' && ended.code === 0) {
            t.not((await servedBy(lake)).current, before.current, `${which}: the snapshot is whole`)
            recovered++
            continue
          }
          failsClearly(t, ended, error, which)
          t.strictSame(await servedBy(lake), before, which)
          // The next run cleans up; for the sample only the last one is run again.
          if (wanted !== 'all' && at !== ats.at(-1)) continue
          const again = await tranche(argsOf(lake.root))
          t.equal(again.code, 0, `${which}, again: ${again.err}`)
          const after = await servedBy(lake)
          if (command === 'build') t.not(after.current, before.current, which)
          else t.equal(after.imports, before.imports + 1, which)
          t.strictSame(await leftovers(lake.root), [], which)
        }
        t.ok(
          recovered < Math.max(2, ats.length / 2),
          `${recovered} builds did without what could not be copied`,
        )
      })

  for (const error of wanted === 'all' ? errors : errors.slice(1))
    await t.test(
      `${error} while a key is created is one clear error, and the key is whole or absent`,
      async t => {
        const state = join(folder, 'keys')
        const argsOf = (email: string) =>
          ['keys', 'create', '--email', email, '--tier', 'pro', '--state', join(state, 'state.db')] as const
        const copy = async () => {
          await rm(state, { recursive: true, force: true })
          await cp(template, state, { recursive: true })
        }
        const list = async () => {
          const { out, code, err } = await tranche([
            'keys',
            'list',
            '--state',
            join(state, 'state.db'),
            '--format',
            'csv',
          ])
          t.equal(code, 0, err)
          return out.trim().split('\n').length - 1
        }
        await copy()
        const run = { library, folder: state, error }
        const { calls, code } = await trancheOnFailingDisk(argsOf('c@d.example'), { ...run, at: 0 })
        t.equal(code, 0)
        // The second and the fifth are of SQLite's other files: it reports them without the cause.
        for (const at of new Set([2, 5, ...chosen(calls, MOST)])) {
          await copy()
          const which = `keys create, ${error} at call ${at} of ${calls}`
          const ended = await trancheOnFailingDisk(argsOf('c@d.example'), { ...run, at })
          // What SQLite writes after the commit, into its shared memory or a checkpoint, may fail without consequence.
          if (ended.code !== 0) failsClearly(t, ended, error, which)
          const keys = await list()
          t.ok(ended.code === 0 ? keys === 2 : keys === 1 || keys === 2, `${which}: ${keys} keys`)
          t.equal((await tranche(argsOf('e@f.example'))).code, 0, which)
        }
      },
    )

  await t.test('a server on a full disk answers 503 STORAGE_FAILED, and recovers by itself', async t => {
    const lake = join(folder, 'served')
    await cp(template, lake, { recursive: true })
    const credits = 500
    const made = await tranche([
      'keys',
      'create',
      '--email',
      'p@q.example',
      '--tier',
      'payg',
      '--credits',
      String(credits),
      '--json',
      '--lake',
      lake,
    ])
    const key = (JSON.parse(made.out) as { key: string }).key
    const full = join(folder, 'disk-is-full')
    const server = await serving(t, ['--lake', lake], {
      env: { LD_PRELOAD: library, FAIL_FOLDER: lake, FAIL_ERRNO: 'ENOSPC', FAIL_WHILE: full },
    })
    let charged = 0
    const ask = async () => {
      const response = await fetch(`${server.url}/v1/market/cds?ticker=AAA&limit=1`, {
        headers: { 'X-API-Key': key },
      })
      const body = (await response.json()) as { error?: { code: string } }
      if (response.status === 200) charged++
      return body.error?.code ?? response.status
    }
    t.equal(await ask(), 200)
    await writeFile(full, '')
    const answers = new Set<number | string>()
    await until(async () => {
      answers.add(await ask())
      return answers.has('STORAGE_FAILED')
    })
    t.strictSame(
      [...answers].filter(answer => answer !== 200),
      ['STORAGE_FAILED'],
    )
    const refused = await tranche(
      ['keys', 'create', '--email', 'x@y.example', '--tier', 'pro', '--lake', lake],
      '',
      {
        LD_PRELOAD: library,
        FAIL_FOLDER: lake,
        FAIL_ERRNO: 'ENOSPC',
        FAIL_WHILE: full,
      },
    )
    failsClearly(t, refused, 'ENOSPC', 'keys create beside it')
    await rm(full)
    await until(async () => (await ask()) === 200)
    const me = await fetch(`${server.url}/v1/auth/me`, { headers: { 'X-API-Key': key } })
    const account = (await me.json()) as { credits: { remaining: number } }
    t.equal(account.credits.remaining, credits - charged, 'every answer is charged once, and no refusal')
    await server.stop()
  })
})
