import t from 'tap'
import { debtLinesIn } from '../../../engine/filing/facts/debt-tables.ts'
import { section } from './section.ts'

const read = (text: string, title = '9. Convertible Senior Notes') =>
  debtLinesIn(section(text, { section_type: 'debt_footnote', doc_type: '10-K', title })).map(r => [
    r.name,
    (r.principal ?? 0) / 1e5,
    (r.carrying_amount ?? 0) / 1e5,
    r.coupon_rate,
    r.maturity,
  ])

const columns = (more: { net?: string; intro?: string; days?: string } = {}) => `${
  more.intro ??
  'The net carrying amount of the liability component of the notes is as follows (in thousands):'
}

${more.days ?? 'December 31, 2024 | December 31, 2023'}
2030 Notes | 2028 Notes | 2028 Notes | 2026 Notes
Principal | $800,000 | $500,000 | $500,000 | $172,000
Unamortized debt discount | (150,000) | (60,000) | (80,000) | (15,000)
Unamortized issuance costs | (10,000) | (4,000) | (5,000) | (2,000)
Net carrying amount | $640,000 | ${more.net ?? '$436,000'} | $415,000 | $155,000
`

t.test('notes side by side are each read from the columns of the report’s own day', async t => {
  t.strictSame(read(columns()), [
    ['2030 Convertible Senior Notes', 800000, 640000, undefined, '2030'],
    ['2028 Convertible Senior Notes', 500000, 436000, undefined, '2028'],
  ])
  t.strictSame(read(columns(), '9. Debt')[0], ['2030 Notes', 800000, 640000, undefined, '2030'])
  t.strictSame(read(columns({ net: '$430,000' })), [], 'none where a column does not add up')
  t.strictSame(read(columns({ days: 'June 30, 2024 | June 30, 2023' })), [], 'none of another day')
  t.strictSame(
    read(columns({ intro: 'The equity component of the notes is as follows (in thousands):' })),
    [],
  )
})

t.test('a column of totals is no note, and what the text calls notes has their terms', async t => {
  t.strictSame(
    read(`On November 15, 2022, we issued $95.0 million in aggregate principal amount of our 6.25% convertible senior notes (the "2027 Notes").

Notes outstanding are as follows:

Balance as of December 31, 2024
2027 Notes | 2029 Notes | Total
(In thousands)
Principal amount | $95,000 | $225,000 | $320,000
Unamortized debt issuance costs | (1,700) | (6,100) | (7,800)
Total convertible senior notes, net | $93,300 | $218,900 | $312,200
Fair value of the notes | $114,000 | $279,000
Balance as of December 31, 2023
2027 Notes | 2029 Notes | Total
(In thousands)
Principal amount | $95,000 | $225,000 | $320,000
Unamortized debt issuance costs | (2,700) | (7,100) | (9,800)
Total convertible senior notes, net | $92,300 | $217,900 | $310,200
`),
    [
      ['2027 Convertible Senior Notes', 95000, 93300, 6.25, '2027'],
      ['2029 Convertible Senior Notes', 225000, 218900, undefined, '2029'],
    ],
  )
})

t.test('principal and carrying amount below the name of notes are theirs', async t => {
  const blocks = (first: string) => `The carrying value of the notes is as follows:

December 31, 2024 | December 31, 2023
(Amounts in thousands)
${first}
Principal amount | $600,000 | $600,000
Unamortized debt discount | $(78,000) | $(81,000)
Unamortized debt issuance costs | (8,000) | (9,000)
Carrying amount, net | $514,000 | $510,000
0.50% Convertible Senior Notes due 2026:
Principal amount | $69,600 | $69,700
Unamortized debt issuance costs | (100) | (200)
Carrying amount, net | $69,500 | $69,500
`
  t.strictSame(read(blocks('1.25% Convertible Senior Notes due 2029:')), [
    ['1.25% Convertible Senior Notes due 2029', 600000, 514000, 1.25, '2029'],
    ['0.50% Convertible Senior Notes due 2026', 69600, 69500, 0.5, '2026'],
  ])
  t.strictSame(read(blocks('Beta term loan:')).length, 1, 'not below another heading')
})
