import t from 'tap'
import { htmlLines } from '../../engine/filing/html-lines.ts'
import { plainLines } from '../../engine/filing/plain-lines.ts'
import { LONGEST_SECTION, type Section, sectionsOf } from '../../engine/filing/sections.ts'
import { annualReport, prose } from './make-filing.ts'

const outline = (sections: readonly Section[]) =>
  sections.map(({ type, item, within }) => [type, item, within])

t.test('an annual report is split into its items, notes and the liquidity discussion', async t => {
  const sections = sectionsOf(htmlLines(annualReport), '10-K')
  t.strictSame(outline(sections), [
    ['other', null, null],
    ['business', '1', null],
    ['risk_factors', '1A', null],
    ['mda', '7', null],
    ['mda_liquidity', '7', 'mda'],
    ['other', '8', null],
    ['notes', '8', null],
    ['debt_footnote', '8', null],
    ['notes', '8', null],
    ['other', '9A', null],
    ['other', '15', null],
  ])
  const debt = sections.find(({ type }) => type === 'debt_footnote')!
  t.equal(debt.title, 'Note 2 – Long-Term Obligations')
  t.match(debt.text, /the revolver/, 'goes on where its tag says')
  t.strictSame([debt.page, debt.pages], [6, 2])
  t.notMatch(debt.text, /Table of Contents/, 'running titles are left out')
  t.match(annualReport.slice(debt.source_offset, debt.source_offset + 200), /Note 2/)
  const liquidity = sections.find(({ type }) => type === 'mda_liquidity')!
  t.match(liquidity.text, /of cash/)
  t.notMatch(liquidity.text, /estimates/)
  const mda = sections.find(({ type }) => type === 'mda')!
  t.equal(liquidity.offset - mda.offset, mda.text.indexOf(liquidity.title!))
  t.ok(Math.abs(mda.source_length - (sections[5]!.source_offset - mda.source_offset)) < 200)
})

t.test('a plain-text report is split by its headings, not its contents page', async t => {
  const filler = (about: string) =>
    `${`We say of ${about} what holders of our notes should know. `.repeat(60)}\n\n`
  const text = [
    'UNITED STATES\nSECURITIES AND EXCHANGE COMMISSION\n\nFORM 10-Q\n\n',
    'Item 1.   Financial Statements ......... 3\nItem 2.   Management’s Discussion ......... 9\nItem 1A.  Risk Factors ......... 20\n\f',
    'PART I\n\nItem 1. Financial Statements\n\n',
    filler('statements'),
    'Item 2. Management’s Discussion and Analysis\n\n',
    filler('results'),
    'PART II\n\nItem 1A. Risk Factors\n\n',
    filler('risks'),
  ].join('')
  t.strictSame(
    sectionsOf(plainLines(text), '10-Q').map(({ type, item, page }) => [type, item, page]),
    [
      ['other', null, 1],
      ['notes', 'part1item1', 2],
      ['mda', 'part1item2', 2],
      ['risk_factors', 'part2item1a', 2],
    ],
  )
})

t.test('a credit agreement is one section, with its covenant articles as sections inside', async t => {
  const article = (number: string, title: string) =>
    `<p align="center"><b>ARTICLE ${number}</b></p><p align="center"><b>${title}</b></p>${prose(title)}`
  const html = `<html><body><p align="center"><b>CREDIT AGREEMENT</b></p><p>dated as of May 1, 2024</p>
    <p><a href="#a">ARTICLE VI NEGATIVE COVENANTS</a> 40</p>
    ${article('I', 'DEFINITIONS')}${article('V', 'AFFIRMATIVE COVENANTS')}${article('VI', 'NEGATIVE COVENANTS')}${article('VII', 'EVENTS OF DEFAULT')}</body></html>`
  const sections = sectionsOf(htmlLines(html), 'EX-10.1')
  t.strictSame(
    sections.map(({ type, title, within }) => [type, title, within]),
    [
      ['credit_agreement', 'CREDIT AGREEMENT', null],
      ['covenants', 'ARTICLE V AFFIRMATIVE COVENANTS', 'credit_agreement'],
      ['covenants', 'ARTICLE VI NEGATIVE COVENANTS', 'credit_agreement'],
    ],
  )
  t.notMatch(sections[2]!.text, /EVENTS OF DEFAULT/)
})

