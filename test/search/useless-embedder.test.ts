import { createHash } from 'node:crypto'
import { join } from 'node:path'
import t from 'tap'
import type { SentenceModel } from '../../engine/search/embed/sentence-model.ts'
import { VectorCache } from '../../engine/search/vectors/vector-cache.ts'
import { testFolder } from '../folder.ts'
import { ask, madeIndex, madeWords } from './made-index.ts'
import { section } from './section.ts'

const WIDE = 48

/** Vectors that say nothing: the same for every text, or numbers drawn by its hash. */
const useless = (vectorOf: (text: string) => Float32Array): SentenceModel => ({
  wide: WIDE,
  async embed(texts) {
    return texts.map(vectorOf)
  },
})

const constant = useless(() => new Float32Array(WIDE).fill(1))
const random = useless(text => {
  const bytes = createHash('sha512').update(text).digest()
  return Float32Array.from({ length: WIDE }, (_, i) => bytes[i]! - 127.5)
})
const words = useless(text => {
  const vector = new Float32Array(WIDE)
  for (const word of text.split(/\s+/)) vector[createHash('md5').update(word).digest()[0]! % WIDE]! += 1
  return vector
})

const sections = Array.from({ length: 120 }, (_, i) =>
  section(i, madeWords(i, 120), {
    section_title: `Note ${i} of plan ${madeWords(i + 500, 2)}`,
    shown: { id: String(i) },
  }),
)

async function indexWith(model: SentenceModel) {
  const cache = new VectorCache(join(testFolder(t), 'vectors.bin'), WIDE)
  const facts = { name: 'transformers:made', source: 'made', fingerprint: null }
  const query = async (text: string) => (await model.embed([text]))[0]!
  try {
    return await madeIndex(
      t,
      sections,
      { sentences: { facts, model, cache } },
      { wide: WIDE, query, close: () => {} },
    )
  } finally {
    cache.close()
  }
}

t.test('an embedder that knows nothing does not move a hybrid ranking', async t => {
  for (const model of [constant, random]) {
    const index = await indexWith(model)
    t.match(index.facts.weights, { keyword: 1, semantic: 0 })
    for (const text of ['wb1 wc28', 'note 7 plan', madeWords(11, 12)]) {
      const hybrid = await ask(index, text, { mode: 'hybrid', limit: 20 })
      t.strictSame(
        hybrid.hits.map(hit => [hit.keywordRank, hit.semanticRank]),
        hybrid.hits.map((_, i) => [i + 1, null]),
        text,
      )
      const { total } = await ask(index, text.split(' ').join(' OR '))
      t.equal(hybrid.total, total, text)
      t.match(hybrid.warnings, [/meaning is left out/])
    }
  }
})

t.test('an embedder that finds what it is asked for counts in full', async t => {
  const index = await indexWith(words)
  t.match(index.facts.weights, { keyword: 1, semantic: 1 })
})
