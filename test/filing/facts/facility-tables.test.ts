import t from 'tap'
import { creditFacilitiesIn } from '../../../engine/filing/facts/credit-facilities.ts'
import { debtLinesIn } from '../../../engine/filing/facts/debt-tables.ts'
import { section } from './section.ts'

const note = (text: string) => section(text, { section_type: 'debt_footnote', doc_type: '10-K' })
const MILLION = 100_000_000
const millions = (amount: number | null | undefined) => (amount == null ? null : amount / MILLION)
const facilities = (text: string) =>
  creditFacilitiesIn(note(text)).map(row => [
    row.name,
    millions(row.commitment),
    millions(row.drawn),
    millions(row.undrawn),
    row.maturity ?? null,
  ])
const paper = (text: string) =>
  debtLinesIn(note(text)).map(row => [row.name, row.instrument_type, millions(row.carrying_amount)])

t.test(
  'a row that names its borrower is a facility where it adds up, and its commercial paper is debt',
  t => {
    const table = `The following table summarizes borrowings under revolving credit facilities and commercial paper programs at December 31, 2024:

Credit | Letters of | Commercial
Termination | Facility | Credit | Paper | Facility
(in millions) | Date | Limit | Outstanding | Outstanding | Availability
Gama Corporation | April 2028 | $300 (1) | $- | $- | $300
Gama Gas | April 2028 | 3,000 (2) | 33 | 1,019 | 1,948
Gama Water | April 2028 | 900 | 100 | 100 | 500
Total revolving credit facilities | $4,200 | $133 | $1,119 | $2,748
`
    t.strictSame(facilities(table), [
      ['Gama Corporation revolving credit facility due April 2028', 300, null, 300, '2028-04'],
      ['Gama Gas revolving credit facility due April 2028', 3000, null, 1948, '2028-04'],
    ])
    t.strictSame(paper(table), [['Gama Gas commercial paper', 'commercial_paper', 1019]])
    t.end()
  },
)

t.test('heads say which column is drawn and which is left, in any order', t => {
  t.strictSame(
    facilities(`Long-Term Credit Facilities

At December 31, 2024
(dollars in millions) | Maturities | Facility Capacity | Unused Capacity | Principal Amount Outstanding
Gama revolving credit facility(1) | 2028 | $9,500 | $9,457 | $-
Various export credit facilities(2) | 2026 - 2031 | 11,000 | - | 6,618
Total | $20,500 | $9,457 | $6,618
`),
    [['Gama revolving credit facility due 2028', 9500, 0, 9457, '2028']],
    'letters of credit that no column shows take the rest',
  )
  t.strictSame(
    facilities(`Long-Term Credit Facilities

At December 31, 2024
(dollars in millions) | Maturities | Facility Capacity | Unused Capacity | Principal Amount Outstanding
Gama revolving credit facility(1) | 2028 | $9,500 | $9,390 | N/A
Total | $9,500 | $9,390 | $-
`),
    [['Gama revolving credit facility due 2028', 9500, null, 9390, '2028']],
    'what does not apply is not zero',
  )
  t.strictSame(
    facilities(`The following table shows the term loan and the revolver of the DIP Facilities at December 31, 2024:

Termination | Term Loan | Revolver | Letters of Credit | Aggregate
(in millions) | Date | Aggregate Limit | Borrowings | Borrowings | Outstanding | Availability
DIP Facilities | December 2025 | (1)
$5,500 | $1,500 | $- | $663 | $3,337
`),
    [['DIP Facility due December 2025', 5500, 1500, 3337, '2025-12']],
    'a page has put the amounts below the name',
  )
  t.end()
})

t.test('committed lines in billions have the day of their row, and totals are none', t => {
  t.strictSame(
    facilities(`The following table details the fee-paid committed and uncommitted credit lines we had available as of December 31, 2024:

Borrowed
In Billions | Facility Amount | Amount
Credit facility expiring:
April 2027 | $2.7 | $-
September 2025 | 0.2 | 0.1
Total committed credit facilities | 2.9 | 0.1
Uncommitted credit facilities | 0.6 | 0.4
Total committed and uncommitted credit facilities | $3.5 | $0.5
`),
    [
      ['Credit facility due April 2027', 2700, 0, null, '2027-04'],
      ['Credit facility due September 2025', 200, 100, null, '2025-09'],
    ],
  )
  t.end()
})

t.test('the maturity of a row without one is that of the sentence on its commitment', t => {
  const table = `At December 31, 2024, capacity available under the credit facility was as follows:

Facility Limit | Outstanding Commercial Paper | Outstanding Letters of Credit | Facility Capacity Available
(millions)
Joint revolving credit facility | $6,000 | $3,956 | $56 | $1,988

The $6.0 billion joint revolving credit facility matures in June 2027.
`
  t.strictSame(facilities(table), [['Joint revolving credit facility', 6000, null, 1988, '2027-06']])
  t.strictSame(paper(table), [['Commercial paper', 'commercial_paper', 3956]])
  t.end()
})

t.test('a table of averages, or of another day, states no facility', t => {
  const of = (intro: string, heads: string) =>
    facilities(`${intro} (in millions):

${heads}
U.S. revolving credit facility | $446 | $1,250
`)
  t.strictSame(of('At December 31, 2023', 'Facility Limit | Borrowings Outstanding'), [])
  t.strictSame(of('At December 31, 2024', 'Average Amount Outstanding | Maximum Amount Outstanding'), [])
  t.strictSame(of('At December 31, 2024', 'Borrowings Outstanding | Facility Limit'), [
    ['U.S. revolving credit facility', 1250, 446, null, null],
  ])
  t.end()
})

t.test('what is used stands in brackets, the mark of a footnote beside a name does too', t => {
  const table = `The following table summarizes outstanding borrowings and availability under credit facilities at December 31, 2024:

Termination | Maximum Facility | Loans | Letters of Credit | Facility
(in millions) | Date | Limit | Outstanding | Outstanding | Availability

(1)

Gama revolving credit facility | June 2027 | $4,400 | $(1,930) | $(998) | $1,472
(3) | (3)
Gama receivables securitization program (2) | September 2026 | 1,389 | (1,184) | - | 205
Total credit facilities | $5,789 | $(3,114) | $(998) | $1,677
`
  t.strictSame(facilities(table), [
    ['Gama revolving credit facility due June 2027', 4400, 1930, 1472, '2027-06'],
    ['Gama receivables securitization program due September 2026', 1389, 1184, 205, '2026-09'],
  ])
  t.end()
})