t.test('exhibits are classified by number and first lines', async t => {
  const type = (docType: string, text: string) => sectionsOf(htmlLines(`<p>${text}</p>`), docType)[0]!.type
  t.equal(type('EX-4.2', 'SUPPLEMENTAL INDENTURE'), 'indenture')
  t.equal(type('EX-10.3', 'EMPLOYMENT AGREEMENT'), 'other')
  t.equal(type('EX-21', 'Subsidiaries'), 'exhibit_21')
  t.equal(type('EX-22.1', 'Guarantor subsidiaries'), 'guarantor_list')
})

t.test('a current report is split by its numbered items', async t => {
  const html = `<p>FORM 8-K</p><p>Item 1.01 Entry into a Material Definitive Agreement.</p><p>We signed a Credit Agreement.</p><p>Item 9.01 Exhibits</p><p>None</p>`
  t.strictSame(outline(sectionsOf(htmlLines(html), '8-K')), [
    ['other', null, null],
    ['credit_agreement', '1.01', null],
    ['other', '9.01', null],
  ])
})

t.test('other events that tell of a waiver of covenants are read as what lenders agreed', async t => {
  const told = (event: string) =>
    sectionsOf(htmlLines(`<p>FORM 8-K</p><p>Item 8.01 Other Events.</p><p>${event}</p>`), '8-K').map(
      ({ type }) => type,
    )
  t.strictSame(told('Lenders under our loan agreements waived compliance with the leverage covenant.'), [
    'other',
    'credit_agreement',
  ])
  t.strictSame(told('We opened a store.'), ['other', 'other'])
})

t.test('exhibits printed behind a current report are read as what they are', async t => {
  const pages = [
    'FORM 8-K\n\nItem 1.01 Entry into a Material Definitive Agreement.\n\nWe signed a Credit Agreement.\n\nItem 9.01 Exhibits\n\n10.1 Agreement',
    'Exhibit 10.1\n\nEXECUTION VERSION\n\nTHREE-YEAR SYNDICATED FACILITY AGREEMENT\n\ndated as of April 26, 2022',
    'Exhibit 3.1\n\nBY-LAWS',
  ]
  const sections = sectionsOf(plainLines(pages.join('\n\f')), '8-K')
  t.strictSame(
    sections.map(({ type, item, exhibit }) => [type, item, exhibit]),
    [
      ['other', null, null],
      ['credit_agreement', '1.01', null],
      ['other', '9.01', null],
      ['credit_agreement', null, 'EX-10.1'],
      ['other', null, 'EX-3.1'],
    ],
  )
})

t.test('an overlong section is split at a line end, with a mark', async t => {
  const lines = Array.from({ length: 15_000 }, (_, i) => `<p>${i} ${'word '.repeat(15)}</p>`).join('')
  const parts = sectionsOf(htmlLines(lines), 'EX-99')
  t.equal(parts.length, 3)
  for (const { text } of parts) t.ok(text.length <= LONGEST_SECTION)
  t.match(parts[0]!.text, /\[continues in part 2 of 3\]$/)
  t.match(parts[1]!.title, /\(part 2 of 3\)$/)
  t.match(parts[1]!.text, /^\d+ word/)
  const [one, two] = sectionsOf(htmlLines(`<p>${'x'.repeat(600_000)}</p>`), 'EX-99')
  t.ok(one!.text.length <= LONGEST_SECTION && two!.text.length > 100_000, 'a line alone may be longer')
})

const lines = (about: string, count = 40) =>
  Array.from(
    { length: count },
    (_, i) => `The company says of ${about} what holders should know, line ${i}.\n\n`,
  ).join('')
const notes = (heading: (n: number, title: string) => string) =>
  ['Basis of Presentation', 'Revenue', 'Leases', 'Long-Term Debt', 'Income Taxes', 'Segments']
    .map((title, i) => `${heading(i + 1, title)}\n\n${lines(title)}`)
    .join('')
const reported = (parts: readonly string[]) =>
  sectionsOf(plainLines(`FORM 10-K\n\n${parts.join('\n\n')}`), '10-K')
const debtOf = (sections: readonly Section[]) =>
  sections.filter(({ type }) => type === 'debt_footnote').map(({ title, item }) => [title, item])

