import { useState } from 'react'
import type { RowIn } from '../../../v1/client.ts'
import { href } from '../../app/route.ts'
import { useAnswer } from '../../ask/use-answer.ts'
import { Panel, Part } from '../../parts/part.tsx'
import { Scroll } from '../../parts/scroll.tsx'
import { Empty, Warnings, warningsOf } from '../../parts/state.tsx'
import { dayText } from '../../show/days.ts'
import { money, NOTHING } from '../../show/figures.ts'
import { wordsOf } from '../../show/words.ts'
import { type Evidence, Passage } from './passage.tsx'

const fields = [
  'id',
  'type',
  'bond_name',
  'instrument_name',
  'priority',
  'description',
  'assets',
  'estimated_value',
  'last_stated',
  'evidences',
] as const

/** The screen of pledges that end only as a later report does not repeat them. */
const notRepeated = {
  ended_because: 'not_repeated',
  fields:
    'company_ticker,bond_name,instrument_name,type,priority,description,last_stated,ended_on,ended_because',
}

type Row = RowIn<'search.collateral'>

/** What secures a company's debt on the as-of day, each with the passages that say so. */
export function Collateral({ ticker }: { ticker: string }) {
  const answer = useAnswer('search.collateral', { ticker, fields, limit: 100 })
  return (
    <Panel
      title="Collateral"
      className="w6"
      tools={<span className="quiet small">{answer.data?.meta.total ?? ''}</span>}
    >
      <Part answer={answer} what="collateral">
        {({ data: rows, meta }) => {
          const warnings = warningsOf(meta).length > 0 && (
            <div className="note">
              <Warnings meta={meta} />
              {warningsOf(meta).some(text => text.includes('ended_because=not_repeated')) && (
                <a className="small" href={href(['screen', 'collateral'], { ticker, ...notRepeated })}>
                  Show what is left out
                </a>
              )}
            </div>
          )
          return rows.length ? (
            <>
              <Table rows={rows as readonly Row[]} ticker={ticker} />
              {meta.total > rows.length && (
                <a className="small" href={href(['screen', 'collateral'], { ticker })}>
                  Show all {meta.total}
                </a>
              )}
              {warnings}
            </>
          ) : (
            <Empty>
              {warnings || (
                <p>No collateral is known: its reports or agreements state none, or are not in the lake.</p>
              )}
            </Empty>
          )
        }}
      </Part>
    </Panel>
  )
}

function Table({ rows, ticker }: { rows: readonly Row[]; ticker: string }) {
  const [opened, setOpened] = useState<string | null>(null)
  return (
    <Scroll label="Collateral">
      <table className="plain">
        <thead>
          <tr>
            <th>Assets</th>
            <th>Secures</th>
            <th>Lien</th>
            <th className="number">Value</th>
            <th className="number">Last stated</th>
          </tr>
        </thead>
        <tbody>
          {rows.flatMap(row => [
            <tr key={row.id}>
              <td>
                <button
                  type="button"
                  className="plain"
                  aria-expanded={opened === row.id}
                  onClick={() => setOpened(opened === row.id ? null : row.id)}
                >
                  {wordsOf(row.type)}
                </button>
                <div className="quiet small">{row.assets?.join(', ') || row.description}</div>
              </td>
              <td>{row.bond_name ?? row.instrument_name ?? NOTHING}</td>
              <td>{row.priority === null ? NOTHING : wordsOf(row.priority)}</td>
              <td className="number">
                {row.estimated_value === null ? NOTHING : money(row.estimated_value, 'USD')}
              </td>
              <td className="number">{row.last_stated === null ? NOTHING : dayText(row.last_stated)}</td>
            </tr>,
            opened === row.id && (
              <tr key={`${row.id} passages`}>
                <td colSpan={5} className="evidence">
                  {((row.evidences ?? []) as readonly Evidence[]).map(evidence => (
                    <Passage key={`${evidence.source}${evidence.text}`} evidence={evidence} ticker={ticker} />
                  ))}
                </td>
              </tr>
            ),
          ])}
        </tbody>
      </table>
    </Scroll>
  )
}
