import t, { type Test } from 'tap'
import { companyFlowName, companyFlowOf } from '../../engine/derive/statements/company-flows.ts'
import { derived, dollars, explained, type Figure, pick, report } from './reports.ts'

const END = '2024-12-31'
const START = '2024-01-01'

/** The year of one annual report with flows under names of the filer, in millions. */
async function yearOf(test: Test, ...figures: [string, number][]) {
  const facts = report(
    { form: '10-K', filed: '2025-02-15', fy: 2024 },
    ...figures.map(([concept, millions]): Figure => [concept, millions, END, START]),
  ).map(row => ({ ...row, concept: String(row['concept']).replace('us-gaap:acme:', 'acme:') }))
  const { rows } = await derived(test, { facts })
  const [row] = await rows(`basis = 'ttm'`)
  return { row: row!, explain: explained(row!) }
}

t.test("depreciation under the filer's own name completes EBITDA, and is flagged", async t => {
  const { row, explain } = await yearOf(
    t,
    ['Revenues', 500],
    ['OperatingIncomeLoss', 40],
    ['acme:DepreciationDecommissioningAndAmortization', 130],
    ['acme:DepreciationAmortizationDecommissioningIncomeStatement', 120],
    ['acme:CostOfRevenueExcludingDepreciationAndAmortization', 300],
  )
  t.match(row, {
    depreciation_amortization: dollars(130),
    ebitda: dollars(170),
    ebitda_estimated: false,
    ebitda_source: 'operating_income + depreciation_amortization',
  })
  t.match(explain['depreciation_amortization'], { flags: ['approximation', 'company_lines'] })
})

t.test(
  'a standard line of all depreciation is preferred to own lines, own lines to a standard part',
  async t => {
    const of = async (...figures: [string, number][]) =>
      (await yearOf(t, ['Revenues', 500], ['OperatingIncomeLoss', 40], ...figures)).row[
        'depreciation_amortization'
      ]
    t.equal(
      await of(['DepreciationDepletionAndAmortization', 90], ['acme:DepreciationAndAmortization', 100]),
      dollars(90),
    )
    t.equal(
      await of(['OtherDepreciationAndAmortization', 20], ['acme:DepreciationAndAmortization', 100]),
      dollars(100),
    )
    t.equal(await of(['OtherDepreciationAndAmortization', 20]), dollars(20))
    t.equal(
      await of(
        ['acme:DepreciationAndImpairmentOfPropertyAndEquipment', 60],
        ['acme:AmortizationAndImpairmentOfIntangibleAssets', 7],
      ),
      dollars(67),
      'a line of each is added',
    )
    t.equal(await of(['acme:AmortizationOfDebtDiscount', 20]), null)
  },
)

t.test(
  'net interest under an own name stands in for interest in EBITDA, and is no interest expense',
  async t => {
    const of = async (...figures: [string, number][]) =>
      (
        await yearOf(
          t,
          ['Revenues', 500],
          [
            'IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest',
            100,
          ],
          ['DepreciationDepletionAndAmortization', 30],
          ...figures,
        )
      ).row
    const net = await of(['acme:NetFinancingCharges', 25])
    t.match(net, { interest_expense: null, interest_coverage: null, ebitda: dollars(155) })
    t.equal(net['ebitda_source'], 'pretax_income + net_interest + depreciation_amortization')
    t.equal(explained(net)['interest_expense']!['null_because'], 'tagged only net of interest income')
    const gross = await of(['acme:InterestExpenseAndAmortizationOfDebtDiscount', 25])
    t.match(gross, { interest_expense: dollars(25), ebitda: dollars(155) })
    const income = await of(['acme:NetInterestExpense', -25])
    t.equal(income['ebitda'], null, 'income, or a slip: the name does not say which')
    const two = await of(['acme:InterestExpenseNotes', 25], ['acme:InterestExpenseBankDebt', 5])
    t.equal(two['interest_expense'], null, 'each may be a part')
  },
)

t.test('interest on some debt gives way to a larger line of interest under an own name', async t => {
  const of = async (...figures: [string, number][]) =>
    (await yearOf(t, ['Revenues', 500], ['OperatingIncomeLoss', 40], ...figures)).row['interest_expense']
  const some = ['InterestExpenseLongTermDebt', 3] as [string, number]
  t.equal(await of(some), dollars(3))
  t.equal(await of(some, ['acme:InterestExpenseNonOperating', 42]), dollars(42))
  t.equal(await of(some, ['acme:InterestExpenseOther', 2]), dollars(3))
  t.equal(await of(['InterestExpense', 3], ['acme:InterestExpenseNonOperating', 42]), dollars(3))
})

t.test('capital expenditure under an own name counts if it is the only such line', async t => {
  const of = async (...figures: [string, number][]) =>
    (await yearOf(t, ['Revenues', 500], ['NetCashProvidedByUsedInOperatingActivities', 90], ...figures)).row
  t.match(await of(['acme:CapitalExpendituresAndInvestments', 60]), { capex: dollars(60) })
  t.match(await of(['acme:CapitalExpenditures', -60]), { capex: dollars(60) })
  t.match(
    await of(
      ['acme:PaymentsToAcquirePropertyPlantAndEquipmentUtility', 60],
      ['acme:PaymentsToAcquirePropertyPlantAndEquipmentNonUtility', 7],
    ),
    { capex: null },
  )
  t.match(await of(['acme:PurchasesOfPropertyAndEquipmentIncludedInAccountsPayable', 7]), { capex: null })
})

