import t from 'tap'
import { companyInstruments } from '../../../engine/derive/debt/company-debt.ts'
import { instrumentRows } from '../../../engine/derive/debt/instrument-row.ts'
import { withCommitment } from '../../../engine/derive/debt/instrument-title.ts'
import { DAY, fact } from './tagged-debt.ts'

t.test('a name has the point that its filer’s digits lack where its commitment says so', t => {
  t.equal(
    withCommitment('25 Billion Facility Expiring Dec 2024', 2.5e9),
    '2.5 Billion Facility Expiring Dec 2024',
  )
  t.equal(
    withCommitment('20 B September Revolving Credit Agreement', 2e9),
    '2.0 B September Revolving Credit Agreement',
  )
  t.equal(withCommitment('20 Billion Facility', 20e9), '20 Billion Facility')
  t.equal(withCommitment('500 Million Facility', 500e6), '500 Million Facility')
  t.equal(withCommitment('25 Billion Facility', 3e9), '25 Billion Facility')
  t.equal(withCommitment('25 Billion Facility', null), '25 Billion Facility')
  t.end()
})

t.test('lines of one member that two companies of a group owe are each a row, named by who owes it', t => {
  const line = (entity: string, value: number) =>
    fact(
      'DebtInstrumentCarryingAmount',
      value,
      `dei:LegalEntityAxis=gama:${entity}Member;us-gaap:DebtInstrumentAxis=gama:MaturitiesLessThan5YearsMember`,
    )
  const rows = instrumentRows(
    'c',
    companyInstruments([
      line('GamaInc', 33e9),
      line('TelephoneSubsidiaries', 14e9),
      line('NonGuarantorSubsidiaries', 1e9),
      line('OtherSubsidiaries', 2e9),
    ])!,
  )
  t.strictSame(
    rows.map(r => [r.name, r.carrying_amount]),
    [
      ['Maturities Less Than 5 Years, Gama Inc', 33e11],
      ['Maturities Less Than 5 Years, Telephone Subsidiaries', 14e11],
    ],
  )
  t.end()
})

t.test('a line of credit and a loan under one member are two rows where their balances differ', t => {
  const of = (concept: string, value: number, more = {}) =>
    fact(concept, value, 'us-gaap:CreditFacilityAxis=gama:EquipmentTermLoansMember', more)
  const tagged = (owed: number) =>
    instrumentRows(
      'c',
      companyInstruments([
        of('LineOfCredit', 500e6),
        of('LineOfCreditFacilityCurrentBorrowingCapacity', 4000e6),
        of('LongTermDebt', owed),
        of('DebtInstrumentInterestRateStatedPercentage', 0.066, { unit: 'pure', end: DAY }),
      ])!,
    ).map(r => [r.name, r.carrying_amount, r.commitment, r.coupon_rate])
  t.strictSame(tagged(300e6).toSorted(), [
    ['6.6% Equipment Term Loans', 300e8, null, 6.6],
    ['Line of Credit, Equipment Term Loans', 500e8, 4000e8, null],
  ])
  t.equal(tagged(495e6).length, 1, 'before and after costs it is one debt')
  t.end()
})
