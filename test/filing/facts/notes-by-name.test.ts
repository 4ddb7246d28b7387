import t from 'tap'
import { agreedFacilitiesIn } from '../../../engine/filing/facts/agreed-facilities.ts'
import { agreedNotesIn } from '../../../engine/filing/facts/agreed-notes.ts'
import { offeredNotesIn } from '../../../engine/filing/facts/offered-notes.ts'
import { termSheetNotesIn } from '../../../engine/filing/facts/term-sheets.ts'
import { section } from './section.ts'

const said = (rows: ReturnType<typeof offeredNotesIn>) =>
  rows.map(r => [r.coupon_rate ?? r.rate_type, r.maturity, (r.principal ?? 0) / 1e8, r.currency])
const item = (text: string) =>
  offeredNotesIn(
    section(text, {
      section_type: 'other',
      doc_type: '8-K',
      title: 'Item 1.01 Agreement',
      period_end: '2024-02-22',
      filing_date: '2024-02-23',
    }),
  )
const supplement = (text: string) =>
  offeredNotesIn(
    section(text, {
      section_type: 'other',
      doc_type: '424B2',
      title: null,
      period_end: null,
      filing_date: '2024-02-22',
    }),
  )

t.test('notes issued by a name have the coupon and day that the report gives the name elsewhere', t => {
  const issue = (name: string) =>
    `Issuance of 9.500% Senior Second Lien Secured Notes due 2029\n\nThe Company issued $239,142,000 aggregate principal amount of ${name} pursuant to an Indenture, dated as of February 19, 2024. The New Private Notes bear interest at a rate of 9.500% per year. The New Private Notes will mature on December 31, 2029, subject to earlier repurchase.`
  const [one, ...others] = item(issue('New Private Notes'))
  t.equal(others.length, 0)
  t.match(one, {
    name: '9.5% Senior Second Lien Secured Notes due December 31, 2029',
    principal: 23_914_200_000,
  })
  t.strictSame(item(issue('New Registered Notes')), [], 'of other notes')
  t.strictSame(item(issue('New Private Notes').replace('issued $', 'redeemed $')), [])
  t.end()
})

t.test('tranches that their agreement names have each the rate of its name', t => {
  t.strictSame(
    said(
      item(
        'On February 20, 2024, the Company entered into a note purchase agreement governing the issuance of (i) $55.5 million in aggregate principal amount of Series A Senior Notes, Tranche A, due October 29, 2027 (the “Series A 2027 Notes”) and (ii) $73.0 million in aggregate principal amount of Series A Senior Notes, Tranche B, due October 29, 2028 (the “Series A 2028 Notes”). The Series A 2027 Notes have a fixed interest rate of 7.54% per year and the Series A 2028 Notes have a fixed interest rate of 7.60% per year.',
      ),
    ),
    [
      [7.54, '2027-10-29', 55.5, 'USD'],
      [7.6, '2028-10-29', 73, 'USD'],
    ],
  )
  t.end()
})

t.test('two currencies of one year are told apart by name, past the price of each', t => {
  t.strictSame(
    said(
      item(
        'On February 13, 2024, we closed on a private offering that consisted of a $1.5 billion aggregate principal amount of senior secured notes due 2032 (the “USD Notes”) and €1.0 billion aggregate principal amount of senior secured notes due 2032 (the “Euro Notes”). The USD Notes were issued at 98.710% of par value, pay interest at a rate of 8.500% per year and mature on February 15, 2032. The Euro Notes were issued at 98.645% of par value, pay interest at a rate of 7.000% per year and mature on February 15, 2032.',
      ),
    ),
    [
      [8.5, '2032-02-15', 1500, 'USD'],
      [7, '2032-02-15', 1000, 'EUR'],
    ],
  )
  t.end()
})

t.test('what was sold in May was sold', t => {
  t.strictSame(
    said(
      item(
        'On May 6, 2024, Alfa Corp issued €500 million aggregate principal amount of 3.875% Notes due 2031 and £300 million aggregate principal amount of 5.25% Notes due 2034. Alfa may issue $100 million of 6.00% Notes due 2030.',
      ),
    ),
    [
      [3.875, '2031', 500, 'EUR'],
      [5.25, '2034', 300, 'GBP'],
    ],
  )
  t.end()
})

