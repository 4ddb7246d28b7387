import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { type FetchOptions, type FetchRequest, fetchAgain, fetchSources } from '../../engine/fetch/fetch.ts'
import { testFolder } from '../folder.ts'
import { makeZip } from '../ingest/make-zip.ts'
import { PublicServers } from './public-servers.ts'
import {
  ANNUAL,
  CURRENT,
  EARLIER,
  HOLDINGS,
  paths,
  published,
  submissions,
  treasuryPath,
} from './published.ts'

const AGENT = 'Jane Doe jane@example.com'
const NOW = '2025-06-30T06:00:00.000Z'

const acme: FetchRequest = {
  source: 'sec',
  tickers: ['ACME'],
  ciks: [],
  since: '2023-01-01',
  forms: ['10-K', '8-K'],
}

/** A server with everything, an empty folder, and a clock that stands still unless it is set. */
async function setUp(t: Test) {
  const servers = await PublicServers.start(published)
  t.teardown(servers.close)
  const to = join(testFolder(t), 'fetched')
  const waits: number[] = []
  const clock = { now: NOW }
  const options: FetchOptions = {
    to,
    agent: AGENT,
    mirror: servers.url,
    perSecond: 10,
    now: () => new Date(clock.now),
    // Distances between requests add up to less; waits before another attempt are longer.
    pause: async ms => {
      if (ms >= 500) waits.push(ms)
    },
  }
  const fetch = (...requests: FetchRequest[]) => fetchSources(requests, options)
  return { servers, to, waits, clock, options, fetch, again: () => fetchAgain(options) }
}

const statuses = (report: Awaited<ReturnType<typeof fetchAgain>>) =>
  Object.fromEntries(report.files.map(({ file, status }) => [file, status]))

const series = (...series: string[]): FetchRequest => ({ source: 'fred', series, since: null })
const DGS10 = 'fred/DGS10.csv'

const rejects = async (t: Test, work: Promise<unknown>, code: string, message: RegExp) =>
  t.rejects(work, { code, message }, code)

t.test('a company arrives whole and unchanged, with its addresses and checksums', async t => {
  const { servers, to, fetch } = await setUp(t)
  const { stopped, notes } = await fetch(acme)
  t.strictSame([stopped, notes], [[], []])
  const filings = 'sec/filings/0000012345'
  const expected: Record<string, string> = {
    'sec/company_tickers.json': paths.tickers,
    'sec/submissions/CIK0000012345.json': paths.submissions,
    'sec/submissions/CIK0000012345-submissions-001.json': paths.continuation,
    'sec/companyfacts/CIK0000012345.json': paths.facts,
    [`${filings}/${CURRENT}.txt`]: paths.current,
    [`${filings}/${ANNUAL}.txt`]: paths.annual,
    [`.fetch/index/${ANNUAL}.json`]: paths.index,
    [`${filings}/${ANNUAL}-acme-20241231_htm.xml`]: paths.instance,
    [`${filings}/${EARLIER}.txt`]: paths.earlier,
  }
  const manifest = readFileSync(join(to, '.fetch/manifest.ndjson'), 'utf8').trim().split('\n')
  const records = manifest.map(line => JSON.parse(line))
  t.strictSame(records.map(({ file }) => file).sort(), Object.keys(expected).sort())
  for (const { file, url, bytes, sha256, fetched } of records) {
    const content = readFileSync(join(to, file))
    t.same(content, Buffer.from(published[expected[file]!]!), file)
    t.strictSame(
      [url, bytes, sha256, fetched],
      [`https://${expected[file]}`, content.length, createHash('sha256').update(content).digest('hex'), NOW],
    )
  }
  t.equal(
    readFileSync(join(to, filings, 'INDEX.csv'), 'utf8'),
    `file,cik,accession,form,filing_date,period\n${ANNUAL}-acme-20241231_htm.xml,0000012345,${ANNUAL},10-K,2025-02-20,2024-12-31\n`,
    'the day of filing, which the figures do not say',
  )
  t.ok(servers.asked.every(({ headers }) => headers['user-agent'] === AGENT))
  t.notOk(
    servers.takePaths().some(path => path.includes('submissions-002')),
    'a list that ends before the day',
  )
  t.strictSame(readdirSync(join(to, '.fetch/partial')), [])
})

