interface FlagProps {
  readonly title: string
  readonly doc: string
  readonly value: string
  readonly set: (value: string | null) => void
}

const choices = [
  ['', 'Any'],
  ['true', 'Yes'],
  ['false', 'No'],
] as const

/** Yes, no, or either. */
export const Flag = ({ title, doc, value, set }: FlagProps) => (
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
        </button>
      ))}
    </div>
  </fieldset>
)
