import t from 'tap'
import { parseQuery, wordPairs } from '../../engine/search/text/parse-query.ts'
import { dayNumber } from '../../engine/search/text/section.ts'
import { ask, madeIndex, madeWords } from './made-index.ts'
import { section } from './section.ts'

const pairsOf = (text: string) => {
  const { query } = parseQuery(text)
  return query ? wordPairs(query).map(({ terms: [a, b], apart }) => `${a} +${apart} ${b}`) : []
}

t.test('words stand side by side in a query with nothing but function words between', async t => {
  t.strictSame(pairsOf('change of control'), ['chang +2 control'])
  t.strictSame(pairsOf('the fixed charge coverage'), ['fix +1 charg', 'charg +1 coverag'])
  t.strictSame(pairsOf('cash flow AND cash flow'), ['cash +1 flow', 'flow +1 cash'], 'each pair once')
  t.strictSame(pairsOf('(make whole) OR (cross default)'), ['make +1 whole', 'cross +1 default'])
  for (const apart of ['change', '', 'change OR control', 'change (of revolvers) control'])
    t.strictSame(pairsOf(apart), [], apart)
  t.strictSame(pairsOf('make-whole redemption'), ['make +1 whole', 'whole +1 redempt'], 'hyphens join words')
  t.strictSame(
    pairsOf('"term loan" facility'),
    ['term +1 loan', 'loan +1 facil'],
    'a phrase is words in a row',
  )
  t.strictSame(pairsOf('asset -liability sale'), ['asset +1 sale'], 'what is excluded stands nowhere')
})

/** As of disclosure controls: shorter, so that its words weigh more, and they are apart. */
const apart = (i: number) => `Changes of our internal controls were none. ${madeWords(i, 70)}`
const notes = (i: number, clause: string) =>
  `${madeWords(1000 + i, 40)} Upon a ${clause} of the issuer each holder may put the notes. ${madeWords(2000 + i, 40)}`

const sections = [
  section(1, notes(1, 'change of control')),
  section(2, notes(2, 'Change-in-Control')),
  section(3, notes(3, 'control change')),
  ...Array.from({ length: 80 }, (_, i) => section(10 + i, apart(i))),
  ...Array.from({ length: 400 }, (_, i) => section(100 + i, madeWords(5000 + i, 80))),
]

t.test(
  'a section that has the words of a query side by side comes before many shorter ones that have them apart',
  async t => {
    const index = await madeIndex(t, sections)
    const first = async (text: string, mode: 'keyword' | 'hybrid' = 'keyword') => {
      const { hits } = await ask(index, text, { mode, limit: 10 })
      return hits.map(hit => Number(index.record(hit.section)['id']))
    }
    t.strictSame(
      (await first('change of control')).slice(0, 2).sort(),
      [1, 2],
      'whichever function word is between',
    )
    t.strictSame((await first('control change')).slice(0, 1), [3], 'in the order of the query')
    t.ok(
      (await first('change OR control')).every(id => id >= 10),
      'joined by OR they are words alone',
    )

    const plain = await ask(index, 'change of control')
    t.equal(plain.total, 83, 'it finds no section more or less')
    t.ok(plain.hits.every(({ relevance }) => relevance! > 0 && relevance! <= 1))
    const shown = index.snippet(plain.hits[0]!, plain.query)
    t.match(
      shown,
      /<b>[Cc]hange<\/b>.{0,12}<b>[Cc]ontrol<\/b>/,
      'the snippet is of the passage that has them so',
    )
  },
)

