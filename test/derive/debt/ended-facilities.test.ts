import t from 'tap'
import { companyInstruments } from '../../../engine/derive/debt/company-debt.ts'
import { instrumentRows } from '../../../engine/derive/debt/instrument-row.ts'
import type { LoadedInstrument } from '../../../engine/derive/debt/loaded-instruments.ts'
import { withRead } from '../../../engine/derive/debt/read-instruments.ts'
import type { FactRow } from '../../../engine/derive/statements/filings.ts'
import { creditFacilitiesIn } from '../../../engine/filing/facts/credit-facilities.ts'
import { section } from '../../filing/facts/section.ts'
import { DAY, facilityText, fact } from './tagged-debt.ts'

const BILLION = 100_000_000_000
const commitment = (value: number, members: string, more: Partial<FactRow> = {}) =>
  fact('LineOfCreditFacilityMaximumBorrowingCapacity', value * 1e9, members, more)
const own = (name: string) =>
  `us-gaap:CreditFacilityAxis=us-gaap:RevolvingCreditFacilityMember;us-gaap:DebtInstrumentAxis=gama:${name}Member`
const notes = fact('LongTermDebt', 1000e6, 'us-gaap:DebtInstrumentAxis=gama:SeniorNotesDueMarch2030Member')

/** The facilities that stand and those that ended, of facts and of the text of the same report. */
const facilities = (facts: readonly FactRow[], text: string | readonly LoadedInstrument[]) => {
  const lines =
    typeof text === 'string'
      ? creditFacilitiesIn(section(text, { section_type: 'debt_footnote', doc_type: '10-K' })).map(line =>
          facilityText({ maturity: null, ...line } as Partial<LoadedInstrument>),
        )
      : text
  const rows = withRead('c', instrumentRows('c', companyInstruments([notes, ...facts])!), lines)
  const committed = rows.filter(row => row.commitment !== null)
  return {
    standing: committed.filter(row => row.is_current).map(row => row.commitment! / BILLION),
    ended: committed
      .filter(row => row.ended_because !== null)
      .map(row => [row.commitment! / BILLION, row.ended_because, row.ended_on]),
    rows: committed,
  }
}

t.test(
  'facilities that the text ends do not stand, and a line of the balance date is the total of those left',
  t => {
    const { standing, ended, rows } = facilities(
      [
        commitment(7, 'us-gaap:CreditFacilityAxis=us-gaap:RevolvingCreditFacilityMember'),
        commitment(5, own('FiveYearCreditFacilityExpiringJuly2029'), { end: DAY - 150 }),
        commitment(10, own('CreditFacilityOfMay2024'), { end: DAY - 240 }),
        commitment(1, own('ThreeHundredSixtyFourDayFacilityExpiringMay2025'), { end: DAY - 240 }),
      ],
      'In connection with our program, we have back-up credit facilities for borrowings up to $7.0 billion, which consist of a five-year $5.0 billion credit facility scheduled to expire in July 2029 and a 364-day $2.0 billion credit facility scheduled to expire in July 2025. In May 2024, we entered into a $1.0 billion 364-day revolving credit facility maturing in May 2025. In May 2024, we also entered into a $10.0 billion revolving credit facility maturing in May 2025. In July 2024, we terminated the $10.0 billion revolving credit facility. On July 15, 2024, we terminated our $1.0 billion 364-day revolving credit facility.',
    )
    t.strictSame(standing.sort(), [2, 5])
    t.strictSame(ended, [
      [10, 'terminated', null],
      [1, 'terminated', '2024-07-15'],
    ])
    t.match(rows.find(row => row.commitment === 10 * BILLION)?.evidence['ended'], {
      quotation: 'In July 2024, we terminated the $10.0 billion revolving credit facility.',
      rule: 'facility_ended',
    })
    t.equal(rows.find(row => row.commitment === 7 * BILLION)?.is_current, false, 'the total')
    t.end()
  },
)

