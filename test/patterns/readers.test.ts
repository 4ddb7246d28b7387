import { Readable } from 'node:stream'
import t, { type Test } from 'tap'
import { splitStatements } from '../../cli/sql-text.ts'
import { attachedList } from '../../engine/filing/attached-list.ts'
import type { Lines } from '../../engine/filing/block.ts'
import { coverOf } from '../../engine/filing/cover.ts'
import { agreedFacilitiesIn } from '../../engine/filing/facts/agreed-facilities.ts'
import { collateralIn } from '../../engine/filing/facts/collateral.ts'
import { covenantsIn } from '../../engine/filing/facts/covenants.ts'
import { creditFacilitiesIn } from '../../engine/filing/facts/credit-facilities.ts'
import { debtLinesIn } from '../../engine/filing/facts/debt-tables.ts'
import type { FiledSection } from '../../engine/filing/facts/filed-section.ts'
import { guarantorsIn } from '../../engine/filing/facts/guarantors.ts'
import { offeredNotesIn } from '../../engine/filing/facts/offered-notes.ts'
import { termSheetNotesIn } from '../../engine/filing/facts/term-sheets.ts'
import { htmlLines } from '../../engine/filing/html-lines.ts'
import { plainLines } from '../../engine/filing/plain-lines.ts'
import { sectionsOf } from '../../engine/filing/sections.ts'
import { documentBody, documentTags, parseHeader } from '../../engine/filing/submission.ts'
import { subsidiariesIn } from '../../engine/filing/subsidiaries.ts'
import { cellsOf } from '../../engine/ingest/readers/csv-records.ts'
import { filingName } from '../../engine/ingest/readers/filing-name.ts'
import type { Sink, SourceFile } from '../../engine/ingest/readers/reader.ts'
import { dateIn, numberIn, textIn } from '../../engine/ingest/readers/source-cells.ts'
import { readers } from '../../engine/ingest/readers.ts'
import { issuerName } from '../../engine/names/issuer-name.ts'
import { operations } from '../../engine/operations/api.ts'
import { parseParams } from '../../engine/schema/params.ts'
import { parseQuery } from '../../engine/search/text/parse-query.ts'
import { withoutKeys } from '../../server/http/errors.ts'
import { matches } from '../../server/http/etag.ts'
import { parseObject } from '../../server/http/json-body.ts'
import { namesThisMachine } from '../../server/http/loopback.ts'
import { segmentsOf } from '../../server/http/match.ts'
import { negotiate } from '../../server/http/negotiate.ts'
import { readQuery } from '../../server/http/query.ts'
import { sessionToken } from '../../server/http/session-cookie.ts'
import { slowGrowth } from './growth.ts'

// TRANCHE_LONG_ATTACKS=1, for the nightly run: inputs of up to half a million characters.
const isLong = process.env['TRANCHE_LONG_ATTACKS'] === '1'
// The long inputs take half an hour, beside other work an hour.
t.setTimeout(isLong ? 7_200_000 : 600_000)
const LENGTH = isLong ? 125_000 : 2_400
/** Quadratic time is far above this for the first length, milliseconds. */
const TRIVIAL = 12

/** Parts that are repeated to make an input long: openings, separators, words that rules look for. */
const PUMPS = [
  '(',
  ')',
  '"',
  '\\"',
  '<',
  '&',
  ' ',
  '7',
  ',',
  '\n',
  '.',
  '; ',
  '|',
  'é',
  'Company ',
  'operating ',
  'subsidiaries of ',
  '(a) ',
  '1.1 A\n',
  'EX-10 ',
  '{"a":',
  '"a",',
  '<td>',
  '<div>',
  '<!--',
  'Guarantors:\nAcme Inc.\nBy:\n',
  'Section 1.1 Liens. The Borrower shall not permit the leverage ratio to exceed 3.50 to 1.00. ',
  'the Company hereby grants a security interest in all assets, ',
  'events of default, including judgments, defaults on other debt and a change of control, ',
  'any Person acquires beneficial ownership of 30% or more of the voting stock, ',
  'a term loan, secured by equipment, ',
  '2.5% notes due 2030 | 1,000 | 1,000\n',
  'Term loans | 1 | 2\nTotal debt | 1 | 2\n',
  'We issued $500 million of 4.50% senior notes due 2031 (the "2031 Notes"). ',
  'a $2.0 billion five-year revolving credit facility maturing in May 2030, ',
]

