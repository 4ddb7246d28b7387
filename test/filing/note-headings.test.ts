import t from 'tap'
import { plainLines } from '../../engine/filing/plain-lines.ts'
import { sectionsOf } from '../../engine/filing/sections.ts'

const lines = (about: string, count = 30) =>
  Array.from(
    { length: count },
    (_, i) => `The company says of ${about} what holders should know, line ${i}.\n\n`,
  ).join('')
const titles = [
  'Summary of Significant Accounting Policies',
  'Business Acquisitions',
  'Goodwill and Intangible Assets',
  'Credit Facilities and Debt',
  'Stockholders’ Equity',
  'Commitments and Contingencies',
  'Income Taxes',
]
const report = (heading: (i: number, title: string) => string) =>
  sectionsOf(
    plainLines(
      [
        `FORM 10-K\n\nItem 1. Business\n\n${lines('business', 60)}`,
        `Item 7. Management’s Discussion and Analysis\n\n${lines('results', 60)}`,
        `Item 8. Financial Statements and Supplementary Data\n\n${lines('statements')}`,
        titles.map((title, i) => `${heading(i, title)}\n\n${lines(title)}`).join(''),
        `Item 9A. Controls and Procedures\n\n${lines('controls')}`,
      ].join('\n\n'),
    ),
    '10-K',
  )
const debt = (sections: ReturnType<typeof report>) =>
  sections.filter(({ type }) => type === 'debt_footnote').map(({ title }) => title)

t.test('a note on debt is found by its letter', async t => {
  const sections = report((i, title) => `Note ${'ABCDEFG'[i]} - ${title}`)
  t.strictSame(debt(sections), ['Note D - Credit Facilities and Debt'])
  t.equal(sections.filter(({ type }) => type === 'notes').length, 6)
  t.notMatch(sections.find(({ type }) => type === 'debt_footnote')?.text, /Stockholders/)
})

t.test('notes whose headings have neither number nor letter are found by what they are about', async t => {
  const sections = report((_, title) => title)
  t.strictSame(debt(sections), ['Credit Facilities and Debt'])
  const text = sections.find(({ type }) => type === 'debt_footnote')?.text
  t.match(text, /of Credit Facilities and Debt what holders/)
  t.notMatch(text, /Stockholders/)
})

t.test('a subheading on debt is part of the note that it follows', async t => {
  const sections = report((i, title) => (i === 3 ? `${title}\n\n${lines('notes', 3)}Credit Facility` : title))
  t.strictSame(debt(sections), ['Credit Facilities and Debt'])
  t.match(sections.find(({ type }) => type === 'debt_footnote')?.text, /Credit Facility\n/)
})

t.test('a few titles are no notes', async t => {
  const sections = report((i, title) => (i < 3 || i > 4 ? `Of matter ${i}, in short.` : title))
  t.strictSame(debt(sections), [])
})

t.test('a note may be numbered before a bullet', async t => {
  t.strictSame(debt(report((i, title) => `NOTE ${i + 1} • ${title.toUpperCase()}`)), [
    'NOTE 4 • CREDIT FACILITIES AND DEBT',
  ])
})
