import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { ingest } from '../../engine/ingest/ingest.ts'
import { takeLock } from '../../engine/lake/lock.ts'
import { currentManifest } from '../../engine/lake/snapshot.ts'
import { build } from '../../engine/snapshot/build.ts'
import { sourceKinds, staleTables } from '../../engine/snapshot/data-health.ts'
import { pendingLinks, readLinks } from '../../engine/snapshot/links.ts'
import type { Log } from '../../server/log/log.ts'
import { openState } from '../../server/state/open.ts'
import { testFolder } from '../folder.ts'
import { makeLake } from '../make-lake.ts'
import { UNLINKED as FUND, unlinkedIssuer } from '../unlinked-issuer.ts'
import { signedUp } from './browser.ts'
import { start } from './start.ts'

const folder = testFolder(t, {
  'prices.csv':
    'cusip,price_date,price,price_source\n000000AA7,2025-01-03,96,vendor\n000000AA7,2025-01-06,abc,vendor\n',
  'odd.csv': 'colour\nblue\n',
})
let stores = 0

/** A server over a lake with an issuer that no company was found for. */
async function startWith(t: Test) {
  const lake = await makeLake(t.teardown, unlinkedIssuer)
  for (const file of ['prices.csv', 'odd.csv'])
    await ingest(lake, [join(folder, file)], { dataset: 'prices' })
  await build(lake)
  const state = await openState(join(folder, `${stores++}.db`))
  t.teardown(() => state.close())
  const logged: object[] = []
  const note = (about: object) => void logged.push(about)
  const log = { info: note, warn: note, error: note } as unknown as Log
  const running = await start(t, { lake, state, accounts: state, log })
  const signUp = async (email: string, role: 'user' | 'admin') =>
    signedUp(running.url, (await state.createAccount({ email, tier: 'business', role })).token)
  return { ...running, logged, root: await signUp('root@fund.example', 'admin'), signUp }
}

t.test('an administrator sees coverage, stale tables, findings and refusals with what to do', async t => {
  const { root, lake } = await startWith(t)
  const { status, body } = await root.get('/admin/data-health')
  t.equal(status, 200)
  const { data } = body
  const { id } = await currentManifest(lake)
  t.match(data, { snapshot: id, as_of: '2025-06-02', stale: [] })
  t.match(data, { rejected: [{ reason: /^price must be/, count: 1, do: /ingest the file again/ }] })
  t.match(data, { refused: [{ count: 1, examples: [/odd\.csv/], do: /exclude these files/ }] })
  const bonds = data.tables.find(({ table }: { table: string }) => table === 'bonds')
  t.match(bonds, { rows: 4, companies: 3 })
  const finding = data.findings.find(({ check }: { check: string }) => check === 'bonds of unlinked issuers')
  t.match(finding, { severity: 'note', says: /^1 of 4 .*BLUE OWL CREDIT INCOME CORP/, do: /tranche link/ })
})

t.test('a candidate is accepted, waits for the next build, and is then linked', async t => {
  const { root, lake, logged } = await startWith(t)
  const before = (await root.get('/admin/unlinked-issuers')).body
  t.match(before, {
    data: [{ who: FUND, rows: 1, datasets: ['bonds'], candidates: [{ ticker: 'OBDC' }, { ticker: 'OWL' }] }],
    meta: { total: 1, writable: true, pending: 0 },
  })
  t.match(await root.send('POST', '/admin/links', { who: FUND, ticker: 'OBDC' }), {
    status: 201,
    body: { data: { who: FUND, ticker: 'OBDC' } },
  })
  t.match(
    logged.filter(entry => 'audit' in entry && entry.audit === 'issuer linked'),
    [{ email: 'root@fund.example', who: FUND, ticker: 'OBDC' }],
  )
  t.match((await root.get('/admin/unlinked-issuers')).body, {
    data: [{ who: FUND, link: 'OBDC' }],
    meta: { pending: 1 },
  })
  await root.send('POST', '/admin/links', { who: FUND, ticker: '-' })
  t.match((await root.get('/admin/unlinked-issuers')).body, { data: [{ link: null }], meta: { pending: 0 } })
  await root.send('POST', '/admin/links', { who: FUND, ticker: 'owl' })
  await build(lake)
  t.strictSame(await pendingLinks(lake), [])
  const linked = (await readLinks(lake, await currentManifest(lake))).find(({ name }) => name === FUND)
  t.match(linked, { company_id: 'OWL' })
  t.match((await root.get('/admin/unlinked-issuers')).body, { data: [], meta: { total: 0 } })
})

