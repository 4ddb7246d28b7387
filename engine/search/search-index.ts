import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { IndexFacts } from './build/index-facts.ts'
import type { Embedder } from './embed/embedder.ts'
import { openEmbedder } from './embed/open-embedder.ts'
import { LEADS, PULL, rocchioFeedback } from './feedback.ts'
import { readArrays, readInto } from './files/array-file.ts'
import { fuse } from './fuse.ts'
import { bestScores } from './keyword/best-scores.ts'
import { InvertedIndex } from './keyword/inverted-index.ts'
import { BODY } from './keyword/inverted-writer.ts'
import {
  highest,
  lengthWeight,
  lengthWeights,
  type Matches,
  matching,
  seek,
  weightOf,
} from './keyword/keyword.ts'
import type { PassageColumns, SectionColumns } from './keyword/section-writer.ts'
import type { Mode } from './modes.ts'
import { anyWord, markedTerms, parseQuery, type Query } from './text/parse-query.ts'
import { NO_DAY } from './text/section.ts'
import { snippet } from './text/snippet.ts'
import { functionWords } from './text/words.ts'
import { type Nearest, openGraphs } from './vectors/graph.ts'
import { VectorFiles } from './vectors/vector-files.ts'
import { nothing, PassageVectors, type SemanticMatches, sectionsOf } from './vectors/vectors.ts'

/** Sections of each ranking that a hybrid search looks at, whichever page is asked for. */
export const WINDOW = 1000

/** Which sections may be found; what is not said does not narrow. Days count from 1970. */
export interface SectionFilter {
  readonly companies?: readonly string[]
  readonly docTypes?: readonly string[]
  readonly sectionTypes?: readonly string[]
  readonly filedAfter?: number
  readonly filedBefore?: number
  /** Known by the close of this day; sections without a known day are left out. */
  readonly knownBy?: number
  readonly standardOnly?: boolean
}

export interface SearchQuestion {
  readonly text: string
  readonly mode: Mode
  readonly filter: SectionFilter
  readonly order: 'relevance' | 'newest' | 'oldest'
  readonly limit: number | null
  readonly offset: number
}

export interface Hit {
  readonly section: number
  /** 0 to 1, in keyword and hybrid modes. */
  readonly relevance: number | null
  /** Cosine, where the passages were compared and found near. */
  readonly cosine: number | null
  readonly bm25: number | null
  /** From 1 on, in hybrid mode. */
  readonly keywordRank: number | null
  readonly semanticRank: number | null
  /** The passage nearest in meaning. */
  readonly passage: number | null
}

export interface SearchResult {
  readonly total: number
  readonly hits: readonly Hit[]
  readonly warnings: readonly string[]
  /** What the words were read as. */
  readonly query: Query | null
}

/** Terms by which the passage of a snippet is chosen, the rarest first. */
const TERMS_OF_A_PASSAGE = 64

/** Passages of words without end are not read whole. */
const MOST_SNIPPET_BYTES = 1 << 16

interface Lead {
  readonly passage: number
  readonly score: number
}

interface WeightedTerm {
  readonly term: string
  /** Its place among the terms of the index. */
  readonly place: number
  readonly weight: number
}

/** The terms of a query that passages are chosen by and that snippets mark. */
interface SnippetTerms {
  readonly weights: ReadonlyMap<string, number>
  readonly all: readonly WeightedTerm[]
  /** Those a passage is chosen by, the rarest first. */
  readonly rarest: readonly WeightedTerm[]
}

/** The search index of a snapshot. What a question needs is read when it is first asked. */
export class SearchIndex {
  readonly facts: IndexFacts
  private readonly folder: string
  private readonly sections: SectionColumns
  private readonly passages: PassageColumns
  private readonly inverted: InvertedIndex
  /** Of a passage, on average. */
  private readonly passageWords: number
  private readonly lengthWeights: Float32Array
  private readonly told = new WeakMap<Query, SnippetTerms>()
  private readonly texts: number
  private readonly records: number
  private embedder: Promise<Embedder> | null = null
  private vectors: PassageVectors | null = null
  private vectorFiles: VectorFiles | null = null
  private graph: Promise<Nearest | null> | null = null

  constructor(folder: string) {
    this.folder = folder
    this.facts = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as IndexFacts
    this.sections = readArrays<SectionColumns>(join(folder, 'sections.arrays'))
    this.passages = readArrays<PassageColumns>(join(folder, 'passages.arrays'))
    this.inverted = new InvertedIndex(folder)
    const { word, end } = this.passages
    this.passageWords = word.reduce((sum, from, p) => sum + end[p]! - from, 0) / Math.max(word.length, 1)
    this.lengthWeights = lengthWeights(this.sections.words, this.facts.averageWords)
    this.texts = openSync(join(folder, 'text.bin'), 'r')
    this.records = openSync(join(folder, 'records.bin'), 'r')
  }

