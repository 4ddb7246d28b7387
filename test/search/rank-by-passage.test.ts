import t from 'tap'
import { ask, madeIndex, madeWords } from './made-index.ts'
import { section } from './section.ts'

const filler = (seed: number, words: number) => madeWords(seed, words)

// Its words are far apart, and often, as in a long note on acquisitions.
const scattered = Array.from({ length: 4 }, (_, i) =>
  ['The put option', 'A change of estimate', 'We obtained control', 'Of 101 million']
    .map((words, j) => `${words} ${filler(i * 4 + j, 250)}`)
    .join(' '),
).join(' ')

const offer = [
  filler(100, 2000),
  'Upon a change of control each holder may put the notes to the issuer at 101% of their principal amount.',
  filler(200, 2000),
].join(' ')

t.test(
  'a long section that has the words of a query together comes before one that has them apart',
  async t => {
    const others = Array.from({ length: 20 }, (_, i) => section(10 + i, filler(300 + i, 700)))
    const index = await madeIndex(t, [section(1, scattered), section(2, offer), ...others])
    const found = await ask(index, 'change of control put 101%')
    const ids = found.hits.map(hit => index.record(hit.section)['id'])
    t.strictSame(ids, ['2', '1'])
    const [first, second] = found.hits
    t.ok(first && second && first.bm25! < second.bm25!, 'though it has them less often')
    t.ok(first!.relevance! > second!.relevance!, 'and relevance falls')
    const oldest = await ask(index, 'change of control put 101%', { order: 'oldest' })
    const relevanceOf = (hits: typeof found.hits) =>
      Object.fromEntries(hits.map(hit => [hit.section, hit.relevance]))
    t.strictSame(relevanceOf(oldest.hits), relevanceOf(found.hits), 'relevance is that of any order')
  },
)

t.test('every page of matches by words continues the one before', async t => {
  const index = await madeIndex(
    t,
    Array.from({ length: 120 }, (_, i) =>
      section(i, `${filler(i, 300 + 20 * i)} notes debt ${filler(500 + i, 400)}`),
    ),
  )
  const all = (await ask(index, 'notes debt wb1')).hits
  t.ok(all.length > 60)
  for (const [limit, offset] of [
    [10, 0],
    [10, 45],
    [25, 40],
    [50, 50],
  ] as const) {
    const { hits } = await ask(index, 'notes debt wb1', { limit, offset })
    t.strictSame(hits, all.slice(offset, offset + limit))
  }
  t.ok(all.every((hit, i) => i === 0 || hit.relevance! <= all[i - 1]!.relevance!))
})
