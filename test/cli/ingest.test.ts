import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { ingestExit } from '../../cli/ingest.ts'
import { linkDecision } from '../../engine/snapshot/links.ts'
import { testFolder } from '../folder.ts'
import { until } from '../server/serving.ts'
import { resident } from './resident.ts'
import { start } from './run-cli.ts'

const { tranche } = await resident(t)

const folder = testFolder(t, {
  'companies.csv': 'ticker,name,sector\nALFA,Alfa Drilling Corp,Energy\nBETA,Beta Networks Inc,Technology\n',
  'ratings.csv':
    'company_name,agency,rating,effective_date\nAlfa Drilling Corp,sp,BB-,2025-01-02\nAlfa Drillng,sp,B,2025-01-03\nBeta Networks Inc,nobody,BB,2025-01-02\n',
  'notes.txt': 'Just a note.\n',
})
const lake = join(folder, 'lake')
const run = (...args: string[]) => tranche([...args, '--lake', lake])
const rows = (text: string) =>
  text
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line))

t.test('a missing path creates no lake', async t => {
  const { code, err } = await run('ingest', join(folder, 'nothing.csv'))
  t.equal(code, 3)
  t.match(err, /no such file or folder/)
  t.notOk(existsSync(lake))
  t.equal((await run('ingest')).code, 2)
})

t.test('the report accounts for every row, and rejects are not a failure', async t => {
  const { code, out, err } = await run('ingest', join(folder, 'companies.csv'), join(folder, 'ratings.csv'))
  t.equal(code, 0)
  t.match(rows(out), [
    { status: 'taken', read: 2, accepted: 2, duplicate: 0, rejected: 0, added: { companies: 2 } },
    { status: 'taken', read: 3, accepted: 2, duplicate: 0, rejected: 1, added: { ratings: 2 } },
  ])
  t.match(err, /rejected 1 row of .*ratings\.csv: .*agency/)
  t.match(err, /5 rows read: 4 accepted, 0 duplicate, 1 rejected/)
  t.match(rows((await run('rejects')).out), [
    { position: /3|4/, dataset: 'ratings', column: 'agency', value: 'nobody' },
  ])
  t.equal((await run('rejects', '--dataset', 'bonds')).out, '')
})

t.test('a table sums up by kind of file, and --verbose shows each file', async t => {
  const paths = [join(folder, 'companies.csv'), join(folder, 'notes.txt')]
  const short = await run('ingest', ...paths, '--format', 'table')
  t.match(
    short.out,
    /^kind +files +read +accepted +duplicate +rejected\n[─ ]+\ntable of companies +1 +2 +0 +2 +0\n$/,
  )
  t.match(short.err, /not taken, \S+notes\.txt: text of no known kind that begins "Just a note\."/)
  const { out } = await run('ingest', ...paths, '--format', 'table', '--verbose')
  t.match(out, /^unchanged \S+companies\.csv .*\n.*\nunknown {3}\S+notes\.txt\n {10}text of no known kind/)
})

t.test('ingesting the same files again succeeds and adds nothing; unusable files fail', async t => {
  const again = await run('ingest', join(folder, 'companies.csv'))
  t.equal(again.code, 0)
  t.match(rows(again.out), [{ status: 'unchanged', accepted: 0, duplicate: 2 }])
  t.equal((await run('ingest', join(folder, 'notes.txt'))).code, 4)
  t.equal((await run('ingest', join(folder, 'companies.csv'), join(folder, 'notes.txt'))).code, 0)
  t.equal((await run('ingest', join(folder, 'ratings.csv'), '--strict')).code, 4)
})

