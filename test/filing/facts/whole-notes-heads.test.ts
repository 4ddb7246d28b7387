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
Revolving Credit Facility | $80,000 | $— | $—
Term Loan A | 795,644 | 794,854 | 1,321,476
4.25% Notes, due 2030 | 788,942 | 787,780 | —
Total long-term debt | 1,664,586 | 1,582,634 | 1,321,476
`
  const heads = 'September 2022 | December 2021 | September 2021'
  t.strictSame(
    said(read(table(heads), { period_end: '2022-10-01' })).map(([, amount]) => amount),
    [80, 795.644, 788.942],
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
Revolving credit facility | 797,790 | 1,064,506
Term facility | 309,876 | 328,376
Less: financing costs, net | 4,026 | 5,266
Total debt | 1,103,640 | 1,387,616
`)
  t.strictSame(said(rows), [
    ['Revolving credit facility', 797.79, null],
    ['Term facility', 309.876, null],
  ])
  t.end()
})

t.test('a table of fair values alone is no table of balances', t => {
  const table = (intro: string) => `${intro}

2024 | 2023
2014 Notes, maturing 2026 | 526.2 | 649.2
2020 Notes, maturing 2028 | 482.4 | 557.8
Total | $1,008.6 | $1,207.0
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
Credit Facility - Term Loan B, 9.7% interest rate at June 30, 2024 and 8.8% at December 31, 2023, due 2028(1) | $642,000 | $790,000
Harbor Term Loan, 6.5% weighted-average interest rate at June 30, 2024, due 2027(1) | 25,310 | —
Less unamortized debt issuance costs | (18,906) | (23,696)
Total debt | 648,404 | 766,304
`)
  t.strictSame(
    rows.map(r => [r.name, r.coupon_rate ?? null, r.maturity]),
    [
      ['Credit Facility - Term Loan B, due 2028', null, '2028'],
      ['Harbor Term Loan, due 2027', null, '2027'],
    ],
  )
  t.end()
})

t.test('an average of contractual rates is no coupon', t => {
  const table = (rate: string) =>
    read(`Outstanding debt consisted of the following (in thousands):

(in thousands) | ${rate} | June 30, 2024 | December 31, 2023
Fixed rate mortgage loans | 4.2% | $531,670 | $545,500
Fixed rate unsecured debt | 3.8% | 481,410 | 479,218
Total debt outstanding | | $1,013,080 | $1,024,718
`).map(r => r.coupon_rate ?? null)
  t.strictSame(table('Weighted Average Contractual Rate'), [null, null])
  t.strictSame(table('Contractual Rate'), [4.2, 3.8])
  t.end()
})

t.test('prices of conversion are no amounts, and notes whose issue paid for others have not ended', t => {
  const rows = read(
    `In December 2023, the Company issued $370 million in aggregate principal amount of 0.5% convertible senior notes due December 15, 2026 (the “2026 Notes”). At the time of the issuance of the 2026 Notes, a portion of the outstanding 2025 Notes were exchanged for cash. Details are included below:

Issuance | Maturity Date | Interest Rate | Conversion Rate per $1,000 Principal | Conversion Price
2026 Notes | December 15, 2026 | 0.5% | 6.5432 | $152.83
`,
    { amounts_in: 'thousands' },
  )
  t.strictSame(
    rows.map(r => [r.coupon_rate, r.maturity, r.principal ?? null]),
    [[0.5, '2026-12-15', 37_000_000_000]],
  )
  t.end()
})

t.test('the name of a revolving facility may say how much it is', t => {
  const rows = read(`Debt consisted of (in thousands):

June 30, 2024 | December 31, 2023
$900M Revolving Credit Facility, interest at SOFR plus 1.50%, maturing May 18, 2027 | $— | $—
$600M Term Loan, interest at SOFR plus 3.50%, maturing June 28, 2031 | 590,000 | 592,500
Total debt | $590,000 | $592,500
`)
  t.strictSame(
    rows.map(r => [r.commitment ?? null, r.drawn ?? null, r.spread_bps]),
    [
      [90_000_000_000, 0, 150],
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
4.70% Notes due 2047 | $540 | $540
Other | 81 | 110
Total debt | 621 | 650
`
  const amounts = (years: string, day: string) =>
    said(read(table(years), { period_end: day })).map(([, amount]) => amount)
  t.strictSame(amounts('2020 | 2019', '2021-01-02'), [540, 81])
  t.strictSame(amounts('2020 | 2019', '2021-12-31'), [0])
  t.end()
})

t.test('what a sentence of the report says is left of a series is its principal', t => {
  const note = (left: string) =>
    read(
      `On October 16, 2022, the Company completed an offering of $460.0 million in aggregate principal amount of its 5.65% Senior Notes due 2028 (the "Notes"). ${left}`,
    ).map(r => r.principal)
  t.strictSame(
    note(
      'As of June 30, 2024, the remaining outstanding principal amount of the Notes totaled $438.7 million.',
    ),
    [43_870_000_000],
  )
  t.strictSame(
    note(
      'As of June 30, 2023, the remaining outstanding principal amount of the Notes totaled $438.7 million.',
    ),
    [46_000_000_000],
    'of another day',
  )
  t.strictSame(
    read(
      'On October 16, 2022, the Company completed an offering (the "Notes Offering") of $460.0 million in aggregate principal amount of its 5.65% Senior Notes due 2028 (the "Notes"). As of June 30, 2024, the remaining outstanding principal amount of the Notes totaled $438.7 million.',
    ).map(r => r.principal),
    [43_870_000_000],
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
2025 notes | $${carried} | $1,186,732 | $976,536 | $1,604,166
2027 notes | 1,126,468 | 935,628 | — | —

We have issued convertible senior notes with the following characteristics:

Issuance | Maturity Date | Stated Cash Interest Rate | Effective Interest Rate | First Interest Payment Date | Conversion Rate
2025 notes | ${due} | —% | 0.42% | — | 12.3456
2027 notes | April 1, 2027 | 0.50% | 0.90% | October 1, 2021 | 9.8765
`
  const found = (text: string) =>
    read(text, { amounts_in: 'thousands' }).map(r => [r.name, (r.carrying_amount ?? 0) / MILLION])
  t.strictSame(found(note('1,301,566', 'October 15, 2025')), [
    ['0% Convertible Senior Notes due October 15, 2025', 1301.566],
    ['0.5% Convertible Senior Notes due April 1, 2027', 1126.468],
  ])
  t.strictSame(
    found(note('1,301,566', 'October 15, 2023')).filter(([, amount]) => amount !== 0),
    [['0.5% Convertible Senior Notes due April 1, 2027', 1126.468]],
    'past',
  )
  t.end()
})
