import t from 'tap'
import { collateralIn } from '../../../engine/filing/facts/collateral.ts'
import { covenantsIn } from '../../../engine/filing/facts/covenants.ts'
import { section } from './section.ts'

const note = (title: string) => ({ section_type: 'notes', doc_type: '10-K', title })
const told = (title: string, text: string) =>
  covenantsIn(section(text, note(title))).map(row => [row.covenant_name, row.threshold_value ?? null])
const pledged = (title: string, text: string) => collateralIn(section(text, note(title))).map(row => row.type)

const counterparty =
  'Our agreements with counterparties of interest rate swaps require us to maintain minimum liquidity of $300 million.'
const leased =
  'The equipment leases that we guarantee contain a covenant requiring the Company to maintain a tangible net worth of not less than $45 million. The master lease agreements are secured by the leased equipment.'

t.test('a covenant told in another note than that on debt is read', async t => {
  t.strictSame(told('Note 9. Derivative Instruments', counterparty), [['Minimum Liquidity', 30_000_000_000]])
  t.strictSame(told('NOTE 12 - COMMITMENTS AND GUARANTEES', leased), [
    ['Minimum Tangible Net Worth', 4_500_000_000],
  ])
  t.strictSame(
    told('Note 5. Common Stock', 'Under its credit agreement, the Company may not pay dividends.'),
    [['Limitation on Restricted Payments', null]],
  )
})

t.test('of notes about what others owe, and about benefits, nothing is read', async t => {
  for (const title of ['Note 6. Investments in Unconsolidated Affiliates', '8. Notes Receivable'])
    t.strictSame(told(title, leased), [], title)
  t.strictSame(
    told(
      'Item 8. Financial Statements',
      'The discount rate is that of a yield curve of corporate bonds that may be redeemed with make-whole provisions.',
    ),
    [],
  )
})

t.test('assets of another note secure an obligation of the company, not what it is owed', async t => {
  const commitments = 'Note 14. Commitments'
  t.strictSame(pledged(commitments, leased), ['equipment'])
  t.strictSame(
    pledged(
      commitments,
      'Accounts receivable of $12 million were pledged as collateral against a line of credit.',
    ),
    ['receivables'],
  )
  t.strictSame(pledged(commitments, 'These notes are secured by the land that was sold.'), [])
  t.strictSame(
    pledged(commitments, 'Loans to customers, which are debt of theirs, are secured by vehicles.'),
    [],
  )
})
