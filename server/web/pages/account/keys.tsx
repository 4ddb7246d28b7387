import { useState } from 'react'
import { type Key, type NewKey, useAccountChange, useAccountData } from '../../ask/account.ts'
import { Panel, Part } from '../../parts/part.tsx'
import { Scroll } from '../../parts/scroll.tsx'
import { Failure } from '../../parts/state.tsx'
import { dayText } from '../../show/days.ts'
import { NOTHING } from '../../show/figures.ts'
import { wordsOf } from '../../show/words.ts'
import { Once } from './once.tsx'

/** Keys of the account: create, label, regenerate, revoke; each is shown once. */
export function Keys() {
  const answer = useAccountData<Key[]>('/account/keys')
  const { run, error, busy } = useAccountChange()
  const [made, setMade] = useState<NewKey | null>(null)
  const [ended, setEnded] = useState(false)
  const keep = (key: NewKey | null) => key && setMade(key)
  return (
    <Panel
      title="API keys"
      tools={
        <label className="row quiet">
          <input type="checkbox" checked={ended} onChange={() => setEnded(!ended)} /> revoked too
        </label>
      }
    >
      {made && (
        <Once
          says="Copy this key now: it is not shown again."
          secret={made.key}
          close={() => setMade(null)}
        />
      )}
      <form
        className="body row"
        onSubmit={event => {
          event.preventDefault()
          const form = event.currentTarget
          const label = String(new FormData(form).get('label') ?? '').trim()
          void run<NewKey>('POST', '/account/keys', label ? { label } : {}).then(key => {
            keep(key)
            if (key) form.reset()
          })
        }}
      >
        <input name="label" maxLength={100} placeholder="What it is for" aria-label="Label of a new key" />
        <button type="submit" className="primary" disabled={busy}>
          Create a key
        </button>
      </form>
      {error !== null && <Failure error={error} />}
      <Part answer={answer} what="keys">
        {keys => (
          <Scroll label="Keys">
            <table className="plain keys">
              <thead>
                <tr>
                  <th>Label</th>
                  <th>Key</th>
                  <th>Owner</th>
                  <th>Tier</th>
                  <th>Created</th>
                  <th>Last used</th>
                  <th>Explorer</th>
                  <th />
                </tr>
              </thead>
              <tbody>
                {keys
                  .filter(key => ended || key.revoked_at === null)
                  .map(key => (
                    <KeyRow key={key.id} of={key} busy={busy} run={run} keep={keep} />
                  ))}
              </tbody>
            </table>
          </Scroll>
        )}
      </Part>
    </Panel>
  )
}

interface KeyRowProps {
  readonly of: Key
  readonly busy: boolean
  readonly run: ReturnType<typeof useAccountChange>['run']
  readonly keep: (key: NewKey | null) => void
}

function KeyRow({ of: key, busy, run, keep }: KeyRowProps) {
  const [confirming, setConfirming] = useState<'regenerate' | 'revoke' | null>(null)
  const path = `/account/keys/${key.id}`
  const name = key.label ?? key.prefix
  const go = () => {
    setConfirming(null)
    if (confirming === 'revoke') void run('DELETE', path)
    else void run<NewKey>('POST', `${path}/regenerate`).then(keep)
  }
  return (
    <tr>
      <td>
        <input
          key={key.label}
          aria-label={`Label of ${name}`}
          defaultValue={key.label ?? ''}
          maxLength={100}
          disabled={key.revoked_at !== null}
          onBlur={event => {
            const label = event.target.value.trim()
            if (label !== (key.label ?? '')) void run('PATCH', path, label ? { label } : {})
          }}
        />
      </td>
      <td>
        <code>{key.prefix}…</code>
      </td>
      <td>{key.email}</td>
      <td>{wordsOf(key.tier)}</td>
      <td>{dayText(key.created_at)}</td>
      <td>{key.last_used_at?.slice(0, 10) ?? NOTHING}</td>
      <td>
        {key.revoked_at === null && (
          <input
            type="radio"
            name="chosen"
            aria-label={`Use ${name}`}
            checked={key.chosen}
            onChange={() => void run('POST', '/session/key', { id: key.id })}
          />
        )}
      </td>
      <td className="number">
        {key.revoked_at !== null ? (
          <span className="quiet">revoked {key.revoked_at.slice(0, 10)}</span>
        ) : confirming ? (
          <span className="row">
            <span>
              {confirming === 'revoke' ? 'Revoke permanently?' : 'The old key stops working at once.'}
            </span>
            <button type="button" className="danger" disabled={busy} onClick={go}>
              {confirming === 'revoke' ? 'Revoke' : 'Regenerate'}
            </button>
            <button type="button" onClick={() => setConfirming(null)}>
              Keep
            </button>
          </span>
        ) : (
          <span className="row">
            <button
              type="button"
              onClick={() => setConfirming('regenerate')}
              aria-label={`Regenerate ${name}`}
            >
              Regenerate
            </button>
            <button type="button" onClick={() => setConfirming('revoke')} aria-label={`Revoke ${name}`}>
              Revoke
            </button>
          </span>
        )}
      </td>
    </tr>
  )
}
