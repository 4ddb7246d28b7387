import t from 'tap'
import { debtLinesIn } from '../../../engine/filing/facts/debt-tables.ts'
import { unitOfStatements } from '../../../engine/filing/facts/statement-unit.ts'
import { section } from './section.ts'

const read = (text: string, more = {}) =>
  debtLinesIn(section(text, { section_type: 'debt_footnote', doc_type: '10-K', ...more }))
const said = (rows: ReturnType<typeof debtLinesIn>) =>
  rows.map(r => [r.name, (r.carrying_amount ?? 0) / 1e8, r.maturity])

t.test('rows that add up to the total of a table are debt, without percent signs and with ranges', t => {
  const rows = read(`The components of long-term debt are as follows (in millions):

December 31,

2024 | 2023
Interest Rate % | Maturity

Senior secured debt:

1.875 | 2034 | $831 | $881

Senior unsecured debt:

3.25 | 2026 | 748 | 747
3.10-4.25 | 2030 | 1,737 | 1,735

Euro senior unsecured debt:

0.45 | 2029 | 641 | 637
Total senior unsecured debt | 3,126 | 3,119
Finance lease obligations | 800 | 468
4,757 | 4,468
Less current portion | 126 | 82
$4,631 | $4,386
`)
  t.strictSame(said(rows), [
    ['3.25% Senior unsecured debt due 2026', 748, '2026'],
    ['Senior unsecured debt 3.10%-4.25% due 2030', 1737, '2030'],
    ['0.45% Euro senior unsecured debt due 2029', 641, '2029'],
    ['1.875% Senior secured debt due 2034', 831, '2034'],
  ])
  t.match(rows[1], {
    rule: 'debt_schedule',
    coupon_rate: undefined,
    evidence: '3.10-4.25 | 2030 | 1,737 | 1,735',
  })
  t.match(rows[0], { rule: 'debt_table', coupon_rate: 3.25, balance_date: '2024-12-31', currency: 'USD' })
  t.end()
})

t.test('loans, commercial paper and lines of a range below one name are debt of the table', t => {
  t.strictSame(
    said(
      read(`Debt consisted of the following (in millions):

At December 31, | Rates % | Maturities | 2024 | 2023
Alfa Corp | 1.38 - 4.00 | 2025 - 2042 | $2,965 | $3,137
4.05 - 5.51 | 2027 - 2055 | 6,623 | 6,790
Floating | 2025 - 2028 | 465 | 668
Subsidiaries - debentures | 5.13 | 2033 | 22 | 22
Term loans | | | 300 | -
Commercial paper | | | 100 | 50
Unamortized discount, net of premium | (62) | (71)
Total debt | $10,413 | $10,596
`),
    ),
    [
      ['Alfa Corp debt 1.38%-4.00% due 2025 - 2042', 2965, null],
      ['Alfa Corp debt 4.05%-5.51% due 2027 - 2055', 6623, null],
      ['Alfa Corp floating debt due 2025 - 2028', 465, null],
      ['5.13% Subsidiaries - debentures due 2033', 22, '2033'],
      ['Term loans', 300, null],
      ['Commercial paper', 100, null],
    ],
  )
  t.end()
})

