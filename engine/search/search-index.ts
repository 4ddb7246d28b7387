// The arrays of an index hold a value for every section, passage and place that they lead to, and loops over them run
// for each match: hence the non-null assertions.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { elementAt } from '../base/elements.ts'
import { LruByBytes } from '../base/lru-by-bytes.ts'
import { usableMemory } from '../base/machine.ts'
import { collapseCopies, groupedSections } from './collapse.ts'
import type { Embedder } from './embed/embedder.ts'
import { openEmbedder } from './embed/open-embedder.ts'
import { LEADS, PULL, rocchioFeedback } from './feedback.ts'
import { readArrays } from './files/array-file.ts'
import { fuse } from './fuse.ts'
import type { IndexFacts } from './index-facts.ts'
import { BestPassage, type Lead, type RankedPassage, soughtTerms } from './keyword/best-passage.ts'
import { bestScores } from './keyword/best-scores.ts'
import { Corpus } from './keyword/corpus.ts'
import { InvertedIndex } from './keyword/inverted-index.ts'
import { highest, K1, matching } from './keyword/keyword.ts'
import type { Matches } from './keyword/matches.ts'
import { MOST_RANKED, type RankedMatch, rankByPassage } from './keyword/rank-by-passage.ts'
import type { PassageColumns, SectionColumns } from './keyword/section-writer.ts'
import { LOOKED_AT, PairScores } from './keyword/word-pairs.ts'
import type { Mode } from './modes.ts'
import type { Hit, PreparedQuery, SearchQuestion, SearchResult } from './search-question.ts'
import { allowedSections, type SectionFilter, undatedSections } from './section-filter.ts'
import { SectionTexts } from './section-texts.ts'
import { Spelling } from './spelling.ts'
import { spellingSource } from './spelling-source.ts'
import { anyWord, parseQuery, type Query, wordPairs } from './text/parse-query.ts'
import type { PassageText } from './text/passage-text.ts'
import { NO_DAY } from './text/section.ts'
import { type Marks, noMarks, snippet, snippetBytes } from './text/snippet.ts'
import { type CompletedTitle, TitleCompletion } from './titles.ts'
import { type Nearest, openGraphs } from './vectors/graph.ts'
import { VectorFiles } from './vectors/vector-files.ts'
import { LEAST_COSINE, nothing, PassageVectors, type SemanticMatches, sectionsOf } from './vectors/vectors.ts'

/** Sections of each ranking that a hybrid search looks at, whichever page is asked for. */
const WINDOW = 1000

/** Sections of at least so many passages are also ranked by their best one. */
const FEWEST_PASSAGES = 4

/** Prepared queries that are cached, in bytes. */
const QUERY_BYTES = 32 << 20
/** What the snippets of a query may take. */
const SNIPPET_BYTES = 1 << 17
const MOST_SNIPPETS = 200
/** Days of which the statistics are kept. */
const MOST_DAYS = 4

/** The search index of a snapshot. What a question needs is read when it is first asked. */
export class SearchIndex {
  readonly facts: IndexFacts
  private readonly folder: string
  private readonly sections: SectionColumns
  private readonly passages: PassageColumns
  private readonly inverted: InvertedIndex
  private readonly bestPassage: BestPassage
  /** By section: 1 if it is one of several near-copies. */
  private grouped: Uint8Array | null = null
  private readonly spellings = new WeakMap<Corpus, Promise<Spelling>>()
  private titles: Promise<TitleCompletion> | null = null
  private readonly corpora = new Map<number | null, Corpus>()
  private readonly queries = new LruByBytes<PreparedQuery, string>(
    QUERY_BYTES,
    ({ matches }) => matches.sections.length * 8 + SNIPPET_BYTES,
  )
  private readonly texts: SectionTexts
  private embedder: Promise<Embedder> | null = null
  private vectors: PassageVectors | null = null
  private vectorFiles: VectorFiles | null = null
  private graph: Promise<Nearest | null> | null = null

