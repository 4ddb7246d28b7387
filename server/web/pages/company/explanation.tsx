import { useEffect, useRef } from 'react'
import type { Column } from '../../../../engine/schema/column.ts'
import { companies } from '../../../../engine/schema/resources/companies.ts'
import { useAnswer } from '../../ask/use-answer.ts'
import { Part } from '../../parts/part.tsx'
import { fixed, NOTHING, withUnit } from '../../show/figures.ts'
import { titleOf } from '../../show/words.ts'

/** What `_explain` says of one figure. */
interface Explained {
  readonly formula?: string | null
  readonly unit?: string | null
  readonly inputs?: readonly Input[]
  readonly flags?: readonly string[]
  readonly null_because?: string | null
}

interface Input {
  readonly item: string
  readonly value: number | string | null
  readonly unit?: string | null
  readonly period_start?: string | null
  readonly period_end?: string | null
  readonly form?: string | null
  readonly filed?: string | null
  readonly accession?: string | null
  readonly source?: string | null
}

interface ExplanationProps {
  readonly ticker: string
  readonly metric: string
  readonly close: () => void
}

/** How one figure was formed, of which inputs, from which filings. */
export function Explanation({ ticker, metric, close }: ExplanationProps) {
  const box = useRef<HTMLDialogElement>(null)
  const column = (companies.columns as Record<string, Column>)[metric]!
  const answer = useAnswer('search.companies', { ticker, explain: true })
  useEffect(() => {
    if (!box.current?.open) box.current?.showModal()
  }, [])
  return (
    <dialog ref={box} className="explain" aria-labelledby="explained" onClose={close}>
      <header>
        <h2 id="explained">{titleOf(metric)}</h2>
        <span className="quiet">{column.doc}</span>
        <span className="spread" />
        <button type="button" onClick={() => box.current?.close()}>
          Close
        </button>
      </header>
      <div className="body">
        <Part answer={answer} what="where it comes from">
          {({ data: [row] }) => (
            <Shown
              value={withUnit(column, row?.[metric as keyof typeof row])}
              explained={((row?._explain ?? {}) as Record<string, Explained>)[metric]}
            />
          )}
        </Part>
      </div>
    </dialog>
  )
}

function Shown({ value, explained }: { value: string; explained: Explained | undefined }) {
  if (!explained) return <p className="quiet">This figure is carried as it is known, without a formula.</p>
  const { formula, inputs = [], flags = [], null_because } = explained
  return (
    <>
      <p>
        <strong>{value}</strong> {null_because && <span className="quiet">because: {null_because}</span>}
      </p>
      {formula && <p className="formula">{formula}</p>}
      {flags.length > 0 && <p>{flags.join('; ')}</p>}
      {inputs.length > 0 && (
        <div className="scroll">
          <table className="plain">
            <thead>
              <tr>
                <th>Input</th>
                <th className="number">Value</th>
                <th>Period</th>
                <th>From</th>
              </tr>
            </thead>
            <tbody>
              {inputs.map(input => (
                <tr key={JSON.stringify(input)}>
                  <td>{titleOf(String(input.item ?? ''))}</td>
                  <td className="number">
                    {typeof input.value === 'number'
                      ? fixed(input.value, input.value % 1 ? 4 : 0)
                      : (input.value ?? NOTHING)}{' '}
                    <span className="quiet">{input.unit}</span>
                  </td>
                  <td>{[input.period_start, input.period_end].filter(Boolean).join(' to ')}</td>
                  <td>
                    {[input.form, input.filed && `filed ${input.filed}`, input.accession]
                      .filter(Boolean)
                      .join(', ')}
                    {input.source && <div className="quiet small">{input.source}</div>}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  )
}
