import { useAccountData } from '../../ask/account.ts'
import type { DataHealth as Health } from '../../ask/data-health.ts'
import { Panel, Part } from '../../parts/part.tsx'
import { Scroll } from '../../parts/scroll.tsx'
import { Empty } from '../../parts/state.tsx'
import { dayText } from '../../show/days.ts'
import { fixed, minute, NOTHING } from '../../show/figures.ts'
import { fileName } from '../../show/inputs.ts'
import { wordsOf } from '../../show/words.ts'
import { UnlinkedIssuers } from './unlinked-issuers.tsx'
import './data-health.css'

/** For administrators: what the data lacks, and what to do about it. */
export function DataHealth() {
  const answer = useAccountData<Health>('/admin/data-health')
  return (
    <div className="page">
      <header className="heading">
        <h1>Data health</h1>
        {answer.data && (
          <p className="quiet">
            Snapshot {answer.data.snapshot}, built {minute(answer.data.built_at)}
            {answer.data.as_of && `, as of ${dayText(answer.data.as_of)}`}
          </p>
        )}
      </header>
      <Part answer={answer} what="the report">
        {health => (
          <div className="grid data-health">
            <Stale health={health} />
            <Rejected health={health} />
            <UnlinkedIssuers />
            <Findings health={health} />
            <Coverage health={health} />
            <Sources health={health} />
          </div>
        )}
      </Part>
    </div>
  )
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

function Stale({ health: { stale, freshness } }: { health: Health }) {
  return (
    <Panel title="Stale sources" className="w6">
      {stale.length === 0 ? (
        <Empty>
          <p>Prices, spreads and figures are current.</p>
        </Empty>
      ) : (
        <Scroll label="Stale sources">
          <table className="plain health">
            <thead>
              <tr>
                <th>Table</th>
                <th>Newest</th>
                <th className="number">Days old</th>
                <th>What to do</th>
              </tr>
            </thead>
            <tbody>
              {stale.map(({ table, last, days, do: todo }) => (
                <tr key={table}>
                  <td>{wordsOf(table)}</td>
                  <td className="kind">{dayText(last)}</td>
                  <td className="number stale">{fixed(days, 0)}</td>
                  <td>{sentence(todo)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      <Sentences of={freshness} />
    </Panel>
  )
}

const Sentences = ({ of }: { of: readonly string[] }) => (
  <ul className="body quiet small reason">
    {of.map(text => (
      <li key={text}>{sentence(text)}</li>
    ))}
  </ul>
)

function Rejected({ health: { rejected, refused } }: { health: Health }) {
  return (
    <Panel title="Rejected rows and files" className="w6">
      {rejected.length + refused.length === 0 ? (
        <Empty>
          <p>Every row of every file was accepted.</p>
        </Empty>
      ) : (
        <Scroll label="Rejected rows and files">
          <Reasons
            what="Files"
            todo={refused[0]?.do}
            lines={refused.map(({ count, reason, examples }) => ({
              count,
              reason: `${reason} (${examples.map(fileName).join(', ')}${count > examples.length ? ', …' : ''})`,
            }))}
          />
          <Reasons what="Rows" todo={rejected[0]?.do} lines={rejected} />
        </Scroll>
      )}
    </Panel>
  )
}

/** What was rejected, by reason, under the advice for all of it. */
function Reasons({
  what,
  todo,
  lines,
}: {
  what: string
  todo: string | undefined
  lines: readonly { readonly count: number; readonly reason: string }[]
}) {
  if (lines.length === 0) return null
  return (
    <>
      <p>{sentence(todo ?? '')}.</p>
      <table className="plain health">
        <thead>
          <tr>
            <th className="number">{what}</th>
            <th>Reason</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ count, reason }) => (
            <tr key={reason}>
              <td className="number">{fixed(count, 0)}</td>
              <td className="reason">{sentence(reason)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

function Findings({ health: { findings, notes } }: { health: Health }) {
  return (
    <Panel title="Findings">
      {findings.length === 0 ? (
        <Empty>
          <p>No check found anything.</p>
        </Empty>
      ) : (
        <Scroll label="Findings">
          <table className="plain health">
            <thead>
              <tr>
                <th>Check</th>
                <th>Found</th>
                <th>What to do</th>
              </tr>
            </thead>
            <tbody>
              {findings.map(({ check, severity, says, do: todo }) => (
                <tr key={says}>
                  <td className="kind">
                    {sentence(check)}
                    {severity === 'problem' && <strong> (problem)</strong>}
                  </td>
                  <td className="reason">{says}</td>
                  <td>{sentence(todo)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      {notes.length > 0 && <Sentences of={notes} />}
    </Panel>
  )
}

const day = (value: string | null): string => (value === null ? NOTHING : dayText(value))

function Coverage({ health: { tables } }: { health: Health }) {
  return (
    <Panel title="Coverage" className="w6">
      <Scroll label="Coverage">
        <table className="plain">
          <thead>
            <tr>
              <th>Table</th>
              <th className="number">Rows</th>
              <th className="number">Companies</th>
              <th>First</th>
              <th>Last</th>
              <th>Known to</th>
            </tr>
          </thead>
          <tbody>
            {tables.map(({ table, rows, companies, first, last, newest_known_from }) => (
              <tr key={table}>
                <td>{wordsOf(table)}</td>
                <td className="number">{fixed(rows, 0)}</td>
                <td className="number">{companies === null ? NOTHING : fixed(companies, 0)}</td>
                <td>{day(first)}</td>
                <td>{day(last)}</td>
                <td>{day(newest_known_from)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </Panel>
  )
}

function Sources({ health: { sources } }: { health: Health }) {
  return (
    <Panel title="Files by kind" className="w6">
      <Scroll label="Files by kind">
        <table className="plain">
          <thead>
            <tr>
              <th>Kind</th>
              <th className="number">Files</th>
              <th className="number">Refused</th>
              <th className="number">Rows</th>
              <th className="number">Rejected</th>
              <th>Last ingested</th>
            </tr>
          </thead>
          <tbody>
            {sources.map(({ kind, files, refused, rows, rejected, ingested_at }) => (
              <tr key={kind}>
                <td>{kind}</td>
                <td className="number">{fixed(files, 0)}</td>
                <td className="number">{fixed(refused, 0)}</td>
                <td className="number">{fixed(rows, 0)}</td>
                <td className="number">{fixed(rejected, 0)}</td>
                <td>{minute(ingested_at)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </Panel>
  )
}
