import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { PublicServers } from '../fetch/public-servers.ts'
import { ANNUAL, paths, published, treasuryPath } from '../fetch/published.ts'
import { testFolder } from '../folder.ts'
import { until } from '../server/serving.ts'
import { resident } from './resident.ts'
import { start } from './run-cli.ts'

const { tranche } = await resident(t)

const AGENT = 'Jane Doe jane@example.com'

async function setUp(t: Test) {
  const servers = await PublicServers.start(published)
  t.teardown(servers.close)
  const lake = join(testFolder(t), 'credit')
  const env = { TRANCHE_USER_AGENT: AGENT, TRANCHE_FETCH_MIRROR: servers.url, TRANCHE_LAKE: lake }
  const run = (...args: string[]) => tranche(args, '', env)
  const fetch = (...args: string[]) => run('fetch', ...args, '--per-second', '10')
  return { servers, lake, env, run, fetch, to: `${lake}-fetched` }
}

const rows = (text: string) =>
  text
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line))

t.test('from nothing to an answered screen', async t => {
  const { servers, fetch, run } = await setUp(t)
  const company = await fetch('sec', '--tickers', 'acme', '--since', '2023', '--forms', '10-K,8-K')
  t.equal(company.code, 0, company.err)
  t.match(rows(company.out), [
    { what: 'sec', files: 1, fetched: 1 },
    { what: 'sec/submissions', files: 2, fetched: 2 },
    { what: 'sec/companyfacts', files: 1, fetched: 1, bytes: published[paths.facts]!.length },
    { what: 'sec/filings', files: 4, fetched: 4, failed: 0 },
  ])
  t.match(company.err, /8 new or changed files in .*credit-fetched/)
  t.match((await run('companies')).code, 3, 'there is no lake yet')
  t.equal((await fetch('treasury', '--since', '2025')).code, 0)
  t.equal((await fetch('fred', '--series', 'DGS10')).code, 0)
  t.equal((await fetch('gleif')).code, 0)
  const bonds = await fetch('nport', '--funds', 'MBND', '--ingest')
  t.equal(bonds.code, 0, bonds.err)
  t.match(bonds.err, /added: .*bonds 1, prices 1/)
  for (const path of [paths.lei, paths.parents]) servers.publish(`${path}?delta=LastDay`, published[path]!)
  const built = await fetch('--update', '--build')
  t.equal(built.code, 0, built.err)
  t.match(built.err, /2 new or changed files(.|\n)*snapshot \S+ is current/)
  t.match(built.err, /\d+ taken, \d+ unchanged, 0 refused, 0 of no known kind/)

  t.match(rows((await run('companies', '--min-leverage', '3')).out), [
    { ticker: 'ACME', cik: '0000012345', total_debt: 80_000_000_000, leverage_ratio: 4 },
  ])
  t.match(rows((await run('bonds', '--min-ytm', '6')).out), [
    { cusip: '998XSRA10', ticker: 'ACME', pricing: { last_price: 98.2 } },
  ])
  t.match(rows((await run('instruments', '--ticker', 'ACME')).out), [
    { coupon_rate: 6, carrying_amount: 80_000_000_000 },
  ])
  t.equal(rows((await run('search', 'revolver', '--limit', '1')).out).length, 1)
  const on = async (day: string) => rows((await run('bonds', '--as-of', day)).out).length
  t.strictSame([await on('2025-06-26'), await on('2025-06-27')], [0, 1], 'known when the fund filed')
})

t.test('SIGTERM ends it at once, and the next run continues', async t => {
  const { servers, env, fetch, to } = await setUp(t)
  servers.spoil(paths.annual, { kind: 'stall' })
  const child = start(['fetch', 'sec', '--tickers', 'ACME', '--since', '2025', '--per-second', '10'], env)
  const ended = once(child, 'close')
  const partial = join(to, '.fetch/partial')
  const begun = () => servers.asked.some(({ path, status }) => path === paths.annual && status === 200)
  await until(() => child.exitCode !== null || (begun() && existsSync(partial)))
  child.kill('SIGTERM')
  const [code, signal] = await ended
  t.ok(code === 143 || signal === 'SIGTERM', `${code} ${signal}`)
  t.notOk(existsSync(join(to, `sec/filings/0000012345/${ANNUAL}.txt`)))
  servers.takePaths()
  const again = await fetch('--update')
  t.equal(again.code, 0, again.err)
  t.equal(readFileSync(join(to, `sec/filings/0000012345/${ANNUAL}.txt`), 'utf8'), published[paths.annual])
  t.notOk(servers.takePaths().includes(paths.current), 'what had arrived is not asked for again')
})

t.test('mistakes are one sentence that says what to do', async t => {
  const { servers, lake, fetch, run, env } = await setUp(t)
  const failed = async (code: number, message: RegExp, ...args: string[]) => {
    const { code: found, err } = await fetch(...args)
    t.equal(found, code, args.join(' '))
    t.match(err, message)
    t.equal(
      err
        .replace(/\n {2}allowed: .*/, '')
        .trim()
        .split('\n').length,
      1,
      err,
    )
  }
  await failed(2, /name what to fetch: tranche fetch sec --tickers AAPL,VZ/)
  await failed(2, /no action "fetch edgar"/, 'edgar')
  await failed(2, /name companies: tranche fetch sec --tickers AAPL,VZ, or --ciks/, 'sec')
  await failed(2, /funds is required: tranche fetch nport --funds LQD,HYG/, 'nport')
  await failed(2, /2026-06 is not a quarter such as 2026q2/, 'nport', '--quarters', '2026-06')
  await failed(2, /tickers is not an option of "fetch treasury"/, 'treasury', '--tickers', 'ACME')
  await failed(2, /tickers does not go with --update/, 'sec', '--tickers', 'ACME', '--update')
  await failed(2, /since must be a year or a day/, 'treasury', '--since', 'May')
  await failed(2, /ciks are numbers/, 'sec', '--ciks', 'ACME')
  await failed(3, /no company with ticker ACMF; did you mean ACME\?/, 'sec', '--tickers', 'ACMF')
  await failed(3, /nothing has been fetched/, '--update')
  servers.spoil(paths.tickers, { kind: 'status', status: 429, headers: { 'retry-after': '900' } })
  await failed(
    5,
    /www\.sec\.gov asks for fewer requests \(429\): run the same command after/,
    'sec',
    '--tickers',
    'ACME',
  )
  const before = servers.asked.length
  const { code, err } = await tranche(['fetch', 'treasury'], '', { ...env, TRANCHE_USER_AGENT: '' })
  t.equal(code, 2)
  t.match(
    err,
    /say who asks, with a mail address.*--agent "Jane Doe jane@example.com", or set TRANCHE_USER_AGENT/,
  )
  t.equal(servers.asked.length, before)
  t.notOk(existsSync(lake), 'no lake is made by a mistake')
  t.equal((await run('fetch', 'treasury', '--since', '2025', '--format', 'json')).code, 0)
  t.ok(servers.takePaths().includes(treasuryPath(2025)))
})
