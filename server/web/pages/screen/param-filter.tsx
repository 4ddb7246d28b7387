import type { Param } from '../../../../engine/schema/params.ts'
import { Day } from '../../parts/day.tsx'
import { Segments } from '../../parts/segments.tsx'
import { titleOf, wordsOf } from '../../show/words.ts'
import { TextFilter } from './text-filter.tsx'

interface ParamFilterProps {
  readonly name: string
  readonly param: Param
  readonly value: string
  readonly set: (value: string | null) => void
}

/** A list parameter that is not a column: an enum, a day, or a text whose description gives its form. */
export function ParamFilter({ name, param: { column, fallback }, value, set }: ParamFilterProps) {
  const title = titleOf(name)
  const usual = String(fallback ?? '')
  if (column.kind === 'text')
    return (
      <div>
        <TextFilter title={title} doc={column.doc} value={value} set={set} placeholder="" />
        <p className="hint quiet small">{column.doc.replaceAll('`', '')}</p>
      </div>
    )
  return (
    <div className="filter" title={column.doc}>
      <span className="name">{title}</span>
      {column.kind === 'date' ? (
        <Day label={title} value={value} set={day => set(day || null)} />
      ) : (
        <Segments
          label={title}
          options={[...(usual ? [] : ['']), ...column.values!]}
          value={value || usual}
          set={choice => set(choice === usual ? null : choice)}
          named={choice => (choice ? wordsOf(choice) : 'Usual')}
        />
      )}
    </div>
  )
}
