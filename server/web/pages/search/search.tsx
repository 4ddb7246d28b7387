import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import type { RowOf } from '../../../../engine/schema/column.ts'
import { documents, hitColumns } from '../../../../engine/schema/resources/documents.ts'
import { modes } from '../../../../engine/search/modes.ts'
import type { InputTo, RowIn } from '../../../v1/client.ts'
import { href, setParams, useRoute } from '../../app/route.ts'
import { api } from '../../ask/api.ts'
import { useAnswer, useAsOf } from '../../ask/use-answer.ts'
import { Day } from '../../parts/day.tsx'
import { Part } from '../../parts/part.tsx'
import { Segments } from '../../parts/segments.tsx'
import { Empty, sentence, Warnings } from '../../parts/state.tsx'
import { dayText } from '../../show/days.ts'
import { fixed } from '../../show/figures.ts'
import { wordsOf } from '../../show/words.ts'
import { Marked } from './marked.tsx'
import { Reader } from './reader.tsx'
import './search.css'

export type Hit = RowIn<'search.documents'>

const PAGE = 20
const sorts = ['-relevance', '-filing_date', 'filing_date'] as const
const sortNames = { '-relevance': 'Best first', '-filing_date': 'Newest first', filing_date: 'Oldest first' }

/** Search in filings: by word, by meaning, or both; a section opens at the passage. */
// Over 80 lines: the markup of one page.
export function Search() {
  const { query } = useRoute()
  const given = (name: string) => query.get(name) ?? ''
  const q = given('q')
  const mode = modes.find(m => m === given('mode')) ?? 'hybrid'
  const sort = sorts.find(s => s === given('sort')) ?? '-relevance'
  const offset = Number(given('offset')) || 0
  const filters = Object.fromEntries(
    ['ticker', 'doc_type', 'section_type', 'filed_after', 'filed_before'].flatMap(name =>
      given(name) ? [[name, given(name)]] : [],
    ),
  )
  const answer = useAnswer(
    'search.documents',
    q ? { q, mode, sort, limit: PAGE, offset, ...filters } : null,
    {
      keep: true,
    },
  )
  const open = given('open')
  return (
    <div className="search-page" data-open={open !== '' || undefined}>
      <section className="results" aria-label="Results">
        <Question q={q} />
        <div className="row">
          <Segments
            label="Mode"
            options={modes}
            value={mode}
            set={value => setParams({ mode: value, offset: null })}
            named={wordsOf}
          />
          <label>
            <span className="hidden">Order</span>
            <select value={sort} onChange={event => setParams({ sort: event.target.value, offset: null })}>
              {sorts.map(s => (
                <option key={s} value={s}>
                  {sortNames[s]}
                </option>
              ))}
            </select>
          </label>
        </div>
        <Narrow given={given} />
        {q === '' ? (
          <Empty>
            <p>
              <strong>Search the filings.</strong>
            </p>
            <p>
              Words, “phrases”, OR, -without; or plain language:{' '}
              <em>how much can they borrow under the revolver</em>
            </p>
          </Empty>
        ) : (
          <Part answer={answer} what="filings">
            {({ data, meta }) => (
              <div className="kept" aria-busy={answer.isPlaceholderData}>
                <p className={answer.isPlaceholderData ? 'quiet small busy' : 'quiet small'} role="status">
                  {answer.isPlaceholderData ? 'Reading filings …' : `${fixed(meta.total, 0)} sections`}
                </p>
                <Warnings meta={meta} />
                {data.length === 0 && (
                  <Empty>
                    <p>
                      <strong>No results.</strong> Use fewer words, another mode, or remove a filter.
                    </p>
                    {((meta['empty_because'] as string[] | undefined) ?? []).map(reason => (
                      <p key={reason} className="quiet">
                        {sentence(reason)}
                      </p>
                    ))}
                  </Empty>
                )}
                <ol className="hits">
                  {data.map(found => (
                    <li key={found.id} aria-current={found.id === open || undefined}>
                      <Found hit={found} />
                    </li>
                  ))}
                </ol>
                <p className="row">
                  <button
                    type="button"
                    disabled={offset === 0}
                    onClick={() => setParams({ offset: String(Math.max(0, offset - PAGE)) })}
                  >
                    Before
                  </button>
                  <button
                    type="button"
                    disabled={offset + PAGE >= meta.total}
                    onClick={() => setParams({ offset: String(offset + PAGE) })}
                  >
                    Next
                  </button>
                </p>
              </div>
            )}
          </Part>
        )}
      </section>
      {open && q && <Opened key={open} id={open} question={{ q, mode, sort, ...filters }} />}
    </div>
  )
}

