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
