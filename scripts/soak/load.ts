import { setMaxListeners } from 'node:events'
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { elementAt, firstOf } from '../../engine/base/elements.ts'
import type { Document } from '../../test/server/contract/judge.ts'
import { knownOf, requestsOf, type Sent } from '../../test/server/contract/requests.ts'

/** Request timeout: later answers are errors. */
const PATIENCE_MS = 60_000
/** Requests generated at a time. */
const CHUNK = 200

export interface Answered {
  readonly status: number
  readonly milliseconds: number
  readonly bytes: number
}

export interface Load {
  /** Count by status. */
  readonly statuses: Map<number, number>
  /** Milliseconds to the end of each answer. */
  readonly latencies: number[]
  /** Unexpected events, the first few in words. */
  readonly errors: string[]
  errorCount: number
  /** Requests that ran out of time (504), the first few in words: an overloaded server has some. */
  readonly late: string[]
}

/** Descriptions that are kept. */
const DESCRIBED = 20

export interface Target {
  readonly url: string
  /** Keys by client: a client takes its next one when a key's minute is used up. */
  readonly keys: readonly (readonly string[])[]
  readonly seed: number
  readonly signal: AbortSignal
}

/** Clients that send generated requests one after another, until the signal. */
export async function runClients({ url, keys, seed, signal }: Target): Promise<Load> {
  const load: Load = { statuses: new Map(), latencies: [], errors: [], errorCount: 0, late: [] }
  // Every client waits with it.
  setMaxListeners(0, signal)
  const agent = new Agent({ keepAlive: true, maxSockets: keys.length })
  const ask = (sent: Sent, key: string) => send(agent, url, sent, key)
  const questions = await questionsOf(url, firstOf(firstOf(keys)), ask)
  const fail = (what: string) => {
    load.errorCount++
    if (load.errors.length < DESCRIBED) load.errors.push(what)
  }

  async function client(number: number, own: readonly string[]): Promise<void> {
    let turn = 0
    for (let round = 0; !signal.aborted; round++) {
      const chunk = questions(seed * 1_000_003 + number * 10_007 + round)
      for (const sent of chunk) {
        if (signal.aborted) return
        const answer = await ask(sent, elementAt(own, turn % own.length)).catch((error: Error) => {
          fail(`${error.message}: ${describe(sent)}`)
          return null
        })
        if (!answer) continue
        const { status, milliseconds, left } = answer
        load.statuses.set(status, (load.statuses.get(status) ?? 0) + 1)
        load.latencies.push(milliseconds)
        if (status === 504) {
          if (load.late.length < DESCRIBED) load.late.push(describe(sent))
        } else if (status >= 500 && !(status === 503 && answer.retry)) fail(`${status}: ${describe(sent)}`)
        // A batch uses up to ten of a key's minute.
        if (left !== null && left < 12) turn++
        if (status === 429 || status === 503 || status === 504)
          await pause(1000, undefined, { signal }).catch(() => {})
      }
    }
  }
  await Promise.all(keys.map((own, number) => client(number, own)))
  agent.destroy()
  return load
}

const describe = ({ path, how }: Sent): string =>
  `${how.method ?? ''} ${path} ${JSON.stringify(how.body ?? '')}`.slice(0, 300)

/** Chunks of requests by seed: what the document declares, some earlier days, and some SQL. */
async function questionsOf(
  url: string,
  key: string,
  ask: (sent: Sent, key: string) => Promise<{ readonly text: string }>,
): Promise<(seed: number) => readonly Sent[]> {
  const body = async (path: string) => JSON.parse((await ask({ path, how: {} }, key)).text)
  const document = (await (await fetch(new URL('/v1/openapi.json', url))).json()) as Document
  const companies = await body('/v1/companies?limit=100')
  const bonds = await body('/v1/bonds?limit=100')
  const { as_of: asOf } = companies.meta
  const declared = requestsOf(document, { known: knownOf(bonds.data, companies.data), asOf })
  const day = (back: number) => new Date(Date.parse(asOf) - back * 86_400_000).toISOString().slice(0, 10)
  const earlier = fc
    .tuple(
      fc.constantFrom('companies', 'bonds', 'ratings', 'covenants'),
      fc.constantFrom(day(30), day(90), day(200)),
    )
    .map(([list, as_of]): Sent => ({ path: `/v1/${list}?limit=5&as_of=${as_of}`, how: {} }))
  const sql = fc
    .constantFrom(
      'SELECT sector, count(*) AS n, median(leverage_ratio) AS leverage FROM companies GROUP BY sector',
      'SELECT tenor, avg(spread_bps) AS spread FROM spreads GROUP BY tenor',
      'SELECT * FROM bonds LIMIT 500',
      'SELECT no_such_column FROM bonds',
    )
    .map((statement): Sent => ({ path: '/v1/sql', how: { body: JSON.stringify({ sql: statement }) } }))
  const question = fc.oneof(
    { weight: 60, arbitrary: declared },
    { weight: 1, arbitrary: earlier },
    { weight: 2, arbitrary: sql },
  )
  return seed => fc.sample(question, { numRuns: CHUNK, seed })
}

interface Received extends Answered {
  readonly text: string
  /** Requests left in the key's minute. */
  readonly left: number | null
  /** When to retry. */
  readonly retry: boolean
}

/** One request, with its answer read to the end. */
function send(agent: Agent, url: string, { path, how }: Sent, key: string): Promise<Received> {
  const { hostname, port } = new URL(url)
  const started = performance.now()
  return new Promise((resolve, reject) => {
    const body = how.body === undefined ? undefined : String(how.body)
    const method = how.method ?? (body === undefined ? 'GET' : 'POST')
    const headers = { 'X-API-Key': key, ...(body !== undefined && { 'Content-Type': 'application/json' }) }
    const sent = request({ agent, hostname, port, path, method, headers, timeout: PATIENCE_MS }, response => {
      const parts: Buffer[] = []
      let bytes = 0
      response.on('data', (part: Buffer) => {
        bytes += part.length
        // Only JSON is kept, which is small.
        if (bytes < 1 << 20) parts.push(part)
      })
      response.on('error', reject)
      response.on('end', () => {
        const left = response.headers['x-ratelimit-remaining']
        resolve({
          status: response.statusCode!,
          milliseconds: performance.now() - started,
          bytes,
          text: Buffer.concat(parts).toString(),
          left: left === undefined ? null : Number(left),
          retry: response.headers['retry-after'] !== undefined,
        })
      })
    })
    sent.on('timeout', () => sent.destroy(new Error(`no answer in ${PATIENCE_MS} ms`)))
    sent.on('error', reject)
    sent.end(body)
  })
}
