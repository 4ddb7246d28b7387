import t from 'tap'
import { debtLinesIn } from '../../../engine/filing/facts/debt-tables.ts'
import { section } from './section.ts'

const read = (text: string, more = {}) =>
  debtLinesIn(section(text, { section_type: 'debt_footnote', doc_type: '10-K', ...more }))
const said = (rows: ReturnType<typeof debtLinesIn>) =>
  rows.map(r => [r.coupon_rate ?? r.spread_bps, r.maturity, r.carrying_amount ?? null])

t.test('a row of a debt table is a note with its coupon, maturity and balance of the report', t => {
  const rows = read(`Note 9. Debt

Borrowings as of December 31, 2024 and 2023 (in millions):

(in millions) | 2024 | 2023
3.25% senior notes due March 15, 2029 | $1,500 | $1,500
4.1% senior notes due May 2031 | 995.5 | —
2.8% senior notes due 2024 | — | 750
1.2% - 4.0% notes due 2026 - 2040 | 5,000 | 5,000
Commercial paper | 300 | 100
Other debt 3.0% due 2027 | 12 | 14
Total debt | 7,807 | 7,364
`)
  t.strictSame(said(rows), [
    [3.25, '2029-03-15', 150_000_000_000],
    [4.1, '2031-05', 99_550_000_000],
    [2.8, '2024', 0],
  ])
  t.match(rows[0], {
    name: '3.25% senior notes due March 15, 2029',
    maturity_date: '2029-03-15',
    currency: 'USD',
    balance_date: '2024-12-31',
    rule: 'debt_table',
    evidence: '3.25% senior notes due March 15, 2029 | $1,500 | $1,500',
  })
  t.end()
})

t.test('coupons and maturities in columns of their own are read by the heads of the columns', t => {
  const table = (rate: string, row: string) =>
    said(read(`(In millions) | Maturity | ${rate} | December 31, 2024 | December 31, 2023\n${row}\n`))
  t.strictSame(
    table('Stated Rate | Effective Rate', '2029 Notes | August 2029 | 3.50% | 3.63% | $750 | $740'),
    [[3.5, '2029-08', 75_000_000_000]],
  )
  t.strictSame(
    table('Effective Interest Rate', '2029 Notes | August 2029 | 3.63% | $750 | $740'),
    [],
    'no coupon',
  )
  t.strictSame(
    said(
      read(
        '(In thousands) | December 31, 2023 | December 31, 2024\n5% Senior Notes due 2030 | $100,000 | $90,000\n',
      ),
    ),
    [[5, '2030', 9_000_000_000]],
    'the report may have its day last',
  )
  t.strictSame(
    said(
      read(
        '(In millions) | Issued | Matures | 2024 | 2023\n1.90% Notes | February 2020 | February 2025 | $500 | $500\n',
      ),
    ),
    [[1.9, '2025-02', 50_000_000_000]],
    'the later of two days is the maturity',
  )
  t.end()
})

t.test('two columns of notes, floating notes under a heading, and averages in brackets', t => {
  t.strictSame(
    said(
      read(
        '(in millions) | 2024 | 2023\n$750 3.5%, Feb 2028 | $749 | 748 | $850 5.8%, Mar 2036 | 838 | 838\n',
      ),
    ),
    [
      [3.5, '2028-02', 74_900_000_000],
      [5.8, '2036-03', 83_800_000_000],
    ],
  )
  t.strictSame(
    said(
      read(
        'Coupon Rate | 2024 | 2023\n\nFloating Rate Notes:\n\nSenior notes due 2027 | 0.20% | $450 | $450\nSenior notes due 2028 | SOFR plus 0.48% | 400 | 400\n\nFixed Rate Notes:\n\nSenior notes due 2029 | 1.350% | 1,000 | 1,000\n',
      ),
    ),
    [
      [null, '2027', null],
      [48, '2028', null],
      [1.35, '2029', null],
    ],
    'without a unit there is no amount',
  )
  t.strictSame(read('(in millions) | 2024 | 2023\nNotes due 2026 (2.6%) | $3,087 | $3,000\n'), [])
  t.strictSame(read('3% notes due 2030 | 1 | 2', { section_type: 'notes' }), [], 'only in debt notes')
  t.end()
})

