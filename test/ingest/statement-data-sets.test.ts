import t from 'tap'
import { flowStart, statementDataSets } from '../../engine/ingest/readers/statement-data-sets.ts'
import { readArchive, readWith, sourceOf } from './financial-sources.ts'

const tsv = (...rows: string[][]) => `${rows.map(row => row.join('\t')).join('\n')}\n`
const adsh = '0000001234-09-000010'

const sub = tsv(
  [
    'adsh',
    'cik',
    'name',
    'countryinc',
    'stprinc',
    'former',
    'fye',
    'form',
    'period',
    'fy',
    'fp',
    'filed',
    'accepted',
  ],
  [
    adsh,
    '1234',
    'ACME PIPELINES INC',
    'US',
    'DE',
    'ACME OIL CO',
    '0926',
    '10-Q',
    '20090630',
    '2009',
    'Q3',
    '20090807',
    '2009-08-06 21:13:00.0',
  ],
)
const num = tsv(
  ['adsh', 'tag', 'version', 'ddate', 'qtrs', 'uom', 'segments', 'coreg', 'value', 'footnote'],
  [adsh, 'Revenues', 'us-gaap/2009', '20090630', '3', 'USD', '', '', '900000000.0000', ''],
  [adsh, 'Assets', 'us-gaap/2009', '20090630', '0', 'USD', '', '', '5000000000.0000', ''],
  [adsh, 'GasStored', adsh, '20090630', '0', 'USD', '', '', '12.0000', ''],
  [adsh, 'Assets', 'us-gaap/2009', '20090630', '0', 'USD', 'Segments=Gas;', '', '1.0000', ''],
  [adsh, 'Assets', 'us-gaap/2009', '20090630', '0', 'USD', '', 'AcmeSub', '1.0000', ''],
  [adsh, 'Cash', 'us-gaap/2009', '20090630', '0', 'USD', '', '', '', ''],
  ['0000009999-09-000001', 'Cash', 'us-gaap/2009', '20090630', '0', 'USD', '', '', '1.0000', ''],
  [adsh, 'Cash', 'us-gaap/2009'],
)
const tag = tsv(['tag', 'version', 'custom', 'abstract', 'datatype', 'iord', 'crdr', 'tlabel', 'doc'])
const members = () => [
  sourceOf('2009q3.zip!readme.htm', '<html></html>'),
  sourceOf('2009q3.zip!num.txt', num),
  sourceOf('2009q3.zip!sub.txt', sub),
  sourceOf('2009q3.zip!tag.txt', tag),
]

t.test('the zip is read as a whole: figures take company, form and dates from their filing', async t => {
  t.ok(statementDataSets.archive!.recognises(members().map(({ name }) => name)))
  const { rows, taken, refused } = await readArchive(statementDataSets, members())
  t.match(rows('facts'), [
    {
      cik: '0000001234',
      concept: 'us-gaap:Revenues',
      period_start: '2008-10-01',
      period_end: '2009-06-30',
      value: 900_000_000,
      filed_date: '2009-08-07',
      form: '10-Q',
      dates_rounded: true,
    },
    { concept: 'us-gaap:Assets', period_start: null },
    { concept: 'custom:GasStored', dimensions: null },
    { concept: 'us-gaap:Assets', dimensions: 'Segments=Gas' },
    { concept: 'us-gaap:Assets', dimensions: 'LegalEntity=AcmeSub' },
  ])
  t.match(rows('directory'), [
    { registry: 'sec_filers', cik: '0000001234', jurisdiction: 'US-DE', other_names: ['ACME OIL CO'] },
  ])
  t.equal(taken.length + refused.length, 1 + 8 + 2, 'every row, and each of the two other members once')
})

t.test('facts that statements do not use are refused with a reason', async t => {
  const { refused } = await readArchive(statementDataSets, members())
  t.strictSame(
    refused.map(({ at, reason }) => [at, reason]),
    [
      ['num.txt row 7', 'no value'],
      ['num.txt row 8', 'no filing 0000009999-09-000001 in sub.txt'],
      ['num.txt row 9', '3 cells where the header has 10'],
      ['readme.htm', 'labels, not figures'],
      ['tag.txt', 'labels, not figures'],
    ],
  )
})

t.test('a rounded report date is kept only for fiscal years that end with a month', async t => {
  t.equal((await readArchive(statementDataSets, members())).rows('filings')[0]!['report_date'], null)
  const calendar = sourceOf('sub.txt', sub.replace('0926', '1231'))
  t.equal((await readWith(statementDataSets, calendar)).rows('filings')[0]!['report_date'], '2009-06-30')
})

t.test('figures without their filings name the missing file', async t => {
  const file = sourceOf('num.txt', num)
  t.ok(statementDataSets.recognises(file))
  t.match((await readWith(statementDataSets, file)).why, /needs its sub.txt/)
})

