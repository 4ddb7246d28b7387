import { useEffect, useState } from 'react'
import type { Column } from '../../../../engine/schema/column.ts'
import { setParams } from '../../app/route.ts'
import { Day } from '../../parts/day.tsx'
import { scaleOf } from '../../show/figures.ts'
import { binsOf, type Facet } from './facets.ts'
import { Histogram } from './histogram.tsx'
import type { Control } from './screen-query.ts'

interface RangeFilterProps {
  readonly title: string
  readonly unit: string | undefined
  readonly column: Column
  readonly control: Control & { kind: 'range' }
  readonly filters: Readonly<Record<string, string>>
  readonly facet: Facet | undefined
}

/** Bounds of a figure or a day, with a histogram of the rows. */
export function RangeFilter({
  title,
  unit,
  column,
  control: { min, max },
  filters,
  facet,
}: RangeFilterProps) {
  const scale = scaleOf(column)
  const isDate = column.kind === 'date'
  const bins = binsOf(facet, column)
  const low = min === undefined ? undefined : filters[min]
  const high = max === undefined ? undefined : filters[max]
  /** A selected bound: a number, or the first or last day of a year. */
  const bound = (param: string | undefined, at: number | null, day: string) =>
    param === undefined
      ? {}
      : { [param]: at === null ? null : `${isDate && day === '-12-31' ? at - 1 : at}${isDate ? day : ''}` }
  const put = (param: string | undefined, text: string) =>
    param === undefined ? {} : { [param]: stored(text, column, scale) }
  return (
    <fieldset className="filter range" title={column.doc}>
      <legend>
        {title} {unit && <span className="quiet">{unit}</span>}
      </legend>
      {bins.length > 1 && (
        <Histogram
          bins={bins}
          low={placeOf(low, isDate)}
          high={placeOf(high, isDate)}
          choose={(from, to) => setParams({ ...bound(min, from, '-01-01'), ...bound(max, to, '-12-31') })}
        />
      )}
      <div className="bounds">
        {min && (
          <Bound
            label={`${title}, least`}
            column={column}
            value={low}
            scale={scale}
            set={text => setParams(put(min, text))}
          />
        )}
        {max && (
          <Bound
            label={`${title}, most`}
            column={column}
            value={high}
            scale={scale}
            set={text => setParams(put(max, text))}
          />
        )}
      </div>
    </fieldset>
  )
}

/** The position of a bound among the bins: a day by its year. */
const placeOf = (text: string | undefined, isDate: boolean): number | null =>
  text === undefined ? null : isDate ? Number(text.slice(0, 4)) : Number(text)

/** The API value of a number typed in the displayed unit. */
function stored(text: string, column: Column, scale: number): string | null {
  if (text.trim() === '') return null
  if (column.kind === 'date' || scale === 1 || !Number.isFinite(Number(text))) return text.trim()
  return String(Math.round(Number(text) * scale))
}

interface BoundProps {
  readonly label: string
  readonly column: Column
  readonly value: string | undefined
  readonly scale: number
  readonly set: (text: string) => void
}

function Bound({ label, column, value, scale, set }: BoundProps) {
  const given =
    value === undefined ? '' : !Number.isFinite(Number(value)) ? value : String(Number(value) / scale)
  const [text, setText] = useState(given)
  useEffect(() => setText(given), [given])
  const say = () => {
    if (text !== given) set(text)
  }
  const placeholder = label.endsWith('least') ? 'Least' : 'Most'
  if (column.kind === 'date')
    return <Day label={label} value={value ?? ''} set={set} placeholder={placeholder} />
  return (
    <input
      inputMode="decimal"
      aria-label={label}
      placeholder={placeholder}
      value={text}
      onChange={event => setText(event.target.value)}
      onBlur={say}
      onKeyDown={event => event.key === 'Enter' && say()}
    />
  )
}
