import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { elementAt } from '../../engine/base/elements.ts'
import type { Ground, OwnCase } from '../case.ts'
import { Mismatch, median, ratioOf } from '../measure.ts'
import { createKeys, type Served, served } from '../serve-lake.ts'
import type { Effort, Measured } from '../timing.ts'

const CONNECTIONS = 10
const QUERY = 'sort=-leverage_ratio&limit=50'

/** Every company passes, and no two requests are equal. */
const distinct = (n: number): string => `/v1/companies?${QUERY}&min_debt=${-1 - n}`
const repeated = `/v1/companies?${QUERY}&min_debt=-1`

interface Contestant {
  readonly url: string
  readonly path: (n: number) => string
  readonly headers?: Readonly<Record<string, string>>
  readonly status?: number
}

// Over 80 lines: one measurement: set up, take turns, tear down.
async function measureHttp(ground: Ground, effort: Effort): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'tranche-bench-http-'))
  const state = join(folder, 'state.db')
  const keys = await createKeys(state)
  const lake = ground.engine.lake.root
  const servers: Served[] = []
  try {
    const start = async (file: string, ...words: string[]) => {
      const server = await served(file, ...words)
      servers.push(server)
      return server.url
    }
    const own = await start('../cli/main.js', 'serve', '--port', '0', '--lake', lake, '--state', state)
    const peers = 'http-peers.js'
    const file = ground.file('companies')
    let next = 0
    const key = () => elementAt(keys, next++ % keys.length)
    const ask = async (url: string, path: string) =>
      (await fetch(url + path, { headers: { 'X-API-Key': key() } })).json() as Promise<{ data: unknown }>
    // Repeated until the table is in memory.
    for (let i = 0; i < 20; i++) await ask(own, distinct(i))
    const wanted = await ask(own, repeated)
    const first = await fetch(own + repeated, { headers: { 'X-API-Key': key() } })
    const ready = join(folder, 'ready.json')
    await (await import('node:fs/promises')).writeFile(ready, await first.text())
    const contestants: Record<string, Contestant> = {
      'Express, ready bytes': { url: await start(peers, 'ready', ready), path: distinct },
      'Express, res.json': { url: await start(peers, 'json', ready), path: distinct },
      'Express over prepared DuckDB': { url: await start(peers, 'duckdb', file), path: distinct },
      'engine, a repeated query': { url: own, path: () => repeated },
      'engine, not modified': {
        url: own,
        path: () => repeated,
        headers: { 'If-None-Match': first.headers.get('etag')! },
        status: 304,
      },
      engine: { url: own, path: distinct },
    }
    for (const [name, { url, path, status }] of Object.entries(contestants)) {
      if (status) continue
      const { data } = await ask(url, path(0))
      if (JSON.stringify(data) !== JSON.stringify(wanted.data)) throw new Mismatch(`${name} sends other rows`)
    }
    const [seconds, rounds] = effort.roundTime >= 1000 ? [3, 3] : [1, 2]
    let asked = 1000
    const rates = new Map<string, number[]>()
    const p99s = new Map<string, number[]>()
    const counts = new Map<string, number>()
    for (let round = -1; round < rounds; round++)
      for (const [name, { url, path, headers, status = 200 }] of Object.entries(contestants)) {
        const result = await autocannon({
          url,
          connections: CONNECTIONS,
          duration: round < 0 ? 1 : seconds,
          requests: [
            {
              method: 'GET',
              setupRequest: request => ({
                ...request,
                path: path(asked++),
                headers: { ...headers, 'X-API-Key': key() },
              }),
            },
          ],
        })
        const codes = Object.keys((result as unknown as { statusCodeStats: object }).statusCodeStats)
        if (codes.join() !== String(status) || result.errors > 0)
          throw new Error(`${name} answered ${codes.join(', ')} with ${result.errors} errors`)
        if (round < 0) continue
        rates.set(name, [...(rates.get(name) ?? []), result.requests.total / result.duration])
        p99s.set(name, [...(p99s.get(name) ?? []), result.latency.p99])
        counts.set(name, (counts.get(name) ?? 0) + result.requests.total)
      }
    const mine = rates.get('engine')!
    return {
      name: httpPages.name,
      question: httpPages.question,
      rounds: mine.length,
      contestants: Object.fromEntries(
        [...rates].map(([name, each]) => [
          name,
          {
            calls: counts.get(name)!,
            p50: (1000 * CONNECTIONS) / median(each),
            p99: median(p99s.get(name)!),
            perSecond: median(each),
          },
        ]),
      ),
      ratios: Object.fromEntries(
        [...rates]
          .filter(([name]) => name !== 'engine')
          .map(([name, each]) => [name, ratioOf(each.map((rate, i) => rate / elementAt(mine, i)))]),
      ),
      meanRows: 50,
      missing: [],
    }
  } finally {
    await Promise.all(servers.map(server => server.stop()))
    await rm(folder, { recursive: true, force: true })
  }
}

export const httpPages: OwnCase = {
  name: 'http pages',
  question:
    'How many pages of 50 companies does a server send a second, no two asked alike, each checked and counted?',
  sizes: ['small', 'medium'],
  quick: ['small'],
  measure: measureHttp,
}
