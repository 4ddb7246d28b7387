import t from 'tap'
import { groupReasons } from '../../cli/group-reasons.ts'
import { byKind, fileLines, summary } from '../../cli/ingest-summary.ts'
import { type FileReport, nothingRead, totalsOf } from '../../engine/ingest/report.ts'

const file = (name: string, rest: Partial<FileReport> = {}): FileReport => ({
  ...nothingRead,
  name,
  bytes: 1,
  status: 'taken',
  kinds: ['filing'],
  reason: null,
  failure: null,
  members: [],
  import: null,
  ...rest,
})

const reportOf = (files: readonly FileReport[]) => ({ files, totals: totalsOf(files), notes: [] })

t.test('reasons that differ in a quoted text, a number or what follows a colon are one line', async t => {
  const reasons = new Map([
    ['not corporate debt: sector Sovereign', 1632],
    ['value "" is not a number', 3],
    ['not corporate debt: sector Supranational', 80],
    ['value "2016-03-31" is not a number', 17],
    ['a weekend, not a trading day', 5],
    ['skipped: EX-3: not a report', 2],
    ['skipped: GRAPHIC: not a report', 9],
  ])
  t.strictSame(
    groupReasons(reasons).map(({ count, reason }) => [count, reason]),
    [
      [1712, 'not corporate debt: sector Sovereign (1,632), Supranational (80)'],
      [20, 'value "2016-03-31" (17), "" (3) is not a number'],
      [11, 'skipped: GRAPHIC (9), EX-3 (2): not a report'],
      [5, 'a weekend, not a trading day'],
    ],
  )
  const many = new Map(Array.from({ length: 94 }, (_, i) => [`value "${i}" is not a number`, 1]))
  t.match(groupReasons(many), [
    { count: 94, reason: 'value "0" (1), "1" (1), "2" (1), "3" (1), "4" (1) and 89 others is not a number' },
  ])
})

t.test('eight hundred files are summed up in under 40 lines, and no reason is cut', async t => {
  const long = `line items in rows and 5 periods in columns, without ${'ticker, currency, '.repeat(20)}or dates`
  const kinds = ['filing', 'fred', 'nport', 'treasury', 'submissions', 'companyfacts', 'gleif', 'trace']
  const files = [
    ...kinds.flatMap(kind =>
      Array.from({ length: 80 }, (_, i) =>
        file(`${kind}/${i}`, {
          kinds: [kind],
          read: 10,
          accepted: 9,
          rejected: 1,
          reasons: { [`${kind} is bad`]: 1 },
        }),
      ),
    ),
    ...Array.from({ length: 150 }, (_, i) => file(`x${i}.pdf`, { status: 'refused', reason: long })),
    ...'abcdefghij'
      .split('')
      .map(letter => file(`${letter}.md`, { status: 'unknown', kinds: [], reason: `unlike ${letter}` })),
    file('z.txt', { status: 'unknown', kinds: [], reason: 'an empty file' }),
  ]
  t.strictSame(byKind(files)[0], {
    kind: 'companyfacts',
    files: 80,
    read: 800,
    accepted: 720,
    duplicate: 0,
    rejected: 80,
  })
  const lines = summary(reportOf(files))
  t.ok(lines.length + kinds.length + 2 < 40, `${lines.length} lines`)
  t.ok(lines.includes(`not taken, 150 files: ${long}`))
  t.match(
    lines.filter(line => line.startsWith('not taken')).at(-1),
    'not taken, other files: 6 other reasons, which --verbose lists',
  )
  t.ok(lines.includes('801 files: 640 taken, 0 unchanged, 150 refused, 11 of no known kind'))
  const all = summary(reportOf(files), true).join('\n')
  for (const { reason } of files) if (reason !== null) t.ok(all.includes(reason))
  t.notMatch(all, '--verbose')
})

t.test('each file of --verbose has its counts and its reasons in full', async t => {
  const text = fileLines(
    file('a.csv', {
      read: 1200,
      accepted: 1000,
      duplicate: 150,
      rejected: 50,
      reasons: { 'not a date': 50 },
      notes: ['no filing date'],
    }),
  )
  t.equal(
    text,
    `taken     a.csv  (1,000 of 1,200 rows accepted)
          150 rows already in the lake
          rejected 50 rows: not a date
          no filing date`,
  )
  t.equal(
    fileLines(file('b.pdf', { status: 'refused', kinds: ['pdf'], reason: 'PDF: convert it to text' })),
    'refused   b.pdf  (pdf)\n          PDF: convert it to text',
  )
})

t.test('a reason of one file names it', async t => {
  const rows = file('ratings.csv', { read: 3, accepted: 2, rejected: 1, reasons: { 'no agency': 1 } })
  const holdings = file('LQD.csv', { status: 'refused', reason: 'the file does not give its day' })
  const lines = summary(reportOf([rows, holdings]))
  t.ok(lines.includes('rejected 1 row of ratings.csv: no agency'))
  t.ok(lines.includes('not taken, LQD.csv: the file does not give its day'))
})
