import t from 'tap'
import { BEFORE, balanceSheet, derived, dollars, END, type Figure, type Row, report } from './reports.ts'

t.test('total debt is noncurrent, current and short-term debt with finance leases', async t => {
  const end = '2024-12-31'
  const of = async (...figures: [string, number][]) => {
    const balance = figures.map(([concept, millions]): Figure => [concept, millions, end])
    const { rows } = await derived(t, {
      facts: report(
        { form: '10-K', filed: '2025-02-15', fy: 2024 },
        ['Revenues', 1, end, '2024-01-01'],
        ['Assets', 900, end],
        ...balance,
      ),
    })
    return (await rows(`basis = 'ttm'`))[0]!['total_debt']
  }
  const lines: [string, number][] = [
    ['LongTermDebtNoncurrent', 300],
    ['LongTermDebtCurrent', 30],
    ['CommercialPaper', 7],
  ]
  t.equal(await of(...lines), dollars(337))
  t.equal(
    await of(
      ...lines,
      ['FinanceLeaseLiabilityNoncurrent', 10],
      ['FinanceLeaseLiabilityCurrent', 2],
      ['OperatingLeaseLiability', 99],
    ),
    dollars(349),
  )
  t.equal(
    await of(
      ['LongTermDebtAndCapitalLeaseObligations', 300],
      ['DebtCurrent', 50],
      ['LongTermDebtCurrent', 30],
      ['FinanceLeaseLiabilityCurrent', 2],
    ),
    dollars(350),
  )
  t.equal(
    await of(['LongTermDebt', 330], ['LongTermDebtNoncurrent', 300], ['LongTermDebtCurrent', 30]),
    dollars(330),
  )
  t.equal(
    await of(['LongTermDebt', 300], ['DebtCurrent', 40]),
    dollars(340),
    'beside all current debt it is the noncurrent line',
  )
  t.equal(await of(['DebtAndCapitalLeaseObligations', 410]), dollars(410))
  t.equal(
    await of(
      ['LongTermDebtNoncurrent', 358.37],
      ['ShortTermBorrowings', 89.37],
      ['LongTermDebtCurrent', 23],
      ['CommercialPaper', 51],
    ),
    dollars(447.74),
    'a note tells the part of the one current line that is long-term debt, in round figures',
  )
  t.equal(
    await of(
      ['LongTermDebtNoncurrent', 300],
      ['LongTermDebtCurrent', 30],
      ['FinanceLeaseLiability', 12],
      ['DebtAndCapitalLeaseObligations', 330],
    ),
    dollars(330),
    'a total with leases says that the lines have them inside',
  )
  t.equal(
    await of(
      ['LongTermDebtAndCapitalLeaseObligations', 300],
      ['LongTermDebtNoncurrent', 300],
      ['FinanceLeaseLiability', 12],
    ),
    dollars(312),
    'a line tagged both ways beside leases has none inside',
  )
  t.equal(await of(['AccountsPayableCurrent', 5]), null, 'what is not tagged is unknown, not nothing')
})

t.test('current debt alone is not total debt: null with a reason, and the parts are shown', async t => {
  const { row, debt } = await balanceSheet(t, [
    ['DebtCurrent', 373],
    ['LiabilitiesCurrent', 400],
    ['Liabilities', 800],
    ['OtherLiabilitiesNoncurrent', 100],
  ])
  t.match(row, {
    total_debt: null,
    leverage_ratio: null,
    leverage_reason: /no total debt: only current debt/,
  })
  t.match(debt, { null_because: /only current debt is tagged/, formula: null })
  t.match(debt.inputs, [{ concept: 'us-gaap:DebtCurrent', value: 373e6 }])
})

t.test('current debt is total debt if the balance sheet leaves no room for more', async t => {
  const { row, debt } = await balanceSheet(t, [
    ['ShortTermBankLoansAndNotesPayable', 58],
    ['LiabilitiesCurrent', 400],
    ['Liabilities', 500],
    ['OtherLiabilitiesNoncurrent', 60],
    ['DeferredTaxLiabilitiesNoncurrent', 40],
  ])
  t.equal(row['total_debt'], dollars(58))
  t.match(debt, { flags: ['current_debt_only'] })
})

