import { useEffect, useState } from 'react'
import { type Note, useSaved, useSaving } from '../ask/saved.ts'
import { Panel, Part } from '../parts/part.tsx'
import { Failure } from '../parts/state.tsx'
import { minute } from '../show/figures.ts'
import type { Subject } from './subject.ts'
import './note.css'

/** The account's note on a company or bond. */
export function NotePanel({ subject, className = '' }: { subject: Subject; className?: string }) {
  const answer = useSaved('notes')
  return (
    <Panel title="Note" className={className}>
      <Part answer={answer} what="the note">
        {notes => (
          <Written key={subject} subject={subject} note={notes.find(note => note.subject === subject)} />
        )}
      </Part>
    </Panel>
  )
}

/** A change that somebody else made in between is not overwritten: the server refuses it, and says who. */
function Written({ subject, note }: { subject: Subject; note: Note | undefined }) {
  const { run, error, busy } = useSaving()
  const saved = note?.text ?? ''
  const [text, setText] = useState(saved)
  useEffect(() => setText(saved), [saved])
  const isChanged = text.trim() !== saved
  const save = () =>
    text.trim() === ''
      ? note && run('DELETE', `notes/${note.id}`)
      : run('POST', 'notes', { subject, text: text.trim(), ...(note && { expected: note.changed_at }) })
  return (
    <div className="body note-editor">
      <textarea
        aria-label="Note"
        placeholder="For everybody with a seat in this account"
        rows={4}
        maxLength={4000}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <p className="row">
        <button type="button" disabled={busy || !isChanged} onClick={() => void save()}>
          {note && text.trim() === '' ? 'Delete the note' : 'Save the note'}
        </button>
        <span className="quiet small" role="status">
          {note && !isChanged ? `${note.changed_by}, ${minute(note.changed_at)}` : ''}
        </span>
      </p>
      {error !== null && <Failure error={error} />}
    </div>
  )
}