t.test('amounts of the report day are told from averages, fair values, face amounts and other days', t => {
  t.strictSame(
    said(
      read(`The Company's long-term debt consisted of the following (in millions):

December 31, 2024 | December 31, 2023
Amount | Average Rate | Amount | Average Rate
U.S. dollar notes due 2026-2093 | $21,982 | 3.2% | $21,966 | 2.5%
Euro notes due 2027 | 788 | 4.8 | 891 | 4.7
Total | 22,770 | 3.4% | 22,857 | 2.3%
`),
    ),
    [
      ['U.S. dollar notes due 2026-2093', 21982, null],
      ['Euro notes due 2027', 788, '2027'],
    ],
    'an average rate is no coupon, and the percent sign may stand in the first row alone',
  )
  const [first] = read(`The net carrying amount of the notes was as follows (in thousands):

Principal | Unamortized debt
outstanding | issuance costs | Net carrying value

December 31, 2024

2031 Senior Notes | $1,000,000 | $(13,226) $ | 986,774
2026 Senior Notes | 1,000,000 | (12,374) | 987,626
Total | $2,000,000 | $(25,600) $ | 1,974,400
`)
  t.match(first, { carrying_amount: 98_677_400_000, principal: 100_000_000_000 })
  t.strictSame(
    said(
      read(`During 2024, the borrowing activity was as follows (in millions):

December 31, 2023 | Borrowings | Payments | Other Activity | December 31, 2024
Commercial paper | $50 | $1,020 | $ - | $3 | $1,073
U.S. dollar denominated notes | 45,091 | - | (1,242) | (104) | 43,745
Total | $45,141 | $1,020 | $(1,242) | $(101) | $44,818
`),
    ),
    [
      ['Commercial paper', 1073, null],
      ['U.S. dollar denominated notes', 43745, null],
    ],
  )
  t.strictSame(
    said(
      read(`Notes outstanding (in millions):

Principal | Fair Value | Principal | Fair Value
December 31, 2024 | December 31, 2023
3.4% notes due 2027 | $400 | $454 | $400 | $417
1.5% notes due 2030 | 500 | 490 | - | -
Total gross long-term debt | $900 | $944 | $400 | $417
`),
    ),
    [
      ['3.4% notes due 2027', 400, '2027'],
      ['1.5% notes due 2030', 500, '2030'],
    ],
  )
  t.end()
})

t.test('tables of payments, issues and assets are none of debt outstanding, and totals must agree', t => {
  const none = (text: string) => t.strictSame(said(read(text)), [])
  none(
    'Maturities of debt at December 31, 2024 (in millions):\n\n2025 | $100\n2026 | 200\nThereafter | 300\nTotal debt | $600\n',
  )
  none(
    'Debt repurchased in the year (in millions):\n\n2024 | 2023\nSecond lien notes | $10 | $20\nTerm loans | 30 | 40\nTotal debt | $40 | $60\n',
  )
  none(
    'Debt (in millions):\n\n2024 | 2023\nTerm loans | $10 | $20\nSecured debt | 30 | 40\nTotal debt | $45 | $60\n',
  )
  none(
    'Debt (in millions):\n\n2023 | 2022\nTerm loans | $10 | $20\nSecured debt | 30 | 40\nTotal debt | $40 | $60\n',
  )
  t.end()
})

t.test('a table without a unit has that of the statements', t => {
  const table =
    'Debt consisted of:\n\n2024 | 2023\nTerm loans | $10 | $20\nSecured debt | 30 | 40\nTotal debt | $40 | $60\n'
  t.strictSame(said(read(table)), [])
  t.strictSame(said(read(table, { amounts_in: 'thousands' })), [
    ['Term loans', 0.01, null],
    ['Secured debt', 0.03, null],
  ])
  t.equal(
    unitOfStatements(['ALFA CORP Consolidated Balance Sheets (In millions, except shares)']),
    'millions',
  )
  t.equal(
    unitOfStatements([
      'Consolidated Balance Sheets (in millions)',
      'Consolidated Statements of Income (in thousands)',
    ]),
    null,
  )
  t.end()
})

t.test('a text says what the notes of a table are, and which notes no table has', t => {
  const text = `In March 2021, we issued $650 million principal amount of notes due March 15, 2031 (the "2031 Notes"). The 2031 Notes bear interest at a fixed rate of 5.50% per year.

In May 2022, Beta Finance issued $400 million aggregate principal of 4.35% senior unsecured notes due in 2029. In 2020 we issued $300 million of 7.25% senior notes due 2026. The proceeds of an offering were used to redeem the 7.25% senior notes due 2026.

Long-term debt consisted of the following ($ in millions):

December 31, 2024 | December 31, 2023
2031 Notes | $650 | $650
Term loan | 100 | 100
Total long-term debt | $750 | $750
`
  t.strictSame(
    said(
      read('In February 2025, we issued $1.0 billion aggregate principal amount of 3.875% notes due 2029.'),
    ),
    [],
    'not what was issued after the day of the report',
  )
  const rows = read(text)
  t.strictSame(said(rows), [
    ['5.5% Notes due March 15, 2031', 650, '2031-03-15'],
    ['Term loan', 100, null],
    ['4.35% Senior Unsecured Notes due 2029', 0, '2029'],
  ])
  t.match(rows[2], {
    rule: 'note_text',
    principal: 40_000_000_000,
    evidence: /^In May 2022, Beta Finance issued \$400 million/,
  })
  t.end()
})

