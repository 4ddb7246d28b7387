import t from 'tap'
import { companyInstruments } from '../../../engine/derive/debt/company-debt.ts'
import { instrumentRows } from '../../../engine/derive/debt/instrument-row.ts'
import type { LoadedInstrument } from '../../../engine/derive/debt/loaded-instruments.ts'
import { withRead } from '../../../engine/derive/debt/read-instruments.ts'
import type { FactRow } from '../../../engine/derive/statements/filings.ts'
import { DAY, fact, read } from './tagged-debt.ts'

const MILLION = 100_000_000

const instrument = (name: string) => `us-gaap:DebtInstrumentAxis=gama:${name}Member`
const kind = (name: string) => `us-gaap:LongtermDebtTypeAxis=${name}Member`
const both = (name: string, of: string) => `${instrument(name)};${kind(of)}`
const coupon = (value: number, dimensions: string) =>
  fact('DebtInstrumentInterestRateStatedPercentage', value, dimensions, { unit: 'pure' })

const lineOfTable = (name: string, amount: number, more: Partial<LoadedInstrument> = {}) =>
  read(name, { rule: 'debt_table', carrying_amount: amount * MILLION, ...more })

const rowsOf = (facts: readonly FactRow[]) => instrumentRows('c', companyInstruments(facts)!)
const owed = (rows: ReturnType<typeof rowsOf>) =>
  rows.flatMap(row =>
    row.is_current && (row.carrying_amount ?? row.principal ?? 0) > 0
      ? [[row.name, (row.carrying_amount ?? row.principal)! / MILLION, row.is_counted]]
      : [],
  )

t.test('a total that a filing tags under a second name is no instrument', t => {
  const rows = rowsOf([
    fact('LongTermDebt', 700e6, null),
    fact('DebtInstrumentCarryingAmount', 400e6, both('SolarBonds', 'gama:NonrecourseDebt')),
    fact('DebtInstrumentCarryingAmount', 300e6, both('FleetNotes', 'gama:NonrecourseDebt')),
    fact('DebtInstrumentCarryingAmount', 700e6, kind('gama:NonrecourseDebt')),
    fact('DebtInstrumentCarryingAmount', 700e6, kind('us-gaap:Nonrecourse')),
  ])
  t.strictSame(owed(rows), [
    ['Solar Bonds, Nonrecourse Debt', 400, true],
    ['Fleet Notes, Nonrecourse Debt', 300, true],
  ])
  const loans = rowsOf([
    fact('LongTermDebt', 605e6, null),
    fact('DebtInstrumentCarryingAmount', 600e6, kind('gama:NorthbankCreditCorporation')),
    fact('DebtInstrumentCarryingAmount', 5e6, kind('gama:InsuranceNotesPayable')),
    fact('DebtInstrumentCarryingAmount', 605e6, kind('gama:PromissoryNote')),
  ])
  t.strictSame(
    owed(loans).map(([, amount]) => amount),
    [600, 5],
    'a name of the filer with the sum of all others of its axis',
  )
  t.end()
})

t.test('what was issued under a name is not the balance of the line that carries it', t => {
  const rows = rowsOf([
    fact('LongTermDebt', 2500e6, null),
    fact('DebtInstrumentFaceAmount', 3900e6, both('FleetNotes', 'us-gaap:SeniorNotes')),
    fact('LongTermDebt', 2300e6, both('FleetNotes', 'gama:NonrecourseDebt')),
    fact('LongTermDebt', 200e6, both('SolarBonds', 'gama:NonrecourseDebt')),
  ])
  t.strictSame(owed(rows), [
    ['Fleet Notes, Nonrecourse Debt', 2300, true],
    ['Solar Bonds, Nonrecourse Debt', 200, true],
  ])
  t.end()
})

