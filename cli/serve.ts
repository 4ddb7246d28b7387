import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import { invalid, QueryError } from '../engine/base/errors.ts'
import { isStore } from '../engine/lake/store/address.ts'
import { dayOf, type Interval, intervals } from '../engine/operations/panel-days.ts'
import { boolean, integer, oneOf, text } from '../engine/schema/column.ts'
import { fallback, many, one } from '../engine/schema/params.ts'
import { checkRemote, REMOTE_ABOVE } from '../engine/snapshot/remote-use.ts'
import { isThisMachine } from '../server/http/loopback.ts'
import { parsePublicUrl } from '../server/http/public-url.ts'
import { ROWS_OF_A_FILE } from '../server/limits/rows-of-a-file.ts'
import { logLevels } from '../server/log/log-levels.ts'
import type { Oidc } from '../server/pages/single-sign-on.ts'
import type { DaysAhead } from '../server/process/days-ahead.ts'
import { loadServer } from '../server/process/load-server.ts'
import {
  copySnapshot,
  gatherMetrics,
  isWorker,
  runWorker,
  superviseWorkers,
  workerIndex,
} from '../server/process/workers.ts'
import type { Accounts } from '../server/state/accounts.ts'
import { stateLocation } from '../server/state/location.ts'
import type { State } from '../server/state/state.ts'
import { DEMO_EMAIL, ensureDemoAccount } from '../server/v1/demo-account.ts'
import { command, lakeLocation, lakeParams, stateParams, verbatim } from './command.ts'
import { dayTables } from './days.ts'
import { exits } from './errors.ts'
import { stoppable } from './interrupt.ts'
import { notice } from './output.ts'
import { followNotices } from './pull.ts'
import { cacheBytes, cacheFolder, cacheFolderParam, cacheParams } from './store-lake.ts'

