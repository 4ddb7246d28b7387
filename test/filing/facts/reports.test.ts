import t from 'tap'
import { collateralIn } from '../../../engine/filing/facts/collateral.ts'
import { covenantsIn } from '../../../engine/filing/facts/covenants.ts'
import type { FiledSection } from '../../../engine/filing/facts/filed-section.ts'
import { section } from './section.ts'

const note: Partial<FiledSection> = { section_type: 'debt_footnote', doc_type: '10-K' }
const told = (text: string, more: Partial<FiledSection> = note) => covenantsIn(section(text, more))
const names = (rows: ReturnType<typeof covenantsIn>) => rows.map(r => r.covenant_name).sort()
const levels = (text: string, more?: Partial<FiledSection>) =>
  told(text, more).map(r => [r.covenant_name, r.threshold_value])
const pledged = (text: string) => collateralIn(section(text, note)).map(r => [r.type, r.instrument_name])

t.test('each series of notes has its own put and make-whole call', async t => {
  const rows = told(
    'We may redeem the 2027 Notes at a price equal to the greater of 100% of their principal amount and the sum of the present values of the remaining scheduled payments of principal and interest. If a change of control occurs, we must offer to purchase the 2027 Notes at a price equal to 101% of their principal amount.\n\nWe may redeem the 2031 Notes at any time at a make-whole premium. If a change of control occurs, we must offer to purchase the 2031 Notes at a price equal to 101% of their principal amount.',
  )
  t.strictSame(
    rows.map(r => [r.covenant_name, r.instrument_name]),
    [
      ['Make-Whole Redemption', '2027 Notes'],
      ['Change of Control Put', '2027 Notes'],
      ['Make-Whole Redemption', '2031 Notes'],
      ['Change of Control Put', '2031 Notes'],
    ],
  )
})

t.test('the price of a put may stand beside one for asset sales, or after its date', async t => {
  for (const [text, price] of [
    [
      'Upon certain asset sales or a change in control, the Company must offer to repurchase the Notes at a price equal to 100%, in the case of an asset sale, or 101%, in the case of a change of control, of the principal amount.',
      101,
    ],
    [
      'Holders may require the Company to purchase their Debentures upon a "change in control" (as defined) on or before June 1, 2031 for 100% of the principal amount thereof.',
      100,
    ],
  ] as const)
    t.strictSame(
      told(text).map(r => [r.covenant_name, r.put_price_pct]),
      [['Change of Control Put', price]],
      text,
    )
})

t.test('a covenant may be named in one sentence and described in the next', async t => {
  t.strictSame(
    names(
      told(
        'The Credit Agreement contains covenants that are customary. These include those restricting liens, debt of subsidiaries and fundamental changes.',
      ),
    ),
    ['Limitation on Indebtedness', 'Limitation on Liens', 'Limitation on Mergers'],
  )
  t.strictSame(
    told('Our strategy has risks. These include those restricting liens under local law.'),
    [],
    'only after a sentence about covenants',
  )
})

t.test('a document that limits restricts, one that could limit does not', async t => {
  t.strictSame(
    names(
      told('The line of credit limits the ability of the Company to incur indebtedness and pay dividends.'),
    ),
    ['Limitation on Indebtedness', 'Limitation on Restricted Payments'],
  )
  t.strictSame(
    names(told('The revolving credit facility also limits the amount of debt secured by liens.')),
    ['Limitation on Liens'],
  )
  t.strictSame(
    names(
      told(
        'Covenants restrict Alfa Co., Inc. and its subsidiaries’ ability to incur liens, enter into restrictive agreements, and make investments and guarantees.',
      ),
    ),
    [
      'Limitation on Guarantees',
      'Limitation on Investments',
      'Limitation on Liens',
      'Limitation on Restrictive Agreements',
    ],
    'the full stops of a name end no sentence',
  )
  for (const other of [
    'The credit facility could limit our ability to incur liens.',
    'The indentures do not generally limit our ability to incur additional indebtedness.',
  ])
    t.strictSame(told(other), [], other)
  t.strictSame(
    names(
      told(
        'The Indenture restricts our ability to incur indebtedness for borrowed money that is secured by a lien on any plant.',
      ),
    ),
    ['Limitation on Liens'],
    'secured debt is a matter of liens',
  )
})