t.test('an unmatched issuer is listed, linked and remembered', async t => {
  t.equal((await run('build')).code, 0)
  const before = await run('link')
  t.match(rows(before.out), [{ name: 'Alfa Drillng', method: 'own', datasets: ['ratings'], rows: 1 }])
  const typo = await run('link', 'set', 'Alfa Drilng', 'ALFA')
  t.equal(typo.code, 0)
  t.match(typo.err, /warning: .*did you mean Alfa Drillng/)
  t.equal((await run('link', 'set', 'Alfa Drillng', 'ALFA')).code, 0)
  t.equal((await run('link', 'set', 'Alfa Drillng')).code, 2)
  t.equal((await run('link', 'lst')).code, 2)
  t.equal((await run('build')).code, 0)
  t.equal((await run('link')).out, '')
  t.equal(rows((await run('ratings', '--ticker', 'ALFA')).out).length, 2)
  const csv = join(folder, 'links.csv')
  await writeFile(csv, 'name,ticker\nAlfa Drillng,-\n')
  t.equal((await run('link', 'import', csv)).code, 0)
  t.equal((await run('build')).code, 0)
  t.equal(rows((await run('ratings', '--ticker', 'ALFA')).out).length, 1, 'the last decision holds')
})

t.test('Ctrl-C during ingest leaves the lake intact', async t => {
  const lines = ['ticker,spread_date,tenor,spread_bps']
  for (let i = 0; i < 400_000; i++)
    lines.push(`T${i % 997},20${10 + (i % 15)}-0${1 + (i % 9)}-1${i % 10},${1 + 2 * (i % 2)}Y,${i % 900}`)
  const big = join(folder, 'spreads.csv')
  await writeFile(big, `${lines.join('\n')}\n`)
  const child = start(['ingest', big, '--lake', lake])
  const closed = once(child, 'close')
  await until(() => existsSync(join(lake, 'LOCK')))
  child.kill('SIGINT')
  const [code, signal] = await closed
  t.ok(code === 130 || signal === 'SIGINT', `${code} ${signal}`)
  const doctor = rows((await run('doctor')).out)
  t.strictSame(
    doctor.filter(f => f.status === 'problem'),
    [],
  )
  t.match(
    doctor.find(f => f.check === 'lock'),
    { status: 'ok' },
  )
  t.equal((await run('companies')).code, 0)
})

t.test('the exit code shows whether anything was accepted', async t => {
  const report = (counts: object, files: object) =>
    ({
      files: [],
      totals: {
        read: 0,
        accepted: 0,
        duplicate: 0,
        rejected: 0,
        added: {},
        ...counts,
        files: { taken: 0, unchanged: 0, refused: 0, unknown: 0, ...files },
      },
    }) as never
  t.equal(ingestExit(report({ accepted: 1, rejected: 9 }, { taken: 1, unknown: 1 }), false), undefined)
  t.equal(ingestExit(report({ accepted: 1, rejected: 9 }, { taken: 1 }), true), 4)
  t.equal(ingestExit(report({ accepted: 1 }, { taken: 1, unknown: 1 }), true), undefined)
  t.equal(ingestExit(report({}, { taken: 1, refused: 1 }), true), 4)
  t.equal(ingestExit(report({ duplicate: 3 }, { unchanged: 1, refused: 1 }), false), undefined)
  t.equal(ingestExit(report({ rejected: 3 }, { taken: 1 }), false), 4)
  t.equal(ingestExit(report({}, { unknown: 2 }), false), 4)
  t.equal(ingestExit(report({}, {}), false), 4, 'an empty folder')
  t.equal(ingestExit(report({}, { taken: 1 }), false), undefined, 'a table without rows')
})

t.test('names, LEIs and CIKs in a link are recognised by their form', async t => {
  const nobody = { name: null, lei: null, cik: null, ticker: null }
  t.strictSame(linkDecision('Acme Finance Corp', 'acme'), {
    ...nobody,
    name: 'Acme Finance Corp',
    ticker: 'ACME',
  })
  t.strictSame(linkDecision('549300XYZABCDEFGHI12', 'ACME'), {
    ...nobody,
    lei: '549300XYZABCDEFGHI12',
    ticker: 'ACME',
  })
  t.strictSame(linkDecision('CIK320193', '-'), { ...nobody, cik: '0000320193' })
  t.strictSame(linkDecision('7-Eleven Inc', 'SE'), { ...nobody, name: '7-Eleven Inc', ticker: 'SE' })
})
