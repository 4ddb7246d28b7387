import { useState } from 'react'

interface NameFormProps {
  /** What is named, as its field is called. */
  readonly label: string
  readonly taken: readonly string[]
  readonly busy: boolean
  /** `existing` is the name it replaces, as it is written there. */
  readonly save: (name: string, existing: string | undefined) => Promise<unknown>
}

/** A name and a button, which says so if it replaces what has that name. */
export function NameForm({ label, taken, busy, save }: NameFormProps) {
  const [name, setName] = useState('')
  const wanted = name.trim()
  const existing = taken.find(other => other.toLowerCase() === wanted.toLowerCase())
  return (
    <form
      className="row"
      onSubmit={event => {
        event.preventDefault()
        void save(wanted, existing).then(done => done !== null && setName(''))
      }}
    >
      <input
        aria-label={label}
        placeholder={label}
        maxLength={100}
        required
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <button type="submit" disabled={busy || wanted === ''}>
        {existing === undefined ? 'Save' : `Replace ${existing}`}
      </button>
    </form>
  )
}
