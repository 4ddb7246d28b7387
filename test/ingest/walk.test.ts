import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { fileSource, limits, openZip, scratchIn } from '../../engine/ingest/archive.ts'
import { ingest } from '../../engine/ingest/ingest.ts'
import { walk } from '../../engine/ingest/walk.ts'
import { ensureLake } from '../../engine/lake/lake.ts'
import { makeFolder, rowsOf } from './lake-rows.ts'
import { makeZip } from './make-zip.ts'

const spreads = (ticker: string) => `ticker,spread_date,tenor,spread_bps\n${ticker},2024-01-02,5Y,61\n`

t.test('folders are read recursively in order, and skipped files are noted', async t => {
  const { files, lake, put } = await makeFolder(t)
  for (const name of ['b.csv', 'a/2.csv', 'a/10.csv', '.hidden', '.git/config', 'a/.DS_Store'])
    await put(name, 'x')
  await symlink(join(files, 'a'), join(files, 'loop'))
  await symlink(join(files, 'b.csv'), join(files, 'c.csv'))
  await symlink(join(files, 'none'), join(files, 'd.csv'))
  await ensureLake(join(files, 'lake'))
  const found = await walk([files, join(files, 'b.csv')], join(files, 'lake'))
  t.strictSame(
    found.files.map(file => relative(files, file.path)),
    ['a/10.csv', 'a/2.csv', 'b.csv', 'c.csv'],
  )
  t.match(found.notes, [/^3 hidden/, /^2 links/, /lake's own folder/])
  await t.rejects(walk([join(files, 'nothing')], lake.root), {
    code: 'NOT_FOUND',
    message: /no file or folder/,
  })
})

t.test(
  'names that are not UTF-8, loops, sockets and folders without permission leave the other files',
  async t => {
    const { files, lake, put } = await makeFolder(t)
    await put('good.csv', spreads('AAA'))
    await put('closed/b.csv', spreads('BBB'))
    await symlink(join(files, 'self'), join(files, 'self'))
    await symlink('x'.repeat(300), join(files, 'long'))
    await writeFile(
      Buffer.concat([Buffer.from(`${files}/bad`), Buffer.from([0xff, 0xfe]), Buffer.from('.csv')]),
      spreads('CCC'),
    )
    const isRoot = process.getuid?.() === 0
    if (!isRoot) {
      await chmod(join(files, 'closed'), 0)
      t.teardown(() => chmod(join(files, 'closed'), 0o700))
    }
    // The name of a socket has at most 107 characters.
    const short = await mkdtemp(join(tmpdir(), 'walk-'))
    t.teardown(() => rm(short, { recursive: true }))
    const server = createServer().listen(join(short, 'socket'))
    await once(server, 'listening')
    t.teardown(() => server.close())
    const report = await ingest(lake, [files, short])
    const bad = report.files.find(({ name }) => name.includes('bad'))
    t.match(bad, { status: 'refused', reason: /its name is not UTF-8/ })
    t.equal(report.totals.files.taken, isRoot ? 2 : 1)
    t.match(report.notes, [
      /^2 links/,
      /^1 special/,
      ...(isRoot ? [] : [/^1 folders cannot be read: .*closed/]),
    ])
    const named = await ingest(lake, [join(short, 'socket'), join(files, 'good.csv')])
    t.match(named.files, [{ status: 'refused', reason: /socket/ }, { status: 'unchanged' }])
    for (const path of [join(files, 'self'), join(files, 'x'.repeat(300))])
      await t.rejects(ingest(lake, [path]), { code: 'NOT_FOUND', message: /cannot be read: E/ })
  },
)

t.test('a file that goes away while others are read is refused', async t => {
  const { lake, put } = await makeFolder(t)
  const names = ['a', 'b', 'c', 'd'].map(name => `${name}.csv`)
  const paths = await Promise.all(names.map((name, i) => put(name, spreads(`T${i}`))))
  const gone = paths[2]!
  const { files } = await ingest(lake, paths, {}, ({ files_done }) => {
    if (files_done === 1 && existsSync(gone)) rmSync(gone)
  })
  t.match(files, [
    { status: 'taken' },
    { status: 'taken' },
    { status: 'refused', reason: /no longer exists/ },
    { status: 'taken' },
  ])
})

t.test('gzip, zip, gzip in zip and standard input give the same files', async t => {
  const { lake, put } = await makeFolder(t)
  const gz = await put('a.csv.gz', gzipSync(spreads('A')))
  const zip = await put(
    'b.zip',
    makeZip([
      { name: 'one/b.csv', content: spreads('B') },
      { name: 'one/c.csv.gz', content: gzipSync(spreads('C')) },
      { name: 'README.txt', content: 'About these files' },
      { name: '__MACOSX/b.csv', content: 'junk' },
      { name: 'd.csv', content: spreads('A') },
    ]),
  )
  const { files, totals } = await ingest(lake, [gz, zip, '-'], { stdin: Readable.from([spreads('D')]) })
  t.match(files, [
    { status: 'taken', accepted: 1 },
    {
      status: 'taken',
      read: 3,
      accepted: 2,
      duplicate: 1,
      members: [{ name: 'README.txt', status: 'unknown', reason: /begins "About these files"/ }],
    },
    { name: 'stdin', status: 'taken', accepted: 1 },
  ])
  t.match(totals, { read: 5, accepted: 4, duplicate: 1 })
  t.strictSame(
    (await rowsOf<{ source: string }>(lake, 'spreads', 'source', 'ticker')).map(row => row.source),
    [`${gz}:row 2`, `${zip}!one/b.csv:row 2`, `${zip}!one/c.csv.gz:row 2`, 'stdin:row 2'],
  )
})

t.test('a truncated or damaged compressed file is refused whole', async t => {
  const { lake, put } = await makeFolder(t)
  const whole = gzipSync(spreads('A').repeat(50))
  const flipped = Buffer.from(whole)
  flipped[20] = flipped[20]! ^ 16
  const zip = makeZip([{ name: 'a.csv', content: spreads('A') }])
  const paths = [
    await put('cut.csv.gz', whole.subarray(0, whole.length - 12)),
    await put('flipped.csv.gz', flipped),
    await put('cut.zip', zip.subarray(0, zip.length - 30)),
    await put('crc.zip', makeZip([{ name: 'a.csv', content: spreads('A'), crc: 1 }])),
    await put('secret.zip', makeZip([{ name: 'a.csv', content: spreads('A'), encrypted: true }])),
    await put(
      'book.xlsx',
      makeZip([
        { name: '[Content_Types].xml', content: '<x/>' },
        { name: 'xl/a.xml', content: '' },
      ]),
    ),
    await put('zip.zip', makeZip([{ name: 'in.zip', content: zip }])),
  ]
  const { files } = await ingest(lake, paths)
  t.match(files, [
    { status: 'refused', reason: /damaged or truncated/ },
    { status: 'refused', reason: /damaged or truncated/ },
    { status: 'refused', reason: /not a valid zip/ },
    { status: 'refused', reason: /CRC/ },
    { status: 'refused', reason: /encrypted/ },
    { status: 'refused', reason: /office document/ },
    { status: 'unknown', members: [{ reason: /zip archive inside/ }] },
  ])
  t.strictSame(await rowsOf(lake, 'spreads'), [])
})

t.test('an archive cannot write outside, expand without limit, or repeat a member', async t => {
  const { files, put } = await makeFolder(t)
  const scratch = scratchIn(files)
  for (const name of ['../evil.csv', '/etc/evil.csv', 'a/../../evil.csv', 'C:\\evil.csv'])
    await t.rejects(openZip('x.zip', await put('x.zip', makeZip([{ name, content: 'x' }])), scratch), {
      name: 'Refused',
      message: /not a valid zip archive/,
    })
  const same = makeZip([
    { name: 'a', content: 'x' },
    { name: 'a', content: 'y' },
  ])
  await t.rejects(openZip('x.zip', await put('x.zip', same), scratch), { message: /two members a/ })
  const bomb = Buffer.alloc(3_000_000)
  const bytes = { ...limits, bytes: 1_000_000 }
  const zip = await put('x.zip', makeZip([{ name: 'a', content: bomb }]))
  await t.rejects(openZip('x.zip', zip, scratch, { ...limits, total: 1e6 }), {
    message: /expands to more than/,
  })
  await t.rejects(openZip('x.zip', zip, scratch, { ...limits, members: 0 }), {
    message: /more than 0 members/,
  })
  const archive = await openZip('x.zip', zip, scratch, bytes)
  await t.rejects((await archive.open('a')).bytes(), {
    name: 'Refused',
    message: /expands to more than 1 MB/,
  })
  archive.close()
  const gz = await put('x.gz', gzipSync(bomb))
  await t.rejects((await fileSource('x.gz', gz, scratch, bytes)).path(), {
    message: /expands to more than 1 MB/,
  })
})

t.test('a compressed file is written to disk only if necessary', async t => {
  const { files, put } = await makeFolder(t)
  await mkdir(join(files, 'scratch'), { recursive: true })
  const scratch = scratchIn(join(files, 'scratch'))
  const plain = await fileSource('a', await put('a', 'text'), scratch)
  t.equal(await plain.path(), join(files, 'a'))
  const packed = await fileSource('b.gz', await put('b.gz', gzipSync('text')), scratch)
  t.equal(await packed.text(), 'text')
  t.equal(packed.head, 'text')
  const path = await packed.path()
  t.equal(path, await packed.path(), 'once')
  t.equal(await readFile(path, 'utf8'), 'text')
})
