/** One of a few. */
export const Segments = <T extends string>({
  label,
  options,
  value,
  set,
  named = option => option,
}: {
  label: string
  options: readonly T[]
  value: T
  set: (value: T) => void
  named?: (option: T) => string
}) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
  <span className="segments" role="group" aria-label={label}>
    {options.map(option => (
      <button key={option} type="button" aria-pressed={option === value} onClick={() => set(option)}>
        {named(option)}
      </button>
    ))}
  </span>
)