t.test('an update asks for what may have changed, and takes what did', async t => {
  const { servers, clock, fetch, again } = await setUp(t)
  await fetch(acme)
  servers.takePaths()
  clock.now = '2025-07-01T06:00:00.000Z'
  t.strictSame([...new Set(Object.values(statuses(await again())))].sort(), ['present', 'unchanged'])
  t.ok(servers.asked.every(({ status }) => status === 304))
  t.strictSame(
    servers.takePaths(),
    [paths.tickers, paths.submissions, paths.continuation, paths.facts],
    'the company is known by its CIK, and filings never change',
  )
  const next = '0000012345-25-000030'
  servers.publish(paths.submissions, submissions([next, '8-K', '2025-07-01', '2025-07-01']))
  servers.publish(paths.current.replaceAll('000020', '000030'), published[paths.current]!)
  const changed = statuses(await again())
  t.equal(changed['sec/submissions/CIK0000012345.json'], 'changed')
  t.equal(changed[`sec/filings/0000012345/${next}.txt`], 'fetched')
  t.equal(changed['sec/companyfacts/CIK0000012345.json'], 'unchanged')
})

t.test('requests that differ only in names are one request', async t => {
  const { servers, to, fetch, again } = await setUp(t)
  servers.publish(paths.fred.replace('DGS10', 'DGS2'), published[paths.fred]!)
  await fetch(series('DGS10'))
  await fetch(series('DGS2', 'DGS10'))
  t.strictSame(JSON.parse(readFileSync(join(to, '.fetch/requests.json'), 'utf8')), [series('DGS10', 'DGS2')])
  t.equal((await again()).files.length, 2)
})

t.test('a server that asks for patience gets it', async t => {
  const { servers, waits, fetch } = await setUp(t)
  servers.spoil(
    paths.fred,
    { kind: 'status', status: 429, headers: { 'retry-after': '7' } },
    { kind: 'status', status: 503 },
  )
  t.strictSame(statuses(await fetch(series('DGS10'))), { [DGS10]: 'fetched' })
  t.equal(waits[0], 7000)
  t.ok(waits[1]! >= 2000)
  t.equal(waits.length, 2)
})

t.test('a wait of many minutes is left to the next run', async t => {
  const { servers, fetch } = await setUp(t)
  servers.spoil(paths.tickers, {
    kind: 'status',
    status: 403,
    body: '<title>SEC.gov | Request Rate Threshold Exceeded</title>',
  })
  await rejects(
    t,
    fetch(acme),
    'RATE_LIMITED',
    /fewer requests.*same command after 2025-06-30 06:10 UTC, and it continues/,
  )
})

t.test('a cut download is continued where it stopped', async t => {
  const { servers, to, fetch } = await setUp(t)
  const accession = paths.annual
  servers.spoil(accession, { kind: 'cut' })
  const { files } = await fetch(acme)
  t.ok(files.every(({ status }) => status === 'fetched'))
  const asked = servers.asked.filter(({ path }) => path === accession)
  t.strictSame(
    asked.map(({ status }) => status),
    [200, 206],
  )
  t.match(asked[1]!.headers.range, /^bytes=[1-9]\d*-$/)
  t.equal(readFileSync(join(to, `sec/filings/0000012345/${ANNUAL}.txt`), 'utf8'), published[accession])
})

t.test('what changed while it was cut begins anew', async t => {
  const { servers, to, options, fetch } = await setUp(t)
  const long = `observation_date,DGS10\n${'2025-04-29,4.19\n'.repeat(5000)}`
  servers.publish(paths.fred, long)
  servers.spoil(paths.fred, ...Array.from({ length: 5 }, () => ({ kind: 'cut' }) as const))
  t.match(await fetch(series('DGS10')), { files: [{ status: 'failed', reason: /cut the connection/ }] })
  servers.publish(paths.fred, long.replaceAll('4.19', '4.20'))
  t.strictSame(statuses(await fetchSources([series('DGS10')], options)), { [DGS10]: 'fetched' })
  t.equal(readFileSync(join(to, DGS10), 'utf8'), long.replaceAll('4.19', '4.20'))
})

