import { useState } from 'react'
import { type Column, isNumeric } from '../../../../engine/schema/column.ts'
import { fixed } from '../../show/figures.ts'
import { wordsOf } from '../../show/words.ts'
import type { Facet } from './facets.ts'

interface ListFilterProps {
  readonly title: string
  readonly doc: string
  readonly column: Column
  readonly value: string
  readonly facet: Facet | undefined
  /** Whether the facet's counts are of the rows shown. */
  readonly counted: boolean
  readonly set: (value: string | null) => void
}

/** Number of values shown before "more". */
const FIRST = 6

/** Checkboxes with row counts. */
export function ListFilter({ title, doc, column, value, facet, counted, set }: ListFilterProps) {
  const [all, setAll] = useState(false)
  const chosen = split(value)
  const counts = new Map(facet?.values?.map(v => [String(v.value), v.count]))
  const found = [...counts.keys()]
  const values =
    column.values ?? (isNumeric(column) ? found.toSorted((a, b) => Number(b) - Number(a)) : found)
  const known = [...values, ...chosen.filter(v => !values.includes(v))]
  const shown = all ? known : known.filter((v, i) => i < FIRST || chosen.includes(v))
  const toggle = (v: string) => {
    const next = chosen.includes(v) ? chosen.filter(c => c !== v) : [...chosen, v]
    set(next.length ? next.map(quoted).join(',') : null)
  }
  return (
    <fieldset className="filter list" title={doc}>
      <legend>{title}</legend>
      {shown.map(v => (
        <label key={v}>
          <input type="checkbox" checked={chosen.includes(v)} onChange={() => toggle(v)} />
          <span className="value">{column.kind === 'enum' ? wordsOf(v) : v}</span>
          <span className="quiet count">{facet && counted && fixed(counts.get(v) ?? 0, 0)}</span>
        </label>
      ))}
      {known.length > shown.length || all
        ? known.length > FIRST && (
            <button type="button" className="plain small" onClick={() => setAll(!all)}>
              {all ? 'Fewer' : `All ${known.length}`}
            </button>
          )
        : null}
      {known.length === 0 && <p className="quiet small">{facet ? 'No values here' : '…'}</p>}
    </fieldset>
  )
}

/** A value that contains a comma is quoted. */
const quoted = (value: string): string => (/[",]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)

const split = (text: string): string[] =>
  [...text.matchAll(/"((?:[^"]|"")*)"|[^,]+/g)].map(([whole, inner]) => inner?.replaceAll('""', '"') ?? whole)