/** At each change a reader meets every second part, the next one the others. */
let turn = 0

/** Fails if a reader takes more than linear time for one of the inputs. */
async function linear(
  t: Test,
  name: string,
  read: (text: string) => unknown,
  { prefix = '', length = LENGTH }: { prefix?: string; length?: number } = {},
): Promise<void> {
  const first = turn++
  for (const [i, pump] of PUMPS.entries()) {
    if (!isLong && (first + i) % 2 > 0) continue
    const input = (length: number) => prefix + pump.repeat(Math.ceil(length / pump.length))
    const slow = await slowGrowth({ run: read, input }, { length, trivial: TRIVIAL })
    if (slow !== null) t.fail(`${name} ${slow} of ${JSON.stringify(pump)}`)
  }
  t.pass(name)
}

t.test('the test detects quadratic readers, at once and for a long input', async t => {
  for (const work of [1, 1 / 40]) {
    const run = (text: string) => {
      let sum = 0
      for (let i = 0; i < work * text.length ** 2; i++) sum += i % 7
      return sum
    }
    t.match(
      await slowGrowth({ run, input: length => 'a'.repeat(length) }, { length: 2_000, trivial: 0.1 }),
      /times as long/,
    )
  }
})

t.test('HTTP requests are read in linear time', async t => {
  const bytes = (text: string) => Buffer.from(text)
  await linear(t, 'a JSON body', text => parseObject(bytes(text)))
  await linear(t, 'a JSON body with an open string', text => parseObject(bytes(text)), { prefix: '{"a":"' })
  await linear(t, 'a JSON body with an open list', text => parseObject(bytes(text)), { prefix: '{"a":[' })
  await linear(t, 'a query string', text => readQuery(text))
  await linear(t, 'a query string of one name', text => readQuery(text.replaceAll('"', 'a=1&')))
  await linear(t, 'the path', text => segmentsOf(`/${text}`))
  await linear(t, 'Accept', text => negotiate(text, ['json', 'csv']))
  await linear(t, 'If-None-Match', text => matches(text, 'W/"abc"'))
  await linear(t, 'Host', text => namesThisMachine(text))
  await linear(t, 'Cookie', text =>
    sessionToken({ headers: { cookie: text } } as unknown as Parameters<typeof sessionToken>[0], false),
  )
  await linear(t, 'an error that repeats what was sent', text => withoutKeys(text))
  await linear(t, 'a search', text => parseQuery(text))
  await linear(t, 'SQL typed at the prompt', text => splitStatements(text))
})

t.test('every kind of parameter is parsed in linear time', async t => {
  const kinds = new Map(
    operations.flatMap(({ params }) =>
      Object.values(params).map(param => {
        const { column, many, length } = param
        return [JSON.stringify([column.kind, column.format, column.values?.length, many, length]), param]
      }),
    ),
  )
  t.ok(kinds.size > 10)
  for (const [kind, param] of kinds) {
    await linear(t, kind, text => parseParams({ given: param }, { given: text }), { length: LENGTH / 2 })
    await linear(t, `${kind} in quotes`, text => parseParams({ given: param }, { given: `"${text}` }), {
      length: LENGTH / 4,
    })
  }
})

const section = (text: string, section_type: string, doc_type: string): FiledSection => ({
  text,
  title: null,
  section_type,
  offset: 0,
  period_end: null,
  doc_type,
  accession: null,
  filing_date: '2024-03-01',
  company_name: 'Acme Corp.',
  cik: '0000000001',
})

