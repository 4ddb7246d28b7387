import t from 'tap'
import { ingestExit } from '../../cli/ingest.ts'
import { ingest } from '../../engine/ingest/ingest.ts'
import type { Reader } from '../../engine/ingest/readers/reader.ts'
import { treasury } from '../../engine/ingest/readers/treasury.ts'
import { readRejects } from '../../engine/ingest/rejects.ts'
import { namesIn } from '../../engine/lake/lake.ts'
import { makeFolder, rowsOf } from './lake-rows.ts'
import { type Member, makeZip } from './make-zip.ts'

const spreads = (ticker: string, bps: number) =>
  `ticker,spread_date,tenor,spread_bps\n${ticker},2024-01-02,5Y,${bps}\n`
const CURVE = 'Date,1 Mo,1 Yr\n2024-01-02,5.5,4.8\n'

t.test('a zip with a false member header is refused, and the files beside it are taken', async t => {
  const { lake, put } = await makeFolder(t)
  const content = spreads('ZIP', 1)
  const wrong: Record<string, [Member, RegExp]> = {
    'longer.zip': [
      { name: 'a.csv', content, size: content.length + 7 },
      /damaged|too (many|few) bytes|expected/,
    ],
    'shorter.zip': [
      { name: 'a.csv', content, size: content.length - 7 },
      /damaged|too (many|few) bytes|expected/,
    ],
    'crc.zip': [{ name: 'a.csv', content, crc: 1 }, /its CRC does not match/],
    'name.zip': [
      { name: 'a.csv', content, localName: 'b.csv' },
      /its header and the directory of the archive differ/,
    ],
  }
  const good = [await put('a.csv', spreads('AAA', 1)), await put('z.csv', spreads('ZZZ', 2))]
  for (const [name, [member, reason]] of Object.entries(wrong)) {
    const path = await put(name, makeZip([member]))
    const { files } = await ingest(lake, [good[0]!, path, good[1]!])
    t.match(
      files.map(({ status }) => status),
      [/taken|unchanged/, 'refused', /taken|unchanged/],
      name,
    )
    t.match(files[1], { reason, failure: null }, name)
    const both = await put(`both-${name}`, makeZip([member, { name: 'good.csv', content: spreads(name, 3) }]))
    t.match((await ingest(lake, [both])).files, [
      { status: 'taken', accepted: 1, members: [{ name: 'a.csv', status: 'refused', reason }] },
    ])
  }
  t.equal((await rowsOf(lake, 'spreads')).length, 2 + Object.keys(wrong).length)
  const listed: string[] = []
  for await (const { file, reason } of readRejects(lake)) listed.push(`${file.split('/').at(-1)}: ${reason}`)
  for (const [name, [, reason]] of Object.entries(wrong))
    for (const start of [`${name}: `, `both-${name}!a.csv: `])
      t.ok(
        listed.some(line => line.startsWith(start) && reason.test(line)),
        start,
      )
})

t.test('a member whose name holds a NUL, a quote or a line break is refused alone', async t => {
  const { lake, put } = await makeFolder(t)
  for (const [i, name] of [
    'a\0b.csv',
    "a'b.csv",
    'a\nb.csv',
    '\x1b[2J.csv',
    '../../a.csv',
    '"; DROP TABLE x; --.csv',
  ].entries()) {
    const path = await put(
      `${i}.zip`,
      makeZip([
        { name, content: `${spreads('ZIP', i)}${spreads('ZIP', i)}`, crc: 1 },
        { name: 'good.csv', content: spreads(`G${i}`, 3) },
      ]),
    )
    const { files } = await ingest(lake, [path])
    // The reader of zips itself refuses an archive whose names lead out of it.
    t.match(files, [{ status: /taken|refused/, failure: null }], JSON.stringify(name))
    if (!name.startsWith('..'))
      t.match(files, [{ status: 'taken', accepted: 1, members: [{ status: 'refused', reason: /CRC/ }] }])
  }
  for await (const { reason } of readRejects(lake)) t.ok(reason)
})

/** During a test the reader throws after its first row. */
function failing(t: import('tap').Test, error: unknown): void {
  const { read } = treasury
  const changed = treasury as { -readonly [K in keyof Reader]: Reader[K] }
  t.teardown(() => {
    changed.read = read
  })
  changed.read = async (file, sink, options) => {
    await read.call(treasury, file, sink, options)
    throw error
  }
}

for (const [what, error] of Object.entries({
  'a mistake of our own': new TypeError("Cannot read properties of undefined (reading 'rate')"),
  'a number out of range': new RangeError('Invalid array length'),
  'something that is no error': 'a text',
  'DuckDB that answers nothing any more': new Error(
    'INTERNAL Error: Attempted to access index 3 within vector of size 3',
  ),
}))
  t.test(`${what} in a reader refuses that file, and says what to do`, async t => {
    failing(t, error)
    const { lake, put } = await makeFolder(t)
    const paths = [
      await put('a.csv', spreads('AAA', 1)),
      await put('curve.csv', CURVE),
      await put('z.csv', spreads('ZZZ', 2)),
    ]
    const report = await ingest(lake, paths)
    t.match(report.files, [
      { status: 'taken' },
      {
        status: 'refused',
        reason: /could not be read: .*this is a bug in Tranche: please report it$/,
        failure: /./,
      },
      { status: 'taken', accepted: 1 },
    ])
    t.equal(ingestExit(report, false), 1, 'the exit code of a bug')
    t.strictSame(await rowsOf(lake, 'treasury_yields'), [], 'nothing that it had said is kept')
    t.equal((await rowsOf(lake, 'spreads')).length, 2)
    t.strictSame(await namesIn(lake, 'tmp'), [])
    const rejects: string[] = []
    for await (const { reason } of readRejects(lake)) rejects.push(reason)
    t.match(rejects, [/bug in Tranche/])
  })

t.test('a file that failed because of a bug is tried again', async t => {
  const { lake, put } = await makeFolder(t)
  const path = await put('curve.csv', CURVE)
  await t.test('while the bug is there', async t => {
    failing(t, new TypeError('x'))
    t.match((await ingest(lake, [path])).files, [{ status: 'refused' }])
  })
  t.match((await ingest(lake, [path])).files, [{ status: 'taken' }])
})

t.test('a table and a source of the same dataset in one archive do not disturb each other', async t => {
  const { lake, put } = await makeFolder(t)
  const table = 'date,tenor_months,rate,publisher\n2024-01-03,1,5.4,treasury\n'
  for (const [name, members] of Object.entries({
    first: [
      { name: 'a-curve.csv', content: CURVE },
      { name: 'b-table.csv', content: table },
    ],
  })) {
    const zip = await put(`${name}.zip`, makeZip(members))
    t.match((await ingest(lake, [zip])).files, [{ status: 'taken', rejected: 0, members: [] }])
  }
  t.equal((await rowsOf(lake, 'treasury_yields')).length, 3)
})

t.test('a failing disk or a damaged lake ends the run', async t => {
  failing(t, Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }))
  const { lake, put } = await makeFolder(t)
  await t.rejects(ingest(lake, [await put('curve.csv', CURVE)]), {
    code: 'STORAGE_FAILED',
    message: /the disk is full/,
  })
  t.strictSame(await namesIn(lake, 'imports'), [])
})
