import { type ReactNode, useState } from 'react'
import type { Column } from '../../../../engine/schema/column.ts'
import type { Bond } from '../../../../engine/schema/resources/bonds.ts'
import { companies } from '../../../../engine/schema/resources/companies.ts'
import type { Rating } from '../../../../engine/schema/resources/ratings.ts'
import { type AnswerOf, TrancheError } from '../../../v1/client.ts'
import { href } from '../../app/route.ts'
import { useAnswer } from '../../ask/use-answer.ts'
import { Day } from '../../parts/day.tsx'
import { Panel, Part } from '../../parts/part.tsx'
import { Scroll } from '../../parts/scroll.tsx'
import { Empty } from '../../parts/state.tsx'
import { useSeen } from '../../parts/use-seen.ts'
import { dayText } from '../../show/days.ts'
import { fixed, money, NOTHING, withUnit } from '../../show/figures.ts'
import { titleOf, wordsOf } from '../../show/words.ts'
import { safeUrl } from './safe-url.ts'

const yearBefore = (day: string): string => `${Number(day.slice(0, 4)) - 1}${day.slice(4)}`

/** Differences from another day, and filings since. */
export function Changes({ ticker, asOf }: { ticker: string; asOf: string }) {
  const [since, setSince] = useState(() => yearBefore(asOf))
  const [body, seen] = useSeen<HTMLDivElement>()
  // An earlier day may have to be derived first, so it is loaded when the panel comes into view.
  const answer = useAnswer('changes.company', seen && since < asOf ? { ticker, since } : null)
  const earliest = firstDay(answer.error)
  return (
    <Panel
      title="Changes and filings"
      className="w6"
      tools={
        <span className="row quiet">
          since <Day label="Changes since" value={since} set={day => setSince(day || yearBefore(asOf))} />
        </span>
      }
    >
      <div ref={body}>
        {earliest === null ? (
          <Part answer={answer} what={`the company as it was on ${dayText(since)}`}>
            {({ data }) => <Shown changes={data.changes} />}
          </Part>
        ) : (
          <Empty>
            <p>
              The data begins on {dayText(earliest)}: nothing is known of {dayText(since)}.
            </p>
            {earliest < asOf && (
              <button type="button" onClick={() => setSince(earliest)}>
                Compare with {dayText(earliest)}
              </button>
            )}
          </Empty>
        )}
      </div>
    </Panel>
  )
}

/** The first day with data, if an earlier one was requested; else null. */
function firstDay(error: unknown): string | null {
  const { earliest } = error instanceof TrancheError && error.code === 'NO_SNAPSHOT' ? error.details : {}
  return typeof earliest === 'string' ? earliest : null
}

type Changed = AnswerOf<'changes.company'>['data']['changes']
type DebtRow = Pick<Bond, 'id' | 'name' | 'display_name' | 'cusip'> & {
  outstanding?: number | null
  reason?: string
}
type EntityRow = { id: string; name: string }
type RatingRow = Pick<Rating, 'agency' | 'rating_type' | 'effective_date'> & {
  previous: string | null
  current: string | null
  direction: string
}
type FilingRow = {
  accession: string
  form: string | null
  filed_date: string | null
  report_date: string | null
  url: string | null
}

// Over 80 lines: the markup of one panel.
function Shown({ changes }: { changes: Changed }) {
  // The answer says which members these rows have; its type does not.
  const debt = (name: 'new_debt' | 'newly_known_debt' | 'removed_debt' | 'changed_debt') =>
    changes[name] as unknown as DebtRow[]
  const entities = (name: 'added' | 'removed') => changes.entity_changes[name] as unknown as EntityRow[]
  const ratings = changes.rating_changes as unknown as RatingRow[]
  const filings = changes.new_filings as unknown as FilingRow[]
  const groups: [string, ReactNode[]][] = [
    ['New debt', debt('new_debt').map(b => <Debt key={b.id} bond={b} />)],
    ['Known since, not issued', debt('newly_known_debt').map(b => <Debt key={b.id} bond={b} />)],
    ['Debt gone', debt('removed_debt').map(b => <Debt key={b.id} bond={b} />)],
    ['Terms changed', debt('changed_debt').map(b => <Debt key={b.id} bond={b} />)],
    [
      'Ratings',
      ratings.map(r => (
        <li key={`${r.agency}${r.rating_type}${r.effective_date}`}>
          <span>
            {wordsOf(r.agency)} {wordsOf(r.direction)}
          </span>
          <span>
            {r.previous ?? NOTHING} → {r.current ?? NOTHING}
          </span>
        </li>
      )),
    ],
    [
      'Metrics',
      Object.entries(changes.metric_changes).map(([name, { previous, current, change_pct }]) => {
        const column = (companies.columns as Record<string, Column>)[name]
        const shown = (value: number | null) =>
          column?.kind === 'cents'
            ? money(value)
            : column
              ? withUnit(column, value)
              : String(value ?? NOTHING)
        return (
          <li key={name}>
            <span>{titleOf(name)}</span>
            <span>
              {shown(previous)} → {shown(current)}
            </span>
            <span className="quiet">{change_pct === null ? '' : `${fixed(change_pct, 1)}%`}</span>
          </li>
        )
      }),
    ],
    ['Entities added', entities('added').map(e => <li key={e.id}>{e.name}</li>)],
    ['Entities gone', entities('removed').map(e => <li key={e.id}>{e.name}</li>)],
    [
      'Filings',
      filings.map(f => (
        <li key={f.accession}>
          <span>
            {f.form ?? 'Filing'}{' '}
            {f.report_date && <span className="quiet">for {dayText(f.report_date)}</span>}
          </span>
          <span>{f.filed_date && dayText(f.filed_date)}</span>
          {safeUrl(f.url) && (
            <a href={f.url!} target="_blank" rel="noreferrer noopener">
              Source
            </a>
          )}
        </li>
      )),
    ],
  ]
  const some = groups.filter(([, items]) => items.length > 0)
  return some.length === 0 ? (
    <Empty>
      <p>No changes. Choose an earlier day.</p>
    </Empty>
  ) : (
    <Scroll label="Changes" className="groups changes-body">
      {some.map(([name, items]) => (
        <section key={name}>
          <h3>{name}</h3>
          <ul>{items}</ul>
        </section>
      ))}
    </Scroll>
  )
}

const Debt = ({ bond: { id, name, display_name, cusip, reason, outstanding } }: { bond: DebtRow }) => (
  <li>
    <a href={href(['bond', cusip ?? id])}>{display_name ?? name ?? id}</a>
    {reason && <span className="quiet">{wordsOf(reason)}</span>}
    {typeof outstanding === 'number' && <span>{money(outstanding)}</span>}
  </li>
)
