import t from 'tap'
import { attachedList } from '../../engine/filing/attached-list.ts'
import { entityId, entityRows, roleOf } from '../../engine/filing/facts/entities.ts'
import { htmlLines } from '../../engine/filing/html-lines.ts'
import { isListHeading } from '../../engine/filing/list-heading.ts'
import { plainLines } from '../../engine/filing/plain-lines.ts'
import { sectionsOf } from '../../engine/filing/sections.ts'
import { type ListedCompany, subsidiariesIn } from '../../engine/filing/subsidiaries.ts'
import { jurisdictionNamed } from '../../engine/names/jurisdiction.ts'

const short = (listed: readonly ListedCompany[]) =>
  listed.map(({ name, jurisdiction, ownership_pct, parent }) => [name, jurisdiction, ownership_pct, parent])
const html = (body: string) => short(subsidiariesIn(htmlLines(`<html><body>${body}</body></html>`)))
const row = (...cells: string[]) => `<tr>${cells.map(cell => `<td>${cell}</td>`).join('')}</tr>`

t.test('names, shares and places are read from columns, footnote marks are not', async t => {
  const mark = (text: string) => `<font style="font-style:italic">${text}</font>`
  const table = `<p>Subsidiaries of the Registrant</p><table>${[
    row('', 'Percentage Owned', 'State or Country of Organization'),
    row(`Acme Gas Company ${mark('(4) (5)')}`, '50', 'Delaware, U.S.'),
    row('Acme Chile S.A. (2)', '87.5%', 'Chile'),
    row(`North Field LNG N (2) ${mark('(5)')}`, '24.15', 'Russia/Kazakhstan'),
    row('Acme Pty Ltd*', '100', 'New South Wales'),
  ].join(
    '',
  )}</table><p>(4) The registrant owns half of the shares of this person and consolidates none of it.</p>`
  t.strictSame(html(table), [
    ['Acme Gas Company', 'Delaware', 50, null],
    ['Acme Chile S.A. (2)', 'Chile', 87.5, null],
    ['North Field LNG N (2)', 'Russia/Kazakhstan', 24.15, null],
    ['Acme Pty Ltd', 'New South Wales', 100, null],
  ])
})

t.test('an indented company belongs to the one above it', async t => {
  const at = (indent: number, name: string) =>
    `<tr><td style="padding-left:${indent}pt">${name}</td><td>Delaware</td></tr>`
  t.strictSame(
    html(
      `<table>${at(2, 'Acme Holdings LLC')}${at(14, 'Acme Finance Corp.')}${at(26, 'Acme Receivables LLC')}${at(14, 'Acme Operating LP')}${at(2, 'Beta Inc.')}</table>`,
    ),
    [
      ['Acme Holdings LLC', 'Delaware', null, null],
      ['Acme Finance Corp.', 'Delaware', null, 0],
      ['Acme Receivables LLC', 'Delaware', null, 1],
      ['Acme Operating LP', 'Delaware', null, 0],
      ['Beta Inc.', 'Delaware', null, null],
    ],
  )
})

t.test('headings give the place of the companies below them', async t => {
  t.strictSame(
    html(
      '<p><b>Delaware:</b></p><p>Acme One LLC</p><p>Acme Two, Inc.</p><p><b>Texas</b></p><p>Acme Three LP</p>',
    ),
    [
      ['Acme One LLC', 'Delaware', null, null],
      ['Acme Two, Inc.', 'Delaware', null, null],
      ['Acme Three LP', 'Texas', null, null],
    ],
  )
})

t.test('places in brackets and descriptions are removed from names', async t => {
  t.strictSame(
    html(
      '<p>Acme Finance B.V. (Netherlands)</p><p>Acme Receivables, LLC, a Delaware limited liability company</p><p>Acme (Thailand) Limited – Thailand</p><p>Acme India Private Limited (51%)</p>',
    ),
    [
      ['Acme Finance B.V.', 'Netherlands', null, null],
      ['Acme Receivables, LLC', 'Delaware', null, null],
      ['Acme (Thailand) Limited', 'Thailand', null, null],
      ['Acme India Private Limited', null, 51, null],
    ],
  )
})

t.test('a plain-text list is read by its columns, with names continued on the next line', async t => {
  const text = `                    SUBSIDIARIES OF ACME CORP

      Name of Subsidiary                           State of Incorporation
      ------------------                           ----------------------
      Acme Gathering and Processing Midstream      Texas
          LLC
      Acme Storage, Inc. d/b/a Acme Tanks          Delaware
`
  t.strictSame(short(subsidiariesIn(plainLines(text))), [
    ['Acme Gathering and Processing Midstream LLC', 'Texas', null, null],
    ['Acme Storage, Inc. d/b/a Acme Tanks', 'Delaware', null, null],
  ])
})

t.test('each place has one name, however it is written', async t => {
  for (const [written, name] of [
    ['DE', 'Delaware'],
    ['State of Delaware', 'Delaware'],
    ['England & Wales', 'England'],
    ['Peoples Republic of China', 'China'],
    ['U.K.', 'United Kingdom'],
    ['The Netherlands', 'Netherlands'],
    ['Wuxi, China', 'Wuxi, China'],
    ['Acme Holdings', null],
    ['', null],
  ] as const)
    t.equal(jurisdictionNamed(written), name, written)
})

