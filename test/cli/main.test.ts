import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { Database, literal } from '../../engine/database/database.ts'
import { currentManifest } from '../../engine/lake/snapshot.ts'
import { builtLake } from '../built-lake.ts'
import { testFolder } from '../folder.ts'
import { addRows, makeLake, twoIssuers } from '../make-lake.ts'
import { plainProcess } from '../plain-process.ts'
import { resident } from './resident.ts'
import { computing, tranche as ofItsOwn, program, start } from './run-cli.ts'

const { tranche } = await resident(t)

const made = await builtLake(done => t.teardown(done), twoIssuers)
const manifest = await currentManifest(made)
const lake = made.root
const folder = testFolder(t)
const ask = (...args: string[]) => tranche(args, '', { TRANCHE_LAKE: lake })

t.test('help is printed to standard output and needs no lake', async t => {
  for (const args of [[], ['--help'], ['help'], ['-h']]) {
    const { code, out, err } = await tranche(args)
    t.strictSame([code, err], [0, ''])
    t.match(out, /^tranche COMMAND/)
  }
  t.match((await tranche(['bonds', '--help'])).out, /--min-ytm/)
  t.match((await tranche(['help', 'bonds'])).out, /--min-ytm/)
  t.match((await tranche(['--version'])).out, /^\d+\.\d+\.\d+\n$/)
})

t.test('a misspelt command or option is corrected, with exit code 2', async t => {
  const word = await ofItsOwn(['bondz'])
  t.strictSame([word.code, word.err], [2, 'tranche: unknown command bondz; did you mean bonds?\n'])
  const option = await tranche(['bonds', '--min-yttm', '5'])
  t.strictSame(
    [option.code, option.err],
    [2, 'tranche bonds: there is no option --min-yttm; did you mean --min-ytm?\n'],
  )
  t.equal((await ask('bonds', '--sort', 'pricing.ytn')).code, 2)
  t.equal((await ask('bonds', 'extra')).code, 2)
})

t.test('unknown things give exit code 3', async t => {
  t.equal((await ask('bonds', '--ticker', 'NOPE')).code, 3)
  const none = await tranche(['bonds', '--lake', join(folder, 'none')])
  t.equal(none.code, 3)
  t.match(none.err, /tranche sample/)
  const empty = await makeLake(done => t.teardown(done), twoIssuers)
  const unbuilt = await tranche(['bonds', '--lake', empty.root])
  t.equal(unbuilt.code, 3)
  t.match(unbuilt.err, /tranche build/)
  for (const format of ['table', 'json', 'csv']) {
    const { code, err } = await ask('bonds', '--cusip', '037833AK6', '--format', format)
    t.equal(code, 3, format)
    if (format !== 'json') t.match(err, /unknown, left out: 037833AK6/)
  }
  t.equal((await ask('companies', '--min-leverage', '1e9')).code, 0, 'nothing found is no unknown thing')
})

t.test('piped rows are NDJSON and complete; a page is marked as one', async t => {
  const all = await ask('companies', '--fields', 'ticker,name')
  t.strictSame(
    all.out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line)),
    [
      { ticker: 'ALFA', name: 'Alfa Drilling Corp' },
      { ticker: 'BETA', name: 'Beta Networks Inc' },
    ],
  )
  t.equal(all.err, '')
  const page = await ask('companies', '--limit', '1')
  t.equal(page.out.trim().split('\n').length, 1)
  t.equal(page.err, '1 of 2 rows\n')
})

t.test('json is the envelope, with the snapshot', async t => {
  const { out } = await ask(
    'companies',
    '--fields=ticker',
    '--sort',
    '-ticker',
    '--format',
    'json',
    '--limit',
    '1',
  )
  t.match(JSON.parse(out), {
    data: [{ ticker: 'BETA' }],
    meta: { total: 2, limit: 1, offset: 0, snapshot: manifest.id },
  })
  t.match(JSON.parse((await ask('resolve', 'alfa', '--format', 'json')).out), {
    data: { query: 'alfa' },
    meta: {},
  })
})

t.test('a table has units under the names', async t => {
  const { out, err } = await ask('companies', '--format', 'table', '--fields', 'ticker,total_debt')
  t.match(out, /^ticker +total_debt\n +mm\n─+/)
  t.equal(err, '2 rows\n')
  const asked = await ask(
    'companies',
    '--format',
    'table',
    '--sort',
    'debt_due_1yr',
    '--max-net-leverage',
    '90',
  )
  t.match(asked.out, /^ticker +debt_due_1yr +net_leverage_ratio +name /, 'what is asked about comes first')
  t.notMatch(asked.out, /entity_count/, 'without a width the columns at a glance')
})

t.test('an empty table is one line that says which filter to loosen', async t => {
  const none = await ask('companies', '--min-leverage', '90', '--format', 'table')
  t.strictSame([none.code, none.out], [0, ''])
  t.match(none.err, /^no rows match: 2 rows without min_leverage=90, leverage_ratio from [\d.]+ to [\d.]+\n$/)
  const past = await ask('companies', '--offset', '9', '--format', 'table')
  t.strictSame([past.out, past.err], ['', '0 of 2 rows\n'])
})

