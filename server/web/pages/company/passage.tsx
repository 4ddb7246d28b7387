import { href } from '../../app/route.ts'
import { dayText } from '../../show/days.ts'
import { NOTHING } from '../../show/figures.ts'
import { fileName, filingUrl } from '../../show/inputs.ts'

/** A passage of a document that states a covenant or a pledge, as in `evidences`. */
export interface Evidence {
  readonly text?: string | null
  readonly section?: string | null
  readonly document_type?: string | null
  readonly document_date?: string | null
  readonly accession?: string | null
  readonly source?: string | null
  readonly rule?: string | null
  readonly confidence?: number | null
}

/** Words of a passage that find it in the search of filings. */
const SEARCHED_WORDS = 12

/** The words of a passage, with links to them. */
export function Passage({ evidence, ticker }: { evidence: Evidence; ticker: string }) {
  const { text, section, document_type, document_date, accession, source, rule, confidence } = evidence
  const url = filingUrl(accession, null)
  const words = (text ?? '')
    .match(/[\p{L}\p{N}]+/gu)
    ?.slice(0, SEARCHED_WORDS)
    .join(' ')
  return (
    <section>
      <p className="row">
        <strong>{document_type ?? 'Document'}</strong>
        {document_date && <span>{dayText(document_date)}</span>}
        <span className="quiet">{section}</span>
        <span className="spread" />
        {words && <a href={href(['search'], { q: `"${words}"`, mode: 'keyword', ticker })}>In the filing</a>}
        {url && (
          <a href={url} target="_blank" rel="noreferrer noopener">
            At the SEC
          </a>
        )}
      </p>
      <blockquote>{text ?? NOTHING}</blockquote>
      <p className="quiet small">
        {[
          source && fileName(source),
          rule && `rule ${rule}`,
          typeof confidence === 'number' && `confidence ${confidence}`,
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
    </section>
  )
}