  close(): void {
    this.inverted.close()
    this.embedder?.then(embedder => embedder.close()).catch(() => {})
    closeSync(this.texts)
    closeSync(this.records)
    this.vectorFiles?.close()
  }

  /** Sections that match and a page of them. Totals and order are the same on every page. */
  async ask(asked: SearchQuestion): Promise<SearchResult> {
    const { mode, text } = asked
    const allowed = this.allowed(asked.filter)
    const parsed = parseQuery(text)
    const asWritten = mode === 'keyword' || (mode === 'hybrid' && !parsed.plain && this.finds(parsed.query))
    const query = asWritten ? parsed.query : anyWord(text)
    const warnings = mode === 'semantic' ? [] : [...parsed.warnings]
    if (mode !== 'semantic' && !query && this.facts.sections > 0) warnings.push('the query holds no word')
    if (mode === 'hybrid' && !parsed.plain && !asWritten && query)
      warnings.push('no section matches the query as written: any of its words may be there')
    const pull = mode === 'keyword' ? 0 : this.pull(mode)
    const said = query && (mode !== 'semantic' || pull > 0) ? matching(this.searched(), query) : null
    const keyword = mode === 'semantic' ? null : said && kept(said, allowed)
    const semantic =
      mode === 'keyword'
        ? null
        : await this.semantic(asked, allowed, said && pull > 0 ? this.leads(said, query) : [], pull)
    const ceiling = query && keyword ? highest(this.searched(), query) : 1
    if (mode === 'hybrid') {
      const { total, hits } = this.fused(asked, keyword, semantic)
      return { total, hits, warnings, query }
    }
    const matches = keyword ?? semantic ?? nothing
    if (mode === 'keyword' && matches.sections.length === 0 && parsed.plain && text.trim().includes(' '))
      warnings.push('no section has all of these words: join them with OR, or ask with mode=hybrid')
    const hits = this.page(asked, matches).map((place): Hit => {
      const section = matches.sections[place]!
      const score = matches.scores[place]!
      return {
        section,
        relevance: keyword ? Math.min(score / ceiling, 1) : null,
        cosine: semantic ? score : null,
        bm25: keyword ? score : null,
        keywordRank: null,
        semanticRank: null,
        passage: semantic ? semantic.passages[place]! : null,
      }
    })
    return { total: matches.sections.length, hits, warnings, query: keyword ? query : null }
  }

  /** What is shown of a section beside its text. */
  record(section: number): Record<string, unknown> {
    const { recordAt } = this.sections
    const bytes = read(this.records, recordAt[section]!, recordAt[section + 1]!)
    return JSON.parse(bytes.toString('utf8')) as Record<string, unknown>
  }

  content(section: number): string {
    const { textAt } = this.sections
    return read(this.texts, textAt[section]!, textAt[section + 1]!).toString('utf8')
  }

  /** HTML of the passage that matches best, with the words asked for in `<b>`. */
  snippet({ section, bm25, passage }: Hit, query: Query | null): string {
    const telling = bm25 === null ? noSnippetTerms : this.telling(query)
    const chosen =
      bm25 === null
        ? (passage ?? this.sections.passagesFrom[section]!)
        : this.passageSaying(section, telling, passage).passage
    const from = this.sections.textAt[section]! + this.passages.start[chosen]!
    const bytes = Math.min(this.passages.bytes[chosen]!, MOST_SNIPPET_BYTES)
    const text = read(this.texts, from, from + bytes)
      .toString('utf8')
      .replace(/(?<!\ufffd)\ufffd+$/, '')
    return snippet(text, this.saidIn(section, chosen, telling), telling.weights)
  }

  /** Sections without a known day that a filter on it leaves out. */
  undated(filter: SectionFilter): number {
    if (filter.knownBy === undefined) return 0
    const { knownBy: _, ...others } = filter
    const allowed = this.allowed(others)
    return this.sections.known.reduce(
      (n, day, i) => n + (day === NO_DAY && (!allowed || allowed[i] === 1) ? 1 : 0),
      0,
    )
  }

  /** How far a question is drawn toward what its words find; a model that knows the language needs that less. */
  pull(mode: Exclude<Mode, 'keyword'>): number {
    if (mode === 'hybrid') return PULL.hybrid
    return this.facts.embedder?.name === 'lsa' ? PULL.semantic : 0
  }

  private searched() {
    return { index: this.inverted, sections: this.facts.sections, lengthWeights: this.lengthWeights }
  }

