import type { EChartsCoreOption } from 'echarts/core'
import type { Paint } from './paint.ts'

export interface Stack {
  readonly name: string
  readonly values: readonly (number | null)[]
  readonly hue?: number | undefined
}

export interface BarsOptions {
  readonly names: readonly string[]
  readonly stacks: readonly Stack[]
  readonly unit: string
  readonly reading: (value: number) => string
  /** Values are counts, so ticks are whole numbers. */
  readonly isWhole?: boolean
  /** Series stand beside one another, not on top: they are no parts of a sum. */
  readonly isSideBySide?: boolean
}

/** Bars by name, their parts stacked or beside one another. */
export const drawBars =
  ({ names, stacks, unit, reading, isWhole = false, isSideBySide = false }: BarsOptions) =>
  (paint: Paint): EChartsCoreOption => ({
    xAxis: { type: 'category', data: [...names], splitLine: { show: false } },
    yAxis: {
      type: 'value',
      name: unit,
      nameGap: 8,
      ...(isWhole && { minInterval: 1 }),
      axisLabel: { formatter: (value: number) => reading(value).replace(/\.0+(?=\D|$)/, '') },
    },
    tooltip: {
      axisPointer: { type: 'shadow' },
      formatter: (given: unknown) => {
        const items = given as { seriesName: string; name: string; value: number | null }[]
        const known = items.filter(({ value }) => typeof value === 'number')
        const sum = known.reduce((all, { value }) => all + value!, 0)
        return [
          items[0]?.name ?? '',
          ...known.map(({ seriesName, value }) => `${seriesName}  ${reading(value!)}`),
          ...(known.length > 1 && !isSideBySide ? [`All  ${reading(sum)}`] : []),
        ].join('\n')
      },
    },
    legend: { show: stacks.length > 1 },
    series: stacks.map(({ name, values, hue }, i) => ({
      type: 'bar',
      name,
      ...(!isSideBySide && { stack: 'all' }),
      barMaxWidth: 36,
      data: [...values],
      itemStyle: { color: paint.series[hue ?? i] },
    })),
  })

export const barsTable = ({ names, stacks, reading }: BarsOptions, heading: string) => [
  [heading, ...stacks.map(({ name }) => name)],
  ...names.map((name, i) => [
    name,
    ...stacks.map(({ values }) => (typeof values[i] === 'number' ? reading(values[i]) : null)),
  ]),
]
