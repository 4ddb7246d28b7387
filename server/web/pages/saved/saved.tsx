import { type ReactNode, useState } from 'react'
import { href } from '../../app/route.ts'
import { useSaved, useSaving } from '../../ask/saved.ts'
import { callOwn } from '../../ask/session.ts'
import { Panel, Part } from '../../parts/part.tsx'
import { Scroll } from '../../parts/scroll.tsx'
import { Empty, Failure } from '../../parts/state.tsx'
import { NameInput } from '../../saved/name-input.tsx'
import { screenLink } from '../../saved/screen-link.ts'
import { subjectLink } from '../../saved/subject.ts'
import { minute } from '../../show/figures.ts'
import { wordsOf } from '../../show/words.ts'
import './saved.css'

/** Everything that the account has saved: open, rename, delete, export, import. */
export function SavedWork() {
  return (
    <div className="page">
      <header className="heading">
        <h1>Saved</h1>
        <p className="quiet">Everybody with a seat in this account sees and changes it.</p>
        <span className="spread" />
        <FileButtons />
      </header>
      <div className="grid">
        <Screens />
        <Presets />
        <Notes />
      </div>
    </div>
  )
}

function Screens() {
  const answer = useSaved('screens')
  return (
    <Panel title="Screens" className="w6">
      <Part answer={answer} what="saved screens">
        {screens =>
          screens.length === 0 ? (
            <Nothing>Open a screen, set its filters, and choose Saved.</Nothing>
          ) : (
            <Items label="Saved screens">
              {screens.map(screen => (
                <Item key={screen.id} path="screens" {...screen}>
                  <a href={screenLink(screen)}>{wordsOf(screen.resource)}</a>
                </Item>
              ))}
            </Items>
          )
        }
      </Part>
    </Panel>
  )
}

function Presets() {
  const answer = useSaved('columns')
  return (
    <Panel title="Column presets" className="w6">
      <Part answer={answer} what="column presets">
        {presets =>
          presets.length === 0 ? (
            <Nothing>Open a screen, choose its columns, and name them under Columns.</Nothing>
          ) : (
            <Items label="Column presets">
              {presets.map(preset => (
                <Item key={preset.id} path="columns" {...preset}>
                  <a href={href(['screen', preset.resource], { fields: preset.fields.join() })}>
                    {wordsOf(preset.resource)}, {preset.fields.length}
                  </a>
                </Item>
              ))}
            </Items>
          )
        }
      </Part>
    </Panel>
  )
}

function Notes() {
  const answer = useSaved('notes')
  return (
    <Panel title="Notes">
      <Part answer={answer} what="notes">
        {notes =>
          notes.length === 0 ? (
            <Nothing>Write one on the page of a company or a bond.</Nothing>
          ) : (
            <Scroll label="Notes">
              <table className="plain">
                <tbody>
                  {notes.map(({ id, subject, text, changed_by, changed_at }) => (
                    <tr key={id}>
                      <td>
                        <a href={subjectLink(subject)}>{subject.replace(/^\w+:/, '')}</a>
                      </td>
                      <td className="note-text">{text}</td>
                      <td className="quiet small">
                        {changed_by}, {minute(changed_at)}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </Scroll>
          )
        }
      </Part>
    </Panel>
  )
}

const Nothing = ({ children }: { children: ReactNode }) => (
  <Empty>
    <p>
      <strong>None yet.</strong> {children}
    </p>
  </Empty>
)

const Items = ({ label, children }: { label: string; children: ReactNode }) => (
  <Scroll label={label}>
    <table className="plain saved">
      <thead>
        <tr>
          <th>Name</th>
          <th>Opens</th>
          <th>Changed</th>
          <th />
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </Scroll>
)

interface ItemProps {
  readonly path: 'screens' | 'columns'
  readonly id: string
  readonly name: string
  readonly changed_by: string
  readonly changed_at: string
  readonly children: ReactNode
}

/** A name that can be changed in place, and a button that deletes after asking. */
function Item({ path, id, name, changed_by, changed_at, children }: ItemProps) {
  const { run, error, busy } = useSaving()
  const [asked, setAsked] = useState(false)
  return (
    <tr>
      <td>
        <NameInput name={name} busy={busy} rename={to => run('PATCH', `${path}/${id}`, { name: to })} />
        {error !== null && <Failure error={error} />}
      </td>
      <td>{children}</td>
      <td className="quiet small" title={changed_by}>
        {minute(changed_at)}
      </td>
      <td className="number">
        <button
          type="button"
          className={asked ? 'danger' : 'plain'}
          disabled={busy}
          aria-label={asked ? undefined : `Delete ${name}`}
          onClick={() => (asked ? void run('DELETE', `${path}/${id}`) : setAsked(true))}
          onBlur={() => setAsked(false)}
        >
          {asked ? `Delete ${name}` : 'Delete'}
        </button>
      </td>
    </tr>
  )
}

/** All of it as a JSON file, and back; what has the same name stays. */
function FileButtons() {
  const { run, error, busy } = useSaving()
  const [message, setMessage] = useState('')
  async function take() {
    const { data } = await callOwn<{ data: object }>('GET', '/account/saved')
    const url = URL.createObjectURL(new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }))
    const link = document.createElement('a')
    link.href = url
    link.download = 'tranche-saved.json'
    link.click()
    URL.revokeObjectURL(url)
  }
  async function read(file: File | undefined) {
    if (!file) return
    setMessage('')
    let content: object
    try {
      content = JSON.parse(await file.text())
    } catch {
      setMessage('This file is not JSON: choose one that was exported here.')
      return
    }
    const done = await run<{ added: number; kept: number }>('POST', 'saved', content)
    if (done) setMessage(`Added ${done.added}; ${done.kept} of the same name stayed as they were.`)
  }
  return (
    <div className="row">
      <span role="status" className="quiet small">
        {message}
      </span>
      {error !== null && <Failure error={error} />}
      <button type="button" onClick={() => void take()}>
        Export
      </button>
      <label className="button">
        Import
        <input
          type="file"
          accept=".json,application/json"
          className="file"
          disabled={busy}
          onChange={event => {
            const input = event.currentTarget
            void read(input.files?.[0]).then(() => {
              input.value = ''
            })
          }}
        />
      </label>
    </div>
  )
}