t.test('noncurrent debt is read from any element for borrowed money, each line once', async t => {
  const of = async (...lines: [string, number][]) => (await balanceSheet(t, lines)).row['total_debt']
  t.equal(await of(['LongTermNotesAndLoans', 5490], ['DebtCurrent', 373]), dollars(5863))
  t.equal(await of(['LongTermLineOfCredit', 403], ['SubordinatedLongTermDebt', 1383]), dollars(1786))
  t.equal(await of(['ConvertibleSubordinatedDebtNoncurrent', 124], ['NotesPayableCurrent', 1]), dollars(125))
  t.equal(
    await of(
      ['LongTermNotesPayable', 500],
      ['SeniorLongTermNotes', 400],
      ['OtherLongTermNotesPayable', 100],
      ['LongTermLoansFromBank', 70],
    ),
    dollars(570),
    'lines that another holds are not added to it',
  )
  t.equal(
    await of(
      ['SecuredDebt', 2603],
      ['ConvertibleNotesPayable', 1881],
      ['SeniorNotes', 1472],
      ['LineOfCredit', 0],
    ),
    dollars(5956),
    'lines by instrument that do not say when they are due',
  )
  t.equal(
    await of(
      ['LongTermNotesPayable', 875],
      ['ConvertibleLongTermNotesPayable', 605],
      ['LiabilitiesCurrent', 100],
      ['Liabilities', 1600],
      ['OtherLiabilitiesNoncurrent', 20],
    ),
    dollars(1480),
    'the balance sheet shows that they stand side by side',
  )
  const undecided = await balanceSheet(t, [
    ['SecuredDebt', 5028],
    ['NotesPayable', 4945],
    ['SeniorNotes', 4000],
  ])
  t.equal(undecided.row['total_debt'], null)
  t.match(undecided.debt, { null_because: /debt is 9,973 million or 13,973 million/ })
})

t.test('IFRS borrowings are read by their own names', async t => {
  const of = async (...lines: [string, number][]) =>
    (
      await balanceSheet(
        t,
        lines.map(([name, value]) => [`ifrs-full:${name}`, value] as const),
      )
    ).row['total_debt']
  t.equal(
    await of(
      ['NoncurrentPortionOfNoncurrentBorrowings', 300],
      ['CurrentBorrowingsAndCurrentPortionOfNoncurrentBorrowings', 50],
      ['LeaseLiabilities', 90],
    ),
    dollars(350),
    'leases apart',
  )
  t.equal(
    await of(
      ['LongtermBorrowings', 300],
      ['ShorttermBorrowings', 20],
      ['CurrentPortionOfLongtermBorrowings', 30],
    ),
    dollars(350),
  )
  t.equal(
    await of(
      ['NoncurrentPortionOfNoncurrentBondsIssued', 200],
      ['NoncurrentPortionOfNoncurrentLoansReceived', 100],
      ['CurrentBondsIssuedAndCurrentPortionOfNoncurrentBondsIssued', 25],
    ),
    dollars(325),
  )
  t.equal(await of(['Borrowings', 410]), dollars(410))
})

t.test('a line under two names counts once', async t => {
  const of = async (...lines: [string, number][]) => (await balanceSheet(t, lines)).row['total_debt']
  const noncurrent: [string, number] = ['LongTermDebtNoncurrent', 300]
  t.equal(await of(noncurrent, ['ShortTermBorrowings', 89], ['LongTermDebtCurrent', 89]), dollars(389))
  t.equal(
    await of(noncurrent, ['ShortTermBorrowings', 89], ['LongTermDebtCurrent', 38], ['CommercialPaper', 51]),
    dollars(389),
    'a short-term total that the current portion and commercial paper add up to',
  )
  t.equal(
    await of(
      noncurrent,
      ['ShortTermBorrowings', 89],
      ['LongTermDebtCurrent', 38],
      ['DebtLongtermAndShorttermCombinedAmount', 389],
    ),
    dollars(389),
    'the total tagged has no room for both',
  )
  t.equal(
    await of(noncurrent, ['ShortTermBorrowings', 89], ['LongTermDebtCurrent', 38]),
    dollars(427),
    'two lines that nothing says are one are added',
  )
})

