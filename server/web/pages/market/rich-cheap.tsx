import { useState } from 'react'
import type { InputTo, RowIn } from '../../../v1/client.ts'
import { href } from '../../app/route.ts'
import { useAnswer } from '../../ask/use-answer.ts'
import { Panel, Part } from '../../parts/part.tsx'
import { Scroll } from '../../parts/scroll.tsx'
import { Segments } from '../../parts/segments.tsx'
import { Empty } from '../../parts/state.tsx'
import { basisPoints, fixed, NOTHING } from '../../show/figures.ts'

/** The part of the market that is shown; all of it by default. */
export type Group = Pick<InputTo<'search.relative_value'>, 'rating_bucket' | 'sector'>

type Row = RowIn<'search.relative_value'>

const SHOWN = 8
const measures = { residual: 'Residual', z_score: 'Z-score' } as const
type Measure = keyof typeof measures

/** The bonds furthest above and below their fitted curves. */
export function RichCheap({ group, seen }: { group: Group; seen: boolean }) {
  const [measure, setMeasure] = useState<Measure>('residual')
  const furthest = (sort: `${'' | '-'}${Measure}`) => (seen ? { ...group, sort: [sort], limit: SHOWN } : null)
  const cheap = useAnswer('search.relative_value', furthest(`-${measure}`))
  const rich = useAnswer('search.relative_value', furthest(measure))
  const choice = (
    <Segments
      label="By"
      options={Object.keys(measures) as Measure[]}
      value={measure}
      set={setMeasure}
      named={option => measures[option]}
    />
  )
  return (
    <Panel title="Rich and cheap" className="whole" tools={choice}>
      <Part answer={cheap} what="residuals">
        {({ data }) => {
          const above = data.filter(row => (row[measure] ?? 0) > 0)
          const below = (rich.data?.data ?? []).filter(row => (row[measure] ?? 0) < 0)
          return above.length + below.length === 0 ? (
            <Empty>
              <p>No bond priced in the week before has a {measures[measure].toLowerCase()}.</p>
            </Empty>
          ) : (
            <Scroll label="Rich and cheap" className="movers">
              <List title="Cheap" rows={above} />
              <List title="Rich" rows={below} />
            </Scroll>
          )
        }}
      </Part>
    </Panel>
  )
}

const List = ({ title, rows }: { title: string; rows: readonly Row[] }) => (
  <table className="plain">
    <thead>
      <tr>
        <th>{title}</th>
        <th className="number">Residual bp</th>
        <th className="number">Z-score</th>
      </tr>
    </thead>
    <tbody>
      {rows.map(({ cusip, bond_name, residual, z_score }) => (
        <tr key={cusip ?? bond_name}>
          <td>{cusip === null ? bond_name : <a href={href(['bond', cusip])}>{bond_name ?? cusip}</a>}</td>
          <td className="number">{residual === null ? NOTHING : basisPoints(residual)}</td>
          <td className="number">{z_score === null ? NOTHING : fixed(z_score, 1)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)
