import MiniSearch from 'minisearch'

interface Section {
  readonly id: number
  readonly address: string
  readonly page: string
  readonly heading: string
  readonly text: string
}

export interface Hit {
  readonly address: string
  readonly page: string
  readonly heading: string
  /** The text around the longest word found. */
  readonly excerpt: string
}

/** Characters of text shown of a hit. */
const EXCERPT = 120

/** Names are found by their parts, too: `ytm` finds `min_ytm` and `pricing.ytm`. */
const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}_.-]+/gu) ?? []).flatMap(run => {
    const parts = run.split(/[_.-]+/).filter(Boolean)
    const last = parts.at(-1)
    if (last === undefined || parts.length === 1) return parts
    // Without the full stop of a sentence.
    return [run.slice(0, run.lastIndexOf(last) + last.length), ...parts]
  })

/** Reads the sections of all pages, and indexes them in this browser. */
export async function openIndex(url: string): Promise<(words: string) => Hit[]> {
  const response = await fetch(url)
  const sections = ((await response.json()) as string[][]).map(
    ([address = '', page = '', heading = '', text = ''], id): Section => ({
      id,
      address,
      page,
      heading,
      text,
    }),
  )
  const index = new MiniSearch<Section>({ fields: ['page', 'heading', 'text'], tokenize: wordsOf })
  await index.addAllAsync(sections, { chunkSize: 100 })
  return words =>
    index
      .search(words, {
        boost: { page: 4, heading: 3 },
        combineWith: 'AND',
        prefix: true,
        fuzzy: word => (word.length > 4 ? 0.2 : false),
      })
      .slice(0, 12)
      .flatMap(({ id, terms }) => {
        const section = sections[id as number]
        return section ? [{ ...section, excerpt: excerptOf(section.text, terms) }] : []
      })
}

function excerptOf(text: string, terms: readonly string[]): string {
  const lower = text.toLowerCase()
  // The longest word says most about why this was found.
  const place = terms
    .toSorted((a, b) => b.length - a.length)
    .map(term => lower.indexOf(term))
    .find(at => at >= 0)
  const start = Math.max(0, (place ?? 0) - 30)
  const from = start === 0 ? 0 : text.indexOf(' ', start) + 1
  return `${from > 0 ? '… ' : ''}${text.slice(from, from + EXCERPT)}${text.length > from + EXCERPT ? ' …' : ''}`
}
