import t from 'tap'
import { collateralIn } from '../../../engine/filing/facts/collateral.ts'
import { covenantsIn } from '../../../engine/filing/facts/covenants.ts'
import { section } from './section.ts'

const agreed = (text: string) =>
  covenantsIn(section(`${text}\n`))
    .map(r => [r.covenant_name, r.threshold_value ?? r.put_price_pct ?? null])
    .sort()

t.test('a clause called a cross-default is one, whatever agreements it speaks of', async t => {
  t.strictSame(
    agreed(
      '3.14 Cross-Default. A breach or default by the Borrower of any term contained in any of the other financial instruments issued by the Borrower to the Holder (the "Other Agreements") shall, at the option of the Holder, be considered a default under this Note.',
    ),
    [['Cross-Default', null]],
  )
  t.strictSame(
    agreed(
      '3.15 Cross-Collateralization. A default of the Tenant under another lease is no default under this Note.',
    ),
    [],
  )
})

t.test('a judgment default names its amount before the judgment, or after what it is for', async t => {
  const defaults = (text: string) => agreed(`8.1 Events of Default. Any of these is one:\n\n${text}`)
  t.strictSame(
    defaults(
      '(g) Final Judgment. An Obligor fails to comply with or pay any sum in excess of US$10,000,000 due from it under any final judgment or any final order of a court.',
    ),
    [['Judgment Default', 1e9]],
  )
  t.strictSame(
    defaults(
      '(g) Judgment Default. One or more judgments or arbitration awards shall be entered against a Credit Party involving in the aggregate a liability (not covered by insurance) of $17,500,000 or more and all such judgments shall not have been paid, vacated, discharged or stayed within thirty (30) days.',
    ),
    [['Judgment Default', 175e7]],
  )
})

t.test('a put is at a percentage of compounded value too', async t => {
  t.strictSame(
    agreed(
      "4.15 Repurchase. Upon the occurrence of a Change of Control, each Holder shall have the right to require the Company to repurchase all or any part of such Holder's Notes at a purchase price equal to 101% of the Compounded Value thereof.",
    ),
    [['Change of Control Put', 101]],
  )
})

t.test('a test stands under a title of financial covenants without a verb', async t => {
  t.strictSame(
    agreed(
      '6.12 Financial Covenants. Borrower shall comply with these:\n\n(a) Leverage. The ratio of Total Funded Indebtedness divided by EBITDA for the preceding twelve months shall not exceed 1.25 to 1.00.\n\n(b) Minimum Liquidity. Liquidity of at least $25,000,000.',
    ),
    [
      ['Maximum Total Leverage Ratio', 1.25],
      ['Minimum Liquidity', 25e8],
    ],
  )
  t.strictSame(
    agreed('2.4 Conditions of Drawing.\n\n(b) Minimum Liquidity. Liquidity of at least $25,000,000.'),
    [],
    'a condition is no covenant',
  )
})

t.test('a note says what secures it, and assignors grant', async t => {
  const types = (text: string) => collateralIn(section(`${text}\n`)).map(r => r.type)
  t.strictSame(
    types(
      '3. Security. This Note is secured by a Deed of Trust encumbering the real property at 100 Main Street.',
    ),
    ['real_estate'],
  )
  t.strictSame(
    types(
      '4.1 Grant. Assignor grants to the Bank a security interest in all inventory and equipment.',
    ).sort(),
    ['equipment', 'inventory'],
  )
  t.strictSame(types('3. Security. This Note may be secured by inventory if the Holder so requests.'), [])
})
