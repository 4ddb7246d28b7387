import t from 'tap'
import { companyInstruments } from '../../../engine/derive/debt/company-debt.ts'
import { companyLines } from '../../../engine/derive/debt/company-lines.ts'
import { instrumentRows } from '../../../engine/derive/debt/instrument-row.ts'
import type { LoadedInstrument } from '../../../engine/derive/debt/loaded-instruments.ts'
import { withRead } from '../../../engine/derive/debt/read-instruments.ts'
import type { FactRow } from '../../../engine/derive/statements/filings.ts'
import { DAY, facilityText, fact } from './tagged-debt.ts'

const MILLION = 100_000_000
const note = (value: number) =>
  fact('LongTermDebt', value, 'us-gaap:DebtInstrumentAxis=gama:SeniorNotesDueMarch2030Member')
const committed = (value: number, more: Partial<FactRow> = {}) =>
  fact('LineOfCreditFacilityMaximumBorrowingCapacity', value, null, more)

const rows = (facts: readonly FactRow[], texts: readonly LoadedInstrument[] = []) => {
  const debt = companyInstruments(facts)!
  return withRead('c', [...instrumentRows('c', debt), ...companyLines('c', debt.table)], texts)
}
const facilities = (facts: readonly FactRow[], texts: readonly LoadedInstrument[] = []) =>
  rows(facts, texts)
    .filter(row => row.is_current && row.commitment !== null)
    .map(row => [row.name, row.commitment! / MILLION, row.is_group])

t.test('what is committed to the whole company stands where no facility of its own is known', t => {
  const facts = [note(1000e6), fact('LongTermDebt', 1000e6, null), committed(2000e6)]
  t.strictSame(facilities(facts), [['Credit Facilities', 2000, true]])
  t.strictSame(
    facilities([
      ...facts,
      fact(
        'LineOfCreditFacilityMaximumBorrowingCapacity',
        1500e6,
        'us-gaap:DebtInstrumentAxis=gama:RevolvingCreditFacilityMember',
      ),
    ]),
    [['Revolving Credit Facility', 1500, false]],
  )
  t.strictSame(facilities(facts, [facilityText({ commitment: 2000 * MILLION })]), [
    ['Revolving Credit Facility due 2028', 2000, false],
  ])
  t.end()
})

t.test('of an earlier day it stands only if the filing states one', t => {
  const facts = [note(1000e6), fact('LongTermDebt', 1000e6, null), committed(2000e6, { end: DAY - 400 })]
  t.strictSame(facilities(facts), [['Credit Facilities', 2000, true]])
  t.strictSame(facilities([...facts, committed(3000e6, { end: DAY - 800 })]), [])
  t.end()
})

t.test('other long-term debt that no instrument stands for is a line of its own, in no sum', t => {
  const facts = [note(1000e6), fact('LongTermDebt', 1200e6, null), fact('OtherLongTermDebt', 200e6, null)]
  t.match(
    rows(facts).find(row => row.name === 'Other Long-Term Debt'),
    { carrying_amount: 200 * MILLION, is_group: true, is_current: true, is_counted: false },
  )
  t.end()
})
