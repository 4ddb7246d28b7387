import { useMemo, useState } from 'react'
import type { Bond } from '../../../../engine/schema/resources/bonds.ts'
import type { DailyPrice } from '../../../../engine/schema/resources/pricing.ts'
import { useAllRows } from '../../ask/rows.ts'
import { Chart } from '../../parts/chart.tsx'
import { drawLines, linesTable } from '../../parts/lines.ts'
import { Figure, Panel } from '../../parts/part.tsx'
import { Empty } from '../../parts/state.tsx'
import { withGaps, withValues } from '../../show/plot.ts'

/** Points further apart, in days, are not joined. */
const LONGEST_GAP_DAYS = 35

const views = [
  ['last_price', 'Price', '% of par', 3],
  ['ytm', 'Yield', '%', 3],
  ['spread', 'Spread', 'bp', 0],
] as const

/** Prices of the last year. */
export function History({ bond }: { bond: Bond }) {
  const answer = useAllRows(
    'history.pricing',
    bond.cusip === null ? null : { cusip: bond.cusip, sort: 'date', limit: 1000 },
  )
  if (bond.cusip === null)
    return (
      <Panel title="History" className="whole">
        <Empty>
          <p>No price history: this bond has no CUSIP.</p>
        </Empty>
      </Panel>
    )
  return (
    <Figure title="History" answer={answer} empty="No prices in the last year.">
      {rows => <Lines rows={rows as readonly DailyPrice[]} />}
    </Figure>
  )
}

function Lines({ rows }: { rows: readonly DailyPrice[] }) {
  const [view, setView] = useState<(typeof views)[number]>(views[0])
  const [name, title, unit, decimals] = view
  const lines = useMemo(
    () => [
      {
        name: title,
        points: withGaps(
          rows.map(row => [row.date, row[name] ?? null] as const),
          LONGEST_GAP_DAYS,
        ),
      },
    ],
    [rows, name, title],
  )
  const draw = useMemo(() => drawLines({ lines, units: [unit], decimals }), [lines, unit, decimals])
  const choice = (
    <span className="segments">
      {views.map(v => (
        <button key={v[0]} type="button" aria-pressed={v === view} onClick={() => setView(v)}>
          {v[1]}
        </button>
      ))}
    </span>
  )
  if (withValues(lines).length === 0)
    return (
      <Panel title={`${title} over the last year`} className="whole" tools={choice}>
        <Empty>
          <p>
            {rows.length} prices of the last year give no {title.toLowerCase()}: terms are missing, or it is
            withheld.
          </p>
        </Empty>
      </Panel>
    )
  return (
    <Chart
      title={`${title} over the last year`}
      label={`${title} by day`}
      draw={draw}
      table={() => linesTable(lines, 'Day', decimals)}
      tools={choice}
    />
  )
}
