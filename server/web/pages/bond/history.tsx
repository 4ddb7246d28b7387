import { useMemo, useState } from 'react'
import type { Bond } from '../../../../engine/schema/resources/bonds.ts'
import type { DailyPrice } from '../../../../engine/schema/resources/pricing.ts'
import { useAllRows } from '../../ask/rows.ts'
import { Chart } from '../../parts/chart.tsx'
import { drawLines, linesTable } from '../../parts/lines.ts'
import { Figure } from '../../parts/part.tsx'

const views = [
  ['last_price', 'Price', '% of par', 3],
  ['ytm', 'Yield', '%', 3],
  ['spread', 'Spread', 'bp', 0],
] as const

/** What it traded at over the last year. */
export function History({ bond }: { bond: Bond }) {
  const answer = useAllRows(
    'history.pricing',
    bond.cusip === null ? null : { cusip: bond.cusip, sort: 'date', limit: 1000 },
  )
  return (
    <Figure title="History" answer={answer} empty="No price of the last year is known.">
      {rows => <Lines rows={rows as readonly DailyPrice[]} />}
    </Figure>
  )
}

function Lines({ rows }: { rows: readonly DailyPrice[] }) {
  const [view, setView] = useState<(typeof views)[number]>(views[0])
  const [name, title, unit, decimals] = view
  const lines = useMemo(
    () => [{ name: title, points: rows.map(row => [row.date, row[name] ?? null] as const) }],
    [rows, name, title],
  )
  const draw = useMemo(() => drawLines({ lines, units: [unit], decimals }), [lines, unit, decimals])
  return (
    <Chart
      title={`${title} over the last year`}
      label={`${title} by day`}
      draw={draw}
      table={() => linesTable(lines, 'Day', decimals)}
      tools={
        <span className="segments">
          {views.map(v => (
            <button key={v[0]} type="button" aria-pressed={v === view} onClick={() => setView(v)}>
              {v[1]}
            </button>
          ))}
        </span>
      }
    />
  )
}
