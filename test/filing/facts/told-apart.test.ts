import t from 'tap'
import { creditFacilitiesIn } from '../../../engine/filing/facts/credit-facilities.ts'
import { debtLinesIn } from '../../../engine/filing/facts/debt-tables.ts'
import { section } from './section.ts'

const note = (text: string, more = {}) =>
  section(text, { section_type: 'debt_footnote', doc_type: '10-K', ...more })

t.test('a table in full dollars has its amounts where the sentences of its note write theirs out', t => {
  const table = `Note 7 - Debt

The following is a summary of our indebtedness at December 31, 2024:

 | | Net Carrying Value | | |
 | Unpaid Principal | | | Contractual | Contractual
Type of Debt | Balance | Current | Long-Term | Interest Rate | Maturity
Matured notes | $2,398,881 | $2,398,881 | $- | 0.00 - 10.00% | 2019 - 2021
Real estate notes | 5,000,000 | 5,000,000 | - | 8.99% | 2025 - 2026
Total debt | $7,398,881 | $7,398,881 | $- | |
`
  const rows = debtLinesIn(note(`${table}\nIssuance costs of $1,157,209 were withheld from the principal.`))
  t.strictSame(
    rows.map(r => [r.name, r.carrying_amount]),
    [
      ['Matured notes 0.00%-10.00% due 2019 - 2021', 239_888_100],
      ['Real estate notes due 2025 - 2026', 500_000_000],
    ],
  )
  t.strictSame(debtLinesIn(note(table)), [], 'without such a sentence its unit is not known')
  t.strictSame(
    debtLinesIn(note(`${table}\nCosts of $1,157,209 were withheld. The table is in thousands of euros.`)),
    [],
  )
  t.end()
})

t.test('a name keeps the currency in which its row says that notes are denominated', t => {
  const [row] = debtLinesIn(
    note(`(Dollars in millions) | December 31, 2024 | December 31, 2023
1.45% 10-Year Senior Notes, Due 3/16/2027 (euro-denominated) | $552 | $535
5.00% Senior Notes, Due 6/1/2029 (net of unamortized costs) | 500 | 499
Total debt | $1,052 | $1,034
`),
  )
  t.equal(row?.name, '1.45% 10-Year Senior Notes, Due 3/16/2027 (euro-denominated)')
  t.end()
})

t.test('notes of two of one year mature on the day that the text says of the one with their coupon', t => {
  const rows = debtLinesIn(
    note(`In December 2023, we issued $676.5 million in aggregate principal amount of 1.0% Senior Convertible Debentures due in 2035 (the “1.0% 2035 Debentures”) in a private placement. The 1.0% 2035 Debentures mature on December 15, 2035.

In June 2023, we issued $263.9 million in aggregate principal amount of 1.5% Senior Convertible Debentures due in 2035 (the “1.5% 2035 Debentures”). The 1.5% 2035 Debentures mature on November 1, 2035.`),
  )
  t.strictSame(
    rows.map(r => [r.coupon_rate, r.maturity]),
    [
      [1, '2035-12-15'],
      [1.5, '2035-11-01'],
    ],
  )
  t.end()
})

t.test(
  'of amendments the last says until when a facility runs, and to what its commitments were increased',
  t => {
    const [row, ...others] = creditFacilitiesIn(
      note(`On July 1, 2020, the Company entered into a $3.5 billion revolving credit agreement (the “Revolving Credit Agreement”). On October 4, 2022, the Company amended the Revolving Credit Agreement to, among other things, (i) increase the aggregate commitments provided by the lenders thereunder to $4.4 billion and (ii) extend the maturity date of such agreement to June 22, 2027. On June 22, 2023, the Company further amended the Revolving Credit Agreement to, among other things, (i) extend the maturity date to June 22, 2028.

Borrowings under the Revolving Credit Agreement bear interest at Term SOFR (plus a 0.10% credit spread adjustment) plus an applicable margin of 1.25%.`),
    )
    t.match(row, { commitment: 4400e8, maturity: '2028-06-22', benchmark: 'SOFR', spread_bps: 125 })
    t.equal(others.length, 0)
    t.end()
  },
)

t.test(
  'committed lines that the discussion tells together at the report’s day are a row without a maturity',
  t => {
    const read = (text: string) =>
      creditFacilitiesIn(
        section(text, {
          section_type: 'mda_liquidity',
          doc_type: '10-Q',
          has_debt_note: false,
          has_told_facilities: false,
        }),
      )
    const text =
      'At December 31, 2024, the company had $8.5 billion in 364-day committed credit facilities with various major banks. No borrowings were outstanding under these facilities at December 31, 2024.'
    t.match(read(text), [
      {
        name: '364-Day Committed Credit Facilities',
        instrument_type: 'revolver',
        commitment: 8500e8,
        drawn: 0,
      },
    ])
    t.strictSame(read(text.replace('At December 31, 2024', 'At December 31, 2023')), [])
    t.end()
  },
)
