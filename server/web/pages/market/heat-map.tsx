import type { EChartsCoreOption } from 'echarts/core'
import { useMemo } from 'react'
import { ratingBuckets } from '../../../../engine/schema/vocabulary.ts'
import { go, href } from '../../app/route.ts'
import { useAnswer } from '../../ask/use-answer.ts'
import { Chart } from '../../parts/chart.tsx'
import type { Paint } from '../../parts/paint.ts'
import { Part } from '../../parts/part.tsx'
import { fixed } from '../../show/figures.ts'

interface Pair {
  readonly sector?: string | null
  readonly rating_bucket?: string | null
  readonly median?: number | null
  readonly companies?: number
}

const MONTH_MS = 30 * 86_400_000

/** Median spread of the last month by sector and rating; a cell leads to its spreads. */
export function HeatMap({ tenor }: { tenor: string }) {
  const newest = useAnswer('search.spreads', { sort: ['-spread_date'], limit: 1, fields: ['spread_date'] })
  const last = newest.data?.data[0]?.spread_date
  const from = last && new Date(Date.parse(last) - MONTH_MS).toISOString().slice(0, 10)
  const answer = useAnswer(
    'aggregate.spreads',
    from
      ? {
          tenor: [tenor as '5Y'],
          from_date: from,
          group_by: ['sector', 'rating_bucket'],
          metrics: ['median', 'companies'],
          limit: 1000,
        }
      : null,
  )
  return (
    <Part answer={answer} what="the last month">
      {({ data }) => <Drawn rows={data as readonly Pair[]} from={from ?? ''} tenor={tenor} />}
    </Part>
  )
}

function Drawn({ rows, from, tenor }: { rows: readonly Pair[]; from: string; tenor: string }) {
  const sectors = useMemo(() => [...new Set(rows.map(r => r.sector ?? 'Not known'))].sort().reverse(), [rows])
  const buckets = useMemo(() => ratingBuckets.filter(b => rows.some(r => r.rating_bucket === b)), [rows])
  const draw = useMemo(
    () =>
      (paint: Paint): EChartsCoreOption => ({
        xAxis: {
          type: 'category',
          data: [...buckets],
          position: 'top',
          splitLine: { show: false },
          // On a phone too every column is named.
          axisLabel: { interval: 0 },
        },
        yAxis: { type: 'category', data: [...sectors], splitLine: { show: false } },
        grid: { top: 8, right: 8, bottom: 8 },
        tooltip: {
          trigger: 'item',
          formatter: (given: unknown) => {
            const { value } = given as { value: [string, string, number, number] }
            return `${value[1]}, ${value[0]}\n${fixed(value[2], 1)} bp, ${value[3]} companies`
          },
        },
        visualMap: {
          show: false,
          dimension: 2,
          min: 0,
          // A few distressed sectors do not flatten the others.
          max: quantile(
            rows.flatMap(r => r.median ?? []),
            0.9,
          ),
          inRange: { color: [...paint.ramp] },
        },
        series: [
          {
            type: 'heatmap',
            data: rows.flatMap(r =>
              r.median === null || r.median === undefined
                ? []
                : [[r.rating_bucket ?? 'NR', r.sector ?? 'Not known', r.median, r.companies]],
            ),
            label: {
              show: true,
              fontSize: 11,
              formatter: (given: unknown) =>
                fixed((given as { value: [string, string, number] }).value[2], 0),
            },
            itemStyle: { borderColor: paint.ground, borderWidth: 2 },
          },
        ],
      }),
    [rows, sectors, buckets],
  )
  return (
    <Chart
      title={`Median ${tenor} spread since ${from}, bp`}
      label="Median spread by sector and rating bucket"
      height={380}
      draw={draw}
      onPick={({ data }) => {
        const [rating_bucket, sector] = data as [string, string]
        go(href(['screen', 'spreads'], { rating_bucket, sector: `${sector}`, tenor, latest_only: 'true' }))
      }}
      table={() => [
        ['Sector', ...buckets],
        ...sectors.toReversed().map(sector => [
          sector,
          ...buckets.map(bucket => {
            const found = rows.find(r => (r.sector ?? 'Not known') === sector && r.rating_bucket === bucket)
            return found?.median == null ? null : fixed(found.median, 1)
          }),
        ]),
      ]}
    />
  )
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) * share)] ?? 1
}