t.test('neither half a file nor a web page takes the place of a file', async t => {
  const { servers, to, clock, fetch } = await setUp(t)
  await fetch(series('DGS10'))
  const page = '<!DOCTYPE html><html><head><title>Down for maintenance</title></head></html>'
  servers.publish(paths.fred, page)
  clock.now = '2025-07-01T06:00:00.000Z'
  const { files } = await fetch(series('DGS10'))
  t.match(files, [
    { status: 'failed', reason: /is a web page \("Down for maintenance"\), not the file \(5 attempts\)/ },
  ])
  t.equal(readFileSync(join(to, DGS10), 'utf8'), published[paths.fred], 'the earlier one stays')
  for (const path of [paths.submissions, paths.annual, paths.instance, paths.facts])
    servers.spoil(path, { kind: 'short' })
  const company = await fetch(acme)
  t.ok(
    company.files.every(({ status }) => status === 'fetched'),
    'asked for again',
  )
  servers.spoil(paths.lei, { kind: 'short' })
  t.match(await fetch({ source: 'gleif' }), { files: [{ status: 'fetched' }, { status: 'fetched' }] })
})

t.test('a file that was changed or lost on disk is fetched again', async t => {
  const { to, fetch, again } = await setUp(t)
  await fetch(acme)
  const filing = `sec/filings/0000012345/${CURRENT}.txt`
  writeFileSync(join(to, filing), 'changed')
  t.equal(statuses(await again())[filing], 'fetched')
  t.equal(readFileSync(join(to, filing), 'utf8'), published[paths.current])
})

t.test('a line half written by a crash is left out', async t => {
  const { to, fetch, again } = await setUp(t)
  await fetch(series('DGS10'))
  appendFileSync(join(to, '.fetch/manifest.ndjson'), '{"file":"fred/DGS2.csv","ur')
  t.strictSame(statuses(await again()), { [DGS10]: 'unchanged' })
  appendFileSync(join(to, '.fetch/manifest.ndjson'), '{"file":"../x","sha256":""}\n')
  await rejects(t, again(), 'DATA_DAMAGED', /manifest\.ndjson line 2: was changed/)
})

t.test('redirects are followed within the publisher, and nowhere else', async t => {
  const { servers, fetch } = await setUp(t)
  servers.publish('data.stlouisfed.org/moved.csv', published[paths.fred]!)
  servers.spoil(paths.fred, { kind: 'redirect', to: 'https://data.stlouisfed.org/moved.csv' })
  t.strictSame(statuses(await fetch(series('DGS10'))), { [DGS10]: 'fetched' })
  servers.spoil(paths.fred, { kind: 'redirect', to: 'https://elsewhere.example/DGS10.csv' })
  await rejects(
    t,
    fetch(series('DGS10')),
    'SOURCE_UNAVAILABLE',
    /elsewhere\.example, which is not stlouisfed\.org/,
  )
})

t.test('a redirect to anything but a page of the publisher is not followed', async t => {
  const { servers, to, fetch } = await setUp(t)
  const refused = [
    'file:///etc/passwd',
    'http://stlouisfed.org/DGS10.csv',
    'https://stlouisfed.org.evil.example/DGS10.csv',
    'https://stlouisfed.org@evil.example/',
    'https://evilstlouisfed.org/',
    'http://169.254.169.254/latest/meta-data',
    'http://[::1]:1/',
    'data:text/csv,DATE,DGS10',
    '//evil.example/DGS10.csv',
    'gopher://a',
  ]
  for (const location of refused) {
    servers.takePaths()
    servers.spoil(paths.fred, { kind: 'redirect', to: location })
    await rejects(t, fetch(series('DGS10')), 'SOURCE_UNAVAILABLE', /it was not followed/)
    t.strictSame(servers.takePaths(), [paths.fred], location)
  }
  for (const location of ['http://[', 'https://%', 'https://a:b:c/']) {
    servers.spoil(paths.fred, ...Array(5).fill({ kind: 'redirect', to: location }))
    const { files } = await fetch(series('DGS10'))
    t.match(files[0]!.reason, /which is no address/, location)
  }
  servers.spoil(paths.fred, ...Array(40).fill({ kind: 'redirect', to: `/${paths.fred}` }))
  t.match((await fetch(series('DGS10'))).files[0]!.reason, /was redirected 5 times/)
  t.strictSame(readdirSync(join(to, '.fetch/partial')), [])
})

