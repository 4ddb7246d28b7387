import t from 'tap'
import { covenantsIn } from '../../../engine/filing/facts/covenants.ts'
import { section } from './section.ts'

const levels = (text: string) =>
  covenantsIn(section(text, { section_type: 'mda_liquidity', doc_type: '10-K' }))
    .filter(row => row.threshold_value != null)
    .map(row => [row.instrument_name, row.covenant_name, row.threshold_value])

t.test(
  'a table of required and actual levels states its tests, of the instrument named before it',
  async t => {
    t.strictSame(
      levels(`The financial covenants of the Credit Agreement were as follows:

 | December 31, 2024 Requirement | December 31, 2024 Actual
Leverage ratio | ≤ 3.75x | 2.14x
Capitalization ratio | ≤ 65.0% | 58.4%
Interest coverage ratio | ≥ | 2.50 | 6.10

Other text.`),
      [
        ['Credit Agreement', 'Maximum Total Leverage Ratio', 3.75],
        ['Credit Agreement', 'Maximum Debt to Capitalization Ratio', 0.65],
        ['Credit Agreement', 'Minimum Interest Coverage Ratio', 2.5],
      ],
    )
  },
)

t.test('the column that says what must be is read, whatever is beside it', async t => {
  t.strictSame(
    levels(`Covenants of the notes are met:

Note covenants | Required | Actual
Limitation on incurrence of total debt (Total Debt/Total Assets) | ≤ 60% | 39%
Limitation on incurrence of secured debt (Secured Debt/Total Assets) | ≤ 40% | 0%
Maintenance of total unencumbered assets (Unencumbered Assets/Unsecured Debt) | ≥ 150% of unsecured debt | 246%`).map(
      ([, ...test]) => test,
    ),
    [
      ['Maximum Debt to Assets Ratio', 0.6],
      ['Maximum Secured Leverage Ratio', 0.4],
      ['Minimum Asset Coverage Ratio', 1.5],
    ],
  )
})

t.test('a label that divides one quantity by another names the ratio', async t => {
  t.strictSame(
    levels(`Covenants of the notes:

Covenant | Must Be | As of June 30, 2024
Consolidated Income Available for Debt Service / Maximum Annual Service Charge | > 1.50x | 5.1x
Unencumbered Total Asset Value / Consolidated Unsecured Indebtedness | > 1.50x | 2.5x`).map(
      ([, ...test]) => test,
    ),
    [
      ['Minimum Debt Service Coverage Ratio', 1.5],
      ['Minimum Asset Coverage Ratio', 1.5],
    ],
  )
})

t.test('ratios that a regulator asks of a bank, and ratios reached, are no covenants', async t => {
  t.strictSame(
    levels(`Capital covenants and requirements:

 | Actual | Required to be well capitalized
Tier 1 leverage ratio | 9.1% | 5.0%
Debt to capital ratio | 30.0% | 60.0%`),
    [],
  )
  t.strictSame(
    levels(`Selected ratios:

 | 2024 | 2023
Leverage ratio | 2.14x | 2.50x`),
    [],
  )
  t.strictSame(
    levels(`Covenants of the loan:

 | Required | Actual
Leverage ratio | ≥ 3.75x | 2.14x`),
    [],
    'a sign that is not that of the quantity',
  )
})
