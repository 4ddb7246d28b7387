import t from 'tap'
import { coverOf } from '../../../engine/filing/cover.ts'
import { offeredNotesIn } from '../../../engine/filing/facts/offered-notes.ts'
import { termSheetNotesIn } from '../../../engine/filing/facts/term-sheets.ts'
import { htmlLines } from '../../../engine/filing/html-lines.ts'
import { sectionsOf } from '../../../engine/filing/sections.ts'
import { instrumentsIn } from '../../../engine/ingest/readers/debt-note.ts'
import { section } from './section.ts'

const sheet = (lines: readonly string[], more: { doc_type?: string } = {}) =>
  termSheetNotesIn(
    section(lines.join('\n'), {
      section_type: 'other',
      doc_type: 'FWP',
      filing_date: '2025-03-03',
      period_end: null,
      ...more,
    }),
  )

t.test('a term sheet of one series states it from the day on which it is paid for', t => {
  const lines = [
    'Alfa Corp',
    '$600,000,000 5.350% Senior Notes due 2035',
    'Issuer: | Alfa Corp',
    'Ratings*: | Baa2 / BBB',
    'Principal Amount: | $600,000,000',
    'Trade Date: | March 3, 2025',
    'Settlement Date**: | March 6, 2025 (T+3)',
    'Maturity Date: | March 15, 2035',
    'Coupon: | 5.350%',
    'Benchmark Treasury: | UST 4.625% due February 15, 2035',
    'Spread to Benchmark Treasury: | +120 basis points',
    'Make-Whole Call: | Prior to December 15, 2034, T+20 basis points',
    'Par Call: | On or after December 15, 2034',
    'Change of Control: | 101%',
    'CUSIP / ISIN: | 037833 BZ2 / US037833BZ29',
  ]
  const [one, ...others] = sheet(lines)
  t.equal(others.length, 0)
  t.match(one, {
    name: '5.35% Senior Notes due March 15, 2035',
    company_name: 'Alfa Corp',
    rule: 'note_offered',
    principal: 600e8,
    currency: 'USD',
    rate_type: 'fixed',
    coupon_rate: 5.35,
    maturity: '2035-03-15',
    make_whole_bps: 20,
    par_call_date: '2034-12-15',
    change_of_control_price: 101,
    callable: true,
    cusip: '037833BZ2',
    isin: 'US037833BZ29',
    balance_date: '2025-03-06',
    known_from: '2025-03-06',
  })
  t.match(one?.evidence, /Settlement Date\*\*: \| March 6, 2025/)
  t.strictSame(
    sheet(lines.filter(line => !line.startsWith('Settlement'))),
    [],
    'without that day it is no evidence',
  )
  t.strictSame(sheet(lines, { doc_type: '424B2' }), [], 'a prospectus is read by its own rules')
  t.strictSame(
    offeredNotesIn(
      section(lines.join('\n'), {
        section_type: 'other',
        doc_type: 'FWP',
        filing_date: '2025-03-03',
        period_end: null,
      }),
    ),
    [],
    'its title is no evidence either',
  )
  t.end()
})

t.test('a term sheet of a utility names its bonds by designation, and calls rows as it likes', t => {
  const identified = 'CUSIP / ISIN Number: | 037833 BZ2 / US037833BZ29'
  const [first] = sheet([
    'Designation: | First Mortgage Bonds, 5.95% Series due February 1, 2038',
    'Principal Amount: | $600,000,000',
    'Date of Maturity: | February 1, 2038',
    'Coupon Rate: | 5.95%',
    'Settlement Date (T+5 Days): | March 10, 2025',
    'Make-Whole Redemption Provision: | Prior to August 1, 2037, make-whole call at Adjusted Treasury Rate +20 basis points',
    'Par Redemption Provision: | On or after August 1, 2037',
    identified,
  ])
  t.match(first, {
    name: '5.95% First Mortgage Bonds due February 1, 2038',
    principal: 600e8,
    maturity_date: '2038-02-01',
    par_call_date: '2037-08-01',
    make_whole_bps: 20,
    cusip: '037833BZ2',
  })
  const [second] = sheet([
    'Name of Securities: | First Mortgage Bonds, 4.50% Series due June 1, 2064',
    'Size: | $300,000,000',
    'Maturity Date: | June 1, 2064',
    'Coupon (Interest Rate): | 4.50%',
    'Settlement Date: | March 10, 2025',
    identified,
  ])
  t.match(second, { name: '4.5% First Mortgage Bonds due June 1, 2064' })
  t.end()
})

