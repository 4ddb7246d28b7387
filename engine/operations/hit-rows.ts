import { elementAt, firstOf } from '../base/elements.ts'
import type { Column } from '../schema/column.ts'
import { nest } from '../schema/nested-rows.ts'
import type { SearchIndex } from '../search/search-index.ts'
import type { Hit, SearchResult } from '../search/search-question.ts'
import { JsonPage } from './json-page.ts'

type Row = Record<string, unknown>
type Columns = readonly { readonly name: string; readonly column: Column }[]

/** Sections of an index whose rows are cached. */
const MOST_SECTIONS = 30_000

/** Members of a row that are of the hit; all others are of its section. */
const ofHit: ReadonlySet<string> = new Set([
  'snippet',
  'relevance_score',
  'semantic_score',
  'ranks',
  'copies',
])

/** A row of a section without what is of the hit. */
interface SectionRow {
  readonly row: Readonly<Row>
  /** Null until a page is written as JSON. */
  json: SectionJson | null
}

/** The JSON text of a row around the members of the hit, of which the snippet is the first. */
interface SectionJson {
  readonly first: Buffer
  /** After each member of the hit but the last. */
  readonly between: readonly string[]
  readonly last: Buffer
}

/**
 * Hits as rows of the default columns. What a row has of its section is made once per section: making it for every hit took a
 * tenth of the processor time of a page, and writing it as JSON a fifth of a page over HTTP.
 */
export class HitRows {
  private readonly index: SearchIndex
  private readonly columns: Columns
  /** Members of the hit after the snippet, in the order of the columns. */
  private readonly members: readonly string[]
  /** By section. */
  private sections: (SectionRow | undefined)[] = []
  private made = 0

  constructor(index: SearchIndex, columns: Columns) {
    this.index = index
    this.columns = columns
    const all = columns.map(({ name }) => firstOf(name.split('.')))
    this.members = [...new Set(all)].filter(name => ofHit.has(name) && name !== 'snippet')
  }

  objects({ hits, query }: SearchResult): Row[] {
    return hits.map(hit => {
      const row = { ...this.sectionRow(hit.section).row }
      row['snippet'] = this.index.snippet(hit, query)
      row['relevance_score'] = roundedScore(hit.relevance)
      row['semantic_score'] = roundedScore(hit.cosine)
      row['ranks'] = ranksOf(hit)
      row['copies'] = hit.copies
      return row
    })
  }

  /** The JSON of the same rows, separated by commas. */
  json({ hits, query }: SearchResult): Buffer {
    const page = new JsonPage()
    for (const [i, hit] of hits.entries()) {
      const { first, between, last } = this.jsonOf(hit.section)
      if (i > 0) page.add(',')
      page.addBytes(first)
      const snippet = this.index.snippetBytes(hit, query)
      if (snippet) page.addQuoted(snippet)
      else page.add(JSON.stringify(this.index.snippet(hit, query)))
      let text = ''
      for (const [n, name] of this.members.entries())
        text += elementAt(between, n) + JSON.stringify(hitValue(hit, name))
      page.add(text)
      page.addBytes(last)
    }
    return page.end()
  }

  private sectionRow(section: number): SectionRow {
    const before = this.sections[section]
    if (before) return before
    if (this.made === MOST_SECTIONS) this.made = 0
    if (this.made++ === 0) this.sections = new Array(this.index.facts.sections)
    const record = this.index.record(section)
    const values = this.columns.map(({ name }) => [record[name] ?? null])
    const row = { row: firstOf(nest(this.columns, values, 1)), json: null }
    this.sections[section] = row
    return row
  }

  private jsonOf(section: number): SectionJson {
    const made = this.sectionRow(section)
    made.json ??= jsonAround(made.row)
    return made.json
  }
}

function jsonAround(row: Readonly<Row>): SectionJson {
  const texts: string[] = []
  let text = '{'
  for (const [i, [name, value]] of Object.entries(row).entries()) {
    text += `${i > 0 ? ',' : ''}${JSON.stringify(name)}:`
    if (ofHit.has(name)) {
      texts.push(text)
      text = ''
    } else text += JSON.stringify(value)
  }
  const [first = '', ...between] = texts
  return { first: Buffer.from(first), between, last: Buffer.from(`${text}}`) }
}

function hitValue(hit: Hit, name: string): unknown {
  if (name === 'relevance_score') return roundedScore(hit.relevance)
  if (name === 'semantic_score') return roundedScore(hit.cosine)
  return name === 'ranks' ? ranksOf(hit) : hit.copies
}

const ranksOf = ({ keywordRank: keyword, semanticRank: semantic }: Hit) =>
  keyword === null && semantic === null ? null : { keyword, semantic }

export const roundedScore = (score: number | null): number | null =>
  score === null ? null : Math.round(score * 1e6) / 1e6
