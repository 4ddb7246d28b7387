import t from 'tap'
import { agreedFacilitiesIn } from '../../../engine/filing/facts/agreed-facilities.ts'
import { section } from './section.ts'

const read = (text: string, more = {}) => agreedFacilitiesIn(section(text, { period_end: null, ...more }))

t.test(
  'an agreement to lend is a row a facility, with the commitment of all lenders and its own maturity',
  t => {
    const rows = read(`LOAN AGREEMENT

Dated as of December 20, 2023 among ALFA CORP, THE BANKS HEREIN NAMED and BETA BANK, as Agent

"Borrower" means Alfa Corp, a Delaware corporation.
"Collateral" means all property of the Loan Parties.
"Applicable Rate" means a rate per annum equal to (i) 3.50% in the case of Term Benchmark Loans or RFR Loans and (ii) 2.50% in the case of ABR Loans.
"Floor" means the benchmark rate floor provided in this Agreement with respect to the Adjusted Term SOFR Rate. The initial Floor shall be 1.00%.
"Revolving Commitment" means, as to any Lender, its obligation to make Revolving Loans. The aggregate amount of the Revolving Commitments on the Closing Date is $45,000,000.
"Revolving Maturity Date" means December 31, 2027.
"Swing Line Commitment" means $5,000,000.
"Tranche B Term Loan Commitment" means (a) as to any Lender, its commitment as set forth on Schedule 2.01 and (b) as to all Lenders, the aggregate commitment of all Lenders to make Tranche B Term Loans, which aggregate commitment shall be $275,000,000 on the Closing Date.
"Tranche B Term Loan Maturity Date" means the fifth anniversary of the Closing Date.
"Closing Date" means December 22, 2023.
"Unused Commitment" means $1,000,000.
`)
    t.match(rows, [
      {
        name: 'Revolving Credit Facility due 2027',
        instrument_type: 'revolver',
        issuer: 'Alfa Corp',
        commitment: 45e8,
        maturity: '2027-12-31',
        seniority: 'senior_secured',
        rate_type: 'floating',
        benchmark: 'SOFR',
        spread_bps: 350,
        floor_bps: 100,
        balance_date: '2023-12-20',
        rule: 'facility_agreed',
        evidence: /^"Revolving Commitment" means/,
      },
      {
        name: 'Tranche B Term Loan due 2028',
        instrument_type: 'term_loan',
        commitment: 275e8,
        maturity: '2028-12-22',
      },
    ])
    t.equal(rows.length, 2)
    t.end()
  },
)

t.test('the amount above its title is the commitment of an agreement with one facility', t => {
  const rows = read(`$150,000,000

CREDIT AGREEMENT

dated as of September 26, 2023 among ALFA CORP, The Banks Listed Herein and BETA BANK, as Agent

"Commitment" means, with respect to each Bank, the amount set forth opposite its name.
"Applicable Margin" has the meaning set forth in Section 2.06.
"Termination Date" means whichever is applicable of (i) September 25, 2028, or (ii) the date the Commitments are terminated.
The Borrower may borrow, repay and reborrow.
`)
  t.match(rows, [
    {
      name: 'Revolving Credit Facility due 2028',
      commitment: 150e8,
      maturity: '2028-09-25',
      seniority: undefined,
    },
  ])
  t.equal(rows.length, 1)
  t.end()
})

t.test(
  'a margin by a grid, an amendment without definitions, and other agreements state no facility or margin',
  t => {
    const [row] = read(`CREDIT AGREEMENT dated as of March 1, 2024 among ALFA CORP and the Lenders

"Applicable Rate" means the rate set forth below by the Leverage Ratio: 1.25% for SOFR Loans at Level I and 1.50% at Level II.
"Aggregate Commitments" means the Commitments of all Lenders. As of the Closing Date, the Aggregate Commitments equal $7,000,000,000.
"Maturity Date" means March 1, 2029.
`)
    t.match(row, { commitment: 7000e8, maturity: '2029-03-01', rate_type: 'floating' })
    t.equal(row?.spread_bps, undefined)
    t.strictSame(
      read(
        'AMENDMENT NO. 2 TO CREDIT AGREEMENT dated as of March 1, 2024. Section 6.1 is amended as follows.',
      ),
      [],
    )
    t.strictSame(
      read(
        'GUARANTY dated as of March 1, 2024. "Commitment" means $5,000,000. "Maturity Date" means May 1, 2029.',
      ),
      [],
    )
    t.end()
  },
)

t.test('a promissory note is notes: principal, rate, and a day or months after its issue', t => {
  const rows = read(`CONVERTIBLE PROMISSORY NOTE

December 30, 2024 U.S. $3,230,000.00

FOR VALUE RECEIVED, Alfa Corp (“Borrower”), promises to pay to Beta Capital, LLC (“Lender”), $3,230,000.00 and any interest accrued hereunder on the date that is twelve (12) months after the Purchase Price Date (the “Maturity Date”) and to pay interest on the Outstanding Balance at the rate of seven percent (7%) per annum.`)
  t.match(rows, [
    {
      name: '7% Convertible Promissory Note due December 2025',
      instrument_type: 'convertible_notes',
      principal: 3.23e8,
      coupon_rate: 7,
      maturity: '2025-12',
      balance_date: '2024-12-30',
      rule: 'note_offered',
    },
  ])
  const [short] = read(`PROMISSORY NOTE
Issue Date: December 26, 2024
FOR VALUE RECEIVED, ALFA CORP hereby promises to pay to the order of BETA FUND, L.P. the principal sum of $123,000.00 (the “Principal Amount”), and to pay interest at the rate of fifteen percent (15%) (the “Interest Rate”) per annum from the date hereof. The maturity date shall be twelve (12) months from the Issue Date (the “Maturity Date”).`)
  t.match(short, { principal: 123e5, coupon_rate: 15, maturity: '2025-12-26' })
  t.end()
})

t.test('a note that promises to pay the company, and one without a sum, are none', t => {
  const note = (payee: string, sum: string) =>
    read(`PROMISSORY NOTE
January 5, 2025
FOR VALUE RECEIVED, Gamma LLC promises to pay to the order of ${payee} the principal sum of ${sum} with interest at the rate of 8% per annum on January 5, 2028 (the "Maturity Date").`)
  t.equal(note('Beta Bank', '$2,500,000').length, 1)
  t.strictSame(note('Alfa Corp', '$2,500,000'), [])
  t.strictSame(note('Beta Bank', '$__________'), [])
  t.end()
})
