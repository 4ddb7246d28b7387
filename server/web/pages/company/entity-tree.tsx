import type { AnswerOf } from '../../../v1/client.ts'
import { useAnswer } from '../../ask/use-answer.ts'
import { Panel, Part } from '../../parts/part.tsx'
import { Scroll } from '../../parts/scroll.tsx'
import { Empty } from '../../parts/state.tsx'
import { money } from '../../show/figures.ts'
import { wordsOf } from '../../show/words.ts'

type Traversed = AnswerOf<'traverse.entities'>['data']
type Entity = Traversed['traversal']['entities'][number] & { readonly _explain?: { readonly from?: string } }

/** The company's subsidiaries, its guarantors, and where its debt sits. */
export function EntityTree({ ticker }: { ticker: string }) {
  const answer = useAnswer('traverse.entities', {
    start: { type: 'company', id: ticker },
    relationships: ['subsidiaries'],
    depth: 10,
    explain: true,
  })
  const summary = answer.data?.data.summary as Record<string, number | null> | undefined
  return (
    <Panel
      title="Entities"
      className="w6"
      tools={
        summary &&
        Number(summary['total_entities']) > 0 && (
          <span className="quiet small">
            {summary['total_entities']} entities, {summary['total_guarantors']} guarantors
          </span>
        )
      }
    >
      <Part answer={answer} what="entities">
        {({ data }) => <Tree {...data} />}
      </Part>
    </Panel>
  )
}

function Tree({ start, traversal, truncated }: Traversed) {
  const entities = traversal.entities as readonly Entity[]
  const known = new Set(entities.map(e => e.id))
  const top = entities.filter(e => !known.has(e._explain?.from ?? ''))
  if (entities.length === 0)
    return (
      <Empty>
        <p>No subsidiaries. Load a 10-K with its Exhibit 21, or an entities table.</p>
      </Empty>
    )
  return (
    <Scroll label="Entities" className="tree">
      <strong>{start.name ?? start.id}</strong>
      <Branches of={top} all={entities} />
      {truncated && <p className="quiet">Not all entities are shown: there are too many.</p>}
    </Scroll>
  )
}

const Branches = ({ of, all }: { of: readonly Entity[]; all: readonly Entity[] }) => (
  <ul>
    {of.map(entity => {
      const under = all.filter(e => e._explain?.from === entity.id && e.id !== entity.id)
      return (
        <li key={entity.id}>
          {entity.name} {entity.is_guarantor && <span className="tag">guarantor</span>}{' '}
          <span className="facts">{factsOf(entity)}</span>
          {under.length > 0 && <Branches of={under} all={all} />}
        </li>
      )
    })}
  </ul>
)

const factsOf = ({ entity_type, jurisdiction, debt_at_entity }: Entity): string =>
  [
    entity_type && wordsOf(entity_type),
    jurisdiction,
    debt_at_entity?.count ? `${debt_at_entity.count} issues, ${money(debt_at_entity.total)}` : null,
  ]
    .filter(Boolean)
    .join(' · ')
