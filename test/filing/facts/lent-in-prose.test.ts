import t from 'tap'
import { instrumentsIn } from '../../../engine/ingest/readers/debt-note.ts'
import { section } from './section.ts'

// Loans and lines of small companies, and facilities of lists, as notes on debt and on events since tell them.

const MILLION = 1e8
const NOTE = { section_type: 'debt_footnote', doc_type: '10-Q', period_end: '2024-06-30' }
const SINCE = { ...NOTE, section_type: 'notes', title: '14. Subsequent Events', filing_date: '2024-08-02' }
const REPORT = {
  section_type: 'credit_agreement',
  doc_type: '8-K',
  title: 'Item 1.01 Entry into a Material Definitive Agreement',
  period_end: '2024-06-28',
  filing_date: '2024-07-01',
}
const all = (text: string, more = {}) =>
  instrumentsIn(section(text, { ...NOTE, ...more }), { ticker: null, known: null }).map(
    ({ values }) => values as Record<string, number | string | null>,
  )
const said = (text: string, more = {}) =>
  all(text, more).map(r => [r['name'], Number(r['commitment'] ?? 0) / MILLION, r['maturity'] ?? null])
const drawn = (text: string, more = {}) =>
  all(text, more).map(({ drawn: owed, undrawn }) => [
    owed == null ? null : Number(owed) / MILLION,
    undrawn == null ? null : Number(undrawn) / MILLION,
  ])

t.test('a loan agreement lends a loan in an amount, or what may be borrowed under it', t => {
  t.strictSame(
    said(
      'On May 15, 2023, the Company entered into a Credit Agreement with Alfa Bank, N.A. for a term loan in the amount of $5.5 million which is repayable in 48 equal monthly installments with a final payment due on May 15, 2027.',
    ),
    [['Term Loan due 2027', 5.5, '2027-05-15']],
  )
  t.strictSame(
    said(
      'In March 2023, we entered into a loan and security agreement, or the Loan Agreement, with Alfa Finance and Beta Bank, under which we may borrow up to a total of $30.5 million in two tranches. Payments are interest-only through the scheduled maturity date on July 1, 2027.',
    ),
    [['Loan and Security Agreement due 2027', 30.5, '2027-07-01']],
  )
  t.end()
})

t.test('amounts are dollars where a text of a report without a unit writes one of them out', t => {
  const line =
    'On September 30, 2023, the Company entered a revolving line of credit with Alfa Bank (“Alfa”) that provided for borrowings of up to $1,500,000 at the prime rate. This line of credit expired on March 16, 2024. On April 11, 2024, the Company entered a new line of credit agreement with the same terms, except that the maximum availability under the new line was reduced from $1,500,000 to $600,000. As of June 30, 2024, there was $600,000 outstanding and no borrowing availability under this line of credit. There were no borrowings during the three months ended June 30, 2024. The line of credit expires on April 16, 2025.'
  t.strictSame(
    all(line).map(r => [
      r['commitment'],
      r['drawn'] ?? null,
      r['maturity'] ?? null,
      r['ended_because'] ?? null,
    ]),
    [
      [6e7, 6e7, '2025-04-16', null],
      [1.5e8, null, null, 'terminated'],
    ],
    'what expired has ended, and a quarter without borrowings is no balance',
  )
  t.strictSame(said(line.replaceAll('$1,500,000', '$750,000'), NOTE), [], 'without one it may be thousands')
  t.end()
})

