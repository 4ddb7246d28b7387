import { Fragment, useEffect, useRef } from 'react'
import type { Column } from '../../../../engine/schema/column.ts'
import { companies } from '../../../../engine/schema/resources/companies.ts'
import { financials } from '../../../../engine/schema/resources/financials.ts'
import { href, setParams, useRoute } from '../../app/route.ts'
import { useAnswer } from '../../ask/use-answer.ts'
import { Part } from '../../parts/part.tsx'
import { Scroll } from '../../parts/scroll.tsx'
import { dayText } from '../../show/days.ts'
import { withUnit } from '../../show/figures.ts'
import { fileName, filingUrl, inputName, inputValue } from '../../show/inputs.ts'
import { type Explained, type ProofInput, proofLines } from '../../show/proof.ts'
import { titleOf, wordsOf } from '../../show/words.ts'
import { FiledPassage } from './filed-passage.tsx'

/** The figure whose proof is open, as in the URL: `figure=ebitda&of=2024Q3`, or `of=2024Q3-TTM`. */
export const openProof = (figure: string, of: string | null = null): void =>
  setParams({ figure, of, line: null })

const figureColumns: Readonly<Record<string, Column>> = { ...financials.columns, ...companies.columns }

/** The proof of the figure named in the URL, if one is. */
export function Proof({ ticker }: { ticker: string }) {
  const { query } = useRoute()
  const figure = query.get('figure')
  const of = /^(\d{4})Q([1-4])(-TTM)?$/.exec(query.get('of') ?? '')
  if (figure === null || !Object.hasOwn(figureColumns, figure)) return null
  return of ? (
    <OfStatement key={figure} ticker={ticker} figure={figure} of={of} />
  ) : (
    <OfCompany key={figure} ticker={ticker} figure={figure} />
  )
}

interface ProofProps {
  readonly ticker: string
  readonly figure: string
}

function OfCompany({ ticker, figure }: ProofProps) {
  const answer = useAnswer('search.companies', { ticker, explain: true })
  return (
    <Dialog figure={figure}>
      <Part answer={answer} what="where it comes from">
        {({ data: [row], meta }) => <Shown ticker={ticker} row={row} figure={figure} meta={meta} />}
      </Part>
    </Dialog>
  )
}

function OfStatement({
  ticker,
  figure,
  of: [text, year, quarter, ttm],
}: ProofProps & { of: RegExpExecArray }) {
  const answer = useAnswer('search.financials', {
    ticker,
    fiscal_year: [Number(year)],
    fiscal_quarter: [Number(quarter)],
    ...(ttm && { period: 'TTM' }),
    explain: true,
  })
  return (
    <Dialog figure={figure} period={text.replace('-', ' ')}>
      <Part answer={answer} what="where it comes from">
        {({ data: [row], meta }) => <Shown ticker={ticker} row={row} figure={figure} meta={meta} />}
      </Part>
    </Dialog>
  )
}

function Dialog({
  figure,
  period = '',
  children,
}: {
  figure: string
  period?: string
  children: React.ReactNode
}) {
  const box = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (!box.current?.open) box.current?.showModal()
  }, [])
  return (
    <dialog
      ref={box}
      className="explain"
      aria-labelledby="explained"
      onClose={() => setParams({ figure: null, of: null, line: null })}
    >
      <header>
        <h2 id="explained">
          {titleOf(figure)} {period}
        </h2>
        <span className="quiet">{figureColumns[figure]?.doc}</span>
        <span className="spread" />
        <button type="button" onClick={() => box.current?.close()}>
          Close
        </button>
      </header>
      <div className="body">{children}</div>
    </dialog>
  )
}

/**
 * The figure, the tree of what it is made of down to lines of filings, beside the filing of the chosen line, and a link
 * that stays true.
 */
// Over 80 lines: the markup of one table and its heading.
function Shown({
  ticker,
  row,
  figure,
  meta,
}: {
  ticker: string
  row: object | undefined
  figure: string
  meta: Readonly<Record<string, unknown>>
}) {
  const { path, query } = useRoute()
  const company = (row ?? {}) as { readonly _explain?: unknown; readonly cik?: string | null }
  const all = (company._explain ?? {}) as Readonly<Record<string, Explained>>
  const explained = all[figure]
  const column = figureColumns[figure]!
  const value = (company as Readonly<Record<string, unknown>>)[figure]
  const lines = proofLines(figure, all)
  const filed = lines.filter(({ input }) => input.accession)
  const open = filed.find(({ id }) => id === query.get('line')) ?? filed[0]
  const permanent = href(path, {
    figure,
    of: query.get('of'),
    line: query.get('line'),
    as_of: query.get('as_of'),
    snapshot: String(meta['snapshot']),
  })
  return (
    <>
      <p className="row">
        <strong>
          {column.kind === 'cents' && typeof value === 'number'
            ? inputValue({ value, unit: explained?.unit ?? null })
            : withUnit(column, value)}
        </strong>
        {explained?.null_because && <span className="quiet">because: {explained.null_because}</span>}
        <span className="spread" />
        <a href={permanent} title="This figure in this snapshot: the link shows the same after later builds">
          Permanent link
        </a>
      </p>
      {explained ? null : <p className="quiet">This figure is as loaded, without a formula.</p>}
      {explained?.formula && <p className="formula">{explained.formula}</p>}
      {(explained?.flags ?? []).length > 0 && <p>{explained?.flags?.map(wordsOf).join('; ')}</p>}
      <div className="beside">
        {lines.length > 0 && (
          <Scroll label="What it is made of">
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
                {lines.map(({ id, depth, input, formula }) => (
                  <tr key={id} data-open={id === open?.id || undefined}>
                    <td title={input.concept ?? undefined} style={{ paddingLeft: 8 + depth * 18 }}>
                      {input.times === -1 && '− '}
                      {input.accession ? (
                        <button
                          type="button"
                          className="plain named"
                          aria-pressed={id === open?.id}
                          title="Show the filing at this line"
                          onClick={() => setParams({ line: id })}
                        >
                          {inputName(input)}
                        </button>
                      ) : (
                        inputName(input)
                      )}
                      {formula && <div className="quiet small">= {formula}</div>}
                    </td>
                    <td className="number">{inputValue(input)}</td>
                    <td className="days">
                      {[input.period_start, input.period_end].filter(Boolean).map((day, i) => (
                        <Fragment key={day}>
                          {i > 0 && ' to '}
                          <span className="day">{dayText(day!)}</span>
                        </Fragment>
                      ))}
                    </td>
                    <td>
                      <Filing input={input} cik={company.cik} />
                      {input.source && <div className="quiet small">{fileName(input.source)}</div>}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scroll>
        )}
        {open && <FiledPassage key={open.id} ticker={ticker} cik={company.cik} input={open.input} />}
      </div>
    </>
  )
}

/** The filing of a fact, with a link. */
function Filing({ input, cik }: { input: ProofInput; cik: string | null | undefined }) {
  if (input.bond_id) return <a href={href(['bond', input.bond_id])}>Terms</a>
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