t.test('as of a day before they are paid for, notes of a term sheet are not known', t => {
  const read = (known: string | null) =>
    instrumentsIn(
      section(
        [
          'Settlement Date: | March 6, 2025',
          'Principal Amount: | $600,000,000',
          'Maturity Date: | March 15, 2035',
          'Coupon: | 5.350%',
        ].join('\n'),
        { section_type: 'other', doc_type: 'FWP', filing_date: '2025-03-03', period_end: null },
      ),
      { ticker: 'ALFA', known },
    ).map(({ values }) => values['known_from'])
  t.strictSame(read('2025-03-03'), ['2025-03-06'])
  t.strictSame(read('2025-03-20'), ['2025-03-20'], 'a document that came later is known later')
  t.strictSame(read(null), [null])
  t.end()
})

t.test('headings do not part a term sheet', t => {
  const page = `<html><body><p align="center"><b>PRICING TERM SHEET</b></p><p align="center"><b>5.350% SENIOR NOTES DUE 2035</b></p>
    <table><tr><td>Settlement Date:</td><td>March 6, 2025</td></tr></table><p align="center"><b>ALFA CORPORATION</b></p><p>Text.</p></body></html>`
  t.equal(sectionsOf(htmlLines(page), 'FWP').length, 1)
  t.not(sectionsOf(htmlLines(page.replace('Settlement Date', 'Place')), 'FWP').length, 1)
  const filed = page.replace('<body>', '<body><p>Filed Pursuant to Rule 433</p><p>Registration No. 333-1</p>')
  t.equal(coverOf(htmlLines(filed)).form, 'FWP')
  t.end()
})

t.test('series side by side, in blocks, and named in their cells are each a row', t => {
  const said = (rows: ReturnType<typeof sheet>) =>
    rows.map(r => [
      r.coupon_rate ?? `${r.benchmark}+${r.spread_bps}`,
      r.maturity,
      (r.principal ?? 0) / 1e8,
      r.make_whole_bps ?? null,
      r.par_call_date ?? null,
      r.balance_date,
    ])
  const columns = sheet([
    'Issuer: | Alfa Corp',
    'Settlement Date: | March 6, 2025',
    '2030 Notes | 2055 Notes',
    'Title of Securities: | 4.950% Senior Notes due 2030 | 5.750% Senior Notes due 2055',
    'Principal Amount: | $500,000,000 | $750,000,000',
    'Maturity Date: | March 15, 2030 | March 15, 2055',
    'Coupon: | 4.950% | 5.750%',
    'Spread to Benchmark Treasury: | +80 bps | +110 bps',
    'Optional Redemption: | Make-whole call at T+15 bps prior to February 15, 2030; on or after February 15, 2030, at 100% of principal | Make-whole call at T+20 bps prior to September 15, 2054; on or after September 15, 2054, at 100% of principal',
  ])
  const expected = [
    [4.95, '2030-03-15', 500, 15, '2030-02-15', '2025-03-06'],
    [5.75, '2055-03-15', 750, 20, '2054-09-15', '2025-03-06'],
  ]
  t.strictSame(said(columns), expected)
  t.strictSame(
    columns.map(r => r.name),
    ['4.95% Senior Notes due March 15, 2030', '5.75% Senior Notes due March 15, 2055'],
  )
  const cells = sheet([
    'Size: | 2030 Notes: $500,000,000 2055 Notes: $750,000,000',
    'Maturity: | 2030 Notes: March 15, 2030 2055 Notes: March 15, 2055',
    'Coupon: | 2030 Notes: 4.950% 2055 Notes: 5.750%',
    'Make-whole call: | 2030 Notes: T+15 bps 2055 Notes: T+20 bps',
    'Par call: | 2055 Notes: On or after September 15, 2054 2030 Notes: On or after February 15, 2030',
    'Settlement: | T+3; March 6, 2025',
  ])
  t.strictSame(said(cells), expected)
  const blocks = sheet([
    'Fixed Rate Notes',
    'Principal Amount: $500,000,000',
    'Maturity Date: March 15, 2030',
    'Interest Rate: 4.950% per annum',
    'Make-Whole Call: +15 basis points',
    'Par Call Date: February 15, 2030',
    'Floating Rate Notes',
    'Principal Amount: $300,000,000',
    'Maturity Date: March 15, 2028',
    'Base Rate: Compounded SOFR',
    'Spread: +82 basis points',
    'Interest Rate: the Base Rate plus the Spread',
    'Terms of Both Series',
    'Settlement Date:',
    'March 6, 2025',
  ])
  t.strictSame(said(blocks), [
    [4.95, '2030-03-15', 500, 15, '2030-02-15', '2025-03-06'],
    ['SOFR+82', '2028-03-15', 300, null, null, '2025-03-06'],
  ])
  t.end()
})

