import { debtConcepts } from './debt-concepts.ts'

/**
 * Maps tagged concepts to statement items. Concepts are us-gaap unless they name another taxonomy. The alternatives
 * of an item are tried in order within one filing, so filings are never mixed. A later `tier` is an approximation,
 * replaced by a better figure of any filing; within a tier alternatives are equivalent and the newest filing wins.
 */
export type Formula =
  | string
  /** The first present. */
  | { readonly first: readonly Formula[] }
  /** The largest present: part of a total is sometimes tagged with another concept for the total. */
  | { readonly largest: readonly Formula[] }
  /** All of `sum` are required; of `with`, those present are added, or of `withAlike` those of the same sign as the sum. */
  | {
      readonly sum: readonly Formula[]
      readonly with?: readonly Formula[]
      readonly withAlike?: readonly Formula[]
    }
  /** The sum of those present, at least one. */
  | { readonly any: readonly Formula[] }
  /** The first less the second, both required. */
  | { readonly less: readonly [Formula, Formula] }
  /** The first less a cost, both required: a cost is positive, and a negative sign in the source is a slip. */
  | { readonly lessCost: readonly [Formula, Formula] }
  /**
   * Both required: the first where it is the larger, as it then includes the second; else their sum, as they are lines
   * beside each other.
   */
  | { readonly wholeOrBoth: readonly [Formula, Formula] }

export interface Derivation {
  readonly formula: Formula
  readonly tier: number
}

const ways = (...tiers: (readonly Formula[])[]): readonly Derivation[] =>
  tiers.flatMap((formulas, tier) => formulas.map(formula => ({ formula, tier })))

const ifrs = (name: string) => `ifrs-full:${name}`

/** Lines of utilities, owners of buildings, and oil and gas producers beside that for other property. */
const construction: Formula = {
  first: ['PaymentsForConstructionInProcess', 'PaymentsToDevelopRealEstateAssets'],
}
const wells: Formula = {
  any: ['PaymentsToAcquireOilAndGasPropertyAndEquipment', 'PaymentsToExploreAndDevelopOilAndGasProperties'],
}

const property = ['PaymentsToAcquireProductiveAssets', 'PaymentsToAcquirePropertyPlantAndEquipment']
const otherProperty: Formula = {
  first: ['PaymentsToAcquireOtherPropertyPlantAndEquipment', 'PaymentsToAcquireOtherProductiveAssets'],
}

const totalEquity: Formula = {
  first: [
    'StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest',
    { sum: ['StockholdersEquity'], with: ['MinorityInterest'] },
    'PartnersCapitalIncludingPortionAttributableToNoncontrollingInterest',
    { sum: ['PartnersCapital'], with: ['PartnersCapitalAttributableToNoncontrollingInterest'] },
    'MembersEquity',
  ],
}

const temporaryEquity: Formula = {
  first: [
    'TemporaryEquityCarryingAmountIncludingPortionAttributableToNoncontrollingInterests',
    {
      any: [
        {
          first: [
            'RedeemableNoncontrollingInterestEquityCarryingAmount',
            {
              any: [
                'RedeemableNoncontrollingInterestEquityCommonCarryingAmount',
                'RedeemableNoncontrollingInterestEquityPreferredCarryingAmount',
                'RedeemableNoncontrollingInterestEquityOtherCarryingAmount',
              ],
            },
            'RedeemableNoncontrollingInterestEquityFairValue',
          ],
        },
        'TemporaryEquityCarryingAmountAttributableToParent',
      ],
    },
  ],
}

const costOfRevenue: Formula = {
  first: [
    'CostOfRevenue',
    'CostOfGoodsAndServicesSold',
    { sum: ['CostOfGoodsSold'], with: ['CostOfServices'] },
  ],
}

const revenue: readonly Formula[] = [
  'Revenues',
  'RevenueFromContractWithCustomerExcludingAssessedTax',
  'SalesRevenueNet',
  'RevenueFromContractWithCustomerIncludingAssessedTax',
  'RevenuesNetOfInterestExpense',
  'RegulatedAndUnregulatedOperatingRevenue',
  'RealEstateRevenueNet',
  'HealthCareOrganizationRevenue',
  'OilAndGasRevenue',
  ifrs('Revenue'),
]

