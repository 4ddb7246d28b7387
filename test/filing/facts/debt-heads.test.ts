import t from 'tap'
import { debtLinesIn } from '../../../engine/filing/facts/debt-tables.ts'
import { section } from './section.ts'

const lines = (text: string, more = {}) =>
  debtLinesIn(section(text, { section_type: 'debt_footnote', doc_type: '10-K', ...more }))
const balances = (text: string, unit = 1e8) => lines(text).map(r => [r.name, (r.carrying_amount ?? 0) / unit])

t.test('a unit alone in its cell, or as noughts, is that of the table', async t => {
  const table = (unit: string) => `First mortgage bonds:

${unit} | 2024 | 2023
4.10% Series Due 2031 | 40.5 | 40.5
4.25% Series Due 2044 | 60.0 | 60.0
Total long-term debt | 100.5 | 100.5
`
  const amounts = (unit: string) => lines(table(unit)).map(r => r.carrying_amount)
  t.strictSame(amounts('Millions'), [40.5e8, 60e8])
  t.strictSame(amounts('Thousands'), [40.5e5, 60e5])
  t.strictSame(amounts("($000's omitted)"), [40.5e5, 60e5])
  t.strictSame(amounts('Series of bonds'), [undefined, undefined], 'none without a unit')
})

t.test('balances in euros or pounds are in them, and dollars where the head says both', async t => {
  const table = (unit: string) => `The following table shows the group's borrowings:

31 December 2024 | 31 December 2023
${unit} | ${unit}
€350 million 2.10% Notes 2029 | 348 | 348
€1 billion term loan 2026-2031 | 499 | 698
Total borrowings | 847 | 1,046
`
  const read = (unit: string) =>
    lines(table(unit)).map(r => [r.name, r.carrying_amount, r.currency, r.maturity])
  t.strictSame(read('€ million'), [
    ['€350 million 2.10% Notes 2029', 348e8, 'EUR', '2029'],
    ['€1 billion term loan 2026-2031', 499e8, 'EUR', null],
  ])
  t.strictSame(read('£ million')[0], ['€350 million 2.10% Notes 2029', 348e8, 'GBP', '2029'])
  const inTwo = table('dollars and yen in millions').replaceAll('€', '$')
  t.strictSame([...new Set(lines(inTwo).map(r => r.currency))], ['USD'])
})

t.test(
  'a line of heads that names each column says which is the balance, the face amount and the commitment',
  async t => {
    const read = (text: string) =>
      lines(text).map(r =>
        [r.name, r.carrying_amount, r.principal, r.commitment].map(v =>
          typeof v === 'number' ? v / 1e5 : v,
        ),
      )
    t.strictSame(
      read(`The company had the following debt available and outstanding (in thousands):

December 31, 2024 | December 31, 2023
Total Available | Principal | Carrying Value (1) | Total Available | Principal | Carrying Value (1)
July 2026 Notes | 105,000 | 105,000 | 104,828 | 105,000 | 105,000 | 104,533
2031 Asset-Backed Notes | 150,000 | 150,000 | 148,544 | 150,000 | 150,000 | 147,957
Alfa Bank Facility | 400,000 | 61,000 | 61,000 | 545,000 | 107,000 | 107,000
Beta revolving facility | 300,000 | 20,000 | 20,000 | 300,000 | 10,000 | 10,000
Total | $955,000 | $336,000 | $334,372 | $1,100,000 | $372,000 | $369,490
`),
      [
        ['July 2026 Notes', 104828, 105000, undefined],
        ['2031 Asset-Backed Notes', 148544, 150000, undefined],
        ['Alfa Bank Facility', 61000, 61000, undefined],
        ['Beta revolving facility', 20000, 20000, 300000],
      ],
    )
    const blocks = `Long-term debt consists of the following:

December 31, 2024
(In thousands) | Principal Balance | Unamortized Premium | Debt Issuance Costs, Net | Long-term Debt, Net
Second Lien Notes due 2029 | $611,200 | $9,300 | $(12,400) | $608,100
Revolving Credit Facility (1) | 173,000 | - | - | 173,000
Total | $784,200 | $9,300 | $(12,400) | $781,100
December 31, 2023
Principal Balance | Unamortized Premium | Debt Issuance Costs, Net | Long-term Debt, Net
Second Lien Notes due 2029 | $640,000 | $11,000 | $(15,000) | $636,000
Revolving Credit Facility (1) | 140,000 | - | - | 140,000
Total | $780,000 | $11,000 | $(15,000) | $776,000
`
    t.strictSame(
      read(blocks),
      [
        ['Second Lien Notes due 2029', 608100, 611200, undefined],
        ['Revolving Credit Facility', 173000, 173000, undefined],
      ],
      'of the report alone',
    )
    t.strictSame(
      read(blocks.replaceAll('Debt Issuance Costs, Net', 'Adjusted')),
      [],
      'a column without a known name',
    )
  },
)

