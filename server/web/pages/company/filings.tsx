import type { RowIn } from '../../../v1/client.ts'
import { href } from '../../app/route.ts'
import { useAllRows } from '../../ask/rows.ts'
import { Figure, Panel } from '../../parts/part.tsx'
import { Scroll } from '../../parts/scroll.tsx'
import { dayText } from '../../show/days.ts'
import { wordsOf } from '../../show/words.ts'
import { safeUrl } from './safe-url.ts'

/** A query that matches any text about debt. */
const question = {
  q: 'debt OR notes OR credit OR loan OR subsidiaries',
  mode: 'keyword',
  sort: '-filing_date',
} as const

const fields = [
  'id',
  'accession',
  'doc_type',
  'filing_date',
  'section_type',
  'section_title',
  'source_url',
] as const

type Section = RowIn<'search.documents'>

/** The newest filings about debt, with links to their sections. */
export function Filings({ ticker }: { ticker: string }) {
  const answer = useAllRows('search.documents', { ...question, ticker, fields, limit: 100 }, 100)
  return (
    <div className="w6">
      <Figure title="Filings" answer={answer} empty="No filings about its debt. Load some.">
        {sections => <Shown filings={filingsOf(sections)} ticker={ticker} />}
      </Figure>
    </div>
  )
}

/** Sections by filing, in order. */
function filingsOf(sections: readonly Section[]): readonly (readonly [Section, ...Section[]])[] {
  const filings = new Map<string, [Section, ...Section[]]>()
  for (const section of sections) {
    const name = section.accession ?? section.id
    const known = filings.get(name)
    if (known) known.push(section)
    else filings.set(name, [section])
  }
  return [...filings.values()]
}

const Shown = ({ filings, ticker }: { filings: ReturnType<typeof filingsOf>; ticker: string }) => (
  <Panel title="Filings" tools={<a href={href(['search'], { ...question, ticker })}>Search filings</a>}>
    <Scroll label="Filings" className="groups filings">
      {filings.map(([first, ...others]) => (
        <section key={first.id}>
          <h3 className="row">
            {first.doc_type}{' '}
            <span className="quiet">
              {first.filing_date === null ? 'undated' : dayText(first.filing_date)}
            </span>
            <span className="spread" />
            {safeUrl(first.source_url) && (
              <a href={first.source_url!} target="_blank" rel="noreferrer noopener">
                Source
              </a>
            )}
          </h3>
          <ul>
            {[first, ...others].map(({ id, section_title, section_type }) => (
              <li key={id}>
                <a href={href(['search'], { ...question, ticker, open: id })}>
                  {section_title ?? wordsOf(section_type ?? 'section')}
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Scroll>
  </Panel>
)