t.test(
  'a month is a day where the note names one day of notes due in it, and amounts need one meaning',
  t => {
    const table = '(in millions) | 2024 | 2023\n1.7% Notes due February 2027 | $500 | $500\n'
    const [exact] = read(`${table}\nIn 2020 we issued $500 million of senior notes due February 1, 2027.`)
    t.match(exact, { maturity: '2027-02-01', maturity_date: '2027-02-01' })
    const [month] = read(`${table}\nWe issued notes due February 1, 2027 and notes due February 15, 2027.`)
    t.match(month, { maturity: '2027-02', maturity_date: null })
    const fair = read(
      '(in millions) | Carrying | Fair Value | 2024 | 2023\n1.7% Notes due 2027 | $500 | $480\n',
    )
    t.match(fair, [{ coupon_rate: 1.7, carrying_amount: undefined }])
    const euro = read('(in millions) | 2024 | 2023\n1.7% Notes due 2027 | €500 | €480\n')
    t.match(euro, [{ coupon_rate: 1.7, carrying_amount: undefined }])
    t.end()
  },
)

t.test('a second table below a day of its own is of that day alone', t => {
  const table = (day: string, rows: string) => `
${day}

Unamortized Discount and

Gross Carrying | Deferred | Net Carrying
Amount | Financing Costs | Amount
${rows}
`
  const now = table(
    'December 31, 2024',
    `2024 TLA | $2,690 $ | (27) $ | 2,663
Mortgage loan | 650 | (5) | 645
Total long-term debt | $3,340 $ | (32) $ | 3,308`,
  )
  const before = table(
    'December 31, 2023',
    `Original Term Loan | $1,869 $ | (11) $ | 1,858
Mortgage loan | 750 | (12) | 738
Total long-term debt | $2,619 $ | (23) $ | 2,596`,
  )
  const lines = [
    ['2024 TLA', 2663],
    ['Mortgage loan', 645],
  ]
  const balances = (text: string) => read(text).map(r => [r.name, (r.carrying_amount ?? 0) / 1e8])
  const intro = 'A summary of our debt is as follows (amounts in millions):\n'
  t.strictSame(balances(intro + now + before), lines)
  t.strictSame(balances(intro + before + now), lines, 'also where it comes second, in the unit told first')
  t.end()
})

t.test('a rate whose note says that it is an average is no coupon', t => {
  const table = (note: string) => `Notes payable are summarized below (in millions):

As of December 31,
2024 | 2023
(in millions) | Borrowings | Interest Rate | Borrowings | Interest Rate

Notes payable:

Domestic operations | $20 | 1.00% (1) | $10 | 1.00% (1)
Foreign operations | 74 | 12.39% (1) | 167 | 10.04% (1)
Total notes payable | $94 |  | $177

(1) ${note}
`
  const coupons = (note: string) =>
    read(table(note)).map(r => [r.carrying_amount! / 1e8, r.coupon_rate ?? null])
  t.strictSame(coupons('Weighted average interest rate includes overdrafts.'), [
    [20, null],
    [74, null],
  ])
  t.strictSame(coupons('Payable each quarter.'), [
    [20, 1],
    [74, 12.39],
  ])
  t.end()
})

t.test('notes whose line is what a part redemption left of them are listed once', t => {
  const text = (more: string) => `Long-term debt consisted of the following (in millions):

Description | Fixed/ | Effective | Maturity | 2024 | 2023
 | Floating | Interest Rate | Date
Registered note ($500 million) | USD Fixed | 3.37% | 2049 | $485 | $969
Medium-term note (EUR) | Fixed | 1.90% | 2030 | 700 | 750
${more}Total long-term debt | $${more === '' ? '1,185' : '1,285'} | $${more === '' ? '1,719' : '1,819'}

In August 2019, the Company issued $1.0 billion aggregate principal amount of 3.25% notes due 2049.
`
  const names = (more: string) =>
    read(text(more)).flatMap(r =>
      /2049/.test(r.name ?? '') ? [[r.name, (r.carrying_amount ?? r.principal)! / 1e8]] : [],
    )
  t.match(names(''), [[/Registered note/, 485]])
  t.equal(
    names('Registered bond | USD Fixed | 4.00% | 2049 | 100 | 100\n').length,
    3,
    'one of two lines is not told',
  )
  t.end()
})
