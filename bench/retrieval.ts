import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { buildIndex } from '../engine/search/build/build-index.ts'
import { type Mode, modes } from '../engine/search/modes.ts'
import { SearchIndex } from '../engine/search/search-index.ts'
import type { Section } from '../engine/search/text/section.ts'

const usage = `node dist/bench/retrieval.js DOCUMENTS QUESTIONS JUDGMENTS [--copies N]

Reads a judged collection in the SMART format (.I .T .A .W, plain or .gz), builds the search index of it, and prints
nDCG@10, recall@100 and latency by mode.

--copies  index the documents so many times over, to see latency at size
`

interface Entry {
  readonly id: number
  readonly title: string
  readonly text: string
}

/** Entries of a SMART file: a marker line begins a field, `.I 7` an entry. */
function entries(text: string): Entry[] {
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

/** Relevant documents by question. */
function judgments(text: string): Map<number, Set<number>> {
  const relevant = new Map<number, Set<number>>()
  for (const line of text.split('\n')) {
    const [question, document] = line.trim().split(/\s+/).map(Number)
    if (!question || !document) continue
    if (!relevant.has(question)) relevant.set(question, new Set())
    relevant.get(question)!.add(document)
  }
  return relevant
}

/** How near the first ten are to the best ten there could be. */
function ndcg(ranked: readonly number[], relevant: ReadonlySet<number>): number {
  const gain = (at: number) => 1 / Math.log2(at + 2)
  const got = ranked.slice(0, 10).reduce((sum, id, i) => sum + (relevant.has(id) ? gain(i) : 0), 0)
  const best = Array.from({ length: Math.min(10, relevant.size) }, (_, i) => gain(i)).reduce(
    (a, b) => a + b,
    0,
  )
  return got / best
}

const read = async (path: string): Promise<string> => {
  const bytes = await readFile(path)
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
}

async function* sectionsOf(documents: readonly Entry[], copies: number): AsyncGenerator<Section> {
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

const percentile = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { copies: { type: 'string', default: '1' }, help: { type: 'boolean', default: false } },
  })
  const copies = Number(values.copies)
  if (values.help || positionals.length !== 3 || !Number.isSafeInteger(copies) || copies < 1) {
    process.stderr.write(usage)
    return values.help ? 0 : 2
  }
  const [documents, questions, judged] = await Promise.all(positionals.map(read))
  const texts = entries(documents!)
  const relevant = judgments(judged!)
  const asked = entries(questions!).filter(({ id }) => relevant.has(id))
  const folder = await mkdtemp(join(tmpdir(), 'tranche-retrieval-'))
  try {
    const began = performance.now()
    const facts = await buildIndex(folder, sectionsOf(texts, copies), { content: '' })
    const seconds = (performance.now() - began) / 1000
    process.stdout.write(
      `${facts.sections} sections, ${facts.passages} passages, ${asked.length} questions, built in ${seconds.toFixed(1)} s\n\n`,
    )
    const index = new SearchIndex(folder)
    process.stdout.write('mode      nDCG@10  recall@100  p50 ms  p99 ms\n')
    for (const mode of modes) {
      const scores: number[] = []
      const recalls: number[] = []
      const times: number[] = []
      for (const { id, text } of asked) {
        const started = performance.now()
        const { hits } = await index.ask({
          text: mode === 'keyword' ? anyOf(text) : text,
          mode: mode as Mode,
          filter: {},
          order: 'relevance',
          limit: 100,
          offset: 0,
        })
        times.push(performance.now() - started)
        const ranked = hits.map(hit => Number.parseInt(String(index.record(hit.section)['id']), 10))
        const wanted = relevant.get(id)!
        scores.push(ndcg(ranked, wanted))
        recalls.push(ranked.filter(r => wanted.has(r)).length / wanted.size)
      }
      times.sort((a, b) => a - b)
      process.stdout.write(
        `${mode.padEnd(8)}  ${mean(scores).toFixed(4)}   ${mean(recalls).toFixed(4)}      ` +
          `${percentile(times, 0.5).toFixed(2).padStart(6)}  ${percentile(times, 0.99).toFixed(2).padStart(6)}\n`,
      )
    }
    index.close()
    return 0
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A question as keyword search takes it: its words joined by OR. */
const anyOf = (text: string): string => (text.match(/[\p{L}\p{N}]+/gu) ?? []).join(' OR ')

process.exitCode = await main()
