import t from 'tap'
import { instrumentsIn } from '../../../engine/ingest/readers/debt-note.ts'
import { section } from './section.ts'

const MILLION = 1e8
const NOTE = { section_type: 'debt_footnote', doc_type: '10-Q', period_end: '2024-06-30' }
const SINCE = { ...NOTE, section_type: 'notes', title: '14. Subsequent Events', filing_date: '2024-08-02' }
const all = (text: string, more = {}) =>
  instrumentsIn(section(text, { ...NOTE, ...more }), { ticker: null, known: null }).map(
    ({ values }) => values as Record<string, never>,
  )
const said = (text: string, more = {}) =>
  all(text, more).map(r => [
    r['name'],
    Number(r['principal'] ?? r['carrying_amount'] ?? r['commitment'] ?? 0) / MILLION,
    r['currency'],
    r['maturity'] ?? null,
  ])

t.test('a note without a table tells single loans', t => {
  t.strictSame(
    said(
      'In May 2023, the Company obtained a first mortgage loan (the "Alfa Loan") from Alfa Bank in an amount equal to $12.5 million. The Alfa Loan matures on May 31, 2028. In March 2024, the Company entered into a loan agreement with Beta Lending, N.A. for a term loan of up to $60.0 million, which matures on March 1, 2029.',
    ),
    [
      ['First Mortgage Loan due 2028', 12.5, 'USD', '2028-05-31'],
      ['Term Loan due 2029', 60, 'USD', '2029-03-01'],
    ],
  )
  t.strictSame(
    said(
      'The Company modified an existing $35.2 million loan secured by a property. The modification extended the maturity date from March 31, 2024 to March 31, 2026.',
    ),
    [['Loan due 2026', 35.2, 'USD', '2026-03-31']],
  )
  t.end()
})

t.test(
  'a loan falls due so many years after its agreement, and not at an extension that hangs on a condition',
  t => {
    const thousands = { amounts_in: 'thousands' }
    t.strictSame(
      said(
        'On April 18, 2024, the Company entered into a facility agreement with Alfa Bank for a $24,000 term loan. The loan bears interest of SOFR plus a margin of 2.75% and the term is four years. It is payable in installments of $500.',
        thousands,
      ),
      [['Term Loan due 2028', 24, 'USD', '2028-04']],
    )
    t.strictSame(
      said(
        'In May 2022, the Company entered into a loan agreement (the "Alfa Agreement"), under which the Company has borrowed an aggregate of $41.5 million of term loans. Borrowings under the Alfa Agreement are repayable until the maturity date of the loan on June 1, 2026; provided, however, if certain conditions are met, the maturity date will be extended to June 1, 2027.',
      ),
      [['Term Loans due 2026', 41.5, 'USD', '2026-06-01']],
    )
    t.end()
  },
)

t.test('amounts of a note are in thousands where they show it', t => {
  const told = (table: string, words: string) =>
    said(`${table}\n\n${words} The maturity date of our revolving credit facility is October 19, 2026.`, {
      amounts_in: 'thousands',
    }).map(([name, amount]) => [name, amount])
  const table = 'Term loan, due in 2027 | 310,000 | 310,000\nMortgage note, due in 2029 | 45,000 | 46,000'
  t.match(told(table, 'We have a $450,000 unsecured revolving credit facility.'), [
    ['Unsecured Revolving Credit Facility due 2026', 450],
  ])
  t.strictSame(
    told(
      'Term loan, due in 2027 | 900 | 1,000',
      'We have a $450,000 unsecured revolving credit facility.',
    ).filter(([name]) => /Revolving/.test(String(name))),
    [],
    'an amount beyond those of the table may be of dollars',
  )
  t.end()
})

t.test('tranches in two currencies are two loans', t => {
  t.match(
    said(
      'On July 9, 2024, the Company entered into the Second Amendment to the Credit Agreement. Pursuant to the Second Amendment, the Company (i) refinanced its existing USD Tranche B loan and Euro Tranche B loan with a new $1,850 USD Tranche B loan and a new \u20ac700 Euro Tranche B loan and (ii) reduced the margin.',
      { ...SINCE, amounts_in: 'millions' },
    ),
    [
      ['USD Tranche B Loan', 1850, 'USD', null],
      ['Euro Tranche B Loan', 700, 'EUR', null],
    ],
  )
  t.end()
})