t.test('commercial paper of the report day is told by a sentence where no table has it', t => {
  const paper = (text: string) => read(text).map(r => [r.name, r.carrying_amount! / 1e8])
  t.strictSame(
    paper(
      'As of December 31, 2024 and 2023, we had $4,209 million and $2,146 million, respectively, in outstanding commercial paper borrowings.',
    ),
    [['Commercial paper', 4209]],
  )
  for (const [told, amount] of [
    [
      'As of December 31, 2023 and 2024, we had $4,209 million and $2,146 million, respectively, in outstanding commercial paper borrowings.',
      2146,
    ],
    [
      'There were $725 million of borrowings outstanding under the Commercial Paper Programs as of December 31, 2023 and 2024, which had a weighted-average effective interest rate of 0.11% and 0.08%, respectively.',
      725,
    ],
    ['Commercial paper outstanding at December 31, 2024 was $500 million.', 500],
    [
      'As of December 31, 2023, we had no commercial paper outstanding and as of December 31, 2024, we had $2.3 billion of commercial paper outstanding with a weighted-average effective interest rate of 4.5%.',
      2300,
    ],
    [
      'As of December 31, 2023, there was $1.0 billion of commercial paper outstanding, and at December 31, 2024 there was $2.0 billion of commercial paper outstanding.',
      2000,
    ],
  ] as const)
    t.strictSame(paper(told), [['Commercial paper', amount]], told)
  t.strictSame(
    paper(
      'As of December 31, 2024 and 2023, the Company also had $360 million and $348 million, respectively, in lines of credit, short-term credit facilities and other short-term borrowings.',
    ),
    [['Other short-term borrowings', 360]],
  )
  for (const none of [
    'As of December 31, 2024, the maximum we had was $900 million of commercial paper borrowings.',
    'In 2024 we issued $900 million of commercial paper.',
    'As of December 31, 2024, we had no commercial paper outstanding and as of December 31, 2023, we had $2.3 billion of commercial paper outstanding.',
    'As of December 31, 2024 we had no commercial paper outstanding ($3.9 billion as of December 31, 2023).',
  ])
    t.strictSame(paper(none), [], none)
  t.end()
})

t.test('the heading or the sentence above a table says the rank of the notes below it', t => {
  const ranks = (intro: string, heading: string) =>
    read(`${intro} (in millions):

December 31, | 2024 | 2023
${heading}
3.25% due 2026 | $748 | $747
2.40% notes due 2031 | 990 | 989
Total | $1,738 | $1,736
`).map(row => [row.seniority ?? null, row.security_type ?? null])
  const both = (seniority: string | null, security: string | null) => [
    [seniority, security],
    [seniority, security],
  ]
  t.strictSame(
    ranks('Debt consisted of the following', 'Senior unsecured notes:'),
    both('senior_unsecured', 'unsecured'),
  )
  t.strictSame(
    ranks('Our senior notes consisted of the following', ''),
    both('senior_unsecured', null),
    'notes called senior, by the convention of the market',
  )
  t.strictSame(ranks('Our senior notes and term loans consisted of the following', ''), both(null, null))
  t.strictSame(ranks('Debt consisted of the following', 'Notes:'), both(null, null))
  t.end()
})

