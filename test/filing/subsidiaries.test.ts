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

t.test('a percent sign without a number is a footnote mark, one with a number a share', async t => {
  const text = `Acme Ventures (Mauritius) Ltd.          Mauritius
   Acme China %                         China
      Acme Jiangsu Ltd. 75%             China
   Silk Road Trust%                     China
Acme Hundred Percent Co. 100 %          Delaware
Acme Insurance Company                  Vermont

% Chinese business trust
`
  t.strictSame(short(subsidiariesIn(plainLines(text))), [
    ['Acme Ventures (Mauritius) Ltd.', 'Mauritius', null, null],
    ['Acme China', 'China', null, 0],
    ['Acme Jiangsu Ltd.', 'China', 75, 1],
    ['Silk Road Trust', 'China', null, 0],
    ['Acme Hundred Percent Co.', 'Delaware', 100, null],
    ['Acme Insurance Company', 'Vermont', null, null],
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

t.test('a line that names the owner of a share tells the parent', t => {
  t.strictSame(
    html(
      `<table>${[
        row('Name', 'Jurisdiction and Form', 'Percentage of Ownership'),
        row('Acme Casinos, Inc.(1)', 'Nevada corporation', '100% AGR'),
        row('Galley, Inc. (&ldquo;GI&rdquo;)', 'Nevada corporation', '100% AGR'),
        row('Last Bet, Incorporated ("LBI")', 'Nevada corporation', '100% AGR'),
        row('Railway Group ("RG")(9)', 'Nevada partnership', '70% GI<br>30% LBI'),
        row('Harbour Entertainment, L.L.C.', 'Michigan limited liability company', '53.5% owned by LBI'),
        row('Pier Limited', 'Hong Kong', '55% owned by somebody else'),
      ].join('')}</table>`,
    ),
    [
      ['Acme Casinos, Inc.', 'Nevada', 100, null],
      ['Galley, Inc.', 'Nevada', 100, null],
      ['Last Bet, Incorporated', 'Nevada', 100, null],
      ['Railway Group', 'Nevada', 70, 1],
      ['Harbour Entertainment, L.L.C.', 'Michigan', 53.5, 2],
      ['Pier Limited', 'Hong Kong', null, null],
    ],
  )
  t.end()
})

t.test(
  'a column of holders gives parents, and columns about a business or a trade name give no companies',
  t => {
    t.strictSame(
      html(
        `<table>${[
          row('Subsidiary', 'Jurisdiction', 'Business', '% Ownership', '', 'Holder of Outstanding Stock'),
          row('Acme Bank, N.A.', 'Ohio', 'Financial Institution', '100', '%', 'Acme Financial Corporation'),
          row(
            'Acme Bancshares, Inc.',
            'Ohio',
            'Bank Holding Company',
            '100',
            '%',
            'Acme Financial Corporation',
          ),
          row('Acme Service Corp.', 'Ohio', 'Insurance', '100', '%', 'Acme Bank, N.A.'),
          row('Acme Life Co.', 'Ohio', 'Credit Life Insurance', '79', '%', 'Acme Service Corp.'),
          row(
            'Acme Statutory Trust I (See Note 1)',
            'Iowa',
            'Business Trust',
            '100',
            '%',
            'Acme Financial Corporation',
          ),
        ].join('')}</table>`,
      ),
      [
        ['Acme Bank, N.A.', 'Ohio', 100, null],
        ['Acme Bancshares, Inc.', 'Ohio', 100, null],
        ['Acme Service Corp.', 'Ohio', 100, 0],
        ['Acme Life Co.', 'Ohio', 79, 2],
        ['Acme Statutory Trust I', 'Iowa', 100, null],
      ],
    )
    t.end()
  },
)

t.test('footnotes that say whose subsidiary a company is give parents and are no companies', t => {
  t.strictSame(
    html(
      `<table>${[
        row('Name of Subsidiary', 'Incorporated', 'Securities owned'),
        row('Acme International, Inc.', 'Delaware', '100%'),
        row('Acme (U.K.) Holdings Limited', 'United Kingdom', '100% (1)'),
        row('Acme do Brasil Limitada', 'Brazil', '55% (2)'),
        row('(1)', 'Subsidiary of Acme International, Inc.'),
        row('(2)', 'Subsidiary of Acme (U.K.) Holdings Limited'),
      ].join('')}</table>`,
    ),
    [
      ['Acme International, Inc.', 'Delaware', 100, null],
      ['Acme (U.K.) Holdings Limited', 'United Kingdom', 100, 0],
      ['Acme do Brasil Limitada', 'Brazil', 55, 1],
    ],
  )
  t.end()
})

t.test('numbers, nationalities, trade names and the registrant are told apart from names', t => {
  t.strictSame(
    html(
      `<table>${[
        row('1.', 'Acme Software AG, a German corporation, 50.1% owned by ACME (“ASAG”)'),
        row('', 'i.', 'Acme East Corp., a Delaware corporation, 100% owned by ASAG'),
        row('2)', 'Acme Parks, Inc. (Florida) (Acme Park Food and Beverage)'),
        row('3.)', 'Acme Track Partnership, L.P. (a Mississippi limited partnership)*'),
        row('', '(A)', 'Acme Haus GmbH &amp; Co. KG (Germany)1'),
      ].join('')}</table><p>4.) Acme at Lex, L.L.C.</p>`,
    ),
    [
      ['Acme Software AG', 'Germany', null, null],
      ['Acme East Corp.', 'Delaware', 100, 0],
      ['Acme Parks, Inc.', 'Florida', null, null],
      ['Acme Track Partnership, L.P.', 'Mississippi', null, null],
      ['Acme Haus GmbH & Co. KG', 'Germany', null, 3],
      ['Acme at Lex, L.L.C.', null, null, null],
    ],
  )
  t.strictSame(html('<p>Acme Gas plc</p><p>Incorporated in the State of Ohio</p>'), [
    ['Acme Gas plc', 'Ohio', null, null],
  ])
  t.end()
})

t.test('places on the lines below names belong to those names', t => {
  t.strictSame(
    html(
      [
        'List of Principal Subsidiaries and Consolidated Variable Interest Entity',
        'Subsidiary',
        'Place of Incorporation',
        'Acme Street Limited',
        'Hong Kong',
        'Acme Network Technology Co., Ltd.',
        'Mainland China',
        'Acme Group Limited',
        'Cayman Islands',
        'Subsidiary of Consolidated Variable Interest Entity',
        'Place of Incorporation',
        'Acme Information Co., Ltd.',
        'Mainland China',
      ]
        .map(line => `<p>${line}</p>`)
        .join(''),
    ),
    [
      ['Acme Street Limited', 'Hong Kong', null, null],
      ['Acme Network Technology Co., Ltd.', 'China', null, null],
      ['Acme Group Limited', 'Cayman Islands', null, null],
      ['Acme Information Co., Ltd.', 'China', null, null],
    ],
  )
  t.end()
})

t.test('names of a text list are neither joined nor mixed with heads, titles and trade names', t => {
  const text = `                                                    %
                                    Organized       Owned
                                    Under           By
Names of Subsidiaries               Laws of:        Parent
---------------------               ---------       ------
Acme Funding, Inc.                  Delaware         100%
>Acme Card Services                 Oregon           100%
`
  t.strictSame(short(subsidiariesIn(plainLines(text))), [
    ['Acme Funding, Inc.', 'Delaware', 100, null],
    ['Acme Card Services', 'Oregon', 100, 0],
  ])
  const names = `                                 Subsidiaries

Acme Hospitals, Inc.
Cedar Regional Hospital Limited Partnership
Cedar-Regional, Inc.
Dunes Regional Hospital Limited Partnership
AHC-Elm, L.P.

                                   TEXAS

Acme Physical Therapy, Inc.
         Acme Therapy & Fitness Center
`
  t.strictSame(
    short(subsidiariesIn(plainLines(names))).map(([name]) => name),
    [
      'Acme Hospitals, Inc.',
      'Cedar Regional Hospital Limited Partnership',
      'Cedar-Regional, Inc.',
      'Dunes Regional Hospital Limited Partnership',
      'AHC-Elm, L.P.',
      'Acme Physical Therapy, Inc.',
    ],
  )
  t.end()
})