t.test(
  'a line that a company has is in force where the text says what is drawn, without a day on which it ends',
  t => {
    const line =
      'The Company has a line of credit available in the amount of $8,500,000 with Alfa Bank (the “Credit Agreement”). As of June 30, 2024 and December 31, 2023, the Company had $6,763,000 and $6,263,000, respectively, outstanding under the line of credit facility.'
    t.strictSame(said(line), [['Credit Agreement', 8.5, null]])
    t.strictSame(drawn(line), [[6.763, null]])
    const authorized =
      'At June 30, 2024, we were authorized to borrow up to $350 million under a revolving line of credit. As of June 30, 2024, we had no borrowings under our bank revolving line of credit.'
    t.strictSame(said(authorized), [['Revolving Line of Credit', 350, null]])
    t.strictSame(drawn(authorized), [[0, null]])
    t.strictSame(
      drawn(
        'We have a revolving line of credit with Alfa Bank for up to $12 million. At June 30, 2024, $9.8 million on the revolving line of credit was available.',
      ),
      [[null, 9.8]],
    )
    t.strictSame(said('We have a revolving line of credit with Alfa Bank for up to $12 million.'), [])
    const committed =
      'Our Amended Credit Facility with Alfa provides for a revolving credit commitment up to $22.5 million. As of June 30, 2024, $9.5 million was outstanding under the revolving line of credit.'
    t.strictSame(said(committed), [['Amended Credit Facility', 22.5, null]])
    t.strictSame(drawn(committed), [[9.5, null]])
    t.end()
  },
)

t.test('of two days the balance of the report’s day is drawn', t => {
  const facility = (rest: string) =>
    `The Company has a $60 million unsecured credit facility that matures on September 8, 2026. ${rest}`
  t.strictSame(
    drawn(
      facility(
        'The outstanding balance on the credit facility as of June 30, 2024 and December 31, 2023 was $25.5 million and $34.5 million and its interest rate was 3.75%.',
      ),
    ),
    [[25.5, null]],
  )
  t.strictSame(
    drawn(
      facility(
        'The balance outstanding under the credit facility on December 31, 2023 and June 30, 2024 was $34.5 million and $25.5 million.',
      ),
    ),
    [[25.5, null]],
  )
  t.end()
})

t.test(
  'facilities of a list with bullets, lent in parts, or of which the first is as large as the others together',
  t => {
    t.strictSame(
      said(
        'In April 2024, the Company entered into a new $36 million credit agreement with Alfa Bank consisting of the following: • an $18.0 million revolving credit line due April 2027; • a $10.8 million Real Estate Term Loan 1 with a 10-year term due April 2034; and • a $7.2 million Machinery Term Loan 2 due April 2031. The Credit Agreement had the effect of refinancing the previous $9.0 million term loan to a $10.8 million term loan.',
      ),
      [
        ['Revolving Credit Line due 2027', 18, '2027-04'],
        ['Real Estate Term Loan due 2034', 10.8, '2034-04'],
        ['Machinery Term Loan due 2031', 7.2, '2031-04'],
        ['Term Loan of USD 900000000, replaced', 9, null],
      ],
      'the loan to which another was refinanced has not ended',
    )
    t.strictSame(
      said(
        'The Credit Agreement provides for (i) a $110.0 million secured term loan (the “Term A Loan”), (ii) up to $55.0 million in delayed draw secured term loans (the “Delayed Draw Term Loan”), and (iii) a $55.0 million secured revolving credit facility (the “Revolving Credit Facility”), each maturing on June 26, 2027.',
      ),
      [
        ['Term A Loan due 2027', 110, '2027-06-26'],
        ['Delayed Draw Term Loan due 2027', 55, '2027-06-26'],
        ['Revolving Credit Facility due 2027', 55, '2027-06-26'],
      ],
    )
    t.strictSame(
      said(
        'The Agreement provides for a senior credit facility consisting of: (i) a term loan in the amount of $4.5 million (the “Term Loan”); and (ii) a development line of credit of up to $1.6 million (the “Development Line of Credit”). All outstanding amounts owed under the Agreement mature on September 13, 2028.',
      ),
      [
        ['Term Loan due 2028', 4.5, '2028-09-13'],
        ['Development Line of Credit due 2028', 1.6, '2028-09-13'],
      ],
    )
    t.end()
  },
)

