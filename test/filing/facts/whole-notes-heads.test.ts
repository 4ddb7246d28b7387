import t from 'tap'
import { debtLinesIn } from '../../../engine/filing/facts/debt-tables.ts'
import { section } from './section.ts'

const NOTE = { section_type: 'debt_footnote', doc_type: '10-Q', period_end: '2024-06-30' }
const read = (text: string, more = {}) => debtLinesIn(section(text, { ...NOTE, ...more }))
const MILLION = 1e8
const said = (rows: ReturnType<typeof debtLinesIn>) =>
  rows.map(r => [r.name, (r.carrying_amount ?? r.principal ?? 0) / MILLION, r.maturity ?? null])

t.test('months may name the columns of a fiscal year that ends on a Saturday', t => {
  const table = (heads: string) => `The following table presents the components of long-term debt:

(In thousands) | ${heads}
Revolving Credit Facility | $40,000 | $— | $—
Term Loan A | 397,822 | 397,427 | 660,738
4.125% Notes, due 2029 | 394,471 | 393,890 | —
Total long-term debt | 832,293 | 791,317 | 660,738
`
  const heads = 'September 2022 | December 2021 | September 2021'
  t.strictSame(
    said(read(table(heads), { period_end: '2022-10-01' })).map(([, amount]) => amount),
    [40, 397.822, 394.471],
  )
  t.strictSame(
    said(read(table(heads), { period_end: '2022-12-31' })).filter(([, amount]) => amount !== 0),
    [],
    'no column is of that month',
  )
  t.end()
})

t.test('costs below `Less` without brackets are deducted from the lines above them', t => {
  const rows = read(`The table below presents the components of our debt (in thousands):

June 30,
2024 | 2023
Revolving credit facility | 398,895 | 532,253
Term facility | 154,938 | 164,188
Less: financing costs, net | 2,013 | 2,633
Total debt | 551,820 | 693,808
`)
  t.strictSame(said(rows), [
    ['Revolving credit facility', 398.895, null],
    ['Term facility', 154.938, null],
  ])
  t.end()
})

t.test('a table of fair values alone is no table of balances', t => {
  const table = (intro: string) => `${intro}

2024 | 2023
2014 Notes, maturing 2026 | 263.1 | 324.6
2020 Notes, maturing 2028 | 241.2 | 278.9
Total | $504.3 | $603.5
`
  const more = { amounts_in: 'millions' }
  t.strictSame(
    read(table('The fair value of our debt as of June 30 is included in the following table:'), more),
    [],
  )
  t.equal(read(table('Our debt as of June 30 is included in the following table:'), more).length, 2)
  t.end()
})

t.test('rates of days in the midst of a name are no coupon and no reason to leave the line out', t => {
  const rows = read(`The components of debt consisted of the following (in thousands):

June 30, 2024 | December 31, 2023
Credit Facility - Term Loan B, 10.5% interest rate at June 30, 2024 and 9.4% at December 31, 2023, due 2028(1) | $321,000 | $395,000
Mountain Term Loan, 6.5% weighted-average interest rate at June 30, 2024, due 2027(1) | 12,655 | —
Less unamortized debt issuance costs | (9,453) | (11,848)
Total debt | 324,202 | 383,152
`)
  t.strictSame(
    rows.map(r => [r.name, r.coupon_rate ?? null, r.maturity]),
    [
      ['Credit Facility - Term Loan B, due 2028', null, '2028'],
      ['Mountain Term Loan, due 2027', null, '2027'],
    ],
  )
  t.end()
})

t.test('an average of contractual rates is no coupon', t => {
  const table = (rate: string) =>
    read(`Outstanding debt consisted of the following (in thousands):

(in thousands) | ${rate} | June 30, 2024 | December 31, 2023
Fixed rate mortgage loans | 4.2% | $265,835 | $272,750
Fixed rate unsecured debt | 3.8% | 240,705 | 239,609
Total debt outstanding | | $506,540 | $512,359
`).map(r => r.coupon_rate ?? null)
  t.strictSame(table('Weighted Average Contractual Rate'), [null, null])
  t.strictSame(table('Contractual Rate'), [4.2, 3.8])
  t.end()
})