export const serveCommand = command({
  word: 'serve',
  params: {
    port: fallback(one(integer('Port; 0 finds a free one.'), { min: 0, max: 65_535 }), 8787),
    host: fallback(one(text('Address to listen on; 0.0.0.0 for all interfaces.')), '127.0.0.1'),
    ...stateParams,
    demo: fallback(
      one(boolean('Create the sample if there is no lake, sign in every visitor, and print a key.')),
      false,
    ),
    enable_sql: fallback(one(boolean('Enable SQL at /v1/sql, each statement in its own process.')), false),
    sql_timeout: fallback(
      one(integer('Time limit of a SQL statement over HTTP.', { unit: 'milliseconds' }), {
        min: 100,
        max: 600_000,
      }),
      5000,
    ),
    sql_rows: fallback(one(integer('Maximum rows of a SQL result over HTTP.'), { min: 1 }), 10_000),
    file_rows: fallback(
      one(integer('Maximum rows of a list in a format other than JSON.'), { min: 1 }),
      ROWS_OF_A_FILE,
    ),
    workers: fallback(one(integer('Processes that share the port.'), { min: 1, max: 64 }), 1),
    timeout: fallback(
      one(integer('Timeout of a request.', { unit: 'milliseconds' }), { min: 100, max: 600_000 }),
      30_000,
    ),
    memory: one(text('Memory of DuckDB in each process, `2GB`; default a share of half the machine.')),
    hot_memory: one(
      text(
        'Memory for frequently used tables in each process, `512MB`; default a share of an eighth of the machine.',
      ),
    ),
    remote: one(
      text(
        'Trino server that holds the snapshots too and answers for large tables, `trino://HOST:8080/CATALOG/SCHEMA`; default TRANCHE_REMOTE.',
      ),
    ),
    remote_above: fallback(
      one(integer('Rows of a table above which the remote engine answers its lists and aggregates.'), {
        min: 0,
      }),
      REMOTE_ABOVE,
    ),
    tls_cert: verbatim('TLS certificate, PEM.', 'FILE'),
    tls_key: verbatim('Its key, PEM.', 'FILE'),
    trust_proxy: one(integer('Number of proxies in front whose X-Forwarded-For is trusted.'), {
      min: 1,
      max: 10,
    }),
    public_url: one(
      text(
        'Public address of the server for invitation links, `https://debt.example.com`; default TRANCHE_PUBLIC_URL, else the address it listens on.',
      ),
    ),
    oidc_issuer: one(
      text('OpenID provider at which people sign in, `https://login.example.com`; needs --public-url.'),
    ),
    oidc_client: one(text('Client id of this server at the provider; TRANCHE_OIDC_SECRET is its secret.')),
    oidc_name: one(text('What the sign-in page calls the provider; default its host.')),
    oidc_email: fallback(
      one(
        text(
          'Claim that names the account; `email` has to be verified by the provider, others are taken as they are.',
        ),
      ),
      'email',
    ),
    cors: many(text('Origins whose pages may call, or `*`.')),
    log_level: fallback(one(oneOf(logLevels, 'Lowest level to log, to stderr.')), 'warn' as const),
    traces: fallback(
      one(boolean('Send OpenTelemetry traces as the variables OTEL_* say; needs @opentelemetry/sdk-node.')),
      false,
    ),
    retention: fallback(
      one(integer('How long to keep usage records.', { unit: 'days' }), { min: 1, max: 3650 }),
      400,
    ),
    grace: fallback(
      one(integer('How long running requests may take to finish on shutdown.', { unit: 'seconds' }), {
        min: 0,
        max: 600,
      }),
      30,
    ),
    every: fallback(
      one(integer('How often a lake that is a store is asked for a new snapshot.', { unit: 'seconds' }), {
        min: 1,
        max: 86_400,
      }),
      30,
    ),
    cache_in: cacheFolderParam,
    ...cacheParams,
    days_from: one(
      text(
        'Have past days ready, from this day or month on (`2020-01`): they are derived in the background after each new snapshot.',
      ),
      { length: 10 },
    ),
    days_every: one(oneOf(intervals, 'Which days these are; default the last of each month.')),
    days_tables: dayTables,
    stop_with_stdin: fallback(
      one(boolean('Stop when standard input ends: with the program that started the server.')),
      false,
    ),
    ...lakeParams,
  },
  notes:
    'Create keys with "tranche keys create". SIGTERM and Ctrl-C shut down gracefully: running requests finish.\n' +
    'TRANCHE_SECRET is the secret that hashes keys, if the store should not hold it.\n' +
    '--lake s3://BUCKET/NAME serves what "tranche push" published there, from a copy on this machine that is kept up to\n' +
    'date (--every, --cache, --cache-in); it needs --state.\n' +
    'TRANCHE_UNKNOWN_PARAMS=ignore ignores unknown parameters with a warning instead of refusing them.',
  examples: [
    '--demo',
    '--port 80 --host 0.0.0.0 --workers 4',
    '--state postgres://tranche@db/tranche --enable-sql',
    '--lake s3://desk/lake --state postgres://tranche@db/tranche --cache 50GB',
    '--days-from 2020-01 --days-every month',
    '--remote trino://trino.internal:8080/debt/lake --remote-above 100000000',
  ],
  // Over 80 lines: every option goes to its part of the server.
  async run(args) {
    const { store, lake } = lakeOf(args)
    const state = stateLocation(args.state, lake)
    const named = args.public_url || process.env['TRANCHE_PUBLIC_URL'] || undefined
    const publicUrl = named === undefined ? undefined : parsePublicUrl(named)
    const remote = await remoteOf(args.remote)
    const unknownParams = unknownParamsOf(process.env['TRANCHE_UNKNOWN_PARAMS'])
    const oidc = oidcOf(args, publicUrl)
    const tls = await readTls(args.tls_cert, args.tls_key)
    const days = daysAheadOf(args, lake)
    if (isWorker()) {
      const { serve } = await loadServer()
      await runWorker(() =>
        serve({
          lake,
          state,
          ...(args.enable_sql && { sql: { timeout: args.sql_timeout, rows: args.sql_rows } }),
          tls,
          trustProxy: args.trust_proxy,
          publicUrl,
          oidc,
          cors: args.cors?.includes('*') ? '*' : args.cors,
          demo: args.demo,
          logLevel: args.log_level,
          retentionDays: workerIndex() === 0 ? args.retention : undefined,
          graceMs: args.grace * 1000,
          memory: args.memory,
          hotMemory: args.hot_memory,
          remote,
          remoteAbove: args.remote_above,
          workers: args.workers,
          timeout: args.timeout,
          unknownParams,
          fileRows: args.file_rows,
          gather: gatherMetrics,
          ...(store !== null && { copySnapshot }),
          traces: args.traces,
        }),
      )
      return undefined
    }
    const traces = args.traces ? await loadTraces() : null
    if (args.stop_with_stdin) stopWithStdin()
    const following = store === null ? null : await followStore(store, lake, args)
    if (args.demo) await prepareDemo(lake, args.host, state)
    let ahead: { stop(): Promise<void> } | null = null
    const { signal, whole } = await superviseWorkers({
      workers: args.workers,
      scheme: tls ? 'https' : 'http',
      host: args.host,
      port: args.port,
      async onReady(url) {
        const key = args.demo ? await demoKey(state) : null
        process.stdout.write(`listening on ${url}\n`)
        if (key) notice(...demoNotice(url, key, args.lake))
        if (days) ahead = (await import('../server/process/days-ahead.ts')).deriveAhead(days)
      },
      onLost: notice,
      ...(following && { copySnapshot: following.copy }),
    }).finally(() => Promise.all([following?.stop(), ahead?.stop()]))
    await traces?.close()
    if (!whole) return exits.busy
    return signal === 'SIGINT' ? exits.interrupted : undefined
  },
})