t.test('what an amendment reduced, extended or left of a line is what it is now', t => {
  t.strictSame(
    said(
      'The Credit Agreement provided for a revolving line of credit in an aggregate principal amount of $5 million (the “Revolving LOC”). Effective May 25, 2024, the aggregate principal amount of the Revolving LOC was reduced to $1,500,000. The commitment to fund under the Revolving LOC was amended to terminate on June 30, 2025. As of June 30, 2024, there was no outstanding balance under the Revolving LOC.',
    ),
    [['Revolving LOC due 2025', 1.5, '2025-06-30']],
  )
  t.strictSame(
    said(
      'On July 22, 2024, the Company entered into the 2024 Amended Credit Agreement. The 2024 Amended Credit Agreement provides for a nine-month extension of the maturity date to August 15, 2025. The 2024 Amended Credit Agreement reduced the 2021 Revolving Facility from $50.0 million to $15.0 million. It reduced the letter of credit sublimit from $7.5 million to $5.0 million.',
      SINCE,
    ),
    [['Revolving Facility due 2025', 15, '2025-08-15']],
    'a sublimit is no facility',
  )
  t.strictSame(
    said(
      'On July 26, 2024, we entered into the Amended Facility with Alfa Bank. The Amended Facility provides a revolving credit line of $125 million, subject to borrowing base availability, and extends the maturity of the Facility to July 26, 2029. Borrowings bear interest at the Adjusted Term SOFR Rate (defined as the Term SOFR Rate plus 0.10%) plus 1.25% to 2.0%.',
      SINCE,
    ),
    [['Revolving Credit Line due 2029', 125, '2029-07-26']],
  )
  t.strictSame(
    said(
      'At March 29, 2024, we had a credit agreement that provided for a $205 million term loan facility and a $460 million revolving credit facility both maturing in May 2027. On May 29, 2024, we entered into a third amendment to our credit agreement (the “Amended Credit Agreement”) that extended the maturity date for the term loan and the revolving credit facility to May 2029. The Amended Credit Agreement is a senior secured facility that provides for a $194.8 million term loan facility and a $460 million revolving credit facility.',
    ),
    [
      ['Term Loan Facility due 2029', 194.8, '2029-05'],
      ['Revolving Credit Facility due 2029', 460, '2029-05'],
    ],
    'what a company had on an earlier day is history',
  )
  t.end()
})

t.test('a tenor before several facilities is that of each, and what letters of credit may be is none', t => {
  t.strictSame(
    said(
      'On June 25, 2024, the Company, as borrower, entered into a credit agreement (the “Credit Agreement”) with Alfa Bank. The Credit Agreement has a five-year term and provides for up to a $5.0 million revolving line of credit and a $15.0 million term loan. The Credit Agreement also provides for the issuance of letters of credit in an aggregate amount up to $1,000,000.',
      REPORT,
    ),
    [
      ['Revolving Line of Credit due 2029', 5, '2029-06'],
      ['Term Loan due 2029', 15, '2029-06'],
    ],
  )
  t.strictSame(
    said(
      'On June 26, 2024, we entered into a Credit Agreement that provides for senior unsecured facilities in an initial aggregate principal amount of up to $225 million (the “Credit Facilities”). The Credit Facilities are comprised of (a) a term loan facility in an initial aggregate principal amount of $60 million (the “Term Loan”); and (b) a revolving credit facility in an initial aggregate principal amount of up to $165 million (the “Revolving Credit Facility”). The final maturity of the Revolving Credit Facility is June 26, 2029. The final maturity of the Term Loan is June 26, 2029.',
      REPORT,
    ),
    [
      ['Term Loan due 2029', 60, '2029-06-26'],
      ['Revolving Credit Facility due 2029', 165, '2029-06-26'],
    ],
    'a sum of which the next sentence tells the parts is none beside them',
  )
  t.end()
})

t.test('a day of another debt is not that of the loan, and a loan repaid by its name has ended', t => {
  t.strictSame(
    said(
      'On July 11, 2024, the Company closed on a $73.0 million mortgage loan secured by Alfa Plaza. Proceeds were used to pay off the $63 million remaining balance of existing debt which was scheduled to mature in October 2024. The new mortgage loan matures in May 2039.',
      SINCE,
    ),
    [['Mortgage Loan due 2039', 73, '2039-05']],
  )
  t.strictSame(
    said(
      'We have a $2,000,000 revolving line of credit with Alfa Bank. Upon finalization of the line of credit, we extended the term of the $1,000,000 promissory note, described above, by one year to mature on August 29, 2026.',
    ),
    [],
  )
  t.strictSame(
    said(
      'In December 2021, the Company entered into a Loan and Security Agreement (the “Alfa Loan”) with Alfa Finance LLC pursuant to which the Company borrowed a total of $15.0 million. Principal was due in installments ending on July 1, 2026. In February 2024, the Company terminated and repaid all amounts outstanding under the Alfa Loan.',
    ),
    [['Loan and Security Agreement of USD 1500000000, terminated', 15, null]],
  )
  t.end()
})

