import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildIndex } from '../engine/search/build/build-index.ts'
import { type Mode, modes } from '../engine/search/modes.ts'
import { SearchIndex } from '../engine/search/search-index.ts'
import { anyOf, entries, judgments, ndcg, readText, sectionsOf } from './judged.ts'

const usage = `node dist/bench/retrieval.js DOCUMENTS QUESTIONS JUDGMENTS [--copies N]

Reads a judged collection in the SMART format (.I .T .A .W, plain or .gz), builds the search index of it, and prints
nDCG@10, recall@100 and latency by mode.

--copies  index the documents so many times over, to see latency at size
`

const percentile = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
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
  const [documents, questions, judged] = await Promise.all(positionals.map(readText))
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

process.exitCode = await main()