t.test("a filing's calculation links take precedence over the taxonomy's nesting", async t => {
  const link = (parent: string, child: string): Row => ({
    document: 'acme-20241231',
    role: 'http://acme.com/role/Debt',
    parent: `us-gaap:${parent}`,
    child: `us-gaap:${child}`,
    weight: 1,
    source: 'folder/acme-20241231_cal.xml.gz:arc 1',
  })
  const of = async (lines: [string, number][], links: Row[]) =>
    (await balanceSheet(t, lines, [], links)).row['total_debt']
  const current: [string, number][] = [
    ['LongTermDebtNoncurrent', 300],
    ['ShortTermBorrowings', 89],
    ['LongTermDebtCurrent', 38],
  ]
  t.equal(await of(current, []), dollars(427))
  t.equal(await of(current, [link('ShortTermBorrowings', 'LongTermDebtCurrent')]), dollars(389))
  const instruments: [string, number][] = [
    ['LongTermNotesPayable', 500],
    ['SeniorLongTermNotes', 400],
  ]
  t.equal(await of(instruments, []), null)
  t.equal(await of(instruments, [link('LongTermNotesPayable', 'SeniorLongTermNotes')]), dollars(500))
  t.equal(
    await of(instruments, [
      link('Liabilities', 'LongTermNotesPayable'),
      link('Liabilities', 'SeniorLongTermNotes'),
    ]),
    dollars(900),
    'two lines of one total',
  )
})

t.test("a noncurrent line of one instrument is replaced by the company's long-term total", async t => {
  const { row } = await balanceSheet(t, [
    ['LongTermDebt', 133],
    ['LongTermDebtNoncurrent', 4],
    ['LongTermDebtCurrent', 5],
    ['DebtCurrent', 0],
  ])
  t.equal(row['total_debt'], dollars(133))
})

t.test('lines that miss most of the debt in the notes are no total', async t => {
  const { row, debt } = await balanceSheet(t, [
    ['LongTermDebtNoncurrent', 10],
    ['LongTermDebtMaturitiesRepaymentsOfPrincipalInNextTwelveMonths', 30],
    ['LongTermDebtMaturitiesRepaymentsOfPrincipalAfterYearFive', 40],
  ])
  t.equal(row['total_debt'], null)
  t.match(debt, { null_because: /come to 10 million, repayments in the notes to 70 million/ })
})

t.test("lines under the filer's own names count if the balance sheet proves them complete", async t => {
  const lines: [string, number][] = [
    ['custom:NonrecourseDebtCurrent', 14],
    ['custom:NonrecourseDebtNoncurrent', 123],
    ['custom:RecourseDebtNoncurrent', 55],
    ['custom:DebtServiceReserves', 7],
    ['LiabilitiesCurrent', 54],
    ['Liabilities', 54 + 123 + 55 + 35],
    ['OtherLiabilitiesNoncurrent', 35],
  ]
  const proved = await balanceSheet(t, lines)
  t.equal(proved.row['total_debt'], dollars(14 + 123 + 55))
  t.match(proved.debt, { flags: ['company_lines'], formula: 'lines under names of the filer' })
  const unproved = await balanceSheet(t, [...lines.slice(0, 4), ['LongTermNotesPayable', 20]])
  t.equal(unproved.row['total_debt'], null)
  t.match(unproved.debt, { null_because: /leave out borrowings under other names: custom:NonrecourseDebt/ })
  const alone = await balanceSheet(t, lines.slice(0, 4))
  t.equal(alone.row['total_debt'], null)
  t.match(alone.debt, { null_because: /only under names of the filer/ })
  t.equal(alone.debt.inputs.length, 3)
  const totalled = await balanceSheet(t, [
    ['AdvancesFromFederalHomeLoanBanks', 100],
    ['custom:BankNotesAndSeniorDebt', 40],
    ['FederalFundsPurchasedAndSecuritiesSoldUnderAgreementsToRepurchase', 15],
    ['custom:TotalBorrowedFunds', 155],
  ])
  t.equal(totalled.row['total_debt'], dollars(140), 'repurchase agreements fund trading and are no debt')
})

