import t from 'tap'
import { balanceSheet, dollars } from './reports.ts'

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

t.test('notes larger than the current portion of long-term debt are not inside it', async t => {
  const of = async (...lines: [string, number][]) => (await balanceSheet(t, lines)).row['total_debt']
  const noncurrent: [string, number] = ['LongTermDebtNoncurrent', 500]
  t.equal(await of(noncurrent, ['LongTermDebtCurrent', 5], ['NotesPayableToBankCurrent', 40]), dollars(545))
  t.equal(await of(noncurrent, ['LongTermDebtCurrent', 0], ['NotesPayableCurrent', 40]), dollars(540))
  t.equal(
    await of(noncurrent, ['LongTermDebtCurrent', 60], ['NotesPayableCurrent', 40]),
    dollars(560),
    'smaller notes may be',
  )
  t.equal(
    await of(
      noncurrent,
      ['LongTermDebtCurrent', 5],
      ['NotesPayableCurrent', 40],
      ['ShortTermBorrowings', 45],
    ),
    dollars(550),
    'a short-term line has them',
  )
  t.equal(await of(noncurrent, ['DebtCurrent', 45], ['NotesPayableCurrent', 40]), dollars(545))
  const others: [string, number][] = [
    ['LiabilitiesCurrent', 900],
    ['Liabilities', 900 + 500 + 70],
    ['OtherLiabilitiesNoncurrent', 70],
  ]
  const notes: [string, number] = ['custom:LoansAndNotesPayable', 600]
  t.equal(await of(noncurrent, ['LongTermDebtCurrent', 5], notes, ...others), dollars(1_105))
  t.equal(
    await of(noncurrent, ['LongTermDebtCurrent', 5], notes),
    dollars(505),
    'nothing shows that they are due within a year',
  )
  t.equal(await of(noncurrent, ['LongTermDebtCurrent', 5], ['custom:ShortTermDebt', 60]), dollars(565))
  t.equal(
    await of(
      noncurrent,
      ['LongTermDebtCurrent', 5],
      ['custom:ShortTermDebt', 60],
      ['custom:BankLoansCurrent', 55],
    ),
    dollars(560),
    'a line that is the sum of the portion and another is no third line',
  )
  const uncovered = await balanceSheet(t, [
    ['LongTermDebtNoncurrent', 1],
    ['LongTermDebtCurrent', 2],
    ['NotesPayableCurrent', 30],
    ['LongTermDebtFairValue', 60],
  ])
  t.equal(
    uncovered.row['total_debt'],
    null,
    'lines that miss most of the debt stay no total with more of them',
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

t.test('debt tagged with a negative sign is debt all the same', async t => {
  const { row } = await balanceSheet(t, [
    ['LongTermDebtNoncurrent', -10_184],
    ['LongTermDebtCurrent', -805],
    ['ConvertibleDebtNoncurrent', -100],
  ])
  t.equal(row['total_debt'], dollars(10_989))
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
