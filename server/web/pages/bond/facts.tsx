import type { Column } from '../../../../engine/schema/column.ts'
import { Panel } from '../../parts/part.tsx'
import { Scroll } from '../../parts/scroll.tsx'
import { exactly, memberOf, withUnit } from '../../show/figures.ts'
import { titleOf } from '../../show/words.ts'

/** What a figure is, and its every digit. */
export const hint = (column: Column, value: unknown): string =>
  [exactly(column, value), column.doc].filter(Boolean).join(': ')

/** The columns of a row that have a value. */
export function FactList({
  label,
  columns,
  row,
  names,
}: {
  label: string
  columns: Readonly<Record<string, Column>>
  row: object
  names: readonly string[]
}) {
  const known = names.filter(name => {
    const value = memberOf(row, name)
    return value !== null && value !== undefined
  })
  return (
    <Scroll label={label} className="facts">
      {known.length === 0 && <p className="quiet">No data.</p>}
      <dl>
        {known.map(name => (
          <div key={name} title={hint(columns[name]!, memberOf(row, name))}>
            <dt>{titleOf(name)}</dt>
            <dd>{withUnit(columns[name]!, memberOf(row, name))}</dd>
          </div>
        ))}
      </dl>
    </Scroll>
  )
}

export const Facts = ({
  title,
  ...facts
}: {
  title: string
  columns: Readonly<Record<string, Column>>
  row: object
  names: readonly string[]
}) => (
  <Panel title={title} className="w4">
    <FactList label={title} {...facts} />
  </Panel>
)
