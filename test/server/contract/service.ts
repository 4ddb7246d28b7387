import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { extname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import type { Tier } from '../../../server/limits/tiers.ts'
import { openState } from '../../../server/state/open.ts'
import { testFolder } from '../../folder.ts'
import { plainProcess } from '../../plain-process.ts'
import { copySample } from '../../sample-lake.ts'
import { type Answer, type Ask, ask } from '../start.ts'
import { type Document, judgeBy } from './judge.ts'

export type Row = Readonly<Record<string, unknown>>

/** The service as seen by a user with its documents, an address and keys. */
export interface Service {
  readonly url: string
  /** The key printed by the demo. */
  readonly demoKey: string
  readonly document: Document
  /** Sends requests as a Business account by default. An answer that violates the general rules is an error. */
  ask(path: string, how?: Ask): Promise<Answer>
  /** The body of an answer that must be 200. */
  get(path: string, how?: Ask): Promise<Answer['body']>
  post(path: string, body: Ask['body'], how?: Ask): Promise<Answer>
  /** Retries as long as the answer asks for it: SQL is ready once its file is made. */
  settled(path: string, how?: Ask): Promise<Answer>
  key(tier: Tier, credits?: number): Promise<{ readonly key: string; readonly id: string }>
  /** Every row of a resource. */
  rows(resource: string): Promise<readonly Row[]>
  /** Stops it as an operator would; returns its exit code and what it logged as errors. */
  stop(): Promise<{ readonly code: number | null; readonly complaints: readonly string[] }>
}

const program = fileURLToPath(new URL(`../../../cli/main${extname(import.meta.url)}`, import.meta.url))

/** Long enough for every statement of this suite except an endless one, even on a busy machine. */
export const SQL_TIMEOUT_MS = 8000

/** Starts `tranche serve --demo` as a new user would. */
export async function startService(t: Test): Promise<Service> {
  const lake = join(testFolder(t), 'lake')
  await copySample(lake)
  const args = [
    'serve',
    '--demo',
    '--lake',
    lake,
    '--port',
    '0',
    '--enable-sql',
    // A day is derived in seconds, on a busy machine in minutes.
    '--timeout',
    '300000',
    '--sql-timeout',
    String(SQL_TIMEOUT_MS),
  ]
  const child = spawn(...plainProcess(import.meta.url, program, args), {
    env: { ...process.env, TRANCHE_LAKE: '' },
    stdio: 'pipe',
  })
  const said: string[] = []
  t.teardown(async () => void (await stop(child)))
  const { url, demoKey } = await printed(child, said)
  const state = await openState(join(lake, 'state.db'))
  t.teardown(() => state.close())
  const document = (await ask(url, '/v1/openapi.json', {})).body as Document
  const judge = judgeBy(document)
  const key = async (tier: Tier, credits = 0) => {
    const made = await state.createKey({ email: `${tier}@example.com`, tier, credits, label: 'contract' })
    return { key: made.key, id: made.keyId }
  }

  // A key allows 500 requests a minute: the suite takes the next one before that.
  let own = await key('business')
  let left = 500
  const exported = new Map<string, Promise<readonly Row[]>>()

  async function readAll(resource: string): Promise<readonly Row[]> {
    const rows: Row[] = []
    for (let total = 1; rows.length < total; ) {
      const page = `/v1/export?data_type=${resource}&format=json&limit=50000&offset=${rows.length}`
      const { data, meta } = await service.get(page)
      rows.push(...data)
      total = meta.total
    }
    return rows
  }

  const service: Service = {
    url,
    demoKey,
    document,
    key,
    async ask(path, how = {}) {
      if (how.key === undefined && --left < 60) {
        own = await key('business')
        left = 500
      }
      const at = Date.now()
      const answer = await ask(url, path, { key: own.key, ...how })
      if (how.key === undefined)
        left = Math.min(left, Number(answer.headers['x-ratelimit-remaining'] ?? left))
      const method = how.method ?? (how.body === undefined ? 'GET' : 'POST')
      const known = how.key !== null && answer.status !== 401 && path.startsWith('/v1/') && path !== DOCUMENT
      const wrong = judge({ method, path, known, at }, answer)
      if (wrong.length) throw new Error(`${method} ${path}: ${wrong.join('; ')}`)
      return answer
    },
    async get(path, how) {
      const { status, body, text } = await service.ask(path, how)
      if (status !== 200) throw new Error(`${path}: ${status} ${text.slice(0, 300)}`)
      return body
    },
    post: (path, body, how = {}) => service.ask(path, { ...how, ...(body !== undefined && { body }) }),
    async settled(path, how) {
      for (let round = 0; ; round++) {
        const answer = await service.ask(path, how)
        if (answer.body?.error?.code !== 'NOT_READY' || round === 300) return answer
        await sleep(1000)
      }
    },
    rows(resource) {
      if (!exported.has(resource)) exported.set(resource, readAll(resource))
      return exported.get(resource)!
    },
    async stop() {
      const code = await stop(child)
      // That the event loop was held up says that the machine is busy with other work.
      const isBusy = (line: string) => /"msg":"(?:the|where the) event loop /.test(line)
      return {
        code,
        complaints: said.filter(line => /warning|error|"level":[456]0/i.test(line) && !isBusy(line)),
      }
    },
  }
  return service
}

const DOCUMENT = '/v1/openapi.json'

/** The address and the key that the program prints when it is ready. */
async function printed(child: ChildProcess, said: string[]): Promise<{ url: string; demoKey: string }> {
  const find = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      for (const stream of [child.stdout!, child.stderr!])
        createInterface(stream).on('line', line => {
          said.push(line)
          const found = pattern.exec(line)?.[1]
          if (found) resolve(found)
        })
      child.once('exit', code => reject(new Error(`the server ended with ${code}: ${said.join('\n')}`)))
    })
  const [url, demoKey] = await Promise.all([find(/^listening on (http:\/\/\S+)$/), find(/demo key: (\w+)/)])
  return { url, demoKey }
}

async function stop(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null) return child.exitCode
  const over = once(child, 'exit')
  child.kill('SIGTERM')
  const [code] = await over
  return code
}
