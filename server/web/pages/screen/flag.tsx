import { fixed } from '../../show/figures.ts'
import type { Facet } from './facets.ts'

interface FlagProps {
  readonly title: string
  readonly doc: string
  readonly value: string
  readonly facet?: Facet | undefined
  readonly set: (value: string | null) => void
}

const choices = [
  ['', 'Any'],
  ['true', 'Yes'],
  ['false', 'No'],
] as const

/** Yes, no, or either. */
export const Flag = ({ title, doc, value, facet, set }: FlagProps) => (
  <fieldset className="filter flag" title={doc}>
    <legend>{title}</legend>
    <div className="segments">
      {choices.map(([choice, text]) => (
        <button
          key={choice}
          type="button"
          aria-pressed={value === choice}
          onClick={() => set(choice === '' ? null : choice)}
        >
          {text}
          {choice !== '' && facet?.values && <span className="quiet">{countOf(facet, choice)}</span>}
        </button>
      ))}
    </div>
  </fieldset>
)

/** Only for boolean columns; for others the filter is on presence. */
const countOf = ({ values = [] }: Facet, choice: string): string =>
  values.some(({ value }) => typeof value === 'boolean')
    ? fixed(values.find(({ value }) => String(value) === choice)?.count ?? 0, 0)
    : ''
