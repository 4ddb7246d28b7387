import { invalid } from '../base/errors.ts'
import { memoize } from '../base/memoize.ts'
import { childSpan } from '../base/spans.ts'
import type { Chunk } from '../database/results.ts'
import { boolean, type Column, json, oneOf, text } from '../schema/column.ts'
import { valueSchema } from '../schema/json-schema.ts'
import { type ArgsOf, fallback, one, required } from '../schema/params.ts'
import { type DocumentHit, documents, hitColumns } from '../schema/resources/documents.ts'
import type { FusionWeights } from '../search/fusion-weights.ts'
import { modes } from '../search/modes.ts'
import type { SearchIndex } from '../search/search-index.ts'
import type { Hit, SearchQuestion, SearchResult } from '../search/search-question.ts'
import type { SectionFilter } from '../search/section-filter.ts'
import { dayNumber } from '../search/text/section.ts'
import { HitRows, roundedScore } from './hit-rows.ts'
import { chooseColumns } from './list.ts'
import { type Context, operation, type Page, type RowsAnswer } from './operation.ts'
import { explainParam, filterParams, pageParams, timeParams, unknownParam } from './params.ts'

const sorts = ['-relevance', '-filing_date', 'filing_date'] as const

const { sort: _sort, ...paging } = pageParams<typeof hitColumns>({ default: 50, max: 100 })

const params = {
  q: required(
    one(
      text(
        'Words, "phrases", OR, -excluded and (groups) in keyword and hybrid modes; plain language in semantic mode.',
      ),
    ),
  ),
  mode: fallback(
    one(oneOf(modes, 'Match words, meaning, or both merged by reciprocal rank fusion.')),
    'keyword' as const,
  ),
  ...filterParams(documents),
  ...paging,
  collapse: fallback(
    one(
      boolean(
        'Merge near-copies of a section by one company in filings of one form into one hit, with their number.',
      ),
    ),
    true,
  ),
  sort: fallback(one(oneOf(sorts, 'Order of the hits.')), '-relevance' as const),
  ...unknownParam,
  ...timeParams,
  ...explainParam,
}

export const searchDocuments = operation({
  name: 'search.documents',
  method: 'GET',
  path: '/v1/documents/search',
  command: 'search',
  doc: 'Sections of filings by keyword, by meaning, or both.',
  tier: 'any',
  cost: 'advanced',
  heavy: 'always',
  answers: 'rows',
  envelope: 'data',
  columns: hitColumns,
  meta: { query: valueSchema(text('The query as given.')), mode: { enum: modes } },
  batch: true,
  positional: ['q'],
  examples: [
    '"change of control" --section-type indenture,covenants',
    'how much can they borrow under the revolver --mode hybrid --ticker FLKNT',
    '"liquidity -covid" --filed-after 2024-01-01 --sort -filing_date',
  ],
  params,
  async run(context, args) {
    const { filter, everything, applied, unknown } = await filterOf(context, args)
    const index = await context.search()
    const question: SearchQuestion = {
      text: args.q,
      mode: args.mode,
      filter,
      order: orders[args.sort],
      limit: args.limit ?? null,
      offset: args.offset,
      collapse: args.collapse,
    }
    const span = childSpan('search', { 'tranche.search.mode': args.mode })
    const found = await index.ask(question)
    const meant = found.total === 0 ? await index.didYouMean(question) : null
    const empty = found.total === 0 ? await whyEmpty(index, question, everything, Object.keys(applied)) : null
    span?.end()
    const undated = index.undated(filter)
    const warnings = [
      ...found.warnings,
      ...(meant === null ? [] : [`no section matches: did you mean ${meant}?`]),
      ...(index.facts.sections === 0 ? ['the lake has no filing sections: ingest filings and build'] : []),
      ...(undated > 0 ? [`${undated} sections without a known date are left out under as_of`] : []),
    ]
    const columns = chooseColumns(hitResource, args.fields)
    const explained = { name: '_explain', column: json('How the section was ranked.') }
    const shown = args.explain ? [...columns, explained] : columns
    return {
      kind: 'rows',
      columns: shown,
      total: found.total,
      limit: args.limit,
      offset: args.offset,
      chunks: () => chunksOf(index, found, shown),
      ...(args.fields === undefined &&
        !args.explain && {
          rows: () => hitRowsOf(index).objects(found),
          json: () => hitRowsOf(index).json(found),
        }),
      meta: {
        query: args.q,
        mode: args.mode,
        filters_applied: applied,
        ...(meant !== null && { did_you_mean: meant }),
        ...(empty !== null && { empty_because: [empty] }),
        ...(unknown.length > 0 && { unknown }),
        ...(warnings.length > 0 && { warnings }),
      },
    } satisfies RowsAnswer
  },
  out: undefined as Page<DocumentHit> | undefined,
})

/**
 * Why no section is found.
 * @param everything the sections that a query without filters searches
 */
async function whyEmpty(
  index: SearchIndex,
  question: SearchQuestion,
  everything: SectionFilter,
  filters: readonly string[],
): Promise<string> {
  if (index.facts.sections === 0) return 'the lake has no filing sections'
  if (filters.length > 0) {
    const { total } = await index.ask({ ...question, filter: everything, limit: 0, offset: 0 })
    if (total > 0)
      return `${total.toLocaleString('en-US')} ${total === 1 ? 'section matches' : 'sections match'} without ${filters.join(', ')}`
  }
  return question.mode === 'semantic'
    ? 'none of the words of the query is in the index'
    : 'no section has what the query asks for'
}

