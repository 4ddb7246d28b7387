import t from 'tap'
import { creditFacilitiesIn } from '../../../engine/filing/facts/credit-facilities.ts'
import { section } from './section.ts'

const BILLION = 100_000_000_000
const read = (text: string) =>
  creditFacilitiesIn(section(text, { section_type: 'debt_footnote', doc_type: '10-K' }))
const ended = (text: string) =>
  read(text)
    .filter(row => row.rule === 'facility_ended')
    .map(row => [row.commitment! / BILLION, row.ended_because, row.ended_on, row.maturity ?? null])
const standing = (text: string) =>
  read(text)
    .filter(row => row.rule === 'facility_text')
    .map(row => row.commitment! / BILLION)

t.test('a facility has ended where the text says that it was terminated or replaced', t => {
  t.strictSame(
    ended(
      'The agreement replaced the amended and restated $3.0 billion, five-year revolving credit agreement and the $1.25 billion 364-day credit facility that would have expired in November 2025 and November 2024, respectively.',
    ),
    [
      [3, 'replaced', null, null],
      [1.25, 'replaced', null, null],
    ],
  )
  t.strictSame(
    ended(
      'The Company’s $2.0 billion revolving credit agreement scheduled to expire in September 2024 was terminated in August 2024, and there were no outstanding borrowings at the time of termination.',
    ),
    [[2, 'terminated', null, '2024-09']],
  )
  t.strictSame(
    ended(
      'In October 2024, we entered into a new 364-day unsecured revolving credit facility with a borrowing capacity of $6.0 billion, which we terminated on November 24, 2024.',
    ),
    [[6, 'terminated', '2024-11-24', null]],
  )
  t.end()
})

t.test('a later sentence ends the facility that it points to, names or calls by its tenor', t => {
  const two =
    'On June 17, 2024, the Company entered into a $3.5 billion unsecured five-year revolving credit facility and a $1.5 billion unsecured 18-month revolving credit facility. The five-year facility matures on June 17, 2029. The 18-month facility matures on December 15, 2025.'
  t.strictSame(ended(`${two} On August 9, 2024 the Company terminated the 18-month facility.`), [
    [1.5, 'terminated', '2024-08-09', null],
  ])
  t.strictSame(standing(`${two} On August 9, 2024 the Company terminated the 18-month facility.`), [3.5])
  t.strictSame(
    ended(
      'In January 2024, we entered into a $2.5 billion revolving credit facility maturing in January 2026. The Company terminated the credit facility in May 2024.',
    ),
    [[2.5, 'terminated', null, null]],
  )
  t.strictSame(
    ended(
      'In September 2024, we entered into a credit facility expiring in July 2025 in the amount of 80 billion Japanese yen. In November 2024, we entered into a credit facility expiring in November 2025 in the amount of 150 million euros. In December 2024, the Company paid the outstanding balances and closed these credit facilities.',
    ).length,
    2,
  )
  t.end()
})

t.test('plans, proceeds, other agreements and what took the place end nothing', t => {
  const facility = 'We have a $2.0 billion revolving credit facility maturing in May 2027.'
  for (const text of [
    'We may terminate the facility at any time.',
    'The commitments will be terminated if we default.',
    'The bridge loan was paid in full and terminated upon receipt of proceeds from the $2.0 billion term loan.',
    'In 2024 we terminated our swap agreements.',
    'The facility replaced our prior credit agreement, which was terminated.',
    'On May 1, 2024, we terminated our prior $2.0 billion revolving credit facility.',
  ]) {
    t.strictSame(ended(`${facility} ${text}`), [], text)
    t.strictSame(standing(`${facility} ${text}`), [2], text)
  }
  t.end()
})

t.test(
  'a sentence may end one facility, reduce another and reduce what commercial paper may be issued',
  t => {
    const text =
      'At the beginning of the year we had back-up credit facilities, which consisted of a five-year $3.5 billion credit facility scheduled to expire in July 2027. ' +
      'In May 2024, we entered into three additional back-up credit facilities that consisted of a 364-day $3.0 billion credit facility scheduled to expire in May 2025, a three-year $1.0 billion credit facility scheduled to expire in May 2027, and a 364-day $10.0 billion credit facility scheduled to expire in May 2025. ' +
      'On June 27, 2024, we terminated the $10.0 billion back-up credit facility, and subsequently reduced our commercial paper program from $19.5 billion to $9.5 billion. ' +
      'In December 2024, we reduced our total credit facilities. This reduction included terminating the three-year $1.0 billion back-up credit facility that was scheduled to expire in May 2027 and reducing the aggregate commitments under the 364-day back-up credit facility that is scheduled to expire in May 2025 from $3.0 billion to $2.0 billion.'
    t.strictSame(standing(text).sort(), [2, 3.5])
    t.strictSame(
      [...new Set(ended(text).map(([commitment, because]) => `${because} ${commitment}`))].sort(),
      ['terminated 1', 'terminated 10'],
    )
    t.equal(read(text).find(row => row.commitment === 2 * BILLION)?.maturity, '2025-05')
    t.end()
  },
)

t.test('a new agreement ends the prior one, where the text names one alone', t => {
  const first =
    'In April 2021 we agreed on a $225.0 million revolving unsecured credit facility maturing on April 4, 2026.'
  const second =
    'On November 2, 2024, the Company entered into a new revolving credit agreement with certain lenders, which extinguished the prior revolving credit agreement, and provided for a $350.0 million revolving secured credit facility maturing in November 2029.'
  const other = 'We also have a $100.0 million revolving credit facility maturing in May 2027.'
  t.strictSame(standing(`${first} ${second}`), [0.35])
  t.strictSame(standing(`${first} ${other} ${second}`), [0.225, 0.1, 0.35], 'it may be either of two')
  t.end()
})

t.test('a term loan has ended where later proceeds paid off what remained of it', t => {
  const loan =
    'On October 11, 2013, we entered into a credit agreement for a $2.5 billion secured term loan facility maturing in October 2027 (the "Original Term Loan").'
  const paid = (words: string) =>
    standing(`${loan} On August 23, 2024 we entered into an amendment. ${words}`)
  t.strictSame(
    paid(
      'The proceeds were primarily used to pay off the remaining outstanding principal balance on the Original Term Loan of $319 million.',
    ),
    [],
  )
  t.strictSame(paid('The proceeds were used to repay a part of the Original Term Loan.'), [2.5])
  t.strictSame(
    standing(
      'On March 31, 2024, we entered into a fourth amendment to the Credit Agreement, due October 2027, which provided for an incremental tranche of term loans "A" in the aggregate principal amount of $250 million.',
    ),
    [],
    'a tranche of loans is not what the agreement commits',
  )
  t.end()
})

t.test('a facility that was renewed after others were closed is none of those', t => {
  const text =
    'In addition, the Company entered into a $1.25 billion 364-day credit facility, which was renewed in November 2021 with an expiration date of November 2022. ' +
    'In September 2019, the Company entered into a credit facility expiring in July 2020 in the amount of 80 billion Japanese yen. During the third quarter of 2020, the Company paid the outstanding balances and closed these credit facilities.'
  t.strictSame(
    ended(text).map(([commitment]) => commitment),
    [0.8],
  )
  t.end()
})
