import t from 'tap'
import { paidInFullIn } from '../../../engine/filing/facts/paid-in-full.ts'

const told = (text: string) =>
  paidInFullIn(text, '2024-12-31').map(({ name, kind, endedOn }) => [name, kind, endedOn])

t.test('loans that were paid in full are told by their lender, whose short name stands in brackets', t => {
  t.strictSame(
    told(
      'North River Bank ("NRB") Credit Agreement. The Company was party to a Credit Agreement with North River Bank. On May 2, 2024, Alfa made a payment of $7,500,000 to NRB as payment in full for both the Term Loan and the Revolving Loan.',
    ),
    [
      ['North River Bank', 'term_loan', '2024-05-02'],
      ['North River Bank', 'revolver', '2024-05-02'],
    ],
  )
  t.end()
})

t.test('all obligations under an agreement are its loan and its line', t => {
  t.strictSame(
    told(
      "All of the Company's obligations under the North River credit agreement were repaid on May 2, 2024.",
    ),
    [
      ['North River credit agreement', 'term_loan', '2024-05-02'],
      ['North River credit agreement', 'revolver', '2024-05-02'],
    ],
  )
  t.end()
})

t.test('a plan, a later day and a name that others have too tell nothing', t => {
  for (const text of [
    'Upon the closing, Alfa will make a payment to North River Bank as payment in full for the Term Loan.',
    "All of the Company's obligations under the North River credit agreement were repaid on February 2, 2025.",
    "All of the Company's obligations under the Senior Secured Credit Agreement were repaid on May 2, 2024.",
    'We made a payment to the Lender as payment in full for the Term Loan.',
  ])
    t.strictSame(told(text), [], text)
  t.end()
})