t.test('a rate that is reset later is the first one, and months before the maturity are a day', t => {
  const [one] = sheet([
    'Security: | 2025 Series A Junior Subordinated Notes due 2055',
    'Principal Amount: | \u20ac500,000,000',
    'Original Issue Date: | March 6, 2025',
    'Maturity Date: | March 15, 2055',
    'Interest Rate: | (i) to, but excluding, March 15, 2030 at the rate of 6.500% per annum and (ii) from March 15, 2030 the Five-Year Treasury Rate plus a spread of 2.386%',
    'Par Call: | Three months prior to maturity',
  ])
  t.match(one, {
    name: '6.5% 2025 Series A Junior Subordinated Notes due March 15, 2055',
    currency: 'EUR',
    principal: 500e8,
    coupon_rate: 6.5,
    par_call_date: '2054-12-15',
  })
  t.notOk(one?.make_whole_bps, 'the spread of a reset is no make-whole')
  t.end()
})

t.test('structured notes give no row, and an increase of a series no amount', t => {
  const rows = (title: string) =>
    sheet([
      title,
      'Principal Amount: | $50,000,000',
      'Settlement Date: | March 6, 2025',
      'Maturity Date: | March 15, 2030',
      'Interest Rate: | 4.950%',
    ])
  t.strictSame(rows('Market Linked Notes due 2030'), [])
  t.strictSame(rows('Notes with Contingent Coupons'), [])
  t.match(rows('4.950% Senior Notes due 2030')[0], { principal: 50e8 })
  t.notOk(rows('4.950% Senior Notes due 2030 (reopening)')[0]?.principal)
  t.end()
})

t.test('the yield at which notes without a coupon are offered tells the index and margin', t => {
  const lines = (reoffer: string) => [
    'Structure: | 3 yr Floating Rate Notes',
    'Principal Amount: | $650,000,000',
    'Settlement Date: | March 6, 2025',
    'Maturity Date: | March 5, 2028',
    `Reoffer Yield: | ${reoffer}`,
  ]
  t.match(sheet(lines('3M EURIBOR + 14bp')), [
    { benchmark: 'EURIBOR', spread_bps: 14, rate_type: 'floating', maturity: '2028-03-05' },
  ])
  t.strictSame(sheet(lines('5.351%')), [], 'a yield is no coupon')
  t.match(sheet([...lines('3M EURIBOR + 14bp'), 'Coupon: | 5.250%']), [{ coupon_rate: 5.25 }])
  t.end()
})

