import { useState } from 'react'
import type { PageProps } from '../../app/pages.ts'
import { href, setParams, useRoute } from '../../app/route.ts'
import { hasFirstPrints } from '../../ask/first-prints.ts'
import { Grid } from '../../parts/grid.tsx'
import { Empty, Failure, Loading, sentence, Warnings } from '../../parts/state.tsx'
import { dayText } from '../../show/days.ts'
import { fixed } from '../../show/figures.ts'
import { wordsOf } from '../../show/words.ts'
import { Columns } from './columns.tsx'
import { CopyAs } from './copy-menu.tsx'
import { Download } from './download.tsx'
import { Chips, Filters } from './filters.tsx'
import { useRows } from './rows.ts'
import { SavedScreens } from './saved-menu.tsx'
import { callOf, linkColumns, readScreenQuery } from './screen-query.ts'
import { screenOf, screens } from './screens.ts'
import './screen.css'

// Over 80 lines: the parts of one page, in their order.
/** Any resource: filter, sort, download. */
export function Screen({ path }: PageProps) {
  const screened = screenOf(path[1])
  const { resource } = screened
  const screenQuery = readScreenQuery(screened, useRoute().query)
  const [open, setOpen] = useState(false)
  const rows = useRows(screened.operation, callOf(screenQuery, linkColumns(resource)), resource.limit.max)
  const hasFilters = Object.keys(screenQuery.filters).length > 0
  const clear = () =>
    setParams(Object.fromEntries(Object.keys(screenQuery.filters).map(name => [name, null])))
  return (
    <div className="screen" data-open={open || undefined}>
      <aside className="filters" aria-label="Filters">
        <Filters screened={screened} query={screenQuery} applied={rows.meta?.filters_applied ?? {}} />
      </aside>
      <section className="found" aria-label={wordsOf(resource.name)}>
        <nav className="kinds" aria-label="What to screen">
          {screens.map(({ resource: { name } }) => (
            <a
              key={name}
              href={href(['screen', name])}
              aria-current={name === resource.name ? 'page' : undefined}
            >
              {wordsOf(name)}
            </a>
          ))}
        </nav>
        <div className="tools">
          <button type="button" className="only-narrow" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? 'Show rows' : 'Filters'}
          </button>
          <p role="status" className="count">
            <strong>{rows.total === undefined ? '…' : fixed(rows.total, 0)}</strong>{' '}
            <span className="quiet">
              {screened.isComputed ? 'rows' : wordsOf(resource.name).toLowerCase()}
              {rows.meta?.as_of && ` as of ${dayText(rows.meta.as_of)}`}
              {screenQuery.isFirstPrint &&
                (hasFirstPrints(screenQuery.listed.operation)
                  ? ', as first reported'
                  : ', as last known: these have no first prints')}
            </span>
          </p>
          <Chips resource={resource} query={screenQuery} />
          <Warnings meta={rows.meta} />
          <span className="spread" />
          <SavedScreens resource={resource.name} />
          {(resource.name === 'bonds' || resource.name === 'companies') && (
            <a className="button" href={href(['relative-value', resource.name], screenQuery.filters)}>
              Plot
            </a>
          )}
          <Columns query={screenQuery} />
          <CopyAs screened={screened} query={screenQuery} />
          <Download screened={screened} query={screenQuery} />
        </div>
        <div className="table" data-stale={rows.stale || undefined}>
          {rows.error ? (
            <Failure error={rows.error} again={rows.again} />
          ) : rows.total === undefined ? (
            <Loading what={`Reading ${wordsOf(resource.name).toLowerCase()}`} />
          ) : rows.total === 0 ? (
            <Empty>
              <p>
                <strong>No rows match.</strong> {hasFilters && 'Remove a filter, or widen its range.'}
              </p>
              {rows.meta?.empty_because?.map(reason => (
                <p key={reason} className="quiet">
                  {sentence(reason)}
                </p>
              ))}
              {hasFilters && (
                <button type="button" onClick={clear}>
                  Clear all filters
                </button>
              )}
            </Empty>
          ) : (
            <Grid
              label={wordsOf(resource.name)}
              headings={screenQuery.headings}
              total={rows.total}
              rowAt={rows.rowAt}
              sort={screenQuery.sort}
              onSort={sort => setParams({ sort })}
              onSight={rows.onSight}
            />
          )}
        </div>
      </section>
    </div>
  )
}