t.test('prices of conversion are no amounts, and notes whose issue paid for others have not ended', t => {
  const rows = read(
    `In December 2023, the Company issued $414 million in aggregate principal amount of 0.5% convertible senior notes due December 15, 2026 (the “2026 Notes”). At the time of the issuance of the 2026 Notes, a portion of the outstanding 2025 Notes were exchanged for cash. Details are included below:

Issuance | Maturity Date | Interest Rate | Conversion Rate per $1,000 Principal | Conversion Price
2026 Notes | December 15, 2026 | 0.5% | 7.6043 | $131.50
`,
    { amounts_in: 'thousands' },
  )
  t.strictSame(
    rows.map(r => [r.coupon_rate, r.maturity, r.principal ?? null]),
    [[0.5, '2026-12-15', 41_400_000_000]],
  )
  t.end()
})

t.test('the name of a revolving facility may say how much it is', t => {
  const rows = read(`Debt consisted of (in thousands):

June 30, 2024 | December 31, 2023
$700M Revolving Credit Facility, interest at SOFR plus 1.50%, maturing May 18, 2027 | $— | $—
$300M Term Loan, interest at SOFR plus 3.50%, maturing June 28, 2031 | 295,000 | 296,250
Total debt | $295,000 | $296,250
`)
  t.strictSame(
    rows.map(r => [r.commitment ?? null, r.drawn ?? null, r.spread_bps]),
    [
      [70_000_000_000, 0, 150],
      [null, null, 350],
    ],
  )
  t.end()
})

t.test('a fiscal year that ends in the first days of January is called by the year before', t => {
  const table = (
    years: string,
  ) => `The following table presents the components of long-term debt at year end (in millions):

(millions) | ${years}
4.50% Notes due 2046 | $638 | $638
Other | 93 | 124
Total debt | 731 | 762
`
  const amounts = (years: string, day: string) =>
    said(read(table(years), { period_end: day })).map(([, amount]) => amount)
  t.strictSame(amounts('2020 | 2019', '2021-01-02'), [638, 93])
  t.strictSame(amounts('2020 | 2019', '2021-12-31'), [0])
  t.end()
})

t.test('what a sentence of the report says is left of a series is its principal', t => {
  const note = (left: string) =>
    read(
      `On October 16, 2022, the Company completed an offering of $500.0 million in aggregate principal amount of its 5.375% Senior Notes due 2027 (the "Notes"). ${left}`,
    ).map(r => r.principal)
  t.strictSame(
    note(
      'As of June 30, 2024, the remaining outstanding principal amount of the Notes totaled $479.9 million.',
    ),
    [47_990_000_000],
  )
  t.strictSame(
    note(
      'As of June 30, 2023, the remaining outstanding principal amount of the Notes totaled $479.9 million.',
    ),
    [50_000_000_000],
    'of another day',
  )
  t.strictSame(
    read(
      'On October 16, 2022, the Company completed an offering (the "Notes Offering") of $500.0 million in aggregate principal amount of its 5.375% Senior Notes due 2027 (the "Notes"). As of June 30, 2024, the remaining outstanding principal amount of the Notes totaled $479.9 million.',
    ).map(r => r.principal),
    [47_990_000_000],
  )
  t.end()
})

t.test('balances in one table and terms in another are those of notes with one name', t => {
  const note = (
    carried: string,
    due: string,
  ) => `The following table presents the carrying amounts and estimated fair values of our convertible senior notes:

June 30, 2024 | December 31, 2023
Issuance | Net Carrying Amount | Estimated Fair Value | Net Carrying Amount | Estimated Fair Value
2025 notes | $${carried} | $593,366 | $488,268 | $802,083
2027 notes | 563,234 | 467,814 | — | —

We have issued convertible senior notes with the following characteristics:

Issuance | Maturity Date | Stated Cash Interest Rate | Effective Interest Rate | First Interest Payment Date | Conversion Rate
2025 notes | ${due} | —% | 0.42% | — | 13.7920
2027 notes | April 1, 2027 | 0.50% | 0.90% | October 1, 2021 | 10.6920
`
  const found = (text: string) =>
    read(text, { amounts_in: 'thousands' }).map(r => [r.name, (r.carrying_amount ?? 0) / MILLION])
  t.strictSame(found(note('650,783', 'October 15, 2025')), [
    ['0% Convertible Senior Notes due October 15, 2025', 650.783],
    ['0.5% Convertible Senior Notes due April 1, 2027', 563.234],
  ])
  t.strictSame(
    found(note('650,783', 'October 15, 2023')).filter(([, amount]) => amount !== 0),
    [['0.5% Convertible Senior Notes due April 1, 2027', 563.234]],
    'past',
  )
  t.end()
})
