import t from 'tap'
import { ingest } from '../../engine/ingest/ingest.ts'
import { ratingActions } from '../../engine/ingest/readers/rating-actions.ts'
import { ratingList } from '../../engine/ingest/readers/rating-list.ts'
import { makeFolder, refusedIn, rowsOf } from './lake-rows.ts'
import { reading, rowsFor, sourceOf } from './reading.ts'

const ACTIONS = `Rating,Name,Symbol,Rating Agency Name,Date,Sector,currentRatio
A,Whirlpool Corporation,WHR,Egan-Jones Ratings Company,11/27/2015,Consumer Durables,0.9
BBB,"Acme, Inc.",acm,Standard & Poor's Ratings Services,2/3/2014,Capital Goods,0.9
Baa2,Acme,ACM,Moody's Investors Service,12/31/2014,Capital Goods,
WD,Acme,ACM,Fitch Ratings,1/2/2015,,
A-1,Acme,ACM,Fitch Ratings,1/2/2015,,
BB,Acme,ACM,Fitch Ratings,2015,,
`

t.test('a file that writes the day before the month is refused whole', async t => {
  const file = (...days: string[]) =>
    `Rating,Name,Symbol,Rating Agency Name,Date\n${days.map(day => `BB,Acme,ACM,Fitch Ratings,${day}\n`).join('')}`
  await t.rejects(reading(ratingActions, file('05/06/2024', '15/06/2012', '01/02/2013')), {
    name: 'Refused',
    message: /day first \(15\/06\/2012 in row 3\)/,
  })
  const slip = await reading(ratingActions, file('6/15/2012', '15/06/2012'))
  t.equal(slip.refused.length, 1, 'a slip in a file that writes the month first is refused alone')
  const plain = await reading(ratingActions, file('05/06/2024'))
  t.equal(rowsFor(plain, 'ratings')[0]?.['effective_date'], '2024-05-06')
})

t.test('actions of the three agencies are taken in either alphabet, others are refused', async t => {
  t.ok(ratingActions.recognises(sourceOf(ACTIONS)))
  const r = await reading(ratingActions, ACTIONS)
  t.strictSame(rowsFor(r, 'ratings')[0], {
    ticker: 'ACM',
    company_name: 'Acme, Inc.',
    sector: 'Capital Goods',
    agency: 'sp',
    rating: 'BBB',
    rating_type: 'issuer',
    effective_date: '2014-02-03',
    source_section_type: 'imported',
  })
  t.strictSame(
    rowsFor(r, 'ratings').map(v => [v['agency'], v['rating'], v['effective_date']]),
    [
      ['sp', 'BBB', '2014-02-03'],
      ['moodys', 'Baa2', '2014-12-31'],
      ['fitch', 'WD', '2015-01-02'],
    ],
  )
  t.match(
    r.refused.map(({ at, reason }) => `${at}: ${reason}`),
    [/^row 2: agency "Egan-Jones Ratings Company"/, /^row 6: Rating: "A-1"/, /^row 7: Date: "2015"/],
  )
})

t.test('a file of whole letters, and ratings of one agency in the letters of another, are noted', async t => {
  const file = (letters: readonly string[], agency: string) =>
    `Rating,Name,Symbol,Rating Agency Name,Date\n${letters.map(letter => `${letter},Acme,ACM,${agency},2/3/2014\n`).join('')}`
  const many = (...letters: string[]) => Array.from({ length: 30 }, (_, i) => letters[i % letters.length]!)
  const whole = await reading(ratingActions, file(many('BBB', 'A', 'BB'), "Moody's Investors Service"))
  t.match(whole.notes, [/^none of 30 ratings has a \+ or -/, /^20 ratings of Moody's are in S&P's letters/])
  t.equal(whole.notes.length, 2)
  const marked = await reading(ratingActions, file([...many('BBB', 'A'), 'BB+'], 'Fitch Ratings'))
  t.strictSame(marked.notes, [])
  t.strictSame((await reading(ratingActions, file(['BBB', 'Baa2'], 'Fitch Ratings'))).notes, [])
})

const LIST = `symbol,sp,moodys,source,retrieved,verified
AAPL,AA+,Aaa,"press, one",2026-07-26,yes
F,BB+,,press,2026-07-26,no
XYZ,,,press,2026-07-26,no
BAD,AA++,,press,2026-07-26,no
DAY,AA,,press,soon,no
`

t.test('a list gives current ratings, known from its retrieval, without an effective date', async t => {
  t.ok(ratingList.recognises(sourceOf(LIST)))
  const r = await reading(ratingList, LIST)
  t.strictSame(
    r.taken.map(({ at, outputs }) => [
      at,
      ...outputs.map(o => `${o.values['agency']} ${o.values['rating']}`),
    ]),
    [
      ['row 2', 'sp AA+', 'moodys Aaa'],
      ['row 3', 'sp BB+'],
    ],
  )
  for (const row of rowsFor(r, 'ratings'))
    t.match(row, { effective_date: null, known_from: '2026-07-26', rating_type: 'issuer' })
  t.strictSame(
    r.refused.map(({ at, reason }) => [at, reason]),
    [
      ['row 4', 'no rating by any agency'],
      ['row 5', 'sp: "AA++" is on neither long-term rating scale'],
      ['row 6', 'retrieved: "soon" is not a date'],
    ],
  )
  t.match(r.notes, [/^1 of 2 rows are marked as not verified/])
})

t.test(
  'a table of ratings names agencies and types as agencies do, and has long-term letters only',
  async t => {
    const { lake, put } = await makeFolder(t)
    const path = await put(
      'letters.csv',
      [
        'ticker,agency,rating,rating_type,effective_date',
        'ACM,S&P Global Ratings,BBB-/Negative/A-3,Issuer Credit Rating,2024-03-01',
        'ACM,Moody\'s,"Baa3, watch negative",issuer,2024-03-02',
        'ACM,Fitch Ratings,WD,Issuer default rating,2024-03-03',
        'ACM,fitch,F3,issuer,2024-03-04',
        'ACM,sp,A-1+,issuer,2024-03-05',
        'ACM,sp,brAA+,issuer,2024-03-06',
        'ACM,moodys,Aa2.br,issuer,2024-03-07',
        'ACM,sp,AA (mex),issuer,2024-03-08',
        'ACM,Kroll,BBB,issuer,2024-03-09',
      ].join('\n'),
    )
    await ingest(lake, [path])
    t.strictSame(await rowsOf(lake, 'ratings', 'agency, rating, rating_type'), [
      { agency: 'sp', rating: 'BBB-/Negative/A-3', rating_type: 'issuer' },
      { agency: 'moodys', rating: 'Baa3, watch negative', rating_type: 'issuer' },
      { agency: 'fitch', rating: 'WD', rating_type: 'issuer' },
    ])
    t.match(await refusedIn(lake), [
      ...['F3', 'A-1\\+', 'brAA\\+', 'Aa2.br', 'AA .mex.'].map(
        letter => new RegExp(`rating ${letter} is on neither long-term rating scale`),
      ),
      /agency Kroll must be one of/,
    ])
  },
)
