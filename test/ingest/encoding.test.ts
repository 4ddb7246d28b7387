import { Readable } from 'node:stream'
import t from 'tap'
import { decodedFile } from '../../engine/ingest/encoding.ts'
import { ingest } from '../../engine/ingest/ingest.ts'
import { makeFolder, refusedIn, rowsOf } from './lake-rows.ts'
import { sourceOf } from './reading.ts'

/** What Windows-1252 has in place of control characters, of those that are used here. */
const SIGNS: Readonly<Record<string, number>> = { '€': 0x80, '’': 0x92, '–': 0x96, œ: 0x9c }
const western = (text: string) => Buffer.from(Array.from(text, each => SIGNS[each] ?? each.charCodeAt(0)))
const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')
const encodings: Readonly<Record<string, (text: string) => Buffer>> = {
  'Windows-1252': western,
  'UTF-16': utf16,
  'UTF-16, high byte first': text => utf16(text).swap16(),
  'UTF-8': text => Buffer.from(text),
  'UTF-8 with a byte order mark': text => Buffer.from(`\uFEFF${text}`),
}

const NAMES = [
  'Société Générale',
  'Nestlé',
  'Münchener Rück',
  'A.P. Møller',
  'MÜNCHENER RÜCK',
  'L’Oréal – 4½%',
]
const bonds = `cusip,name,issuer_name,coupon_rate,maturity_date,currency\n${NAMES.map(
  (name, i) => `998XSRA10,${name},Acme,${i + 1},2031-06-15,EUR\n`,
).join('')}`
const marks = `fund,price_date,name,maturity,coupon,price,ytm\n${NAMES.map(
  (name, i) => `EMCO,2025-12-17,${name},2030-01-1${i},5.125,99.1,5.2\n`,
).join('')}`

for (const [encoding, encode] of Object.entries(encodings))
  t.test(`names in ${encoding} are read as they are`, async t => {
    const { lake, put } = await makeFolder(t)
    const files = [await put('bonds.csv', encode(bonds)), await put('marks.csv', encode(marks))]
    files.push(await put('bonds.tsv', encode(bonds.replaceAll(',', '\t').replaceAll('Acme', 'Acme AG'))))
    const report = await ingest(lake, files)
    t.strictSame(
      report.files.map(({ kinds, accepted }) => [kinds, accepted]),
      [
        [['table of bonds'], 6],
        [['price-list'], 6],
        [['table of bonds'], 6],
      ],
    )
    const stored = await rowsOf<{ name: string }>(lake, 'bonds', 'DISTINCT name', 'name')
    t.strictSame(stored.map(({ name }) => name).sort(), [...NAMES].sort())
    const said = report.files[1]!.notes.filter(note => note.startsWith('read as '))
    t.strictSame(said, encoding.startsWith('UTF-8') ? [] : [`read as ${encoding.split(',')[0]}`])
  })

const bytesOf = (name: string, high: Readonly<Record<string, number>>) =>
  Buffer.from(Array.from(name, each => high[each] ?? each.charCodeAt(0)))

/** Names in other encodings, whose bytes would be other letters in Windows-1252. */
const others: Readonly<Record<string, Buffer>> = {
  'code page 850': bytesOf('Société Générale', { é: 0x82 }),
  'Mac Roman': bytesOf('Société Générale', { é: 0x8e }),
  'Windows-1250': bytesOf('Česká spořitelna, žižkov', { Č: 0xc8, á: 0xe1, ř: 0xf8, ž: 0x9e }),
  'Windows-1251': Buffer.from([0xc3, 0xe0, 0xe7, 0xef, 0xf0, 0xee, 0xec]),
  'Shift JIS': Buffer.from([0x83, 0x67, 0x83, 0x88, 0x83, 0x5e]),
  'two encodings at once': Buffer.concat([Buffer.from('Nestlé '), western('Société')]),
  'signs without a letter': western('Acme 4½%'),
}

for (const [encoding, name] of Object.entries(others))
  t.test(`a name in ${encoding} is refused rather than read as other letters`, async t => {
    const { lake, put } = await makeFolder(t)
    const [before, after] = marks.split('Nestlé')
    const ascii = before!.replace(/EMCO.*\n/, '').replace('Société Générale', 'Acme')
    const rest = 'SA,2030-01-12,5.125,99.1,5.2\n'
    const list = await put('marks.csv', Buffer.concat([Buffer.from(ascii), name, Buffer.from(rest)]))
    const table = await put(
      'bonds.csv',
      Buffer.concat([
        Buffer.from(
          'cusip,coupon_rate,maturity_date,currency,name\n998XSRA10,5,2031-06-15,EUR,Acme\n998XSRA10,6,2031-06-15,EUR,',
        ),
        name,
        Buffer.from('\n'),
      ]),
    )
    t.ok(after)
    const { files } = await ingest(lake, [list, table])
    t.match(files[0], {
      status: 'refused',
      reason: /line \d is neither UTF-8 nor clearly Windows-1252.*save the file as UTF-8/,
    })
    t.match(files[1], { status: 'taken', accepted: 1, rejected: 1 })
    t.match((await refusedIn(lake)).join('\n'), /row 3: is not UTF-8: save the file as UTF-8/)
  })

t.test('text is decoded alike in pieces of any size, and only once a letter is clear', async t => {
  const text = `${'a,b\n'.repeat(40)}Société,Nestlé €\n${'x,y\n'.repeat(10)}Größe`
  for (const [encoding, encode] of Object.entries(encodings))
    for (const chunk of [1, 2, 3, 7, 64, 4096]) {
      const bytes = encode(text)
      const parts = Array.from({ length: Math.ceil(bytes.length / chunk) }, (_, i) =>
        bytes.subarray(i * chunk, (i + 1) * chunk),
      )
      const file = {
        ...sourceOf(''),
        head: bytes.toString('utf8'),
        headBytes: bytes,
        open: async () => Readable.from(parts, { objectMode: false }),
      }
      const read: Buffer[] = []
      for await (const part of await decodedFile(file, () => '').file.open()) read.push(part)
      t.equal(
        Buffer.concat(read)
          .toString()
          .replace(/^\uFEFF/, ''),
        text,
        `${encoding} by ${chunk}`,
      )
    }
})

t.test('UTF-16 that is cut off, or without its mark, is refused with what to do', async t => {
  const { lake, put } = await makeFolder(t)
  const whole = utf16(bonds)
  const files = [
    await put('cut.csv', whole.subarray(0, whole.length - 1)),
    await put('unmarked.csv', whole.subarray(2)),
  ]
  const report = await ingest(lake, files)
  t.match(report.files, [
    { status: 'refused', reason: /is cut off, or is not UTF-16/ },
    { status: 'unknown', reason: 'UTF-16 text without a byte order mark: save it as UTF-8' },
  ])
})
