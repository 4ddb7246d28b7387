import type { EChartsCoreOption, EChartsType } from 'echarts/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTheme } from '../app/theme.ts'
import { type Paint, paintOf } from './paint.ts'
import { Scroll } from './scroll.tsx'
import './chart.css'

/** A rectangle that was drawn over the points, in values. */
export interface Region {
  readonly x: readonly [number, number]
  readonly y: readonly [number, number]
}

interface ChartProps {
  readonly title: ReactNode
  /** Text alternative of the chart. */
  readonly label: string
  readonly height?: number
  readonly draw: (paint: Paint) => EChartsCoreOption
  /** The same figures as rows, heading first. */
  readonly table: () => readonly (readonly (string | number | null)[])[]
  readonly tools?: ReactNode
  readonly onPick?: (picked: {
    readonly seriesName?: string
    readonly name: string
    readonly data: unknown
  }) => void
  /** Called when a rectangle is drawn over the chart; null when it is cleared. */
  readonly onBrush?: (region: Region | null) => void
}

const FONT = { fontFamily: 'Inter, sans-serif', fontSize: 11 }

/** Common to all charts: quiet axes, and exact values under the pointer. */
const common = (paint: Paint): EChartsCoreOption => ({
  color: [...paint.series],
  textStyle: { ...FONT, color: paint.text },
  animation: false,
  aria: { enabled: false },
  grid: { left: 8, right: 14, top: 42, bottom: 4, containLabel: true },
  legend: {
    top: 0,
    left: 0,
    itemGap: 16,
    itemWidth: 10,
    itemHeight: 8,
    icon: 'rect',
    type: 'plain',
    textStyle: { ...FONT, color: paint.quiet },
  },
  tooltip: {
    // Drawn on the canvas rather than in HTML, so that data cannot be markup.
    renderMode: 'richText',
    trigger: 'axis',
    confine: true,
    backgroundColor: paint.raised,
    borderColor: paint.line,
    borderWidth: 1,
    padding: 8,
    textStyle: { ...FONT, color: paint.text },
    axisPointer: { lineStyle: { color: paint.quiet }, shadowStyle: { color: paint.line, opacity: 0.4 } },
  },
})

const axis = (paint: Paint) => ({
  axisLine: { lineStyle: { color: paint.line } },
  axisTick: { show: false },
  axisLabel: { ...FONT, color: paint.quiet, hideOverlap: true },
  splitLine: { lineStyle: { color: paint.line } },
  nameTextStyle: { ...FONT, color: paint.quiet },
})

type Axis = Record<string, unknown>
const axes = (given: unknown, paint: Paint): Axis[] =>
  (Array.isArray(given) ? given : [given]).map((own: Axis) => {
    const usual = axis(paint)
    return { ...usual, ...own, axisLabel: { ...usual.axisLabel, ...(own['axisLabel'] as object) } }
  })

function completed(option: EChartsCoreOption, paint: Paint): EChartsCoreOption {
  const usual = common(paint)
  const merged = (name: string) => ({ ...(usual[name] as object), ...(option[name] as object | undefined) })
  return {
    ...usual,
    ...option,
    grid: merged('grid'),
    legend: merged('legend'),
    tooltip: merged('tooltip'),
    xAxis: axes(option['xAxis'], paint),
    yAxis: axes(option['yAxis'], paint),
  }
}

/** Lets a rectangle be drawn over a chart. */
function brushed(chart: EChartsType, changed: (region: Region | null) => void): void {
  chart.setOption({
    brush: { xAxisIndex: 0, yAxisIndex: 0, throttleType: 'debounce', throttleDelay: 100, toolbox: [] },
  })
  chart.dispatchAction({
    type: 'takeGlobalCursor',
    key: 'brush',
    brushOption: { brushType: 'rect', brushMode: 'single' },
  })
  chart.on('brushEnd', given => {
    const [area] = (given as { areas: { coordRange?: [Region['x'], Region['y']] }[] }).areas
    const range = area?.coordRange
    changed(range ? { x: range[0], y: range[1] } : null)
  })
}

/** A chart, and its figures as a table a click away. */
export function Chart({ title, label, height = 240, draw, table, tools, onPick, onBrush }: ChartProps) {
  const box = useRef<HTMLDivElement>(null)
  const chart = useRef<EChartsType | null>(null)
  const pick = useRef(onPick)
  pick.current = onPick
  const brush = useRef(onBrush)
  brush.current = onBrush
  const theme = useTheme()
  const [asTable, setAsTable] = useState(false)
  useEffect(() => {
    const at = box.current
    if (!at) return
    let gone = false
    const sized = new ResizeObserver(() => chart.current?.resize())
    // Texts are measured when drawn, so the font must be loaded first.
    const ready = Promise.all([import('./echarts.ts'), document.fonts.load('11px Inter')])
    void ready.then(([{ init }]) => {
      if (gone) return
      chart.current = init(at, null, { renderer: 'canvas' })
      chart.current.setOption(completed(draw(paintOf(theme)), paintOf(theme)))
      chart.current.on('click', event =>
        pick.current?.({ seriesName: event.seriesName ?? '', name: event.name, data: event.data }),
      )
      if (brush.current) brushed(chart.current, region => brush.current?.(region))
      sized.observe(at)
    })
    return () => {
      gone = true
      sized.disconnect()
      chart.current?.dispose()
      chart.current = null
    }
    // The chart is recreated when its content changes; `draw` is memoised by the caller.
  }, [draw, theme, asTable])
  return (
    <figure className="panel chart">
      <header>
        <figcaption>
          <h2>{title}</h2>
        </figcaption>
        <span className="spread" />
        {tools}
        <button
          type="button"
          className="plain small"
          aria-pressed={asTable}
          onClick={() => setAsTable(!asTable)}
        >
          {asTable ? 'Picture' : 'Figures'}
        </button>
      </header>
      {asTable ? (
        <FiguresTable rows={table()} height={height} label={label} />
      ) : (
        <div ref={box} className="drawing" role="img" aria-label={label} style={{ height }} />
      )}
    </figure>
  )
}

function FiguresTable({
  rows: [heading = [], ...rows],
  height,
  label,
}: {
  rows: readonly (readonly (string | number | null)[])[]
  height: number
  label: string
}) {
  return (
    <Scroll label={label} style={{ maxHeight: height + 16 }}>
      <table className="plain">
        <thead>
          <tr>
            {heading.map(text => (
              <th key={text} className={text === heading[0] ? undefined : 'number'}>
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={row.join()}>
              {row.map((value, i) => (
                <td key={heading[i]} className={i === 0 ? undefined : 'number'}>
                  {value ?? '–'}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}
