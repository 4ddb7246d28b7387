import { useEffect, useRef } from 'react'
import { covenants } from '../../../../engine/schema/resources/covenants.ts'
import { setParams, useRoute } from '../../app/route.ts'
import { useAllRows } from '../../ask/rows.ts'
import { Part } from '../../parts/part.tsx'
import { Empty } from '../../parts/state.tsx'
import { shown } from '../../show/figures.ts'
import { titleOf } from '../../show/words.ts'
import { type Evidence, Passage } from './passage.tsx'

interface Definition {
  readonly term?: string | null
  readonly text?: string | null
}

const fields = [
  'id',
  'covenant_name',
  'instrument_name',
  'test_metric',
  'threshold_type',
  'threshold_value',
  'test_frequency',
  'description',
  'in_force',
  'evidences',
  'definitions',
] as const

const terms = [
  'instrument_name',
  'test_metric',
  'threshold_type',
  'threshold_value',
  'test_frequency',
] as const

/** The passages that state the covenant named in the URL, if one is. */
export function CovenantEvidence({ ticker }: { ticker: string }) {
  const { query } = useRoute()
  const id = query.get('covenant')
  return id === null ? null : <Shown ticker={ticker} id={id} />
}

// Over 80 lines: the markup of one dialog.
function Shown({ ticker, id }: { ticker: string; id: string }) {
  const box = useRef<HTMLDialogElement>(null)
  const answer = useAllRows('search.covenants', { ticker, fields, limit: 100 })
  useEffect(() => {
    if (!box.current?.open) box.current?.showModal()
  }, [])
  const covenant = answer.data?.find(row => row.id === id)
  return (
    <dialog
      ref={box}
      className="explain"
      aria-labelledby="evidenced"
      onClose={() => setParams({ covenant: null })}
    >
      <header>
        <h2 id="evidenced">{covenant?.covenant_name ?? 'Covenant'}</h2>
        <span className="quiet">{covenant?.description}</span>
        <span className="spread" />
        <button type="button" onClick={() => box.current?.close()}>
          Close
        </button>
      </header>
      <div className="body">
        <Part answer={answer} what="its evidence">
          {() => {
            if (!covenant)
              return (
                <Empty>
                  <p>This covenant was not in force on the as-of day.</p>
                </Empty>
              )
            const evidences = (covenant.evidences ?? []) as readonly Evidence[]
            const definitions = (covenant.definitions ?? []) as readonly Definition[]
            return (
              <>
                <dl className="figures">
                  {terms
                    .filter(name => covenant[name] !== null)
                    .map(name => (
                      <div key={name}>
                        <dt>{titleOf(name)}</dt>
                        <dd>{shown(covenants.columns[name], covenant[name])}</dd>
                      </div>
                    ))}
                </dl>
                <h3>
                  {evidences.length === 1 ? '1 passage states it' : `${evidences.length} passages state it`}
                </h3>
                <div className="evidence">
                  {evidences.map(evidence => (
                    <Passage key={`${evidence.source}${evidence.text}`} evidence={evidence} ticker={ticker} />
                  ))}
                </div>
                {definitions.length > 0 && <h3>Defined terms</h3>}
                {definitions.map(({ term, text }) => (
                  <p key={term}>
                    <strong>{term}</strong> {text}
                  </p>
                ))}
              </>
            )
          }}
        </Part>
      </div>
    </dialog>
  )
}