t.test('of a series that is added to, its amount is what both are then', t => {
  t.strictSame(
    said(
      supplement(
        '$1,000,000,000\n$600,000,000 4.700% Notes due 2031\n$400,000,000 5.200% Notes due 2055\nWe are offering $600,000,000 aggregate principal amount of our 4.700% Notes due 2031 and $400,000,000 aggregate principal amount of our 5.200% Notes due 2055. The latter are additional notes under the indenture pursuant to which we issued $650,000,000 aggregate principal amount of our 5.200% Notes due February 15, 2055, and will be a single series of securities with them. The aggregate principal amount will be $1,050,000,000 aggregate principal amount of 5.200% Notes due February 15, 2055.',
      ),
    ),
    [
      [4.7, '2031', 600, 'USD'],
      [5.2, '2055-02-15', 1050, 'USD'],
    ],
  )
  t.end()
})

t.test('notes of another company are owed by the one that assumes them', t => {
  const text = (verb: string) =>
    `On February 20, 2024, Alfa entered into a supplemental indenture. It relates to Alfa’s ${verb} of $111.6 million in aggregate principal amount of Beta’s 5.00% Notes due 2026 (the “Notes”). The Notes will mature on May 25, 2026.`
  t.strictSame(said(item(text('assumption'))), [[5, '2026-05-25', 111.6, 'USD']])
  t.strictSame(item(text('redemption')), [])
  t.end()
})

t.test('notes that float after some years have their first rate', t => {
  const [one, ...others] = supplement(
    'PROSPECTUS SUPPLEMENT\n$150,000,000\n2.75% Fixed-to-Floating Rate Subordinated Notes due 2031\nWe are offering $150,000,000 aggregate principal amount of our 2.75% fixed-to-floating rate subordinated notes due 2031 (the “notes”). The notes will mature on September 15, 2031. From September 15, 2026 the notes will bear interest at a floating rate equal to Three-Month Term SOFR plus 210 basis points.',
  )
  t.equal(others.length, 0)
  t.match(one, { rate_type: 'fixed', coupon_rate: 2.75, maturity: '2031-09-15', principal: 150e8 })
  t.end()
})

t.test('a table of registration fees names what a final supplement sells', t => {
  const table = (title: string, head = 'Amount to be Registered') =>
    `Title of Each Class of Securities | ${head} | Maximum Offering Price | Fee(1)\n${title} | $500,000,000 | 99.877% | $64,820.18\nGuarantees of Notes | — | — | —\nPer Note | Total`
  t.strictSame(said(supplement(table('2.450% Senior Notes due 2031'))), [[2.45, '2031', 500, 'USD']])
  t.strictSame(supplement(table('% Senior Notes due 2031')), [], 'a blank')
  t.strictSame(supplement(table('2.450% Senior Notes due 2031', 'Amount outstanding')), [], 'another table')
  t.match(
    supplement(
      `${table('2.450% Senior Notes due 2031')}\nThe notes are an additional issuance of our outstanding notes and form a single series with them.`,
    ),
    [{ coupon_rate: 2.45, principal: null }],
  )
  t.end()
})

const sheet = (lines: readonly string[]) =>
  termSheetNotesIn(
    section(lines.join('\n'), {
      section_type: 'other',
      doc_type: 'FWP',
      filing_date: '2025-03-03',
      period_end: null,
    }),
  )

t.test('a sheet without a row of coupons has them in the titles of its columns', t => {
  const rows = sheet([
    '2027 Notes | 2032 Notes',
    'Security: | 3.100% Senior Notes due 2027 | 3.250% Senior Notes due 2032',
    'Principal Amount: | $500,000,000 | $500,000,000',
    'Maturity Date: | August 15, 2027 | August 15, 2032',
    'Settlement Date: | March 6, 2025 | March 6, 2025',
    'Offering: | This offering is not contingent upon closing of the concurrent offering.',
  ])
  t.strictSame(said(rows), [
    [3.1, '2027-08-15', 500, 'USD'],
    [3.25, '2032-08-15', 500, 'USD'],
  ])
  t.end()
})