/** The past days to derive ahead, if any are named. */
function daysAheadOf(
  {
    days_from: from,
    days_every: every,
    days_tables: tables,
  }: {
    days_from?: string | undefined
    days_every?: Interval | undefined
    days_tables?: readonly string[] | undefined
  },
  lake: string,
): DaysAhead | null {
  if (from !== undefined) {
    dayOf('days_from', from, 'first')
    return { lake, from, every: every ?? 'month', tables, notice }
  }
  if (every === undefined && tables === undefined) return null
  throw new QueryError('MISSING_PARAMETER', 'give --days-from, the first of the past days to have ready', {
    parameter: 'days_from',
  })
}

/** Traces of what this process does, pulls from a store; throws here, once, if their package is not there. */
const loadTraces = async () => (await import('../server/log/traces.ts')).openTraces()

/** The remote engine, if one is named. */
async function remoteOf(given: string | undefined): Promise<string | undefined> {
  const address = given || process.env['TRANCHE_REMOTE'] || undefined
  if (address !== undefined) await checkRemote(address)
  return address
}

/** The provider of sign-ins, if one is named. */
function oidcOf(
  given: {
    oidc_issuer?: string | undefined
    oidc_client?: string | undefined
    oidc_name?: string | undefined
    oidc_email: string
  },
  publicUrl: string | undefined,
): Oidc | undefined {
  const { oidc_issuer: issuer, oidc_client: clientId, oidc_name, oidc_email: emailClaim } = given
  if (issuer === undefined) {
    if (clientId !== undefined || oidc_name !== undefined)
      throw new QueryError('MISSING_PARAMETER', 'give --oidc-issuer, the address of the provider', {
        parameter: 'oidc_issuer',
      })
    return undefined
  }
  const url = URL.canParse(issuer) ? new URL(issuer) : null
  if (
    url === null ||
    !(url.protocol === 'https:' || (url.protocol === 'http:' && isThisMachine(url.hostname)))
  )
    throw invalid('oidc_issuer', issuer, 'oidc_issuer must be an https address')
  if (clientId === undefined)
    throw new QueryError('MISSING_PARAMETER', 'give --oidc-client, the id of this server at the provider', {
      parameter: 'oidc_client',
    })
  if (publicUrl === undefined)
    throw new QueryError(
      'MISSING_PARAMETER',
      'give --public-url: the provider sends people back to it, at /session/provider/callback',
      { parameter: 'public_url' },
    )
  const secret = process.env['TRANCHE_OIDC_SECRET'] || undefined
  return { issuer, clientId, secret, name: oidc_name ?? url.host, emailClaim, publicUrl }
}

/** The folder to serve, and the store that it is a copy of. */
function lakeOf({
  lake,
  cache,
  cache_in,
  state,
  demo,
}: StoreOptions & { state?: string | undefined; demo: boolean }) {
  const location = lakeLocation(lake)
  if (!isStore(location)) {
    if (cache !== undefined || cache_in !== undefined)
      throw invalid(
        cache ? 'cache' : 'cache_in',
        cache ?? cache_in,
        'a cache is for a lake that is a store, s3://BUCKET/NAME',
      )
    return { store: null, lake: location }
  }
  if (demo) throw invalid('demo', demo, 'a demo serves a lake of its own: drop --demo, or --lake')
  if (!state && !process.env['TRANCHE_STATE'])
    throw new QueryError(
      'MISSING_PARAMETER',
      'a server of a store needs --state, since its copy may be removed: a SQLite file, or postgres://...',
      { parameter: 'state' },
    )
  return { store: location, lake: cache_in || cacheFolder(location) }
}

interface StoreOptions {
  readonly lake?: string | undefined
  readonly cache?: string | undefined
  readonly cache_in?: string | undefined
}

/** Copies the store's snapshot, then keeps the copy up to date. Without the store, an earlier copy is served. */
async function followStore(
  address: string,
  folder: string,
  { cache, every }: { cache?: string | undefined; every: number },
) {
  const [{ openStore }, { pull }, { follow }] = await Promise.all([
    import('../engine/lake/store/open-store.ts'),
    import('../engine/lake/store/pull.ts'),
    import('../engine/lake/store/follow.ts'),
  ])
  const most = await cacheBytes(cache)
  const how = most === undefined ? {} : { most }
  const store = await openStore(address)
  const notices = followNotices(address)
  await stoppable(signal => pull(store, folder, { ...how, signal })).then(notices.onPulled, async error => {
    if ((await currentOf(folder)) === null) throw error
    notices.onFailure(error)
  })
  const stopping = new AbortController()
  const following = follow(store, folder, {
    ...how,
    ...notices,
    everyMs: every * 1000,
    signal: stopping.signal,
  })
  return {
    copy: following.copy,
    async stop() {
      stopping.abort()
      await following.done
      store.close()
    },
  }
}

