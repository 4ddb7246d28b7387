import t, { type Test } from 'tap'
import { random } from '../../cli/sample/random.ts'
import { numbersOf, VectorFiles, VectorWriter } from '../../engine/search/vectors/vector-files.ts'
import { PassageVectors } from '../../engine/search/vectors/vectors.ts'
import { testFolder } from '../folder.ts'

const COUNT = 3000
const WIDE = 96
const { next, normal } = random('vectors')
const vector = (make: (i: number) => number): Float32Array =>
  Float32Array.from({ length: WIDE }, (_, i) => make(i))

const hubs = Array.from({ length: 10 }, () => vector(normal))
/** How vectors lie: everywhere, about a few hubs, all of them mostly in one direction, or most parts next to nothing. */
const kinds: Readonly<Record<string, () => Float32Array>> = {
  random: () => vector(normal),
  clustered: () => {
    const hub = hubs[Math.floor(next() * hubs.length)]!
    return vector(i => hub[i]! + normal() * 0.5)
  },
  leaning: () => vector(i => (i === 0 ? 8 : normal())),
  sparse: () => vector(i => normal() ** 5 / (1 + (i % 5))),
}

function held(t: Test, vectors: readonly Float32Array[], wide = WIDE): PassageVectors {
  const folder = testFolder(t)
  const writer = new VectorWriter(folder, wide, vectors.length)
  for (const each of vectors) writer.add(numbersOf(each))
  writer.close()
  return new PassageVectors(folder, wide)
}

function cosine(a: Float32Array, b: Float32Array): number {
  const product = (x: Float32Array, y: Float32Array) => x.reduce((sum, value, i) => sum + value * y[i]!, 0)
  return product(a, b) / Math.sqrt(product(a, a) * product(b, b))
}

for (const [kind, make] of Object.entries(kinds))
  t.test(`the nearest of ${kind} vectors are those of the numbers they were made of`, async t => {
    const vectors = Array.from({ length: COUNT }, make)
    const found = held(t, vectors)
    for (let n = 0; n < 10; n++) {
      const question = make()
      const cosines = vectors.map(each => cosine(each, question))
      const nearest = [...cosines.keys()].sort((a, b) => cosines[b]! - cosines[a]!).slice(0, 10)
      const best = found.best(question, 10)
      t.strictSame(best.passages, nearest)
      t.ok(best.cosines.every((score, i) => Math.abs(score - cosines[nearest[i]!]!) < 1e-4))
    }
  })

t.test(
  'sections that are near enough, and the best of them, are the same whichever page is asked for',
  async t => {
    const found = held(t, Array.from({ length: COUNT }, kinds['leaning']!))
    const passagesFrom = Uint32Array.from({ length: COUNT / 3 + 1 }, (_, i) => i * 3)
    const allowed = Uint8Array.from({ length: COUNT / 3 }, (_, i) => (i % 7 < 5 ? 1 : 0))
    for (let n = 0; n < 5; n++) {
      const question = vector(i => (i === 0 ? 4 : normal()))
      const ask = (wanted: number, counted = true, only: Uint8Array | null = null) => {
        const { sections, scores, passages } = found.nearest(question, passagesFrom, {
          allowed: only,
          wanted,
          counted,
        })
        const all = [...sections].map((section, i) => ({ section, score: scores[i]!, passage: passages[i]! }))
        return all.sort((a, b) => b.score - a.score || a.section - b.section)
      }
      const whole = ask(Infinity)
      t.ok(whole.length > 50 && whole.length < COUNT / 3, 'the least cosine parts them')
      for (const wanted of [1, 20, 50]) {
        const page = ask(wanted)
        t.strictSame(page.slice(0, wanted), whole.slice(0, wanted))
        t.strictSame(page.map(s => s.section).sort(), whole.map(s => s.section).sort())
        t.strictSame(ask(wanted, false).slice(0, wanted), whole.slice(0, wanted))
      }
      const narrowed = whole.filter(({ section }) => allowed[section] === 1)
      t.strictSame(ask(Infinity, true, allowed), narrowed)
    }
  },
)

t.test('the largest numbers there are do not overflow', async t => {
  const wide = 768
  const signs = Float32Array.from({ length: wide }, () => (next() < 0.5 ? -1 : 1))
  const found = held(t, [signs, signs.map(sign => -sign), new Float32Array(wide)], wide)
  const { passages, cosines } = found.best(signs, 2)
  t.strictSame(passages, [0, 1])
  t.ok(Math.abs(cosines[0]! - 1) < 1e-6 && Math.abs(cosines[1]! + 1) < 1e-6)
  t.strictSame(found.best(new Float32Array(wide), 3).passages, [], 'what has no direction is near to nothing')
})

t.test('vectors are read as they were written', async t => {
  const folder = testFolder(t)
  const vectors = Array.from({ length: 5 }, kinds['random']!)
  const writer = new VectorWriter(folder, WIDE, vectors.length)
  writer.add(numbersOf(vectors[0]!))
  writer.add(Int16Array.from(vectors.slice(1).flatMap(each => [...numbersOf(each)])))
  writer.close()
  const files = new VectorFiles(folder, WIDE)
  t.teardown(() => files.close())
  t.strictSame(files.numbers(3, 4), numbersOf(vectors[3]!))
  t.ok(Math.abs(cosine(files.unit(4), vectors[4]!) - 1) < 1e-8)
})
