import type { EChartsCoreOption } from 'echarts/core'
import { dayText } from '../show/days.ts'
import { fixed } from '../show/figures.ts'
import { daysOf, FEW_DAYS, hasTrend, type Point, tickDecimals, withValues } from '../show/plot.ts'
import type { Paint } from './paint.ts'

export interface Line {
  readonly name: string
  /** Day and value; null if the day has none. */
  readonly points: readonly Point[]
  readonly hue?: number | undefined
  /** Which of the two value axes; default the first. */
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
  /** Label a single line too, if the title does not say what it is. */
  readonly isNamed?: boolean
  /** How a value is shown, if not as a number. */
  readonly reading?: (value: number) => string
}

/** Values over time. Up to two days are points on an axis of these days, because they make no trend. */
export function drawLines({
  lines: given,
  bands: around = [],
  units,
  decimals = 1,
  inverse,
  reading,
  isNamed = false,
}: LinesOptions) {
  const format = reading ?? ((value: number) => fixed(value, decimals))
  const lines = withValues(given)
  const days = daysOf(lines)
  const isFew = days.length <= FEW_DAYS
  const bands = hasTrend(lines) ? around : []
  const names = [...lines, ...bands].map(({ name }) => name)
  const axisValues = (axis: number) => [
    ...lines.flatMap(line =>
      (line.axis ?? 0) === axis ? line.points.flatMap(([, value]) => value ?? []) : [],
    ),
    ...(axis === 0
      ? bands.flatMap(({ points }) => points.flatMap(([, low, high]) => [low ?? [], high ?? []].flat()))
      : []),
  ]
  const valuesBy = units.map((_, axis) => axisValues(axis))
  return (paint: Paint): EChartsCoreOption => ({
    // This many names take two rows above the axis name.
    grid: { top: names.length > 7 ? 66 : 42 },
    xAxis: isFew
      ? { type: 'category', data: days, splitLine: { show: false } }
      : // Figures are daily: ticks are at least a day apart.
        { type: 'time', splitLine: { show: false }, minInterval: DAY_MS },
    yAxis: units.map((name, i) => ({
      show: valuesBy[i]!.length > 0,
      type: 'value',
      name,
      scale: true,
      inverse: inverse ?? false,
      nameGap: 8,
      position: i === 0 ? 'left' : 'right',
      splitLine: i === 0 ? { lineStyle: { color: paint.line } } : { show: false },
      axisLabel: {
        formatter: (value: number) => (reading ? reading(value) : fixed(value, tickDecimals(valuesBy[i]!))),
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
            : [
                `${seriesName}  ${low === undefined ? format(value) : `${format(low)} to ${format(low + value)}`}`,
              ],
        )
        return [dayText(String(day)), ...new Set(rows)].join('\n')
      },
    },
    series: [
      ...bands.flatMap(({ name, points }, i) => bandSeries(name, points, paint, i)),
      ...lines.map(({ name, points, hue, axis = 0, step }, i) => ({
        type: 'line',
        name,
        data: (isFew ? points.filter(([, value]) => value !== null) : points).map(point => [...point]),
        yAxisIndex: axis,
        showSymbol: points.length < 40,
        symbolSize: isFew ? 8 : 4,
        connectNulls: false,
        ...(step && { step: 'end' }),
        lineStyle: { width: isFew ? 0 : 1.5, color: paint.series[hue ?? i] },
        itemStyle: { color: paint.series[hue ?? i] },
      })),
    ],
    legend: { data: names, show: isNamed || names.length > 1 },
  })
}

const DAY_MS = 86_400_000

/** A band is an invisible line with its upper edge stacked on it. */
function bandSeries(name: string, points: Band['points'], paint: Paint, at: number) {
  const color = paint.series[0]
  const base = { type: 'line', stack: `band-${at}`, symbol: 'none', lineStyle: { opacity: 0 }, silent: true }
  return [
    { ...base, name: `\u200b${name}`, data: points.map(([day, low]) => [day, low]) },
    {
      ...base,
      name,
      // Stacking adds the lower edge; the third member holds the value for the tooltip.
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
