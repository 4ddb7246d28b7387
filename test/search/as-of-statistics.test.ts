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

const march = { filter: { knownBy: dayNumber('2024-03-01') } }

t.test(
  'the best passages as of a day, which order hits, are those of an index of what was known by then',
  async t => {
    const early = Array.from({ length: 8 }, (_, i) => known(i + 40, '2024-01-02', madeWords(i, 700 + 60 * i)))
    // Short texts, which make the passages before them long ones.
    const late = Array.from({ length: 40 }, (_, i) => known(i, '2024-06-03', madeWords(i + 100, 12)))
    const [all, then] = [await madeIndex(t, [...late, ...early]), await madeIndex(t, early)]
    for (const text of ['wb1', 'wc2 wd3', 'we4 OR wf5']) {
      const [a, b] = [await ask(all, text, march), await ask(then, text, march)]
      t.ok(
        b.hits.some(hit => hit.bestPassage !== hit.bm25),
        text,
      )
      t.strictSame(
        a.hits.map(hit => [all.record(hit.section)['id'], hit.relevance, hit.bestPassage]),
        b.hits.map(hit => [then.record(hit.section)['id'], hit.relevance, hit.bestPassage]),
        text,
      )
    }
  },
)

t.test('a title is completed as the newest section known by the day writes it', async t => {
  const titled = (id: number, known_from: string, section_title: string) =>
    section(id, 'Text.', { known_from, section_title })
  const index = await madeIndex(t, [
    titled(0, '2024-06-03', 'CHANGE OF CONTROL'),
    titled(1, '2024-02-02', 'Change of Control'),
    titled(2, '2024-01-02', 'Change Of Control'),
    titled(3, '2023-01-02', 'CHANGE OF CONTROL'),
  ])
  for (const [day, title, sections] of [
    ['2024-07-01', 'CHANGE OF CONTROL', 4],
    ['2024-03-01', 'Change of Control', 3],
    ['2024-01-31', 'Change Of Control', 2],
    ['2023-06-30', 'CHANGE OF CONTROL', 1],
  ] as const)
    t.match(await index.completeTitle('chang', { knownBy: dayNumber(day) }), [{ title, sections }], day)
  t.strictSame(await index.completeTitle('chang', { knownBy: dayNumber('2022-12-30') }), [])
  t.match(await index.completeTitle('chang', {}), [{ title: 'CHANGE OF CONTROL', sections: 4 }])
})

t.test(
  'near-copies known by a day are grouped without those known later, whichever filing day they have',
  async t => {
    const words = madeWords(1, 600).split(' ')
    const others = madeWords(8, 32).split(' ')
    const filed = (id: number, known_from: string, filing_date: string | null, content: readonly string[]) =>
      section(id, content.join(' '), { company_id: 'A', known_from, filing_date })
    // The last, without a filing day, is near both others, which are not near each other.
    const early = [
      filed(1, '2024-01-02', '2024-01-02', [...others.slice(0, 16), ...words.slice(16)]),
      filed(2, '2023-01-02', '2023-01-02', [...words.slice(0, -16), ...others.slice(16)]),
    ]
    const index = await madeIndex(t, [...early, filed(3, '2024-06-03', null, words)])
    const before = await madeIndex(t, early)
    const word = words[300]!
    const [a, b] = [
      await ask(index, word, { ...march, collapse: true }),
      await ask(before, word, { ...march, collapse: true }),
    ]
    t.equal(b.total, 2)
    t.equal(a.total, b.total)
  },
)

t.test('a misspelt query is asked back in words of texts that were known by the day', async t => {
  const of = (id: number, known_from: string, content: string, section_title: string) =>
    section(id, content, { known_from, section_title, shown: { id: String(id), section_title } })
  const early = Array.from({ length: 12 }, (_, i) =>
    of(i + 30, '2024-01-02', 'The covenants limit dividends.', 'Debenture'),
  )
  const late = Array.from({ length: 30 }, (_, i) =>
    of(i, '2024-06-03', 'A covenantee has divided debentures.', 'Debentures of the Dividend'),
  )
  const index = await madeIndex(t, [...late, ...early])
  const then = await madeIndex(t, early)
  const asked = { mode: 'keyword', order: 'relevance', limit: 10, offset: 0 } as const
  for (const text of ['divdend', 'divids', 'debentres', 'covenante', 'covnants']) {
    const before = await then.didYouMean({ ...asked, ...march, text })
    t.equal(await index.didYouMean({ ...asked, ...march, text }), before, text)
    t.equal(await then.didYouMean({ ...asked, filter: {}, text }), before, `${text}, of a whole index`)
  }
  t.equal(await index.didYouMean({ ...asked, filter: {}, text: 'debentres' }), 'debentures')
  t.equal(await index.didYouMean({ ...asked, ...march, text: 'debentres' }), 'debenture')
})
