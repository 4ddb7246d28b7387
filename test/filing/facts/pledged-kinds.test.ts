import t from 'tap'
import { collateralIn } from '../../../engine/filing/facts/collateral.ts'
import { section } from './section.ts'

const note = (text: string) =>
  section(text, { section_type: 'debt_footnote', doc_type: '10-K', title: 'Debt' })
const pledged = (text: string) => collateralIn(note(text)).map(row => [row.instrument_name, row.type])

t.test('loans on real estate are receivables, and mortgage bonds securities', async t => {
  t.strictSame(pledged('Advances are collateralized by a blanket lien on commercial real estate loans.'), [
    [null, 'receivables'],
  ])
  t.strictSame(
    pledged('The committed line of credit is secured by first mortgage bonds issued to the agent bank.'),
    [['Line of Credit', 'securities']],
  )
  t.strictSame(
    pledged(
      'The Mortgages of Alfa and AE&P constitute direct first mortgage liens on substantially all of the respective properties of Alfa and AE&P. Bonds may be issued.',
    ),
    [[null, 'general_lien']],
  )
})

t.test('a grant for payment or performance, as the case may be, is one', async t => {
  const rows = collateralIn(
    section(`COLLATERAL AGREEMENT dated as of April 30, 2024

SECTION 3.01 Security Interest. (a) As security for the payment or performance, as the case may be, in full of the Secured Obligations, each Grantor hereby grants to the Collateral Agent, for the benefit of the Secured Parties, a security interest in all right, title or interest in any of the following assets (collectively, the “Article 9 Collateral”):

(i) all Accounts;

(ii) all Equipment; and

(iii) all Inventory.`),
  )
  t.strictSame(
    rows.map(row => row.type),
    ['equipment', 'receivables', 'inventory'],
  )
})
