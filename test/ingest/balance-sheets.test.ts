import t from 'tap'
import { type SheetLine, totalsOf } from '../../engine/ingest/readers/balance-sheets.ts'

const sheet = (...lines: [string, ...(number | null)[]][]): SheetLine[] =>
  lines.map(([concept, ...values]) => ({
    concept: concept.includes(':') ? concept : `us-gaap:${concept}`,
    values,
  }))
const parts = (lines: readonly SheetLine[]) =>
  Object.fromEntries(
    totalsOf(lines).map(({ concept, parts }) => [
      concept.replace('us-gaap:', ''),
      parts.map(({ concept, weight }) => `${weight < 0 ? '-' : ''}${concept.replace('us-gaap:', '')}`),
    ]),
  )

t.test('a total is the lines before it that add up to it on both days', async t => {
  t.strictSame(
    parts(
      sheet(
        ['AccountsPayableCurrent', 40, 30],
        ['LongTermDebtCurrent', 0, 9],
        ['custom:BridgeNotes', 5, 6],
        ['LiabilitiesCurrent', 45, 45],
        ['LongTermDebtNoncurrent', 100, 110],
        ['Liabilities', 145, 155],
      ),
    ),
    {
      LiabilitiesCurrent: ['AccountsPayableCurrent', 'LongTermDebtCurrent', 'custom:BridgeNotes'],
      Liabilities: ['LiabilitiesCurrent', 'LongTermDebtNoncurrent'],
    },
  )
  t.strictSame(
    parts(sheet(['A', 40, 30], ['B', 5, 6], ['LiabilitiesCurrent', 45, 39])),
    {},
    'one day alone proves nothing',
  )
  t.strictSame(parts(sheet(['A', 40, 30], ['B', 0, 0], ['C', 40, 30])), {}, 'nothing is the sum of one line')
})

t.test('main totals may differ by a unit of rounding, other lines may not', async t => {
  const million = 1_000_000
  const of = (concept: string) =>
    parts(
      sheet(
        ['A', 40 * million, 30 * million],
        ['B', 5 * million, 6 * million],
        [concept, 46 * million, 36 * million],
      ),
    )
  t.strictSame(of('LiabilitiesCurrent'), { LiabilitiesCurrent: ['A', 'B'] })
  t.strictSame(of('InterestPayableCurrent'), {})
})

t.test('what is taken off equity is found by its sign', async t => {
  t.strictSame(
    parts(
      sheet(
        ['CommonStockValue', 10, 10],
        ['RetainedEarnings', 90, 80],
        ['TreasuryStockValue', 25, 20],
        ['StockholdersEquity', 75, 70],
      ),
    ),
    { StockholdersEquity: ['CommonStockValue', 'RetainedEarnings', '-TreasuryStockValue'] },
  )
  t.strictSame(
    parts(
      sheet(
        ['CommonStockValue', 10, 10],
        ['RetainedEarnings', 90, 80],
        ['TreasuryStockValue', 25, 20],
        ['UnearnedShares', 3, 4],
        ['StockholdersEquity', 72, 66],
      ),
    )['StockholdersEquity'],
    ['CommonStockValue', 'RetainedEarnings', '-TreasuryStockValue', '-UnearnedShares'],
  )
})

t.test('a sheet of many lines that add up to nothing is passed in time', async t => {
  const lines = Array.from({ length: 5_000 }, (_, i): [string, number, number] => [
    `custom:Equity${i}`,
    7 ** (i % 13) + i,
    11 ** (i % 11) + i,
  ])
  t.strictSame(totalsOf(sheet(...lines)).length < 50, true)
})