t.test('a column of how many properties are mortgaged is none of amounts', async t => {
  const table = `Mortgage notes payable consisted of the following (in thousands):

Portfolio | Encumbered Properties | Outstanding Loan Amount | Effective Interest Rate | Maturity
December 31, 2024 | December 31, 2023
Alfa Logistics | 1 | $64,000 | $64,000 | 4.7% | Nov. 2028
Seven Towers Mortgage Loan | 10 | 150,200 | 153,000 | 4.4% | Nov. 2027
Class B-2 Net-Lease Mortgage Notes | 65 | 88,100 | 97,400 | 3.8% | May 2049
Gross mortgage notes payable | 76 | $302,300 | $314,400 | 4.4%
`
  t.strictSame(balances(table, 1e5), [
    ['Alfa Logistics debt due November 2028', 64000],
    ['Seven Towers Mortgage Loan due November 2027', 150200],
    ['Class B-2 Net-Lease Mortgage Notes due May 2049', 88100],
  ])
  t.strictSame(balances(table.replace('Encumbered Properties', 'Rank'), 1e5), [])
})

t.test('of three years the first is that of the report', async t => {
  const table = `Long-term debt (in thousands):

Thousands | 2024 | 2023 | 2022
First Mortgage Bonds:
6.20% Series C due 2023 | - | - | 10,000
6.85 % Series C due 2026 | 40,000 | 40,000 | 40,000
4.05 % Series C due 2028 | 50,000 | 50,000 | 50,000
5.10 % Series C due 2035 | 10,000 | - | -
| 100,000 | 90,000 | 100,000
`
  t.match(
    balances(table, 1e5).filter(([, amount]) => amount !== 0),
    [
      [/6\.85 ?%/, 40000],
      [/4\.05 ?%/, 50000],
      [/5\.10 ?%/, 10000],
    ],
  )
})

t.test('a sum alone in its line ends a table of one column', async t => {
  const table = `As of December 31, 2024, long-term debt consisted of the following (in thousands):

Revolving credit facility | $31,500
10.25% senior unsecured notes | 210,000
Capital leases | 6,300
247,800
Less: obligations maturing within one year | 40,000
Long term debt - net of current portion | $207,800
`
  t.strictSame(balances(table, 1e5), [
    ['Revolving credit facility', 31500],
    ['10.25% senior unsecured notes', 210000],
  ])
  t.strictSame(balances(table.replace('\n247,800', '\n41'), 1e5), [], 'the number of a page is none')
})

t.test('payments by fiscal year are no debt', async t => {
  t.strictSame(
    balances(`Long-term debt consists of the following (in thousands):

December 28, 2024
Class A-2 Senior Secured Notes | $290,400

The payments on debt as of December 31, 2024 were as follows (in thousands):

Fiscal year 2025 | $3,200
Fiscal year 2026 | 3,200
Fiscal year 2027 | 280,800
Total | $287,200
`).filter(([name]) => /Fiscal/.test(String(name))),
    [],
  )
})

t.test('a name states when its notes fall due in brackets, or by a year after the report', async t => {
  const rows = lines(`Long-term debt (in millions):

December 31,
2024 | 2023
2021 Term Loan (1L) (matures December 1, 2028) | $739 | $1,395
Alfa notes, net of discount of $2 and $3, respectively, issued March 2021 and due August 2031 | 398 | 397
January 2027 Notes | 350 | 350
2023 Notes | 10 | 10
Beta's senior unsecured notes (due 2034), net of discount of $1, which bear interest at the rate of 4.40% | 553 | 553
Facility (interest rate of 4.2%(1) at December 31, 2024) | 50 | 50
Total debt | $2,100 | $2,755
`)
  t.strictSame(
    rows.map(r => [r.maturity, r.coupon_rate]),
    [
      ['2028-12-01', undefined],
      ['2031-08', undefined],
      ['2027-01', undefined],
      [null, undefined],
      ['2034', 4.4],
      [null, undefined],
    ],
    'notes called by an earlier year may be issued then',
  )
})

t.test('marks of footnotes in any brackets are no part of a name', t => {
  const table = `Millions | 2024 | 2023
Equipment obligations, 3.1% to 5.2% due through March 3, 2030 [a] | 120 | 130
2.75% Notes due 2031 (b) | 400 | 400
Total debt | 520 | 530
`
  t.strictSame(
    lines(table).map(r => r.name),
    ['Equipment obligations, 3.1% to 5.2% due through March 3, 2030', '2.75% Notes due 2031'],
  )
  t.end()
})