function Question({ q }: { q: string }) {
  const [text, setText] = useState(q)
  useEffect(() => setText(q), [q])
  function put(event: FormEvent) {
    event.preventDefault()
    setParams({ q: text.trim() || null, offset: null, open: null })
  }
  return (
    <form className="question" onSubmit={put}>
      <input
        type="search"
        aria-label="Search filings"
        value={text}
        onChange={event => setText(event.target.value)}
      />
      <button type="submit" className="primary">
        Search
      </button>
    </form>
  )
}

function Narrow({ given }: { given: (name: string) => string }) {
  const set = (name: string) => (event: { target: { value: string } }) =>
    setParams({ [name]: event.target.value.trim() || null, offset: null })
  const day = (name: string) => (text: string) => setParams({ [name]: text || null, offset: null })
  return (
    <div className="narrow">
      <label>
        Ticker
        <input
          key={given('ticker')}
          defaultValue={given('ticker')}
          onBlur={set('ticker')}
          placeholder="Any"
        />
      </label>
      <label>
        Form
        <input
          key={given('doc_type')}
          defaultValue={given('doc_type')}
          onBlur={set('doc_type')}
          placeholder="10-K"
        />
      </label>
      <label>
        Section
        <select value={given('section_type')} onChange={set('section_type')}>
          <option value="">Any</option>
          {documents.columns.section_type.values!.map(type => (
            <option key={type} value={type}>
              {wordsOf(type)}
            </option>
          ))}
        </select>
      </label>
      <span className="field">
        Filed after
        <Day label="Filed after" value={given('filed_after')} set={day('filed_after')} />
      </span>
      <span className="field">
        Filed before
        <Day label="Filed before" value={given('filed_before')} set={day('filed_before')} />
      </span>
    </div>
  )
}

const Found = ({ hit }: { hit: Hit }) => (
  <article>
    <header className="row">
      {hit.ticker && <a href={href(['company', hit.ticker])}>{hit.ticker}</a>}
      <button type="button" className="plain title" onClick={() => setParams({ open: hit.id })}>
        {hit.section_title ?? wordsOf(hit.section_type ?? 'section')}
      </button>
      <span className="spread" />
      <span className="quiet small">
        {[hit.doc_type, hit.filing_date && dayText(hit.filing_date)].filter(Boolean).join(' · ')}
      </span>
    </header>
    <p>
      <Marked text={hit.snippet ?? ''} />
    </p>
    <p className="quiet small">
      relevance {fixed(hit.relevance_score ?? 0, 3)}
      {hit.semantic_score !== null && ` · meaning ${fixed(hit.semantic_score, 3)}`}
      {hit.ranks?.keyword && ` · word rank ${hit.ranks.keyword}`}
      {hit.ranks?.semantic && ` · meaning rank ${hit.ranks.semantic}`}
    </p>
  </article>
)

interface OpenedProps {
  readonly id: string
  readonly question: InputTo<'search.documents'>
}

/** The whole section, wherever it is in the results: a section's URL is its query. */
function Opened({ id, question }: OpenedProps) {
  const params = { ...useAsOf(), ...question }
  const answer = useQuery({
    queryKey: ['section', id, params],
    queryFn: ({ signal }) => sectionOf(id, params, signal),
  })
  return (
    <section className="reader" aria-label="Section">
      <Part answer={answer} what="the section">
        {hit =>
          hit ? (
            <Reader hit={hit} content={hit.content} />
          ) : (
            <Empty>
              <p>
                <strong>This section is no longer among the results.</strong> Remove a filter, or change the
                as-of day.
              </p>
              <button type="button" onClick={() => setParams({ open: null })}>
                Close
              </button>
            </Empty>
          )
        }
      </Part>
    </section>
  )
}

/** Number of results among which to look for a section. */
const DEPTH = 1_000

async function sectionOf(id: string, params: InputTo<'search.documents'>, signal: AbortSignal) {
  let offset = 0
  const ids = api.pages('search.documents', { ...params, fields: ['id'], limit: 100 }, { signal })
  for await (const row of ids) {
    if (row.id === id) {
      const { data } = await api.call(
        'search.documents',
        { ...params, fields: whole, offset, limit: 1 },
        { signal },
      )
      return (data[0] as RowOf<typeof hitColumns> | undefined) ?? null
    }
    offset += 1
    if (offset === DEPTH) break
  }
  return null
}

const whole = Object.keys(hitColumns) as (keyof typeof hitColumns)[]
