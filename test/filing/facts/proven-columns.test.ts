import t from 'tap'
import { debtLinesIn } from '../../../engine/filing/facts/debt-tables.ts'
import { section } from './section.ts'

const noteOf = (text: string, more = {}) =>
  section(text, { section_type: 'debt_footnote', doc_type: '10-K', period_end: '2024-12-31', ...more })
const read = (text: string, more = {}) =>
  debtLinesIn(noteOf(text, more)).map(r => [
    r.name,
    r.principal === undefined || r.principal === null ? null : r.principal / 1e8,
    r.carrying_amount === undefined || r.carrying_amount === null ? null : r.carrying_amount / 1e8,
  ])

/** Lines of two columns that add up, below heads that a test writes. */
const LINES = `Bank term debt | 400 | 390
Northern mill loan | 250 | 260
6.5% senior notes due 2031 | 300 | 300
Total debt | 950 | 950
`

t.test('of columns that add up the one whose shortened heads have the day of the report is read', t => {
  t.strictSame(
    read(`Debt is summarized below (in millions):

March 31, | December 31, | Letters
(in millions) | 2024 | 2024 | Available
Equipment loan | 120 | 115 | 10
7.5% senior notes due 2029 | 271 | 272 | —
Notes payable to banks | 429 | 580 | 258
Total debt | $820 | $967 | $268
`),
    [
      ['Equipment loan', null, 115],
      ['7.5% senior notes due 2029', null, 272],
      ['Notes payable to banks', null, 580],
    ],
  )
  t.end()
})

t.test('a pair of columns of the day is what is owed and what it is carried at', t => {
  t.strictSame(
    read(`Debt is summarized below (in millions):

December 31, 2024 | December 31, 2023
Par | After allocated expenses | Par | After allocated expenses
Bank term debt | $400 | $395 | $410 | $404
Northern mill loan | 250 | 248 | 260 | 257
6.5% senior notes due 2031 | 300 | 291 | 300 | 290
Total debt | $950 | $934 | $970 | $951
`),
    [
      ['Bank term debt', 400, 395],
      ['Northern mill loan', 250, 248],
      ['6.5% senior notes due 2031', 300, 291],
    ],
  )
  t.end()
})

t.test('parts of a balance in two columns are one', t => {
  t.strictSame(
    read(`Debt is summarized below (in millions):

December 31, 2024 | December 31, 2023
Current portion | Long-term portion | Current portion | Long-term portion
Bank term debt | $20 | $380 | $20 | $400
Northern mill loan | 10 | 240 | 10 | 250
6.5% senior notes due 2031 | — | 300 | — | 300
Total debt | $30 | $920 | $30 | $950
`),
    [
      ['Bank term debt', null, 400],
      ['Northern mill loan', null, 250],
      ['6.5% senior notes due 2031', null, 300],
    ],
  )
  t.end()
})

t.test('nothing is read where a column does not add up or none is told to be of the day', t => {
  const heads = 'Debt is summarized below (in millions):\n\n'
  const amounts = (text: string) =>
    read(text).filter(([, principal, carried]) => (carried ?? principal) !== null)
  t.strictSame(amounts(`${heads}Group | Trust\n${LINES}`), [], 'no day')
  t.strictSame(
    amounts(`${heads}December 31, 2022 | December 31, 2023\n${LINES}`),
    [],
    'days of other reports',
  )
  t.strictSame(
    amounts(`${heads}December 31, 2024\nEstimated market value | Amount available\n${LINES}`),
    [],
    'market values and what is available',
  )
  t.strictSame(
    amounts(`${heads}Maturing in\n2024 | 2025 | Thereafter
Bank term debt | 100 | 200 | 100
Northern mill loan | 50 | 100 | 100
6.5% senior notes due 2031 | — | — | 300
Total debt | 150 | 300 | 500
`),
    [],
    'payments to come',
  )
  t.strictSame(
    amounts(`${heads}Amount at December 31, 2024 | Of last year\nBank term debt | 410 | 390
Northern mill loan | 250 | 260
6.5% senior notes due 2031 | 300 | 300
5.5% senior notes due 2033 | 100 | 100
5.0% senior notes due 2035 | 100 | 100
Total debt | 1,150 | 1,150
`),
    [],
    'the column of the day does not add up',
  )
  t.end()
})