t.test(
  'a row with a rate and a maturity is no total, and a heading that names an issue is that of its rows',
  t => {
    const rows = read(`The components of our long-term debt were as follows (in millions):

Face Value | Stated | Effective
June 30, | 2024 | 2023 | Interest Rate | Interest Rate

Notes

November 3, 2030 | 2,250 | 2,250 | 2.000% | 2.093%
February 8, 2031 | 500 | 500 | 4.000% | 4.082%
August 8, 2031 | 2,750 | 2,750 | 1.550% | 1.642%
Total | $5,500 | $5,500

The following table provides a summary of the Company’s term debt (in millions):

2024 | 2023

2013 – 2020 debt issuances:

Fixed-rate 0.000% – 4.650% notes | 2025 – 2060 | 95,813 | 103,828

Second quarter 2024 debt issuance:

Fixed-rate 0.700% – 2.800% notes | 2029 – 2061 | 14,000 | —
Total term debt | 109,813 | 103,828
`)
    t.strictSame(said(rows), [
      ['2% Notes due November 3, 2030', 2250, '2030-11-03'],
      ['4% Notes due February 8, 2031', 500, '2031-02-08'],
      ['1.55% Notes due August 8, 2031', 2750, '2031-08-08'],
      ['Fixed-rate 0.000% - 4.650% notes due 2025 - 2060', 95813, null],
      ['Fixed-rate 0.700% - 2.800% notes due 2029 - 2061', 14000, null],
    ])
    t.end()
  },
)

t.test(
  'a name may stand above its row, a total above the rest of its name, and a rate lack the nought',
  t => {
    const rows = read(`Debt at December 31 consisted of the following (in millions):

2024 | 2023
Unsecured debt securities

Variable rate: 3-month SOFR plus 12.5 basis points due 2027

$250 | $250
0.95% - 4.88% due through 2046 | 5,250 | 5,075
.698% debentures due 2034 | 191 | 185
Total unsecured debt securities | 5,691 | 5,510

Borrowings

Revolving credit facilities due 2028 | 2,888 | 2,965
Term loan due 2026 | 250 | 240

Total Borrowings Subject to

Compromise | 3,138 | 3,205
`)
    t.strictSame(said(rows), [
      ['Variable rate: 3-month SOFR plus 12.5 basis points due 2027 Unsecured debt securities', 250, '2027'],
      ['Unsecured debt securities 0.95% - 4.88% due through 2046', 5250, null],
      ['.698% debentures due 2034', 191, '2034'],
      ['Revolving credit facilities due 2028', 2888, '2028'],
      ['Term loan due 2026', 250, '2026'],
    ])
    t.equal(rows[2]?.coupon_rate, 0.698)
    t.end()
  },
)

t.test(
  'a table of debt in default is about lines of other tables, and a dash of dollars is no range of rates',
  t => {
    t.strictSame(
      said(
        read(`The following table summarizes debt in default (in millions) as of December 31, 2024. Due to the defaults, these amounts are current:

December 31, 2024
Subsidiary | Default | Net Assets
Alfa (Bulgaria) | $559 | $657
Beta (Brazil) | 333 | 439
Total | $892 | $1,096
`),
      ),
      [],
    )
    const [paper] = read(`Notes payable are summarized below:

2024 | 2023
(Dollars in millions) | BORROWINGS | INTEREST RATE | BORROWINGS | INTEREST RATE
Commercial paper | $248 | 1.65% | $— | 0.00%
Bank loans | 12 | 2.00% | 9 | 26.00%
TOTAL NOTES PAYABLE | $260 | $9
`)
    t.match(paper, { name: '1.65% Commercial paper', coupon_rate: 1.65 })
    t.end()
  },
)

