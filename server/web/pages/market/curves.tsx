import { useMemo } from 'react'
import { useAnswer } from '../../ask/use-answer.ts'
import { Chart } from '../../parts/chart.tsx'
import { Part } from '../../parts/part.tsx'
import { basisPoints } from '../../show/figures.ts'
import { drawCurve, tenors } from '../company/spreads.tsx'
import type { Narrowed } from './series.tsx'

/** Median spread of each tenor in the newest month, a quarter and a year before. */
export function Curves(narrowed: Omit<Narrowed, 'tenor'>) {
  const answer = useAnswer('aggregate.spreads', {
    ...narrowed,
    tenor: [...tenors],
    group_by: ['month', 'tenor'],
    metrics: ['median'],
    sort: ['-month'],
    limit: 100,
  })
  return (
    <Part answer={answer} what="curves">
      {({ data }) => <Drawn rows={data as readonly Monthly[]} />}
    </Part>
  )
}

interface Monthly {
  readonly month?: string | null
  readonly tenor?: string | null
  readonly median?: number | null
}

function Drawn({ rows }: { rows: readonly Monthly[] }) {
  const curves = useMemo(() => {
    const months = [...new Set(rows.map(row => row.month ?? ''))]
    return [0, 3, 12].flatMap(back => {
      const month = months[back]
      if (!month) return []
      const values = tenors.map(t => rows.find(r => r.month === month && r.tenor === t)?.median ?? null)
      return values.some(value => value !== null) ? [{ name: month.slice(0, 7), values }] : []
    })
  }, [rows])
  const draw = useMemo(() => drawCurve(curves), [curves])
  return (
    <Chart
      title="Curve by tenor"
      label="Median spread by tenor, by month"
      height={320}
      draw={draw}
      table={() => [
        ['Month', ...tenors],
        ...curves.map(({ name, values }) => [name, ...values.map(v => (v === null ? null : basisPoints(v)))]),
      ]}
    />
  )
}