t.test('notes are found by number, in columns and with words broken by pages', async t => {
  const report = (heading: (n: number, title: string) => string) =>
    reported([
      `Item 7. Management’s Discussion and Analysis\n\n${lines('results')}`,
      `Item 8. Financial Statements\n\n${notes(heading)}`,
    ])
  t.strictSame(debtOf(report((n, title) => `${n}.      ${title}`)), [['4. Long-Term Debt', '8']])
  t.strictSame(debtOf(report((n, title) => `${n}. ${title.replace('Debt', 'Debt Oblig ations')}`)), [
    ['4. Long-Term Debt Oblig ations', '8'],
  ])
  for (const line of [
    'Unsecured Line of Credit',
    'Revolving Credit Facility',
    'Lines of Credit',
    'Revolver',
    'Convertible Notes',
    'Subordinated Debentures',
    'Bonds',
    'Term Loans',
    'Notes and Loans Payable',
    'Financing',
  ])
    t.match(
      debtOf(report((n, title) => `${n}.      ${title.replace('Leases', line)}`)),
      [[`3. ${line}`], ['4. Long-Term Debt']],
      line,
    )
})

t.test('notes on what others owe are none on debt', async t => {
  for (const line of ['Convertible Notes Receivable', 'Term Loans Held for Investment', 'Customer Financing'])
    t.strictSame(
      debtOf(
        reported([
          `Item 8. Financial Statements\n\n${notes((n, title) => `${n}.      ${title.replace('Leases', line)}`)}`,
        ]),
      ),
      [['4. Long-Term Debt', '8']],
      line,
    )
})

t.test(
  'the title of a note may stand below its number, below the foot of a page, or have a broken word',
  async t => {
    const paragraph = (about: string) =>
      `${`We note of ${about} that it may matter to holders. `.repeat(30)}\n\n`
    const text = [
      'FORM 10-K\n\nItem 7. Management’s Discussion and Analysis\n\n',
      paragraph('results'),
      'Item 8. Financial Statements and Supplementary Data\n\n',
      `Note 1\n\nSummary of Accounting Policies\n\n${paragraph('policies')}`,
      `Note 2\n\nDebt\n\n${paragraph('notes')}`,
      `NOTE 3.\n\n71\n\nLONG-TERM OBLIGATIONS AND\n\n${paragraph('loans')}`,
      `4. Deb t\n\n${paragraph('bonds')}`,
      `Note 5\n\nIncome Taxes\n\n${paragraph('taxes')}`,
    ].join('')
    t.strictSame(
      sectionsOf(plainLines(text), '10-K')
        .filter(({ type }) => /note/.test(type))
        .map(({ type, title }) => [type, title]),
      [
        ['notes', 'Note 1 Summary of Accounting Policies'],
        ['debt_footnote', 'Note 2 Debt'],
        ['debt_footnote', 'NOTE 3. LONG-TERM OBLIGATIONS AND'],
        ['debt_footnote', '4. Deb t'],
        ['notes', 'Note 5 Income Taxes'],
      ],
    )
  },
)

t.test('a note whose title follows a line that is a whole paragraph begins at its title', async t => {
  const paragraph = (about: string) => `${`We note of ${about} that it may matter to holders. `.repeat(20)}\n`
  const text = [
    'FORM 10-K\n\nItem 7. Management’s Discussion and Analysis\n',
    paragraph('results'),
    'Item 8. Financial Statements and Supplementary Data\n',
    ...['Accounting Policies', 'Revenue', 'Financing Arrangements', 'Leases', 'Income Taxes', 'Segments'].map(
      (title, i) => `${i + 1}. ${title}\n${paragraph(title).repeat(3)}`,
    ),
  ].join('')
  t.strictSame(debtOf(sectionsOf(plainLines(text), '10-K')), [['3. Financing Arrangements', '8']])
})

t.test('a discussion whose title stands in two lines and has no number is a section', async t => {
  const heading = (text: string) => `<p align="center"><b>${text}</b></p>`
  const html = `<html><body><p>FORM 10-Q</p><p><b>PART I. FINANCIAL INFORMATION</b></p><p><b>Item 1. Financial Statements</b></p>${prose('statements')}
    ${heading('Management’s Discussion and Analysis of Financial')}${heading('Condition and Results of Operations')}${prose('results')}
    ${heading('Liquidity and Capital Resources')}${prose('cash')}
    <p><b>PART II. OTHER INFORMATION</b></p><p><b>Item 1A. Risk Factors</b></p>${prose('risks')}</body></html>`
  t.strictSame(outline(sectionsOf(htmlLines(html), '10-Q')).slice(-3), [
    ['mda', 'part1item2', null],
    ['mda_liquidity', 'part1item2', 'mda'],
    ['risk_factors', 'part2item1a', null],
  ])
})

