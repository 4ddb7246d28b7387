import t from 'tap'
import { debtLinesIn } from '../../../engine/filing/facts/debt-tables.ts'
import { section } from './section.ts'

const read = (text: string) =>
  debtLinesIn(section(text, { section_type: 'debt_footnote', doc_type: '10-K' })).map(r => [
    r.coupon_rate,
    r.maturity,
    (r.carrying_amount ?? 0) / 1e8,
  ])

const table = (heads: string) => `Long-term debt consists of the following unsecured senior debt:

Maturity (Dollars in Millions) | ${heads} | December 31, 2024 | December 31, 2023
2025 | 9.50% | 10.75% | $113 | $113
2029 | 7.36% | 7.25% | 42 | 42
2031 | 3.40% | 4.625% | 500 | 500
Outstanding unsecured senior debt | 655 | 655
`

t.test('the coupon is that of its own column, also behind an effective rate', t => {
  t.strictSame(read(table('Effective Rate | Coupon Rate')), [
    [10.75, '2025', 113],
    [7.25, '2029', 42],
    [4.625, '2031', 500],
  ])
  t.strictSame(read(table('Coupon Rate | Effective Rate')), [
    [9.5, '2025', 113],
    [7.36, '2029', 42],
    [3.4, '2031', 500],
  ])
  const since = 'Effective August 31, 2024, we terminated our facilities, at no stated cost.\n\n'
  t.strictSame(
    read(since + table('Stated Interest Rate | Effective Interest Rate'))[0],
    [9.5, '2025', 113],
    'what is effective from a day is no rate',
  )
  const spanned = table('Coupon Rate').replace(
    '\nMaturity (',
    '\n | Effective Interest Rate | As of December 31,\nMaturity (',
  )
  t.strictSame(
    read(spanned)[0],
    [9.5, '2025', 113],
    'a head that spans columns is above them, not before them',
  )
  const twoLines = table('Coupon/ | Effective | Principal').replace(
    ' | December 31, 2024',
    '\nStated Rate | Rate(1) | Amount | December 31, 2024',
  )
  t.equal(read(twoLines)[0]?.[0], 9.5, 'the second line of a head begins anew')
  t.end()
})

t.test('a head of columns in a line of its own is no heading of rows', t => {
  const rows = debtLinesIn(
    section(table('Effective Rate | Coupon Rate').replace('\nMaturity (', '\nOutstanding\nMaturity ('), {
      section_type: 'debt_footnote',
      doc_type: '10-K',
    }),
  )
  t.strictSame(
    rows.map(r => [r.coupon_rate, r.seniority, r.security_type]),
    [10.75, 7.25, 4.625].map(coupon => [coupon, 'senior_unsecured', 'unsecured']),
    'the rank that introduces the table is that of its rows',
  )
  t.end()
})

t.test('a line that names its fixed or floating interest rates is debt, and a line of rates is none', t => {
  const rows = debtLinesIn(
    section(
      `Debt consisted of the following (in millions):

December 31, 2024 | December 31, 2023
Aircraft notes, fixed interest rates of 2.70% to 5.875%, payable through 2036 | $10,135 | $9,980
Other secured notes, floating interest rates of SOFR plus 1.10% to 2.25%, payable through 2034 | 5,027 | 4,410
4.375% Senior Secured Notes due 2026 | 2,000 | 2,000
Total debt | $17,162 | $16,390
`,
      { section_type: 'debt_footnote', doc_type: '10-K' },
    ),
  )
  t.strictSame(
    rows.map(r => (r.carrying_amount ?? 0) / 1e8),
    [10135, 5027, 2000],
  )
  t.end()
})