t.test('loans that a sentence names together fall due when it says of both, and old ones are gone', t => {
  t.strictSame(
    said(
      'In February 2020, the Company entered into a facility consisting of (i) a $900.0 million term loan facility ("Old USD Term Loans") and (ii) a \u20ac400.0 million term loan facility ("Old EUR Term Loans"). The Refinancing Amendment provided for senior secured term loans denominated in U.S. dollars in an aggregate principal amount of $520.0 million (the "New USD Term Loans") and senior secured term loans denominated in euros in an aggregate principal amount of \u20ac380.0 million (the "New EUR Term Loans" and together with the New USD Term Loans, the "New Term Loans"). The New Term Loans are scheduled to mature on February 21, 2030.',
    ),
    [
      ['New USD Term Loans due 2030', 520, 'USD', '2030-02-21'],
      ['New EUR Term Loans due 2030', 380, 'EUR', '2030-02-21'],
    ],
  )
  t.end()
})

t.test(
  'the day of a loan named behind a facility, or in its own paragraph, is not the day of the facility',
  t => {
    const facility =
      'On February 6, 2024, the Company amended its ABL Revolving Credit Facility that matures on March 1, 2028. The maximum availability under the ABL Revolving Credit Facility was increased from $1.0 billion to $1.2 billion, which includes a First In, Last Out ("FILO") tranche. On January 8, 2024 the Company entered into a Term Loan Credit Agreement (the "Bank Loan"), which was used to repay borrowings under the ABL Revolving Credit Facility. The Bank Loan will mature on November 30, 2029.'
    t.match(said(facility), [['ABL Revolving Credit Facility due 2028', 1200, 'USD', '2028-03-01']])
    t.strictSame(
      said(
        'On January 31, 2024, a bilateral credit agreement of May 2020 increased from $300 million to $350 million. On April 4, 2024, a bilateral credit agreement initiated in 2018 was extended for three years to April 3, 2027.',
      ),
      [],
    )
    t.end()
  },
)

t.test(
  'what may be asked for is no facility, and an accordion or a sublimit beside one does not make it a part',
  t => {
    t.strictSame(
      said(
        'Under the ABL Credit Facility, the Company may request additional commitments in the aggregate principal amount of up to $250 million. The ABL Credit Facility matures on December 8, 2026.',
      ),
      [],
    )
    t.strictSame(
      said(
        'The Restated Agreement provides for an unsecured revolving credit facility (the "Credit Facility") in an aggregate principal amount of $350.0 million and includes an accordion feature. The Credit Facility matures on October 27, 2026.',
      ).map(([, ...terms]) => terms),
      [[350, 'USD', '2026-10-27']],
    )
    t.strictSame(
      said(
        'We have a revolving credit facility with commitments of $650 million and a letter of credit sublimit of $150 million, which matures in June 2027.',
      ).map(([, ...terms]) => terms),
      [[650, 'USD', '2027-06']],
    )
    t.end()
  },
)

t.test('a facility whose commitment a note states as of its day needs no maturity', t => {
  t.strictSame(
    said(
      'As of June 30, 2024, this credit agreement consisted of a senior revolving loan facility (Revolving Credit Facility) with an aggregate commitment of $480 million.',
    ),
    [['Senior Revolving Loan Facility', 480, 'USD', null]],
  )
  t.end()
})

t.test(
  'notes without a coupon, and series whose terms stand by their name, are told where nothing else is',
  t => {
    t.strictSame(
      said(
        'In February 2023, the Company issued \u20ac650 million ($705 million as of June 30, 2024) principal amount of notes due February 2029 (the "2023 EUR Notes"). The notes may be redeemed at any time.',
      ),
      [['2023 EUR Notes due 2029', 650, 'EUR', '2029-02']],
    )
    t.strictSame(
      said(
        'In February 2023, the Company issued $650 million principal amount of notes due February 2029 (the "2023 Notes"). In May 2024, the Company repurchased the 2023 Notes.',
      ),
      [],
    )
    t.match(
      all(
        'On May 23, 2016, we issued our First Mortgage Bonds, Series 2016A ("Series 2016A Bonds") in an offering under the Act, with an aggregate principal amount of $275 million. The Series 2016A Bonds mature on June 1, 2046 and bear interest at a rate of 4.375 percent per annum.',
      ),
      [
        {
          name: '4.375% Series 2016A Bonds due 2046',
          principal: 275 * MILLION,
          coupon_rate: 4.375,
          maturity: '2046-06-01',
        },
      ],
    )
    t.match(all('As of June 30, 2024, the principal amount of debentures outstanding totaled $98,765,000.'), [
      { carrying_amount: 98.765 * MILLION },
    ])
    t.end()
  },
)

