import { useQueryClient } from '@tanstack/react-query'
import { callOwn } from '../../ask/session.ts'
import { useSending } from '../../ask/use-sending.ts'
import { Panel } from '../../parts/part.tsx'
import { Failure } from '../../parts/state.tsx'

/** Changes the password; all other sessions end. */
export function Password() {
  const queries = useQueryClient()
  const { submit, error, busy, done } = useSending(async form => {
    await callOwn('POST', '/session/password', {
      current: form.get('current'),
      password: form.get('password'),
    })
    await queries.invalidateQueries({ queryKey: ['own', '/account/sessions'] })
  })
  return (
    <Panel title="Password" className="w6">
      <form className="body fields" onSubmit={submit}>
        <label>
          Present password
          <input name="current" type="password" autoComplete="current-password" required />
        </label>
        <label>
          New password
          <input name="password" type="password" autoComplete="new-password" minLength={12} required />
        </label>
        <button type="submit" disabled={busy}>
          Change the password
        </button>
      </form>
      {done ? (
        <p className="body" role="status">
          The password is changed, and you are signed out everywhere else.
        </p>
      ) : (
        <p className="body quiet small">At least 12 characters. All other browsers are signed out.</p>
      )}
      {error !== null && <Failure error={error} />}
    </Panel>
  )
}
