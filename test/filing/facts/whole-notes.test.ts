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
2029 Term Loans | $250,000 | $(2,548) | $247,452 | $247,452 | Level 2
2027 Convertible Notes | $230,000 | $(2,780) | $${carried} | $142,888 | Level 2
`
  t.strictSame(said(read(table('June 30, 2024', '227,220'))), [
    ['2029 Term Loans', 247.452, null],
    ['2027 Convertible Notes', 227.22, '2027'],
  ])
  t.strictSame(said(read(table('June 30, 2024', '226,220'))), [['2029 Term Loans', 247.452, null]])
  t.strictSame(said(read(table('December 31, 2023', '227,220'))), [], 'of another day')
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
  'Credit Facility | 6.040% | $1,049,000 | $— | $(18,034) | $1,030,966\n4.750% senior notes due 2027 | 4.750% | 1,000,000 | — | (10,714) | 989,286\nTotal long-term debt | | 2,049,000 | — | (28,748) | 2,020,252',
)}
${table(
  'December 31, 2023',
  'Prior Credit Facility | 7.286% | $867,897 | $(293) | $(8,498) | $859,106\n8.625% senior notes due 2026 | 8.625% | 300,000 | — | (4,066) | 295,934\nTotal long-term debt | | 1,167,897 | (293) | (12,564) | 1,155,040',
)}`)
    t.strictSame(
      rows.map(r => [r.name, r.principal, r.carrying_amount]),
      [
        ['6.04% Credit Facility', 104_900_000_000, 103_096_600_000],
        ['4.750% senior notes due 2027', 100_000_000_000, 98_928_600_000],
      ],
    )
    t.end()
  },
)

const WHOLE = (tranche: string) => `Debt consisted of the following (in millions):

June 30, 2024 | December 31, 2023
Credit Agreement | $2,115 | $2,227
4.000% Senior Secured Notes due 2027 | 1,000 | 1,000
Total principal amount of borrowings | 3,115 | 3,227

The Credit Agreement comprises the following term and revolving tranches:

Maturity Date | Value Drawn | Applicable Interest Rate
Term Tranches
U.S. term loans Tranche B-2 | February 5, 2026 | $1,115 | LIBOR (floor of 0.000%) + 3.250%
U.S. term loans Tranche B-3 | September 24, 2028 | $${tranche} | SOFR + 3.50%
Revolving Tranche
U.S. Revolving Loans | August 5, 2026 | $50 | —
`

t.test('rows of another table that add up to a line are listed in its place', t => {
  const rows = read(WHOLE('1,000'))
  t.strictSame(
    rows.map(r => [
      r.maturity,
      (r.carrying_amount ?? 0) / MILLION,
      r.benchmark ?? null,
      r.spread_bps ?? null,
    ]),
    [
      ['2026-02-05', 1115, 'LIBOR', 325],
      ['2028-09-24', 1000, 'SOFR', 350],
      ['2027', 1000, null, null],
    ],
  )
  t.strictSame(
    said(read(WHOLE('990'))).filter(([, amount]) => amount !== 0),
    [
      ['Credit Agreement', 2115, null],
      ['4.000% Senior Secured Notes due 2027', 1000, '2027'],
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
Senior Credit Facilities (as defined below) | $897,835 | $905,000
Senior Notes (as defined below) | 650,000 | 650,000
Total debt | 1,547,835 | 1,555,000

Refer to the table below summarizing the outstanding term loans as of June 30, 2024 (in thousands):

Instrument | Draw Date(s) | Original Principal | Amortization Per Annum | Outstanding Principal | Final Maturity Date | Final Scheduled Principal Payment | Benchmark Rate | Applicable Margin | Interest Rate
Term Loan A-2 | 5/8/2019(3) 10/1/2019(3) | $700,000 | Varies | $655,335 | 10/30/2027 | $476,607 | SOFR | 1.75% | 7.21%
Term Loan B-2 | 1/7/2019 | 250,000 | 1.0% | 242,500 | 10/30/2029 | 228,750 | SOFR | 2.00% | 7.46%
Total | | $950,000 | | $897,835 | | $705,357 | | |
`)
    t.strictSame(
      rows.map(r => [(r.carrying_amount ?? 0) / MILLION, r.maturity ?? null, r.spread_bps ?? null]),
      [
        [650, null, null],
        [655.335, '2027-10-30', 175],
        [242.5, '2029-10-30', 200],
      ],
    )
    t.end()
  },
)

t.test('a table without amounts states rate and maturity of the debt that it names', t => {
  const note = (terms: string) => `Outstanding debt balances were as follows (in millions):

June 30, 2024 | December 31, 2023
2026 Revolving Facility | $252.9 | $25.0
2026 Term Loan B Facility - USD | 378.0 | 381.0
2027 Senior Notes | 400.0 | 400.0
Total long-term debt | 1,030.9 | 806.0

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
Unsecured notes | 2025 | to | 2034 | 2.60% | to | 4.38% | $5,550 | $4,050
Certificates | 2025 | to | 2032 | 3.20% | to | 8.02% | 1,669 | 1,837
Total debt | | | | | | | $7,219 | $5,887
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
Principal amount of convertible senior notes | $460,000 | $460,000
${more}Total | $${more === '' ? '460,000' : '560,000'} | $${more === '' ? '460,000' : '560,000'}

The Notes will mature on June 1, 2028, unless earlier repurchased. The Notes bear interest at a rate of 1.50% per year.
`
  t.match(read(note('')), [
    { name: '1.5% Convertible senior notes due June 1, 2028', coupon_rate: 1.5, maturity: '2028-06-01' },
  ])
  t.strictSame(
    read(note('Subordinated notes | 100,000 | 100,000\n')).map(r => r.coupon_rate ?? null),
    [null, null],
  )
  t.match(
    read(
      'In May 2023, we issued $300.0 million aggregate principal amount of convertible senior notes due on September 15, 2027. The 2027 Notes are senior unsecured obligations of the Company and bear interest at a rate of 1.25% per annum.',
    ),
    [{ coupon_rate: 1.25, maturity: '2027-09-15', principal: 30_000_000_000 }],
  )
  t.strictSame(
    read(
      'In May 2023, we issued $300.0 million aggregate principal amount of convertible senior notes due on September 15, 2027. The 2029 Notes are senior unsecured obligations of the Company and bear interest at a rate of 1.25% per annum.',
    ),
    [],
    'other notes',
  )
  t.end()
})

t.test('a facility that falls due later and has nothing drawn is listed as undrawn', t => {
  const note = (name: string) => `Long-term debt consisted of the following (in thousands):

June 30, 2024 | December 31, 2023
Term Loan Facility due 2026 | $2,069,752 | $2,080,259
${name} | — | —
Total debt | 2,069,752 | 2,080,259
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
1.75% convertible senior notes | $562,285 | $562,000
Lease liabilities | 178,969 | 186,156
Other obligations | 33,714 | 7,295
Total | $774,968 | $755,451
`
  t.equal(read(table('The carrying value of our long-term obligations was as follows')).length, 1)
  t.equal(read(table('Debt and other obligations were as follows')).length, 2)
  t.end()
})
