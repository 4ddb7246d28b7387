import type { EChartsCoreOption } from 'echarts/core'
import type { Paint } from './paint.ts'

/** A bond or company in a scatter. */
export interface Point {
  readonly id: string
  readonly name: string
  readonly x: number
  readonly y: number
  /** Distance to the curve: above it is cheap. Null where there is no curve. */
  readonly residual: number | null
  /** Why one of its figures is stale: drawn hollow. */
  readonly stale?: string | null
  /** The bond of the page: drawn larger. */
  readonly isOwn?: boolean
  /** Columns that say how old its figures are. */
  readonly ages?: Readonly<Record<string, unknown>>
}

export interface PointsOptions {
  readonly points: readonly Point[]
  /** The curve, from left to right. */
  readonly curve: readonly (readonly [x: number, y: number])[]
  readonly xName: string
  readonly yName: string
  readonly xText: (value: number) => string
  readonly yText: (value: number) => string
  /** How a residual is written; the text of y by default. */
  readonly residualText?: (value: number) => string
  readonly isLabelled: boolean
  /** Above the curve is cheap and below it rich; otherwise only above and below. */
  readonly isPrice: boolean
  /** The best is above: ranks of ratings. */
  readonly isInverted?: boolean
  /** Name of the points without a residual. */
  readonly plainName?: string
}

/** Residuals this many typical ones from the curve have the full colour. */
const FULL = 2

const typical = (points: readonly Point[]): number => {
  const sizes = points
    .flatMap(({ residual }) => (residual === null ? [] : Math.abs(residual)))
    .sort((a, b) => a - b)
  return sizes[Math.floor(sizes.length / 2)] || 1
}

/** The full colour for residuals from `scale` on, and for the bond of the page. */
function opacityOf({ residual, isOwn }: Point, scale: number): number {
  if (isOwn) return 1
  return residual === null ? 0.7 : 0.3 + 0.7 * Math.min(1, Math.abs(residual) / scale)
}

const short = (text: string): string => text.replace(/\.0+(?=\D|$)/, '')

// Over 80 lines: the options of one chart.
/** Points, coloured by how far above (cheap) or below (rich) the curve they are. */
export const drawPoints =
  ({
    points,
    curve,
    xName,
    yName,
    xText,
    yText,
    residualText = yText,
    isLabelled,
    isPrice,
    isInverted = false,
    plainName = 'Not measured',
  }: PointsOptions) =>
  (paint: Paint): EChartsCoreOption => {
    const scale = typical(points) * FULL
    const side = (name: string, color: string | undefined, isIn: (residual: number | null) => boolean) => ({
      type: 'scatter',
      name,
      symbolSize: 8,
      itemStyle: { color },
      labelLayout: { hideOverlap: true },
      label: { show: isLabelled, position: 'right', color: paint.quiet, fontSize: 10, formatter: '{b}' },
      data: points
        .filter(({ residual }) => isIn(residual))
        .map(point => ({
          name: point.name,
          value: [point.x, point.y],
          point,
          ...(point.isOwn && { symbolSize: 15 }),
          itemStyle: {
            ...(point.isOwn && { borderColor: paint.text, borderWidth: 1.5 }),
            ...(point.stale && { color: paint.ground, borderColor: color, borderWidth: 1.5 }),
            opacity: opacityOf(point, scale),
          },
        })),
    })
    const series = [
      side(
        isPrice ? 'Cheap' : 'Above the curve',
        paint.series[2],
        residual => residual !== null && residual >= 0,
      ),
      side(
        isPrice ? 'Rich' : 'Below the curve',
        paint.series[9],
        residual => residual !== null && residual < 0,
      ),
      side(plainName, paint.series[7], residual => residual === null),
    ].filter(({ data }) => data.length > 0)
    return {
      // The name of the axis takes a row below its ticks.
      grid: { top: 42, bottom: 24 },
      xAxis: {
        type: 'value',
        name: xName,
        nameLocation: 'middle',
        nameGap: 26,
        scale: true,
        splitLine: { show: false },
        axisLabel: { formatter: (value: number) => short(xText(value)) },
      },
      yAxis: {
        type: 'value',
        name: yName,
        nameGap: 8,
        scale: true,
        inverse: isInverted,
        axisLabel: { formatter: (value: number) => short(yText(value)) },
      },
      legend: { show: true },
      tooltip: {
        trigger: 'item',
        formatter: (given: unknown) => {
          const { data } = given as { data?: { point?: Point } }
          const point = data?.point
          if (!point) return ''
          const { residual } = point
          return [
            point.name,
            `${xName}  ${xText(point.x)}`,
            `${yName}  ${yText(point.y)}`,
            ...(residual === null ? [] : [`From the curve  ${residualText(residual)}`]),
            ...(point.stale ? [point.stale] : []),
          ].join('\n')
        },
      },
      series: [
        ...series,
        ...(curve.length > 1
          ? [
              {
                type: 'line',
                name: 'Curve',
                data: curve.map(pair => [...pair]),
                symbol: 'none',
                smooth: true,
                silent: true,
                lineStyle: { width: 1.5, color: paint.series[0] },
                itemStyle: { color: paint.series[0] },
              },
            ]
          : []),
      ],
    }
  }
