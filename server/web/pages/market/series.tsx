import { useMemo, useState } from 'react'
import type { InputTo } from '../../../v1/client.ts'
import { useAllRows } from '../../ask/rows.ts'
import { Chart } from '../../parts/chart.tsx'
import { drawLines, type Line, linesTable } from '../../parts/lines.ts'
import { hue } from '../../parts/paint.ts'
import { Figure } from '../../parts/part.tsx'
import { Segments } from '../../parts/segments.tsx'
import { withGaps } from '../../show/plot.ts'

export type Narrowed = Pick<InputTo<'aggregate.spreads'>, 'tenor' | 'rating_bucket' | 'sector'>

interface Week {
  readonly week?: string | null
  readonly sector?: string | null
  readonly rating_bucket?: string | null
  readonly median?: number | null
  readonly p10?: number | null
  readonly p25?: number | null
  readonly p75?: number | null
  readonly p90?: number | null
}

/** Points further apart, in weeks, are not joined. */
const LONGEST_GAP_DAYS = 35

const groups = ['all', 'rating_bucket', 'sector'] as const
const groupNames = { all: 'All', rating_bucket: 'By rating', sector: 'By sector' }

/** The median spread by week: of all, with percentiles, or of each sector or rating. */
export function Series({ narrowed }: { narrowed: Narrowed }) {
  const [group, setGroup] = useState<(typeof groups)[number]>('all')
  const answer = useAllRows(
    'aggregate.spreads',
    {
      ...narrowed,
      group_by: group === 'all' ? ['week'] : ['week', group],
      metrics: group === 'all' ? ['median', 'p10', 'p25', 'p75', 'p90'] : ['median'],
      limit: 1000,
    },
    5000,
  )
  const tools = (
    <Segments label="Lines" options={groups} value={group} set={setGroup} named={name => groupNames[name]} />
  )
  return (
    <Figure
      title="Median spread by week"
      answer={answer}
      empty="No spreads match. Widen the filters above."
      tools={tools}
    >
      {rows => <Drawn rows={rows as readonly Week[]} group={group} tools={tools} />}
    </Figure>
  )
}

function Drawn({
  rows,
  group,
  tools,
}: {
  rows: readonly Week[]
  group: (typeof groups)[number]
  tools: React.ReactNode
}) {
  const lines = useMemo((): Line[] => {
    const points = (of: readonly Week[]) =>
      withGaps(
        of.flatMap(r => (r.week ? [[r.week, r.median ?? null] as const] : [])),
        LONGEST_GAP_DAYS,
      )
    if (group === 'all') return [{ name: 'Median', points: points(rows), hue: 0 }]
    const names = [...new Set(rows.map(row => row[group] ?? 'Not known'))].sort()
    return names.map((name, i) => ({
      name,
      hue: hue[name] ?? i,
      points: points(rows.filter(row => (row[group] ?? 'Not known') === name)),
    }))
  }, [rows, group])
  const draw = useMemo(() => {
    const band = (name: string, low: 'p10' | 'p25', high: 'p75' | 'p90') => ({
      name,
      points: withGaps(
        rows.flatMap(r => (r.week ? [[r.week, r[low] ?? null, r[high] ?? null] as const] : [])),
        LONGEST_GAP_DAYS,
      ),
    })
    const bands =
      group === 'all'
        ? [band('10th to 90th percentile', 'p10', 'p90'), band('25th to 75th', 'p25', 'p75')]
        : []
    return drawLines({ lines, bands, units: ['bp'] })
  }, [lines, rows, group])
  return (
    <Chart
      title="Median spread by week"
      label="Median spread to Treasury by week"
      height={320}
      draw={draw}
      tools={tools}
      table={() => linesTable(lines, 'Week of')}
    />
  )
}
