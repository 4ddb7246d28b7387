import t from 'tap'
import { debtLinesIn } from '../../../engine/filing/facts/debt-tables.ts'
import { section } from './section.ts'

const lines = (text: string, more = {}) =>
  debtLinesIn(section(text, { section_type: 'debt_footnote', doc_type: '10-K', ...more }))
const short = (text: string) =>
  lines(text).map(r => [r.name, (r.carrying_amount ?? 0) / 1e5, r.coupon_rate, r.maturity])

t.test('what a balance is net of is no reason to leave a line out, wherever its name says so', async t => {
  t.strictSame(
    short(`Long-term debt consisted of the following (in thousands):

| December 31, 2024 | December 31, 2023
Beta credit facility (due 2030), interest based on Prime and/or SOFR plus an applicable margin, interest rate at December 31, 2024 and December 31, 2023 was 6.3% and 6.9% respectively | 150,000 | 237,000
The Partnership's senior unsecured notes (due 2029), net of discount of $400 at December 31, 2024 and $500 at December 31, 2023, which bear interest at the rate of 2.70% | 399,600 | 399,500
The Partnership's senior unsecured notes (due 2032), including a premium of $2,900 at December 31, 2024 and $3,400 at December 31, 2023, which bear interest at the rate of 7.125% | 182,900 | 184,400
Senior subordinated notes, face amount of $200,000 due 2031, contractual interest rate 9.25%, effective interest rate 9.75% | 200,926 | 201,155
6.15% senior notes due 2033. At December 31, 2024 and December 31, 2023 there was approximately $2,844 and $2,986 in net unamortized premium, respectively | 302,844 | 302,986
Seller notes, various maturities through 2027, secured by assets, various interest rates ranging from 9.0% to 10.0% | 346 | 868
Total debt | $1,236,616 | $1,325,909
`),
    [
      [
        'Beta credit facility, interest based on Prime and/or SOFR plus an applicable margin due 2030',
        150000,
        undefined,
        '2030',
      ],
      ["2.7% The Partnership's senior unsecured notes due 2029", 399600, 2.7, '2029'],
      ["7.125% The Partnership's senior unsecured notes due 2032", 182900, 7.125, '2032'],
      ['Senior subordinated notes due 2031, 9.25%', 200926, 9.25, '2031'],
      ['6.15% senior notes due 2033', 302844, 6.15, '2033'],
      [
        'Seller notes, various maturities through 2027, secured by assets, various interest rates ranging from 9.0% to 10.0%',
        346,
        undefined,
        null,
      ],
    ],
  )
})

t.test(
  'a rate that changes thereafter makes no schedule of payments, which names its last years so',
  async t => {
    const table = (last: string) => `Other borrowings consist of the following (in thousands):

| December 31, 2024 | December 31, 2023
Fixed Rate Advance due March 2, 2027; fixed interest rate of 1.445% | 15,000 | 15,000
${last} | 108,991 | 108,839
Total | $123,991 | $123,839
`
    const notes =
      'Subordinated notes payable due October 1, 2030 net of unamortized debt issuance cost of $1,009 and $1,161, respectively; fixed interest rate of 3.875% through September 30, 2025; variable interest rate thereafter at three-month SOFR plus 3.753%'
    t.strictSame(
      lines(table(notes)).map(r => r.carrying_amount),
      [15000e5, 108991e5],
    )
    t.strictSame(
      lines(table('Notes due 2030 and thereafter')).flatMap(r => r.carrying_amount ?? []),
      [15000e5],
      'the note alone is read by its row',
    )
  },
)

t.test('lines of one name below one heading are all read', async t => {
  t.strictSame(
    short(`The company's loans (in thousands):

| Maturity | December 31, 2024 | December 31, 2023
Secured:
Notes payable - variable rate | 2028 | 11,360 | 12,780
Notes payable - variable rate | 2028 | 16,022 | 16,651
Notes payable - variable rate | 2028 | 43,313 | 44,437
Notes payable - variable rate | 2030 | 30,993 | 31,437
Total | | 101,688 | 105,305
`).map(([name, amount]) => [name, amount]),
    [
      ['Notes payable - variable rate due 2028', 11360],
      ['Notes payable - variable rate due 2028 (Secured:)', 16022],
      ['Notes payable - variable rate due 2028 (2)', 43313],
      ['Notes payable - variable rate due 2030', 30993],
    ],
  )
})