/** Commands to begin with, which the sample answers. */
export const firstCommands: readonly string[] = [
  'companies --min-leverage 4 --sort -leverage_ratio --limit 5',
  'bonds --min-ytm 8 --sort -pricing.ytm --limit 5',
  'bonds --min-ytm 8 --plot pricing.duration,pricing.ytm',
  'search change of control --limit 3',
  'sql "SELECT sector, median(leverage_ratio) AS leverage FROM companies GROUP BY 1 ORDER BY 2 DESC"',
]

/** What a demo says beside its address: how to look, how to ask, what to type. */
function demoNotice(url: string, key: string, lake: string | undefined): string[] {
  // In a clone there is no tranche on the PATH.
  const program = process.env['npm_lifecycle_event'] === 'start' ? 'npx tranche' : 'tranche'
  return [
    `demo key: ${key}`,
    `  the explorer at ${url} is signed in on this machine; docs at ${url}/docs`,
    `  curl -H 'X-API-Key: ${key}' '${url}/v1/companies?min_leverage=4&limit=3'`,
    'in another terminal:',
    ...firstCommands.map(line => `  ${program} ${line}${lake ? ` --lake ${lake}` : ''}`),
    'Ctrl-C stops it',
  ]
}

/** A program that is killed cannot stop what it started, but its end of the pipe closes. */
function stopWithStdin(): void {
  const stop = () => process.kill(process.pid, 'SIGTERM')
  process.stdin.once('end', stop).once('error', stop).resume()
}

function unknownParamsOf(setting: string | undefined): 'error' | 'ignore' {
  const given = setting?.trim().toLowerCase() || 'error'
  if (given === 'error' || given === 'ignore') return given
  throw invalid('TRANCHE_UNKNOWN_PARAMS', setting, 'TRANCHE_UNKNOWN_PARAMS must be error or ignore', {
    allowed: ['error', 'ignore'],
  })
}

async function readTls(cert: string | undefined, key: string | undefined) {
  if (!cert && !key) return undefined
  if (!cert || !key)
    throw new QueryError('MISSING_PARAMETER', 'TLS needs both tls_cert and tls_key', {
      parameter: cert ? 'tls_key' : 'tls_cert',
    })
  const tls = { cert: await pem('tls_cert', cert), key: await pem('tls_key', key) }
  try {
    createSecureContext(tls)
  } catch (error) {
    throw invalid('tls_cert', cert, `tls_cert and tls_key do not work together: ${(error as Error).message}`)
  }
  return tls
}

const pem = (parameter: string, path: string): Promise<Buffer> =>
  readFile(path).catch(error => {
    throw invalid(parameter, path, `${parameter} cannot be read: ${(error as Error).message}`)
  })

/** The account of every demo visitor, and the sample if there is no lake yet. */
async function prepareDemo(lake: string, host: string, state: string): Promise<void> {
  if (!isThisMachine(host))
    throw invalid('host', host, 'a demo listens on this machine only: drop --host or --demo')
  await ensureSample(lake)
  await withState(state, ensureDemoAccount)
}

async function ensureSample(lake: string): Promise<void> {
  if ((await currentOf(lake)) !== null) return
  const [{ makeSample }, { showProgress }] = await Promise.all([
    import('./sample.ts'),
    import('./progress.ts'),
  ])
  notice(`no lake at ${lake} yet: making the sample, with fictional issuers`)
  const progress = showProgress()
  await stoppable(signal => makeSample(lake, { scale: 1, seed: 1, signal }, progress.report)).finally(
    progress.end,
  )
}

/** The current snapshot of the lake in a folder; null if there is none, or no lake. */
async function currentOf(folder: string): Promise<string | null> {
  const [{ openLake }, { readCurrent }] = await Promise.all([
    import('../engine/lake/lake.ts'),
    import('../engine/lake/snapshot.ts'),
  ])
  return openLake(folder).then(readCurrent, error => {
    if (error instanceof QueryError && error.code === 'NOT_FOUND') return null
    throw error
  })
}

/** A key with every right, valid until the next demo on the same store. */
const demoKey = (location: string): Promise<string> =>
  withState(location, async state => {
    const old = (await state.listKeys()).find(k => k.email === DEMO_EMAIL && k.revokedAt === null)
    const { key } = old
      ? await state.regenerateKey(old.keyId)
      : await state.createKey({ email: DEMO_EMAIL, tier: 'business', label: 'demo' })
    return key
  })

async function withState<T>(location: string, work: (state: State & Accounts) => Promise<T>): Promise<T> {
  const { openState } = await import('../server/state/open.ts')
  const state = await openState(location)
  try {
    return await work(state)
  } finally {
    await state.close()
  }
}
