import { useMemo } from 'react'
import type { FinancialStatement } from '../../../../engine/schema/resources/financials.ts'
import { useAllRows } from '../../ask/rows.ts'
import { Chart } from '../../parts/chart.tsx'
import { drawLines, linesTable } from '../../parts/lines.ts'
import { Figure, Panel } from '../../parts/part.tsx'
import { Empty } from '../../parts/state.tsx'
import { withValues } from '../../show/plot.ts'

/** Fiscal years to load; a trailing figure ends in one of them. */
const YEARS = 12

const coverageOf = ({ ebitda, interest_expense }: FinancialStatement): number | null =>
  ebitda === null || ebitda <= 0 || !interest_expense ? null : ebitda / interest_expense

interface LeverageHistoryProps {
  readonly ticker: string
  /** The balance date of the newest statement, else the as-of day. */
  readonly until: string
  /** Whether EBITDA over interest is a coverage. */
  readonly hasCoverage: boolean
}

/** Trailing leverage and coverage at the end of every quarter. */
export function LeverageHistory({ ticker, until, hasCoverage }: LeverageHistoryProps) {
  const last = Number(until.slice(0, 4)) + 1
  const answer = useAllRows('search.financials', {
    ticker,
    period: 'TTM',
    fiscal_year: Array.from({ length: YEARS }, (_, i) => last - i),
    sort: 'period_end_date',
    limit: 100,
  })
  return (
    <div className="w6">
      <Figure
        title={titleFor(hasCoverage)}
        answer={answer}
        empty="No statements. Load the company’s filings (companyfacts, statement data sets) or a financials table."
      >
        {rows => <History rows={rows} hasCoverage={hasCoverage} />}
      </Figure>
    </div>
  )
}

const titleFor = (hasCoverage: boolean): string =>
  `Leverage${hasCoverage ? ' and coverage' : ''}, trailing twelve months`

function History({ rows, hasCoverage }: { rows: readonly FinancialStatement[]; hasCoverage: boolean }) {
  const title = titleFor(hasCoverage)
  const lines = useMemo(
    () => [
      {
        name: 'Total debt / EBITDA',
        points: rows.map(r => [r.period_end_date, r.leverage_ratio] as const),
        hue: 0,
      },
      ...(hasCoverage
        ? [
            {
              name: 'EBITDA / interest',
              points: rows.map(r => [r.period_end_date, coverageOf(r)] as const),
              hue: 1,
              axis: 1,
            },
          ]
        : []),
    ],
    [rows, hasCoverage],
  )
  const draw = useMemo(
    () =>
      drawLines({ lines, units: hasCoverage ? ['leverage x', 'coverage x'] : ['leverage x'], decimals: 2 }),
    [lines, hasCoverage],
  )
  if (withValues(lines).length === 0)
    return (
      <Panel title={title} className="whole">
        <Empty>
          <p>
            {rows.length} statements are known, and none gives a ratio: total debt, EBITDA or interest expense
            is missing.
          </p>
        </Empty>
      </Panel>
    )
  return (
    <Chart
      title={title}
      label={`Total debt over EBITDA${hasCoverage ? ' and EBITDA over interest expense' : ''} at the end of each quarter`}
      draw={draw}
      table={() => linesTable(lines, 'Period end', 2)}
    />
  )
}