  private async semantic(
    asked: SearchQuestion,
    allowed: Uint8Array | null,
    leads: readonly Lead[],
    pull: number,
  ): Promise<SemanticMatches> {
    const { embedder: facts } = this.facts
    if (!facts || this.facts.passages === 0) return nothing
    this.embedder ??= openEmbedder(this.folder, this.inverted, facts).catch(error => {
      // What is missing may be put in place while we run.
      this.embedder = null
      throw error
    })
    const question = await (await this.embedder).query(asked.text)
    if (!question) return nothing
    const vector = rocchioFeedback(
      question,
      leads.map(({ passage, score }) => ({ vector: this.unit(passage), score })),
      pull,
    )
    const { passagesFrom } = this.sections
    this.graph ??= this.facts.graph
      ? openGraphs(this.folder, facts.informative, this.facts.graph)
      : Promise.resolve(null)
    // What passes a filter may be far from what the graph leads to: it is compared one by one.
    const graph = allowed ? null : await this.graph
    if (graph) return sectionsOf(graph(vector), passagesFrom)
    this.vectors ??= new PassageVectors(this.folder, facts.informative)
    const wanted = looked(asked)
    return this.vectors.nearest(vector, passagesFrom, { allowed, wanted, counted: asked.mode === 'semantic' })
  }

  private fused(asked: SearchQuestion, keyword: Matches | null, semantic: SemanticMatches | null) {
    const [byWords, byMeaning] = [keyword ?? nothing, semantic ?? nothing]
    const [wordPlaces, meaningPlaces] = [bestScores(byWords, WINDOW), bestScores(byMeaning, WINDOW)]
    const sectionsAt = (places: readonly number[], { sections }: Matches) =>
      places.map(place => sections[place]!)
    const wordSections = sectionsAt(wordPlaces, byWords)
    const meaningSections = sectionsAt(meaningPlaces, byMeaning)
    const scores = fuse([wordSections, meaningSections])
    const sections = new Uint32Array([...scores.keys()]).sort()
    const matches: Matches = { sections, scores: new Float32Array(sections.length) }
    for (let i = 0; i < sections.length; i++) matches.scores[i] = scores.get(sections[i]!)!
    const rankIn = (ranked: readonly number[], section: number) => {
      const at = ranked.indexOf(section)
      return at < 0 ? null : at + 1
    }
    const highestFused = 2 / 61
    const hits = this.page(asked, matches).map((place): Hit => {
      const section = matches.sections[place]!
      const keywordRank = rankIn(wordSections, section)
      const semanticRank = rankIn(meaningSections, section)
      const word = keywordRank && wordPlaces[keywordRank - 1]!
      const meant = semanticRank && meaningPlaces[semanticRank - 1]!
      return {
        section,
        relevance: Math.min(matches.scores[place]! / highestFused, 1),
        cosine: meant === null ? null : byMeaning.scores[meant]!,
        bm25: word === null ? null : byWords.scores[word]!,
        keywordRank,
        semanticRank,
        passage: meant === null ? null : byMeaning.passages[meant]!,
      }
    })
    return { total: sections.length, hits }
  }

  /** Places in the matches that the page shows. */
  private page({ order, limit, offset }: SearchQuestion, matches: Matches): number[] {
    const end = limit === null ? matches.sections.length : Math.min(offset + limit, matches.sections.length)
    if (offset >= end) return []
    if (order === 'relevance') return bestScores(matches, end).slice(offset)
    const { filed } = this.sections
    const day = (place: number) => filed[matches.sections[place]!]!
    const places = Array.from(matches.sections.keys())
    // Without a day last, both ways.
    const rank = (place: number) =>
      order === 'newest' || day(place) === NO_DAY ? -day(place) : day(place) - 2 ** 31
    return places.sort((a, b) => rank(a) - rank(b) || a - b).slice(offset, end)
  }

  private allowed(filter: SectionFilter): Uint8Array | null {
    const { names } = this.facts
    const { company, docType, sectionType, filed, known, extended } = this.sections
    const tests: ((section: number) => boolean)[] = []
    const among = (wanted: readonly string[] | undefined, column: Int32Array, all: readonly string[]) => {
      if (!wanted) return
      const asked = new Set(wanted.map(name => name.toLowerCase()))
      const pass = Uint8Array.from(all, name => (asked.has(name.toLowerCase()) ? 1 : 0))
      tests.push(section => pass[column[section]!] === 1)
    }
    among(filter.companies, company, names.company)
    among(filter.docTypes, docType, names.docType)
    among(filter.sectionTypes, sectionType, names.sectionType)
    const { filedAfter, filedBefore, knownBy } = filter
    if (filedAfter !== undefined) tests.push(section => filed[section]! >= filedAfter)
    if (filedBefore !== undefined)
      tests.push(section => filed[section]! <= filedBefore && filed[section] !== NO_DAY)
    if (knownBy !== undefined) tests.push(section => known[section]! <= knownBy && known[section] !== NO_DAY)
    if (filter.standardOnly) tests.push(section => extended[section] === 0)
    if (tests.length === 0) return null
    const allowed = new Uint8Array(company.length)
    for (let section = 0; section < allowed.length; section++)
      allowed[section] = tests.every(test => test(section)) ? 1 : 0
    return allowed
  }