t.test('statements inside the discussion are separated from it', async t => {
  const sections = reported([
    `Item 7. Management’s Discussion and Analysis\n\n${lines('results')}\n\n${notes((n, title) => `Note ${n} — ${title}`)}`,
    'Item 8. Financial Statements and Supplementary Data\n\nSee Item 7.',
    `Item 9A. Controls and Procedures\n\n${lines('controls')}`,
  ])
  t.strictSame(debtOf(sections), [['Note 4 — Long-Term Debt', '7']])
  t.notMatch(sections.find(({ type }) => type === 'mda')!.text, /Note 1/)
})

t.test('statements whose own heading is missing or broken are not a part of market risk', async t => {
  const report = (heading: string) =>
    reported([
      `Item 7. Management’s Discussion and Analysis\n\n${lines('results')}`,
      `Item 7A. Quantitative and Qualitative Disclosures About Market Risk\n\n${lines('rates')}`,
      `${heading}Report of Independent Registered Public Accounting Firm\n\n${lines('audit')}`,
      `${notes((n, title) => `NOTE ${n}. ${title}`)}`,
      `Item 9A. Controls and Procedures\n\n${lines('controls')}`,
    ])
  for (const heading of [
    '',
    'ITEM 8. FINANCIAL\n\nSTATEMENTS AND SUPPLEMENTARY DATA\n\n',
    'ITEM\n\n8. FINANCIAL STATEMENTS AND\n\nSUPPLEMENTARY DATA\n\n',
  ]) {
    const sections = report(heading)
    t.strictSame(debtOf(sections), [['NOTE 4. Long-Term Debt', '8']])
    const risk = sections.find(({ item }) => item === '7A')!
    t.match(risk.text, /of rates/)
    t.notMatch(risk.text, /of audit/)
  }
})

t.test('notes to annexed statements of an affiliate are not the notes of the filer', async t => {
  const titles = [
    'Policies',
    'Revenue',
    'Leases',
    'Long-Term Debt',
    'Taxes',
    'Pensions',
    'Shares',
    'Segments',
  ]
  const statements = (heading: (n: number, title: string) => string) =>
    titles.map((title, i) => `${heading(i + 1, title)}\n\n${lines(title, 80)}`).join('')
  const sections = reported([
    `Item 7. Management’s Discussion and Analysis\n\n${lines('results')}`,
    'Item 8. Financial Statements and Supplementary Data\n\nSee Item 15.',
    `Item 15. Exhibits, Financial Statement Schedules\n\n${lines('exhibits')}`,
    statements((n, title) => `${n}. ${title}`),
    `To the Board of Directors of Alfa Corporation\n\n${lines('the audit of Alfa')}`,
    statements(
      (n, title) => `NOTE ${n} – ${title.replace('Long-Term Debt', 'Notes Payable and Credit Facilities')}`,
    ),
  ])
  t.strictSame(debtOf(sections), [['4. Long-Term Debt', '15']])
})

t.test('the discussion is found in an annexed report to shareholders', async t => {
  const sections = reported([
    'Item 7. Management’s Discussion and Analysis\n\nIncorporated by reference to the annual report.',
    `Item 15. Exhibits\n\n${lines('exhibits', 80)}`,
    `Management’s Discussion and Analysis of Financial Condition\n\n${lines('results', 80)}`,
    `Liquidity and Capital Resources\n\n${lines('cash')}`,
    `Report of Independent Registered Public Accounting Firm\n\n${lines('audit')}`,
  ])
  const found = sections.filter(({ item }) => item === '15').map(({ type, within }) => [type, within])
  t.strictSame(found, [
    ['other', null],
    ['mda', null],
    ['mda_liquidity', 'mda'],
    ['other', null],
  ])
  t.notMatch(sections.find(({ type, item }) => type === 'mda' && item === '15')!.text, /of audit/)
})

t.test('a prospectus is split by its usual headings, not its contents page', async t => {
  const sections = sectionsOf(
    plainLines(
      `PROSPECTUS SUPPLEMENT\n\nUse of Proceeds\n\nDescription of the Notes\n\nUnderwriting\n\nUse of Proceeds\n\n${lines('proceeds')}\n\nDescription of the Notes\n\n${lines('notes')}\n\nUnderwriting\n\n${lines('sale')}`,
    ),
    '424B2',
  )
  const [description] = sections.filter(({ type }) => type === 'indenture')
  t.match(description?.text, /of notes/)
  t.notMatch(description?.text, /of sale|of proceeds/)
})

