import type { ReactNode } from 'react'

export interface LineColumn<T> {
  readonly title: string
  /** Of its cells; `number` also of its heading. */
  readonly className?: string
  readonly cell: (line: T) => ReactNode
}

/** A table of lines that are only read: no order to choose, nothing to select. */
export function TableOfLines<T>({
  lines,
  columns,
  keyOf,
  className = '',
}: {
  lines: readonly T[]
  columns: readonly LineColumn<T>[]
  keyOf: (line: T) => string
  className?: string
}) {
  return (
    <table className={`plain ${className}`.trim()}>
      <thead>
        <tr>
          {columns.map(({ title, className }) => (
            <th key={title} className={className?.startsWith('number') ? 'number' : undefined}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {lines.map(line => (
          <tr key={keyOf(line)}>
            {columns.map(({ title, className, cell }) => (
              <td key={title} className={className}>
                {cell(line)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
