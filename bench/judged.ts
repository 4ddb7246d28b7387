import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import type { Section } from '../engine/search/text/section.ts'

export interface Entry {
  readonly id: number
  readonly title: string
  readonly text: string
}

/** Entries of a SMART file: a marker line begins a field, `.I 7` an entry. */
export function entries(text: string): Entry[] {
  return text
    .split(/^\.I\s+/m)
    .slice(1)
    .map(part => {
      const [head, ...fields] = part.split(/^\.(?=[A-Z]\s*$)/m)
      const field = (name: string) =>
        fields
          .find(f => f.startsWith(name))
          ?.slice(1)
          .replaceAll(/\s+/g, ' ')
          .trim() ?? ''
      return { id: Number(head), title: field('T'), text: field('W') }
    })
}

/** Relevant documents by query. */
export function judgments(text: string): Map<number, Set<number>> {
  const relevant = new Map<number, Set<number>>()
  for (const line of text.split('\n')) {
    const [question, document] = line.trim().split(/\s+/).map(Number)
    if (!question || !document) continue
    if (!relevant.has(question)) relevant.set(question, new Set())
    relevant.get(question)!.add(document)
  }
  return relevant
}

/** nDCG of the first ten. */
export function ndcg(ranked: readonly number[], relevant: ReadonlySet<number>): number {
  const gain = (at: number) => 1 / Math.log2(at + 2)
  const got = ranked.slice(0, 10).reduce((sum, id, i) => sum + (relevant.has(id) ? gain(i) : 0), 0)
  const best = Array.from({ length: Math.min(10, relevant.size) }, (_, i) => gain(i)).reduce(
    (a, b) => a + b,
    0,
  )
  return got / best
}

export const readText = async (path: string): Promise<string> => {
  const bytes = await readFile(path)
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
}

export async function* sectionsOf(documents: readonly Entry[], copies: number): AsyncGenerator<Section> {
  for (let copy = 0; copy < copies; copy++)
    for (const { id, title, text } of documents)
      yield {
        id: `${id}-${copy}`,
        ticker: null,
        company_name: null,
        company_id: null,
        coverage: null,
        doc_type: '10-K',
        section_type: 'notes',
        section_title: title,
        filing_date: null,
        known_from: null,
        content: text,
        shown: { id: `${id}-${copy}` },
      }
}

/** A query for keyword search: its words joined by OR. */
export const anyOf = (text: string): string => (text.match(/[\p{L}\p{N}]+/gu) ?? []).join(' OR ')
