import t from 'tap'
import { collateralIn } from '../../../engine/filing/facts/collateral.ts'
import { covenantsIn } from '../../../engine/filing/facts/covenants.ts'
import { shownName } from '../../../engine/filing/facts/instrument-name.ts'
import { section } from './section.ts'

const told = (text: string) => covenantsIn(section(text, { section_type: 'debt_footnote' }))
const agreed = (text: string) => covenantsIn(section(`${text}\n`))
const names = (rows: ReturnType<typeof covenantsIn>) => rows.map(r => r.covenant_name).sort()

t.test('a prohibiting sentence is a restriction, whatever its clause is called', async t => {
  const forbids = (text: string) => names(covenantsIn(section(`Agreements of the Obligors\n\n${text}\n`)))
  t.strictSame(
    forbids(
      'So long as this Note is outstanding, the Company shall not, directly or indirectly, without the prior written consent of the Holder, which consent shall not be unreasonably withheld: (a) change the nature of its business; (b) sell, divest or change the structure of any material assets other than in the ordinary course; or (c) incur any additional indebtedness.',
    ),
    ['Limitation on Asset Sales', 'Limitation on Indebtedness', 'Limitation on Line of Business'],
  )
  t.strictSame(
    forbids(
      'The Guarantor shall not create, assume, incur or suffer to exist any Liens on its Intellectual Property.',
    ),
    ['Limitation on Liens'],
  )
  for (const other of [
    'The Company shall not issue any fraction of a share of Common Stock upon any conversion.',
    'If the Borrower shall not pay any dividend, the Agent may act.',
    'The Administrative Agent shall not create any Lien.',
    'The Company shall not be required to pay any dividend.',
  ])
    t.strictSame(forbids(other), [], other)
})

t.test('a test that a report mentions without its level is stored without one', async t => {
  const [lev, cov] = told(
    'The Facility also contains covenants that require us to maintain a maximum quarterly cash flow leverage ratio and a minimum quarterly interest coverage ratio.',
  )
  t.match(lev, { test_metric: 'leverage_ratio', rule: 'test_elsewhere' })
  t.equal(lev?.threshold_value, null)
  t.match(cov, { test_metric: 'interest_coverage', threshold_type: 'minimum' })
  for (const other of [
    'The amendment removed the financial covenant requiring compliance with a minimum interest coverage ratio.',
    'Our credit facilities do not require us to maintain a leverage ratio.',
    'The margin under the covenants depends on our leverage ratio. The applicable margin requires a leverage ratio.',
    'Future debt may contain covenants requiring a minimum interest coverage ratio.',
  ])
    t.strictSame(told(other), [], other)
})

t.test('reports word the same tests in many ways', async t => {
  const level = (text: string) => told(text).map(r => [r.covenant_name, r.threshold_value])
  t.strictSame(
    level(
      'We are required to maintain our EBITDA to Interest Ratio at the end of each quarter at not less than 3.0 to 1.',
    ),
    [['Minimum Interest Coverage Ratio', 3]],
  )
  t.strictSame(
    level('We must maintain a debt to debt-plus-shareholders’ equity ratio of not more than 60%.'),
    [['Maximum Debt to Capitalization Ratio', 0.6]],
  )
  t.strictSame(level('A covenant requires the Consolidated Total Net Debt Ratio not to exceed 3.75:1.00.'), [
    ['Maximum Net Leverage Ratio', 3.75],
  ])
  t.strictSame(
    level('The indenture requires us to maintain a fixed charge coverage ratio of at least 1.40.'),
    [['Minimum Fixed Charge Coverage Ratio', 1.4]],
  )
  t.strictSame(
    level(
      'We have to maintain a ratio of debt to consolidated earnings (excluding certain charges) before interest, taxes, depreciation and amortization of not more than 3.5 to 1.0.',
    ),
    [['Maximum Total Leverage Ratio', 3.5]],
  )
})