t.test('an agreement lends what its sentence calls a loan or a line, and covenants have other days', t => {
  const kinds = (text: string) => all(text).map(r => [r['name'], r['instrument_type']])
  t.strictSame(
    kinds(
      'In May 2023, the Company entered into the Alfa Credit Agreement. The Alfa Credit Agreement consists of $40.0 million in a term loan. The term loan matures on May 1, 2028.',
    ),
    [['Term Loan due 2028', 'term_loan']],
  )
  t.strictSame(
    kinds(
      'The Company entered into a loan agreement with Alfa Bank, N.A. on May 7, 2023 (the “Loan Agreement”). The Loan Agreement provides an initial line of credit of $15.5 million for a 3 years term maturing on May 7, 2026 (the “Line of Credit”).',
    ),
    [['Line of Credit due 2026', 'revolver']],
  )
  t.strictSame(
    kinds(
      'Our Amended Credit Facility with Alfa provides for a revolving credit commitment up to $22.5 million. On March 8, 2024, we entered into an amendment to extend the date that the financial covenants of the Amended Credit Facility are effective from April 2024 to April 2026.',
    ),
    [],
    'a day from which covenants hold is no maturity',
  )
  t.strictSame(
    kinds(
      'We have a credit agreement that expires in May 2028. The Credit Agreement was amended to permit convertible debt in an aggregate principal amount not to exceed $3.6 billion.',
    ),
    [],
    'nor is other debt that an agreement permits',
  )
  t.strictSame(
    kinds(
      'On April 29, 2023, the Company entered into a five-year $150.0 million loan facility with Alfa Finance, providing up to $120.0 million in a term loan facility and a $30.0 million revolving loan facility.',
    ),
    [],
    'a facility that is the sum of its parts is none beside them',
  )
  t.end()
})

t.test('a period beside a day, and the bridge loan that expired, say nothing else of a facility', t => {
  const facility = (rest: string) =>
    `We entered into a $2.5 billion revolving credit facility that matures on May 8, 2028. ${rest}`
  t.strictSame(
    drawn(
      facility(
        'There were no borrowings outstanding under the credit facility as of and for the quarter ended June 30, 2024.',
      ),
    ),
    [[0, null]],
  )
  t.strictSame(
    all(facility('The bridge loan facility expired on May 20, 2024.')).map(r => r['rule']),
    ['facility_text'],
  )
  t.end()
})

t.test('facilities of a text that a table lists with the same letter and maturity are one row', t => {
  const note = [
    'Long-term debt consisted of the following (in thousands):',
    '',
    ' | June 30, 2024 | December 31, 2023',
    'Term A loan facility, due May 2029 | $97,500 | $98,750',
    'Term B loan facility, due May 2031 | 364,100 | 365,900',
    'Revolving credit facility, due May 2029 | 5,000 | 8,000',
    'Total | $466,600 | $472,650',
    '',
    'The credit agreement consists of (i) a $100.0 million term loan A facility maturing in May 2029, (ii) a $365.0 million term loan B facility maturing in May 2031 and (iii) a $75.0 million revolving loan facility maturing in May 2029.',
  ].join('\n')
  t.strictSame(
    all(note, { amounts_in: 'thousands' }).map(r => [
      r['name'],
      Number(r['carrying_amount']) / MILLION,
      Number(r['commitment']) / MILLION,
    ]),
    [
      ['Term A loan facility, due May 2029', 97.5, 100],
      ['Term B loan facility, due May 2031', 364.1, 365],
      ['Revolving credit facility, due May 2029', 5, 75],
    ],
  )
  t.end()
})