const page = (...lines: readonly string[]) => `\f${lines.join('\n\n')}\n\n`
const about = (what: string, times = 60) =>
  `${`We say of ${what} what holders of our notes should know. `.repeat(times)}`

t.test('exhibits printed behind a report are cut by their numbers, and read as what they are', async t => {
  const items = [
    'FORM 10-K\n\nItem 1. Business\n\n',
    about('business'),
    '\n\nItem 7. Management’s Discussion and Analysis\n\n',
    about('results'),
    '\n\nItem 8. Financial Statements\n\n',
    about('statements'),
    '\n\nItem 15. Exhibits and Financial Statement Schedules\n\n',
    '10.1 Credit Agreement (Exhibit 10.1 to the report of May 5)\n\n',
    about('signatures', 20),
  ].join('')
  const text = [
    items,
    page('Exhibit 10.2 to the former report is incorporated by reference.', about('references', 5)),
    page(
      'EXHIBIT 4.3',
      'DESCRIPTION OF THE REGISTRANT’S SECURITIES',
      about('shares', 20),
      'Our 5% senior notes are issued under an indenture.',
    ),
    page('A-1', 'EXHIBIT 10.7', 'TERM LOAN CREDIT AGREEMENT', 'dated as of May 1, 2024', about('loans')),
    page('EXHIBIT 31.1', 'CERTIFICATION', about('controls', 10)),
  ].join('')
  const found = sectionsOf(plainLines(text), '10-K').filter(s => s.exhibit !== null)
  t.strictSame(
    found.map(({ type, exhibit, item }) => [type, exhibit, item]),
    [
      ['indenture', 'EX-4.3', null],
      ['credit_agreement', 'EX-10.7', null],
      ['other', 'EX-31.1', null],
    ],
  )
  t.match(found[0]?.title, /^DESCRIPTION OF THE REGISTRANT/)
  const exhibits = sectionsOf(plainLines(text), '10-K').find(({ item }) => item === '15')
  t.notMatch(exhibits!.text, /TERM LOAN CREDIT AGREEMENT/)
})

t.test('a report whose items are an index is cut by its own headings', async t => {
  const index = [
    ['1', 'Business', '3-9'],
    ['1A', 'Risk Factors', '20-31'],
    ['2', 'Properties', '9'],
    ['3', 'Legal Proceedings', '70'],
    ['7', 'Management’s Discussion and Analysis', '10-19'],
    ['8', 'Financial Statements and Supplementary Data', '40-71'],
    ['9A', 'Controls and Procedures', '72'],
    ['15', 'Exhibits', '73'],
  ].map(([n, title, pages]) => `Item ${n}.     ${title}     Pages ${pages}`)
  const text = [
    'FORM 10-K\n\nContents\n\nOur Business     3\n\nManagement’s Discussion and Analysis     10\n\nRisk Factors     20\n\n',
    page('Our Business', about('business')),
    page(
      'Management’s Discussion and Analysis',
      about('results'),
      'Liquidity and Capital Resources',
      about('cash'),
    ),
    page('Risk Factors', about('risks')),
    page('Note 1. Basis of Presentation', about('the basis')),
    page('Note 2. Borrowings', about('borrowings')),
    page('Note 3. Contingencies', about('claims'), 'Legal Proceedings', about('courts')),
    page('Controls and Procedures', about('controls')),
    page('Form 10-K Cross-Reference Index', index.join('\n')),
  ].join('')
  t.strictSame(
    sectionsOf(plainLines(text), '10-K').map(({ type, title, within }) => [type, title, within]),
    [
      ['other', 'Cover', null],
      ['business', 'Our Business', null],
      ['mda', 'Management’s Discussion and Analysis', null],
      ['mda_liquidity', 'Liquidity and Capital Resources', 'mda'],
      ['risk_factors', 'Risk Factors', null],
      ['notes', 'Note 1. Basis of Presentation', null],
      ['debt_footnote', 'Note 2. Borrowings', null],
      ['notes', 'Note 3. Contingencies', null],
      ['other', 'Legal Proceedings', null],
      ['other', 'Controls and Procedures', null],
    ],
  )
})