  /**
   * @param embedder of questions, where it is not to be opened from the folder
   * @param textMemory bytes that texts may take in memory
   */
  constructor(folder: string, embedder: Embedder | null = null, textMemory = usableMemory() / 32) {
    this.folder = folder
    this.embedder = embedder && Promise.resolve(embedder)
    this.facts = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as IndexFacts
    this.sections = readArrays<SectionColumns>(join(folder, 'sections.arrays'))
    this.passages = readArrays<PassageColumns>(join(folder, 'passages.arrays'))
    this.inverted = new InvertedIndex(folder)
    this.bestPassage = new BestPassage(this.inverted, this.sections, this.passages)
    this.texts = new SectionTexts(folder, this.sections, this.passages, textMemory)
  }

  close(): void {
    this.inverted.close()
    this.embedder?.then(embedder => embedder.close()).catch(() => {})
    this.texts.close()
    this.vectorFiles?.close()
  }

  /** Sections that match and a page of them. Totals and order are the same on every page. */
  async ask(asked: SearchQuestion): Promise<SearchResult> {
    const { mode, text } = asked
    const allowed = allowedSections(asked.filter, this.sections, this.facts.names)
    const corpus = this.corpus(asked.filter.knownBy ?? null)
    const parsed = parseQuery(text)
    const asWritten =
      mode === 'keyword' ||
      (mode === 'hybrid' &&
        !parsed.plain &&
        parsed.query !== null &&
        this.prepared(corpus, 'written', text, parsed.query).matches.sections.length > 0)
    const read = asWritten ? parsed.query : anyWord(text)
    const warnings = mode === 'semantic' ? [] : [...parsed.warnings]
    if (mode !== 'semantic' && !read && this.facts.sections > 0) warnings.push('the query holds no word')
    if (mode === 'hybrid' && !parsed.plain && !asWritten && read)
      warnings.push('no section matches the query as written: any of its words may be there')
    if (mode === 'hybrid' && this.facts.embedder !== null && this.facts.weights.semantic === 0)
      warnings.push('meaning is left out: the embedder found too few of the sections it was tried on')
    const pull = mode === 'keyword' ? 0 : this.pull(mode)
    const query =
      read && (mode !== 'semantic' || pull > 0)
        ? this.prepared(corpus, asWritten ? 'written' : 'any', text, read)
        : null
    const keyword = mode === 'semantic' ? null : query && kept(query.matches, allowed)
    const isMeant = mode === 'semantic' || (mode === 'hybrid' && this.facts.weights.semantic > 0)
    const leads = pull > 0 ? this.leads(query) : []
    const semantic = isMeant ? await this.semantic(asked, allowed, leads, pull) : null
    if (mode === 'hybrid') {
      return { ...this.fused(asked, keyword, semantic, query), warnings, query }
    }
    const found = keyword ?? semantic ?? nothing
    if (mode === 'keyword' && found.sections.length === 0 && parsed.plain && text.trim().includes(' '))
      warnings.push('no section has all of these words: join them with OR, or ask with mode=hybrid')
    const { matches, places, copies } = this.collapsed(asked, found)
    const hits = this.page(asked, matches, keyword && query).map(
      ({ place: at, score: rank, passage }): Hit => {
        const section = elementAt(matches.sections, at)
        const score = elementAt(matches.scores, at)
        return {
          section,
          copies: copies?.[at] ?? 0,
          relevance: keyword ? Math.min(rank / query!.ceiling, 1) : null,
          cosine: semantic ? score : null,
          bm25: keyword ? score : null,
          bestPassage: passage,
          keywordRank: null,
          semanticRank: null,
          phraseRank: null,
          passage: semantic ? elementAt(semantic.passages, places ? elementAt(places, at) : at) : null,
        }
      },
    )
    return {
      total: matches.sections.length,
      hits,
      hasPhrases: false,
      warnings,
      query: keyword ? query : null,
    }
  }