t.test('an answer without an end fills neither the disk nor the day', async t => {
  const { servers, to, options } = await setUp(t)
  const bounded = { ...options, mostBytes: 3_000_000, patience: 400 }
  for (const fault of [{ kind: 'endless' }, { kind: 'endless', isCompressed: true }] as const) {
    servers.takePaths()
    servers.spoil(paths.fred, fault)
    const { files } = await fetchSources([series('DGS10')], bounded)
    t.match(files[0], { status: 'failed', reason: /has more than 3 MB, far more than expected/ })
    t.equal(servers.takePaths().length, 1, 'it is not asked for again')
  }
  servers.spoil(paths.fred, ...Array(5).fill({ kind: 'drip' }))
  const { files } = await fetchSources([series('DGS10')], bounded)
  t.match(files[0], { status: 'failed', reason: /sent \d+ bytes in 0\.4 seconds/ })
  servers.spoil(paths.fred, ...Array(5).fill({ kind: 'stall' }))
  const stalled = await fetchSources([series('DGS10')], bounded)
  t.match(stalled.files[0], { status: 'failed', reason: /was silent for 0\.4 seconds/ })
  t.notOk(existsSync(join(to, DGS10)))
})

/** Copies of a value with each member in turn replaced by one of another form. */
function* misshapen(value: unknown, others: readonly unknown[]): Generator<unknown> {
  for (const other of others) yield other
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value))
    for (const other of misshapen(member, others)) {
      const copy = Array.isArray(value) ? [...value] : { ...value }
      Object.assign(copy, { [name]: other })
      yield copy
    }
}

t.test('JSON of another form is the failure of its file', async t => {
  const others = [null, 5, 'x,\n../../../y', [null], { toString: 1 }]
  const requests: readonly FetchRequest[] = [
    { ...acme, forms: ['10-K'] },
    { source: 'nport', funds: ['MBND'], since: null },
  ]
  const { servers, to, options } = await setUp(t)
  let tried = 0
  for (const path of [paths.tickers, paths.submissions, paths.continuation, paths.index, paths.funds])
    for (const copy of misshapen(JSON.parse(String(published[path])), others)) {
      if (tried++ % 3 > 0) continue
      servers.publish(path, JSON.stringify(copy))
      await fetchSources(requests, { ...options, to: join(to, String(tried)) }).catch(error => {
        if (!['SOURCE_UNAVAILABLE', 'INVALID_TICKER', 'NOT_FOUND'].includes(error.code))
          t.fail(`${error}: ${JSON.stringify(copy)}`)
      })
      servers.publish(path, published[path]!)
    }
  t.ok(tried > 300, `${tried}`)
  const left = readdirSync(to, { recursive: true, encoding: 'utf8' })
  t.strictSame(
    left.filter(name => !/^\d+(\/(\.fetch|sec|nport)(\/.*)?)?$/.test(name)),
    [],
    'no file outside of the folder',
  )
  for (const name of left.filter(name => name.endsWith('INDEX.csv')))
    for (const line of readFileSync(join(to, name), 'utf8').trim().split('\n').slice(1))
      t.match(line, /^[\w.-]+,\d{10},[\d-]{20},[\w ./&-]*,\d{4}-\d{2}-\d{2},(\d{4}-\d{2}-\d{2})?$/)
})

