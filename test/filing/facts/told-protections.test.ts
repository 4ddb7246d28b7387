import t from 'tap'
import { covenantsIn } from '../../../engine/filing/facts/covenants.ts'
import { section } from './section.ts'

const protections = (text: string) =>
  covenantsIn(section(text, { section_type: 'debt_footnote', doc_type: '10-K' }))
    .filter(row => row.covenant_type === 'protective')
    .map(row => [row.covenant_name, row.put_price_pct ?? null])

/** Each sentence of a report with the protection that it tells, and the price of a put. */
const told: readonly (readonly [string, string, (number | null)?])[] = [
  [
    'In the event of a change of control, all amounts outstanding under the credit facility become immediately due and payable.',
    'Change of Control Default',
  ],
  ['The loans will become due upon a change of control of the Company.', 'Change of Control Default'],
  ['The lenders may accelerate the loans upon a change in control.', 'Change of Control Default'],
  [
    'Upon specified change of control events, each holder can put its notes to us at 101% of the principal amount.',
    'Change of Control Put',
    101,
  ],
  ['The debentures may be put to the Company upon a change in control.', 'Change of Control Put'],
  [
    'Holders have the right to require the Company to purchase the notes upon a change of control.',
    'Change of Control Put',
  ],
  ['We would be required to offer to purchase the notes upon a change of control.', 'Change of Control Put'],
  ['The senior notes contain change of control put provisions.', 'Change of Control Put'],
  [
    'Holders may require the Company to repurchase the notes for cash at par upon certain fundamental changes.',
    'Change of Control Put',
    100,
  ],
  [
    'If the Company undergoes a fundamental change, holders may require it to repurchase all or part of their notes at a price equal to the principal amount plus accrued interest.',
    'Change of Control Put',
    100,
  ],
  ['The senior notes are callable at our option subject to a make-whole payment.', 'Make-Whole Redemption'],
  ['Prepayment of the mortgage loan is subject to a yield maintenance premium.', 'Make-Whole Redemption'],
  ['A default under the revolving credit facility would be a default under the term loan.', 'Cross-Default'],
  ['The mortgage loans are cross-collateralized and cross-defaulted.', 'Cross-Default'],
  ['Covenants in the agreement include periodic financial reporting to the lenders.', 'Financial Reporting'],
  [
    'Our facilities require compliance with covenants as well as regular reporting to lenders.',
    'Financial Reporting',
  ],
  [
    'The indentures contain covenants relating to the timely filing of financial reports with the trustee.',
    'Financial Reporting',
  ],
  [
    'Each indenture has an event of default if other debt of more than $75 million is accelerated.',
    'Cross-Default',
  ],
  [
    'A default on any of our other indebtedness above a threshold would result in a default under the notes.',
    'Cross-Default',
  ],
  [
    'A change in control (as defined) would constitute a default under the credit agreement.',
    'Change of Control Default',
  ],
  ['The credit agreement provides for acceleration upon a change of control.', 'Change of Control Default'],
  [
    'The indenture requires the Company to offer to repurchase the notes at 101 percent of par in case of a change of control.',
    'Change of Control Put',
    101,
  ],
  ['The notes are puttable by holders upon a change of control.', 'Change of Control Put'],
  [
    'The notes may be called at any time at the greater of par and the make-whole amount defined in the indenture.',
    'Make-Whole Redemption',
  ],
  ['The senior notes carry a make-whole call provision.', 'Make-Whole Redemption'],
  [
    'Should a change of control occur, we must offer to buy back the notes at 101%.',
    'Change of Control Put',
    101,
  ],
  [
    'Noteholders have a right to sell their notes back to us at 101% of par if there is a change of control.',
    'Change of Control Put',
    101,
  ],
  [
    'The debt securities are redeemable at a price based on a treasury rate plus a spread.',
    'Make-Whole Redemption',
  ],
  ['The credit agreement’s cross-default threshold is $25 million.', 'Cross-Default'],
  [
    'A sale of a majority of the voting stock would be a change of control and an event of default.',
    'Change of Control Default',
  ],
  ['The credit facility terminates upon a change of control.', 'Change of Control Default'],
  [
    'Acceleration of any other debt of more than a stated amount is an event of default under the indenture.',
    'Cross-Default',
  ],
  [
    'On a change of control, we are obligated to offer to purchase all outstanding notes for 101% of principal.',
    'Change of Control Put',
    101,
  ],
  ['The notes may be redeemed at their make-whole value.', 'Make-Whole Redemption'],
  ['Upon a change of control the bank may demand repayment of the loan.', 'Change of Control Default'],
  ['The agreement includes events of default for unpaid judgments over $5 million.', 'Judgment Default'],
]

t.test('reports word protections in many ways', async t => {
  for (const [text, name, price] of told) t.strictSame(protections(text), [[name, price ?? null]], text)
})

t.test('changes of control that concern staff or partners, and what was paid, protect no lender', async t => {
  for (const text of [
    'Upon a change of control, amounts due to executives under the agreement become payable.',
    'Due to the change in control, the partner had the right to put its membership interest to the Company at fair value.',
    'We redeemed the notes and made a make-whole payment of $12 million.',
    'In the third quarter, Alfa redeemed $200 million of 5% notes due in 2030 at a premium of $3 million under their make-whole provisions.',
    'The premium on the redemption of the notes was $3 million, incurred by exercising our make-whole call.',
    'If we fail to remediate weaknesses, the timely filing of financial reports and our compliance with covenants may suffer.',
    'Holders may require us to redeem the shares at par upon a change of control of the fund.',
  ])
    t.strictSame(protections(text), [], text)
})
