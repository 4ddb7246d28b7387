import type { EChartsCoreOption } from 'echarts/core'
import { fixed } from '../show/figures.ts'
import type { Paint } from './paint.ts'

export interface Line {
  readonly name: string
  /** Day and value; null where nothing is known of the day. */
  readonly points: readonly (readonly [string, number | null])[]
  readonly hue?: number | undefined
  /** Which of the two value axes; the first if not said. */
  readonly axis?: number
  readonly step?: boolean
}

export interface Band {
  readonly name: string
  readonly points: readonly (readonly [string, number | null, number | null])[]
}

export interface LinesOptions {
  readonly lines: readonly Line[]
  readonly bands?: readonly Band[]
  readonly units: readonly string[]
  readonly decimals?: number
  readonly inverse?: boolean
  /** A value as it is read, where that is not a number. */
  readonly reading?: (value: number) => string
}

/** Values over days. */
export function drawLines({ lines, bands = [], units, decimals = 1, inverse, reading }: LinesOptions) {
  const said = reading ?? ((value: number) => fixed(value, decimals))
  const names = [...lines, ...bands].map(({ name }) => name)
  return (paint: Paint): EChartsCoreOption => ({
    // So many names take two rows, above the name of the axis.
    grid: { top: names.length > 7 ? 66 : 42 },
    xAxis: { type: 'time', splitLine: { show: false } },
    yAxis: units.map((name, i) => ({
      type: 'value',
      name,
      scale: true,
      inverse: inverse ?? false,
      nameGap: 8,
      position: i === 0 ? 'left' : 'right',
      splitLine: i === 0 ? { lineStyle: { color: paint.line } } : { show: false },
      axisLabel: {
        formatter: (value: number) => (reading ? reading(value) : fixed(value, value % 1 === 0 ? 0 : 1)),
      },
      ...(reading && { minInterval: 1 }),
    })),
    tooltip: {
      formatter: (given: unknown) => {
        const items = given as { seriesName: string; value: [string, number | null, number?] }[]
        const day = items[0]?.value[0]
        const rows = items.flatMap(({ seriesName, value: [, value, low] }) =>
          value === null || seriesName.startsWith('\u200b')
            ? []
            : [`${seriesName}  ${low === undefined ? said(value) : `${said(low)} to ${said(low + value)}`}`],
        )
        return [String(day).slice(0, 10), ...new Set(rows)].join('\n')
      },
    },
    series: [
      ...bands.flatMap(({ name, points }, i) => bandSeries(name, points, paint, i)),
      ...lines.map(({ name, points, hue, axis = 0, step }, i) => ({
        type: 'line',
        name,
        data: points.map(point => [...point]),
        yAxisIndex: axis,
        showSymbol: points.length < 40,
        symbolSize: 4,
        connectNulls: false,
        ...(step && { step: 'end' }),
        lineStyle: { width: 1.5, color: paint.series[hue ?? i] },
        itemStyle: { color: paint.series[hue ?? i] },
      })),
    ],
    legend: { data: names, show: names.length > 1 },
  })
}

/** A band is a line that is not seen, and what stands on it up to the other edge. */
function bandSeries(name: string, points: Band['points'], paint: Paint, at: number) {
  const color = paint.series[0]
  const base = { type: 'line', stack: `band-${at}`, symbol: 'none', lineStyle: { opacity: 0 }, silent: true }
  return [
    { ...base, name: `\u200b${name}`, data: points.map(([day, low]) => [day, low]) },
    {
      ...base,
      name,
      // The stack adds the first edge; the third member is there to be read.
      data: points.map(([day, low, high]) => [day, low === null || high === null ? null : high - low, low]),
      areaStyle: { color, opacity: at === 0 ? 0.14 : 0.2 },
      itemStyle: { color, opacity: at === 0 ? 0.18 : 0.45 },
    },
  ]
}

/** The same lines as rows, newest first. */
export function linesTable(lines: readonly Line[], day = 'Day', decimals = 1) {
  const days = [...new Set(lines.flatMap(({ points }) => points.map(([at]) => at)))].sort().reverse()
  const known = lines.map(({ points }) => new Map(points))
  return [
    [day, ...lines.map(({ name }) => name)],
    ...days.map(at => [
      at,
      ...known.map(values => {
        const value = values.get(at)
        return value === null || value === undefined ? null : fixed(value, decimals)
      }),
    ]),
  ]
}