t.test('a link that means nothing is refused with what to do, and nothing is written', async t => {
  const { root, lake } = await startWith(t)
  const link = (who: string, ticker: string) => root.send('POST', '/admin/links', { who, ticker })
  t.match(await link('BLUE OWL', 'OWL'), {
    status: 404,
    body: { error: { message: /no row names BLUE OWL/ } },
  })
  t.match(await link(FUND, 'OWLS'), {
    status: 404,
    body: { error: { code: 'INVALID_TICKER', details: { suggestion: 'OWL' } } },
  })
  t.match(await link(FUND, ''), { status: 400 })
  const release = await takeLock(lake, 'build')
  t.match(await link(FUND, 'OWL'), {
    status: 503,
    body: { error: { code: 'OVERLOADED', message: /try again/ } },
  })
  release()
  t.strictSame(await pendingLinks(lake), [])
})

const mayWriteAnywhere = process.getuid?.() === 0 ? 'root may write to any folder' : false

t.test(
  'a lake that may not be written to is refused with the command',
  { skip: mayWriteAnywhere },
  async t => {
    const { root, lake } = await startWith(t)
    await chmod(lake.root, 0o555)
    t.teardown(() => chmod(lake.root, 0o755))
    t.match((await root.get('/admin/unlinked-issuers')).body, { meta: { writable: false } })
    t.match(await root.send('POST', '/admin/links', { who: FUND, ticker: 'OWL' }), {
      status: 403,
      body: { error: { message: /run "tranche link set" with this name and ticker/ } },
    })
  },
)

t.test('only administrators see the report and link, and only from our own page', async t => {
  const { root, signUp, ask, lake } = await startWith(t)
  const ana = await signUp('ana@fund.example', 'user')
  const wanted = { who: FUND, ticker: 'OWL' }
  for (const path of ['/admin/data-health', '/admin/unlinked-issuers']) {
    t.equal((await ana.get(path)).status, 403)
    t.equal((await ask(path)).status, 401, 'a key does not reach it')
  }
  t.equal((await ana.send('POST', '/admin/links', wanted)).status, 403)
  t.equal((await root.send('POST', '/admin/links', wanted, { 'X-CSRF-Token': '' })).status, 403)
  t.strictSame(await pendingLinks(lake), [])
})

t.test('tables that a source feeds regularly are stale by their own ages, oldest first', t => {
  const table = (name: string, last: string | null, newest_known_from: string | null = null) => ({
    table: name,
    rows: 1,
    companies: 1,
    first: null,
    last,
    newest_known_from,
  })
  const stale = staleTables(
    [
      table('pricing', '2025-05-26'),
      table('index_spreads', null, '2025-05-25'),
      table('financials', '2024-12-31'),
      table('ratings', '2010-01-01'),
      table('spreads', null),
    ],
    '2025-06-02',
  )
  t.match(stale, [
    { table: 'financials', last: '2024-12-31', days: 153 },
    { table: 'index_spreads', last: '2025-05-25', days: 8 },
  ])
  t.equal(stale.length, 2)
  t.end()
})

t.test('files are counted by kind, the one not ingested for longest first', t => {
  const record = (kind: string, at: string, accepted: number, refused: string | null = null) =>
    ({ kinds: [kind], at, refused, report: { accepted, rejected: 1 } }) as never
  t.strictSame(
    sourceKinds([
      record('nport', '2026-01-03T00:00:00Z', 5),
      record('fred', '2026-01-01T00:00:00Z', 2),
      record('nport', '2026-01-02T00:00:00Z', 0, 'not XML'),
    ]),
    [
      { kind: 'fred', files: 1, refused: 0, rows: 2, rejected: 1, ingested_at: '2026-01-01T00:00:00Z' },
      { kind: 'nport', files: 2, refused: 1, rows: 5, rejected: 2, ingested_at: '2026-01-03T00:00:00Z' },
    ],
  )
  t.end()
})
