import { useState } from 'react'
import type { FormatName } from '../../../../engine/encode/formats.ts'
import { routes } from '../../../v1/client-routes.ts'
import { failureOf } from '../../ask/failure.ts'
import { Menu } from '../../parts/menu.tsx'
import { Failure } from '../../parts/state.tsx'
import { callOf, type ScreenQuery } from './screen-query.ts'
import type { ScreenDefinition } from './screens.ts'

const formats: readonly (readonly [FormatName, string])[] = [
  ['csv', 'CSV, for a spreadsheet'],
  ['parquet', 'Parquet, with types and units'],
  ['arrow', 'Arrow stream'],
]

/** Downloads all rows of the screen, up to the API's limit. */
export function Download({ screened, query }: { screened: ScreenDefinition; query: ScreenQuery }) {
  const [message, setMessage] = useState('')
  const [error, setError] = useState<unknown>(null)
  async function take(format: FormatName) {
    setError(null)
    setMessage('Preparing …')
    try {
      setMessage(await save(screened, query, format))
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

async function save(
  { resource, operation }: ScreenDefinition,
  query: ScreenQuery,
  format: FormatName,
): Promise<string> {
  const { path } = routes[operation]
  const response = await fetch(`${path}?${new URLSearchParams({ ...callOf(query), format })}`)
  if (!response.ok) throw await failureOf(response)
  const url = URL.createObjectURL(await response.blob())
  const link = document.createElement('a')
  link.href = url
  link.download = `${resource.name}.${format}`
  link.click()
  URL.revokeObjectURL(url)
  const total = response.headers.get('X-Total-Count')
  return response.headers.get('X-Truncated') === 'true'
    ? `Saved the first 1,000 of ${total} rows: narrow the screen, or use /v1/export.`
    : `Saved ${total ?? 'all'} rows.`
}
