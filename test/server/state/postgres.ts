import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import pg from 'pg'

export interface Server {
  /** Its address, as in TRANCHE_TEST_POSTGRES. */
  readonly url: string
  /** A new, empty database. */
  readonly database: () => Promise<string>
  readonly stop: () => Promise<void>
}

/** A PostgreSQL to test with: the one in TRANCHE_TEST_POSTGRES, else one of our own, else why there is none. */
export async function startPostgres(): Promise<Server | string> {
  const named = process.env['TRANCHE_TEST_POSTGRES']
  if (named) return serverAt(named, async () => {})
  const programs = folders().find(folder => existsSync(join(folder, 'initdb')))
  if (!programs)
    return 'PostgreSQL is not installed here: set TRANCHE_TEST_POSTGRES to test with one elsewhere'
  const user = unprivileged()
  if (user === null) return 'PostgreSQL does not run as root, and there is no other user here'
  const folder = mkdtempSync(join(tmpdir(), 'tranche-pg-'))
  if (user) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const options = { ...user, cwd: folder, env: { ...process.env, LC_ALL: 'C', NODE_OPTIONS: '' } }
  execFileSync(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'tranche', '-A', 'trust', '-E', 'UTF8', '--no-sync'],
    { ...options, stdio: 'pipe' },
  )
  const settings = ['listen_addresses=', 'fsync=off', 'max_connections=200', 'shared_buffers=16MB']
  const server = spawn(
    join(programs, 'postgres'),
    ['-D', data, '-k', folder, ...settings.flatMap(s => ['-c', s])],
    { ...options, stdio: 'ignore' },
  )
  const kill = () => void server.kill('SIGKILL')
  process.once('exit', kill)
  const url = `postgres://tranche@localhost/postgres?host=${encodeURIComponent(folder)}`
  await answering(url, server)
  return serverAt(url, async () => {
    const ended = once(server, 'close')
    server.kill('SIGINT')
    await ended
    process.off('exit', kill)
    rmSync(folder, { recursive: true, force: true })
  })
}

/** Where distributions install server programs. */
function folders(): string[] {
  const versions = (parent: string, rest: string): string[] =>
    existsSync(parent)
      ? readdirSync(parent)
          .filter(name => /\d/.test(name))
          .sort((a, b) => Number.parseInt(b, 10) - Number.parseInt(a, 10))
          .map(name => join(parent, name, rest))
      : []
  return [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...versions('/usr/lib/postgresql', 'bin'),
    ...versions('/opt/homebrew/opt', 'bin'),
    '/usr/local/pgsql/bin',
  ]
}

/** The user to become if this process is root; null otherwise. */
function unprivileged(): { uid: number; gid: number } | undefined | null {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ['postgres', 'nobody'])
    try {
      const id = (what: string) => Number(execFileSync('id', [what, name], { stdio: 'pipe' }).toString())
      return { uid: id('-u'), gid: id('-g') }
    } catch {}
  return null
}

async function answering(url: string, server: ChildProcess): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      return await client.end()
    } catch (error) {
      if (server.exitCode !== null || attempt > 3000) throw error
    }
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}

function serverAt(url: string, stop: () => Promise<void>): Server {
  const made: string[] = []
  const run = async (...statements: string[]) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
  }
  return {
    url,
    async database() {
      const name = `tranche_test_${randomUUID().replaceAll('-', '')}`
      await run(`create database ${name}`)
      made.push(name)
      const address = new URL(url)
      address.pathname = `/${name}`
      return String(address)
    },
    async stop() {
      await run(...made.map(name => `drop database ${name} with (force)`))
      await stop()
    },
  }
}
