import { useState } from 'react'
import type { Tier } from '../../../limits/tiers.ts'
import { type NewSeat, type Seat, useAccountChange, useAccountData } from '../../ask/account.ts'
import { Panel, Part } from '../../parts/part.tsx'
import { Scroll } from '../../parts/scroll.tsx'
import { Failure } from '../../parts/state.tsx'
import { minute } from '../../show/figures.ts'
import { Once } from './once.tsx'

/** The people of the account; the owner of a business account adds and removes seats. */
// Over 80 lines: the markup of one panel.
export function Seats({ owner, tier }: { owner: boolean; tier: Tier | undefined }) {
  const answer = useAccountData<Seat[]>('/account/seats')
  const { run, error, busy } = useAccountChange()
  const [made, setMade] = useState<NewSeat | null>(null)
  const gives = owner && tier === 'business'
  const give = async (email: string) => {
    const seat = await run<NewSeat>('POST', '/account/seats', { email })
    if (seat) setMade(seat)
    return seat
  }
  return (
    <Panel title="Seats" className="w6">
      {made && (
        <Once
          says={`Send this link to ${made.email}: it works once, and is not shown again.`}
          secret={made.link}
          close={() => setMade(null)}
        />
      )}
      {gives ? (
        <form
          className="body row"
          onSubmit={event => {
            event.preventDefault()
            const form = event.currentTarget
            void give(String(new FormData(form).get('email'))).then(seat => seat && form.reset())
          }}
        >
          <input name="email" type="email" placeholder="Email" aria-label="Email of a new seat" required />
          <button type="submit" disabled={busy}>
            Add seat
          </button>
        </form>
      ) : (
        <p className="body quiet small">
          {owner ? 'More seats come with Business.' : 'The owner of the account adds and removes seats.'}
        </p>
      )}
      {error !== null && <Failure error={error} />}
      <Part answer={answer} what="seats">
        {seats => (
          <Scroll label="Seats">
            <table className="plain seats">
              <thead>
                <tr>
                  <th>Person</th>
                  <th className="number">Keys</th>
                  <th>Signed in</th>
                  {gives && <th />}
                </tr>
              </thead>
              <tbody>
                {seats.map(seat => (
                  <tr key={seat.email}>
                    <td>
                      {seat.email} {seat.owner && <span className="tag">owner</span>}
                    </td>
                    <td className="number">{seat.keys}</td>
                    <td>{seat.signed_in_at ? minute(seat.signed_in_at) : 'never'}</td>
                    {gives && (
                      <td>
                        {!seat.owner && (
                          <Taking
                            seat={seat}
                            busy={busy}
                            again={() => void give(seat.email)}
                            take={() => {
                              if (made?.email === seat.email) setMade(null)
                              void run('DELETE', `/account/seats/${encodeURIComponent(seat.email)}`)
                            }}
                          />
                        )}
                      </td>
                    )}
                  </tr>
                ))}
              </tbody>
            </table>
          </Scroll>
        )}
      </Part>
    </Panel>
  )
}

interface TakingProps {
  readonly seat: Seat
  readonly busy: boolean
  readonly again: () => void
  readonly take: () => void
}

function Taking({ seat: { email, has_password }, busy, again, take }: TakingProps) {
  const [confirming, setConfirming] = useState(false)
  return confirming ? (
    <span className="row">
      <span>Their keys stop working at once.</span>
      <button type="button" className="danger" disabled={busy} onClick={take}>
        Take the seat
      </button>
      <button type="button" onClick={() => setConfirming(false)}>
        Keep
      </button>
    </span>
  ) : (
    <span className="row">
      {!has_password && (
        <button type="button" disabled={busy} onClick={again} aria-label={`Another link for ${email}`}>
          Another link
        </button>
      )}
      <button type="button" onClick={() => setConfirming(true)} aria-label={`Remove the seat of ${email}`}>
        Take
      </button>
    </span>
  )
}
