import t from 'tap'
import { inlineSheetLinks, type ShownFigure } from '../../engine/ingest/readers/inline-balance-sheet.ts'

const [now, before] = ['2024-12-31', '2023-12-31']
const shown = (
  concept: string,
  value: number,
  last: number,
  more: Partial<ShownFigure> = {},
): ShownFigure[] =>
  [
    [now, value],
    [before, last],
  ].map(([end, value]) => ({
    concept: concept.includes(':') ? concept : `us-gaap:${concept}`,
    unit: 'USD',
    start: null,
    end: String(end),
    value: Number(value),
    ...more,
  }))
const links = (figures: readonly ShownFigure[]) =>
  inlineSheetLinks('0000001234-25-000001', figures).map(
    ({ values }) => `${values['parent']} ${values['weight'] === 1 ? '+' : '-'} ${values['child']}`,
  )

const sheet = [
  ...shown('Cash', 60, 50),
  ...shown('Assets', 60, 50),
  ...shown('LongTermDebtCurrent', 10, 9),
  ...shown('acme:BridgeLoan', 20, 16),
  ...shown('Liabilities', 30, 25),
  ...shown('CommonStockParValue', 1, 1, { unit: 'USD/shares' }),
  ...shown('StockholdersEquity', 30, 25),
  ...shown('LiabilitiesAndStockholdersEquity', 60, 50),
]

t.test('the balances between total assets and the total of liabilities and equity are linked', async t => {
  const all = [
    'us-gaap:Liabilities + us-gaap:LongTermDebtCurrent',
    'us-gaap:Liabilities + acme:BridgeLoan',
    'us-gaap:LiabilitiesAndStockholdersEquity + us-gaap:Liabilities',
    'us-gaap:LiabilitiesAndStockholdersEquity + us-gaap:StockholdersEquity',
  ]
  t.strictSame(links(sheet), all)
  const discussion = [...shown('Assets', 60, 50), ...shown('Revenues', 7, 6, { start: '2024-01-01' })]
  t.strictSame(links([...discussion, ...sheet, ...shown('LongTermDebt', 5, 5)]), all, 'wherever it stands')
})

t.test('a sheet of one day, or one that does not add up, gives no links', async t => {
  t.strictSame(links(sheet.filter(({ end }) => end === now)), [])
  t.strictSame(links(sheet.filter(({ concept }) => concept !== 'acme:BridgeLoan').slice(2, -4)), [])
  t.strictSame(links(sheet.slice(0, 6)), [], 'without its last line')
})