t.test('in hybrid a phrase that few sections have comes first, whatever is nearer in meaning', async t => {
  const index = await madeIndex(t, sections)
  const best = await ask(index, 'change of control', { mode: 'hybrid', limit: 20 })
  const idOf = (section: number) => Number(index.record(section)['id'])
  t.strictSame(
    best.hits
      .slice(0, 2)
      .map(hit => idOf(hit.section))
      .sort(),
    [1, 2],
  )
  t.strictSame(
    best.hits
      .slice(0, 2)
      .map(hit => hit.phraseRank)
      .sort(),
    [1, 2],
  )
  t.ok(best.hits.slice(2).every(hit => hit.phraseRank === null))
  t.ok(
    best.hits.slice(2).some(hit => hit.semanticRank! < best.hits[0]!.semanticRank!),
    'others are nearer',
  )
  t.equal(best.hasPhrases, true)
  const quoted = await ask(index, '"change of control"', { mode: 'hybrid', limit: 20 })
  t.strictSame(
    quoted.hits.filter(hit => hit.phraseRank !== null).map(hit => idOf(hit.section)),
    [1],
    'as written',
  )
  t.equal((await ask(index, 'change estimate control', { mode: 'hybrid' })).hasPhrases, false)
  t.equal((await ask(index, 'change of control xyzzy', { mode: 'hybrid' })).hasPhrases, false)
})

t.test('pages continue each other where more sections match than pairs are looked for in', async t => {
  const clause = (i: number) => (i % 7 === 0 ? 'change of control' : 'control of change')
  const many = Array.from({ length: 450 }, (_, i) =>
    section(i, `${madeWords(i, 20 + (i % 90))} ${clause(i)}.`),
  )
  const index = await madeIndex(t, many)
  for (const filter of [{}, { docTypes: [many[0]!.doc_type] }])
    for (const mode of ['keyword', 'hybrid'] as const) {
      const asked = { mode, filter, collapse: true }
      const all = (await ask(index, 'change of control', asked)).hits
      for (const [limit, offset] of [
        [7, 0],
        [20, 40],
        [30, 190],
        [100, 195],
        [100, 400],
      ] as const) {
        const { hits } = await ask(index, 'change of control', { ...asked, limit, offset })
        t.strictSame(hits, all.slice(offset, offset + limit), `${mode} ${offset}`)
      }
      t.ok(all.every((hit, i) => i === 0 || hit.relevance! <= all[i - 1]!.relevance!))
    }
  const day = await ask(index, 'change of control', { order: 'newest' })
  const byRelevance = await ask(index, 'change of control')
  const relevances = (hits: typeof day.hits) =>
    Object.fromEntries(hits.map(hit => [hit.section, hit.relevance]))
  const [ofDay, ofRelevance] = [relevances(day.hits), relevances(byRelevance.hits)]
  t.strictSame(ofDay, ofRelevance, 'relevance is that of any order')
})

t.test('as of a day pairs add what they add in an index of what was known by then', async t => {
  const known = (id: number, known_from: string, content: string) => section(id, content, { known_from })
  const early = Array.from({ length: 40 }, (_, i) =>
    known(i + 60, '2024-01-02', `${madeWords(i, 50)} ${i % 3 === 0 ? 'asset sale' : 'sale of any asset'}.`),
  )
  const late = Array.from({ length: 60 }, (_, i) =>
    known(i, '2024-06-03', `${madeWords(i + 100, 30)} Asset sale.`),
  )
  const [all, then] = [await madeIndex(t, [...late, ...early]), await madeIndex(t, early)]
  const [a, b] = [
    await ask(all, 'asset sale', { filter: { knownBy: dayNumber('2024-03-01') } }),
    await ask(then, 'asset sale'),
  ]
  t.strictSame(
    a.hits.map(hit => [all.record(hit.section)['id'], hit.relevance]),
    b.hits.map(hit => [then.record(hit.section)['id'], hit.relevance]),
  )
  t.equal(b.hits.slice(0, 14).filter(hit => Number(then.record(hit.section)['id']) % 3 === 0).length, 14)
})

t.test('a query of any words is ordered by those side by side too', async t => {
  const index = await madeIndex(t, sections)
  const { hits } = await ask(index, 'change of control', { mode: 'hybrid', limit: null })
  const byWords = hits.filter(hit => hit.keywordRank !== null).sort((a, b) => a.keywordRank! - b.keywordRank!)
  t.strictSame(
    byWords
      .slice(0, 2)
      .map(hit => Number(index.record(hit.section)['id']))
      .sort(),
    [1, 2],
  )
})
