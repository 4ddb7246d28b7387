import t from 'tap'
import { covenantsIn } from '../../../engine/filing/facts/covenants.ts'
import { section } from './section.ts'

const limited = (text: string) =>
  covenantsIn(section(text, { section_type: 'debt_footnote', doc_type: '10-K' }))
    .map(row => row.covenant_name?.replace('Limitation on ', ''))
    .sort()

/** Each sentence of a report with what it restricts. */
const told: readonly (readonly [string, ...string[]])[] = [
  [
    'The terms of the loan contain typical covenants not to sell or transfer material assets, to create liens against assets, to merge with another entity or to declare or pay dividends.',
    'Asset Sales',
    'Liens',
    'Mergers',
    'Restricted Payments',
  ],
  [
    'Our bank is a lender of long standing. The agreement prohibits the payment of cash dividends without the bank’s prior written consent.',
    'Restricted Payments',
  ],
  [
    'Under the most restrictive provisions of the note agreements, approximately $40 million of retained earnings was available for dividends at year end.',
    'Restricted Payments',
  ],
  ['Dividends are restricted under the terms of the credit agreement.', 'Restricted Payments'],
  [
    'Restrictions in the Indenture and in the Credit Agreement prohibit the Company from paying dividends.',
    'Restricted Payments',
    'Restricted Payments',
  ],
  [
    'The senior facilities include covenants that restrict our ability to make investments, sell Collateral if we are not in compliance with the collateral coverage ratio tests described below, pay dividends or repurchase stock.',
    'Asset Sales',
    'Investments',
    'Restricted Payments',
  ],
  [
    'The indentures restrict our ability to create liens on our property and transfer substantially all of our assets to any other party.',
    'Liens',
    'Mergers',
  ],
  [
    'The credit agreement contains covenants including limitations on changes in the nature of the Company’s business.',
    'Line of Business',
  ],
  ['The covenants restrict additional borrowings and liens on assets.', 'Indebtedness', 'Liens'],
  ['The credit facility limits the amount of debt that our subsidiaries may incur.', 'Indebtedness'],
  ['The note agreements restrict mergers, consolidations and sales of assets.', 'Asset Sales', 'Mergers'],
  [
    'We may not incur additional debt or pay dividends without the consent of the lenders under the credit agreement.',
    'Indebtedness',
    'Restricted Payments',
  ],
  [
    'The indenture provides that the Company may not consolidate with or merge into any other corporation unless the successor assumes the notes, liens included.',
    'Mergers',
  ],
  [
    'The loan agreement contains negative covenants that prohibit us from disposing of assets, merging, incurring debt, granting liens and paying dividends.',
    'Asset Sales',
    'Indebtedness',
    'Liens',
    'Mergers',
    'Restricted Payments',
  ],
  [
    'The notes contain covenants restricting liens and sale/leaseback transactions.',
    'Liens',
    'Sale and Leaseback Transactions',
  ],
  ['The indentures governing the notes contain a negative pledge.', 'Liens'],
  [
    'The indenture contains covenants with respect to liens, sale-leasebacks and consolidation, merger or sale of all or substantially all assets.',
    'Liens',
    'Mergers',
    'Sale and Leaseback Transactions',
  ],
  [
    'The credit facility contains covenants that restrict our ability to create liens and to enter into agreements restricting dividends from subsidiaries.',
    'Liens',
    'Restrictive Agreements',
  ],
  [
    'The credit facility contains covenants that restrict the Company’s ability to guarantee the debt of others.',
    'Guarantees',
  ],
  ['The terms of the term loan preclude the sale of substantial assets without approval.', 'Asset Sales'],
  ['The agreement with the bank permits dividends only if no default exists.', 'Restricted Payments'],
  [
    'The bank loan agreement requires the bank’s approval before dividends may be paid.',
    'Restricted Payments',
  ],
  ['The Company is not permitted to pay dividends under its credit facility.', 'Restricted Payments'],
  [
    'There are limits in the credit facility on dividends, share repurchases and investments.',
    'Investments',
    'Restricted Payments',
  ],
  [
    'Customary covenants restrict indebtedness, fundamental changes and transactions with affiliates, among others.',
    'Affiliate Transactions',
    'Indebtedness',
    'Mergers',
  ],
  [
    'The credit agreement requires the Company, among other things, not to create liens, sell assets or merge.',
    'Asset Sales',
    'Liens',
    'Mergers',
  ],
  ['The Company has agreed with its bank not to incur additional indebtedness.', 'Indebtedness'],
  ['The notes are subject to a covenant that restricts the issuance of secured debt.', 'Liens'],
  [
    'Our public debt indentures limit, with exceptions, mortgages on manufacturing properties and sale-leasebacks of them.',
    'Liens',
    'Sale and Leaseback Transactions',
  ],
  [
    'Until the note is paid, the Company has agreed not to pay dividends, incur senior debt or grant liens.',
    'Indebtedness',
    'Liens',
    'Restricted Payments',
  ],
  [
    'So long as the notes are outstanding, our subsidiaries may not incur debt beyond $25 million.',
    'Indebtedness',
  ],
  ['Payment of dividends is subject to certain restrictions in the credit agreement.', 'Restricted Payments'],
  [
    'The loan agreement contains provisions restricting dividends, the sale of assets and additional debt.',
    'Asset Sales',
    'Indebtedness',
    'Restricted Payments',
  ],
  [
    'Without the consent of the bank, the Company may not sell substantial assets or merge.',
    'Asset Sales',
    'Mergers',
  ],
  ['The loan agreement limits other borrowings.', 'Indebtedness'],
]

t.test('reports word restrictions in many ways', async t => {
  for (const [text, ...names] of told) t.strictSame(limited(text), names, text)
})

t.test('what no document of lenders restricts, and what is not restricted, is no covenant', async t => {
  for (const text of [
    'There are no restrictions on dividends under the credit agreement.',
    'The indenture does not prevent or restrict any consolidation or merger of the Company.',
    'Our substantial indebtedness under the credit facility could have important consequences: it may limit our ability to incur additional debt, sell assets or pay dividends.',
    'Our debt securities may not have the benefit of any covenant that limits the pledging of our assets.',
    'State insurance law restricts the payment of dividends by our insurance subsidiaries.',
    'An event of default may allow lenders to declare amounts under these agreements due or restrict our ability to obtain additional borrowings.',
    'We cannot provide assurance that distributions and borrowings available under the credit agreement will be sufficient.',
    'Undistributed retained earnings of subsidiaries were $40 million, and none were available for dividends.',
  ])
    t.strictSame(limited(text), [], text)
  t.strictSame(
    limited(
      'These covenants include limits on our disposal of assets and the amount of debt secured by liens we may incur.',
    ),
    ['Asset Sales', 'Liens'],
    'debt that is secured is limited as a lien',
  )
})
