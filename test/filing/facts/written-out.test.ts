import t from 'tap'
import { creditFacilitiesIn } from '../../../engine/filing/facts/credit-facilities.ts'
import { debtLinesIn } from '../../../engine/filing/facts/debt-tables.ts'
import { section } from './section.ts'

const debtNote = (text: string, more = {}) =>
  section(text, { section_type: 'debt_footnote', doc_type: '10-K', ...more })

t.test('amounts written out to the dollar are read as such', t => {
  const text = `Note 7 – Credit Facilities

The Company's line of credit agreement with a bank provides for borrowings of up to $1,250,000, secured by all of its assets, and matures on May 28, 2026. Interest is at the prime rate plus 1.50%.

In March 2023, the Company issued $7,500,000 aggregate principal amount of 6.25% senior notes due March 15, 2030.`
  t.strictSame(
    creditFacilitiesIn(debtNote(text)).map(f => [f.instrument_type, f.commitment, f.maturity]),
    [['revolver', 125_000_000, '2026-05-28']],
  )
  t.match(debtLinesIn(debtNote(text)), [{ coupon_rate: 6.25, principal: 750_000_000 }])
  t.end()
})

t.test('a report in millions may write an amount out, and one in thousands has no amount', t => {
  const millions =
    'In May 2024, we entered into a $2,000 five-year revolving credit facility, and a $1,500,000 term loan that matures in May 2028.'
  t.strictSame(
    creditFacilitiesIn(debtNote(millions, { amounts_in: 'millions' })).map(f => [f.commitment, f.maturity]),
    [
      [200_000_000_000, '2029-05'],
      [150_000_000, '2028-05'],
    ],
  )
  const thousands =
    'In May 2024, we entered into a $2,000,000 thousand revolving credit facility that matures in May 2029.'
  t.strictSame(creditFacilitiesIn(debtNote(thousands)), [])
  t.end()
})

t.test('a facility of a report of the last century falls due when its note says', t => {
  const text =
    'Bank line of credit, with maximum borrowings of $1,500,000, secured by receivables, due May 31, 1997. Interest at the prime rate.'
  const day = { period_end: '1996-03-31', filing_date: '1996-06-28' }
  t.match(creditFacilitiesIn(debtNote(text, day)), [{ commitment: 150_000_000, maturity: '1997-05-31' }])
  t.end()
})

t.test('notes fall due their tenor after the month of their issue', t => {
  const text = `Long-term debt

In May 2023, we issued $500 of three-year Senior Notes at a fixed coupon rate of 4.700%, $400 of 10-year Senior Notes at a fixed coupon rate of 4.900% and $300 of thirty-year bonds at 5.150%.`
  const said = (words: string) =>
    debtLinesIn(debtNote(words, { amounts_in: 'millions' })).map(n => [
      n.coupon_rate,
      n.maturity,
      (n.principal ?? 0) / 1e8,
    ])
  t.strictSame(said(text), [
    [4.7, '2026-05', 500],
    [4.9, '2033-05', 400],
    [5.15, '2053-05', 300],
  ])
  t.strictSame(said(text.replace('In May 2023, we', 'We')), [], 'without the month there is no day')
  t.end()
})
