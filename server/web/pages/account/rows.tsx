import { Scroll } from '../../parts/scroll.tsx'
import { fixed, minute, NOTHING } from '../../show/figures.ts'
import { titleOf, wordsOf } from '../../show/words.ts'

/** Records as they are, without their ids. */
export function Rows({ rows }: { rows: readonly object[] }) {
  const names = Object.keys(rows[0] ?? {}).filter(name => !/(^|_)id$/.test(name))
  return (
    <Scroll label="Rows">
      <table className="plain">
        <thead>
          <tr>
            {names.map(name => (
              <th key={name}>{titleOf(name)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={JSON.stringify(row)}>
              {names.map(name => (
                <td key={name}>{textOf((row as Record<string, unknown>)[name])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return NOTHING
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'number') return fixed(value, 0)
  const text = String(value)
  if (/^\d{4}-\d\d-\d\dT/.test(text)) return minute(text)
  return /^[a-z]+(_[a-z]+)+$/.test(text) ? wordsOf(text) : text
}