t.test('reports list restrictions in many ways, and mention possible and past ones', async t => {
  t.strictSame(
    names(
      told(
        'These covenants include limits on the disposal of assets and the amount of debt secured by liens we may incur.',
      ),
    ),
    ['Limitation on Asset Sales', 'Limitation on Liens'],
  )
  t.strictSame(
    names(
      told(
        'The Credit Agreement contains certain negative covenants, including a negative pledge covenant and a merger or similar transaction covenant.',
      ),
    ),
    ['Limitation on Liens', 'Limitation on Mergers'],
  )
  t.strictSame(
    names(
      told(
        'The Notes include limitations on our ability to create certain liens and consolidate or merge with another person.',
      ),
    ),
    ['Limitation on Liens', 'Limitation on Mergers'],
  )
  for (const other of [
    'To the extent that we are not in compliance with these covenants we may be restricted in our ability to pay dividends or issue new debt.',
    'Any future debt securities may contain covenants that limit our ability to incur liens.',
    'The indentures governing our notes do not generally limit our ability to incur additional indebtedness.',
  ])
    t.strictSame(told(other), [], other)
})

t.test('puts, calls and cross-defaults are read from reports, unless they have already happened', async t => {
  const [put] = told(
    'The Notes are repayable upon the occurrence of a change of control, at the option of the holders, at a purchase price in cash equal to 101% of the principal plus accrued interest.',
  )
  t.equal(put?.put_price_pct, 101)
  const [cross] = told('The Facility also includes a $150 million cross-default provision.')
  t.match(cross, { covenant_name: 'Cross-Default', threshold_value: 15_000_000_000 })
  t.strictSame(names(told('We may redeem the notes at any time at a make-whole redemption price.')), [
    'Make-Whole Redemption',
  ])
  t.strictSame(
    told(
      'As a result of the prepayment of the Notes and payment of a make-whole premium of $34 million we recorded a charge.',
    ),
    [],
  )
})

const indenture = (text: string) =>
  covenantsIn(section(text, { section_type: 'indenture', doc_type: 'EX-4.1' }))

t.test(
  'an indenture with lettered clauses gives incurrence test, judgments, reports and cross-default amount',
  async t => {
    const rows = indenture(`
Section 4.03 Reports.

(a) So long as any Notes are outstanding, the Issuer will furnish to the Trustee, within 90 days after the end of each fiscal year, annual financial statements.

Section 4.09 Incurrence of Indebtedness.

(a) The Issuer will not, and will not permit any Restricted Subsidiary to, incur any Indebtedness; provided, however, that the Issuer may incur Indebtedness if the Fixed Charge Coverage Ratio would have been at least 2.00 to 1.00.

Section 6.01 Events of Default.

(4) default under any instrument evidencing any Indebtedness for money borrowed, if that default results in the acceleration of such Indebtedness prior to its express maturity, and the principal amount of any such Indebtedness aggregates $50.0 million or more;

(5) failure by the Issuer to pay final judgments aggregating in excess of $40.0 million, which judgments are not paid, discharged or stayed for a period of 60 days;
`)
    t.match(
      rows.map(r => [r.covenant_name, r.test_metric ?? null, r.threshold_value ?? null]),
      [
        ['Financial Reporting', null, null],
        ['Limitation on Indebtedness', 'fixed_charge_coverage', 2],
        ['Cross-Default', null, 5_000_000_000],
        ['Judgment Default', null, 4_000_000_000],
      ],
    )
  },
)

t.test('a put is not a default, and a merger clause does not restrict sales of single assets', async t => {
  t.strictSame(
    names(
      indenture(`
Change of Control Repurchase Event

If a Change of Control Repurchase Event occurs, we will be required to make an offer to repurchase the notes at a price equal to 101% of the principal amount.

Consolidation, Merger and Sale of Assets

We may not consolidate or merge with any other person or convey, transfer or lease our properties and assets substantially as an entirety.
`),
    ),
    ['Change of Control Put', 'Limitation on Mergers'],
  )
})