t.test('a sheet names the series behind each value of a cell', t => {
  const rows = sheet([
    'Principal Amount: | $500,000,000 for the 2027 Notes $400,000,000 for the 2032 Notes',
    'Maturity Date: | March 15, 2027 for the 2027 Notes March 15, 2032 for the 2032 Notes',
    'Coupon: | 2.50% per annum for the 2027 Notes 3.00% per annum for the 2032 Notes',
    'Settlement Date: | March 6, 2025',
    'Optional Redemption: | For the 2027 Notes: make whole call (Treasury Rate plus 15 basis points). For the 2032 Notes: make whole call (Treasury Rate plus 20 basis points).',
  ])
  t.strictSame(
    rows.map(r => [r.coupon_rate, r.maturity, r.principal! / 1e8, r.make_whole_bps]),
    [
      [2.5, '2027-03-15', 500, 15],
      [3, '2032-03-15', 400, 20],
    ],
  )
  t.end()
})

t.test('a sheet goes on below its row of redemption, and states terms beside a list of dealers', t => {
  const [one] = sheet([
    'CUSIP: 037833BZ2 | Mode of Distribution: Underwritten',
    'Original Issue Date/Settlement Date: March 6, 2025, which is the second business day | Alfa Securities ($10,000,000)',
    'Principal Amount: $500,000,000 | Beta Securities ($70,000,000)',
    'Interest Rate: 5.500% per annum | Gamma Securities ($90,000,000)',
    'Maturity Date: March 1, 2055',
    'Optional Redemption: | Prior to September 1, 2054, make-whole call, in whole or in part, at T+20 bps',
    'On and after September 1, 2054, par call, in whole or in part',
  ])
  t.match(one, {
    coupon_rate: 5.5,
    maturity: '2055-03-01',
    principal: 500e8,
    cusip: '037833BZ2',
    make_whole_bps: 20,
    par_call_date: '2054-09-01',
    balance_date: '2025-03-06',
  })
  t.end()
})

t.test('an agreement to buy notes authorizes them', t => {
  const agreement = (title: string) =>
    `${title}\n\nDated as of December 20, 2023\n\nSECTION 1. AUTHORIZATION OF NOTES.\n\nThe Issuer will authorize the issue and sale of $240,000,000 aggregate principal of its Guaranteed Senior Notes, of which $120,000,000 aggregate principal amount shall be its 4.69% Series A Guaranteed Senior Notes due January 10, 2031 (the “Series A Notes”) and $120,000,000 aggregate principal amount shall be its 4.79% Series B Guaranteed Senior Notes due January 10, 2033 (the “Series B Notes”).`
  const read = (title: string) => agreedNotesIn(section(agreement(title), { period_end: null }))
  t.strictSame(said(read('NOTE AND GUARANTEE AGREEMENT')), [
    [4.69, '2031-01-10', 120, 'USD'],
    [4.79, '2033-01-10', 120, 'USD'],
  ])
  t.strictSame(read('SECOND AMENDMENT TO NOTE PURCHASE AGREEMENT'), [])
  t.end()
})

t.test('an agreement whose title says its years, and which defines no day, falls due then', t => {
  const read = (title: string, more = '') =>
    agreedFacilitiesIn(
      section(
        `U.S. $1,500,000,000\n\n${title}\n\nDated as of October 25, 2023\n\namong ALFA CORP and BETA BANK${more}`,
        {
          period_end: null,
        },
      ),
    ).map(r => [r.commitment! / 1e8, r.maturity, r.maturity_date])
  t.strictSame(read('AMENDED AND RESTATED FIVE-YEAR CREDIT AGREEMENT'), [[1500, '2028-10', null]])
  t.strictSame(read('AMENDMENT NO. 1 TO FIVE-YEAR CREDIT AGREEMENT'), [])
  t.strictSame(read('FIVE-YEAR CREDIT AGREEMENT', '\n"Termination Date" means October 20, 2028.'), [
    [1500, '2028-10-20', '2028-10-20'],
  ])
  t.end()
})

t.test('a note on the form of banks falls due with its final payment', t => {
  const [one, ...others] = agreedFacilitiesIn(
    section(
      'PROMISSORY NOTE\n\nPrincipal Amount: $542,179.13 Date of Note: February 10, 2024\n\nPROMISE TO PAY. ALFA CORP (“Borrower”) promises to pay to Beta Bank (“Lender”) the principal amount of Five Hundred Forty-two Thousand One Hundred Seventy-nine & 13/100 Dollars ($542,179.13), calculated using an interest rate of 4.050%.\n\nPAYMENT. Borrower will pay this loan in 59 payments. Borrower’s final payment will be due on January 27, 2029.',
      { period_end: null },
    ),
  )
  t.equal(others.length, 0)
  t.match(one, { coupon_rate: 4.05, maturity: '2029-01-27', principal: 54_217_913 })
  t.end()
})
