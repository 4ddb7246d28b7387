import t from 'tap'
import { companyInstruments } from '../../../engine/derive/debt/company-debt.ts'
import { instrumentRows } from '../../../engine/derive/debt/instrument-row.ts'
import { withRead } from '../../../engine/derive/debt/read-instruments.ts'
import { fact, facilityText as text } from './tagged-debt.ts'

const BILLION = 100_000_000_000

t.test(
  'a text that says less is committed than is tagged under the same name tells no second facility',
  t => {
    const facts = [
      fact('LongTermDebt', 1000e6, null),
      fact('LongTermDebt', 1000e6, 'us-gaap:DebtInstrumentAxis=gama:SeniorNotesDueMarch2030Member'),
      fact(
        'LineOfCreditFacilityMaximumBorrowingCapacity',
        900e6,
        'us-gaap:CreditFacilityAxis=us-gaap:RevolvingCreditFacilityMember',
      ),
    ]
    const tagged = instrumentRows('c', companyInstruments(facts)!)
    const committed = (name: string) =>
      withRead('c', tagged, [text({ name, commitment: 0.4 * BILLION })])
        .filter(row => row.is_current && row.commitment !== null)
        .map(row => row.commitment! / BILLION)
        .toSorted()
    t.strictSame(committed('Revolving Credit Facility due 2028'), [0.9])
    t.strictSame(committed('Backup Credit Agreement due 2028'), [0.4, 0.9])
    t.end()
  },
)
