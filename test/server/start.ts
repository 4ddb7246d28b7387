import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { type Engine, open } from '../../engine/engine.ts'
import type { Lake } from '../../engine/lake/lake.ts'
import { type AppOptions, createApp } from '../../server/app/app.ts'
import type { Tier } from '../../server/limits/tiers.ts'
import type { State } from '../../server/state/state.ts'
import { builtLake } from '../built-lake.ts'
import { twoIssuers } from '../make-lake.ts'
import { memoryState } from './memory-state.ts'

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  readonly text: string
  // The expected shape is up to the test.
  // biome-ignore lint/suspicious/noExplicitAny: bodies differ from route to route
  readonly body: any
}

export interface Ask {
  readonly method?: string
  readonly key?: string | null
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly body?: string | Uint8Array | object
}

export interface Running<S extends State> {
  readonly url: string
  readonly lake: Lake
  readonly engine: Engine
  readonly state: S
  /** A key of each tier; paying ones have 100 credits. */
  readonly keys: Readonly<Record<Tier, string>>
  readonly ids: Readonly<Record<Tier, string>>
  /** Sends requests as a business account by default. */
  ask(path: string, how?: Ask): Promise<Answer>
  close(): Promise<void>
}

let shared: Promise<Lake> | undefined

/** One lake for all tests of a file that have no rows of their own. */
const sharedLake = (): Promise<Lake> => {
  shared ??= builtLake(t.teardown, twoIssuers)
  return shared
}

/** The application on a free port of this machine, over a small lake. */
export async function start<S extends State = ReturnType<typeof memoryState>>(
  own: Test,
  { lake: given, state, ...options }: { lake?: Lake; state?: S } & Partial<Omit<AppOptions, 'state'>> = {},
): Promise<Running<S>> {
  const lake = given ?? (await sharedLake())
  const engine = options.engine ?? (await open(lake))
  const store = state ?? (memoryState() as unknown as S)
  // A busy machine may take long for a query: only tests of the limit set a short one.
  const app = createApp({ timeout: 300_000, ...options, engine, state: store })
  const server = createServer(app)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const made = {
    pay_as_you_go: await store.createKey({ email: 'payg@example.com', tier: 'pay_as_you_go', credits: 100 }),
    pro: await store.createKey({ email: 'pro@example.com', tier: 'pro' }),
    business: await store.createKey({ email: 'desk@example.com', tier: 'business', label: 'desk' }),
  }
  const keys = { pay_as_you_go: made.pay_as_you_go.key, pro: made.pro.key, business: made.business.key }
  const ids = { pay_as_you_go: made.pay_as_you_go.keyId, pro: made.pro.keyId, business: made.business.keyId }
  const close = async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
    await app.close()
  }
  own.teardown(async () => {
    await close()
    engine.close()
  })
  return {
    url,
    lake,
    engine,
    state: store,
    keys,
    ids,
    ask: (path, how = {}) => ask(url, path, { key: keys.business, ...how }),
    close,
  }
}

/** One request, sent verbatim: no client normalises the path. */
export function ask(url: string, path: string, { method, key, headers, body }: Ask): Promise<Answer> {
  const { hostname, port } = new URL(url)
  const sent =
    body === undefined || typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        hostname,
        port,
        path,
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        headers: {
          ...(key && { 'X-API-Key': key }),
          ...(sent !== undefined && { 'Content-Type': 'application/json' }),
          ...(headers as Record<string, string | string[]>),
        },
      },
      response => {
        const parts: Buffer[] = []
        response.on('data', part => parts.push(part))
        response.on('error', reject)
        response.on('end', () => {
          const bytes = Buffer.concat(parts)
          const text = bytes.toString()
          const isJson = /^application\/json/.test(response.headers['content-type'] ?? '')
          resolve({
            status: response.statusCode!,
            headers: response.headers,
            bytes,
            text,
            body: isJson && text && !response.headers['content-encoding'] ? JSON.parse(text) : undefined,
          })
        })
      },
    )
    // The server may just have closed a kept connection: clients may retry.
    asked.on('error', error => reject(Object.assign(error, { reused: asked.reusedSocket })))
    asked.end(sent)
  })
}
