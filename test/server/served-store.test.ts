import { existsSync } from 'node:fs'
import { cp, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import t from 'tap'
import { open } from '../../engine/engine.ts'
import { ensureLake } from '../../engine/lake/lake.ts'
import { openStore } from '../../engine/lake/store/open-store.ts'
import { push } from '../../engine/lake/store/push.ts'
import { followStore, pullSnapshot, pushSnapshot } from '../../engine/lake/store/transfer.ts'
import { build } from '../../engine/snapshot/build.ts'
import { openState } from '../../server/state/open.ts'
import { builtLake } from '../built-lake.ts'
import { tranche } from '../cli/run-cli.ts'
import { testFolder } from '../folder.ts'
import { addRows, twoIssuers } from '../make-lake.ts'
import { patient, serving, until } from './serving.ts'
import { ask } from './start.ts'

t.setTimeout(300_000)

t.test('a server of a store answers from a copy, follows what is pushed, and outlives the store', async t => {
  const lake = await builtLake(t.teardown, twoIssuers)
  const folder = testFolder(t)
  const url = pathToFileURL(join(folder, 'store')).href
  const state = join(folder, 'state.db')
  const cache = join(folder, 'cache')
  const pushed = await tranche(['push', url, '--lake', lake.root])
  t.match(pushed, { code: 0 })
  const first = JSON.parse(pushed.out).snapshot
  const keys = await openState(state)
  const { key } = await keys.createKey({ email: 'a@example.com', tier: 'business' })
  await keys.close()

  const args = ['--lake', url, '--state', state, '--cache-in', cache, '--every', '1', ...patient]
  const server = await serving(t, args)
  const tickers = async (more = '') =>
    (await ask(server.url, `/v1/companies?fields=ticker${more}`, { key })).body
  t.match(await tickers(), { data: [{ ticker: 'ALFA' }, { ticker: 'BETA' }], meta: { snapshot: first } })
  t.match(await tickers('&as_of=2024-07-01'), { meta: { snapshot: first, as_of: '2024-07-01' } }, 'any day')

  await addRows(lake, { companies: [{ ticker: 'AAAA', name: 'AAAA Corp' }] })
  const second = (await build(lake)).id
  await push(lake, second, await openStore(url))
  await until(async () => (await tickers()).meta.snapshot === second)
  t.match(await tickers(), { data: [{ ticker: 'AAAA' }, { ticker: 'ALFA' }, { ticker: 'BETA' }] })
  const metrics = (await ask(server.url, '/metrics', {})).text
  t.strictSame(metrics.match(/^tranche_snapshot_processes.*$/gm), [
    `tranche_snapshot_processes{snapshot="${second}"} 1`,
  ])

  const away = `${fileURLToPath(url)}.away`
  await rename(fileURLToPath(url), away)
  t.match(await tickers(), { meta: { snapshot: second } })
  await server.stop()
  // Its copy is served where the store cannot be read.
  const alone = await serving(t, args)
  t.match(await ask(alone.url, '/v1/companies', { key }), { body: { meta: { snapshot: second } } })
  t.match(alone.err(), /the last snapshot goes on answering/)
  t.match(await alone.stop(), { code: 0 })
  await cp(away, fileURLToPath(url), { recursive: true })
})

t.test('commands say what a store is for', async t => {
  const folder = testFolder(t)
  const url = pathToFileURL(join(folder, 'store')).href
  const refused = async (args: string[], message: RegExp) => {
    const { code, err } = await tranche(args, '', {
      TRANCHE_STATE: '',
      XDG_CACHE_HOME: join(folder, 'cache'),
    })
    t.equal(code, 2, args.join(' '))
    t.match(err, message)
  }
  await refused(['companies', '--lake', url], /tranche pull file:.*--lake DIR" copies it/)
  await refused(['serve', '--lake', url], /needs --state/)
  await refused(['serve', '--lake', url, '--demo', '--state', join(folder, 's.db')], /drop --demo/)
  await refused(['serve', '--lake', folder, '--cache', '5GB'], /cache is for a lake that is a store/)
  await refused(['push'], /push s3:\/\/BUCKET/)
  await refused(['pull', 'ftp://host/x', '--lake', join(folder, 'copy')], /is not a store/)
  await refused(
    ['pull', url, '--cache', 'much', '--lake', join(folder, 'copy')],
    /a size is a number with a unit/,
  )
  t.notOk(existsSync(join(folder, 'copy')))
  const none = await tranche(['pull', url, '--lake', join(folder, 'copy')])
  t.match(none, { code: 3, err: /no snapshot yet: run "tranche push"/ })
})

t.test('a program pushes, pulls and follows by addresses', async t => {
  const lake = await builtLake(t.teardown, twoIssuers)
  const folder = testFolder(t)
  const url = pathToFileURL(join(folder, 'store')).href
  const copy = join(folder, 'copy')
  const { snapshot, sent } = await pushSnapshot(lake.root, url)
  t.ok(sent > 0)
  t.match(await pullSnapshot(url, copy), { snapshot, before: null })
  const engine = await open(copy)
  t.teardown(() => engine.close())
  t.equal((await engine.call('search.companies')).meta.total, 2)

  const stopping = new AbortController()
  const following = followStore(url, copy, {
    everyMs: 20,
    signal: stopping.signal,
    onPulled() {},
    onFailure: error => t.error(error as Error),
  })
  await addRows(lake, { companies: [{ ticker: 'AAAA', name: 'AAAA Corp' }] })
  const next = (await build(lake)).id
  await pushSnapshot(lake.root, url, { snapshot: next })
  await until(async () => (await engine.call('search.companies')).meta.snapshot === next)
  stopping.abort()
  await following
  await t.rejects(pullSnapshot('s3:///x', copy), { code: 'INVALID_PARAMETER' })
  const empty = await ensureLake(join(folder, 'empty'))
  await t.rejects(pushSnapshot(empty.root, url), { code: 'NOT_READY', message: /tranche build/ })
})
