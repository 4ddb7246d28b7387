import t from 'tap'
import { collateralIn } from '../../../engine/filing/facts/collateral.ts'
import { covenantsIn } from '../../../engine/filing/facts/covenants.ts'
import { section } from './section.ts'

const discussion = (text: string) => section(text, { section_type: 'mda', doc_type: '10-K' })
const covenants = (text: string) => covenantsIn(discussion(text)).map(row => row.covenant_name)
const pledged = (text: string) => collateralIn(discussion(text)).map(row => row.type)

t.test('a discussion tells what lenders require of the company, outside of liquidity as well', t => {
  t.match(
    covenantsIn(
      discussion(
        'The credit facility requires us to maintain an interest coverage ratio of at least 3.0 to 1.0.',
      ),
    ),
    [
      {
        covenant_name: 'Minimum Interest Coverage Ratio',
        threshold_value: 3,
        instrument_name: 'Credit Facility',
      },
    ],
  )
  t.strictSame(
    covenants(
      'The amount of such financing could be limited by negative covenants in the DIP Credit Agreement, which include restrictions on our ability to incur additional indebtedness and create liens on assets.',
    ),
    ['Limitation on Liens', 'Limitation on Indebtedness'],
  )
  t.strictSame(pledged('The term loan is secured by substantially all of our assets.'), ['general_lien'])
  t.end()
})

t.test('what others owe, what may be required, and covenants until a merger are none', t => {
  for (const text of [
    'The merger agreement contains covenants that restrict our ability to incur additional indebtedness, pay dividends or make acquisitions until the closing.',
    'Our competitors may be required to maintain a leverage ratio of not more than 3.0 to 1.0 under their credit facilities.',
    'Many of our customers are subject to covenants in their credit agreements that limit their ability to incur liens.',
    'If we borrow under a new credit facility, it could require us to maintain a minimum interest coverage ratio of 3.0 to 1.0.',
  ])
    t.strictSame(covenants(text), [], text)
  t.strictSame(pledged('Loans to customers are secured by their inventory and equipment.'), [])
  t.strictSame(pledged('A new credit facility would be secured by substantially all of our assets.'), [])
  t.end()
})
