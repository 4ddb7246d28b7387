import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { InputTo } from '../../../v1/client.ts'
import { setParams, useRoute } from '../../app/route.ts'
import { server } from '../../app/server.ts'
import { api } from '../../ask/api.ts'
import { useFirstPrints } from '../../ask/first-prints.ts'
import { useAsOf } from '../../ask/use-answer.ts'
import { Grid } from '../../parts/grid.tsx'
import { Panel } from '../../parts/part.tsx'
import { Segments } from '../../parts/segments.tsx'
import { Empty, Failure, Loading } from '../../parts/state.tsx'
import { fixed } from '../../show/figures.ts'
import { QuickChart } from './quick-chart.tsx'
import { columnOf, type Result } from './result.ts'
import { ResultDownload } from './result-download.tsx'
import { schema } from './schema.ts'
import './sql.css'

const FIRST = `SELECT sector, rating_bucket, count(*) AS companies, median(leverage_ratio) AS leverage
FROM companies
GROUP BY sector, rating_bucket
ORDER BY leverage DESC NULLS LAST`

/** SQL over the documented tables. */
export function Sql() {
  const { sql: limits } = server
  if (!limits)
    return (
      <Empty>
        <p>
          <strong>SQL is not enabled here.</strong>
        </p>
        <p>
          The operator turns it on: <code>tranche serve --enable-sql</code>
        </p>
      </Empty>
    )
  return <Desk rows={limits.rows} seconds={limits.timeout / 1000} />
}

function Desk({ rows, seconds }: { rows: number; seconds: number }) {
  const { query } = useRoute()
  const ran = query.get('sql')
  const given = ran ?? FIRST
  const text = useRef(given)
  const asOf = useAsOf()
  const isFirstPrint = useFirstPrints()
  const question = useMutation({
    mutationFn: (sql: string) => api.call('sql', { sql, limit: rows, ...asOf }),
  })
  const run = () => {
    // Columns that were chosen for another statement's chart are no choice for this one.
    setParams({ sql: text.current, ...(text.current !== ran && { x: null, y: null, by: null }) })
    question.mutate(text.current)
  }
  return (
    <div className="sql-page">
      <aside className="schema" aria-label="Tables">
        {Object.entries(schema).map(([table, columns]) => (
          <details key={table}>
            <summary>{table}</summary>
            <ul>
              {Object.entries(columns).map(([name, column]) => (
                <li key={name} title={column.doc}>
                  <code>{name}</code> <span className="quiet small">{column.kind}</span>
                </li>
              ))}
            </ul>
          </details>
        ))}
      </aside>
      <section className="desk" aria-label="SQL">
        <Editor
          text={given}
          change={changed => {
            text.current = changed
          }}
          run={run}
        />
        <div className="row tools">
          <button type="button" className="primary" onClick={run} disabled={question.isPending}>
            Run
          </button>
          <kbd>Ctrl Enter</kbd>
          <span className="quiet small">
            One SELECT, at most {fixed(rows, 0)} rows and {fixed(seconds, 0)} seconds
            {isFirstPrint &&
              '. A statement reads what it names: rows with is_original in financials and companies_by_age are first prints'}
          </span>
        </div>
        <div className="answer">
          {question.isPending ? (
            <Loading what="Running" />
          ) : question.isError ? (
            <Failure error={question.error} />
          ) : question.data ? (
            <Answer result={question.data} ran={{ sql: question.variables, limit: rows, ...asOf }} />
          ) : (
            <Empty>
              <p>Tables and their columns are on the left; Ctrl Space completes.</p>
            </Empty>
          )}
        </div>
      </section>
    </div>
  )
}

function Editor({ text, change, run }: { text: string; change: (text: string) => void; run: () => void }) {
  const box = useRef<HTMLDivElement>(null)
  const latest = useRef({ change, run })
  latest.current = { change, run }
  const [first] = useState(text)
  useEffect(() => {
    const at = box.current!
    let close = () => {}
    let gone = false
    void import('./editor.ts').then(({ openEditor }) => {
      if (gone) return
      const view = openEditor({
        parent: at.shadowRoot ?? at.attachShadow({ mode: 'open' }),
        text: first,
        schema: Object.fromEntries(
          Object.entries(schema).map(([table, columns]) => [table, Object.keys(columns)]),
        ),
        change: changed => latest.current.change(changed),
        run: () => latest.current.run(),
      })
      close = () => view.destroy()
    })
    return () => {
      gone = true
      close()
    }
  }, [first])
  return <div ref={box} className="editor" />
}

function Answer({ result: { data, meta }, ran }: { result: Result; ran: InputTo<'sql'> }) {
  const [view, setView] = useState<'Table' | 'Chart'>('Table')
  const headings = meta.columns.map(({ name, kind }) => ({ name, column: columnOf(kind) }))
  return (
    <Panel
      title={`${fixed(meta.total, 0)} rows${meta.truncated ? ', cut at the limit' : ''}`}
      tools={
        <>
          <span className="quiet small">{String(meta['duration_ms'])} ms</span>
          <Segments label="View" options={['Table', 'Chart'] as const} value={view} set={setView} />
          <ResultDownload result={{ data, meta }} ran={ran} />
        </>
      }
    >
      {view === 'Chart' ? (
        <QuickChart result={{ data, meta }} />
      ) : data.length === 0 ? (
        <Empty>
          <p>The statement returned no rows.</p>
        </Empty>
      ) : (
        <Grid label="Result" headings={headings} total={data.length} rowAt={i => data[i]} height={560} />
      )}
    </Panel>
  )
}