t.test('debt may be tested as a share or a multiple, without the word ratio', async t => {
  t.strictSame(levels('The agreement requires that total debt may not exceed 65% of total capitalization.'), [
    ['Maximum Debt to Capitalization Ratio', 0.65],
  ])
  t.strictSame(levels('The notes require that funded debt cannot exceed 3.5 times EBITDA.'), [
    ['Maximum Total Leverage Ratio', 3.5],
  ])
  t.strictSame(levels('Under the notes our ratio of debt to capital must not exceed 60%.'), [
    ['Maximum Debt to Capitalization Ratio', 0.6],
  ])
  t.strictSame(
    levels('6.2 Leverage. Consolidated Debt will not exceed 850% of Consolidated Tangible Net Worth.\n', {}),
    [['Maximum Debt to Net Worth Ratio', 8.5]],
  )
  t.strictSame(
    levels(
      '6.3 Debt. The Company shall not incur Indebtedness, except other Indebtedness not to exceed 10% of total assets.\n',
      {},
    ),
    [['Limitation on Indebtedness', undefined]],
    'a basket is no test',
  )
  t.strictSame(
    levels('Covenants include a limitation on consolidated debt as a percentage of total capital.'),
    [['Maximum Debt to Capitalization Ratio', null]],
  )
})

t.test('a term in brackets names what is tested, and is not tested itself', async t => {
  t.strictSame(
    levels(
      'We must maintain a ratio of debt to consolidated earnings (excluding noncash items of several kinds) before interest, taxes, depreciation and amortization (“adjusted EBITDA”) of not more than 3.5 to 1.0.',
    ),
    [['Maximum Total Leverage Ratio', 3.5]],
  )
  t.strictSame(
    levels(
      'Covenants include a leverage (debt to capital ratio) financial covenant. The required leverage ratio is a maximum of 60%.',
    ),
    [['Maximum Debt to Capitalization Ratio', 0.6]],
  )
  t.strictSame(
    levels(
      'The facilities contain one financial covenant relating to interest coverage of three times earnings.',
    ),
    [['Minimum Interest Coverage Ratio', 3]],
  )
  t.strictSame(levels('Our interest coverage was three times earnings. We met our covenants.'), [])
})

t.test('a report names changes of control and other debt among events of default', async t => {
  t.strictSame(
    names(
      told(
        'The agreement contains customary events of default, including failure to pay, defaults under other material indebtedness, and a change of control.',
      ),
    ),
    ['Change of Control Default', 'Cross-Default'],
  )
  t.strictSame(
    names(
      told(
        'If an event of default were to occur with respect to any of our other debt, it would likely constitute an event of default under our facilities as well.',
      ),
    ),
    ['Cross-Default'],
  )
  t.strictSame(
    told(
      'Upon an event of default the lenders may declare any debt due and payable. A change of control is not expected.',
    ),
    [],
  )
})

const item: Partial<FiledSection> = {
  section_type: 'credit_agreement',
  doc_type: '8-K',
  title: 'Item 1.01 Entry into a Material Definitive Agreement',
}

t.test('an item of a current report is read as a report of its agreement', async t => {
  const rows = told(
    `On May 4, 2026, Alfa Corp issued notes under an Indenture dated as of May 4, 2026.

Covenants. The Indenture contains covenants limiting the Company’s ability to:

• | sell assets;
• | create liens.

Events of Default. The following constitute events of default under the Indenture:

• | a default in the payment of principal of the notes;
• | default under any indebtedness for money borrowed by the Company, if both: (a) such default results in such indebtedness becoming due and payable prior to its stated maturity; and (b) the principal amount of such indebtedness aggregates more than $50.0 million;
• | final judgments aggregating in excess of $40.0 million, which judgments remain unpaid and unstayed for 60 days.
`,
    item,
  )
  t.strictSame(
    rows.map(r => [r.covenant_name, r.threshold_value ?? null]),
    [
      ['Limitation on Liens', null],
      ['Limitation on Asset Sales', null],
      ['Cross-Default', 5_000_000_000],
      ['Judgment Default', 4_000_000_000],
    ],
  )
  for (const row of rows) t.equal(row.instrument_name, 'Indenture dated 2026-05-04')
  t.match(rows[2]?.evidence, /^• \| default under any indebtedness/, 'the item, not its whole list')
})

