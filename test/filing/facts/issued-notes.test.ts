import t from 'tap'
import { debtLinesIn } from '../../../engine/filing/facts/debt-tables.ts'
import { section } from './section.ts'

const read = (text: string, more = {}) =>
  debtLinesIn(section(text, { section_type: 'debt_footnote', doc_type: '10-K', ...more }))
const said = (rows: ReturnType<typeof debtLinesIn>) =>
  rows
    .filter(({ principal }) => principal != null)
    .map(r => [r.coupon_rate ?? r.rate_type, r.maturity, (r.principal ?? 0) / 1e8, r.currency])

t.test(
  'notes that a sentence lists are each a row with the amount issued, beside the line that holds them',
  t => {
    const rows = read(
      `Note 16 – Debt

In the first quarter of 2024, we issued $1,500 of fixed rate senior notes consisting of $400 due March 1, 2029 that bear an annual interest rate of 2.8%, $700 due March 1, 2034 that bear an annual interest rate of 3.2%, and $400 due May 1, 2054 that bear an annual interest rate of 3.825%. The net proceeds were used to repay $250 of 5% notes due 2025.

(Dollars in millions) | December 31, 2024 | December 31, 2023
Fixed rate senior notes 2.8% - 6.0% due through 2054 | $9,000 | $7,600
Other notes | 100 | 110
Total debt | $9,100 | $7,710
`,
      { amounts_in: 'millions' },
    )
    t.strictSame(said(rows), [
      [2.8, '2029-03-01', 400, 'USD'],
      [3.2, '2034-03-01', 700, 'USD'],
      [3.825, '2054-05-01', 400, 'USD'],
    ])
    t.match(
      rows.find(({ coupon_rate }) => coupon_rate === 3.2),
      {
        name: '3.2% Fixed Rate Senior Notes due March 1, 2034',
        rule: 'note_text',
        balance_date: '2024-12-31',
        evidence: /In the first quarter of 2024, we issued/,
      },
    )
    t.end()
  },
)

t.test('the rate may follow the maturity, in other currencies, and float', t => {
  t.strictSame(
    said(
      read(`Note 10: Debt

During 2024, the Company issued euro- and U.S. dollar-denominated debt. The principal amounts were issued as follows:

• | €500 million total principal amount of notes due 2029 at 1.1%;
• | $1,500 million total principal amount of notes due May 25, 2034, at a fixed interest rate of 2.9 percent; and
• | $350 million total principal amount of notes due 2027 at a variable interest rate equal to SOFR plus 0.55%.

During 2024, the Company retired upon maturity $1,000 million total principal amount of notes due 2025 at 1.65%.
`),
    ),
    [
      [1.1, '2029', 500, 'EUR'],
      [2.9, '2034-05-25', 1500, 'USD'],
      ['floating', '2027', 350, 'USD'],
    ],
  )
  t.end()
})

t.test('amounts, rates and maturities in lists of one length belong together one by one', t => {
  t.strictSame(
    said(
      read(
        `Note 4 – Debt

In June 2024, the Japanese subsidiary issued approximately $200 and $100 of Guaranteed Senior Notes, bearing interest at 1.05% and .42%, due in May 2033 and November 2028, respectively.
`,
        { amounts_in: 'millions' },
      ),
    ),
    [
      [1.05, '2033-05', 200, 'USD'],
      [0.42, '2028-11', 100, 'USD'],
    ],
  )
  t.end()
})

t.test(
  'what a sentence redeems, repays or buys is not issued, nor is what was issued since the report',
  t => {
    t.strictSame(
      said(
        read(`Note 4. Debt

In March 2024, the Company issued $500 million of 4.5% senior notes due 2034 and $300 million of 5.25% senior notes due 2054. In July 2024 we repurchased all of the 5.25% senior notes due 2054.
The senior notes purchased included the following: $300 million of its 3.125% senior notes due 2030 and $200 million of its 4.125% senior notes due 2031. In February 2025, we issued $700 million of 6.0% senior notes due 2035.
`),
      ),
      [[4.5, '2034', 500, 'USD']],
    )
    t.end()
  },
)

t.test('the tranches of bonds of a securitization are read in any note', t => {
  const text = `Note 3 – Variable Interest Entities

On May 10, 2024, Funding LLC issued $860 million of senior secured recovery bonds. The recovery bonds were issued in three tranches: (1) approximately $266 million with an interest rate of 1.46% and is due July 15, 2033, (2) approximately $160 million with an interest rate of 2.28% and is due January 15, 2038, and (3) approximately $434 million with an interest rate of 2.82% and is due July 15, 2048. We also sold $90 million of 4% preferred notes due 2030.
`
  for (const section_type of ['notes', 'debt_footnote'])
    t.strictSame(said(read(text, { section_type })).slice(0, 3), [
      [1.46, '2033-07-15', 266, 'USD'],
      [2.28, '2038-01-15', 160, 'USD'],
      [2.82, '2048-07-15', 434, 'USD'],
    ])
  t.equal(read(text, { section_type: 'notes' }).length, 3, 'other notes are those of the debt note')
  t.end()
})