  /** What any word of a text and its meaning find, each for itself. */
  async sides(text: string, { pull, least }: { pull: number; least?: number }) {
    const asked = { text, mode: 'hybrid', filter: {}, order: 'relevance', limit: null, offset: 0 } as const
    const read = anyWord(text)
    const query = read && this.prepared(this.corpus(null), 'any', text, read)
    const leads = pull > 0 ? this.leads(query) : []
    const keyword: Matches = query?.matches ?? nothing
    return { keyword, semantic: await this.semantic(asked, null, leads, pull, least) }
  }

  /** The section that this one is a near-copy of; itself where there is none. */
  originalOf(section: number): number {
    return elementAt(this.sections.original, section)
  }

  /** What is shown of a section beside its text. */
  record(section: number): Readonly<Record<string, unknown>> {
    return this.texts.record(section)
  }

  content(section: number): string {
    return this.texts.content(section)
  }

  /** HTML of the passage that matches best, with the words asked for in `<b>`. */
  snippet(hit: Hit, query: PreparedQuery | null): string {
    if (query === null || hit.bm25 === null || hit.passage !== null) return this.quoted(hit, query, snippet)
    if (query.snippets === null) return this.quoted(hit, query, snippet)
    const before = query.snippets.get(hit.section)
    if (before !== undefined) return before
    if (query.snippets.size >= MOST_SNIPPETS) query.snippets.clear()
    const html = this.quoted(hit, query, snippet)
    query.snippets.set(hit.section, html)
    return html
  }

  /** UTF-8 of the same; null where the text is cached, or JSON would escape it. Valid until the next snippet is made. */
  snippetBytes(hit: Hit, query: PreparedQuery | null): Buffer | null {
    return query?.snippets ? null : this.quoted(hit, query, snippetBytes)
  }

  private quoted<T>(
    { section, bm25, passage }: Hit,
    query: PreparedQuery | null,
    quote: (text: PassageText, marks: Marks, weights: readonly number[]) => T,
  ): T {
    if (query === null || bm25 === null)
      return quote(
        this.texts.passage(section, passage ?? elementAt(this.sections.passagesFrom, section)),
        noMarks,
        [],
      )
    const { sought } = query
    const ranked = passage === null ? query.passages.get(section) : undefined
    const { passage: chosen, marks } = hasMatches(ranked)
      ? this.bestPassage.unpacked(ranked)
      : this.bestPassage.withMarks(section, sought, passage, ranked?.passage ?? null)
    return quote(this.texts.passage(section, chosen), marks, sought.weights)
  }

  /** A query like one that found nothing, of words that sections have, which finds something; null where there is none. */
  async didYouMean({ text, filter }: SearchQuestion): Promise<string | null> {
    if (this.facts.sections === 0) return null
    const corpus = this.corpus(filter.knownBy ?? null)
    const meant = (await this.spelling(corpus)).meant(text)
    if (meant === null) return null
    const { query } = parseQuery(meant)
    return query && this.prepared(corpus, 'written', meant, query).matches.sections.length > 0 ? meant : null
  }

  private spelling(corpus: Corpus): Promise<Spelling> {
    const before = this.spellings.get(corpus)
    if (before) return before
    const { folder, inverted, sections, passages, texts } = this
    const opened = Spelling.open(spellingSource({ folder, inverted, sections, passages, texts }, corpus))
    this.spellings.set(corpus, opened)
    return opened
  }

  /** Titles of sections that pass a filter, to which what was typed may be completed, best first. */
  async completeTitle(typed: string, filter: SectionFilter): Promise<CompletedTitle[]> {
    this.titles ??= TitleCompletion.open(this.folder)
    return (await this.titles).complete(typed, allowedSections(filter, this.sections, this.facts.names))
  }

  /** Sections without a known day that a filter on it leaves out. */
  undated(filter: SectionFilter): number {
    return undatedSections(filter, this.sections, this.facts.names)
  }

  /** How far a question is drawn toward what its words find; a model that knows the language needs that less. */
  pull(mode: Exclude<Mode, 'keyword'>): number {
    if (mode === 'hybrid') return PULL.hybrid
    return this.facts.embedder?.name === 'lsa' ? PULL.semantic : 0
  }