t.test(
  'an item has the name and day of the agreement entered into, not of the one that it replaces',
  async t => {
    const of = (opening: string) => {
      const [row] = told(
        `${opening} The Credit Agreement contains covenants that limit the ability of the Company to grant liens.\n`,
        item,
      )
      return [row?.instrument_name, row?.agreement_date ?? null, row?.replaces_agreement_date ?? null]
    }
    const old = 'Credit Agreement, dated as of December 12, 2020, as amended.'
    t.strictSame(
      of(
        `On May 4, 2026, Alfa Corp entered into an Amended and Restated Credit Agreement (the “Credit Agreement”) with the lenders. The Credit Agreement amends and restates the Company’s existing ${old}`,
      ),
      ['Amended and Restated Credit Agreement dated 2026-05-04', '2026-05-04', '2020-12-12'],
    )
    t.strictSame(
      of(
        `On May 4, 2026, Alfa Corp entered into a Credit Agreement, dated as of May 1, 2026. It replaces Alfa’s ${old}`,
      ),
      ['Credit Agreement dated 2026-05-01', '2026-05-01', '2020-12-12'],
      'its own date before that of the sentence',
    )
    t.strictSame(
      of(`On May 4, 2026, Alfa Corp closed a new revolving facility, which replaces the ${old}`),
      ['Credit Agreement', null, null],
      'the replaced one alone is dated',
    )
    t.strictSame(
      of(`On May 4, 2026, Alfa Corp entered into an amendment of its ${old}`),
      ['Credit Agreement dated 2020-12-12', '2020-12-12', null],
      'an amended agreement goes on',
    )
  },
)

t.test('a prospectus sets titles before their text', async t => {
  t.strictSame(
    names(
      told(
        'Description of the Notes\n\nLimitation on Liens. So long as any notes are outstanding, Alfa Capital will not secure any indebtedness with a lien on any shares of its subsidiaries.\n\nConsolidation, Merger and Sale of Assets. Alfa Capital may not consolidate with or merge into any other entity unless the successor assumes the notes.\n',
        { section_type: 'indenture', doc_type: '424B5' },
      ),
    ),
    ['Limitation on Liens', 'Limitation on Mergers'],
  )
})

t.test('no loan party will: a restriction without a named obligor', async t => {
  t.strictSame(
    names(
      told(
        '6.03 Conduct. (a) Each Loan Party keeps books.\n\n(b) No Loan Party will, nor will it permit any Subsidiary to, engage in any business other than its own.\n',
        {},
      ),
    ),
    ['Limitation on Line of Business'],
  )
})

t.test('reports say in many ways what is pledged', async t => {
  t.strictSame(
    pledged(
      'The credit facility is guaranteed by our domestic subsidiaries, and secured by a first priority lien on substantially all of our material assets.',
    ),
    [['general_lien', 'Credit Facility']],
  )
  t.strictSame(
    pledged('The term loan is secured by a pledge of the equity in certain of our subsidiaries.'),
    [['securities', 'Term Loan']],
  )
  t.strictSame(
    pledged(
      'As of December 31, 2024, we have pledged $9.5 million of our cash and receivables as collateral for our Credit Facility.',
    ),
    [
      ['receivables', 'Credit Facility'],
      ['cash', 'Credit Facility'],
    ],
  )
  t.strictSame(
    pledged('The line of credit carries a rate of not less than 4.0% and is secured by the assets of Alfa.'),
    [['general_lien', 'Line of Credit']],
  )
  t.strictSame(
    pledged('The loan matures in 2030. Collateral for the loan includes inventory and equipment.'),
    [
      ['equipment', null],
      ['inventory', null],
    ],
  )
  t.strictSame(
    pledged(
      'The mortgage indenture constitutes a first lien on our real property, except for the following property: all inventory; and all trucks.',
    ),
    [['real_estate', 'Mortgage Indenture']],
    'what is excepted is not pledged',
  )
  t.strictSame(
    pledged(
      '(2) We are required to pledge or otherwise restrict some of our cash and fixed income securities mainly as collateral for leases, debt, and letters of credit.',
    ),
    [
      ['securities', null],
      ['cash', null],
    ],
  )
  for (const other of [
    'If our rating falls, we are required to pledge cash as collateral for the loan.',
    'We may be required to pledge our inventory as collateral for the loan.',
    'The company is required to post cash as collateral for derivatives and debt.',
  ])
    t.strictSame(pledged(other), [], other)
})