t.test('a table of issues states amounts; of tables of redemptions and offers only what is still owed', t => {
  t.strictSame(
    said(
      read(
        `Note 8. Debt

In 2024, we issued the following senior notes:

Interest Rate | Maturity Date | Principal Amount
Floating rate | February 2026 | $350
4.550% | February 2029 | $500
0.875% | July 2034 | €750

Redemptions, Repurchases and Repayments

(dollars in millions) | Principal Repurchased | Amount Paid
4.200% notes due 2046 | $2,059 | $2,100

Tender offers in 2024 changed our senior notes as follows:

Principal outstanding | Debt | Principal outstanding
as of December 31, | Repurchases | as of December 31,
2023 | 2024
6.375% senior notes due July 2028 | $218 | $14 | $204
6.500% senior notes due June 2031 | 90 | 90 | —
`,
        { amounts_in: 'millions' },
      ),
    ),
    [
      ['floating', '2026-02', 350, 'USD'],
      [4.55, '2029-02', 500, 'USD'],
      [0.875, '2034-07', 750, 'EUR'],
      [6.375, '2028-07', 204, 'USD'],
    ],
  )
  t.end()
})

t.test(
  'notes in the footnotes of a table of issues are each a row, and those that paid for the end of others are owed',
  t => {
    const text = `Note 12. Debt

Issuances and assumption of debt:
Euro Notes(a) | €750
U.S. Dollar Notes(b) | $3,500

(a) €750 million aggregate principal amount of 2.000% Senior Notes due June 30, 2030 (the “Euro Notes”)

(b) In July 2024 we issued $1.0 billion aggregate principal amount of 3.500% Senior Notes due July 15, 2032;

$2.0 billion aggregate principal amount of 3.950% Senior Notes due July 15, 2035; and

$500 million aggregate principal amount of 5.200% Senior Notes due July 15, 2045 (collectively, the “U.S. Dollar Notes”)

(c) We assumed the obligations of Alfa, including the following obligations relating to its notes (collectively, the “Alfa Notes”). :

$900 million aggregate principal amount of 3.500% Notes due June 6, 2032; and

$787 million aggregate principal amount of 6.500% Notes due February 9, 2040

We used proceeds from the U.S. Dollar Notes to repay notes that matured in July. The table below lists the notes included in the Exchange Offers for the Alfa Notes. We purchased via tender offer the remaining balance of our 5.20%, 6.00%, and 5.125% senior notes due 2025, 2045, and 2027, respectively.
`
    t.strictSame(said(read(text)), [
      [3.5, '2032-07-15', 1000, 'USD'],
      [3.5, '2032-06-06', 900, 'USD'],
      [3.95, '2035-07-15', 2000, 'USD'],
      [5.2, '2045-07-15', 500, 'USD'],
      [6.5, '2040-02-09', 787, 'USD'],
      [2, '2030-06-30', 750, 'EUR'],
    ])
    t.strictSame(
      said(
        read(
          text.replace(
            '5.20%, 6.00%, and 5.125% senior notes due 2025',
            '5.20%, 6.00%, and 5.125% senior notes due 2045',
          ),
        ),
      ).map(([coupon]) => coupon),
      [3.5, 3.5, 3.95, 6.5, 2],
      'the first year is that of the first rate',
    )
    t.end()
  },
)

t.test(
  'of bullets that name no coupon in front a sentence tells the amounts, and an introduction says what a table lists',
  t => {
    const rows = read(
      `Note 10 – Debt

On November 23, 2024, we issued $1.25 billion of notes (the November 2024 Notes) in a registered public offering. The notes consist of:

• | $750 million maturing in 2028 with a fixed interest rate of 1.85% (the 2028 Notes); and
• | $500 million maturing in 2036 with a fixed interest rate of 4.50% (the 2036 Notes).

In 2024, we issued the following senior notes (in millions):

Interest Rate | Maturity Date | Principal Amount
Floating rate | February 2026 | $350
4.550% | February 2029 | $500
`,
    )
    t.strictSame(
      rows.map(({ name, principal }) => [name, (principal ?? 0) / 1e8]),
      [
        ['Floating rate senior notes due February 2026', 350],
        ['4.55% senior notes due February 2029', 500],
        ['1.85% Notes due 2028', 750],
        ['4.5% Notes due 2036', 500],
      ],
    )
    t.end()
  },
)