t.test('debt that became current has its current balance, not the zero of the noncurrent line', t => {
  const notes = instrument('A0950NotesDue2025')
  const rows = rowsOf([
    fact('DebtCurrent', 849e6, null),
    fact('LongTermDebtNoncurrent', 500e6, null),
    fact('LongTermDebt', 0, notes),
    fact('ShortTermBorrowings', 849e6, notes),
    fact('LongTermDebt', 500e6, instrument('A3200NotesDue2030')),
  ])
  t.strictSame(
    owed(rows).map(([, amount]) => amount),
    [849, 500],
  )
  t.end()
})

t.test('the share of one entity does not stand for the whole line', t => {
  const other = kind('gama:OtherDueThrough2098')
  const rows = rowsOf([
    fact('LongTermDebt', 2800e6, null),
    fact('LongTermDebt', 955e6, kind('gama:EuroNotesDue2040')),
    fact('LongTermDebtAndCapitalLeaseObligations', 1845e6, other),
    fact('LongTermDebt', 1249e6, `dei:LegalEntityAxis=gama:BottlingMember;${other}`),
  ])
  t.strictSame(
    rows.flatMap(row => (row.is_current ? [[row.carrying_amount! / MILLION, row.issuer]] : [])),
    [
      [955, null],
      [1845, null],
    ],
  )
  t.end()
})

t.test('notes that are tagged inside a line by year are listed beside it', t => {
  const line = (name: string) => kind(`gama:${name}`)
  const inLine = both('FivePointTwoFivePercentNotesDue2026', 'gama:NotesDue2026')
  const rows = rowsOf([
    fact('LongTermDebt', 7000e6, null),
    fact('LongTermDebt', 4000e6, line('NotesDue2026')),
    fact('LongTermDebt', 3000e6, line('NotesDue2027')),
    fact('DebtInstrumentFaceAmount', 800e6, inLine),
    coupon(0.0525, inLine),
  ])
  t.strictSame(owed(rows), [
    ['Notes due 2026', 4000, true],
    ['Notes due 2027', 3000, true],
    ['5.25% Notes due 2026', 800, false],
  ])
  t.equal(rows.find(({ name }) => name === 'Notes due 2026')?.is_group, true, 'the line is of several')
  t.end()
})

t.test('a loan that a text states beside the table is owed, and in no sum', t => {
  const facts = [
    fact('LongTermDebt', 5000e6, null),
    fact('LongTermDebt', 3000e6, instrument('SeniorNotesDue2030')),
    fact('LongTermDebt', 2000e6, instrument('SeniorNotesDue2040')),
    fact('LongTermDebt', 1400e6, both('BridgeLoanAgreement', 'gama:ShortTermLoans')),
  ]
  t.strictSame(owed(rowsOf(facts)), [
    ['Senior Notes due 2030', 3000, true],
    ['Senior Notes due 2040', 2000, true],
    ['Bridge Loan Agreement, Short Term Loans', 1400, false],
  ])
  const loans = (amount: number) => [
    fact('LongTermDebt', 2400e6, null),
    fact('LongTermDebt', 1000e6, instrument('TermLoanDue2026')),
    fact('LongTermDebt', 1400e6, instrument('TermLoanDue2028')),
    fact('LongTermDebt', amount, both('TermLoanAgreement', 'gama:Facilities')),
  ]
  t.equal(owed(rowsOf(loans(2401e6))).length, 2, 'a text tells two loans of one agreement as one')
  t.equal(owed(rowsOf(loans(1399e6))).length, 2, 'a text tells a loan of the table before its discount')
  t.end()
})

t.test('notes without a maturity are those of the line of the table with their coupon and amount', t => {
  const notes = (name: string) => instrument(name)
  const tagged = rowsOf([
    fact('LongTermDebt', 2590e6, null),
    fact('DebtInstrumentFaceAmount', 1500e6, notes('SeniorNotesOfMay')),
    coupon(0.03625, notes('SeniorNotesOfMay')),
    fact('DebtInstrumentFaceAmount', 1100e6, notes('SeniorNotesOfOctober')),
    coupon(0.03625, notes('SeniorNotesOfOctober')),
  ])
  const rows = withRead('c', tagged, [
    lineOfTable('3.625% Senior Notes due May 2027', 1500, { coupon_rate: 3.625, maturity: '2027-05' }),
    lineOfTable('3.625% Senior Notes due June 2030', 1100, { coupon_rate: 3.625, maturity: '2030-06' }),
  ])
  t.strictSame(
    rows.map(({ principal, maturity }) => [principal! / MILLION, maturity]),
    [
      [1500, '2027-05'],
      [1100, '2030-06'],
    ],
  )
  t.end()
})

