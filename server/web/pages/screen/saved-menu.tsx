import { href, useRoute } from '../../app/route.ts'
import { useSaved, useSaving } from '../../ask/saved.ts'
import { Menu } from '../../parts/menu.tsx'
import { Part } from '../../parts/part.tsx'
import { Failure } from '../../parts/state.tsx'
import { NameForm } from '../../saved/name-form.tsx'
import { sameQuery, screenLink } from '../../saved/screen-link.ts'
import { wordsOf } from '../../show/words.ts'

/** The account's saved screens: open one, or save this one. */
export const SavedScreens = ({ resource }: { resource: string }) => (
  <Menu label="Saved">{close => <Choices resource={resource} close={close} />}</Menu>
)

function Choices({ resource, close }: { resource: string; close: () => void }) {
  const { query } = useRoute()
  const screens = useSaved('screens')
  const { run, error, busy } = useSaving()
  const saved = screens.data ?? []
  const current = { resource, query: query.toString() }
  return (
    <>
      <NameForm
        label="Name of this screen"
        taken={saved.map(({ name }) => name)}
        busy={busy}
        save={(name, existing) => {
          const before = saved.find(screen => screen.name === existing)
          return before
            ? run('PATCH', `screens/${before.id}`, current)
            : run('POST', 'screens', { name, ...current })
        }}
      />
      {error !== null && <Failure error={error} />}
      <Part answer={screens} what="saved screens">
        {all =>
          all.length === 0 ? (
            <p className="quiet small">None yet: filters, order, columns and the as-of day are saved.</p>
          ) : (
            <ul className="columns">
              {all.map(screen => (
                <li key={screen.id}>
                  <a
                    href={screenLink(screen)}
                    onClick={close}
                    aria-current={
                      screen.resource === resource && sameQuery(screen.query, current.query)
                        ? 'page'
                        : undefined
                    }
                  >
                    {screen.name}
                  </a>{' '}
                  <span className="quiet small">{wordsOf(screen.resource)}</span>
                </li>
              ))}
            </ul>
          )
        }
      </Part>
      <a href={href(['saved'])}>Rename, delete, export</a>
    </>
  )
}
