import { useState } from 'react'
import { useAccountChange } from '../../ask/account.ts'
import { type CorrectedField, type Correction, useCorrections } from '../../ask/data-health.ts'
import { Panel, Part } from '../../parts/part.tsx'
import { Scroll } from '../../parts/scroll.tsx'
import { Empty, Failure } from '../../parts/state.tsx'
import { dayText } from '../../show/days.ts'
import { fixed } from '../../show/figures.ts'
import { wordsOf } from '../../show/words.ts'

/** Corrections of facts that were read out of documents: those in force, and a form for a new one. */
export function Corrections() {
  const answer = useCorrections()
  const pending = answer.data?.meta.pending ?? 0
  return (
    <Panel
      title="Corrections"
      tools={
        <span role="status" className="quiet small">
          {pending > 0 &&
            `${fixed(pending, 0)} ${pending === 1 ? 'correction waits' : 'corrections wait'} for the next build: run tranche build`}
        </span>
      }
    >
      <Part answer={answer} what="corrections">
        {({ data, meta }) => (
          <>
            {meta.writable ? (
              <NewCorrection fields={meta.fields} />
            ) : (
              <p className="body">
                This server may not write to the lake. Run tranche correct where the lake is built.
              </p>
            )}
            {data.length === 0 ? (
              <Empty>
                <p>No fact is corrected.</p>
              </Empty>
            ) : (
              <Scroll label="Corrections">
                <table className="plain health">
                  <thead>
                    <tr>
                      <th>Row</th>
                      <th>Correction</th>
                      <th>Why</th>
                      <th>By</th>
                      <th>From</th>
                      <th />
                    </tr>
                  </thead>
                  <tbody>
                    {data.map(each => (
                      <Line
                        key={`${each.corrects} ${each.row_id} ${each.field}`}
                        correction={each}
                        writable={meta.writable}
                      />
                    ))}
                  </tbody>
                </table>
              </Scroll>
            )}
          </>
        )}
      </Part>
    </Panel>
  )
}

function Line({ correction, writable }: { correction: Correction; writable: boolean }) {
  const { corrects, row_id, action, field, value, reason, made_by, made_on, is_pending } = correction
  const { run, error, busy } = useAccountChange()
  const takeBack = () =>
    run('POST', '/admin/corrections', {
      action: 'remove',
      table: corrects,
      id: row_id,
      ...(field !== null && { field }),
      because: 'taken back in the explorer',
    })
  return (
    <tr>
      <td className="reason">
        {wordsOf(corrects)} {row_id}
      </td>
      <td className="reason">
        {action === 'drop' ? 'dropped' : `${field} = ${value ?? 'not known'}`}
        {is_pending && <span className="quiet small">, from the next build</span>}
      </td>
      <td className="reason">{reason}</td>
      <td>{made_by}</td>
      <td className="kind">{dayText(made_on)}</td>
      <td>
        {writable && (
          <button
            type="button"
            className="plain"
            disabled={busy}
            aria-label={`Take back the correction of ${row_id}${field === null ? '' : `, ${field}`}`}
            onClick={() => void takeBack()}
          >
            Take back
          </button>
        )}
        {error !== null && <Failure error={error} />}
      </td>
    </tr>
  )
}

/** Chosen in place of a field: the row is no fact. */
const DROP = '-'

// Over 80 lines: the markup of one form.
function NewCorrection({ fields }: { fields: Readonly<Record<string, readonly CorrectedField[]>> }) {
  const tables = Object.keys(fields)
  const [table, setTable] = useState(tables[0] ?? '')
  const [field, setField] = useState('')
  const { run, error, busy } = useAccountChange()
  const known = fields[table] ?? []
  const values = known.find(({ name }) => name === field)?.values ?? null
  async function submit(form: HTMLFormElement) {
    const given = new FormData(form)
    const text = (name: string) => String(given.get(name) ?? '').trim()
    const isDrop = field === DROP
    const kept = await run('POST', '/admin/corrections', {
      action: isDrop ? 'drop' : 'set',
      table,
      id: text('id'),
      ...(!isDrop && { field, ...(text('value') !== '' && { value: text('value') }) }),
      because: text('because'),
    })
    if (kept !== null) form.reset()
  }
  return (
    <form
      className="body row"
      aria-label="New correction"
      onSubmit={event => {
        event.preventDefault()
        void submit(event.currentTarget)
      }}
    >
      <select
        aria-label="Table"
        value={table}
        onChange={event => {
          setTable(event.target.value)
          setField('')
        }}
      >
        {tables.map(name => (
          <option key={name} value={name}>
            {wordsOf(name)}
          </option>
        ))}
      </select>
      <input name="id" required maxLength={200} placeholder="Id of the row" aria-label="Id of the row" />
      <select aria-label="Field" required value={field} onChange={event => setField(event.target.value)}>
        <option value="">Field</option>
        {known.map(({ name }) => (
          <option key={name} value={name}>
            {wordsOf(name)}
          </option>
        ))}
        {table !== 'entities' && <option value={DROP}>Drop the row</option>}
      </select>
      {values !== null ? (
        <select name="value" aria-label="Value" key={field}>
          <option value="">Not known</option>
          {values.map(value => (
            <option key={value} value={value}>
              {value}
            </option>
          ))}
        </select>
      ) : (
        <input
          name="value"
          maxLength={20_000}
          disabled={field === DROP}
          placeholder="Value; empty: not known"
          aria-label="Value"
        />
      )}
      <input name="because" required maxLength={2000} placeholder="Why" aria-label="Why" />
      <button type="submit" disabled={busy}>
        Correct
      </button>
      {error !== null && <Failure error={error} />}
    </form>
  )
}