t.test('unknown companies, funds and series are errors that name them', async t => {
  const { servers, fetch } = await setUp(t)
  await rejects(
    t,
    fetch({ ...acme, tickers: ['ACMF'] }),
    'INVALID_TICKER',
    /no company with ticker ACMF; did you mean ACME\?/,
  )
  t.strictSame(servers.takePaths(), [paths.tickers], 'before anything else is asked for')
  await rejects(t, fetch({ ...acme, tickers: [], ciks: ['99'] }), 'NOT_FOUND', /no filer with CIK 0000000099/)
  await rejects(
    t,
    fetch({ source: 'nport', funds: ['MBNF'], since: null }),
    'INVALID_TICKER',
    /did you mean MBND\?/,
  )
  servers.publish(
    paths.series.replace('S000000001', 'S000000009'),
    '<!DOCTYPE html><html>No matching CIK</html>',
  )
  await rejects(
    t,
    fetch({ source: 'nport', funds: ['S000000009'], since: null }),
    'NOT_FOUND',
    /no fund S000000009/,
  )
  await rejects(t, fetch(series('DGS10', 'DGS11')), 'NOT_FOUND', /no series DGS11/)
  const { stopped, files } = await fetch({ ...acme, tickers: ['NOPE'] }, series('DGS10'))
  t.match([stopped, files.map(({ status }) => status)], [[{ source: 'sec' }], ['unchanged', 'unchanged']])
})

t.test('a fund gives its newest report, or those since a day', async t => {
  const { servers, to, fetch } = await setUp(t)
  const { files } = await fetch({ source: 'nport', funds: ['mbnd'], since: null })
  const report = `nport/S000000001/${HOLDINGS}.xml`
  t.strictSame(files.map(({ file }) => file).at(-1), report)
  t.equal(readFileSync(join(to, report), 'utf8'), published[paths.holdings])
  t.match(
    readFileSync(join(to, 'nport/S000000001/INDEX.csv'), 'utf8'),
    `${HOLDINGS}.xml,0000077777,${HOLDINGS},NPORT-P,2025-06-27,`,
  )
  servers.publish(
    paths.holdings.replace(HOLDINGS.replaceAll('-', ''), '000007777724000100'),
    published[paths.holdings]!,
  )
  const since = await fetch({ source: 'nport', funds: ['S000000001'], since: '2024-01-01' })
  t.equal(since.files.filter(({ file }) => file.startsWith('nport/')).length, 2)
})

t.test('the data set of a quarter is fetched once, and again when it was published anew', async t => {
  const { servers, to, fetch, again } = await setUp(t)
  const path = 'www.sec.gov/files/dera/data/form-n-port-data-sets/2025q2_nport.zip'
  const file = 'nport/quarters/2025q2_nport.zip'
  const quarter = makeZip([{ name: '2025q2_nport/FUND_REPORTED_HOLDING.tsv', content: 'ACCESSION_NUMBER' }])
  const nport = { source: 'nport', funds: [], since: null } as const
  servers.publish(path, quarter)
  const { files, notes } = await fetch({ ...nport, quarters: ['2025q2', '2025q3'] })
  t.match(files, [{ file, status: 'fetched' }])
  t.match(notes, [/^2025q3: no data set is published/])
  t.ok(readFileSync(join(to, file)).equals(quarter))
  await fetch({ ...nport, funds: ['MBND'] })
  const later = (await again()).files.filter(each => each.file === file)
  t.match(later, [{ status: 'unchanged' }], 'a request for funds keeps the quarters')
  servers.publish(path, makeZip([{ name: 'SUBMISSION.tsv', content: 'ACCESSION_NUMBER' }]))
  const wrong = (await again()).files.filter(each => each.file === file)
  t.match(wrong, [{ status: 'failed', reason: /without FUND_REPORTED_HOLDING.tsv/ }])
  t.ok(readFileSync(join(to, file)).equals(quarter), 'what is not the data set replaces nothing')
})

t.test('years of the curve that are over are asked for once', async t => {
  const { servers, clock, fetch, again } = await setUp(t)
  servers.publish(treasuryPath(2024), published[treasuryPath(2025)]!)
  await fetch({ source: 'treasury', since: '2024-01-01' })
  t.strictSame(servers.takePaths(), [treasuryPath(2024), treasuryPath(2025)])
  clock.now = '2025-07-01T06:00:00.000Z'
  await again()
  t.strictSame(servers.takePaths(), [treasuryPath(2025)])
})

