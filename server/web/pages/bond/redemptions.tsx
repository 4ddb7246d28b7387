import type { Bond } from '../../../../engine/schema/resources/bonds.ts'
import { Panel } from '../../parts/part.tsx'
import { Scroll } from '../../parts/scroll.tsx'
import { dayText } from '../../show/days.ts'
import { fixed } from '../../show/figures.ts'

/** The schedules of a bond. */
export const schedules = ['call_schedule', 'put_schedule', 'sinking_schedule'] as const

const titles = {
  call_schedule: 'Call',
  put_schedule: 'Put',
  sinking_schedule: 'Sinking payment',
} as const

interface Entry {
  readonly date?: unknown
  readonly price?: unknown
  readonly percent?: unknown
}

/** When a bond may or must be redeemed before maturity; nothing if no source tells. */
export function Redemptions({ bond }: { bond: Bond }) {
  const rows = schedules
    .flatMap(name => {
      const entries = bond[name]
      return Array.isArray(entries)
        ? entries.map((entry: Entry | null) => ({
            name,
            day: String(entry?.date ?? ''),
            amount: entry?.percent ?? entry?.price ?? 100,
          }))
        : []
    })
    .sort((a, b) => a.day.localeCompare(b.day))
  if (rows.length === 0) return null
  return (
    <Panel title="Redemption before maturity">
      <Scroll label="Redemption before maturity" className="facts">
        <table className="plain">
          <thead>
            <tr>
              <th>Day</th>
              <th>Kind</th>
              <th className="number">Price, or % of the issue</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, day, amount }) => (
              <tr key={`${name} ${day} ${amount}`}>
                <td>{dayText(day)}</td>
                <td>{titles[name]}</td>
                <td className="number">
                  {typeof amount === 'number' ? fixed(amount, 3) : String(amount)}
                  {name === 'sinking_schedule' && '%'}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </Panel>
  )
}
