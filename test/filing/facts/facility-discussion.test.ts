import t from 'tap'
import { creditFacilitiesIn } from '../../../engine/filing/facts/credit-facilities.ts'
import { section } from './section.ts'

const discussion = (text: string, more = {}) =>
  creditFacilitiesIn(
    section(text, {
      section_type: 'mda_liquidity',
      doc_type: '10-Q',
      has_told_facilities: false,
      ...more,
    }),
  )
const note = (text: string) =>
  creditFacilitiesIn(section(text, { section_type: 'debt_footnote', doc_type: '10-K' }))
const said = (rows: ReturnType<typeof discussion>) =>
  rows.map(({ rule, commitment, maturity }) => [rule, (commitment ?? 0) / 1e8, maturity ?? null])

t.test('the discussion of liquidity tells facilities where the notes of the report tell none', t => {
  const text =
    'Liquidity. We have a $3.5 billion five-year syndicated credit facility, which expires in December 2028. No amounts were outstanding under the facility at December 31, 2024.'
  t.match(discussion(text), [{ commitment: 350_000_000_000, maturity: '2028-12', drawn: 0 }])
  t.strictSame(discussion(text, { has_told_facilities: true }), [])
  t.strictSame(discussion(text, { has_told_facilities: undefined }), [])
  t.end()
})

t.test(
  'what is committed in all is told by its parts, each with the day on which most of it falls due',
  t => {
    const text = `Committed credit lines at December 31, 2024 were $9.3 billion, consisting of $6.5 billion of our corporate credit facility, $2.0 billion of our supplemental revolving credit facility, and $0.8 billion of our 364-day revolving credit facility. Lenders under our corporate credit facility have $1.4 billion of commitments maturing on April 26, 2027 and $5.1 billion of commitments maturing on April 26, 2029. Lenders under our supplemental revolving credit facility have $2.0 billion of commitments maturing on September 29, 2027. Lenders under our 364-day revolving credit facility have $0.8 billion of commitments maturing on April 24, 2025.`
    t.strictSame(said(discussion(text)), [
      ['facility_text', 6500, '2029-04-26'],
      ['facility_text', 2000, '2027-09-29'],
      ['facility_text', 800, '2025-04-24'],
    ])
    const drawn =
      'In 2024 we repaid $500 million of our corporate credit facility, which matures in May 2029.'
    t.strictSame(discussion(drawn), [], 'a part of a facility is none')
    t.end()
  },
)

t.test('a margin of the time before is not that of the facility now', t => {
  const text = `The senior facility consisted of a $300 million term loan A facility and a $900 million term loan B facility. Prior to May 2024, the term loan B facility bore interest at SOFR plus 2.75%. The term loan A facility matures in April 2027. The term loan B facility matures in April 2029 and bears interest at SOFR plus 2.25%.`
  t.match(note(text), [
    { commitment: 30_000_000_000, maturity: '2027-04' },
    { commitment: 90_000_000_000, maturity: '2029-04', spread_bps: 225 },
  ])
  t.end()
})

t.test('a loan of which the note says that all of it was repaid has ended', t => {
  const loan =
    'In January 2024, we entered into an $8.0 billion unsecured 364-day term loan (the “Term Loan”), maturing in January 2025.'
  t.strictSame(
    said(note(`${loan} As of December 31, 2024, the entire amount of the Term Loan has been repaid.`)),
    [['facility_ended', 8000, null]],
  )
  t.strictSame(said(note(`${loan} The term loan was repaid in full in October 2024.`)), [
    ['facility_ended', 8000, null],
  ])
  t.strictSame(said(note(`${loan} Subsequently, all of the term loan was repaid.`)), [
    ['facility_text', 8000, '2025-01'],
  ])
  t.end()
})

t.test('a loan of the discussion that was prepaid is none', t => {
  const text =
    'Financing activities in 2024 were related primarily to the prepayment of the Company’s $20.0 million senior term loan. The mortgage loan falls due on June 1, 2026.'
  t.strictSame(discussion(text), [])
  t.end()
})