  private finds(query: Query | null): boolean {
    return query !== null && matching(this.searched(), query).sections.length > 0
  }

  /** The passages that the words find best, whether or not a filter lets them through: cosines do not depend on it. */
  private leads(keyword: Matches, query: Query | null): Lead[] {
    const telling = this.telling(query)
    return bestScores(keyword, LEADS).map(place =>
      this.passageSaying(keyword.sections[place]!, telling, null),
    )
  }

  private unit(passage: number): Float32Array {
    this.vectorFiles ??= new VectorFiles(this.folder, this.facts.embedder!.informative)
    return this.vectorFiles.unit(passage)
  }

  private telling(query: Query | null): SnippetTerms {
    if (!query) return noSnippetTerms
    const before = this.told.get(query)
    if (before) return before
    const all = [...markedTerms(query)].flatMap(([term, times]): WeightedTerm[] => {
      const weight = weightOf(this.searched(), term) * times
      return weight > 0 ? [{ term, place: this.inverted.find(term), weight }] : []
    })
    const some = all.filter(({ term }) => !functionWords.has(term))
    const rarest = (some.length > 0 ? some : [...all])
      .sort((a, b) => b.weight - a.weight)
      .slice(0, TERMS_OF_A_PASSAGE)
    const telling = { weights: new Map(all.map(({ term, weight }) => [term, weight])), all, rarest }
    this.told.set(query, telling)
    return telling
  }

  /** The passage of a section that says most of the terms, by BM25; `otherwise` where only the heading has them. */
  private passageSaying(section: number, { rarest }: SnippetTerms, otherwise: number | null): Lead {
    const first = this.sections.passagesFrom[section]!
    const end = this.sections.passagesFrom[section + 1]!
    const scores = new Float64Array(end - first)
    const times = new Uint32Array(end - first)
    let said = false
    for (const { place: at, weight } of rarest) {
      const postings = this.inverted.postings(at)
      const place = seek(postings.sections, section, 0)
      if (postings.sections[place] !== section) continue
      times.fill(postings.inHeading[place]!)
      for (const position of this.inverted.positions(postings, place)) {
        if (position < BODY) continue
        const word = position - BODY
        for (let p = this.passageAt(word, first, end); p >= first && this.passages.end[p]! > word; p--)
          times[p - first]!++
        said = true
      }
      for (let p = 0; p < times.length; p++) {
        if (times[p] === 0) continue
        const words = this.passages.end[first + p]! - this.passages.word[first + p]!
        scores[p]! += (weight * times[p]!) / (times[p]! + lengthWeight(words, this.passageWords))
      }
    }
    let chosen = said || otherwise === null ? 0 : otherwise - first
    if (said) for (let p = 1; p < scores.length; p++) if (scores[p]! > scores[chosen]! + 1e-9) chosen = p
    return { passage: first + chosen, score: scores[chosen]! }
  }

  /** Which of the terms the words of a passage are, by their number in it. */
  private saidIn(section: number, passage: number, { all }: SnippetTerms): Map<number, string> {
    const said = new Map<number, string>()
    const from = this.passages.word[passage]!
    const to = this.passages.end[passage]!
    for (const { term, place: at } of all) {
      const postings = this.inverted.postings(at)
      const place = seek(postings.sections, section, 0)
      if (postings.sections[place] !== section) continue
      for (const position of this.inverted.positions(postings, place))
        if (position - BODY >= from && position - BODY < to) said.set(position - BODY - from, term)
    }
    return said
  }

  /** The last passage that begins at or before a word. */
  private passageAt(word: number, first: number, end: number): number {
    let low = first
    let high = end - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.passages.word[middle]! <= word) low = middle
      else high = middle - 1
    }
    return low
  }
}

const noSnippetTerms: SnippetTerms = { weights: new Map(), all: [], rarest: [] }

/** How many of the sections nearest in meaning an answer is made of. */
const looked = ({ mode, order, limit, offset }: SearchQuestion): number => {
  if (mode === 'hybrid') return WINDOW
  return order === 'relevance' && limit !== null ? offset + limit : Infinity
}

function kept(matches: Matches, allowed: Uint8Array | null): Matches {
  if (!allowed) return matches
  const places: number[] = []
  for (let i = 0; i < matches.sections.length; i++) if (allowed[matches.sections[i]!] === 1) places.push(i)
  return {
    sections: Uint32Array.from(places, i => matches.sections[i]!),
    scores: Float32Array.from(places, i => matches.scores[i]!),
  }
}

function read(file: number, from: number, to: number): Buffer {
  const bytes = Buffer.allocUnsafe(to - from)
  readInto(file, bytes, from)
  return bytes
}
