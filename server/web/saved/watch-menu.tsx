import { href } from '../app/route.ts'
import { useSaved, useSaving } from '../ask/saved.ts'
import { Menu } from '../parts/menu.tsx'
import { Part } from '../parts/part.tsx'
import { Failure } from '../parts/state.tsx'
import { NameForm } from './name-form.tsx'
import type { Subject } from './subject.ts'

/** Puts a company or bond on watchlists, and takes it off. */
export const WatchMenu = ({ subject }: { subject: Subject }) => (
  <Menu label="Watch">{() => <Lists subject={subject} />}</Menu>
)

function Lists({ subject }: { subject: Subject }) {
  const answer = useSaved('watchlists')
  const { run, error, busy } = useSaving()
  return (
    <>
      <Part answer={answer} what="watchlists">
        {lists => (
          <>
            <ul className="columns">
              {lists.map(({ id, name, members }) => {
                const on = members.includes(subject)
                return (
                  <li key={id}>
                    <label>
                      <input
                        type="checkbox"
                        checked={on}
                        disabled={busy}
                        onChange={() =>
                          void run('PATCH', `watchlists/${id}`, { [on ? 'remove' : 'add']: [subject] })
                        }
                      />{' '}
                      {name}
                    </label>
                  </li>
                )
              })}
            </ul>
            <NameForm
              label="Name of a new watchlist"
              taken={[]}
              busy={busy}
              save={name => run('POST', 'watchlists', { name, members: [subject] })}
            />
            {lists.length > 0 && <a href={href(['watch'])}>Open the watchlists</a>}
          </>
        )}
      </Part>
      {error !== null && <Failure error={error} />}
    </>
  )
}