t.test('a line without a balance gives its kind to no row', t => {
  const tagged = rowsOf([
    fact('LongTermDebt', 1000e6, null),
    fact('LongTermDebt', 1000e6, instrument('SeniorNotesDueMarch2030')),
    fact('LongTermDebt', 0, 'us-gaap:CreditFacilityAxis=us-gaap:RevolvingCreditFacilityMember'),
    fact(
      'LineOfCreditFacilityMaximumBorrowingCapacity',
      500e6,
      'us-gaap:CreditFacilityAxis=us-gaap:RevolvingCreditFacilityMember',
    ),
  ])
  const rows = withRead('c', tagged, [lineOfTable('4.80% 2029 Notes', 0)])
  t.equal(rows.find(({ commitment }) => commitment !== null)?.instrument_type, 'revolver')
  t.end()
})

t.test('notes named by their tenor fall due that many years after the day of their face amount', t => {
  const issued = instrument('FiveYearNotesAt460Percent')
  const rows = rowsOf([
    fact('LongTermDebt', 7500e6, null),
    fact('LongTermDebt', 7500e6, kind('us-gaap:NotesPayableOtherPayables')),
    fact('DebtInstrumentFaceAmount', 500e6, issued, { end: DAY - 300 }),
    coupon(0.046, issued),
  ])
  const notes = rows.find(({ coupon_rate }) => coupon_rate === 4.6)!
  t.strictSame([notes.maturity, notes.is_current, notes.is_counted], ['2029-03', true, false])
  const old = rowsOf([
    fact('LongTermDebt', 7500e6, null),
    fact('LongTermDebt', 7500e6, kind('us-gaap:NotesPayableOtherPayables')),
    ...[fact('DebtInstrumentFaceAmount', 500e6, issued), coupon(0.046, issued)].map(each => ({
      ...each,
      end: DAY - 900,
    })),
  ])
  t.equal(owed(old).length, 1, 'terms of an issue of more than two years ago may be of notes that are gone')
  t.end()
})

t.test('debt of which the face amount is tagged in another currency is in that currency', t => {
  const euro = instrument('SeniorNotesDue2029')
  const rows = rowsOf([
    fact('LongTermDebt', 2200e6, null),
    fact('DebtInstrumentFaceAmount', 1290e6, euro),
    fact('DebtInstrumentFaceAmount', 1100e6, euro, { unit: 'EUR' }),
    coupon(0.04625, euro),
    fact('DebtInstrumentFaceAmount', 910e6, instrument('SeniorNotesDue2030')),
  ])
  t.strictSame(
    rows.map(row => [row.principal! / MILLION, row.currency, row.denomination]),
    [
      [1290, 'USD', 'EUR'],
      [910, 'USD', null],
    ],
  )
  t.end()
})

t.test('face amounts under a name that says that the debt is gone are none', t => {
  const rows = rowsOf([
    fact('LongTermDebt', 1000e6, null),
    fact('DebtInstrumentFaceAmount', 906e6, instrument('SeniorNotesDue2030')),
    fact('DebtInstrumentFaceAmount', 94e6, both('SeriesNotesDue2026', 'gama:DefeasanceOfDebt')),
  ])
  t.strictSame(owed(rows), [['Senior Notes due 2030', 906, true]])
  t.end()
})

