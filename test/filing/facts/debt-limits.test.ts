import t from 'tap'
import { covenantsIn } from '../../../engine/filing/facts/covenants.ts'
import { section } from './section.ts'

const limits = (text: string, isContract: boolean) =>
  covenantsIn(section(text, isContract ? {} : { section_type: 'debt_footnote', doc_type: '10-K' }))
    .filter(row => row.threshold_value != null)
    .map(row => [row.covenant_type, row.covenant_name, row.threshold_value])

t.test(
  'an indenture that forbids debt beyond a share of assets states tests met when debt is incurred',
  async t => {
    t.strictSame(
      limits(
        `Limitations on Incurrence of Debt. The Issuer will not, and will not permit any Subsidiary to, incur any Debt if, immediately after giving effect to the incurrence of such Debt, the aggregate principal amount of all outstanding Debt of the Issuer and its Subsidiaries on a consolidated basis is greater than 60% of the sum of Total Assets as of the end of the most recent fiscal quarter.

In addition to the foregoing limitation, the Issuer will not incur any Debt secured by any lien on its property if, immediately after giving effect thereto, the aggregate principal amount of all such secured Debt is greater than forty percent (40%) of Total Assets.

The Issuer will not incur any Debt if the ratio of Consolidated Income Available for Debt Service to the Annual Service Charge for the four most recent quarters would have been less than 1.5 to 1.`,
        true,
      ),
      [
        ['incurrence', 'Maximum Debt to Assets Ratio', 0.6],
        ['incurrence', 'Maximum Secured Leverage Ratio', 0.4],
        ['incurrence', 'Minimum Debt Service Coverage Ratio', 1.5],
      ],
    )
  },
)

t.test('a report lists the limits of its notes on new debt', async t => {
  t.strictSame(
    limits(
      'The notes contain covenants, including: (i) a limitation on incurrence of any debt which would cause the ratio of our debt to adjusted total assets to exceed 60%; (ii) a limitation on incurrence of any secured debt which would cause the ratio of secured debt to adjusted total assets to exceed 40%; (iii) a limitation on incurrence of any debt which would cause our debt service coverage ratio to be less than 1.5 times; and (iv) the maintenance of our total unencumbered assets such that they are not less than 150% of our outstanding unsecured debt.',
      false,
    ),
    [
      ['financial', 'Minimum Asset Coverage Ratio', 1.5],
      ['incurrence', 'Maximum Debt to Assets Ratio', 0.6],
      ['incurrence', 'Maximum Secured Leverage Ratio', 0.4],
      ['incurrence', 'Minimum Debt Service Coverage Ratio', 1.5],
    ],
  )
})

t.test('a limit without a level, and debt that may be incurred at a level, are no such test', async t => {
  t.strictSame(limits('The notes limit our incurrence of debt that would cause a default.', false), [])
  t.strictSame(
    limits(
      'The credit agreement provides for additional commitments if the ratio of debt to EBITDA does not exceed 3.00 to 1.00.',
      false,
    ),
    [],
  )
})
