import t from 'tap'
import { debtLinesIn } from '../../../engine/filing/facts/debt-tables.ts'
import { section } from './section.ts'

const read = (text: string) =>
  debtLinesIn(section(text, { section_type: 'debt_footnote', doc_type: '10-K' })).map(one => [
    one.name,
    one.instrument_type,
    (one.carrying_amount ?? 0) / 1e8,
    one.maturity ?? null,
  ])

t.test('term loans of which a sentence tells what is outstanding at the day of the report are listed', t => {
  const rest = 'The maturity of the term loans was extended to August 7, 2029.'
  t.strictSame(
    read(
      `Credit Facility. As of December 31, 2024, $477.4 million remained outstanding under the term loans, there were $5.8 million of letters of credit issued and there were no other outstanding borrowings. ${rest}`,
    ),
    [['Term loans due 2029', 'term_loan', 477.4, '2029-08-07']],
  )
  t.strictSame(
    read(
      'At December 31, 2024 and 2023, we had $300 million and $320 million, respectively, of borrowings outstanding under our term loan.',
    ),
    [['Term loans', 'term_loan', 300, null]],
  )
  t.strictSame(
    read(`The outstanding balance of the term loan facility was $80.5 million at December 31, 2024. ${rest}`),
    [['Term loans due 2029', 'term_loan', 80.5, '2029-08-07']],
  )
  t.end()
})

t.test('loans told twice differently, of another day, or beside their commitment are not listed again', t => {
  const told = 'As of December 31, 2024, $300 million was outstanding under the term loan.'
  t.strictSame(read(`${told} As of December 31, 2024, $290 million was outstanding under the term loan.`), [])
  t.strictSame(read(told.replace('2024', '2023')), [])
  t.strictSame(
    read(`In May 2023, we entered into a $400 million term loan that matures in May 2028. ${told}`),
    [],
  )
  t.strictSame(read(`${told.replace('was outstanding', 'may be outstanding')}`), [])
  t.end()
})
