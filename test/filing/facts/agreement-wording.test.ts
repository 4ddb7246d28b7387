import t from 'tap'
import { collateralIn } from '../../../engine/filing/facts/collateral.ts'
import { covenantsIn } from '../../../engine/filing/facts/covenants.ts'
import { section } from './section.ts'

const agreement = { section_type: 'credit_agreement', doc_type: 'EX-10.1' }
const item = {
  section_type: 'credit_agreement',
  doc_type: '8-K',
  title: 'Item 1.01 Entry into a Material Agreement',
}
const told = (text: string, about: object) =>
  covenantsIn(section(text, about)).map(row => [row.covenant_name, row.threshold_value ?? null])

t.test('capital expenditures that a borrower shall not make beyond an amount are limited', async t => {
  t.strictSame(
    told(
      'CREDIT AGREEMENT dated as of June 4, 2021\n\nARTICLE VII\nNEGATIVE COVENANTS\n\nSection 7.12. Capital Expenditures. The Borrower shall not make Capital Expenditures in any fiscal year exceeding $25,000,000 in the aggregate.',
      agreement,
    ),
    [['Maximum Capital Expenditures', 2_500_000_000]],
  )
})

t.test(
  'a default under any agreement for borrowed money is one across, also in a note without clauses',
  async t => {
    t.strictSame(
      told(
        'PROMISSORY NOTE dated June 4, 2021\n\n7. Events of Default. Each of the following is an Event of Default: (a) failure to pay; (b) Maker defaults under any other agreement for borrowed money and the holder of such debt accelerates it; (c) bankruptcy.',
        agreement,
      ),
      [['Cross-Default', null]],
    )
  },
)

t.test('a deed of trust conveys what secures the note', async t => {
  const deed =
    'DEED OF TRUST dated as of May 4, 2021\n\nGrantor hereby irrevocably grants, conveys and assigns to Trustee, in trust, with power of sale, the real property described in Exhibit A to secure the Note.'
  t.strictSame(
    collateralIn(section(deed, agreement)).map(row => row.type),
    ['real_estate'],
  )
})

t.test('an announced amendment tells the level to which it brings a ratio', async t => {
  const amended = (change: string) =>
    told(
      `On June 4, 2021, Alfa amended its Credit Agreement. The Amendment ${change} the maximum permitted total leverage ratio from 3.50 to 1.00 to 4.00 to 1.00.`,
      item,
    )
  t.strictSame(amended('increases'), [['Maximum Total Leverage Ratio', 4]])
  t.strictSame(amended('waives a breach of'), [])
})

t.test('an announced indenture lists its events of default', async t => {
  t.strictSame(
    told(
      'On June 4, 2021, Alfa issued notes under an Indenture. The following are events of default: (i) failure to pay principal when due; (ii) default under other indebtedness of the Company having an aggregate principal amount in excess of $100 million that results in acceleration; (iii) failure to pay final judgments in excess of $100 million within 60 days; and (iv) bankruptcy.',
      item,
    ),
    [
      ['Cross-Default', 10_000_000_000],
      ['Judgment Default', 10_000_000_000],
    ],
  )
  t.strictSame(
    told(
      'On June 4, 2021, Alfa issued notes. Events of default include defaults by the Company or its significant subsidiaries with respect to indebtedness for borrowed money of at least $50 million.',
      item,
    ).map(([name]) => name),
    ['Cross-Default'],
  )
})

t.test('under a note a company may not borrow ahead of it', async t => {
  t.strictSame(
    told(
      'On June 4, 2021, Alfa sold a note. Under the Note, the Company may not incur debt senior to the Note or grant liens on its assets while it is outstanding.',
      item,
    )
      .map(([name]) => name)
      .sort(),
    ['Limitation on Indebtedness', 'Limitation on Liens'],
  )
})
