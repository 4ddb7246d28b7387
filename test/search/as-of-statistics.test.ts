import t from 'tap'
import { dayNumber } from '../../engine/search/text/section.ts'
import { ask, madeIndex, madeWords } from './made-index.ts'
import { section } from './section.ts'

const known = (id: number, known_from: string, content: string) => section(id, content, { known_from })

t.test('keyword scores as of a day are those of an index of what was known by then', async t => {
  const early = Array.from({ length: 30 }, (_, i) => known(i + 40, '2024-01-02', madeWords(i, 80 + i)))
  const late = Array.from({ length: 40 }, (_, i) => known(i, '2024-06-03', madeWords(i + 100, 300)))
  const [all, then] = [await madeIndex(t, [...late, ...early]), await madeIndex(t, early)]
  const filter = { knownBy: dayNumber('2024-03-01') }
  for (const text of ['wb1', 'wc2 wd3', 'we4 OR wf5 -wg6', '"wb1 wb1"', 'wb1 OR "wb1 wc2"']) {
    const [a, b] = [await ask(all, text, { filter }), await ask(then, text)]
    t.ok(b.total > 0, text)
    t.equal(a.total, b.total)
    t.strictSame(
      a.hits.map(hit => [all.record(hit.section)['id'], hit.relevance]),
      b.hits.map(hit => [then.record(hit.section)['id'], hit.relevance]),
      text,
    )
  }
  const [now, before] = [await ask(all, 'wc2'), await ask(all, 'wc2', { filter })]
  const scoreOf = (found: typeof now, section: number) => found.hits.find(h => h.section === section)!.bm25
  const { section: one } = before.hits[0]!
  t.not(scoreOf(now, one), scoreOf(before, one), 'what was filed later counts without a day')
})