/** Chosen columns are remembered by resource. */
const hitResource = { ...documents, columns: hitColumns }

const hitRowsOf = memoize((index: SearchIndex) => new HitRows(index, chooseColumns(hitResource, undefined)))

const orders = { '-relevance': 'relevance', '-filing_date': 'newest', filing_date: 'oldest' } as const

async function filterOf(context: Context, args: ArgsOf<typeof params>) {
  const { ticker, doc_type, section_type, as_of } = args
  const [after] = [args.filed_after].flat()
  const [before] = [args.filed_before].flat()
  if (after !== undefined && before !== undefined && after > before)
    throw invalid('filed_after', after, 'filed_after is above filed_before: swap them', { max: before })
  const companies = ticker && (await context.companies(ticker, args.on_unknown === 'skip'))
  const everything: SectionFilter = {
    ...(as_of !== undefined && { knownBy: dayNumber(as_of) }),
    ...(context.coverage === 'standard' && { standardOnly: true }),
  }
  const filter: SectionFilter = {
    ...(companies && { companies: companies.ids }),
    ...(doc_type && { docTypes: doc_type }),
    ...(section_type && { sectionTypes: section_type }),
    ...(after !== undefined && { filedAfter: dayNumber(after) }),
    ...(before !== undefined && { filedBefore: dayNumber(before) }),
    ...everything,
  }
  const given = Object.entries({ ticker, doc_type, section_type, filed_after: after, filed_before: before })
  return {
    filter,
    everything,
    applied: Object.fromEntries(given.filter(([, value]) => value !== undefined)),
    unknown: companies?.unknown ?? [],
  }
}

const ROWS_OF_A_CHUNK = 200

type Shown = readonly { readonly name: string; readonly column: Column }[]

/** Hits as columns; texts are read a few hundred at a time. */
function* chunksOf(index: SearchIndex, found: SearchResult, columns: Shown): Generator<Chunk> {
  for (let from = 0; from < found.hits.length; from += ROWS_OF_A_CHUNK) {
    const hits = found.hits.slice(from, from + ROWS_OF_A_CHUNK)
    const records = hits.map(({ section }) => index.record(section))
    yield {
      rowCount: hits.length,
      columns: columns.map(({ name }) => valuesOf(index, found, hits, records, name)),
    }
  }
}

function valuesOf(
  index: SearchIndex,
  found: SearchResult,
  hits: readonly Hit[],
  records: readonly Readonly<Record<string, unknown>>[],
  name: string,
): unknown[] {
  switch (name) {
    case 'snippet':
      return hits.map(hit => index.snippet(hit, found.query))
    case 'relevance_score':
      return hits.map(hit => roundedScore(hit.relevance))
    case 'semantic_score':
      return hits.map(hit => roundedScore(hit.cosine))
    case 'ranks.keyword':
      return hits.map(hit => hit.keywordRank)
    case 'ranks.semantic':
      return hits.map(hit => hit.semanticRank)
    case 'copies':
      return hits.map(hit => hit.copies)
    case 'content':
      return hits.map(hit => index.content(hit.section))
    case '_explain':
      return hits.map(hit => explain(index, found, hit))
    default:
      return records.map(record => record[name] ?? null)
  }
}

/** Without the folder it is loaded from. */
function shownEmbedder({ facts }: SearchIndex) {
  if (!facts.embedder) return null
  const { name, dimensions, informative } = facts.embedder
  return { name, dimensions, informative }
}

/** Rankings count equally unless one did much worse than the other when the index was built. */
function formulaOf({ keyword, semantic }: FusionWeights, hasPhrases: boolean): string {
  const terms = [
    ['keyword_rank', keyword],
    ['semantic_rank', semantic],
    ...(hasPhrases ? ([['phrase_rank', keyword]] as const) : []),
  ] as const
  const sum = terms.map(([rank, weight]) => `${weight} / (60 + ${rank})`).join(' + ')
  return `${sum}, as a share of ${Number(terms.reduce((all, [, weight]) => all + weight, 0).toFixed(2))} / 61`
}

function explain(index: SearchIndex, { query, hasPhrases }: SearchResult, hit: Hit): Record<string, unknown> {
  const fused = hit.keywordRank !== null || hit.semanticRank !== null
  return {
    bm25: roundedScore(hit.bm25),
    side_by_side: roundedScore(hit.bm25 === null || query === null ? null : query.pairs.of(hit.section)),
    passage_bm25: roundedScore(hit.bestPassage),
    cosine: roundedScore(hit.cosine),
    ...(fused && {
      keyword_rank: hit.keywordRank,
      semantic_rank: hit.semanticRank,
      ...(hasPhrases && { phrase_rank: hit.phraseRank }),
      formula: formulaOf(index.facts.weights, hasPhrases),
    }),
    ...(hit.cosine !== null && {
      embedder: shownEmbedder(index),
      drawn: index.pull(fused ? 'hybrid' : 'semantic'),
    }),
  }
}