t.test('roles follow named rules, of which the first match wins', async t => {
  t.match(roleOf('Acme Finance LLC', 100, false), { type: 'finco', rule: 'name of a financing company' })
  t.match(roleOf('Acme Finance LLC', 50, false), { type: 'jv', rule: 'at most half owned' })
  t.match(roleOf('Acme Auto Receivables Trust 2024-A', null, false), { type: 'vie' })
  t.match(roleOf('Acme Holdings Inc.', null, false), { type: 'holdco' })
  t.match(roleOf('Acme Inc.', null, false), { type: 'subsidiary', confidence: 0.9 })
})

t.test('an entity keeps its id across lists, and the filer is at the top', async t => {
  const lister = {
    cik: '0000012345',
    ticker: null,
    company_name: 'Acme Corp.',
    document_type: 'EX-21',
    accession: null,
    document_date: '2024-02-01',
  }
  const listed = (name: string): ListedCompany => ({
    name,
    jurisdiction: null,
    jurisdiction_as_written: null,
    ownership_pct: null,
    parent: null,
    at: 9,
  })
  const rows = entityRows(lister, [listed('ACME CORP'), listed('Acme Gas, L.L.C.')], null)
  t.strictSame(
    rows.map(({ name, entity_type, parent_id }) => [name, entity_type, parent_id]),
    [
      ['Acme Corp.', 'holdco', null],
      ['Acme Gas, L.L.C.', 'subsidiary', rows[0]!.id],
    ],
  )
  t.equal(rows[1]!.id, entityId('0000012345', 'ACME GAS L.L.C'))
  t.match(rows[1]!.id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  t.match(entityRows(lister, [listed('Acme Gas LLC')], { type: 'full' })[1], {
    is_guarantor: true,
    guarantee_type: 'full',
    parent_id: null,
  })
})

t.test('a report that contains its exhibits has its list found, up to the next exhibit', t => {
  const filler = Array.from(
    { length: 12 },
    (_, i) =>
      `Item ${i + 1}. What the report says of the year, of the business, of its risks and of what may become of all of them.`,
  ).join('\n\n')
  const text = `${filler}

Exhibit 21 Subsidiaries of the Registrant

Exhibit 23 Consent

                                   ALFA CORP, INC. SUBSIDIARIES (1)

Name                                        Where Incorporated
Alfa Rigs, Inc.                             Delaware
Alfa Mobile Partnership
                                            Texas
(d/b/a Alfa Wireless)
Alfa Sea B.V.                               The Netherlands
Alfa Land Limited                           Ireland

(1) The names of other companies are left out: together they would not make a significant one at the
end of the
year covered by this report.

Exhibit 23.1

Consent of Independent Registered Public Accounting Firm of Delaware, Inc.
`
  const lines = plainLines(text.replace('ALFA CORP, INC. SUBSIDIARIES', 'SUBSIDIARIES OF ALFA CORP, INC.'))
  const list = attachedList(lines)!
  t.strictSame(
    subsidiariesIn({ ...lines, blocks: lines.blocks.slice(list.from, list.to) }).map(s => [
      s.name,
      s.jurisdiction,
    ]),
    [
      ['Alfa Rigs, Inc.', 'Delaware'],
      ['Alfa Mobile Partnership', 'Texas'],
      ['Alfa Sea B.V.', 'Netherlands'],
      ['Alfa Land Limited', 'Ireland'],
    ],
  )
  t.equal(attachedList(plainLines(filler)), null)
  t.strictSame(
    sectionsOf(lines, '10-K')
      .filter(s => s.type === 'exhibit_21')
      .map(s => s.text.includes('Alfa Land') && !s.text.includes('Consent of')),
    [true],
  )
  t.end()
})

t.test("a list's heading is distinguished from a company, however many words it repeats", async t => {
  for (const heading of [
    'Subsidiaries',
    'LIST OF SIGNIFICANT SUBSIDIARIES OF THE REGISTRANT',
    'Name of subsidiary companies (as listed) and guarantors',
    'Subsidiaries of the Company as of December 31, 2023',
    'Domestic and foreign wholly-owned subsidiaries (unaudited) (continued):',
    `${'operating '.repeat(45)}subsidiaries`,
  ])
    t.ok(isListHeading(heading), heading)
  for (const company of [
    'Acme Operating Company LLC',
    'Guarantor Trust (a) (b) x',
    `${'operating '.repeat(180)}x`,
    `subsidiaries${' (a)'.repeat(400)} x`,
  ])
    t.notOk(isListHeading(company), company.slice(0, 40))
})

t.test('remarks, bullets, former and trade names are not companies', async t => {
  t.strictSame(
    html(
      `<table>${row('◦ Acme Health, L.L.C.', 'Delaware')}${row('Acme Bottling Company continued from page 1', 'Delaware')}${row(
        'Acme Foods LLC',
        'Delaware',
      )}</table>
      <p>(formerly Acme Acquisition Intermediate Corporation I)</p>
      <p>continued from page 1</p>
      <p>Indirect subsidiaries are indicated by indentation.</p>
      <p>December 31, 2016, have been omitted from this exhibit.</p>
      <p>Sales; Acme Kitchen and Home; Liquidators</p>`,
    ).map(([name]) => name),
    ['Acme Health, L.L.C.', 'Acme Bottling Company', 'Acme Foods LLC'],
  )
})