t.test('the agreement of a line and its row in the table of debt are one facility', t => {
  const row = both('RcfCreditAgreement', 'gama:RecourseDebt')
  const agreed = `${instrument('RcfCreditAgreement')};us-gaap:LineOfCreditFacilityAxis=gama:SyndicateOfBanksMember`
  const earlier = { end: DAY - 700 }
  const table = [
    fact('LongTermDebt', 200e6, null),
    fact('LongTermDebt', 200e6, both('SolarBonds', 'gama:RecourseDebt')),
    fact('DebtInstrumentCarryingAmount', 0, row),
    fact('LongTermDebt', 0, row),
    fact('DebtInstrumentUnusedBorrowingCapacityAmount', 5000e6, row),
  ]
  const lines = (facts: readonly FactRow[]) =>
    rowsOf(facts)
      .filter(each => each.is_current && /RCF/.test(each.name))
      .map(each => [each.name, each.commitment! / MILLION, each.drawn, each.undrawn! / MILLION])
  const one = [['RCF Credit Agreement, Recourse Debt', 5000, 0, 5000]]
  const own = fact('', 5000e6, agreed, {
    ...earlier,
    concept: 'gama:LineOfCreditFacilityMaximumCommitmentAmount',
  })
  const most = fact('LineOfCreditFacilityMaximumBorrowingCapacity', 7000e6, agreed, earlier)
  t.strictSame(lines([...table, most, own]), one, 'the commitment goes before what it could be increased to')
  t.strictSame(lines(table), one, 'nothing is owed, and what is left is the commitment')
  t.end()
})

t.test('what is left of a line is its commitment only where nothing is owed and nothing taken from it', t => {
  const line = 'us-gaap:CreditFacilityAxis=us-gaap:RevolvingCreditFacilityMember'
  const commitment = (left: number, owed: number | null) =>
    rowsOf([
      fact('LongTermDebt', 200e6, null),
      fact('LongTermDebt', 200e6, instrument('SolarBonds')),
      fact('LineOfCreditFacilityRemainingBorrowingCapacity', left, line),
      ...(owed === null ? [] : [fact('LongTermDebt', owed, line)]),
    ]).find(each => each.undrawn !== null)?.commitment
  t.equal(commitment(2000e6, 0), 2000 * MILLION)
  t.equal(commitment(1987e6, 0), null, 'letters of credit may take the rest')
  t.equal(commitment(2000e6, 100e6), null)
  t.equal(commitment(2000e6, null), null, 'what is owed is not said')
  t.end()
})

t.test('a coupon of an earlier day is not that of a line that now has a range of them', t => {
  const line = both('SolarBonds', 'gama:NonrecourseDebt')
  const range = (name: string, value: number) => coupon(value, `srt:RangeAxis=srt:${name}Member;${line}`)
  const facts = [
    fact('LongTermDebt', 488e6, null),
    fact('LongTermDebt', 488e6, line),
    { ...coupon(0.048, line), end: DAY - 366 },
  ]
  const coupons = (more: readonly FactRow[]) =>
    rowsOf([...facts, ...more]).flatMap(each => (each.is_current ? [each.coupon_rate] : []))
  t.strictSame(coupons([]), [4.8])
  t.strictSame(coupons([range('Minimum', 0.0508), range('Maximum', 0.0625)]), [null])
  t.end()
})

t.test('a face amount of another day is not that of a loan of which more is owed, nor of a revolver', t => {
  const line = 'us-gaap:CreditFacilityAxis=us-gaap:RevolvingCreditFacilityMember'
  const principals = (face: number, committed = 500e6) =>
    rowsOf([
      fact('LongTermDebt', 600e6, null),
      fact('LoansPayable', 600e6, instrument('BankLoans')),
      fact('DebtInstrumentFaceAmount', face, instrument('BankLoans'), { end: DAY - 500 }),
      fact('LineOfCreditFacilityMaximumBorrowingCapacity', committed, line),
      fact('DebtInstrumentFaceAmount', 450e6, line, { end: DAY - 500 }),
    ]).map(({ principal }) => principal)
  t.strictSame(principals(160e6), [null, null])
  t.strictSame(principals(700e6, 450e6), [700 * MILLION, 450 * MILLION])
  t.end()
})