const continuingIncome: Formula = {
  first: [
    'IncomeLossFromContinuingOperationsIncludingPortionAttributableToNoncontrollingInterest',
    'IncomeLossFromContinuingOperations',
    'ProfitLoss',
    'NetIncomeLoss',
  ],
}

const pretaxIncome: readonly Formula[] = [
  'IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest',
  'IncomeLossFromContinuingOperationsBeforeIncomeTaxesMinorityInterestAndIncomeLossFromEquityMethodInvestments',
  'IncomeLossIncludingPortionAttributableToNoncontrollingInterest',
]

/** Provisions for credit losses. */
const provision: readonly Formula[] = [
  'ProvisionForLoanLeaseAndOtherLosses',
  'ProvisionForLoanAndLeaseLosses',
  'ProvisionForLoanLossesExpensed',
]

/**
 * A line of depreciation with amortization. An income statement's line of the latter may be only what is outside cost of
 * sales, so the largest is taken. Amortization below zero is of deferred income, such as what dealers or landlords
 * paid, and no charge.
 */
const depreciationAndAmortization = (depreciation: Formula): Formula => ({
  largest: ['AmortizationOfIntangibleAssets', 'AdjustmentForAmortization'].map(amortization => ({
    sum: [depreciation],
    withAlike: [amortization],
  })),
})

/**
 * Flows: figures of a period. `pretax_income` and `net_interest` are not items but inputs of EBITDA;
 * `finance_revenue` and `finance_lending` reveal a finance business inside a company.
 */
