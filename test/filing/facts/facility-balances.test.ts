import t from 'tap'
import { creditFacilitiesIn } from '../../../engine/filing/facts/credit-facilities.ts'
import { section } from './section.ts'

const MILLION = 100_000_000
const table = (
  rows: string,
  head = '(in millions):',
) => `Parent liquidity was as follows at the periods indicated ${head}

December 31, 2024 | December 31, 2023
Consolidated cash and cash equivalents | $1,089 | $1,029
${rows}
Total Parent Company Liquidity | $924 | $814
`
const read = (text: string, section_type = 'mda_liquidity') =>
  creditFacilitiesIn(section(text, { section_type, doc_type: '10-K' }))

const ROWS = `Commitments under the Parent Company credit facility | 1,000 | 900
Less: Letters of credit under the credit facility | (77) | (19)
Less: Borrowings under the credit facility | (70) | (180)
Borrowings available under the Parent Company credit facility | 853 | 701`

t.test('a table of liquidity states a facility where its rows add up', t => {
  const [facility, ...others] = read(table(ROWS))
  t.match(facility, {
    name: 'Parent Company credit facility',
    instrument_type: 'revolver',
    commitment: 1000 * MILLION,
    drawn: 70 * MILLION,
    undrawn: 853 * MILLION,
    currency: 'USD',
    rule: 'facility_text',
    evidence: /^Commitments under the Parent Company .* 853 \| 701$/s,
  })
  t.strictSame(others, [])
  t.equal(read(table(ROWS), 'debt_footnote').length, 1, 'in a note on debt too')
  t.equal(read(table(ROWS), 'business').length, 0)
  t.end()
})

t.test('rows that do not add up, name other commitments or another day state none', t => {
  t.strictSame(read(table(ROWS.replace('853', '800'))), [])
  t.strictSame(read(table(ROWS).replaceAll('2024', '2022')), [])
  t.strictSame(read(table('Purchase commitments | 1,000 | 900\nBorrowings available | 1,000 | 900')), [])
  t.strictSame(
    read(
      table('Uncommitted credit facility commitments | 100 | 90\nAvailable under the facility | 100 | 90'),
    ),
    [],
  )
  t.end()
})

t.test('a table in another currency has its own', t => {
  t.match(read(table(ROWS, '(in millions of euros):')), [{ currency: 'EUR', commitment: 1000 * MILLION }])
  t.match(read(table(ROWS, '(¥ in millions):')), [{ currency: 'JPY', commitment: 1_000_000_000 }])
  t.end()
})

t.test('a line of credit that has a note of its own is read, with what it was increased to', t => {
  const [line] = read(
    "On July 26, 2023, the Company's Operating Partnership amended and restated the revolving credit agreement governing the Company's Unsecured Line of Credit, which (1) increased the total commitment from $750.0 million to $1.0 billion, (2) extended the maturity date from June 24, 2024 to July 26, 2028 and (3) reduced the per annum variable interest rates. At December 31, 2024 and 2023, there were no amounts outstanding on the Unsecured Line of Credit.",
    'debt_footnote',
  )
  t.match(line, { commitment: 1000 * MILLION, maturity: '2028-07-26', drawn: 0 })
  t.end()
})