t.test("the filer's own line of current debt is added where no standard one is tagged", async t => {
  const of = async (...lines: [string, number][]) => (await balanceSheet(t, lines)).row['total_debt']
  const { row, debt } = await balanceSheet(t, [
    ['LongTermDebtNoncurrent', 16_721],
    ['custom:ShortTermBorrowingsIncludingLongTermDebtCurrent', 8_048],
  ])
  t.equal(row['total_debt'], dollars(24_769))
  t.match(debt, {
    flags: ['company_lines'],
    formula: 'noncurrent debt + current + finance leases + lines under names of the filer',
  })
  t.equal(
    await of(
      ['LongTermDebtNoncurrent', 100],
      ['CommercialPaper', 0],
      ['custom:NotesPayableAndCurrentMaturitiesOfLongTermDebt', 7],
    ),
    dollars(107),
    'a standard line of nothing is no line of all current debt',
  )
  t.equal(
    await of(
      ['LongTermDebtNoncurrent', 100],
      ['custom:LongTermDebtCurrentExcludingCommercialPaper', 9],
      ['custom:ShortTermBorrowingsIncludingCommercialPaper', 4],
    ),
    dollars(113),
  )
  t.equal(
    await of(
      ['LongTermDebtNoncurrent', 100],
      ['DebtCurrent', 20],
      ['custom:CurrentMaturitiesOfSeniorDebt', 9],
    ),
    dollars(120),
    'the standard line of current debt has them all',
  )
  t.equal(
    await of(['LongTermDebt', 100], ['custom:CurrentPortionOfLongTermDebt', 9], ['custom:ShortTermDebt', 4]),
    dollars(104),
    'long-term debt of any maturity has its current portion',
  )
  t.equal(
    await of(['LongTermDebtNoncurrent', 100], ['custom:ShortTermDebt', 90], ['LiabilitiesCurrent', 60]),
    dollars(100),
    'no line exceeds current liabilities',
  )
  t.equal(
    await of(['LongTermDebtNoncurrent', 100], ['custom:ShortTermDebtAtFairValue', 9]),
    dollars(100),
    'a line says in brackets what part of it is measured at fair value',
  )
})

t.test('an instrument stands beside the noncurrent line where the balance sheet proves it', async t => {
  const lines: [string, number][] = [
    ['LongTermDebtNoncurrent', 256],
    ['LongTermDebtCurrent', 25],
    ['ConvertibleDebtNoncurrent', 1_725],
  ]
  const rest: [string, number][] = [
    ['LiabilitiesCurrent', 296],
    ['Liabilities', 296 + 256 + 1_725 + 919 + 56],
    ['DeferredTaxLiabilitiesNoncurrent', 919],
    ['OtherLiabilitiesNoncurrent', 56],
  ]
  const beside = await balanceSheet(t, [...lines, ...rest])
  t.equal(beside.row['total_debt'], dollars(256 + 25 + 1_725))
  t.match(beside.debt, { formula: /instruments beside$/ })
  const unproved = await balanceSheet(t, lines)
  t.equal(unproved.row['total_debt'], null, 'larger than the line that should hold it')
  t.match(unproved.debt, { null_because: /other names: us-gaap:ConvertibleDebtNoncurrent/ })
  const inside = await balanceSheet(t, [
    ['LongTermDebtNoncurrent', 1_981],
    ['ConvertibleDebtNoncurrent', 1_725],
    ...rest,
  ])
  t.equal(inside.row['total_debt'], dollars(1_981))
})