export const flows = {
  revenue: ways(revenue, [
    { sum: ['SalesRevenueGoodsNet'], with: ['SalesRevenueServicesNet'] },
    'SalesRevenueServicesNet',
    'ElectricUtilityRevenue',
    'UtilityRevenue',
    ifrs('RevenueFromContractsWithCustomers'),
    { sum: ['OperatingIncomeLoss', 'CostsAndExpenses'] },
  ]),
  gross_profit: ways(
    ['GrossProfit', ifrs('GrossProfit')],
    [{ lessCost: [{ first: revenue }, costOfRevenue] }],
  ),
  operating_income: ways(
    ['OperatingIncomeLoss', ifrs('ProfitLossFromOperatingActivities')],
    [
      'IncomeLossFromContinuingOperationsBeforeInterestExpenseInterestIncomeIncomeTaxesExtraordinaryItemsNoncontrollingInterestsNet',
    ],
  ),
  depreciation_amortization: ways(
    [
      {
        largest: [
          'DepreciationDepletionAndAmortization',
          'DepreciationAmortizationAndAccretionNet',
          'DepreciationAndAmortization',
        ],
      },
      ifrs('AdjustmentsForDepreciationAndAmortisationExpense'),
      ifrs('DepreciationAndAmortisationExpense'),
    ],
    [
      depreciationAndAmortization('Depreciation'),
      { sum: [ifrs('AdjustmentsForDepreciationExpense')], with: [ifrs('AdjustmentsForAmortisationExpense')] },
    ],
    // A line under the filer's own name comes before these, which may be parts: see `company-flows.ts`.
    [],
    [
      {
        largest: [
          'OtherDepreciationAndAmortization',
          { wholeOrBoth: ['OtherDepreciationAndAmortization', 'DepletionOfOilAndGasProperties'] },
          'UtilitiesOperatingExpenseDepreciationAndAmortization',
          'CostDepreciationAmortizationAndDepletion',
          'CostOfServicesDepreciationAndAmortization',
          'CostOfServicesDepreciation',
          'ResultsOfOperationsDepreciationDepletionAndAmortizationAndValuationProvisions',
          'AccumulatedDepreciationDepletionAndAmortizationExpensePropertyPlantAndEquipmentCurrentCharge',
          depreciationAndAmortization({
            largest: ['DepreciationExpense', 'DepreciationNonproduction', 'DepletionOfOilAndGasProperties'],
          }),
        ],
      },
    ],
  ),
  interest_expense: ways(
    ['InterestExpense', 'InterestExpenseNonoperating', 'InterestAndDebtExpense', ifrs('InterestExpense')],
    [
      'InterestExpenseDebt',
      'InterestExpenseLongTermDebt',
      'InterestExpenseOther',
      // Before interest that is capitalized, which some income statements take off in a line of its own.
      'InterestCostsIncurred',
      ifrs('FinanceCosts'),
    ],
  ),
  net_income: ways(
    ['NetIncomeLoss', ifrs('ProfitLossAttributableToOwnersOfParent')],
    ['ProfitLoss', ifrs('ProfitLoss'), 'NetIncomeLossAvailableToCommonStockholdersBasic'],
  ),
  operating_cash_flow: ways(
    ['NetCashProvidedByUsedInOperatingActivities', ifrs('CashFlowsFromUsedInOperatingActivities')],
    ['NetCashProvidedByUsedInOperatingActivitiesContinuingOperations'],
  ),
  capex: ways(
    [
      {
        wholeOrBoth: [
          { first: [...property, 'PaymentsForCapitalImprovements'] },
          { first: [wells, 'PaymentsToAcquireOilAndGasProperty', construction] },
        ],
      },
      { sum: [wells], with: [otherProperty] },
      'PaymentsToAcquirePropertyPlantAndEquipment',
      'PaymentsToAcquireProductiveAssets',
      'PaymentsForCapitalImprovements',
      ifrs('PurchaseOfPropertyPlantAndEquipmentClassifiedAsInvestingActivities'),
    ],
    [
      { sum: ['PaymentsToAcquireOilAndGasProperty'], with: [otherProperty] },
      'PaymentsForProceedsFromProductiveAssets',
      'PaymentsToAcquireOtherProductiveAssets',
      'PaymentsToAcquireOtherPropertyPlantAndEquipment',
      'PaymentsToAcquireMachineryAndEquipment',
      construction,
    ],
  ),
  pretax_income: ways(
    [...pretaxIncome, ifrs('ProfitLossBeforeTax')],
    [{ sum: [continuingIncome, 'IncomeTaxExpenseBenefit'] }],
  ),
  net_interest: ways(['InterestIncomeExpenseNonoperatingNet', 'InterestIncomeExpenseNet']),
  investing_cash_flow: ways(
    ['NetCashProvidedByUsedInInvestingActivities', ifrs('CashFlowsFromUsedInInvestingActivities')],
    ['NetCashProvidedByUsedInInvestingActivitiesContinuingOperations'],
  ),
  financing_cash_flow: ways(
    ['NetCashProvidedByUsedInFinancingActivities', ifrs('CashFlowsFromUsedInFinancingActivities')],
    ['NetCashProvidedByUsedInFinancingActivitiesContinuingOperations'],
  ),
  share_based_compensation: ways([
    'ShareBasedCompensation',
    'AllocatedShareBasedCompensationExpense',
    ifrs('AdjustmentsForSharebasedPayments'),
  ]),
  // A total of impairments is sometimes tagged for part of them.
  impairments: ways([
    {
      largest: [
        'AssetImpairmentCharges',
        'GoodwillAndIntangibleAssetImpairment',
        {
          any: [
            'GoodwillImpairmentLoss',
            {
              first: [
                'ImpairmentOfIntangibleAssetsExcludingGoodwill',
                'ImpairmentOfIntangibleAssetsIndefinitelivedExcludingGoodwill',
                'ImpairmentOfIntangibleAssetsFinitelived',
              ],
            },
            { first: ['ImpairmentOfLongLivedAssetsHeldForUse', 'TangibleAssetImpairmentCharges'] },
          ],
        },
      ],
    },
    ifrs('ImpairmentLossRecognisedInProfitOrLoss'),
  ]),
  restructuring_charges: ways(['RestructuringCharges']),
  net_interest_income: ways(
    ['InterestIncomeExpenseNet', ifrs('InterestRevenueExpense')],
    [
      {
        less: [
          { first: ['InterestAndDividendIncomeOperating', 'InterestIncomeOperating'] },
          { first: ['InterestExpense', 'InterestExpenseOperating'] },
        ],
      },
    ],
  ),
  provision_for_credit_losses: ways(provision, [
    'FinancingReceivableExcludingAccruedInterestCreditLossExpenseReversal',
    'FinancingReceivableCreditLossExpenseReversal',
  ]),
  // Not from noninterest lines: some lenders include provisions in noninterest expense.
  pre_provision_profit: ways([{ sum: [{ first: pretaxIncome }, { first: provision }] }]),
  finance_revenue: ways(['FinancialServicesRevenue']),
  finance_lending: ways([
    {
      any: [
        'PaymentsToAcquireFinanceReceivables',
        'PaymentsToAcquireLoansReceivable',
        'PaymentsToAcquireLoansAndLeasesHeldForInvestment',
      ],
    },
  ]),
} as const

