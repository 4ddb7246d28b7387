import t from 'tap'
import { creditFacilitiesIn } from '../../../engine/filing/facts/credit-facilities.ts'
import { debtLinesIn } from '../../../engine/filing/facts/debt-tables.ts'
import { section } from './section.ts'

const NOTE = { section_type: 'debt_footnote', doc_type: '10-Q', period_end: '2024-06-30' }
const read = (text: string, more = {}) => debtLinesIn(section(text, { ...NOTE, ...more }))
const MILLION = 1e8
const said = (rows: ReturnType<typeof debtLinesIn>) =>
  rows.map(r => [r.name, (r.carrying_amount ?? r.principal ?? 0) / MILLION, r.maturity ?? null])

t.test('of three days in the heads of a quarter, the column of the report is read', t => {
  const table = (
    heads: string,
  ) => `The following table sets forth the long-term debt of the Company (in millions):

${heads}
Senior Notes:
4.50%, due 2027 | 297 | 298 | 402
6.25%, due 2030 (€300 million) | 321 | 330 | —
Other | 4 | 5 | 6
Total long-term debt | 622 | 633 | 408
`
  const found = [
    ['4.50% senior notes due 2027', 297, '2027'],
    ['6.25% senior notes due 2030', 321, '2030'],
    ['Other debt', 4, null],
  ]
  t.strictSame(said(read(table('June 30, | December 31, | June 30,\n2024 | 2023 | 2023'))), found)
  t.strictSame(said(read(table('June 30, 2024 | December 31, 2023 | June 30, 2023'))), found)
  t.strictSame(
    said(read(table('June 30, 2023 | December 31, 2023 | March 31, 2023'))).filter(([, amount]) => amount),
    [],
    'none is of the report',
  )
  t.end()
})

t.test('a heading ranks the notes below it, also with what rate they bear', t => {
  const rows = read(`Long-term debt at June 30, 2024 and December 31, 2023 consisted of (in millions):

June 30, 2024 | December 31, 2023
Fixed Rate Secured:
4.10% Senior Notes due June 1, 2032 | $400 | $400
7.00% Debentures due September 1, 2042 | 482 | 482
Secured long-term debt | 882 | 882
Unsecured:
Term loan credit agreement maturing June 1, 2026 | 450 | —
Total long-term debt | 1,332 | 882
`)
  t.strictSame(
    rows.map(r => [r.name, r.seniority ?? null, r.security_type ?? null]),
    [
      ['4.10% Senior Notes due June 1, 2032', 'senior_secured', null],
      ['7.00% Debentures due September 1, 2042', 'senior_secured', null],
      ['Term loan credit agreement maturing June 1, 2026', null, 'unsecured'],
    ],
  )
  t.end()
})

t.test('a row whose principal and discount add up to what it is carried at needs no total', t => {
  const table = (
    day: string,
    carried: string,
  ) => `A summary of the debt, with levels of fair value, was as follows:

At ${day}
(in thousands) | Principal Amount | Unamortized Debt Discount | Net Carrying Value | Estimated Fair Value | Level
2029 Term Loans | $500,000 | $(5,096) | $494,904 | $494,904 | Level 2
2027 Convertible Notes | $460,000 | $(5,560) | $${carried} | $285,776 | Level 2
`
  t.strictSame(said(read(table('June 30, 2024', '454,440'))), [
    ['2029 Term Loans', 494.904, null],
    ['2027 Convertible Notes', 454.44, '2027'],
  ])
  t.strictSame(said(read(table('June 30, 2024', '452,440'))), [['2029 Term Loans', 494.904, null]])
  t.strictSame(said(read(table('December 31, 2023', '454,440'))), [], 'of another day')
  t.end()
})

t.test(
  'columns of names and rates stand beside those of amounts, and a table of an earlier day is no debt now',
  t => {
    const table = (day: string, rows: string) => `${day}
(In thousands) | Interest Rates at ${day} | Outstanding Principal | Unamortized Discount | Unamortized Fees and Costs | Long-Term Debt, Net
${rows}
`
    const rows = read(`Long-term debt, net of costs, consists of the following:

${table(
  'June 30, 2024',
  'Credit Facility | 6.310% | $2,098,000 | $— | $(36,068) | $2,061,932\n5.150% senior notes due 2027 | 5.150% | 2,000,000 | — | (21,428) | 1,978,572\nTotal long-term debt | | 4,098,000 | — | (57,496) | 4,040,504',
)}
${table(
  'December 31, 2023',
  'Prior Credit Facility | 7.286% | $1,735,794 | $(293) | $(16,996) | $1,718,212\n8.375% senior notes due 2026 | 8.375% | 600,000 | — | (8,132) | 591,868\nTotal long-term debt | | 2,335,794 | (293) | (25,128) | 2,310,080',
)}`)
    t.strictSame(
      rows.map(r => [r.name, r.principal, r.carrying_amount]),
      [
        ['6.31% Credit Facility', 209_800_000_000, 206_193_200_000],
        ['5.150% senior notes due 2027', 200_000_000_000, 197_857_200_000],
      ],
    )
    t.end()
  },
)

