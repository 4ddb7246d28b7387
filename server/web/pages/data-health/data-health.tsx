import { useAccountData } from '../../ask/account.ts'
import type { DataHealth as Health } from '../../ask/data-health.ts'
import { Panel, Part } from '../../parts/part.tsx'
import { Scroll } from '../../parts/scroll.tsx'
import { Empty } from '../../parts/state.tsx'
import { TableOfLines } from '../../parts/table-of-lines.tsx'
import { dayText } from '../../show/days.ts'
import { fixed, minute, NOTHING } from '../../show/figures.ts'
import { fileName } from '../../show/inputs.ts'
import { wordsOf } from '../../show/words.ts'
import { Corrections } from './corrections.tsx'
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
            <Corrections />
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
          <TableOfLines
            className="health"
            lines={stale}
            keyOf={({ table }) => table}
            columns={[
              { title: 'Table', cell: ({ table }) => wordsOf(table) },
              { title: 'Newest', className: 'kind', cell: ({ last }) => dayText(last) },
              { title: 'Days old', className: 'number stale', cell: ({ days }) => fixed(days, 0) },
              { title: 'What to do', cell: line => sentence(line.do) },
            ]}
          />
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
      <TableOfLines
        className="health"
        lines={lines}
        keyOf={({ reason }) => reason}
        columns={[
          { title: what, className: 'number', cell: ({ count }) => fixed(count, 0) },
          { title: 'Reason', className: 'reason', cell: ({ reason }) => sentence(reason) },
        ]}
      />
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
          <TableOfLines
            className="health"
            lines={findings}
            keyOf={({ says }) => says}
            columns={[
              {
                title: 'Check',
                className: 'kind',
                cell: ({ check, severity }) => (
                  <>
                    {sentence(check)}
                    {severity === 'problem' && <strong> (problem)</strong>}
                  </>
                ),
              },
              { title: 'Found', className: 'reason', cell: ({ says }) => says },
              { title: 'What to do', cell: line => sentence(line.do) },
            ]}
          />
        </Scroll>
      )}
      {notes.length > 0 && <Sentences of={notes} />}
    </Panel>
  )
}

const day = (value: string | null): string => (value === null ? NOTHING : dayText(value))
const count = (value: number | null): string => (value === null ? NOTHING : fixed(value, 0))

function Coverage({ health: { tables } }: { health: Health }) {
  return (
    <Panel title="Coverage" className="w6">
      <Scroll label="Coverage">
        <TableOfLines
          lines={tables}
          keyOf={({ table }) => table}
          columns={[
            { title: 'Table', cell: ({ table }) => wordsOf(table) },
            { title: 'Rows', className: 'number', cell: ({ rows }) => fixed(rows, 0) },
            { title: 'Companies', className: 'number', cell: ({ companies }) => count(companies) },
            { title: 'First', cell: ({ first }) => day(first) },
            { title: 'Last', cell: ({ last }) => day(last) },
            { title: 'Known to', cell: ({ newest_known_from }) => day(newest_known_from) },
          ]}
        />
      </Scroll>
    </Panel>
  )
}

function Sources({ health: { sources } }: { health: Health }) {
  return (
    <Panel title="Files by kind" className="w6">
      <Scroll label="Files by kind">
        <TableOfLines
          lines={sources}
          keyOf={({ kind }) => kind}
          columns={[
            { title: 'Kind', cell: ({ kind }) => kind },
            { title: 'Files', className: 'number', cell: ({ files }) => fixed(files, 0) },
            { title: 'Refused', className: 'number', cell: ({ refused }) => fixed(refused, 0) },
            { title: 'Rows', className: 'number', cell: ({ rows }) => fixed(rows, 0) },
            { title: 'Rejected', className: 'number', cell: ({ rejected }) => fixed(rejected, 0) },
            { title: 'Last ingested', cell: ({ ingested_at }) => minute(ingested_at) },
          ]}
        />
      </Scroll>
    </Panel>
  )
}