/** Repayments in each year after the balance date, from the maturity table of an annual report. */
const dueYears: readonly Formula[] = [
  ['NextTwelveMonths', 'NextRollingTwelveMonths'],
  ['YearTwo', 'RollingYearTwo'],
  ['YearThree', 'RollingYearThree'],
  ['YearFour', 'RollingYearFour'],
  ['YearFive', 'RollingYearFive'],
].map(([year, rolling]) => ({
  first: [
    `LongTermDebtMaturitiesRepaymentsOfPrincipalIn${year}`,
    `LongTermDebtAndCapitalLeaseObligationsMaturitiesRepaymentsOfPrincipalIn${year}`,
    `LongTermDebtMaturitiesRepaymentsOfPrincipalIn${rolling}`,
  ],
}))
/** Cumulative: everything due within the given number of years. */
const dueWithin = (years: number) => ways([{ sum: dueYears.slice(0, years) }])

/** Balances: figures of a day. Total debt needs more than a formula: see `borrowings.ts` and `debt.ts`. */
export const balances = {
  total_assets: ways([
    'Assets',
    ifrs('Assets'),
    'LiabilitiesAndStockholdersEquity',
    ifrs('EquityAndLiabilities'),
  ]),
  total_liabilities: ways(
    ['Liabilities', ifrs('Liabilities')],
    [
      {
        less: [
          { first: ['Assets', 'LiabilitiesAndStockholdersEquity'] },
          { sum: [totalEquity], with: [temporaryEquity] },
        ],
      },
      { less: [ifrs('Assets'), ifrs('Equity')] },
    ],
  ),
  stockholders_equity: ways(
    [
      'StockholdersEquity',
      {
        less: ['StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest', 'MinorityInterest'],
      },
      ifrs('EquityAttributableToOwnersOfParent'),
    ],
    [
      'StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest',
      'PartnersCapital',
      'MembersEquity',
      ifrs('Equity'),
    ],
  ),
  cash_and_equivalents: ways(
    ['CashAndCashEquivalentsAtCarryingValue', ifrs('CashAndCashEquivalents')],
    ['Cash', 'CashAndDueFromBanks'],
    ['CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents'],
    ['CashCashEquivalentsAndShortTermInvestments'],
  ),
  current_assets: ways(['AssetsCurrent', ifrs('CurrentAssets')]),
  current_liabilities: ways(['LiabilitiesCurrent', ifrs('CurrentLiabilities')]),
  secured_debt: ways(['SecuredDebt', { any: ['SecuredLongTermDebt', 'SecuredDebtCurrent'] }]),
  finance_receivables: ways([
    'LoansAndLeasesReceivableNetReportedAmount',
    { any: ['NotesAndLoansReceivableNetCurrent', 'NotesAndLoansReceivableNetNoncurrent'] },
    'FinancingReceivableExcludingAccruedInterestAfterAllowanceForCreditLoss',
    'LoansAndLeasesReceivableConsumerRevolvingCreditCard',
  ]),
  debt_due_1yr: dueWithin(1),
  debt_due_2yr: dueWithin(2),
  debt_due_3yr: dueWithin(3),
  debt_due_4yr: dueWithin(4),
  debt_due_5yr: dueWithin(5),
} as const

export type FlowItem = keyof typeof flows
export type BalanceItem = keyof typeof balances | 'total_debt' | 'debt_excluding_finance'
export type Item = FlowItem | BalanceItem | 'ebitda'