t.test('LEIs come whole once, then by what changed since', async t => {
  const { servers, clock, fetch, again } = await setUp(t)
  for (const delta of ['LastDay', 'LastWeek', 'LastMonth'])
    for (const path of [paths.lei, paths.parents]) servers.publish(`${path}?delta=${delta}`, published[path]!)
  await fetch({ source: 'gleif' })
  t.strictSame(servers.takePaths(), [paths.lei, paths.parents])
  for (const [now, delta] of [
    ['2025-06-30T16:00:00.000Z', '?delta=LastDay'],
    ['2025-07-01T16:00:00.000Z', '?delta=LastWeek'],
    ['2025-07-20T16:00:00.000Z', '?delta=LastMonth'],
    ['2025-09-20T16:00:00.000Z', ''],
  ] as const) {
    clock.now = now
    await again()
    t.strictSame(servers.takePaths(), [`${paths.lei}${delta}`, `${paths.parents}${delta}`], now)
  }
})

t.test('requests to one publisher keep their distance', async t => {
  const { servers, options } = await setUp(t)
  const ids = ['DGS1', 'DGS2', 'DGS3', 'DGS5']
  for (const id of ids) servers.publish(paths.fred.replace('DGS10', id), published[paths.fred]!)
  const { pause: _, ...usual } = options
  await fetchSources([series(...ids)], usual)
  const times = servers.asked.map(({ at }) => at)
  t.ok(times.at(-1)! - times[0]! >= 290, 'three tenths of a second for four requests')
})

t.test('an agent without a mail address asks nothing', async t => {
  const { servers, options } = await setUp(t)
  for (const [agent, code] of [
    ['', 'MISSING_PARAMETER'],
    ['jane@example.com', 'INVALID_PARAMETER'],
    ['Jane Doe', 'INVALID_PARAMETER'],
    ['Jane\nDoe jane@example.com', 'INVALID_PARAMETER'],
  ] as const)
    await rejects(
      t,
      (async () => fetchSources([acme], { ...options, agent }))(),
      code,
      /--agent "Jane Doe jane@example.com"/,
    )
  t.strictSame(servers.asked, [])
})

t.test('a server that refuses, is gone or fails says what to do', async t => {
  const { servers, options, fetch } = await setUp(t)
  servers.spoil(paths.tickers, { kind: 'status', status: 403, body: 'no' })
  await rejects(t, fetch(acme), 'FORBIDDEN', /www\.sec\.gov refuses the request.*--agent/)
  servers.spoil(paths.tickers, { kind: 'status', status: 418 })
  await rejects(t, fetch(acme), 'SOURCE_UNAVAILABLE', /answers 418.*newer version/)
  const broken = { kind: 'status', status: 500 } as const
  for (const id of ['DGS10', 'DGS2', 'DGS5'])
    servers.spoil(paths.fred.replace('DGS10', id), ...Array(5).fill(broken))
  await rejects(
    t,
    fetch(series('DGS10', 'DGS2', 'DGS5', 'DGS7')),
    'SOURCE_UNAVAILABLE',
    /answers 500.*it continues/,
  )
  await servers.close()
  const down = fetchSources([acme], options)
  await rejects(
    t,
    down,
    'SOURCE_UNAVAILABLE',
    /www\.sec\.gov refuses the connection \(5 attempts\): run the same command later/,
  )
})

t.test('an update of an empty folder, and two fetches into one, are refused', async t => {
  const { options, again } = await setUp(t)
  await rejects(t, again(), 'NOT_FOUND', /nothing has been fetched.*begin with "tranche fetch sec --tickers/)
  let second: Promise<unknown> = Promise.resolve()
  const progress = () => {
    second = fetchSources([series('DGS10')], options)
    second.catch(() => {})
  }
  await fetchSources([series('DGS10')], { ...options, progress: once(progress) })
  await rejects(t, second, 'OVERLOADED', /process \d+ on .* has been fetching into .*wait until it ends/)
})

function once(work: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) work()
    isDone = true
  }
}