t.test('a pricing supplement may state the terms of its notes in rows', t => {
  const supplement = (lines: readonly string[], offset = 0) =>
    offeredNotesIn(
      section(lines.join('\n'), {
        section_type: 'other',
        doc_type: '424B2',
        filing_date: '2025-03-03',
        period_end: null,
        offset,
      }),
    )
  const rows = (amount: string) => [
    'Title of Each Class of Securities Offered | Maximum Aggregate Offering Price',
    'Senior Notes | $500,000,000',
    'CUSIP No.: | 037833BZ2',
    `Principal Amount: | ${amount}`,
    'Original Issue Date: | March 6, 2025',
    'Maturity Date: | March 4, 2030',
    'Issue Price: | 99.826%',
    'Interest Rate/Initial Interest Rate: | 3.15%',
  ]
  const [one, ...others] = supplement(rows('$500,000,000'))
  t.match(one, {
    name: '3.15% Notes due March 4, 2030',
    coupon_rate: 3.15,
    principal: 500e8,
    maturity: '2030-03-04',
    known_from: '2025-03-06',
    cusip: '037833BZ2',
    rule: 'note_offered',
  })
  t.strictSame(others, [])
  t.strictSame(supplement(rows('$1,000')), [], 'the denomination of one note is no principal')
  t.strictSame(supplement(rows('$500,000,000'), 50_000), [], 'its opening states what is offered')
  t.strictSame(
    supplement([...rows('$500,000,000'), 'The return of the notes is linked to the shares of Beta Corp.']),
    [],
  )
  t.match(
    supplement([
      '$600,000,000 4.950% Fixed Rate Senior Notes Due June 6, 2027',
      'CUSIP: 037833BZ2',
      'Date of Issue: March 6, 2025',
      'Maturity Date: June 6, 2027',
      'Principal Amount: $600,000,000',
      'Interest Rate: 4.950% per annum',
    ]).map(row => [row.name, row.maturity, row.cusip]),
    [['4.95% Fixed Rate Senior Notes due June 6, 2027', '2027-06-06', '037833BZ2']],
    'a title and the rows state one series',
  )
  t.end()
})

t.test('a sheet tells of a call at par after what may be redeemed', t => {
  const [one] = sheet([
    'Principal Amount: | $600,000,000',
    'Settlement Date: | March 6, 2025',
    'Maturity Date: | May 15, 2035',
    'Coupon: | 5.350%',
    'Optional Redemption: | Prior to February 15, 2035 (three months prior to their maturity date), at the Treasury Rate plus 20 basis points. On or after February 15, 2035 (three months prior to their maturity date), the Company may redeem the notes, in whole or in part, at any time and from time to time, at a redemption price equal to 100% of the principal amount of the notes.',
  ])
  t.match(one, { make_whole_bps: 20, par_call_date: '2035-02-15' })
  t.end()
})

t.test('a spread over Treasuries may be a part of a percent, and a coupon interest', t => {
  const lines = (redemption: string, coupon: string) => [
    '4.900% Notes due 2032',
    'Size: | $250,000,000',
    coupon,
    'Maturity Date: | March 15, 2032',
    'Settlement Date: | T+3; March 6, 2025',
    redemption,
  ]
  const [one] = sheet(
    lines(
      'Redemption Provision: | Make-whole call at any time based on U.S. Treasury plus 0.25% (twenty five one-hundredths of one percent)',
      'Interest: | 4.900% per annum from March 6, 2025',
    ),
  )
  t.match(one, { coupon_rate: 4.9, maturity: '2032-03-15', make_whole_bps: 25 })
  const [other] = sheet(
    lines(
      'Redemption Provision: | At any time at 100% of principal plus accrued interest',
      'Coupon: | 4.900%',
    ),
  )
  t.match(other, { coupon_rate: 4.9, make_whole_bps: undefined })
  t.end()
})
