import type { ReactNode } from 'react'
import { TrancheError } from '../../v1/client.ts'
import { href, setParams } from '../app/route.ts'
import { isBeingDerived } from '../ask/failure.ts'
import './state.css'

/** Placeholder while an answer is loading. */
export const Loading = ({ what = 'Loading' }: { what?: string }) => (
  <p className="state busy" role="status">
    {what} …
  </p>
)

/** No results, and what to try. */
export const Empty = ({ children }: { children: ReactNode }) => (
  <div className="state" role="status">
    {children}
  </div>
)

type Meta = Readonly<Record<string, unknown>> | undefined

export const warningsOf = (meta: Meta): readonly string[] =>
  (meta?.['warnings'] as readonly string[] | undefined) ?? []

/** What an answer warns of. */
export const Warnings = ({ meta }: { meta: Meta }) =>
  warningsOf(meta).map(text => (
    <p key={text} className="small warning">
      {text}
    </p>
  ))

/** An error, and what to do next. */
export function Failure({ error, again }: { error: unknown; again?: (() => void) | undefined }) {
  const known = error instanceof TrancheError
  const asOf = known && error.details['parameter'] === 'as_of'
  const keyless = known && error.details['reason'] === 'no_key'
  return (
    <div className="state failure" role="alert">
      <p>
        <strong>{known ? sentence(error.message) : 'The server cannot be reached.'}</strong>
      </p>
      <p className="quiet">{known ? adviceFor(error) : 'Check that it is running, and try again.'}</p>
      <p className="row">
        {asOf && (
          <button type="button" onClick={() => setParams({ as_of: null })}>
            Back to the latest day
          </button>
        )}
        {keyless && (
          <a className="button" href={href(['account'])}>
            To the keys of your account
          </a>
        )}
        {again && (
          <button type="button" onClick={again}>
            Try again
          </button>
        )}
      </p>
      {known && error.requestId && <p className="quiet small">Request {error.requestId}</p>}
    </div>
  )
}

/** A message of the server as a sentence. */
export const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`

const advice: Readonly<Record<string, string>> = {
  SNAPSHOT_GONE: 'This snapshot is no longer kept. Unpin it to see the current one.',
  TIER_RESTRICTED: 'Choose a key of a higher tier under Account.',
  INSUFFICIENT_CREDITS: 'Buy credits, or choose another key under Account.',
  UNAUTHORIZED: 'Sign in again, or choose one of your keys under Account.',
  RATE_LIMITED: 'Wait a moment: the limit is per minute.',
  NOT_READY: 'The operator must build the data first: tranche build.',
  STATE_UNAVAILABLE: 'Wait a moment, and try again.',
  OVERLOADED: 'Wait a moment, and try again.',
  QUERY_TIMEOUT: 'Narrow the query: more filters, or fewer days.',
  INTERNAL_ERROR: 'The server failed. Give its operator the request id below.',
}

const adviceFor = (error: TrancheError): string => {
  const { suggestion } = error.details
  if (isBeingDerived(error))
    return 'Nobody asked for this day before: its tables are being prepared, and the next try goes on from there.'
  if (error.details['reason'] === 'no_key') return 'The explorer uses one of your keys.'
  return typeof suggestion === 'string'
    ? `Did you mean ${suggestion}?`
    : (advice[error.code] ?? 'Change the query, and try again.')
}