t.test(
  'carrying amounts in two columns, current and long-term, are one balance beside the face amount',
  t => {
    const table = (
      day: string,
      amount: string,
    ) => `The following is a summary of our debt as of ${day} (in millions):

Net Carrying Value | Unpaid Principal Balance | Unused Committed Amount (1) | Contractual Interest Rates | Contractual Maturity Date
Current | Long-Term

2028 Notes | ${amount} | $— | $37 | $— | 2.00% | May 2028
Credit Agreement | — | — | — | 5,000 | Not applicable | January 2030
Automotive Asset-backed Notes | 1,906 | 2,337 | 4,259 | — | 0.60-6.57% | July 2026-May 2031
Cash Equity Debt | 28 | 330 | 367 | — | 5.25-5.81% | July 2033-January 2035
Total debt | 1,971 | 2,667 | $4,663 | $5,000

`
    const rows = read(table('December 31, 2024', '$37') + table('December 31, 2023', '$36'))
    t.strictSame(
      rows.map(r => [r.name, (r.carrying_amount ?? 0) / 1e8, (r.principal ?? 0) / 1e8]),
      [
        ['2% 2028 Notes', 37, 37],
        // Undrawn.
        ['Credit Agreement due January 2030', 0, 0],
        ['Automotive Asset-backed Notes 0.60%-6.57%', 4243, 4259],
        ['Cash Equity Debt 5.25%-5.81%', 358, 367],
      ],
    )
    t.end()
  },
)

t.test('a row that a page breaks behind the mark of a footnote goes on in the next line', t => {
  t.strictSame(
    said(
      read(`Outstanding long-term debt obligations are as follows:
(dollars in millions)
At December 31, | Maturities | Rates % | 2024 | 2023
Alfa Communications | 2024-2029 | 1.38 – 5.51 | $19,885 | $24,242
2030-2034 | 1.38 – 6.80 | 30,038 | 23,711
2024-2029 | Floating | (1)
2,210 | 2,868
Total long-term debt | 52,133 | 50,821
`),
    ),
    [
      ['Alfa Communications debt 1.38%-5.51% due 2024-2029', 19885, null],
      ['Alfa Communications debt 1.38%-6.80% due 2030-2034', 30038, null],
      ['Floating-rate Alfa Communications debt due 2024-2029', 2210, null],
    ],
  )
  t.end()
})

t.test('all notes that a sentence tells are one line where nothing tells of single ones', t => {
  const sentence =
    'As of December 31, 2024 and 2023, the Company had outstanding fixed-rate notes with varying maturities for an aggregate carrying amount of $98.1 billion and $105.3 billion, respectively (collectively the “Notes”).'
  t.match(read(`Term Debt\n\n${sentence}\n`), [
    { name: 'Fixed-rate notes', carrying_amount: 98.1e11, instrument_type: 'notes', rule: 'note_text' },
  ])
  t.strictSame(
    said(
      read(`${sentence}

The following table shows term debt (in millions):

2024 | 2023
2.4% notes due 2030 | 98,000 | 105,000
3.0% notes due 2031 | 100 | 300
Total term debt | 98,100 | 105,300
`),
    ).map(([name]) => name),
    ['2.4% notes due 2030', '3.0% notes due 2031'],
  )
  t.strictSame(read('As of December 31, 2023, we had $14.0 billion of senior notes outstanding.'), [])
  t.end()
})

t.test('a report without a note on debt may name its only notes in its note on fair values', t => {
  const text = `Long-Term Debt

The fair value of long-term debt is determined by using model-derived valuations.

December 31, | December 31,
($ in millions) | 2024 | 2023
Carrying value (1) | $395 | $394
Fair value | 338 | 389

(1) The carrying value of debt reflects $5 million of issuer’s discount and costs related to 4% Notes due in 2029.
`
  const more = { section_type: 'notes', title: '9. Fair Value Measurements' }
  t.match(read(text, { ...more, has_debt_note: false }), [
    { name: '4% Notes due 2029', carrying_amount: 395e8, coupon_rate: 4, maturity: '2029' },
  ])
  t.strictSame(read(text, { ...more, has_debt_note: true }), [])
  t.strictSame(
    read(text.replace('4% Notes due in 2029', '4% Notes due in 2029 and 5% Notes due in 2031'), {
      ...more,
      has_debt_note: false,
    }),
    [],
  )
  t.end()
})