const WHOLE = (tranche: string) => `Debt consisted of the following (in millions):

June 30, 2024 | December 31, 2023
Credit Agreement | $4,230 | $4,454
4.350% Senior Secured Notes due 2027 | 2,000 | 2,000
Total principal amount of borrowings | 6,230 | 6,454

The Credit Agreement comprises the following term and revolving tranches:

Maturity Date | Value Drawn | Applicable Interest Rate
Term Tranches
Domestic term loans Tranche B-2 | March 18, 2026 | $2,230 | LIBOR (floor of 0.000%) + 3.250%
Domestic term loans Tranche B-3 | November 20, 2028 | $${tranche} | SOFR + 3.50%
Revolving Tranche
Domestic Revolving Loans | July 8, 2026 | $50 | —
`

t.test('rows of another table that add up to a line are listed in its place', t => {
  const rows = read(WHOLE('2,000'))
  t.strictSame(
    rows.map(r => [
      r.maturity,
      (r.carrying_amount ?? 0) / MILLION,
      r.benchmark ?? null,
      r.spread_bps ?? null,
    ]),
    [
      ['2026-03-18', 2230, 'LIBOR', 325],
      ['2028-11-20', 2000, 'SOFR', 350],
      ['2027', 2000, null, null],
    ],
  )
  t.strictSame(
    said(read(WHOLE('990'))).filter(([, amount]) => amount !== 0),
    [
      ['Credit Agreement', 4230, null],
      ['4.350% Senior Secured Notes due 2027', 2000, '2027'],
    ],
    'they do not add up to it',
  )
  t.end()
})

t.test(
  'of original and outstanding principal the latter is owed, with the margin beside its reference',
  t => {
    const rows = read(`The carrying amount of long-term debt consisted of the following (in thousands):

June 30, 2024 | December 31, 2023
Senior Credit Facilities (as defined below) | $1,795,670 | $1,810,000
Senior Notes (as defined below) | 1,300,000 | 1,300,000
Total debt | 3,095,670 | 3,110,000

Refer to the table below summarizing the outstanding term loans as of June 30, 2024 (in thousands):

Instrument | Draw Date(s) | Original Principal | Amortization Per Annum | Outstanding Principal | Final Maturity Date | Final Scheduled Principal Payment | Benchmark Rate | Applicable Margin | Interest Rate
Term Loan A-2 | 4/9/2019(3) 11/4/2019(3) | $1,400,000 | Varies | $1,310,670 | 9/29/2027 | $953,214 | SOFR | 1.75% | 7.21%
Term Loan B-2 | 2/5/2019 | 500,000 | 1.0% | 485,000 | 9/27/2029 | 457,500 | SOFR | 2.00% | 7.46%
Total | | $1,900,000 | | $1,795,670 | | $1,410,714 | | |
`)
    t.strictSame(
      rows.map(r => [(r.carrying_amount ?? 0) / MILLION, r.maturity ?? null, r.spread_bps ?? null]),
      [
        [1300, null, null],
        [1310.67, '2027-09-29', 175],
        [485, '2029-09-27', 200],
      ],
    )
    t.end()
  },
)

t.test('a table without amounts states rate and maturity of the debt that it names', t => {
  const note = (terms: string) => `Outstanding debt balances were as follows (in millions):

June 30, 2024 | December 31, 2023
2026 Revolving Facility | $505.8 | $50.0
2026 Term Loan B Facility - USD | 756.0 | 762.0
2027 Senior Notes | 800.0 | 800.0
Total long-term debt | 2,061.8 | 1,612.0

Below is a summary of financing information:

Financing Facilities | Interest Rate Index and Margin | Maturity Dates | Initial Term (Years)
2026 Revolving Facility(ii) | SOFR + 4.50% | July 2026 | 3.0
Term Loan B Facility - USD(i) | SOFR + 2.75% | November 2026 | 7.5
${terms}
`
  const rows = read(note('2027 Senior Notes | 8.5% | April 2027 | 8.0'))
  t.strictSame(
    rows.map(r => [r.coupon_rate ?? r.spread_bps ?? null, r.maturity ?? null]),
    [
      [450, '2026-07'],
      [275, '2026-11'],
      [8.5, '2027-04'],
    ],
  )
  t.strictSame(
    read(note('2027 Senior Notes | 8.5% | April 2023 | 8.0'))
      .slice(0, 3)
      .map(r => r.coupon_rate ?? null),
    [null, null, null],
    'past',
  )
  t.end()
})

t.test('rates and years with a word between them in cells of their own are ranges', t => {
  const rows = read(
    `The following table summarizes our debt:

(in millions) | Maturity Dates | Interest Rate(s) Per Annum | June 30, 2024 | December 31, 2023
Unsecured notes | 2025 | to | 2034 | 2.60% | to | 4.38% | $11,100 | $8,100
Certificates | 2025 | to | 2032 | 3.20% | to | 8.02% | 3,338 | 3,674
Total debt | | | | | | | $14,438 | $11,774
`,
  )
  t.strictSame(
    rows.map(r => [r.name, r.coupon_rate ?? null, r.maturity ?? null]),
    [
      ['Unsecured notes 2.60%-4.38% due 2025 - 2034', null, null],
      ['Certificates 3.20%-8.02% due 2025 - 2032', null, null],
    ],
  )
  t.end()
})

