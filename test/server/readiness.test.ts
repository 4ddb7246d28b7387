import { cpSync, existsSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { build } from '../../engine/snapshot/build.ts'
import { openState } from '../../server/state/open.ts'
import { builtLake } from '../built-lake.ts'
import { twoIssuers } from '../make-lake.ts'
import { serving, stateOf, until } from './serving.ts'
import { type Answer, ask } from './start.ts'
import { startPostgres } from './state/postgres.ts'

const readyz = (url: string): Promise<Answer> => ask(url, '/readyz', {})

// Starts servers one after the other, which takes a busy machine minutes.
const long = { timeout: 300_000 }
t.setTimeout(long.timeout)

/** The body of `/readyz` once it has this status: within five seconds, and on a busy machine within three times as long. */
async function becomes(t: Test, url: string, status: number): Promise<Answer> {
  const since = performance.now()
  const answer = await until(async () => {
    const found = await readyz(url)
    return found.status === status ? found : null
  })
  t.ok(performance.now() - since < 15_000, `readyz is ${status} soon`)
  return answer
}

const payg = { email: 'ana@example.com', tier: 'pay_as_you_go', credits: 10 } as const

t.test(
  'a server whose state file was deleted refuses requests, and never uses another file',
  long,
  async t => {
    const lake = await builtLake(t.teardown, twoIssuers)
    const file = join(lake.root, 'state.db')
    const old = await openState(file)
    const { key } = await old.createKey(payg)
    await old.close()
    const server = await serving(t, ['--lake', lake.root, '--workers', '2'])
    t.equal((await ask(server.url, '/v1/bonds', { key })).status, 200)

    rmSync(file)
    t.match(await becomes(t, server.url, 503), {
      body: { status: 'not ready', data: 'ok', state: /database of keys and limits was deleted/ },
    })
    const refused = {
      status: 503,
      headers: { 'retry-after': '5' },
      body: { error: { code: 'STATE_UNAVAILABLE' } },
    }
    t.match(await ask(server.url, '/v1/bonds', { key }), {
      ...refused,
      body: { error: { details: { reason: 'missing' } } },
    })
    // As "tranche keys create" does.
    await t.rejects(openState(file), {
      code: 'STATE_UNAVAILABLE',
      message: /stop the server.*start with an empty/,
    })
    rmSync(`${file}-wal`)
    rmSync(`${file}-shm`)
    const fresh = await openState(file)
    const made = await fresh.createKey({ email: 'new@example.com', tier: 'pro' })
    t.match(await becomes(t, server.url, 503), { body: { state: /was replaced: .*restart/ } })
    for (let i = 0; i < 6; i++)
      for (const asked of [key, made.key])
        t.match(await ask(server.url, '/v1/bonds', { key: asked }), {
          ...refused,
          body: { error: { details: { reason: 'replaced' } } },
        })
    t.notMatch((await ask(server.url, '/v1/bonds', { key })).text, lake.root, 'no path is told')
    t.match(server.err(), file, 'the log names the file')
    await server.stop()

    t.ok(await fresh.authenticate(made.key), 'the end of the old server leaves the new store whole')
    await fresh.close()
    const again = await serving(t, ['--lake', lake.root])
    t.equal((await ask(again.url, '/v1/bonds', { key: made.key })).status, 200)
    t.equal((await ask(again.url, '/v1/bonds', { key })).status, 401)
    await again.stop()
  },
)

t.test('a restored state file is used again', long, async t => {
  const lake = await builtLake(t.teardown, twoIssuers)
  const { key } = await (await stateOf(t, lake.root)).createKey(payg)
  const server = await serving(t, ['--lake', lake.root])
  const [file, away] = [join(lake.root, 'state.db'), join(lake.root, 'state.db.away')]
  renameSync(file, away)
  await becomes(t, server.url, 503)
  t.equal((await ask(server.url, '/v1/bonds', { key })).status, 503)
  renameSync(away, file)
  await becomes(t, server.url, 200)
  t.equal((await ask(server.url, '/v1/bonds', { key })).status, 200)
  t.strictSame(await server.stop(), { code: 0, signal: null })
})

t.test('a state file overwritten while in use is reported as damaged', long, async t => {
  const lake = await builtLake(t.teardown, twoIssuers)
  const server = await serving(t, ['--lake', lake.root])
  await becomes(t, server.url, 200)
  writeFileSync(join(lake.root, 'state.db'), Buffer.alloc(65_536, 'x'))
  t.match(await becomes(t, server.url, 503), {
    body: { data: 'ok', state: /database of keys and limits is damaged/ },
  })
  await server.stop()
})

t.test('missing or truncated snapshot files make a server not ready, until a build', long, async t => {
  const lake = await builtLake(t.teardown, twoIssuers)
  const { key } = await (await stateOf(t, lake.root)).createKey({ email: 'a@example.com', tier: 'pro' })
  const server = await serving(t, ['--lake', lake.root, '--hot-memory', '0'])
  const { snapshot } = (await becomes(t, server.url, 200)).body
  const bonds = join(lake.root, 'snapshots', snapshot, 'bonds.parquet')
  // A file that is in use when it disappears.
  t.equal((await ask(server.url, '/v1/bonds', { key })).status, 200)
  cpSync(bonds, `${bonds}.copy`)
  for (const [how, undo] of [
    [() => rmSync(bonds), () => cpSync(`${bonds}.copy`, bonds)],
    [() => truncateSync(bonds, 100), () => cpSync(`${bonds}.copy`, bonds)],
  ] as const) {
    how()
    t.match(await becomes(t, server.url, 503), {
      body: { state: 'ok', data: /files of the snapshot are missing or damaged: run "tranche build"/ },
    })
    t.match(await ask(server.url, '/v1/bonds?min_ytm=1', { key }), {
      status: 503,
      body: { error: { code: 'DATA_DAMAGED' } },
    })
    undo()
    await becomes(t, server.url, 200)
  }
  renameSync(join(lake.root, 'snapshots', snapshot), join(lake.root, 'snapshots', '.old-gone'))
  await becomes(t, server.url, 503)
  rmSync(join(lake.root, 'CURRENT'))
  t.match(await becomes(t, server.url, 503), { body: { data: /missing or damaged/ } })
  await build(lake)
  await becomes(t, server.url, 200)
  t.equal((await ask(server.url, '/v1/bonds', { key })).status, 200)
  t.match(server.err(), /bonds\.parquet: is missing/, 'the log names the file')
  t.match(server.err(), /ready again/)
  await server.stop()
})

const postgres = await startPostgres()
const skip = typeof postgres === 'string' && postgres
if (typeof postgres !== 'string') t.teardown(() => postgres.stop())

/** A connection to PostgreSQL that can be closed, or stalled. */
async function wayTo(t: Test, location: string) {
  const url = new URL(location)
  const socket = join(url.searchParams.get('host') ?? '', '.s.PGSQL.5432')
  const sockets = new Set<Socket>()
  let mode: 'open' | 'shut' | 'silent' = 'open'
  const server = createServer(client => {
    sockets.add(client.on('error', () => {}))
    if (mode === 'shut') client.destroy()
    if (mode !== 'open') return
    const there = existsSync(socket) ? connect(socket) : connect(Number(url.port || 5432), url.hostname)
    sockets.add(there.on('error', () => {}))
    client.on('data', data => mode === 'open' && there.write(data))
    there.on('data', data => mode === 'open' && client.write(data))
    client.on('close', () => there.destroy())
    there.on('close', () => client.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const shut = () => {
    for (const one of sockets) one.destroy()
  }
  t.teardown(() => {
    shut()
    server.close()
  })
  const { port } = server.address() as { port: number }
  return {
    location: `postgres://tranche@127.0.0.1:${port}${url.pathname}`,
    set(next: typeof mode) {
      mode = next
      if (next !== 'silent') shut()
    },
  }
}

t.test('an unreachable PostgreSQL is reported as a database, not as a disk', { ...long, skip }, async t => {
  if (typeof postgres === 'string') return
  const lake = await builtLake(t.teardown, twoIssuers)
  const way = await wayTo(t, await postgres.database())
  const state = await openState(way.location)
  const { key } = await state.createKey(payg)
  await state.close()
  const server = await serving(t, ['--lake', lake.root, '--state', way.location])
  await becomes(t, server.url, 200)
  way.set('shut')
  t.match(await becomes(t, server.url, 503), {
    body: { data: 'ok', state: 'the database of keys and limits does not respond: try again later' },
  })
  const answer = await ask(server.url, '/v1/bonds', { key })
  t.match(answer, {
    status: 503,
    body: { error: { code: 'STATE_UNAVAILABLE', details: { reason: 'unreachable' } } },
  })
  t.notMatch(answer.text, /disk|127\.0\.0\.1|postgres/)
  way.set('open')
  await becomes(t, server.url, 200)
  t.equal((await ask(server.url, '/v1/bonds', { key })).status, 200)

  way.set('silent')
  t.match(await becomes(t, server.url, 503), {
    body: { data: 'ok', state: 'the database of keys and limits does not respond' },
  })
  way.set('open')
  await becomes(t, server.url, 200)
  await server.stop()
})