t.test('an unpacked folder gives the rows of the zip, and without sub.txt nothing', async t => {
  const zip = await readArchive(statementDataSets, members())
  const beside = async (name: string) => sourceOf(name, sub)
  const figures = await readWith(statementDataSets, { ...sourceOf('q/num.txt', num), beside })
  t.strictSame(figures.rows('facts'), zip.rows('facts'))
  t.strictSame(
    figures.refused.map(({ at }) => at),
    ['row 7', 'row 8', 'row 9'],
  )
  t.strictSame(figures.rows('filings'), [], 'filings are of sub.txt, once')
  const filings = await readWith(statementDataSets, sourceOf('q/sub.txt', sub))
  t.strictSame(filings.rows('filings'), zip.rows('filings'))
  const missing = async () => {
    throw new Error('no such file')
  }
  const alone = await readWith(statementDataSets, { ...sourceOf('q/num.txt', num), beside: missing })
  t.match(alone.why, /needs its sub.txt in the same folder/)
})

t.test('the data sets with notes are refused: their segments would be read as the company', async t => {
  const notes = tsv(
    ['adsh', 'tag', 'version', 'ddate', 'qtrs', 'uom', 'dimh', 'iprx', 'value'],
    [adsh, 'Revenues', 'us-gaap/2009', '20090630', '3', 'USD', '0xab', '0', '5.0000'],
  )
  const beside = async (name: string) => sourceOf(name, sub)
  const refused = await readWith(statementDataSets, { ...sourceOf('q/num.tsv', notes), beside })
  t.match(refused.why, /Notes Data Sets.*load the Financial Statement Data Sets/)
  const zip = [sourceOf('z.zip!sub.txt', sub), sourceOf('z.zip!num.txt', notes)]
  t.match((await readArchive(statementDataSets, zip)).why, /Notes Data Sets/)
})

t.test('a flow of several quarters begins on the first of a month', async t => {
  t.equal(flowStart('2009-06-30', 1), '2009-04-01')
  t.equal(flowStart('2012-02-29', 4), '2011-03-01')
  t.equal(flowStart('2009-12-31', 8), '2008-01-01')
  t.equal(flowStart('2009-12-31', 0), null)
})

t.test(
  'balance sheets that add up become calculation links, from the zip and from an unpacked folder',
  async t => {
    const line = (n: number, tag: string, version: string, more: string[] = ['BS', '0']) => [
      ...[adsh, '2', String(n), ...more, 'X', tag, version, 'label', '0'],
    ]
    const gaap = 'us-gaap/2009'
    const pre = tsv(
      ['adsh', 'report', 'line', 'stmt', 'inpth', 'rfile', 'tag', 'version', 'plabel', 'negating'],
      line(1, 'Assets', gaap),
      line(2, 'LongTermDebtCurrent', gaap),
      line(3, 'BridgeNotes', adsh),
      line(4, 'PreferredStockSharesIssued', gaap, ['BS', '1']),
      line(5, 'Revenues', gaap, ['IS', '0']),
      line(6, 'Liabilities', gaap),
    )
    const value = (tag: string, version: string, day: string, amount: number, segments = '') => [
      ...[adsh, tag, version, day, '0', 'USD', segments, '', String(amount), ''],
    ]
    const [now, before] = ['20090630', '20081231']
    const figures = (short: number) =>
      tsv(
        ['adsh', 'tag', 'version', 'ddate', 'qtrs', 'uom', 'segments', 'coreg', 'value', 'footnote'],
        ...[now, before].flatMap((day, i) => [
          value('LongTermDebtCurrent', gaap, day, 100 + i),
          value('LongTermDebtCurrent', gaap, day, 7, 'Segments=Gas;'),
          value('BridgeNotes', adsh, day, 50),
          value('Liabilities', gaap, day, 150 + i - short),
        ]),
      )
    const zip = (short: number) => [
      sourceOf('2009q3.zip!sub.txt', sub),
      sourceOf('2009q3.zip!num.txt', figures(short)),
      sourceOf('2009q3.zip!pre.txt', pre),
    ]
    const links = [
      {
        document: adsh,
        role: 'balance sheet',
        parent: 'us-gaap:Liabilities',
        child: 'us-gaap:LongTermDebtCurrent',
        weight: 1,
      },
      {
        document: adsh,
        role: 'balance sheet',
        parent: 'us-gaap:Liabilities',
        child: 'custom:BridgeNotes',
        weight: 1,
      },
    ]
    const whole = await readArchive(statementDataSets, zip(0))
    t.strictSame(whole.rows('calculations'), links)
    t.strictSame(whole.refused, [])
    t.match(whole.notes, ['the lines of 1 of 1 balance sheets add up to their liabilities'])
    const off = await readArchive(statementDataSets, zip(9))
    t.strictSame(off.rows('calculations'), [])
    t.match(off.notes, ['the lines of 0 of 1 balance sheets add up to their liabilities'])
    const beside = async () => sourceOf('q/num.txt', figures(0))
    const folder = await readWith(statementDataSets, { ...sourceOf('q/pre.txt', pre), beside })
    t.strictSame(folder.rows('calculations'), links)
    t.match((await readWith(statementDataSets, sourceOf('pre.txt', pre))).why, /needs its num.txt/)
  },
)
