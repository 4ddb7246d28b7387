interface NameInputProps {
  readonly name: string
  readonly busy: boolean
  /** Null if the server refused it; the old name is then shown again. */
  readonly rename: (name: string) => Promise<unknown>
}

/** A name that is changed in place. */
export function NameInput({ name, busy, rename }: NameInputProps) {
  const change = (input: HTMLInputElement) => {
    const wanted = input.value.trim()
    if (wanted === '') input.value = name
    else if (wanted !== name)
      void rename(wanted).then(done => {
        if (done === null) input.value = name
      })
  }
  return (
    <input
      key={name}
      aria-label={`Name of ${name}`}
      defaultValue={name}
      maxLength={100}
      disabled={busy}
      onBlur={event => change(event.currentTarget)}
      onKeyDown={event => event.key === 'Enter' && event.currentTarget.blur()}
    />
  )
}
