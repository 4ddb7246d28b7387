import type { ReactNode } from 'react'
import { go, useRoute } from '../../app/route.ts'
import { prefix } from '../../app/server.ts'
import { callOwn, knownProvider } from '../../ask/session.ts'
import { useSending } from '../../ask/use-sending.ts'
import { Failure } from '../../parts/state.tsx'
import './sign-in.css'

export function SignIn() {
  const { submit, error, busy } = useSending(form =>
    callOwn('POST', '/session', { email: form.get('email'), password: form.get('password') }),
  )
  const provider = knownProvider()
  const refused = useRoute().query.get('refused')
  return (
    <Door title="Sign in" error={error}>
      {provider && (
        <a className="button primary" href={prefix + provider.path}>
          Sign in with {provider.name}
        </a>
      )}
      {refused !== null && <p role="alert">{refusals[refused] ?? refusals['refused']}</p>}
      <form onSubmit={submit}>
        <label>
          Email
          <input name="email" type="email" autoComplete="username" required />
        </label>
        <label>
          Password
          <input name="password" type="password" autoComplete="current-password" required />
        </label>
        <button className="primary" type="submit" disabled={busy}>
          Sign in
        </button>
      </form>
      <p className="quiet small">
        Accounts are made by the operator: <code>tranche accounts create</code> prints a link that works once.
      </p>
    </Door>
  )
}

/** Why a provider's sign-in failed. */
const refusals: Readonly<Record<string, string>> = {
  expired: 'That took too long, or was begun in another browser. Sign in again.',
  refused: 'The sign-in was refused. Try again.',
  unverified: 'The provider does not vouch for your email address. Ask whoever runs it to verify it.',
  unknown: 'There is no account for your email address here. Ask the operator for one.',
  unavailable: 'The provider cannot be reached. Try again soon, or sign in with a password.',
}

/** The target of the one-time link. */
export function Welcome() {
  const token = useRoute().query.get('token') ?? ''
  const { submit, error, busy } = useSending(async form => {
    await callOwn('POST', '/session/accept', { token, password: form.get('password') })
    go('#/')
  })
  return (
    <Door title="Choose a password" error={error}>
      <form onSubmit={submit}>
        <label>
          New password
          <input name="password" type="password" autoComplete="new-password" minLength={12} required />
        </label>
        <button className="primary" type="submit" disabled={busy || token === ''}>
          Save and sign in
        </button>
      </form>
      <p className="quiet small">
        {token === ''
          ? 'This link is incomplete: copy all of it.'
          : 'At least 12 characters. The link works once.'}
      </p>
    </Door>
  )
}

const Door = ({ title, error, children }: { title: string; error: unknown; children: ReactNode }) => (
  <main className="door">
    <div className="panel">
      <p className="brand">Tranche</p>
      <h1>{title}</h1>
      {children}
      {error !== null && <Failure error={error} />}
    </div>
  </main>
)