t.test('the text of a section is read in linear time', async t => {
  for (const [type, form] of [
    ['credit_agreement', 'EX-10.1'],
    ['debt_footnote', '10-K'],
  ] as const) {
    await linear(t, `covenants of a ${type}`, text => covenantsIn(section(text, type, form)))
    await linear(t, `collateral of a ${type}`, text => collateralIn(section(text, type, form)))
    await linear(t, `instruments of a ${type}`, text => {
      const read = { ...section(text, type, form), period_end: '2023-12-31' }
      return [debtLinesIn(read), creditFacilitiesIn(read)]
    })
    await linear(t, `what a ${type} offers and agrees`, text => {
      const item = { ...section(text, type, '8-K'), title: 'Item 1.01', period_end: '2023-12-31' }
      const agreement = section(`CREDIT AGREEMENT "Commitment" means ${text}`, type, form)
      const sheet = section(`Settlement Date: | March 6, 2025\nMaturity: | ${text}\n${text}`, 'other', 'FWP')
      return [offeredNotesIn(item), agreedFacilitiesIn(agreement), termSheetNotesIn(sheet)]
    })
    await linear(t, `guarantors of a ${type}`, text => guarantorsIn([section(text, type, form)]))
  }
})

t.test('a document of a filing is read in linear time', async t => {
  const page = (text: string) => `<html><body>${text}`
  const layouts: readonly (readonly [string, (text: string) => Lines])[] = [
    ['HTML', text => htmlLines(page(text))],
    ['text', plainLines],
  ]
  for (const [layout, lines] of layouts) {
    await linear(t, `lines of ${layout}`, lines)
    await linear(t, `the cover of ${layout}`, text => coverOf(lines(text)))
    await linear(t, `subsidiaries in ${layout}`, text => subsidiariesIn(lines(text)))
    await linear(t, `an attached list in ${layout}`, text => attachedList(lines(text)))
    for (const form of isLong || layout === 'HTML' ? ['10-K', '8-K', '424B5', 'EX-10.1'] : ['10-K'])
      await linear(t, `sections of a ${form} in ${layout}`, text => sectionsOf(lines(text), form))
  }
  await linear(t, 'the header of a submission', text => parseHeader(text))
  await linear(t, 'the name in a header', text => parseHeader(text), { prefix: 'COMPANY CONFORMED NAME: A' })
  await linear(t, 'the tags of a document', text => documentTags(text))
  await linear(t, 'the body of a document', text => documentBody(text))
})

const file = (text: string): SourceFile => ({
  name: 'given.txt',
  head: text.slice(0, 65_536),
  headBytes: Buffer.from(text.slice(0, 65_536)),
  open: async () => Readable.from([Buffer.from(text)], { objectMode: false }),
  bytes: async () => Buffer.from(text),
  text: async () => text,
  path: async () => '/nowhere/given.txt',
})

const sink: Sink = { take() {}, refuse() {}, async drain() {}, note() {} }

/** How a file of a kind may begin, so that its reader reads the rest. */
const BEGINNINGS: Readonly<Record<string, readonly string[]>> = {
  'xbrl-instance': [
    '<xbrl xmlns="http://www.xbrl.org/2003/instance"><a contextRef="c" unitRef="u">',
    '<xbrl xmlns="http://www.xbrl.org/2003/instance"><context id="c"><entity><identifier>',
  ],
  filing: ['<html><body><p>Exhibit 21 Subsidiaries of Acme Corp.</p>'],
}

t.test('every file reader recognises and reads in linear time', async t => {
  for (const reader of readers) {
    await linear(t, `${reader.kind} recognises`, text => reader.recognises(file(text)))
    for (const prefix of BEGINNINGS[reader.kind] ?? [''])
      await linear(t, `${reader.kind} reads`, text => reader.read(file(text), sink, {}), { prefix })
  }
  await linear(t, 'cells of a line', text => cellsOf(text))
  await linear(t, 'a number in a cell', text => numberIn(text))
  await linear(t, 'a date in a cell', text => dateIn(text))
  await linear(t, 'text in a cell', text => textIn(text))
  await linear(t, "a file's name", text => filingName(text))
  await linear(t, "an issuer's name", text => issuerName(text))
})
