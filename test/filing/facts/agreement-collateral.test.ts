import t from 'tap'
import { collateralIn } from '../../../engine/filing/facts/collateral.ts'
import { section } from './section.ts'

const pledged = (text: string) => collateralIn(section(text)).map(row => row.type)

t.test(
  'what is conveyed to the trustee of a mortgage bond indenture is pledged, without what it excepts',
  async t => {
    t.strictSame(
      pledged(
        'The Company, in order to secure the payment of all bonds outstanding under the Indenture, does hereby grant, bargain, sell, warrant, release, convey, assign, transfer, mortgage, pledge, set over and confirm unto the Trustee, all of the Company’s properties, now owned or hereafter acquired, including all electric generating plants and transmission lines; EXCEPTING AND EXCLUDING, however, all cash, accounts receivable, merchandise and automobiles.',
      ),
      ['general_lien', 'energy_assets'],
    )
  },
)

t.test(
  'a loan with a borrowing base is secured by the properties whose share it requires to be mortgaged',
  async t => {
    t.strictSame(
      pledged(
        'The Borrower shall review the Reserve Report to ascertain whether the Mortgaged Properties represent at least 90% of the total value of the Oil and Gas Properties evaluated in it.',
      ),
      ['energy_assets'],
    )
  },
)

t.test('an amendment that confirms liens on all assets says what they are on', async t => {
  t.strictSame(
    pledged(
      'Each Obligor confirms that the Liens granted by it under the Collateral Documents on substantially all of its assets continue in full force and effect.',
    ),
    ['general_lien'],
  )
})
