import type { Resource } from '../../../../engine/schema/resource.ts'
import { setParams } from '../../app/route.ts'
import { unitOf } from '../../show/figures.ts'
import { titleOf, wordsOf } from '../../show/words.ts'
import { useFacets } from './facets.ts'
import { Flag } from './flag.tsx'
import { ListFilter } from './list-filter.tsx'
import { ParamFilter } from './param-filter.tsx'
import { RangeFilter } from './range-filter.tsx'
import { controlsOf, newestOf, type ScreenQuery } from './screen-query.ts'
import type { ScreenDefinition } from './screens.ts'
import { TextFilter } from './text-filter.tsx'

interface FiltersProps {
  readonly screened: ScreenDefinition
  readonly query: ScreenQuery
  /** Active filters according to the server, including defaults. */
  readonly applied: Readonly<Record<string, unknown>>
}

/** A control for every declared filter, and for the list's other parameters. */
export function Filters({ screened, query, applied }: FiltersProps) {
  const { resource, params = {} } = screened
  const controls = controlsOf(resource)
  const facets = useFacets(screened, query)
  // Counts describe the default rows, not those selected by such parameters.
  const counted = !Object.keys(params).some(name => Object.hasOwn(query.filters, name))
  const newest = newestOf(resource)
  const given = (param: string) =>
    query.filters[param] ?? (applied[param] === undefined ? '' : textOf(applied[param]))
  return (
    <>
      {newest && (
        <Flag
          title={titleOf(newest)}
          doc={resource.newest!.doc}
          value={query.filters[newest] ?? ''}
          set={value => setParams({ [newest]: value })}
        />
      )}
      {Object.entries(params).map(([name, param]) => (
        <ParamFilter
          key={name}
          name={name}
          param={param}
          value={query.filters[name] ?? ''}
          set={value => setParams({ [name]: value })}
        />
      ))}
      {controls.map(control => {
        const column = resource.columns[control.column]!
        const facet = facets[control.column]
        if (control.kind === 'range')
          return (
            <RangeFilter
              key={control.column}
              title={titleOf(control.column)}
              unit={unitOf(column)}
              column={column}
              control={control}
              filters={query.filters}
              facet={counted ? facet : undefined}
            />
          )
        const { param } = control
        const doc = resource.filters[param]!.doc ?? column.doc
        const common = {
          title: titleOf(param),
          doc,
          value: given(param),
          set: (value: string | null) => setParams({ [param]: value }),
        }
        if (control.kind === 'flag')
          return <Flag key={param} {...common} facet={counted ? facet : undefined} />
        // Without counts the values of a column that declares none are not known.
        const isTyped = control.kind === 'company' || (screened.isUncounted && column.values === undefined)
        if (isTyped) return <TextFilter key={param} {...common} />
        return <ListFilter key={param} {...common} column={column} facet={facet} counted={counted} />
      })}
    </>
  )
}

const textOf = (value: unknown): string => (Array.isArray(value) ? value.join(',') : String(value))

/** Active filters, each with a button to remove it. */
export function Chips({ resource, query }: { resource: Resource; query: ScreenQuery }) {
  const names = Object.keys(query.filters)
  if (names.length === 0) return null
  return (
    <ul className="chips" aria-label="Active filters">
      {names.map(name => (
        <li key={name}>
          <button
            type="button"
            onClick={() => setParams({ [name]: null })}
            aria-label={`${titleOf(name)} ${chipText(resource, name, query.filters[name]!)}: remove`}
          >
            <span className="quiet">{titleOf(name)}</span> {chipText(resource, name, query.filters[name]!)}
            <span aria-hidden="true">×</span>
          </button>
        </li>
      ))}
      <li>
        <button
          type="button"
          className="plain"
          onClick={() => setParams(Object.fromEntries(names.map(name => [name, null])))}
        >
          Clear
        </button>
      </li>
    </ul>
  )
}

function chipText({ filters, columns }: Resource, name: string, value: string): string {
  const column = columns[filters[name]?.column ?? '']
  if (column?.kind === 'cents') return `${Number(value) / 1e8}m`
  return column?.kind === 'enum' ? value.split(',').map(wordsOf).join(', ') : value
}
