import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import FlexSearch from 'flexsearch'
import Sqlite from 'libsql'
import { random } from '../cli/sample/random.ts'
import { elementAt } from '../engine/base/elements.ts'
import { buildIndex } from '../engine/search/build/build-index.ts'
import { modes } from '../engine/search/modes.ts'
import { SearchIndex } from '../engine/search/search-index.ts'
import type { Section } from '../engine/search/text/section.ts'
import { sections, wordsOf } from './made-sections.ts'
import { quantile } from './measure.ts'

const usage = `npm run bench:search -- [--sections N] [--words N] [--calls N]

How long does a page of 50 hits with their snippets take? Makes sections of words as frequent as in language, indexes them
as a build does, in SQLite's FTS5 and in FlexSearch, compares the totals, and prints latency by mode. FlexSearch gives 50 ids of
an AND query: no total, no order by relevance and no snippet; how many of its ids are among the best 50 is printed beside it.
`

const PAGE = 50

/** FTS5 as a user would set it up, with its own ranking and snippets. */
function openFts(path: string) {
  const db = new Sqlite(path)
  db.exec(`CREATE VIRTUAL TABLE s USING fts5(title, content, tokenize='unicode61')`)
  const insert = db.prepare('INSERT INTO s(rowid, title, content) VALUES (?, ?, ?)')
  const total = db.prepare('SELECT count(*) AS total FROM s WHERE s MATCH ?')
  const page = db.prepare(
    `SELECT rowid, bm25(s, 3, 1), snippet(s, 1, '<b>', '</b>', '…', 40) FROM s WHERE s MATCH ? ORDER BY rank LIMIT ${PAGE}`,
  )
  return {
    begin: () => db.exec('BEGIN'),
    commit: () => db.exec('COMMIT'),
    add: ({ id, section_title, content }: Section) => void insert.run(Number(id), section_title, content),
    ask(query: string): number {
      page.all(query)
      return (total.get(query) as { total: number }).total
    },
    close: () => void db.close(),
  }
}

/** FlexSearch as documented for whole words; it treats OR as a word. */
function openFlexSearch() {
  const index = new FlexSearch.Index({ tokenize: 'strict', encoder: FlexSearch.Charset.Default })
  return {
    add: ({ id, section_title, content }: Section) =>
      void index.add(Number(id), `${section_title} ${content}`),
    ask: (query: string) => index.search(query, { limit: PAGE }) as number[],
  }
}

// Over 80 lines: one benchmark from its options to its table.
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      sections: { type: 'string', default: '20000' },
      words: { type: 'string', default: '400' },
      calls: { type: 'string', default: '300' },
      help: { type: 'boolean', default: false },
    },
  })
  const [count, words, calls] = [values.sections, values.words, values.calls].map(Number) as [
    number,
    number,
    number,
  ]
  if (values.help || ![count, words, calls].every(n => Number.isSafeInteger(n) && n > 0)) {
    process.stderr.write(usage)
    return values.help ? 0 : 2
  }
  const folder = await mkdtemp(join(tmpdir(), 'tranche-bench-search-'))
  const fts = openFts(join(folder, 'fts.db'))
  try {
    const made = () => sections(random('sections'), count, words)
    const began = performance.now()
    const facts = await buildIndex(join(folder, 'index'), made(), { content: '' })
    const built = performance.now()
    fts.begin()
    for await (const section of made()) fts.add(section)
    fts.commit()
    const inserted = performance.now()
    const flex = openFlexSearch()
    for await (const section of made()) flex.add(section)
    const seconds = (from: number, to: number) => ((to - from) / 1000).toFixed(1)
    process.stdout.write(
      `${count} sections of about ${words} words, ${facts.passages} passages; ` +
        `built in ${seconds(began, built)} s, FTS5 in ${seconds(built, inserted)} s, ` +
        `FlexSearch in ${seconds(inserted, performance.now())} s\n\n`,
    )
    const index = new SearchIndex(join(folder, 'index'))
    process.stdout.write('mode         p50 ms   p99 ms   of which snippets, p50 ms\n')
    const row = (name: string, times: readonly number[], ofSnippets: readonly number[] = []) => {
      const at = (list: readonly number[], share: number) =>
        list.length === 0
          ? ''
          : quantile(
              list.toSorted((a, b) => a - b),
              share,
            ).toFixed(2)
      process.stdout.write(
        `${name.padEnd(11)}${at(times, 0.5).padStart(8)} ${at(times, 0.99).padStart(8)}   ${at(ofSnippets, 0.5).padStart(8)}\n`,
      )
    }
    const totals: number[] = []
    const best: Set<number>[] = []
    const asked = () => {
      const draw = random('questions')
      return Array.from({ length: calls }, () => wordsOf(draw, draw.whole(1, 3)))
    }
    for (const mode of modes) {
      const times: number[] = []
      const ofSnippets: number[] = []
      for (const terms of asked()) {
        const start = performance.now()
        const text = terms.join(mode === 'keyword' && terms.length === 3 ? ' OR ' : ' ')
        const found = await index.ask({ text, mode, filter: {}, order: 'relevance', limit: PAGE, offset: 0 })
        const ranked = performance.now()
        for (const hit of found.hits) index.snippet(hit, found.query)
        times.push(performance.now() - start)
        ofSnippets.push(performance.now() - ranked)
        if (mode !== 'keyword') continue
        totals.push(found.total)
        best.push(new Set(found.hits.map(hit => Number(index.record(hit.section)['id']))))
      }
      row(mode, times, ofSnippets)
    }
    const times: number[] = []
    for (const [i, terms] of asked().entries()) {
      const start = performance.now()
      const total = fts.ask(terms.join(terms.length === 3 ? ' OR ' : ' AND '))
      times.push(performance.now() - start)
      if (total !== totals[i])
        throw new Error(`${terms.join(' ')}: FTS5 finds ${total}, the engine ${totals[i]}`)
    }
    row('FTS5', times)
    const ofFlex: number[] = []
    const shares: number[] = []
    for (const [i, terms] of asked().entries()) {
      // Three words joined by OR, which it does not support.
      if (terms.length === 3) continue
      const start = performance.now()
      const ids = flex.ask(terms.join(' '))
      ofFlex.push(performance.now() - start)
      if (ids.length > 0) shares.push(ids.filter(id => elementAt(best, i).has(id)).length / ids.length)
    }
    row('FlexSearch', ofFlex)
    const share = shares.reduce((a, b) => a + b, 0) / Math.max(shares.length, 1)
    process.stdout.write(`\nof FlexSearch's ids ${(100 * share).toFixed(0)}% are among the best 50 by BM25\n`)
    index.close()
    return 0
  } finally {
    fts.close()
    await rm(folder, { recursive: true, force: true })
  }
}

process.exitCode = await main()
