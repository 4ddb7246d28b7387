import { type PointerEvent, useRef, useState } from 'react'
import type { Bin } from './facets.ts'

interface HistogramProps {
  readonly bins: readonly Bin[]
  readonly low: number | null
  readonly high: number | null
  /** Selected bounds; null for an open end. */
  readonly choose: (low: number | null, high: number | null) => void
}

const [WIDTH, HEIGHT] = [240, 36]

/** A histogram on which dragging selects a range. The fields below it do the same by keyboard. */
export function Histogram({ bins, low, high, choose }: HistogramProps) {
  const box = useRef<SVGSVGElement>(null)
  const [drawn, setDrawn] = useState<readonly [number, number] | null>(null)
  const most = Math.max(...bins.map(b => b.count), 1)
  const width = WIDTH / bins.length
  const binAt = (event: PointerEvent): number => {
    const { left, width: whole } = box.current!.getBoundingClientRect()
    return Math.max(0, Math.min(bins.length - 1, Math.floor(((event.clientX - left) / whole) * bins.length)))
  }
  const inside = (index: number): boolean =>
    drawn
      ? index >= Math.min(...drawn) && index <= Math.max(...drawn)
      : (low === null || bins[index]!.high > low) && (high === null || bins[index]!.low <= high)
  function end() {
    if (!drawn) return
    const [from, to] = [Math.min(...drawn), Math.max(...drawn)]
    setDrawn(null)
    // The outermost bins include everything beyond them.
    choose(from === 0 ? null : bins[from]!.low, to === bins.length - 1 ? null : bins[to]!.high)
  }
  return (
    <svg
      ref={box}
      className="histogram"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      onPointerDown={event => {
        event.currentTarget.setPointerCapture(event.pointerId)
        setDrawn([binAt(event), binAt(event)])
      }}
      onPointerMove={event => drawn && setDrawn([drawn[0], binAt(event)])}
      onPointerUp={end}
      onPointerCancel={() => setDrawn(null)}
    >
      {bins.map((bin, index) => {
        const height = bin.count === 0 ? 0 : Math.max(1.5, (bin.count / most) * (HEIGHT - 2))
        return (
          <rect
            key={bin.low}
            className={inside(index) ? 'in' : undefined}
            x={index * width}
            y={HEIGHT - height}
            width={Math.max(width - 1, 0.5)}
            height={height}
          >
            <title>{`${bin.count}`}</title>
          </rect>
        )
      })}
      <line x1="0" x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
    </svg>
  )
}
