import type { ReactNode } from 'react'
import { href } from '../../app/route.ts'
import { useAnswer } from '../../ask/use-answer.ts'
import { Panel, Part } from '../../parts/part.tsx'
import { Scroll } from '../../parts/scroll.tsx'
import { Empty } from '../../parts/state.tsx'
import { basisPoints, NOTHING } from '../../show/figures.ts'
import { useNewestDay } from './newest-day.ts'
import type { Narrowed } from './series.tsx'

interface Mover {
  readonly ticker?: string | null
  readonly change?: number | null
  readonly median?: number | null
}

const SHOWN = 8

/** Companies with the largest spread increases and decreases. */
export function Movers({ narrowed, days, tools }: { narrowed: Narrowed; days: number; tools: ReactNode }) {
  const last = useNewestDay(narrowed.tenor)
  const from = last && new Date(Date.parse(last) - days * 86_400_000).toISOString().slice(0, 10)
  const answer = useAnswer(
    'aggregate.spreads',
    from
      ? {
          ...narrowed,
          from_date: from,
          group_by: ['ticker'],
          metrics: ['change', 'median'],
          sort: ['-change'],
          limit: 1000,
        }
      : null,
  )
  return (
    <Panel title="Movers" className="whole" tools={tools}>
      <Part answer={answer} what="movers">
        {({ data }) => {
          const moved = (data as readonly Mover[]).filter(m => m.ticker && m.change)
          const wider = moved.slice(0, SHOWN).filter(m => m.change! > 0)
          const tighter = moved
            .slice(-SHOWN)
            .filter(m => m.change! < 0)
            .reverse()
          return moved.length === 0 ? (
            <Empty>
              <p>No spread changes in this period. Try a longer one.</p>
            </Empty>
          ) : (
            <Scroll label="Movers" className="movers">
              <List title="Wider" of={wider} />
              <List title="Tighter" of={tighter} />
            </Scroll>
          )
        }}
      </Part>
    </Panel>
  )
}

const List = ({ title, of }: { title: string; of: readonly Mover[] }) => (
  <table className="plain">
    <thead>
      <tr>
        <th>{title}</th>
        <th className="number">Change bp</th>
        <th className="number">Median bp</th>
      </tr>
    </thead>
    <tbody>
      {of.map(({ ticker, change, median }) => (
        <tr key={ticker}>
          <td>
            <a href={href(['company', ticker!])}>{ticker}</a>
          </td>
          <td className={`number ${change! > 0 ? 'down' : 'up'}`}>{basisPoints(change!)}</td>
          <td className="number">{median == null ? NOTHING : basisPoints(median)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)
