import { useMemo } from 'react'
import { barsTable, drawBars } from '../../parts/bars.ts'
import { Chart } from '../../parts/chart.tsx'
import { drawLines, linesTable } from '../../parts/lines.ts'
import { Empty } from '../../parts/state.tsx'
import { fixed } from '../../show/figures.ts'
import type { Result } from './sql.tsx'

/** Maximum number of bars. */
const MOST = 60

/** Number columns over the first date or text column of the result. */
export function QuickChart({ result: { data, meta } }: { result: Result }) {
  const drawn = useMemo(() => {
    const numbers = meta.columns.filter(({ name }) => data.some(row => typeof row[name] === 'number'))
    const over =
      meta.columns.find(({ kind }) => kind === 'date') ?? meta.columns.find(c => !numbers.includes(c))
    if (!over || numbers.length === 0 || data.length === 0) return null
    const value = (row: Record<string, unknown>, name: string) =>
      typeof row[name] === 'number' ? row[name] : null
    if (over.kind === 'date') {
      const lines = numbers.map(({ name }) => ({
        name,
        points: data.map(row => [String(row[over.name]), value(row, name)] as const),
      }))
      return {
        draw: drawLines({ lines, units: [''], decimals: 2 }),
        table: () => linesTable(lines, over.name, 2),
      }
    }
    const rows = data.slice(0, MOST)
    const options = {
      names: rows.map(row => String(row[over.name] ?? '')),
      unit: '',
      reading: (v: number) => fixed(v, v % 1 ? 2 : 0),
      stacks: numbers.slice(0, 1).map(({ name }) => ({ name, values: rows.map(row => value(row, name)) })),
    }
    return { draw: drawBars(options), table: () => barsTable(options, over.name) }
  }, [data, meta])
  return drawn ? (
    <Chart title="Quick chart" label="Chart of the result" height={420} {...drawn} />
  ) : (
    <Empty>
      <p>A chart needs a number column, and a date or text column.</p>
    </Empty>
  )
}