t.test('a snapshot may be named; one that is gone is exit code 3, with those that are kept', async t => {
  const named = await ask('companies', '--snapshot', manifest.id, '--fields', 'ticker', '--format', 'csv')
  t.strictSame([named.code, named.out], [0, 'ticker\r\nALFA\r\nBETA\r\n'])
  const gone = await ask('companies', '--snapshot', '20200101T000000Z-00000000')
  t.equal(gone.code, 3)
  t.match(gone.err, `with one that is kept: ${manifest.id}`)
})

t.test("a file's extension chooses its format, and the file appears complete or not at all", async t => {
  const [csv, parquet] = [join(folder, 'companies.csv'), join(folder, 'companies.parquet')]
  t.equal((await ask('companies', '--fields', 'ticker,name', '-o', csv)).code, 0)
  t.equal(await readFile(csv, 'utf8'), 'ticker,name\r\nALFA,Alfa Drilling Corp\r\nBETA,Beta Networks Inc\r\n')
  t.equal((await ask('bonds', '-o', parquet)).code, 0)
  const db = await Database.create()
  t.strictSame(await db.rows(`SELECT count(*) > 0 AS some FROM ${literal(parquet)}`), [{ some: true }])
  db.close()
  const before = (await stat(csv)).mtimeMs
  t.equal((await ask('bonds', '--ticker', 'NOPE', '-o', csv)).code, 3)
  t.equal((await stat(csv)).mtimeMs, before)
  t.equal((await ask('companies', '-o', join(folder, 'companies.doc'))).code, 2)
  t.equal((await ask('companies', '-o', join(folder, 'no', 'x.csv'))).code, 2)
  t.notOk(existsSync(join(folder, 'no')))
})

t.test('an object has no row format', async t => {
  const { code, err } = await ask('resolve', 'alfa', '--format', 'csv')
  t.equal(code, 2)
  t.match(err, /use json/)
  t.equal((await ask('resolve', 'alfa')).out.trim().split('\n').length, 1)
})

t.test('SQL is read from an argument, a file or standard input, with named values', async t => {
  const statement = 'SELECT name FROM companies WHERE ticker = $t'
  t.equal(
    (await ask('sql', statement, '--param', 't=BETA', '--format', 'csv')).out,
    'name\r\nBeta Networks Inc\r\n',
  )
  const file = join(folder, 'q.sql')
  await writeFile(file, '-- one company\nSELECT ticker FROM companies ORDER BY 1 LIMIT 1;\n')
  t.equal((await ask('sql', '-f', file)).out, '{"ticker":"ALFA"}\n')
  t.equal((await tranche(['sql', '--lake', lake], 'SELECT 1 AS a')).out, '{"a":1}\n')
  t.match(JSON.parse((await ask('sql', 'SELECT 1 AS a', '--format', 'json')).out), {
    data: [{ a: 1 }],
    meta: { total: 1, snapshot: manifest.id },
  })
  for (const bad of [
    'SELEC 1',
    'SELECT 1; SELECT 2',
    'DROP VIEW companies',
    "SELECT * FROM read_csv('/etc/passwd')",
    '',
  ])
    t.equal((await ask('sql', bad)).code, 2, bad)
  const unused = await ask('sql', statement, '--param', 't=BETA', '--param', 'u=1')
  t.strictSame(
    [unused.code, unused.err],
    [2, 'tranche sql: params has u, which the statement does not use\n'],
  )
  t.equal((await ask('sql', 'SELECT $__proto__ AS a', '--param', '__proto__=1')).out, '{"a":"1"}\n')
})

t.test('a reader that closes early ends the command silently', async t => {
  const child = start(['sql', 'SELECT * FROM range(3000000)'], { TRANCHE_LAKE: lake })
  let err = ''
  child.stderr!.on('data', chunk => {
    err += chunk
  })
  await once(child.stdout!, 'data')
  child.stdout!.destroy()
  const [code] = await once(child, 'close')
  t.strictSame([code, err], [0, ''])
})

t.test('Ctrl-C is exit code 130', async t => {
  const child = start(['sql', 'SELECT count(*) FROM range(1000000000000) t(x) WHERE x % 7 = 3'], {
    TRANCHE_LAKE: lake,
  })
  const closed = once(child, 'close')
  await computing(child)
  child.kill('SIGINT')
  const [code] = await closed
  t.equal(code, 130)
})

t.test('a damaged snapshot is refused by file name', async t => {
  const bad = await builtLake(done => t.teardown(done), twoIssuers)
  const { id } = await currentManifest(bad)
  t.equal((await tranche(['snapshots', 'verify', '--lake', bad.root])).code, 0)
  const file = join(bad.root, 'snapshots', id, 'bonds.parquet')
  const bytes = await readFile(file)
  bytes[Math.floor(bytes.length / 2)]! ^= 1
  await writeFile(file, bytes)
  const { code, err } = await tranche(['bonds', '--lake', bad.root])
  t.equal(code, 4)
  t.match(err, /bonds\.parquet/)
  t.equal((await tranche(['snapshots', 'verify', '--lake', bad.root])).code, 4)
  t.equal((await tranche(['doctor', '--lake', bad.root])).code, 4)
})