/** Items with this meaning only in the accounts of banks and insurers. */
export const bankItems: ReadonlySet<string> = new Set<Item>([
  'net_interest_income',
  'provision_for_credit_losses',
  'pre_provision_profit',
])

/** `Revenues` as `us-gaap:Revenues`; other taxonomies are already named. */
export const qualified = (name: string): string => (name.includes(':') ? name : `us-gaap:${name}`)

export function conceptsOf(formula: Formula): string[] {
  if (typeof formula === 'string') return [qualified(formula)]
  const parts =
    'first' in formula
      ? formula.first
      : 'largest' in formula
        ? formula.largest
        : 'any' in formula
          ? formula.any
          : 'less' in formula
            ? formula.less
            : 'lessCost' in formula
              ? formula.lessCost
              : 'wholeOrBoth' in formula
                ? formula.wholeOrBoth
                : [...formula.sum, ...(formula.with ?? []), ...(formula.withAlike ?? [])]
  return parts.flatMap(conceptsOf)
}

/** Every concept in any item: the only facts a build reads. */
export const mappedConcepts: readonly string[] = [
  ...new Set([
    ...[...Object.values(flows), ...Object.values(balances)].flat().flatMap(way => conceptsOf(way.formula)),
    ...debtConcepts,
  ]),
].sort()

export interface Term<F> {
  readonly fact: F
  /** 0 of what is cited as evidence and not counted. */
  readonly sign: 1 | -1 | 0
}

export interface Evaluated<F> {
  readonly value: number
  readonly terms: readonly Term<F>[]
}

type Lookup<F> = (concept: string) => F | undefined

/** The value of a formula over the facts of one filing and period; null if an input is missing. */
export function evaluate<F extends { readonly value: number }>(
  formula: Formula,
  lookup: Lookup<F>,
): Evaluated<F> | null {
  if (typeof formula === 'string') {
    const fact = lookup(qualified(formula))
    return fact ? { value: fact.value, terms: [{ fact, sign: 1 }] } : null
  }
  if ('first' in formula) {
    for (const part of formula.first) {
      const found = evaluate(part, lookup)
      if (found) return found
    }
    return null
  }
  if ('largest' in formula) {
    const there = formula.largest.map(part => evaluate(part, lookup)).filter(part => part !== null)
    // By magnitude: some filers tag costs with a negative sign.
    return there.length ? there.reduce((a, b) => (Math.abs(b.value) > Math.abs(a.value) ? b : a)) : null
  }
  if ('less' in formula || 'lessCost' in formula) {
    const parts = 'less' in formula ? formula.less : formula.lessCost
    const [from, less] = parts.map(part => evaluate(part, lookup))
    if (!from || !less) return null
    return total([from, 'lessCost' in formula && less.value < 0 ? less : negated(less)])
  }
  if ('wholeOrBoth' in formula) {
    const [whole, part] = formula.wholeOrBoth.map(each => evaluate(each, lookup))
    if (!whole || !part) return null
    if (Math.abs(whole.value) >= Math.abs(part.value)) return whole
    return total([part, whole.value * part.value < 0 ? negated(whole) : whole])
  }
  if ('any' in formula) return total(formula.any.map(part => evaluate(part, lookup)))
  const needed = formula.sum.map(part => evaluate(part, lookup))
  if (needed.includes(null)) return null
  const sum = total([...needed, ...(formula.with ?? []).map(part => evaluate(part, lookup))])
  const alike = (formula.withAlike ?? [])
    .map(part => evaluate(part, lookup))
    .filter(part => part !== null && sum !== null && part.value * sum.value >= 0)
  return total([sum, ...alike])
}

const negated = <F>({ value, terms }: Evaluated<F>): Evaluated<F> => ({
  value: -value,
  terms: terms.map(({ fact, sign }) => ({ fact, sign: sign === 0 ? 0 : sign === 1 ? -1 : 1 })),
})

/** The sum of those present; null if none is. */
export function total<F>(parts: readonly (Evaluated<F> | null)[]): Evaluated<F> | null {
  const there = parts.filter(part => part !== null)
  if (there.length === 0) return null
  return {
    value: there.reduce((sum, part) => sum + part.value, 0),
    terms: there.flatMap(part => part.terms),
  }
}