  /** All sections, or those known by the close of a day, with their statistics. */
  private corpus(knownBy: number | null): Corpus {
    const before = this.corpora.get(knownBy)
    if (before) return before
    const corpus = new Corpus(this.inverted, this.sections, this.passages, knownBy)
    const days = [...this.corpora.keys()].filter(day => day !== null)
    if (knownBy !== null && days.length >= MOST_DAYS) this.corpora.delete(elementAt(days, 0))
    this.corpora.set(knownBy, corpus)
    return corpus
  }

  private prepared(corpus: Corpus, readAs: 'written' | 'any', text: string, query: Query): PreparedQuery {
    const key = `${corpus.knownBy} ${readAs} ${text}`
    const before = this.queries.find(key)
    if (before) {
      before.snippets ??= new Map()
      return before
    }
    // A phrase alone is found by its words side by side; as any of its words it is not.
    const written = readAs === 'written' ? query : parseQuery(text).query
    const isPhrase = readAs === 'written' && query.kind === 'phrase'
    const pairs = new PairScores(corpus, written && !isPhrase ? wordPairs(written) : [])
    return this.queries.keep(key, {
      matches: matching(corpus, query),
      isPhrase,
      pairs,
      ceiling: highest(corpus, query) + pairs.highest,
      sought: soughtTerms(corpus, query, pairs.pairs),
      passages: new Map(),
      snippets: null,
    })
  }

  private async semantic(
    asked: SearchQuestion,
    allowed: Uint8Array | null,
    leads: readonly Lead[],
    pull: number,
    least = LEAST_COSINE,
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
    const counted = asked.mode === 'semantic'
    return this.vectors.nearest(vector, passagesFrom, { allowed, wanted, counted, least })
  }

  private fused(
    asked: SearchQuestion,
    keyword: Matches | null,
    semantic: SemanticMatches | null,
    query: PreparedQuery | null,
  ) {
    const [byWords, byMeaning] = [keyword ?? nothing, semantic ?? nothing]
    const wordMatches = query ? this.byPassage(byWords, WINDOW, query) : []
    const wordPlaces = wordMatches.map(({ place }) => place)
    const meaningPlaces = bestScores(byMeaning, WINDOW)
    const sectionsAt = (places: readonly number[], { sections }: Matches) =>
      places.map(place => elementAt(sections, place))
    const wordSections = sectionsAt(wordPlaces, byWords)
    const meaningSections = sectionsAt(meaningPlaces, byMeaning)
    const { keyword: byWord, semantic: bySense } = this.facts.weights
    // Few sections have a phrase: between two rankings that many are in it is lost, so it counts as a third.
    const best = wordSections.slice(0, LOOKED_AT)
    const asPhrase = bySense === 0 || !query ? [] : query.isPhrase ? best : query.pairs.withAll(best)
    const byPhrase = asPhrase.length > 0 ? byWord : 0
    const scores = fuse([wordSections, meaningSections, asPhrase], [byWord, bySense, byPhrase])
    const sections = new Uint32Array([...scores.keys()]).sort()
    const fused: Matches = { sections, scores: new Float32Array(sections.length) }
    for (let i = 0; i < sections.length; i++) fused.scores[i] = scores.get(sections[i]!)!
    const { matches, copies } = this.collapsed(asked, fused)
    const rankIn = (ranked: readonly number[], section: number) => {
      const at = ranked.indexOf(section)
      return at < 0 ? null : at + 1
    }
    const highestFused = (byWord + bySense + byPhrase) / 61
    const hits = this.page(asked, matches, null).map(({ place }): Hit => {
      const section = elementAt(matches.sections, place)
      const keywordRank = rankIn(wordSections, section)
      const semanticRank = rankIn(meaningSections, section)
      const word = keywordRank && elementAt(wordPlaces, keywordRank - 1)
      const meant = semanticRank && elementAt(meaningPlaces, semanticRank - 1)
      return {
        section,
        copies: copies?.[place] ?? 0,
        relevance: Math.min(elementAt(matches.scores, place) / highestFused, 1),
        cosine: meant === null ? null : elementAt(byMeaning.scores, meant),
        bm25: word === null ? null : elementAt(byWords.scores, word),
        bestPassage: keywordRank && elementAt(wordMatches, keywordRank - 1).passage,
        keywordRank,
        semanticRank,
        phraseRank: rankIn(asPhrase, section),
        passage: meant === null ? null : elementAt(byMeaning.passages, meant),
      }
    })
    return { total: matches.sections.length, hits, hasPhrases: asPhrase.length > 0 }
  }