t.test('snapshots are listed, compared and removed', async t => {
  const own = await builtLake(done => t.teardown(done), twoIssuers)
  const first = await currentManifest(own)
  await addRows(own, { companies: [{ ticker: 'GAMA', name: 'Gama Retail plc' }] })
  const built = await tranche(['build', '--lake', own.root, '--format', 'json'])
  t.equal(built.code, 0)
  const second = JSON.parse(built.out).data.snapshot
  const diff = await tranche(['snapshots', 'diff', first.id, 'current', '--lake', own.root])
  const lines = diff.out
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  t.match(
    lines.find(l => l.table === 'companies'),
    { rows_before: 2, rows_after: 3, added: 1, removed: 0 },
  )
  t.equal(
    (await tranche(['snapshots', 'prune', '--lake', own.root])).code,
    2,
    'how many to keep must be said',
  )
  t.equal((await tranche(['snapshots', 'prune', '--keep', '1', '--lake', own.root])).out, `${first.id}\n`)
  const left = await tranche(['snapshots', '--lake', own.root])
  t.match(JSON.parse(left.out), { id: second, current: true })
})

t.test('the sample is not mixed with other rows', async t => {
  const { code, err } = await ask('sample')
  t.equal(code, 2)
  t.match(err, /has other rows/)
})

t.test('schema lists columns with type, unit and description', async t => {
  const { out } = await tranche(['schema', 'bonds'])
  const columns = out
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  t.match(
    columns.find(c => c.column === 'outstanding'),
    { type: 'BIGINT', unit: 'cents' },
  )
  t.match(
    columns.find(c => c.column === 'seniority'),
    { values: ['senior_secured', 'senior_unsecured', 'subordinated'] },
  )
  t.match((await tranche(['schema', 'bond'])).err, /did you mean bonds/)
})

t.test('doctor checks the state store', async t => {
  const own = await makeLake(done => t.teardown(done), twoIssuers)
  const state = async () => {
    const { code, out } = await ofItsOwn(['doctor', '--lake', own.root, '--format', 'ndjson'])
    const findings = out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    return { code, found: findings.filter(f => f.part === 'state') }
  }
  t.match((await state()).found, [{ check: 'state store', status: 'note' }])
  await ofItsOwn(['keys', 'create', '--email', 'a@example.com', '--tier', 'pro', '--lake', own.root])
  t.match(
    (await state()).found.find(f => f.check === 'keys'),
    { status: 'ok', says: /^1 active/ },
  )
  await writeFile(join(own.root, 'state.db'), 'not a database')
  const broken = await state()
  t.equal(broken.code, 4)
  t.ok(broken.found.some(f => f.status === 'problem'))
})

t.test('doctor finds no problem in an intact lake, and counts its contents', async t => {
  const { code, out } = await ask('doctor', '--data')
  t.equal(code, 0)
  const findings = out
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  t.strictSame(
    findings.filter(f => f.status === 'problem' && f.part !== 'data'),
    [],
  )
  for (const check of [
    'node',
    'duckdb',
    'lock',
    'snapshot',
    'bonds of unlinked issuers',
    'stale prices',
    'days without a curve',
  ])
    t.ok(
      findings.some(f => f.check === check),
      check,
    )
})

t.test(
  'the SQL prompt shows results in the chosen format, writes one to a file, and ends on exit',
  async t => {
    const file = join(testFolder(t), 'screen.parquet')
    const state = testFolder(t)
    const input = [
      '.mode csv',
      'SELECT ticker FROM companies ORDER BY 1;',
      `.output ${file}`,
      'SELECT ticker FROM companies;',
      'SELECT 7 AS again;',
      '.mode parquet',
      '.output',
      'exit',
      'SELECT 8 AS late;',
    ]
    const child = spawn(
      ...plainProcess(
        import.meta.url,
        program,
        ['sql', '--lake', lake],
        ['--import', 'data:text/javascript,process.stdin.isTTY=true'],
      ),
      { env: { ...process.env, XDG_STATE_HOME: state }, stdio: 'pipe' },
    )
    let [out, err] = ['', '']
    child.stdout.on('data', chunk => {
      out += chunk
    })
    child.stderr.on('data', chunk => {
      err += chunk
    })
    child.stdin.end(input.map(line => `${line}\n`).join(''))
    const [code] = await once(child, 'close')
    t.equal(code, 0)
    const [header, first] = out.split('\r\n')
    t.equal(header, 'ticker')
    t.match(first, /^[A-Z]+$/)
    t.match(out, /again\r\n7\r\n$/, 'the file took one result, and nothing ran after exit')
    t.ok(existsSync(file))
    t.match(err, /written to .*screen\.parquet/)
    t.match(err, /\.mode must be one of table, csv, json, ndjson/)
    t.match(err, /give a file: \.output screen\.parquet/)
    t.match(await readFile(join(state, 'tranche', 'history'), 'utf8'), /^\.mode csv\n/)
  },
)