t.test('reports may name the pledged assets before the pledge', async t => {
  const pledged = (text: string) =>
    collateralIn(section(text, { section_type: 'debt_footnote' })).map(r => r.type)
  t.strictSame(
    pledged(
      'At June 30, land and buildings with a carrying value of $19 million have been pledged as security for bank loans.',
    ),
    ['real_estate'],
  )
  t.strictSame(
    pledged('We have pledged our seller receivables as collateral for debt under our Credit Facility.'),
    ['receivables'],
  )
  t.strictSame(
    pledged(
      'Borrowings under the facility are senior secured obligations of Alfa, secured by substantially all of Alfa’s assets.',
    ),
    ['general_lien'],
  )
  t.strictSame(pledged('Cash was posted as collateral for derivative instruments.'), [])
})

t.test('debt over cash flow is not leverage, unless a definition makes cash flow EBITDA', async t => {
  const tests = (text: string) => told(text).map(r => [r.covenant_name, r.test_metric, r.threshold_value])
  t.strictSame(
    tests(
      'The facility requires us to maintain a minimum ratio of adjusted operating cash flow to interest charges on recourse debt of 2.5 times and a maximum ratio of recourse debt to adjusted operating cash flow of 5.75 times.',
    ),
    [
      ['Minimum Cash Flow Coverage Ratio', null, 2.5],
      ['Maximum Debt to Cash Flow Ratio', null, 5.75],
    ],
  )
  const agreement = (means: string) =>
    covenantsIn(
      section(
        `SECTION 1.01. Definitions. "Cash Flow" means ${means}.\n\nSECTION 5.19. Debt Ratio. The Company shall not permit the ratio of Consolidated Debt to Cash Flow to exceed 5.0 to 1.00.\n`,
      ),
    ).map(r => [r.covenant_name, r.test_metric])
  t.strictSame(agreement('net income plus depreciation'), [['Maximum Debt to Cash Flow Ratio', null]])
  t.strictSame(agreement('net income plus interest expense, income taxes, depreciation and amortization'), [
    ['Maximum Total Leverage Ratio', 'leverage_ratio'],
  ])
  t.strictSame(
    tests('We are required to maintain a recourse debt to EBITDA ratio of not more than 5.00 to 1.00.'),
    [['Maximum Leverage Ratio', null, 5]],
    'recourse debt is a part of debt',
  )
})

t.test('a coverage ratio of debt to EBITDA is leverage, and debt is held relative to net worth', async t => {
  const tests = (text: string) => told(text).map(r => [r.covenant_name, r.threshold_value])
  t.strictSame(
    tests(
      'The facility requires the maintenance of an adjusted debt-to-EBITDA (earnings before interest, taxes, depreciation, and amortization) coverage ratio.',
    ),
    [['Maximum Total Leverage Ratio', null]],
  )
  t.strictSame(
    tests(
      'These covenants include limits on our disposal of assets, as well as limits on the indebtedness we can incur relative to our net worth.',
    ),
    [
      ['Maximum Debt to Net Worth Ratio', null],
      ['Limitation on Asset Sales', undefined],
    ],
  )
  t.strictSame(
    tests(
      'The Company is required to maintain a Total Net Leverage Ratio of 8.00x for the quarter ending December 31, 2024.',
    ),
    [['Maximum Net Leverage Ratio', 8]],
    'asked in the only direction that it can be tested in',
  )
})

t.test('a word that the page breaks is read whole, and a test in brackets is one test', async t => {
  t.strictSame(
    told(
      'Our credit agreement includes one financial covenant: a leverage test (debt to capital ratio). The required leverage level is a maxim um of 50%.',
    ).map(r => [r.covenant_name, r.threshold_value]),
    [['Maximum Debt to Capitalization Ratio', 0.5]],
  )
})