t.test(
  'a table in thousands of euros is in euros, and a rate and a premium in a name are no rate of a day',
  t => {
    const debt = all(
      'As of June 30, 2024 and December 31, 2023, debt consisted of the following:\n\nin \u20ac THOUS | June 30, 2024 | December 31, 2023\nCredit agreement | 1,250,000 | 1,310,000\nBonds | 4,100,000 | 4,000,000\nTotal debt | 5,350,000 | 5,310,000\n',
    )
    t.match(debt, [
      { carrying_amount: 1250 * MILLION, currency: 'EUR' },
      { carrying_amount: 4100 * MILLION, currency: 'EUR' },
    ])
    t.match(
      all(
        'Our debt was (in thousands):\n\n | June 30, 2024 | December 31, 2023\nUnsecured term loan, due in 2027 | $350,000 | $350,000\nMortgage note payable, 5.73% interest rate, including unamortized premium of $463, due in 2028(1) | 48,600 | 49,200\nMortgage note payable, 6.21% interest rate, due in 2029(1) | 24,200 | 24,400\n | $422,800 | $423,600\n',
      ),
      [
        { carrying_amount: 350 * MILLION },
        { coupon_rate: 5.73, carrying_amount: 48.6 * MILLION, maturity: '2028' },
        { coupon_rate: 6.21, carrying_amount: 24.2 * MILLION, maturity: '2029' },
      ],
    )
    t.end()
  },
)

t.test(
  'a loan that its agreement lent and that was repaid is gone, and 364 days are not the day of another facility',
  t => {
    const loan =
      'In May 2023, Alfa Luxco entered into a term loan agreement (the "2023 Loan Agreement") with a bank. The 2023 Loan Agreement provides an unsecured term loan in an aggregate principal amount of up to $300 million'
    t.strictSame(
      said(
        `${loan}, due in May 2027. In March 2024, the proceeds were used to repay the $290 million 2023 Loan Agreement.`,
      ),
      [],
    )
    t.strictSame(
      said(`${loan} with a term of 364 days. The revolving facility expires in December 2028.`),
      [],
    )
    t.match(said(`${loan}, due in May 2027.`), [['Unsecured Term Loan due 2027', 300, 'USD', '2027-05']])
    t.end()
  },
)

t.test(
  'what was agreed after the day of the report, or is a portion of a facility, is none of its day',
  t => {
    const provides =
      'The Exit Credit Agreement provides for a senior secured revolving credit facility of $700 million, which matures on December 31, 2027.'
    t.strictSame(
      said(
        `On July 20, 2024, the Company entered into the Exit Credit Agreement with the lenders. ${provides}`,
      ),
      [],
    )
    t.match(
      said(
        `On May 20, 2024, the Company entered into the Exit Credit Agreement with the lenders. ${provides}`,
      ),
      [[/Facility due 2027/, 700, 'USD', '2027-12-31']],
    )
    t.strictSame(
      said(
        'In May 2024, a portion of the Alfa Revolving Facility in the amount of $150 million was made available. The Alfa Revolving Facility matures in May 2027.',
      ),
      [],
    )
    t.end()
  },
)

t.test(
  'a commitment that was increased since is the larger one, and its own day goes before one that is inferred',
  t => {
    t.match(
      said(
        'In October 2022, we entered into a $400 million secured revolving credit facility with a lender, which we subsequently increased to $520 million and may from time to time increase (the "Credit Facility"). The Credit Facility is available for a term of three years.',
      ),
      [['Credit Facility due 2025', 520, 'USD', '2025-10']],
    )
    t.match(
      said(
        'The amended agreement includes a term loan and a $85 million revolving credit line including letters of credit (together, the "Credit Facility"). The Credit Facility is to be repaid in March 2027. Under the amendment, the maturity date of our $85 million credit facility has been extended from March 31, 2025 to August 7, 2028.',
      ).filter(([, amount]) => amount === 85),
      [[/2028/, 85, 'USD', '2028-08-07']],
    )
    t.end()
  },
)