t.test('revenue is operating income and all costs where no line of revenue is tagged', async t => {
  const { row } = await yearOf(t, ['OperatingIncomeLoss', 40], ['CostsAndExpenses', 460])
  t.equal(row['revenue'], dollars(500))
})

t.test('quarters under an own name are formed by difference like any other', async t => {
  const quarter = (filed: string, figures: Figure[]) =>
    report({ form: '10-Q', filed, fy: 2024 }, ...figures).map(row => ({
      ...row,
      concept: String(row['concept']).replace('us-gaap:acme:', 'acme:'),
    }))
  const facts = [
    ...quarter('2024-05-01', [
      ['OperatingIncomeLoss', 10, '2024-03-31', START],
      ['acme:DepreciationAndAmortisationOrDepletion', 5, '2024-03-31', START],
      ['acme:DepreciationAndDepletion', 5, '2024-03-31', START],
    ]),
    ...quarter('2024-08-01', [
      ['OperatingIncomeLoss', 12, '2024-06-30', '2024-04-01'],
      ['acme:DepreciationAndDepletion', 11, '2024-06-30', START],
    ]),
  ]
  const { rows } = await derived(t, { facts })
  t.strictSame(pick(await rows(`basis = 'quarter'`), 'period', 'depreciation_amortization', 'ebitda'), [
    ['2024Q1', dollars(5), dollars(15)],
    ['2024Q2', dollars(6), dollars(18)],
  ])
})

t.test('an own line is not subtracted from a standard one, which may mean less', async t => {
  const filing = (form: string, filed: string, fy: number, ...figures: Figure[]) =>
    report({ form, filed, fy }, ...figures).map(row => ({
      ...row,
      concept: String(row['concept']).replace('us-gaap:acme:', 'acme:'),
    }))
  const own = 'acme:DepreciationAndAmortizationOfAllAssets'
  const standard = 'DepreciationDepletionAndAmortization'
  const { rows } = await derived(t, {
    facts: [
      ...filing(
        '10-Q',
        '2023-05-01',
        2023,
        ['Revenues', 100, '2023-03-31', '2023-01-01'],
        [own, 30, '2023-03-31', '2023-01-01'],
      ),
      ...filing(
        '10-K',
        '2024-02-15',
        2023,
        ['Revenues', 400, '2023-12-31', '2023-01-01'],
        [own, 120, '2023-12-31', '2023-01-01'],
      ),
      ...filing(
        '10-Q',
        '2024-05-01',
        2024,
        ['Revenues', 110, '2024-03-31', '2024-01-01'],
        [standard, 21, '2024-03-31', '2024-01-01'],
      ),
      ...filing(
        '10-K',
        '2025-02-15',
        2024,
        ['Revenues', 420, '2024-12-31', '2024-01-01'],
        [standard, 84, '2024-12-31', '2024-01-01'],
        ['Revenues', 400, '2023-12-31', '2023-01-01'],
        [standard, 80, '2023-12-31', '2023-01-01'],
      ),
    ],
  })
  const trailing = await rows(`basis = 'ttm' AND period = '2024Q1' AND is_latest`)
  t.strictSame(pick(trailing, 'depreciation_amortization'), [[dollars(120 + 21 - 30)]], 'not 80 + 21 - 30')
})

t.test("a filer's own flow is an item only if its name says so", async t => {
  const items = {
    depreciation_amortization: [
      'DepreciationDepletionAndAmortization',
      'AdjustmentDepreciationAndAmortization',
    ],
    interest_expense: ['InterestAndOtherFinancialCharges', 'InterestExpenseNonOperating'],
    net_interest: ['InterestExpenseNet', 'InterestExpenseNetOfInterestIncome', 'FinancingCostsNet'],
    capex: ['CapitalExpenditures', 'PurchasesOfPropertyAndEquipmentAndIntangibleAssets'],
  }
  for (const [item, names] of Object.entries(items))
    for (const name of names) {
      t.equal(companyFlowOf(`acme:${name}`), item, name)
      t.match(name, new RegExp(companyFlowName, 'i'), 'the query reads it')
    }
  for (const name of [
    'acme:AccumulatedDepreciationDepletionAndAmortization',
    'acme:DepreciationExpenseFromDiscontinuedOperations',
    'acme:AmortizationOfNuclearFuel',
    'acme:InterestPaidNetOfCapitalizedInterest',
    'acme:NetInterestIncome',
    'acme:InterestExpenseRelatedParty',
    'acme:CapitalExpendituresIncurredButNotYetPaid',
    'acme:GainOnSaleOfPropertyPlantEquipment',
    'us-gaap:DepreciationAndAmortization',
  ])
    t.equal(companyFlowOf(name), null, name)
})
