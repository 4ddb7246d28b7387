import { useEffect, useRef } from 'react'
import type { Column } from '../../../../engine/schema/column.ts'
import { companies } from '../../../../engine/schema/resources/companies.ts'
import { useAnswer } from '../../ask/use-answer.ts'
import { Part } from '../../parts/part.tsx'
import { dayText } from '../../show/days.ts'
import { withUnit } from '../../show/figures.ts'
import { fileName, filingUrl, type Input, inputName, inputValue } from '../../show/inputs.ts'
import { titleOf, wordsOf } from '../../show/words.ts'

/** One figure's entry in `_explain`. */
interface Explained {
  readonly formula?: string | null
  readonly unit?: string | null
  readonly inputs?: readonly DatedInput[]
  readonly flags?: readonly string[]
  readonly null_because?: string | null
}

interface DatedInput extends Input {
  readonly period_start?: string | null
  readonly period_end?: string | null
  readonly form?: string | null
  readonly filed?: string | null
}

interface ExplanationProps {
  readonly ticker: string
  readonly metric: string
  readonly close: () => void
}

/** A figure's formula, inputs and filings. */
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
              column={column}
              value={row?.[metric as keyof typeof row]}
              explained={((row?._explain ?? {}) as Record<string, Explained>)[metric]}
              cik={row?.cik}
            />
          )}
        </Part>
      </div>
    </dialog>
  )
}

function Shown({
  column,
  value,
  explained,
  cik,
}: {
  column: Column
  value: unknown
  explained: Explained | undefined
  cik: string | null | undefined
}) {
  if (!explained) return <p className="quiet">This figure is as loaded, without a formula.</p>
  const { formula, inputs = [], flags = [], null_because } = explained
  return (
    <>
      <p>
        <strong>
          {column.kind === 'cents' && typeof value === 'number'
            ? inputValue({ value, unit: explained.unit ?? null })
            : withUnit(column, value)}
        </strong>{' '}
        {null_because && <span className="quiet">because: {null_because}</span>}
      </p>
      {formula && <p className="formula">{formula}</p>}
      {flags.length > 0 && <p>{flags.map(wordsOf).join('; ')}</p>}
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
                  <td title={input.concept ?? undefined}>{inputName(input)}</td>
                  <td className="number">{inputValue(input)}</td>
                  <td>
                    {[input.period_start, input.period_end]
                      .flatMap(day => (day ? dayText(day) : []))
                      .join(' to ')}
                  </td>
                  <td>
                    <Filing input={input} cik={cik} />
                    {input.source && <div className="quiet small">{fileName(input.source)}</div>}
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

/** The filing of a fact, with a link. */
function Filing({ input, cik }: { input: DatedInput; cik: string | null | undefined }) {
  const url = filingUrl(input.accession, cik)
  const text = [input.form, input.filed && `filed ${dayText(input.filed)}`, !url && input.accession]
    .filter(Boolean)
    .join(', ')
  if (!url) return text
  return (
    <a href={url} target="_blank" rel="noreferrer noopener" title={input.accession!}>
      {text || input.accession}
    </a>
  )
}