t.test('debt of a company in bankruptcy is not what its other lines leave', async t => {
  const left: [string, number][] = [
    ['LongTermDebt', 3_040],
    ['LiabilitiesSubjectToCompromise', 22_393],
  ]
  const { row, debt } = await balanceSheet(t, left)
  t.match(row, { total_debt: null, leverage_ratio: null })
  t.match(debt, { null_because: /in bankruptcy: its liabilities subject to compromise, 22,393 million/ })
  const frozen = 'LiabilitiesSubjectToCompromiseDebtAndAccruedInterest'
  const split = await balanceSheet(t, [...left, [frozen, 21_000]])
  t.equal(split.row['total_debt'], dollars(24_040))
  t.match(split.debt, { formula: /debt subject to compromise$/ })
  const alone = await balanceSheet(t, [
    ['LiabilitiesSubjectToCompromise', 90],
    [frozen, 70],
  ])
  t.equal(alone.row['total_debt'], dollars(70))
})

t.test('a noncurrent line of nothing beside instruments is no total of them', async t => {
  const { row } = await balanceSheet(t, [
    ['LongTermDebtNoncurrent', 0],
    ['LongTermLoansPayable', 12],
    ['DebtCurrent', 0],
  ])
  t.equal(row['total_debt'], dollars(12))
})

t.test('an own line of current debt and leases shows that current debt has none inside', async t => {
  const lines: [string, number][] = [
    ['LongTermDebt', 2_682],
    ['DebtCurrent', 1_975],
    ['FinanceLeaseLiabilityCurrent', 398],
    ['FinanceLeaseLiabilityNoncurrent', 175],
  ]
  const own: [string, number][] = [
    ['custom:LongTermDebtAndFinanceLeasesCurrent', 2_373],
    ['custom:LongTermDebtAndFinanceLeasesNoncurrent', 2_857],
  ]
  const of = async (all: [string, number][]) => (await balanceSheet(t, all)).row['total_debt']
  t.equal(await of([...lines, ...own]), dollars(2_373 + 2_857))
  t.equal(await of(lines), dollars(2_682 + 1_975 + 175), 'without it they may be inside')
})

t.test(
  "the filer's own noncurrent line is added beside a standard one if the balance sheet proves it",
  async t => {
    const lines: [string, number][] = [
      ['LongTermDebtNoncurrent', 11_983],
      ['OtherShortTermBorrowings', 517],
      ['custom:NonrecourseDebtCollateralizedByReceivablesLongTerm', 5_458],
      ['custom:NonrecourseDebtCollateralizedByReceivablesCurrent', 56],
    ]
    const rest: [string, number][] = [
      ['LiabilitiesNoncurrent', 11_983 + 5_458 + 494 + 1_886],
      ['DeferredTaxLiabilitiesNoncurrent', 494],
      ['OtherLiabilitiesNoncurrent', 1_886],
    ]
    const of = async (all: [string, number][]) => (await balanceSheet(t, all)).row['total_debt']
    t.equal(await of([...lines, ...rest]), dollars(11_983 + 517 + 5_458 + 56))
    t.equal(await of(lines), dollars(12_500), 'without proof it may be part of the standard line')
    const [, short, ...own] = lines
    t.equal(
      await of([['UnsecuredLongTermDebt', 11_983], short!, ...own, ...rest]),
      dollars(11_983 + 517 + 5_458 + 56),
    )
  },
)

const part = (dimensions: string, concept: string, millions: number): Row => ({
  concept: `us-gaap:${concept}`,
  value: millions * 1e6,
  dimensions,
})
const SEGMENT =
  'srt:ConsolidationItemsAxis=us-gaap:OperatingSegmentsMember;us-gaap:StatementBusinessSegmentsAxis='

