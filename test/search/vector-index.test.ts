import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { native } from '../../engine/search/vectors/graph.ts'
import { type VectorIndexFacts, vectorIndexes } from '../../engine/search/vectors/vector-index.ts'
import { build } from '../../engine/snapshot/build.ts'
import { resident } from '../cli/resident.ts'
import { makeLake, type Rows, twoIssuers } from '../make-lake.ts'
import { ask, madeIndex, madeWords } from './made-index.ts'
import { section } from './section.ts'

const { tranche } = await resident(t)

const hasHnsw = (await native()) !== null
const sections = Array.from({ length: 300 }, (_, i) => section(i, madeWords(i, 30)))

t.test('the same passages are found by comparing all and, as a build may choose, by graphs', async t => {
  const [auto, exact] = [await madeIndex(t, sections), await madeIndex(t, sections, { vectorIndex: 'exact' })]
  t.strictSame(auto.facts.vectorIndex, { chosen: 'auto', used: 'exact', because: 'few_vectors' })
  t.strictSame(exact.facts.vectorIndex, { chosen: 'exact', used: 'exact', because: 'chosen' })
  const many = await madeIndex(t, sections, { exactBytes: 0 })
  t.match(many.facts.vectorIndex, { used: hasHnsw ? 'hnsw' : 'exact', because: /many_vectors|not_installed/ })
  if (!hasHnsw) return
  const hnsw = await madeIndex(t, sections, { vectorIndex: 'hnsw' })
  t.match(hnsw.facts.vectorIndex, { chosen: 'hnsw', used: 'hnsw', because: 'chosen' })
  t.ok(hnsw.facts.vectorIndex!.recall_at_10! >= 0.95)
  for (const text of [madeWords(3, 4), madeWords(7, 6)]) {
    const [a, b] = [exact, hnsw].map(index => ask(index, text, { mode: 'semantic', limit: 10 }))
    const wanted = (await a!).hits.map(hit => hit.section)
    const found = (await b!).hits.map(hit => hit.section)
    t.ok(found.filter(hit => wanted.includes(hit)).length >= 9, text)
  }
})

t.test('a lake is built with the index that is chosen, and doctor says which it is and why', async t => {
  const rows: Rows = {
    ...twoIssuers,
    documents: Array.from({ length: 12 }, (_, i) => ({
      id: `alfa-${i}`,
      ticker: 'ALFA',
      doc_type: '10-K',
      section_type: 'liquidity',
      section_title: `Liquidity ${i}`,
      filing_date: '2025-02-01',
      known_from: '2025-02-01',
      content: `The revolver ${madeWords(i, 60)} and the notes mature.`,
    })),
  }
  const lake = await makeLake(done => t.teardown(done), rows)
  const said = async () => {
    const { out } = await tranche(['doctor', '--lake', lake.root, '--format', 'ndjson'])
    const findings = out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    return findings.find(f => f.check === 'vector index')
  }
  const graphOf = (id: string) => join(lake.root, 'snapshots', id, 'search', 'graph.0.bin')
  const auto = await build(lake)
  t.match(auto.options['vector_index'], { chosen: 'auto', used: 'exact', because: 'few_vectors' })
  const built = await tranche(['build', '--vector-index', 'exact', '--lake', lake.root, '--format', 'json'])
  t.match(JSON.parse(built.out).data.options.vector_index, { chosen: 'exact', because: 'chosen' })
  t.match(await said(), { status: 'ok', says: /^exact: the build was told so by --vector-index exact/ })
  if (!hasHnsw) return
  const hnsw = await build(lake, { vectorIndex: 'hnsw' })
  t.match(hnsw.options['vector_index'] as VectorIndexFacts, { used: 'hnsw', because: 'chosen' })
  t.ok(existsSync(graphOf(hnsw.id)) && !existsSync(graphOf(auto.id)))
  t.match(await said(), {
    status: 'ok',
    says: /^hnsw: .*--vector-index hnsw; graphs find .*% of the ten nearest/,
  })
  const again = await build(lake, { vectorIndex: 'hnsw' })
  t.strictSame(
    again.options['vector_index'],
    hnsw.options['vector_index'],
    'also where the index is taken over',
  )
})

t.test('a choice that is none is refused before anything is built', async t => {
  const lake = await makeLake(done => t.teardown(done), {})
  await t.rejects(build(lake, { vectorIndex: 'ivf' as never }), {
    code: 'INVALID_PARAMETER',
    details: { parameter: 'vector_index', allowed: vectorIndexes },
  })
  t.equal((await tranche(['build', '--vector-index', 'ivf', '--lake', lake.root])).code, 2)
})
