import t from 'tap'
import { plainLines } from '../../engine/filing/plain-lines.ts'
import { readParts } from '../../engine/filing/read-parts.ts'
import { type Section, sectionsOf } from '../../engine/filing/sections.ts'

const lines = (about: string, count = 40) =>
  Array.from({ length: count }, (_, i) => `We say of ${about} on line ${i} what holders should know.`).join(
    '\n\n',
  )

/** A 10-K whose discussion has these parts. */
const reported = (parts: readonly string[], form = '10-K') =>
  sectionsOf(
    plainLines(
      [
        `Item 1. Business\n\n${lines('business')}`,
        `Item 7. Management’s Discussion and Analysis\n\n${parts.join('\n\n')}`,
        `Item 8. Financial Statements\n\n${lines('statements')}`,
      ].join('\n\n'),
    ),
    form,
  )
const liquidity = (sections: readonly Section[]) =>
  sections.filter(({ type }) => type === 'mda_liquidity').map(({ title }) => title)
const discussed = (sections: readonly Section[]) => sections.find(({ type }) => type === 'mda')!

t.test('the discussion’s own contents are no section on liquidity where the section itself is there', t => {
  const sections = reported([
    'Results of Operations\n\nLiquidity and Capital Resources\n\nAccounting Policies and Estimates',
    `Results of Operations\n\n${lines('results')}`,
    `LIQUIDITY AND CAPITAL RESOURCES\n\n${lines('cash')}`,
    `ACCOUNTING POLICIES AND ESTIMATES\n\n${lines('estimates')}`,
  ])
  t.strictSame(liquidity(sections), ['LIQUIDITY AND CAPITAL RESOURCES'])
  const found = sections.find(({ type }) => type === 'mda_liquidity')!
  t.match(found.text, /of cash/)
  t.notMatch(found.text, /of estimates/)
  t.end()
})

t.test('a section on liquidity may have the heading of a financial condition, in parts or capitals', t => {
  const of = (...titles: string[]) =>
    liquidity(
      reported([
        `Results of Operations\n\n${lines('results')}`,
        ...titles.map(title => `${title}\n\n${lines('cash')}`),
      ]),
    )
  t.strictSame(of('Financial Condition of Holding', 'Recent Accounting Pronouncements'), [
    'Financial Condition of Holding',
  ])
  t.strictSame(of('FINANCIAL CONDITION AND LIQUIDI TY'), ['FINANCIAL CONDITION AND LIQUIDI TY'])
  t.strictSame(of('Liquidity of Alfa', 'Results of Operations of Beta', 'Liquidity of Beta'), [
    'Liquidity of Alfa',
    'Liquidity of Beta',
  ])
  t.strictSame(of('Sources and Uses of Cash'), ['Sources and Uses of Cash'], 'where no other is there')
  t.strictSame(of('Sources and Uses of Cash', 'Financial Condition'), ['Financial Condition'])
  t.strictSame(of('Financial Condition and Results of Operations'), [])
  t.strictSame(of('Refer to Liquidity Risk on Pages', 'Segments'), [])
  t.end()
})

t.test('a heading of liquidity may run into its paragraph', t => {
  const sections = reported([
    `Results of Operations\n\n${lines('results')}`,
    `Liquidity and Capital Resources We believe our cash suffices.\n\n${lines('cash')}`,
    `Critical Accounting Estimates\n\n${lines('estimates')}`,
  ])
  t.strictSame(liquidity(sections), ['Liquidity and Capital Resources'])
  t.match(sections.find(({ type }) => type === 'mda_liquidity')!.text, /^Liquidity and Capital Resources We/)
  t.end()
})

t.test('an item whose title heads each of its pages begins at the first', t => {
  const page = (item: string, about: string) =>
    `PART I\n\nITEM ${item}\n\n${lines(about, 80)}\n\n${about.toUpperCase()} INC.`
  const sections = sectionsOf(
    plainLines(
      [
        page('1. FINANCIAL STATEMENTS', 'balances'),
        page('1. FINANCIAL STATEMENTS', 'flows'),
        page("2. MANAGEMENT'S DISCUSSION AND ANALYSIS", 'results'),
        page("2. MANAGEMENT'S DISCUSSION AND ANALYSIS", 'segments'),
        page("2. MANAGEMENT'S DISCUSSION AND ANALYSIS", 'cash'),
        `PART II\n\nITEM 1A. RISK FACTORS\n\n${lines('risks')}`,
      ].join('\n\n'),
    ),
    '10-Q',
  )
  const mda = discussed(sections)
  for (const about of ['results', 'segments', 'cash']) t.match(mda.text, `of ${about} on line 79`)
  t.match(sections.find(({ item }) => item === 'part1item1')?.text, /of balances on line 0/)
  t.end()
})

const covenant = 'Our credit agreement requires us to maintain a leverage ratio of no more than 3.50 to 1.00.'

t.test('of a discussion what stands near words of lenders is read, outside of its parts on liquidity', t => {
  const sections = reported([
    `Results of Operations\n\n${lines('results', 80)}`,
    covenant,
    lines('segments', 80),
    `Liquidity and Capital Resources\n\nThe notes are secured by land.\n\n${lines('cash')}`,
  ])
  const mda = discussed(sections)
  const parts = readParts(mda, sections)
  t.equal(parts.length, 1)
  const [part] = parts
  t.match(part?.text, covenant)
  t.notMatch(part?.text, /secured by land/, 'a section of its own')
  t.ok(part!.text.length < 4000, 'not all of it')
  t.equal(mda.text.slice(part!.offset - mda.offset).startsWith(part!.text), true, 'with its offset')
  const inner = sections.find(({ type }) => type === 'mda_liquidity')!
  t.strictSame(readParts(inner, sections), [inner])
  t.end()
})

t.test('forward-looking statements and risk factors of a discussion are not read', t => {
  const read = (text: string) => {
    const sections = reported([`Results of Operations\n\n${lines('results')}`, text])
    return readParts(discussed(sections), sections).map(part => part.text)
  }
  t.strictSame(
    read(
      `These forward-looking statements are subject to the following:\n\n• our ability to comply with covenants that limit dividends;\n\n• mortgages of our customers.\n\n${lines('segments')}`,
    ),
    [],
  )
  t.strictSame(read(`Risk Factors\n\n${covenant}`), [])
  t.match(read(`It is subject to risks and uncertainties.\n\n${covenant}`), [covenant])
  t.end()
})