t.test(
  'notes may fall due as the next sentence says, or beside a loan, and a series may be issued twice',
  t => {
    t.strictSame(
      said(
        read(
          `Note 4 – Debt

In March 2024, the Japanese subsidiary issued approximately $103 of 0.63% Guaranteed Senior Notes through a private placement. Interest is payable semi-annually, and principal is due in March 2034. In June 2024, the subsidiary issued approximately $93 of zero percent Guaranteed Senior Notes. Interest is payable semi-annually, and principal is due in June 2029.

In August 2024, Alfa issued $1,400 aggregate principal of 4.375% senior secured notes and a $105 term loan due in 2030 and 2027, respectively.

In the first quarter of 2024, we issued $1,500 of fixed rate senior notes consisting of $400 due March 1, 2029 that bear an annual interest rate of 3.2%, and $1,100 due March 1, 2039 that bear an annual interest rate of 3.5%.

In the second quarter of 2024, we issued $600 of fixed rate senior notes consisting of $600 due March 1, 2029 that bear an annual interest rate of 3.2%.
`,
          { amounts_in: 'millions' },
        ),
      ).toSorted(),
      [
        [0, '2029-06', 93, 'USD'],
        [0.63, '2034-03', 103, 'USD'],
        [3.2, '2029-03-01', 1000, 'USD'],
        [3.5, '2039-03-01', 1100, 'USD'],
        [4.375, '2030', 1400, 'USD'],
      ],
    )
    t.end()
  },
)

t.test(
  'a sentence that goes on with what was repaid says the end of notes, and two lines may be the notes of one',
  t => {
    const issued =
      'In September 2024, we issued medium-term notes. These were comprised of $400 million of 3-year fixed rate notes due 2027 with a coupon rate of 3.00%.'
    const repaid =
      'In December 2024, we repaid $1 billion of our notes. This included $400 million aggregate principal amount of 3.00% notes and $600 million of 1.625% notes, both of which were to mature in 2027.'
    t.strictSame(said(read(`Note 12\n\n${issued}\n`)), [[3, '2027', 400, 'USD']])
    t.strictSame(said(read(`Note 12\n\n${issued} ${repaid}\n`)), [])
    const table = `
(in millions) | Effective Interest Rate | Maturity | 2024 | 2023
Medium-term note | USD Fixed | 3.07% | 2027 | $199 | $—
Medium-term note | USD Floating | 5.38% | 2027 | 203 | —
Medium-term note | USD Fixed | 2.64% | 2031 | 502 | 501
Total long-term debt | $904 | $501
`
    t.strictSame(said(read(`Note 12\n${table}\n${issued}\n`)), [])
    t.end()
  },
)

t.test('a rate in a table of issues is a coupon, what was retired is none, and a bond may be alone', t => {
  t.strictSame(
    said(
      read(
        `Note 10: Long-Term Debt

The following long-term debt was issued in 2024:

Company | Type | Rate | Maturity | Amount
Alfa Capital Corp. | Senior notes—fixed rate | 3.00% | 2034 | $300
Other subsidiaries | Private activity bonds — fixed rate | 1.00%-1.36% | 2034-2045 | 3
Total issuances | $303

The following long-term debt was retired through optional redemption or payment at maturity during 2024:

Company | Type | Rate | Maturity | Amount
Alfa Capital Corp. | Senior notes — fixed rate | 5.52% | 2029 | $37
Total retirements and redemptions | $37

In May 2024, we co-issued an €800 ($868 as of December 31, 2024) bond with an interest rate of 4.25% which is due May 2035.
`,
        { amounts_in: 'millions' },
      ),
    ),
    [
      [3, '2034', 300, 'USD'],
      [4.25, '2035-05', 800, 'EUR'],
    ],
  )
  t.end()
})

t.test('a line called Notes that has the amount of one series of the text is that series', t => {
  const rows = read(`The carrying values of our borrowings were as follows (in millions):

2024 | 2023
Term Loan | $2,249 | $2,248
Notes | 989 | 987
Total carrying value of debt | $3,238 | $3,235

In January 2020, we issued $1 billion of 3.25% senior notes due February 1, 2030 (the “2030 Notes”).
`)
  t.strictSame(
    rows.map(r => [
      r.name,
      (r.carrying_amount ?? 0) / 1e8,
      (r.principal ?? 0) / 1e8,
      r.coupon_rate,
      r.maturity,
    ]),
    [
      ['Term Loan', 2249, 0, undefined, null],
      ['3.25% Senior Notes due February 1, 2030', 989, 1000, 3.25, '2030-02-01'],
    ],
  )
  t.end()
})

