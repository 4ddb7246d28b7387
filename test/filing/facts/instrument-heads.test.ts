import t from 'tap'
import { collateralIn } from '../../../engine/filing/facts/collateral.ts'
import { covenantsIn } from '../../../engine/filing/facts/covenants.ts'
import { section } from './section.ts'

const note = (text: string) =>
  section(text, { section_type: 'debt_footnote', doc_type: '10-K', title: 'Debt' })
const pledged = (text: string) => collateralIn(note(text)).map(row => [row.instrument_name, row.type])

t.test(
  'a paragraph is about the instrument that begins it, and paragraphs about the one above them',
  async t => {
    t.strictSame(
      covenantsIn(
        note(`Unsecured Notes – The NPA contains covenants that limit our ability to merge or to incur liens.

Liberty Bank Facility. Since 2008, the facility is secured by notes receivable.

Term Loan Facility

It contains covenants that limit our ability to pay dividends.`),
      ).map(row => [row.instrument_name, row.covenant_name]),
      [
        ['Unsecured Notes', 'Limitation on Liens'],
        ['Unsecured Notes', 'Limitation on Mergers'],
        ['Term Loan Facility', 'Limitation on Restricted Payments'],
      ],
    )
    t.strictSame(
      pledged(
        'It is secured. Alfa Hills Credit Agreement: the partners have a credit facility that is collateralized by inventory.',
      ),
      [['Alfa Hills Credit Agreement', 'inventory']],
    )
    t.strictSame(pledged('Liberty Bank Facility. Since 2008, the facility is secured by notes receivable.'), [
      ['Liberty Bank Facility', 'receivables'],
    ])
    t.strictSame(
      pledged(`Receivables Securitization Program

The seller sells receivables to a subsidiary.

It has pledged the equity interests in the subsidiary as security for the loans.`),
      [['Receivables Securitization Program', 'securities']],
    )
  },
)

t.test('a facilities agreement is named as one', async t => {
  t.strictSame(
    covenantsIn(
      note('The 2024 Facilities Agreement contains covenants that limit our ability to create liens.'),
    ).map(row => row.instrument_name),
    ['2024 Facilities Agreement'],
  )
})