t.test('what was pledged counts at the balance date of the report, not before', async t => {
  t.strictSame(pledged('Bonds of $4 million were collateralized by utility plant as of December 31, 2024.'), [
    ['energy_assets', null],
  ])
  for (const other of [
    'Bonds of $4 million were collateralized by utility plant as of December 31, 2023.',
    'As of December 31, 2023, we had pledged $6 million of our receivables as collateral for debt.',
    'The loan was secured by all of our assets and was repaid.',
    'As of December 31, 2024, we had terminated the loan that was secured by certain receivables.',
    'Each bank has pledged receivables as collateral for loans.',
  ])
    t.strictSame(pledged(other), [], other)
})

t.test('a grant of the Collateral pledges what its definition names', async t => {
  const rows = collateralIn(
    section(
      'SECURITY AGREEMENT dated as of May 1, 2024.\n\n"Collateral" means all accounts and inventory of the Debtor.\n\nThe Debtor hereby grants to the Lender a security interest in the Collateral.\n',
    ),
  )
  t.strictSame(
    rows.map(r => [r.type, r.rule]),
    [
      ['receivables', 'collateral_defined'],
      ['inventory', 'collateral_defined'],
    ],
  )
})

t.test('a covenant may be listed with others, without its level', async t => {
  t.strictSame(
    names(
      told(
        'The facility requires us to comply with certain financial covenants, including leverage and interest coverage ratios.',
      ),
    ),
    ['Maximum Total Leverage Ratio', 'Minimum Interest Coverage Ratio'],
  )
  t.strictSame(
    names(
      told(
        'The senior notes contain certain covenants including, without limitation, limitation on our ability to incur liens or enter into sale and leaseback transactions.',
      ),
    ),
    ['Limitation on Liens', 'Limitation on Sale and Leaseback Transactions'],
  )
  t.strictSame(
    told(
      'The Credit Agreement provides for incremental loans, subject to compliance with specified leverage ratios.',
    ),
    [],
    'a condition of more loans is no test',
  )
})

t.test('what a report says of an agreement that was terminated holds no more', async t => {
  const text =
    'The Credit Agreement is secured by our accounts receivable and inventory. The Credit Agreement requires us to maintain a leverage ratio of not more than 4.00 to 1.00.'
  const end =
    ' In May 2024, we entered into an unsecured revolving credit facility (the "RCF Agreement") to replace the existing Credit Agreement, which was terminated.'
  t.strictSame(pledged(text), [
    ['receivables', 'Credit Agreement'],
    ['inventory', 'Credit Agreement'],
  ])
  t.strictSame(pledged(text + end), [])
  t.strictSame(levels(text), [['Maximum Total Leverage Ratio', 4]])
  t.strictSame(levels(text + end), [])
})

t.test('a bare name is that of which the text defines it', async t => {
  const name = (text: string) => told(text).map(r => r.instrument_name)
  const asks = 'The Facility requires us to maintain an interest coverage ratio of at least 3.00 to 1.00.'
  t.strictSame(name(`We have a five-year unsecured revolving credit facility (the "Facility"). ${asks}`), [
    'Five-Year Unsecured Revolving Credit Facility',
  ])
  t.strictSame(name(asks), ['Facility'])
})
