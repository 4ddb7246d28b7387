import { useEffect, useRef } from 'react'
import { setParams } from '../../app/route.ts'
import { Scroll } from '../../parts/scroll.tsx'
import { dayText } from '../../show/days.ts'
import { safeUrl } from '../company/safe-url.ts'
import { partsOf } from './marked.tsx'
import type { Hit } from './search.tsx'

/** Where a snippet begins and ends in its text; null if it is not found. */
export function passageOf(content: string, snippet: string): readonly [number, number] | null {
  const words = partsOf(snippet)
    .map(({ text }) => text)
    .join('')
    .replaceAll('…', ' ')
    .trim()
    .split(/\s+/)
    .filter(Boolean)
  for (const few of [words.slice(0, 12), words.slice(0, 5), words.slice(4, 12)]) {
    if (few.length < 3) continue
    const pattern = few.map(word => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('\\s+')
    const found = new RegExp(pattern).exec(content)
    if (!found) continue
    const rest = words.join(' ').length
    return [found.index, Math.min(content.length, found.index + Math.max(found[0].length, rest))]
  }
  return null
}

/** A section, scrolled to the matching passage. */
export function Reader({ hit, content }: { hit: Hit; content: string }) {
  const at = useRef<HTMLElement>(null)
  const passage = passageOf(content, hit.snippet ?? '')
  useEffect(() => {
    at.current?.scrollIntoView({ block: 'center' })
  }, [])
  return (
    <>
      <header className="row">
        <div>
          <h2>{hit.section_title}</h2>
          <p className="quiet small">
            {[hit.company_name, hit.doc_type, hit.filing_date && dayText(hit.filing_date), hit.accession]
              .filter(Boolean)
              .join(' · ')}
          </p>
        </div>
        <span className="spread" />
        {safeUrl(hit.source_url) && (
          <a href={hit.source_url!} target="_blank" rel="noreferrer noopener">
            Source
          </a>
        )}
        <button type="button" onClick={() => setParams({ open: null })}>
          Close
        </button>
      </header>
      <Scroll label="Text of the section" className="text">
        {passage ? (
          <>
            {content.slice(0, passage[0])}
            <mark ref={at}>{content.slice(...passage)}</mark>
            {content.slice(passage[1])}
          </>
        ) : (
          content
        )}
      </Scroll>
    </>
  )
}