t.test('a facility that the text of a quarter told stands until a later report ends it', t => {
  const facts = [
    commitment(10, own('CreditFacilityOfMay2024'), { end: DAY - 240 }),
    commitment(5, own('FiveYearCreditFacilityExpiringJuly2029')),
  ]
  const quarter = facilityText({ commitment: 10 * BILLION, maturity: '2025-05', balance_date: '2024-06-30' })
  const ending = facilityText({
    name: 'Credit Facility, terminated',
    commitment: 10 * BILLION,
    maturity: null,
    ended_because: 'terminated',
    rule: 'facility_ended',
  })
  t.strictSame(facilities(facts, [quarter]).standing, [10, 5])
  t.strictSame(facilities(facts, [quarter, ending]).standing, [5])
  t.strictSame(
    facilities(facts, [{ ...quarter, balance_date: '2024-12-31' }, ending]).standing,
    [10, 5],
    'not where the same report tells it',
  )
  t.end()
})

t.test('a line of the balance date is no total where the others do not add up to it', t => {
  const facts = [
    commitment(7, 'us-gaap:CreditFacilityAxis=us-gaap:RevolvingCreditFacilityMember'),
    commitment(5, own('FiveYearCreditFacility')),
    commitment(3, own('ThreeYearCreditFacility')),
  ]
  t.strictSame(facilities(facts, '').standing.sort(), [3, 5, 7])
  t.end()
})

t.test('a facility that took the place of one with its amount stands', t => {
  const facts = [commitment(2.5, own('FiveYearFacility'), { end: DAY - 100 })]
  const text =
    'On August 24, 2024, we entered into a new $2.5 billion revolving credit facility (the “5-year Facility”) and concurrently terminated our existing $2.5 billion revolving credit facility. The 5-year Facility expires on August 24, 2029.'
  t.match(facilities(facts, text), { standing: [2.5], ended: [] })
  t.end()
})

t.test('one that replaced others does not end the commitment that one name had before', t => {
  const name = 'us-gaap:CreditFacilityAxis=us-gaap:RevolvingCreditFacilityMember'
  const facts = [commitment(3, name, { end: DAY - 1400 }), commitment(5, name, { end: DAY - 60 })]
  const text =
    'The credit agreement replaced our prior $3.0 billion unsecured revolving credit agreement, dated as of November 2020.'
  t.match(facilities(facts, text), { standing: [5], ended: [] })
  t.end()
})

t.test('an ending of another tenor, another maturity or an earlier report ends nothing', t => {
  const facts = [commitment(2, own('ThreeHundredSixtyFourDayFacilityExpiringMay2025'), { end: DAY - 60 })]
  const ending = (more: Partial<LoadedInstrument>) =>
    facilityText({
      name: '364-Day Credit Facility, terminated',
      commitment: 2 * BILLION,
      maturity: null,
      ended_because: 'terminated',
      rule: 'facility_ended',
      ...more,
    })
  const standing = (more: Partial<LoadedInstrument>) => facilities(facts, [ending(more)]).standing
  t.strictSame(standing({}), [])
  t.strictSame(standing({ name: 'Five-Year Credit Facility, terminated' }), [2])
  t.strictSame(standing({ maturity: '2024-05' }), [2])
  t.strictSame(standing({ balance_date: '2024-06-30' }), [2], 'agreed after the report that tells it')
  t.strictSame(standing({ currency: 'EUR' }), [2])
  t.end()
})

t.test('what may be issued as commercial paper is no facility', t => {
  const facts = [commitment(3, 'us-gaap:CreditFacilityAxis=us-gaap:CommercialPaperMember')]
  t.strictSame(facilities(facts, '').standing, [])
  t.end()
})

t.test('a loan ends by the name of its lender where the text says that it was paid in full', t => {
  const member = (name: string) => `us-gaap:DebtInstrumentAxis=gama:${name}Member`
  const text =
    'The Company was party to a Credit Agreement with North River Bank ("NRB"). On May 2, 2024, Gama made a payment to NRB as payment in full for the Term Loan.'
  const ended = (facts: readonly FactRow[]) => facilities(facts, text).ended
  const loan = commitment(0.011, member('NorthRiverBankTermLoan'))
  t.strictSame(ended([loan, commitment(0.06, member('SouthBankTermLoan'))]), [
    [0.011, 'terminated', '2024-05-02'],
  ])
  t.strictSame(ended([loan, fact('LongTermDebt', 9e6, member('NorthRiverBankTermLoan'))]), [], 'it is owed')
  t.strictSame(ended([commitment(0.001, member('NorthRiverBankRevolvingCreditFacility'))]), [])
  t.strictSame(
    ended([loan, commitment(0.02, member('NorthRiverBankSecondTermLoan'))]),
    [],
    'either of two may be meant',
  )
  t.end()
})