t.test('transfers to affiliates are dealings with affiliates, not sales of assets', async t => {
  t.strictSame(
    names(
      covenantsIn(
        section(
          "The Borrower shall not: (a) sell, lease or otherwise transfer any of its property or assets to, or purchase from, any of its Affiliates except at arm's length; (b) amend its charter.\n",
        ),
      ),
    ),
    ['Limitation on Affiliate Transactions'],
  )
  t.strictSame(
    names(
      covenantsIn(
        section(
          'SECTION 6.05. Payments by Material Subsidiaries. The Borrower will not permit any Material Subsidiary to agree to any restriction on its ability to pay dividends to the Borrower.\n\n',
        ),
      ),
    ),
    ['Limitation on Restrictive Agreements'],
  )
})

t.test('what an agreement contained, of which nothing is said in the present, holds no more', async t => {
  const old =
    'The A&R Credit Agreement contained financial covenants. In particular, we were required to maintain a maximum leverage ratio of 6.50 to 1.00.'
  t.strictSame(told(old), [])
  t.strictSame(names(told(`${old} The A&R Credit Agreement requires monthly reports.`)), [
    'Maximum Total Leverage Ratio',
  ])
})

t.test('names are shown capitalised, with the blanks that a text lost', async t => {
  t.equal(shownName('Amendedand Restated Credit Agreement'), 'Amended and Restated Credit Agreement')
  t.equal(shownName('five-year revolving credit facility'), 'Five-Year Revolving Credit Facility')
  t.equal(shownName('Indenture dated 2020-03-01'), 'Indenture dated 2020-03-01')
  t.equal(shownName("MGM China's credit facility"), "MGM China's Credit Facility")
})

t.test('numbered lists of restrictions name debt, disposals and the business by themselves', async t => {
  t.strictSame(
    names(
      told(
        'The Revolving Credit Agreement includes covenants limiting, with certain exceptions, (1) liens, (2) indebtedness, (3) investments, (4) dispositions, (5) changes in the nature of business and (6) transactions with affiliates.',
      ),
    ),
    [
      'Limitation on Affiliate Transactions',
      'Limitation on Asset Sales',
      'Limitation on Indebtedness',
      'Limitation on Investments',
      'Limitation on Liens',
      'Limitation on Line of Business',
    ],
  )
  t.strictSame(
    names(
      told(
        'The credit agreement contains negative covenants that restrict our ability to merge or make certain dispositions and enter into agreements with affiliates.',
      ),
    ),
    ['Limitation on Affiliate Transactions', 'Limitation on Asset Sales', 'Limitation on Mergers'],
  )
  t.strictSame(
    names(
      told(
        'Our bank debt facilities and notes are unsecured and subject to negative pledge arrangements limiting the amount of secured indebtedness we can incur.',
      ),
    ),
    ['Limitation on Liens'],
  )
  t.strictSame(names(told('The notes do not contain a negative pledge provision.')), [])
})

t.test(
  'a titled clause restricts with a condition about defaults, from a date on, and what its title adds',
  async t => {
    const restricted = (text: string) => names(agreed(`8. NEGATIVE COVENANTS\n\n${text}`))
    t.strictSame(
      restricted(
        '8.4 Merger or Consolidation. Consolidate with or merge into any Person unless (x) immediately after giving effect thereto no Default or Event of Default shall exist.',
      ),
      ['Limitation on Mergers'],
    )
    t.strictSame(
      restricted(
        '8.5 Indebtedness. At all times prior to the Release Date, create, incur, assume or permit to exist any Indebtedness, except Indebtedness hereunder.',
      ),
      ['Limitation on Indebtedness'],
    )
    t.strictSame(
      restricted(
        '8.6 Indebtedness and Guaranty Obligations. Create, incur or assume any Indebtedness or Guaranty Obligation except those hereunder.',
      ),
      ['Limitation on Guarantees', 'Limitation on Indebtedness'],
    )
  },
)
