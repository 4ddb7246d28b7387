import { readFile, writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { type IngestProgress, ingest, writeRows } from '../../engine/ingest/ingest.ts'
import { readers } from '../../engine/ingest/readers.ts'
import { readRejects } from '../../engine/ingest/rejects.ts'
import { batchFiles, readImports } from '../../engine/lake/imports.ts'
import { inLake, namesIn } from '../../engine/lake/lake.ts'
import { takeLock } from '../../engine/lake/lock.ts'
import { annualReport } from '../filing/make-filing.ts'
import { makeFolder, refusedIn, rowsOf } from './lake-rows.ts'
import { makeZip } from './make-zip.ts'

const spreads = (ticker: string, ...bps: (number | string)[]) =>
  [
    'ticker,spread_date,tenor,spread_bps',
    ...bps.map((b, i) => `${ticker},2024-01-${String(i + 1).padStart(2, '0')},5Y,${b}`),
    '',
  ].join('\n')

t.test('the same file adds nothing again, unless its options differ', async t => {
  const { lake, put } = await makeFolder(t)
  const path = await put('a.csv', spreads('A', 1, 2, 3))
  const copy = await put('copy.csv', spreads('A', 1, 2, 3))
  t.match((await ingest(lake, [path])).files, [
    { status: 'taken', read: 3, accepted: 3, import: /^00000001-/ },
  ])
  const before = await namesIn(lake, 'batches', 'spreads')
  for (const again of [path, copy])
    t.match((await ingest(lake, [again])).files, [
      { status: 'unchanged', name: again, read: 3, accepted: 0, duplicate: 3, import: /^00000001-/ },
    ])
  t.match((await ingest(lake, [path], { known_from: '2024-06-01' })).files, [
    { status: 'unchanged', duplicate: 3, import: /^00000002-/ },
  ])
  const map = await put(
    'map.json',
    '{"dataset":"spreads","columns":{"spread_date":{"constant":"2025-01-01"}}}',
  )
  t.match((await ingest(lake, [path], { map })).files, [{ status: 'taken', accepted: 3 }])
  t.equal(before.length + 1, (await namesIn(lake, 'batches', 'spreads')).length)
  t.strictSame(await namesIn(lake), ['batches', 'imports', 'lake.json'])
})

t.test('a longer edition of a file adds only its new rows', async t => {
  const { lake, put } = await makeFolder(t)
  await ingest(lake, [await put('a.csv', spreads('A', 1, 2, 3))])
  const { files } = await ingest(lake, [await put('a.csv', spreads('A', 1, 2, 4, 5))])
  t.match(files, [{ read: 4, accepted: 2, duplicate: 2, added: { spreads: 2 } }])
  const rows = await rowsOf<{ spread_bps: number }>(lake, 'spreads', 'spread_bps', 'spread_bps')
  t.strictSame(
    rows.map(row => row.spread_bps),
    [1, 2, 3, 4, 5],
  )
})

t.test('a file is taken with its valid rows, or under strict not at all', async t => {
  const { lake, put } = await makeFolder(t)
  const good = await put('good.csv', spreads('A', 1))
  const bad = await put('bad.csv', spreads('B', 1, 'x', 3))
  t.match((await ingest(lake, [good, bad], { strict: true })).files, [
    { status: 'taken', accepted: 1 },
    {
      status: 'refused',
      read: 3,
      accepted: 0,
      rejected: 3,
      import: null,
      reason: /1 of 3 rows were refused \(spread_bps must be.*--strict/,
    },
  ])
  t.equal((await readImports(lake)).length, 1)
  t.match((await ingest(lake, [bad])).files, [{ status: 'taken', read: 3, accepted: 2, rejected: 1 }])
  t.match((await ingest(lake, [bad])).files, [
    { status: 'unchanged', read: 3, duplicate: 2, rejected: 1, import: /^00000002/ },
  ])
  t.strictSame(await refusedIn(lake), ['row 3: spread_bps x must be a finite number in basis points'])
  t.equal((await readImports(lake)).length, 2, 'and nothing is recorded twice')
})

t.test('files of unknown kinds are described, and do not stop the run', async t => {
  const { files: folder, lake, put } = await makeFolder(t)
  await put('README.md', '\n# About\n')
  await put('empty.csv', '')
  await put('a.csv', spreads('A', 1))
  await put('paper.pdf', '%PDF-1.7\n%âã')
  await put('wide.txt', Buffer.from('\uFEFFa\tb', 'utf16le'))
  await put('other.csv', 'a,b\n1,2\n')
  const { files, totals } = await ingest(lake, [folder])
  t.strictSame(
    files.map(file => [file.name.slice(folder.length + 1), file.status, file.reason]),
    [
      ['README.md', 'unknown', 'text of no known kind that begins "# About"'],
      ['a.csv', 'taken', null],
      ['empty.csv', 'unknown', 'an empty file'],
      [
        'other.csv',
        'unknown',
        'text of no known kind that begins "a,b"; your own table needs --dataset or --map',
      ],
      ['paper.pdf', 'refused', 'PDF: convert it to text'],
      [
        'wide.txt',
        'unknown',
        'text of no known kind that begins "a\\tb"; your own table needs --dataset or --map',
      ],
    ],
  )
  t.strictSame(totals.files, { taken: 1, unchanged: 0, refused: 1, unknown: 4 })
})

t.test('a table of bonds of no known kind is told the datasets that its columns are likely of', async t => {
  const { lake, put } = await makeFolder(t)
  const hints = {
    'ISIN,bond_type,coupon,maturity,price,currency': '--dataset bonds or --dataset prices',
    'cusip,trade_dt,qty': '--dataset trades',
    'CUSIP9;S&P Rating;Since': '--dataset ratings',
    'cusip,par': undefined,
    'name,coupon,maturity': undefined,
  }
  const paths = await Promise.all(Object.keys(hints).map((header, i) => put(`${i}.csv`, `${header}\n`)))
  const { files } = await ingest(lake, paths)
  t.strictSame(
    files.map(({ reason }) => reason?.split('your own table needs ')[1]),
    Object.values(hints).map(hint =>
      hint === undefined ? '--dataset or --map' : `${hint}, which says what is missing, or --map`,
    ),
  )
})

t.test('invalid options are refused before anything is read', async t => {
  const { lake, put } = await makeFolder(t)
  const path = await put('a.csv', spreads('A', 1))
  const refuses = (options: object, message: RegExp) =>
    t.rejects(ingest(lake, [path], options), { code: 'INVALID_PARAMETER', message })
  await refuses({ date: '2024-02-30' }, /--date must be a day/)
  await refuses({ known_from: '1.2.2024' }, /--known-from must be a day/)
  await refuses({ kind: 'npot' }, /no kind npot, did you mean nport\?/)
  await refuses({ dataset: 'bond' }, /did you mean bonds\?/)
  await refuses({ kind: 'nport', dataset: 'bonds' }, /has its own columns/)
  await refuses({ kind: 'table' }, /needs --dataset or --map/)
  await t.rejects(ingest(lake, [path], { map: 'none.json' }), { code: 'NOT_FOUND' })
  t.strictSame(await namesIn(lake), ['lake.json'])
})

t.test('a wrong forced kind refuses the file', async t => {
  const { lake, put } = await makeFolder(t)
  const path = await put('a.json', '{"facts": ')
  t.match((await ingest(lake, [path], { kind: 'companyfacts' })).files, [
    { status: 'refused', kinds: ['companyfacts'], reason: /./ },
  ])
  t.match(await refusedIn(lake), [/^null: /])
  t.match((await ingest(lake, [path], { kind: 'companyfacts' })).files, [{ status: 'refused' }])
  t.equal((await readImports(lake)).length, 1, 'a refusal is remembered once')
})

t.test('an archive is one file: all of it under one record, or none', async t => {
  const { lake, put } = await makeFolder(t)
  const members = [
    { name: 'a.csv', content: spreads('A', 1, 'x') },
    { name: 'b.json', content: '{"cik": 1, "entityName": "X", "facts": {"us-gaap": {"Assets": ' },
    { name: 'c.csv', content: spreads('C', 1) },
    { name: 'slip.csv', content: 'cusip,isin,coupn_rate,maturity_date\n037833100,,5,2030-01-01\n' },
    { name: 'd.csv.gz', content: gzipSync(spreads('D', 1)).subarray(0, 30) },
  ]
  const path = await put('a.zip', makeZip(members))
  const { files } = await ingest(lake, [path])
  t.match(files, [
    {
      status: 'taken',
      read: 3,
      accepted: 2,
      rejected: 1,
      added: { spreads: 2 },
      kinds: ['table of spreads'],
    },
  ])
  t.strictSame(files[0]!.members.map(member => [member.name, member.status]).sort(), [
    ['b.json', 'refused'],
    ['d.csv.gz', 'refused'],
    ['slip.csv', 'refused'],
  ])
  t.equal((await readImports(lake)).length, 1)
  const rejected = await refusedIn(lake)
  t.match(rejected, [
    /^null: /,
    /^null: has a column "coupn_rate"/,
    /^null: the compressed data is damaged or truncated/,
    'row 3: spread_bps x must be a finite number in basis points',
  ])
  const strict = await makeFolder(t)
  t.match(
    (await ingest(strict.lake, [await strict.put('a.zip', makeZip(members))], { strict: true })).files,
    [{ status: 'refused' }],
  )
  t.strictSame(await readImports(strict.lake), [])
})

t.test('a stopped ingest leaves the lake intact, with the files it had finished', async t => {
  const { lake, put } = await makeFolder(t)
  const first = await put('1.csv', spreads('A', 1))
  const second = await put('2.csv', spreads('B', 1))
  const stop = new AbortController()
  const seen: IngestProgress[] = []
  const running = ingest(lake, [first, second], { signal: stop.signal }, progress => {
    seen.push(progress)
    if (progress.file === second) stop.abort(new Error('interrupted'))
  })
  await t.rejects(running, { message: 'interrupted' })
  t.match(seen[0], { file: first, files_done: 0, files: 2, bytes_done: 0, rows: 0 })
  t.equal((await readImports(lake)).length, 1)
  t.strictSame(await namesIn(lake), ['batches', 'imports', 'lake.json'])
  t.match((await ingest(lake, [first, second])).totals, { accepted: 1, duplicate: 1 })
  await t.rejects(ingest(lake, [first], { signal: stop.signal }), { message: 'interrupted' })
})

t.test('a lake that another process writes is left alone', async t => {
  const { lake, put } = await makeFolder(t)
  const path = await put('1.csv', spreads('A', 1))
  const release = await takeLock(lake, 'build')
  await t.rejects(ingest(lake, [path]), { code: 'OVERLOADED', message: /\(build\)/ })
  release()
  t.match((await ingest(lake, [path])).totals, { accepted: 1 })
})

t.test('a damaged batch or record is reported by name, and nothing is added', async t => {
  const { lake, put } = await makeFolder(t)
  await ingest(lake, [await put('1.csv', spreads('A', 1, 2))])
  const [batch] = (await batchFiles(lake)).get('spreads')!
  const path = inLake(lake, batch!.path)
  const whole = await readFile(path)
  const flipped = Buffer.from(whole)
  flipped[whole.length >> 1] = flipped[whole.length >> 1]! ^ 1
  await writeFile(path, flipped)
  const more = await put('2.csv', spreads('A', 1, 2, 3))
  await t.rejects(ingest(lake, [more]), { code: 'DATA_DAMAGED', message: new RegExp(batch!.path) })
  t.match(
    (await ingest(lake, [await put('3.csv', 'cusip,coupon_rate,maturity_date\n037833100,5,2030-01-01\n')]))
      .totals,
    { accepted: 1 },
    'other datasets go on',
  )
  await writeFile(path, whole)
  t.match((await ingest(lake, [more])).totals, { accepted: 1, duplicate: 2 })
  const [record] = await namesIn(lake, 'imports')
  const text = await readFile(inLake(lake, 'imports', record!), 'utf8')
  await writeFile(inLake(lake, 'imports', record!), text.replace('"rows": 2', '"rows": 1'))
  await t.rejects(ingest(lake, [more]), { code: 'DATA_DAMAGED', message: /imports.*seal/ })
})

t.test('files without a record are ignored and removed', async t => {
  const { lake, put } = await makeFolder(t)
  await ingest(lake, [await put('1.csv', spreads('A', 1, 'x'))])
  const [batch] = (await batchFiles(lake)).get('spreads')!
  await writeFile(
    inLake(lake, 'batches/spreads/00000009-00000000-1.parquet'),
    await readFile(inLake(lake, batch!.path)),
  )
  await writeFile(inLake(lake, 'rejects/00000009-00000000.parquet'), 'x')
  await writeFile(inLake(lake, 'imports/00000009-00000000.json.tmp'), '{')
  t.equal((await batchFiles(lake)).get('spreads')!.length, 1)
  await ingest(lake, [await put('2.csv', spreads('B', 1))])
  t.strictSame((await namesIn(lake, 'batches', 'spreads')).length, 2)
  t.strictSame((await namesIn(lake, 'rejects')).length, 1)
  t.strictSame((await namesIn(lake, 'imports')).length, 2)
})

t.test("the user's decisions are ingested like files, and repeating one adds nothing", async t => {
  const { lake } = await makeFolder(t)
  const decision = { name: 'Acme Finance B.V.', ticker: 'acme', decided_at: '2026-01-02T03:04:05Z' }
  t.match(await writeRows(lake, 'links', [decision], 'tranche link set'), { status: 'taken', accepted: 1 })
  t.match(await writeRows(lake, 'links', [decision], 'tranche link set'), {
    status: 'unchanged',
    duplicate: 1,
  })
  t.match(await writeRows(lake, 'links', [{ ticker: 'X' }], 'tranche link set'), {
    status: 'refused',
    reasons: { 'needs one of name, lei, cik': 1 },
  })
  t.strictSame(await rowsOf(lake, 'links', 'name, ticker, decided_at, source'), [
    {
      name: 'Acme Finance B.V.',
      ticker: 'ACME',
      decided_at: '2026-01-02T03:04:05.000Z',
      source: 'tranche link set:row 1',
    },
  ])
  await t.rejects(writeRows(lake, 'link', [], 'x'), { code: 'INVALID_PARAMETER' })
})

t.test('rejects are listed by dataset, newest file first, up to a limit', async t => {
  const { lake, put } = await makeFolder(t)
  await ingest(lake, [await put('1.csv', spreads('A', 'x', 'y', 1))])
  await ingest(lake, [
    await put('2.csv', 'cusip,coupon_rate,maturity_date\n1,5,2030-01-01\n037833100,5,2030-01-01\n'),
  ])
  const listed = async (options: object) => {
    const found: string[] = []
    for await (const { dataset, value } of readRejects(lake, options)) found.push(`${dataset} ${value}`)
    return found
  }
  t.strictSame(await listed({}), ['bonds 1', 'spreads x', 'spreads y'])
  t.strictSame(await listed({ dataset: 'spreads' }), ['spreads x', 'spreads y'])
  t.strictSame(await listed({ limit: 2 }), ['bonds 1', 'spreads x'])
  await t.rejects(listed({ dataset: 'x' }), { code: 'INVALID_PARAMETER' })
})

t.test('quotes, marks and letters of any script in a path are only a name', async t => {
  const { lake, put } = await makeFolder(t)
  const path = await put(`it's; DROP "x" — Überschuß {a,b} [1] *.csv`, spreads('A', 1, 'x'))
  t.match((await ingest(lake, [path])).totals, { accepted: 1, rejected: 1 })
  t.strictSame(await rowsOf(lake, 'spreads', 'source'), [{ source: `${path}:row 2` }])
})

t.test('every kind has a distinct name', async t => {
  const kinds = readers.map(reader => reader.kind)
  t.equal(new Set(kinds).size, kinds.length, kinds.join(', '))
})

t.test('a copy of a filing whose name has the accession number replaces one that lacked it', async t => {
  const { lake, put } = await makeFolder(t)
  const accession = '0000012345-25-000007'
  const bare = await put('acme-10-k.htm', annualReport)
  const named = await put(`${accession}.htm`, annualReport)
  const other = await put('copy of acme-10-k.htm', annualReport)
  const [first] = (await ingest(lake, [bare])).files
  t.match(first, { status: 'taken', rejected: 0 })
  t.match((await ingest(lake, [other])).files, [{ status: 'unchanged', import: first!.import }])
  const counted = (await rowsOf(lake, 'documents')).length

  const { files } = await ingest(lake, [named])
  t.match(files, [
    {
      status: 'taken',
      added: first!.added,
      notes: [String, /accession number missing from .*, which it replaces/],
    },
  ])
  const rows = await rowsOf(lake, 'documents')
  t.equal(rows.length, counted, 'no section is there twice')
  t.ok(rows.every(row => row['accession'] === accession))
  for (const again of [bare, named, other])
    t.match((await ingest(lake, [again])).files, [{ status: 'unchanged', import: files[0]!.import }])
  t.equal((await rowsOf(lake, 'documents')).length, counted)
})
