import { useSaved, useSaving } from '../../ask/saved.ts'
import { Failure } from '../../parts/state.tsx'
import { NameForm } from '../../saved/name-form.tsx'

interface PresetsProps {
  readonly resource: string
  /** The columns shown now. */
  readonly fields: readonly string[]
  readonly show: (fields: readonly string[]) => void
}

/** Sets of columns of this list that the account has saved. */
export function Presets({ resource, fields, show }: PresetsProps) {
  const presets = useSaved('columns')
  const { run, error, busy } = useSaving()
  const all = presets.data ?? []
  const own = all.filter(preset => preset.resource === resource)
  return (
    <>
      {own.length > 0 && (
        <fieldset className="row presets">
          <legend className="quiet small">Presets</legend>
          {own.map(preset => (
            <button
              key={preset.id}
              type="button"
              aria-pressed={preset.fields.join() === fields.join()}
              onClick={() => show(preset.fields)}
            >
              {preset.name}
            </button>
          ))}
        </fieldset>
      )}
      <NameForm
        label="Name of these columns"
        taken={all.map(({ name }) => name)}
        busy={busy}
        save={(name, existing) => {
          const before = all.find(preset => preset.name === existing)
          const body = { resource, fields }
          return before
            ? run('PATCH', `columns/${before.id}`, body)
            : run('POST', 'columns', { name, ...body })
        }}
      />
      {error !== null && <Failure error={error} />}
    </>
  )
}