t.test('debt tagged by segment is summed if the segments add up to the company', async t => {
  const maker = `${SEGMENT}f:CompanyExcludingCreditMember`
  const lender = `${SEGMENT}f:CreditMember`
  const facts = [
    part(maker, 'CashAndCashEquivalentsAtCarryingValue', 149),
    part(lender, 'CashAndCashEquivalentsAtCarryingValue', 115),
    part(maker, 'LongTermDebtNoncurrent', 191),
    part(maker, 'LongTermDebtCurrent', 4),
    part(lender, 'LongTermDebtNoncurrent', 747),
    part(lender, 'LongTermDebtCurrent', 489),
    part(`${lender};us-gaap:LongtermDebtTypeAxis=us-gaap:UnsecuredDebtMember`, 'LongTermDebtNoncurrent', 443),
  ]
  const cash: [string, number] = ['CashAndCashEquivalentsAtCarryingValue', 264]
  const { row, debt } = await balanceSheet(t, [cash], facts)
  t.match(row, { total_debt: dollars(1431), debt_excluding_finance: dollars(195), revenue: dollars(100) })
  t.match(debt, { flags: ['summed_over_axis'], formula: /sum over/ })
  t.match(debt.inputs[0], { dimensions: /ConsolidationItemsAxis/ })

  const parted = await balanceSheet(t, [['CashAndCashEquivalentsAtCarryingValue', 300]], facts)
  t.match(parted.row, { total_debt: null, debt_excluding_finance: null }, 'segments that are not the whole')
  const missing = await balanceSheet(
    t,
    [cash],
    facts.filter(fact => !/Debt/.test(String(fact['concept'])) || fact['dimensions'] !== maker),
  )
  t.equal(missing.row['total_debt'], null, 'a segment whose debt is not told')
})

t.test('debt by business on the balance sheet takes precedence over a total in a note', async t => {
  const maker = 'gm:BusinessGroupAxis=gm:AutomotiveMember'
  const lender = 'gm:BusinessGroupAxis=gm:GmFinancialMember'
  const lines = (end: string) =>
    [
      part(maker, 'LongTermDebtAndCapitalLeaseObligations', 160),
      part(maker, 'DebtCurrent', 4),
      part(lender, 'LongTermDebtAndCapitalLeaseObligations', 668),
      part(lender, 'DebtCurrent', 385),
    ].map(fact => ({ ...fact, period_end: end }))
  const note = {
    concept: 'us-gaap:LongTermDebtAndCapitalLeaseObligationsIncludingCurrentMaturities',
    value: 1235e6,
  }
  const balance: [string, number][] = [
    ['LiabilitiesCurrent', 900],
    ['Liabilities', 900 + 160 + 668 + 275],
    ['OtherLiabilitiesNoncurrent', 165],
    ['DefinedBenefitPensionPlanLiabilitiesNoncurrent', 110],
  ]
  const { row, debt } = await balanceSheet(t, balance, [...lines(END), ...lines(BEFORE), note])
  t.match(row, { total_debt: dollars(1217), debt_excluding_finance: dollars(164) })
  t.match(debt, { flags: ['summed_over_axis'] })

  const own: [string, number][] = [
    ['LongTermDebtAndCapitalLeaseObligations', 828],
    ['DebtCurrent', 389],
  ]
  const both = await balanceSheet(t, own, lines(END))
  t.match(both.row, { total_debt: dollars(1217), debt_excluding_finance: dollars(164) })
  t.match(both.debt, { flags: [] }, 'the company tags its own total, which the businesses add up to')
})

t.test('figures of parts of a company do not change its statements', async t => {
  const lines: [string, number][] = [['LongTermDebtNoncurrent', 300]]
  const plain = await balanceSheet(t, lines)
  const segments = ['Gas', 'Oil'].flatMap(name => [
    part(`us-gaap:SegmentAxis=acme:${name}Member`, 'Assets', 7),
    part(`us-gaap:SegmentAxis=acme:${name}Member`, 'LongTermDebtNoncurrent', 1e6),
    { ...part(`us-gaap:SegmentAxis=acme:${name}Member`, 'Revenues', 1e6), period_start: '2024-01-01' },
  ])
  const beside = await balanceSheet(t, lines, segments)
  t.strictSame(beside.row, plain.row)
})
