import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import type { Column } from '../../../engine/schema/column.ts'
import { headingUnit, isRight } from '../show/figures.ts'
import { titleOf } from '../show/words.ts'
import { Cell } from './cell.tsx'
import './grid.css'

export interface Heading {
  readonly name: string
  readonly column: Column
}

interface GridProps {
  readonly label: string
  readonly headings: readonly Heading[]
  /** Number of rows, over all pages. */
  readonly total: number
  /** The row at an index, undefined while loading. */
  readonly rowAt: (index: number) => object | undefined
  /** `column` or `-column`. */
  readonly sort?: string | undefined
  readonly onSort?: (sort: string) => void
  /** Called with the visible rows. */
  readonly onSight?: (first: number, last: number) => void
  /** Grows with its rows up to this height in pixels; fills its container by default. */
  readonly height?: number
}

const ROW = 26

const widths: Readonly<Record<Column['kind'], number>> = {
  cents: 92,
  percent: 76,
  bps: 76,
  ratio: 72,
  years: 68,
  integer: 72,
  number: 80,
  date: 104,
  boolean: 64,
  timestamp: 126,
  enum: 120,
  text: 118,
  list: 160,
  json: 160,
}

/** Text columns with an unusual width. */
const long: readonly (readonly [RegExp, number])[] = [
  [/_rating$|^rating$|bucket|^outlook|^currency|^filing_type|agency/, 72],
  [/sector|industry/, 148],
  [/^seniority|instrument_type/, 138],
  [/(^|_)name$|description|title/, 230],
]

/** Wide enough for its values and its heading. */
function widthOf({ name, column }: Heading): number {
  const unit = headingUnit(column)
  const heading = titleOf(name).length * 6.1 + (unit ? unit.length * 6 + 4 : 0) + 30
  const usual = long.find(([pattern]) => pattern.test(name))?.[1] ?? widths[column.kind]
  const values = column.format === 'ticker' ? 76 : column.format === 'cusip' ? 108 : usual
  return Math.round(Math.max(values, Math.min(heading, 190)))
}

const moves: Readonly<Record<string, readonly [number, number]>> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
  PageDown: [15, 0],
  PageUp: [-15, 0],
  Home: [Number.NEGATIVE_INFINITY, 0],
  End: [Number.POSITIVE_INFINITY, 0],
}

/** A table of any length: only visible rows are rendered, arrows move between cells, Enter follows a cell's link. */
// Over 80 lines: the markup of one grid, with the handlers of its cells.
export function Grid({ label, headings, total, rowAt, sort, onSort, onSight, height }: GridProps) {
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState<{ row: number; column: number } | null>(null)
  const rows = useVirtualizer({
    count: total,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    overscan: 12,
  })
  const inSight = rows.getVirtualItems()
  const first = inSight[0]?.index ?? 0
  const last = inSight.at(-1)?.index ?? 0
  useEffect(() => {
    onSight?.(first, last)
  }, [first, last, onSight])

  const lengths = headings.map(widthOf)
  const template = lengths.map(w => `minmax(${w}px, ${w}fr)`).join(' ')
  const width = lengths.reduce((a, b) => a + b, 0)
  const cellId = (row: number, column: number) => `${id}-${row}-${column}`

  function walk(event: KeyboardEvent): void {
    const move = moves[event.key]
    if (move && total > 0) {
      event.preventDefault()
      const from = active ?? { row: first, column: 0 }
      const to = active
        ? { row: clamp(from.row + move[0], total), column: clamp(from.column + move[1], headings.length) }
        : from
      setActive(to)
      rows.scrollToIndex(to.row, { align: 'auto' })
      const [left, right] = [sum(lengths, to.column), sum(lengths, to.column + 1)]
      const at = box.current!
      if (left < at.scrollLeft + lengths[0]!) at.scrollLeft = to.column === 0 ? 0 : left - lengths[0]!
      else if (right > at.scrollLeft + at.clientWidth) at.scrollLeft = right - at.clientWidth
    } else if (event.key === 'Enter' && active && event.target === box.current) {
      document.getElementById(cellId(active.row, active.column))?.querySelector('a')?.click()
    }
  }

  return (
    <div
      ref={box}
      className="data-grid"
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-rowcount={total + 1}
      aria-colcount={headings.length}
      aria-activedescendant={active ? cellId(active.row, active.column) : undefined}
      onKeyDown={walk}
      style={height === undefined ? undefined : { height: Math.min(height, 34 + total * ROW + 2) }}
    >
      <div role="rowgroup" className="head" style={{ minWidth: width }}>
        <div role="row" aria-rowindex={1} className="line" style={{ gridTemplateColumns: template }}>
          {headings.map(heading => (
            <HeadingCell key={heading.name} heading={heading} sort={sort} onSort={onSort} />
          ))}
        </div>
      </div>
      <div role="rowgroup" className="rows" style={{ height: rows.getTotalSize(), minWidth: width }}>
        {inSight.map(({ index, start }) => {
          const row = rowAt(index)
          return (
            <div
              key={index}
              role="row"
              aria-rowindex={index + 2}
              aria-busy={!row}
              className="line"
              style={{ gridTemplateColumns: template, transform: `translateY(${start}px)` }}
            >
              {headings.map(({ name, column }, at) => (
                <div
                  key={name}
                  id={cellId(index, at)}
                  role="gridcell"
                  aria-colindex={at + 1}
                  className={isRight(column) ? 'number' : undefined}
                  data-active={(active?.row === index && active.column === at) || undefined}
                >
                  {row ? <Cell name={name} column={column} row={row} /> : <span className="waiting" />}
                </div>
              ))}
            </div>
          )
        })}
      </div>
    </div>
  )
}

function HeadingCell({
  heading: { name, column },
  sort,
  onSort,
}: {
  heading: Heading
  sort: string | undefined
  onSort: ((sort: string) => void) | undefined
}) {
  const direction = sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : undefined
  const sortable = onSort && column.kind !== 'json' && column.kind !== 'list'
  // Figures sort descending first.
  const next =
    direction === 'descending' ? name : direction || !isRight(column) ? other(direction, name) : `-${name}`
  const text = (
    <>
      <span>{titleOf(name)}</span>
      {headingUnit(column) && <span className="unit">{headingUnit(column)}</span>}
      {direction && <span aria-hidden="true">{direction === 'ascending' ? '↑' : '↓'}</span>}
    </>
  )
  return (
    <div
      role="columnheader"
      tabIndex={-1}
      aria-sort={direction}
      className={isRight(column) ? 'number' : undefined}
      title={`${column.doc} (${name})`}
    >
      {sortable ? (
        <button type="button" onClick={() => onSort(next)}>
          {text}
        </button>
      ) : (
        <span className="heading">{text}</span>
      )}
    </div>
  )
}

const other = (direction: 'ascending' | 'descending' | undefined, name: string): string =>
  direction === 'ascending' ? `-${name}` : name

const clamp = (value: number, count: number): number => Math.max(0, Math.min(count - 1, value))
const sum = (values: readonly number[], count: number): number =>
  values.slice(0, count).reduce((a, b) => a + b, 0)
