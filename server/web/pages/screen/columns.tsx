import { setParams } from '../../app/route.ts'
import { Menu } from '../../parts/menu.tsx'
import { unitOf } from '../../show/figures.ts'
import { titleOf } from '../../show/words.ts'
import { Presets } from './presets.tsx'
import type { ScreenQuery } from './screen-query.ts'

/** Which columns the table shows, in declaration order. */
export function Columns({ query: { headings, listed } }: { query: ScreenQuery }) {
  const { usual, resource } = listed
  const shown = headings.map(({ name }) => name)
  const offered = Object.entries(resource.columns).filter(([, column]) => column.kind !== 'json')
  const put = (names: readonly string[]) =>
    setParams({ fields: names.length && names.join() !== usual.join() ? names.join(',') : null })
  const toggle = (name: string) =>
    put(shown.includes(name) ? shown.filter(other => other !== name) : [...shown, name])
  return (
    <Menu label="Columns">
      {() => (
        <>
          <p className="row">
            <span className="quiet">
              {shown.length} of {offered.length}
            </span>
            <span className="spread" />
            <button type="button" className="plain" onClick={() => put(usual)}>
              Usual
            </button>
            <button type="button" className="plain" onClick={() => put(offered.map(([name]) => name))}>
              All
            </button>
          </p>
          <Presets resource={resource.name} fields={shown} show={put} />
          <ul className="columns">
            {offered.map(([name, column]) => (
              <li key={name}>
                <label title={column.doc}>
                  <input type="checkbox" checked={shown.includes(name)} onChange={() => toggle(name)} />
                  {titleOf(name)} <span className="quiet small">{unitOf(column)}</span>
                </label>
              </li>
            ))}
          </ul>
        </>
      )}
    </Menu>
  )
}