t.test(
  'bullets go on with the word percent in the next line, also those far behind the verb that issued them',
  t => {
    const item = (amount: string, year: number, rate: string) =>
      `\u2022 | ${amount} million total principal amount of notes due March 9, ${year}, at a fixed interest rate of${rate}\n\npercent;\n`
    const rows = read(`Long-Term Debt

During 2024, the Company issued SFr200 million, \u20ac5,500 million and $750 million of long-term debt. The general terms of the notes issued are as follows:

${item('SFr200', 2027, '0.25')}
${Array.from({ length: 11 }, (_, i) => item('\u20ac500', 2030 + i, `1.${i}25`)).join('\n')}
${item('$750', 2045, '2.875')}
`)
    t.strictSame(said(rows), [
      [0.25, '2027-03-09', 200, 'CHF'],
      ...Array.from({ length: 11 }, (_, i) => [Number(`1.${i}25`), `${2030 + i}-03-09`, 500, 'EUR']),
      [2.875, '2045-03-09', 750, 'USD'],
    ])
    t.end()
  },
)

t.test('commercial paper of a day whose month a page has joined to the word before it', t => {
  const rows = read(
    'Loans and notes payable consist primarily of commercial paper. As ofDecember 31, 2024 and 2023, we had $1,350 million and $1,910 million, respectively, in outstanding commercial paper borrowings.',
  )
  t.match(rows, [{ name: 'Commercial paper', carrying_amount: 1350e8, balance_date: '2024-12-31' }])
  t.end()
})

t.test('notes are told below a heading on debt in another note, if the report has no note on debt', t => {
  const text = `NOTE 10 - OTHER

Contingencies

We hold $450 million of 2.00% Notes due 2031 that Beta Corp issued.

Debt Issuance and Redemption

On May 5, 2024, we issued a total of $1.5 billion of senior unsecured notes, consisting of $800 million aggregate principal amount of 3.90% Notes due June 15, 2032 and $700 million aggregate principal amount of 4.15% Notes due June 15, 2053 in a registered public offering.

On May 11, 2024, we used the net proceeds from the offering of the Notes to redeem all of the outstanding $500 million in aggregate principal amount of our 3.10% Notes due 2027.

Dividends

We issued $300 million of 5.00% Notes due 2040 to a trust.
`
  const other = { section_type: 'notes', has_debt_note: false }
  t.strictSame(said(read(text, other)), [
    [3.9, '2032-06-15', 800, 'USD'],
    [4.15, '2053-06-15', 700, 'USD'],
  ])
  t.strictSame(said(read(text, { ...other, has_debt_note: true })), [], 'its note on debt tells of them')
  t.end()
})

t.test('a day in May is no permission, and exchangeable notes were not exchanged', t => {
  t.strictSame(
    said(
      read(
        'On June 29, 2024, Alfa issued $1,035 million aggregate principal amount of 3.625% Exchangeable Senior Notes due 2026 (the "Notes"). The Notes will mature on June 15, 2026, unless earlier exchanged or repurchased.',
      ),
    ),
    [[3.625, '2026', 1035, 'USD']],
  )
  t.end()
})

t.test('short-term borrowings of a sentence are those of the year of the report', t => {
  const rows = (text: string, more = {}) =>
    read(text, { amounts_in: 'millions', ...more }).map(row => [row.name, (row.carrying_amount ?? 0) / 1e8])
  const ends = 'Short-term borrowings outstanding were $88 and $41 at the end of 2024 and 2023.'
  t.strictSame(rows(ends), [['Short-term borrowings', 88]])
  t.strictSame(rows(ends, { period_end: '2025-01-28' }), [], 'a year that ends in another says nothing')
  t.strictSame(
    rows(
      'Short-term debt consists of commercial paper and credit facility borrowings totaling $786 million and $964 million as of December 31, 2024 and 2023, respectively.',
    ),
    [['Commercial paper', 786]],
  )
  t.end()
})

t.test(
  'notes that a heading names before the sentence about their issue are told by that sentence',
  async t => {
    const rows = read(`Note 6 – Financing

2.25% Convertible Notes Due 2031. In August 2024, the Company issued and sold $400 million in aggregate principal amount of 2.25% Convertible Notes due August 15, 2031. Net proceeds were $390 million.
`)
    t.strictSame(said(rows), [[2.25, '2031-08-15', 400, 'USD']])
  },
)