  /** What the page shows of the matches, by the best passages too where they are of words. */
  private page(
    { order, limit, offset }: SearchQuestion,
    matches: Matches,
    query: PreparedQuery | null,
  ): RankedMatch[] {
    const end = limit === null ? matches.sections.length : Math.min(offset + limit, matches.sections.length)
    if (offset >= end) return []
    const { filed } = this.sections
    if (order === 'relevance' && query) return this.byPassage(matches, end, query).slice(offset)
    const alone = (place: number) => ({ place, score: elementAt(matches.scores, place), passage: null })
    if (order === 'relevance') return bestScores(matches, end).slice(offset).map(alone)
    const ranked = query && this.byPassage(matches, matches.sections.length, query)
    const byWords = ranked && new Map(ranked.map(match => [match.place, match]))
    const day = (place: number) => filed[matches.sections[place]!]!
    const places = Array.from(matches.sections.keys())
    // Without a day last, both ways.
    const rank = (place: number) =>
      order === 'newest' || day(place) === NO_DAY ? -day(place) : day(place) - 2 ** 31
    const sorted = places.sort((a, b) => rank(a) - rank(b) || a - b).slice(offset, end)
    return sorted.map(place => byWords?.get(place) ?? alone(place))
  }

  private byPassage(matches: Matches, count: number, query: PreparedQuery): RankedMatch[] {
    const { sought, passages, pairs } = query
    const best = pairs.best(matches, Math.max(count, MOST_RANKED))
    const ranked = rankByPassage(best, (place, score) => {
      const section = elementAt(matches.sections, place)
      const first = elementAt(this.sections.passagesFrom, section)
      // A short section is one passage or nearly.
      if (elementAt(this.sections.passagesFrom, section + 1) - first < FEWEST_PASSAGES) return score
      let found = passages.get(section)
      if (!found) {
        if (passages.size >= MOST_SNIPPETS) passages.clear()
        found = this.bestPassage.ranked(section, sought)
        passages.set(section, found)
      }
      return found.score * (K1 + 1)
    })
    return ranked.slice(0, count)
  }

  /** The passages that the words find best, whether or not a filter lets them through: cosines do not depend on it. */
  private leads(query: PreparedQuery | null): Lead[] {
    if (!query) return []
    const { matches, pairs, sought } = query
    return pairs
      .best(matches, LEADS)
      .places.map(place => this.bestPassage.of(elementAt(matches.sections, place), sought))
  }

  /** Matches of which near-copies are one: the best of them, in an order by day the first. */
  private collapsed({ collapse, order }: SearchQuestion, matches: Matches) {
    if (!collapse || !this.facts.copies) return { matches, places: null, copies: null }
    this.grouped ??= groupedSections(this.sections.original)
    return collapseCopies(matches, this.sections.original, this.grouped, order)
  }

  private unit(passage: number): Float32Array {
    this.vectorFiles ??= new VectorFiles(this.folder, this.facts.embedder!.informative)
    return this.vectorFiles.unit(passage)
  }
}

const hasMatches = (
  ranked: RankedPassage | undefined,
): ranked is RankedPassage & { packed: readonly number[] } => !!ranked?.packed

/** How many of the sections nearest in meaning an answer is made of. */
const looked = ({ mode, order, limit, offset, collapse }: SearchQuestion): number => {
  if (mode === 'hybrid') return WINDOW
  // How many of them are copies of others is told by the scores of all.
  if (collapse) return Infinity
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
