import t from 'tap'
import { debtLinesIn } from '../../../engine/filing/facts/debt-tables.ts'
import { section } from './section.ts'

const ranksIn = (text: string, more = {}) =>
  debtLinesIn(section(text, { section_type: 'debt_footnote', doc_type: '10-K', ...more })).map(
    ({ name, seniority, security_type }) => [name, seniority ?? null, security_type ?? null],
  )

const table = `
Long-term debt consisted of the following (in millions):

December 31, | 2024 | 2023

2.40% notes due 2030 | 750 | 750
3.30% notes due 2037 | 500 | 500
4.10% secured notes due 2041 | 100 | 100
Term loan due 2028 | 50 | 50
Total debt | 1,400 | 1,400
`
const RANKED = ['senior_unsecured', 'unsecured']
const UNRANKED = [null, null]

t.test('a sentence about all notes says the rank of those whose names say none, and of no loan', t => {
  for (const sentence of [
    'The Notes are senior unsecured obligations, and interest is payable in arrears.',
    'All of our notes in the table above are our general unsecured senior obligations.',
    'As of December 31, 2024, we had $1.3 billion of unsecured senior notes outstanding (the “Notes”).',
    'The notes issued in May 2020 and June 2023 are senior unsecured obligations and are collectively referred to as the “Notes.”',
    'Our senior notes rank equally with our other unsecured and unsubordinated indebtedness.',
    'The obligations under the notes rank equally in right of payment with all of our other existing and future senior unsecured indebtedness.',
  ])
    t.strictSame(
      ranksIn(`Note 11 – Debt\n${table}\n${sentence}\n`),
      [
        ['2.40% notes due 2030', ...RANKED],
        ['3.30% notes due 2037', ...RANKED],
        ['4.10% secured notes due 2041', ...UNRANKED],
        ['Term loan due 2028', ...UNRANKED],
      ],
      sentence,
    )
  t.strictSame(
    ranksIn(
      `Note 11 – Debt\n${table.replace('\n2.40%', '\nNon-recourse notes\n2.40%')}\nThe notes are unsecured senior obligations.\n`,
    ).map(([, seniority]) => seniority),
    [null, null, null, null],
    'not those below a heading that says another',
  )
  t.end()
})

t.test('a sentence about a series, by its year or its coupon, says the rank of that alone', t => {
  const of = (sentence: string) => ranksIn(`Note 11 – Debt\n${table}\n${sentence}\n`).slice(0, 2)
  t.strictSame(of('The 2037 Notes are unsecured and unsubordinated obligations of the Company.'), [
    ['2.40% notes due 2030', ...UNRANKED],
    ['3.30% notes due 2037', ...RANKED],
  ])
  t.strictSame(of('In May 2020, we issued $750 million of 2.40% senior unsecured notes.'), [
    ['2.40% notes due 2030', ...RANKED],
    ['3.30% notes due 2037', ...UNRANKED],
  ])
  t.strictSame(of('In May 2020, we issued $750 million of 2.40% senior notes.'), [
    ['2.40% notes due 2030', 'senior_unsecured', null],
    ['3.30% notes due 2037', ...UNRANKED],
  ])
  t.end()
})

t.test('a footnote says the rank of the lines below the heading with its mark', t => {
  const text = `Long-term debt comprises the following:

Scheduled Maturity (Dollars in millions) | Original Principal | Interest Rate | 2024 | 2023

Corporate Term Debt:(1)(2)

May 1, 2033 | $500 | 2.25% | $499 | $498
March 27, 2035 | 1,000 | 2.40% | 994 | 994

Yen Notes:(3)

November 20, 2030 | 9,000 | 2.60% | 2 | 6
Total | 1,495 | 1,498

(1) | These senior unsecured obligations rank equally with the Company's other unsecured and unsubordinated indebtedness.
(2) | The bonds are redeemable at the Company's option.
(3) | A subsidiary assumed loans, for which a distribution center serves as collateral.
`
  t.strictSame(ranksIn(text), [
    ['2.25% Corporate Term Debt due May 1, 2033', ...RANKED],
    ['2.4% Corporate Term Debt due March 27, 2035', ...RANKED],
    ['2.6% Yen Notes due November 20, 2030', ...UNRANKED],
  ])
  t.strictSame(
    debtLinesIn(section(text, { section_type: 'debt_footnote' })).map(row => row.instrument_type ?? null),
    ['bond', 'bond', null],
    'and what they are, where their names say only that they are debt',
  )
  t.end()
})

t.test(
  'the sentence that introduces a table of issues says their rank, as does a footnote next to its mark',
  t => {
    t.strictSame(
      ranksIn(`Note 5 – Debt

In May 2024, the Company issued $1.5 billion of senior unsecured notes consisting of the following:

(in millions, except percentages) | Par Value
4.250% notes due January 2029 | $500
5.100% notes due April 2034 | 1,000
`),
      [
        ['4.250% notes due January 2029', ...RANKED],
        ['5.100% notes due April 2034', ...RANKED],
      ],
    )
    t.strictSame(
      ranksIn(`Note 5 – Debt

Long-term debt comprises the following:

(Dollars in millions) | INTEREST RATE | 2024 | 2023
As of December 31,
Corporate Debt:(1)
March 27, 2029 | 2.40% | $999 | $998
March 27, 2034 | 2.75% | 998 | 997
Total | $1,997 | $1,995

(1)These senior unsecured obligations rank equally with other debt of the Company.
`).map(([, ...rank]) => rank),
      [RANKED, RANKED],
    )
    t.end()
  },
)

t.test(
  'notes that rank equally say nothing of bonds, nor do those that rank with what is not called other',
  t => {
    const ranks = (sentence: string) =>
      ranksIn(`Note 11 – Debt\n${table.replace('3.30% notes', '3.30% revenue bonds')}\n${sentence}\n`).slice(
        0,
        2,
      )
    t.strictSame(
      ranks('Our senior notes rank equally with our other unsecured and unsubordinated indebtedness.'),
      [
        ['2.40% notes due 2030', ...RANKED],
        ['3.30% revenue bonds due 2037', ...UNRANKED],
      ],
    )
    t.strictSame(ranks('The notes rank equally with our unsecured and unsubordinated indebtedness.')[0], [
      '2.40% notes due 2030',
      ...UNRANKED,
    ])
    t.end()
  },
)
