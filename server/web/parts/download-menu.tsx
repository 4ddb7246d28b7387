import { useState } from 'react'
import { Menu } from './menu.tsx'
import { Failure } from './state.tsx'

interface DownloadMenuProps<F extends string> {
  readonly formats: readonly (readonly [format: F, text: string])[]
  /** Saves the file, and says what is in it. */
  readonly save: (format: F) => Promise<string>
}

/** A menu of file formats, with what became of the last download. */
export function DownloadMenu<F extends string>({ formats, save }: DownloadMenuProps<F>) {
  const [message, setMessage] = useState('')
  const [error, setError] = useState<unknown>(null)
  async function take(format: F) {
    setError(null)
    setMessage('Preparing …')
    try {
      setMessage(await save(format))
    } catch (failure) {
      setMessage('')
      setError(failure)
    }
  }
  return (
    <Menu label="Download">
      {() => (
        <>
          {formats.map(([format, text]) => (
            <button key={format} type="button" onClick={() => take(format)}>
              {text}
            </button>
          ))}
          <p role="status" className="quiet small">
            {message}
          </p>
          {error !== null && <Failure error={error} />}
        </>
      )}
    </Menu>
  )
}
