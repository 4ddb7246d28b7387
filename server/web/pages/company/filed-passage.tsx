import { Fragment, useEffect, useMemo, useRef } from 'react'
import { href } from '../../app/route.ts'
import { useAnswer } from '../../ask/use-answer.ts'
import { Part } from '../../parts/part.tsx'
import { Scroll } from '../../parts/scroll.tsx'
import { Empty } from '../../parts/state.tsx'
import { dayText } from '../../show/days.ts'
import {
  type FiledSection,
  type FiledPassage as Found,
  filedPassage,
  linesAround,
  type PassageLine,
  questionFor,
} from '../../show/filed-passage.ts'
import { filingUrl, inputName, inputValue } from '../../show/inputs.ts'
import type { ProofInput } from '../../show/proof.ts'

const fields = [
  'id',
  'accession',
  'doc_type',
  'filing_date',
  'period_end_date',
  'section_title',
  'source_url',
  'content',
] as const

/** Sections read to find a figure. */
const MOST_SECTIONS = 20

interface PassageProps {
  readonly ticker: string
  readonly cik: string | null | undefined
  readonly input: ProofInput
}

/** The filing of a line at the passage that states its figure. */
export function FiledPassage({ ticker, cik, input }: PassageProps) {
  const q = questionFor(input)
  const asked = { q, ticker, mode: 'keyword', collapse: false, fields, limit: MOST_SECTIONS } as const
  const { filed, form } = input
  const own = useAnswer(
    'search.documents',
    q && filed ? ({ ...asked, filed_after: filed, filed_before: filed } as object as typeof asked) : null,
  )
  const inFiling = useMemo(() => found(own.data?.data, input), [own.data, input])
  const isElsewhere = q !== '' && (!filed || (own.data !== undefined && !inFiling?.isSameFiling))
  const others = useAnswer(
    'search.documents',
    isElsewhere ? ({ ...asked, ...(form && { doc_type: form }) } as object as typeof asked) : null,
  )
  const passage = useMemo(
    () => (isElsewhere ? found(others.data?.data, input) : inFiling),
    [isElsewhere, others.data, inFiling, input],
  )
  return (
    <section className="filed" aria-label="The filing">
      {q === '' ? (
        <Missing input={input} cik={cik} ticker={ticker} />
      ) : (
        <Part answer={isElsewhere ? others : own} what="the filing">
          {() =>
            passage ? (
              <Passage key={passage.section.id} passage={passage} input={input} ticker={ticker} cik={cik} />
            ) : (
              <Missing input={input} cik={cik} ticker={ticker} />
            )
          }
        </Part>
      )}
    </section>
  )
}

const found = (rows: readonly object[] | undefined, input: ProofInput): Found | null =>
  rows ? filedPassage(rows as readonly FiledSection[], input) : null

const nameOf = (form: string | null | undefined, filed: string | null | undefined): string =>
  [form ?? 'Filing', filed && `filed ${dayText(filed)}`].filter(Boolean).join(', ')

function Missing({ input, cik, ticker }: PassageProps) {
  const url = filingUrl(input.accession, cik)
  return (
    <Empty>
      <p>
        <strong>The lake has no passage of this filing that states the figure.</strong> {inputName(input)}{' '}
        {inputValue(input)} is a line of the {nameOf(input.form, input.filed)}.
      </p>
      <p className="small">
        If its text was not loaded: <code>tranche fetch sec --tickers {ticker}</code>, then ingest and build.
      </p>
      {url && (
        <p>
          <a href={url} target="_blank" rel="noreferrer noopener">
            Open it at the SEC
          </a>
        </p>
      )}
    </Empty>
  )
}

function Passage({ passage, input, ticker, cik }: PassageProps & { passage: Found }) {
  const { section, isSameFiling, start, end } = passage
  const lines = useMemo(() => linesAround(section.content ?? '', { start, end }), [section, start, end])
  const at = useRef<HTMLElement>(null)
  useEffect(() => {
    // Only the passage is scrolled: on a phone the tree above it stays in view.
    const box = at.current?.closest('.filed-text')
    if (!box || !at.current) return
    const below = at.current.getBoundingClientRect().top - box.getBoundingClientRect().top
    box.scrollTop += below - box.clientHeight / 2
  }, [])
  const url = filingUrl(input.accession, cik)
  const q = questionFor(input)
  return (
    <>
      <p className="row">
        <strong>{section.section_title ?? 'Section'}</strong>
        <span className="quiet small">
          {nameOf(section.doc_type, section.filing_date)}
          {section.period_end_date && `, period to ${dayText(section.period_end_date)}`}
        </span>
        <span className="spread" />
        <a href={href(['search'], { q, mode: 'keyword', ticker, open: section.id })}>Whole section</a>
        {url && (
          <a href={url} target="_blank" rel="noreferrer noopener">
            At the SEC
          </a>
        )}
      </p>
      {!isSameFiling && (
        <p className="small warning">
          The lake has no passage of the {nameOf(input.form, input.filed)} that states it: this filing repeats
          the figure.
        </p>
      )}
      <Scroll label="Passage of the filing" className="filed-text">
        {blocksOf(lines).map(block =>
          block.isTable ? (
            <table key={block.at}>
              <tbody>
                {block.lines.map(line => (
                  <tr key={line.at} data-line={line.cells.some(cell => cell.isMarked) || undefined}>
                    {line.cells.map(cell => (
                      <td key={cell.at}>
                        <Text cell={cell} start={start} end={end} mark={at} />
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          ) : (
            <Fragment key={block.at}>
              {block.lines.map(line =>
                line.cells.map(cell => (
                  <p key={cell.at}>
                    <Text cell={cell} start={start} end={end} mark={at} />
                  </p>
                )),
              )}
            </Fragment>
          ),
        )}
      </Scroll>
    </>
  )
}

interface TextProps {
  readonly cell: PassageLine['cells'][number]
  readonly start: number
  readonly end: number
  readonly mark: React.RefObject<HTMLElement>
}

function Text({ cell, start, end, mark }: TextProps) {
  if (!cell.isMarked) return cell.text
  const [from, to] = [start - cell.at, end - cell.at]
  return (
    <>
      {cell.text.slice(0, from)}
      <mark ref={mark}>{cell.text.slice(from, to)}</mark>
      {cell.text.slice(to)}
    </>
  )
}

/** Runs of rows of a table, and runs of paragraphs. */
function blocksOf(lines: readonly PassageLine[]) {
  const blocks: { at: number; isTable: boolean; lines: PassageLine[] }[] = []
  for (const line of lines) {
    const isTable = line.cells.length > 1
    const last = blocks.at(-1)
    if (last && last.isTable === isTable) last.lines.push(line)
    else blocks.push({ at: line.at, isTable, lines: [line] })
  }
  return blocks
}