t.test('the notes of which a text tells are those of the one line that is notes', t => {
  const note = (more: string) => `Convertible senior notes consisted of the following (in thousands):

June 30, 2024 | December 31, 2023
Principal amount of convertible senior notes | $920,000 | $920,000
${more}Total | $${more === '' ? '920,000' : '1,120,000'} | $${more === '' ? '920,000' : '1,120,000'}

The Notes will mature on June 1, 2028, unless earlier repurchased. The Notes bear interest at a rate of 1.50% per year.
`
  t.match(read(note('')), [
    { name: '1.5% Convertible senior notes due June 1, 2028', coupon_rate: 1.5, maturity: '2028-06-01' },
  ])
  t.strictSame(
    read(note('Subordinated notes | 200,000 | 200,000\n')).map(r => r.coupon_rate ?? null),
    [null, null],
  )
  t.match(
    read(
      'In May 2023, we issued $340.0 million aggregate principal amount of convertible senior notes due on October 12, 2027. The 2027 Notes are senior unsecured obligations of the Company and bear interest at a rate of 1.35% per annum.',
    ),
    [{ coupon_rate: 1.35, maturity: '2027-10-12', principal: 34_000_000_000 }],
  )
  t.strictSame(
    read(
      'In May 2023, we issued $340.0 million aggregate principal amount of convertible senior notes due on October 12, 2027. The 2029 Notes are senior unsecured obligations of the Company and bear interest at a rate of 1.35% per annum.',
    ),
    [],
    'other notes',
  )
  t.end()
})

t.test('a facility that falls due later and has nothing drawn is listed as undrawn', t => {
  const note = (name: string) => `Long-term debt consisted of the following (in thousands):

June 30, 2024 | December 31, 2023
Term Loan Facility due 2026 | $4,139,504 | $4,160,518
${name} | — | —
Total debt | 4,139,504 | 4,160,518
`
  t.match(read(note('Asset-based Revolving Credit Facility due 2027(1)'))[1], { drawn: 0, maturity: '2027' })
  for (const name of [
    'Prior Revolving Credit Facility due 2027',
    'Revolving Credit Facility due 2023',
    'Term loan credit agreement due 2027',
  ])
    t.equal(read(note(name)).length, 1, name)
  t.end()
})

t.test('margins stand behind references with marks, and not as ranges; expiry is maturity', t => {
  const rows = read(`Debt was as follows (in millions):

June 30, 2024 | December 31, 2023
Receivables facility SOFR1 plus 0.80% | $327 | $—
Revolving Credit Facility, SOFR plus 3%-4%, matures April 29, 2027 | 40 | 10
Commercial notes, periodic interest payments, 6.25%, expire May 1, 2026 | 46 | —
Principal amount | 413 | 10
Less: unamortized costs | (3) | (1)
Total debt | 410 | 9
`)
  t.strictSame(
    rows.map(r => [r.coupon_rate ?? null, r.spread_bps ?? null, r.maturity ?? null]),
    [
      [null, 80, null],
      [null, null, '2027-04-29'],
      [6.25, null, '2026-05-01'],
    ],
  )
  t.end()
})

t.test('the balance of term loans is told beside one that was repaid', t => {
  const rows = read(
    'On June 30, 2024, the Company repaid the outstanding balance on the 3-year term loan facility of $150 million. The outstanding balance on the term loans was $587 million and $756 million as of June 30, 2024 and December 31, 2023, respectively.',
  )
  t.match(rows, [{ name: 'Term loans', carrying_amount: 58_700_000_000, instrument_type: 'term_loan' }])
  t.end()
})

t.test('loans that may be re-borrowed until a day are of a facility that falls due then', t => {
  const rows = creditFacilitiesIn(
    section(
      'On March 26, 2024, the Company entered into a Credit Agreement. The Credit Agreement provides for a $1.0 billion senior unsecured five-year revolving facility. The revolving loans may be borrowed, repaid and re-borrowed until March 26, 2029, at which time all amounts borrowed must be repaid.',
      {
        doc_type: '8-K',
        title: 'Item 1.01 Entry into a Material Definitive Agreement',
        period_end: '2024-03-26',
        filing_date: '2024-03-29',
      },
    ),
  )
  t.match(rows, [{ commitment: 100_000_000_000, maturity: '2029-03-26', instrument_type: 'revolver' }])
  t.end()
})

t.test('other obligations beside debt are none where a table is of all long-term obligations', t => {
  const table = (head: string) => `${head} (in thousands):

June 30, 2024 | December 31, 2023
1.75% convertible senior notes | $1,124,570 | $1,124,000
Lease liabilities | 357,938 | 372,312
Other obligations | 67,428 | 14,590
Total | $1,549,936 | $1,510,902
`
  t.equal(read(table('The carrying value of our long-term obligations was as follows')).length, 1)
  t.equal(read(table('Debt and other obligations were as follows')).length, 2)
  t.end()
})
