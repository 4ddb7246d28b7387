import { useMemo } from 'react'
import { setParams, useRoute } from '../../app/route.ts'
import { barsTable, drawBars } from '../../parts/bars.ts'
import { Chart } from '../../parts/chart.tsx'
import { drawLines, linesTable } from '../../parts/lines.ts'
import { drawPoints } from '../../parts/points.ts'
import { Empty } from '../../parts/state.tsx'
import { ALL, type Axes, axesOf, linesOf, NONE } from '../../show/axes.ts'
import { fixed } from '../../show/figures.ts'
import type { Result } from './result.ts'

const MOST_BARS = 60
const MOST_LINES = 12

const reading = (value: number) => fixed(value, value % 1 ? 2 : 0)

/** Columns of the result over one another; the choice is in the URL. */
export function QuickChart({ result: { data, meta } }: { result: Result }) {
  const { query } = useRoute()
  const [x, y, by] = [query.get('x'), query.get('y'), query.get('by')]
  const axes = useMemo(() => axesOf(meta.columns, data, { x, y, by }), [meta, data, x, y, by])
  const drawn = useMemo(() => axes && drawnOf(axes, data), [axes, data])
  const asked = meta.columns.find(({ name }) => name === x)
  if (!axes || !drawn)
    return (
      <Empty>
        <p>
          {asked
            ? 'There is no figure to draw over this column.'
            : 'A chart needs a column of figures, and another column to draw them over.'}
        </p>
        {asked && (
          <button type="button" onClick={() => setParams({ x: null, y: null, by: null })}>
            Choose the columns again
          </button>
        )}
      </Empty>
    )
  return (
    <Chart
      title="Chart"
      label={`Chart of ${axes.ys.join(', ')} over ${axes.x}`}
      height={420}
      draw={drawn.draw}
      table={drawn.table}
      tools={
        <>
          {drawn.note && <span className="quiet small">{drawn.note}</span>}
          <Choice
            label="Across"
            value={axes.x}
            options={axes.options.x}
            set={name => setParams({ x: name, y: null, by: null })}
          />
          <Choice
            label="Up"
            value={axes.ys.length > 1 ? ALL : (axes.ys[0] ?? ALL)}
            options={axes.form === 'points' || axes.by !== null ? axes.options.y : [ALL, ...axes.options.y]}
            set={name => setParams({ y: name })}
          />
          {axes.options.by.length > 0 && (
            <Choice
              label="Lines by"
              value={axes.by ?? NONE}
              options={[NONE, ...axes.options.by]}
              set={name => setParams({ by: name })}
            />
          )}
        </>
      }
    />
  )
}

interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly options: readonly string[]
  readonly set: (name: string) => void
}

const Choice = ({ label, value, options, set }: ChoiceProps) => (
  <label className="row">
    <span className="quiet">{label}</span>
    <select value={value} onChange={event => set(event.target.value)}>
      {options.map(name => (
        <option key={name} value={name}>
          {name === ALL ? 'All figures' : name === NONE ? 'Nothing' : name}
        </option>
      ))}
    </select>
  </label>
)

function drawnOf(axes: Axes, rows: Result['data']) {
  if (axes.form === 'lines') {
    const { lines, left } = linesOf(axes, rows, MOST_LINES)
    return {
      draw: drawLines({ lines, units: [''], decimals: 2 }),
      table: () => linesTable(lines, axes.x, 2),
      note: left > 0 ? `First ${MOST_LINES} of ${fixed(MOST_LINES + left, 0)} lines` : '',
    }
  }
  return axes.form === 'points' ? pointsOf(axes, rows) : barsOf(axes, rows)
}

function pointsOf({ x, ys: [y = ''] }: Axes, rows: Result['data']) {
  const points = rows.flatMap((row, i) => {
    const [across, up] = [row[x], row[y]]
    if (typeof across !== 'number' || typeof up !== 'number') return []
    const name = Object.values(row).find(value => typeof value === 'string')
    return [{ id: String(i), name: String(name ?? `Row ${i + 1}`), x: across, y: up, residual: null }]
  })
  return {
    draw: drawPoints({
      points,
      curve: [],
      xName: x,
      yName: y,
      xText: reading,
      yText: reading,
      isLabelled: points.length <= MOST_LINES,
      isPrice: false,
      plainName: y,
    }),
    table: () => [['Name', x, y], ...points.map(point => [point.name, reading(point.x), reading(point.y)])],
    note: points.length < rows.length ? `${fixed(rows.length - points.length, 0)} rows lack a figure` : '',
  }
}

function barsOf({ x, ys }: Axes, rows: Result['data']) {
  const drawn = rows.slice(0, MOST_BARS)
  const options = {
    names: drawn.map(row => String(row[x] ?? '–')),
    unit: '',
    reading,
    // Different figures are no parts of a sum.
    isSideBySide: true,
    stacks: ys.map(name => ({
      name,
      values: drawn.map(row => (typeof row[name] === 'number' ? row[name] : null)),
    })),
  }
  return {
    draw: drawBars(options),
    table: () => barsTable(options, x),
    note: rows.length > MOST_BARS ? `First ${MOST_BARS} of ${fixed(rows.length, 0)} rows` : '',
  }
}
