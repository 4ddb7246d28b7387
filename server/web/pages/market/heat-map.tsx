import type { EChartsCoreOption } from 'echarts/core'
import { useMemo } from 'react'
import { ratingBuckets } from '../../../../engine/schema/vocabulary.ts'
import { go, href } from '../../app/route.ts'
import { useAnswer } from '../../ask/use-answer.ts'
import { Chart } from '../../parts/chart.tsx'
import type { Paint } from '../../parts/paint.ts'
import { Part } from '../../parts/part.tsx'
import { basisPoints } from '../../show/figures.ts'
import { useNewestDay } from './newest-day.ts'

interface Pair {
  readonly sector?: string | null
  readonly rating_bucket?: string | null
  readonly median?: number | null
  readonly companies?: number
}

const MONTH_MS = 30 * 86_400_000

/** Median spread of the last month by sector and rating; a cell links to its spreads. */
export function HeatMap({ tenor }: { tenor: string }) {
  const last = useNewestDay([tenor as '5Y'])
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
  const cells = useMemo(() => cellsOf(rows), [rows])
  const sectors = useMemo(() => [...new Set(cells.map(c => c.sector))].sort().reverse(), [cells])
  const buckets = useMemo(() => ratingBuckets.filter(b => cells.some(c => c.bucket === b)), [cells])
  const draw = useMemo(
    () =>
      (paint: Paint): EChartsCoreOption => ({
        xAxis: {
          type: 'category',
          data: [...buckets],
          position: 'top',
          splitLine: { show: false },
          // Every column is labelled, even on a phone.
          axisLabel: { interval: 0 },
        },
        yAxis: { type: 'category', data: [...sectors], splitLine: { show: false } },
        grid: { top: 8, right: 8, bottom: 8 },
        tooltip: {
          trigger: 'item',
          formatter: (given: unknown) => {
            const { value } = given as { value: [string, string, number, number] }
            return `${value[1]}, ${value[0]}\n${basisPoints(value[2])} bp, ${value[3]} companies`
          },
        },
        visualMap: {
          show: false,
          dimension: 2,
          min: 0,
          // So that a few distressed sectors do not flatten the others.
          max: quantile(
            cells.map(c => c.median),
            0.9,
          ),
          inRange: { color: [...paint.ramp] },
        },
        series: [
          {
            type: 'heatmap',
            data: cells.map(c => [c.bucket, c.sector, c.median, c.companies]),
            label: {
              show: true,
              fontSize: 11,
              formatter: (given: unknown) =>
                basisPoints((given as { value: [string, string, number] }).value[2]),
            },
            itemStyle: { borderColor: paint.ground, borderWidth: 2 },
          },
        ],
      }),
    [cells, sectors, buckets],
  )
  return (
    <Chart
      title={`Median ${tenor} spread since ${from}, bp`}
      label="Median spread by sector and rating bucket"
      height={Math.max(160, 60 + sectors.length * 22)}
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
            const found = cells.find(c => c.sector === sector && c.bucket === bucket)
            return found ? basisPoints(found.median) : null
          }),
        ]),
      ]}
    />
  )
}

interface Cell {
  readonly sector: string
  readonly bucket: string
  readonly median: number
  readonly companies: number
}

/**
 * Pairs that have a median. Companies without a rating are merged with those not rated; of two, the one with more
 * rows.
 */
function cellsOf(rows: readonly Pair[]): readonly Cell[] {
  const cells = new Map<string, Cell>()
  for (const { sector, rating_bucket, median, companies = 0 } of rows) {
    if (median === null || median === undefined) continue
    const cell = { sector: sector ?? 'Not known', bucket: rating_bucket ?? 'NR', median, companies }
    const key = `${cell.sector}|${cell.bucket}`
    if (companies >= (cells.get(key)?.companies ?? 0)) cells.set(key, cell)
  }
  return [...cells.values()]
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) * share)] ?? 1
}
