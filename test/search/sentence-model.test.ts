import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { buildIndex } from '../../engine/search/build/build-index.ts'
import {
  chosenModel,
  installCommand,
  type ModelFacts,
  openSentences,
  type SentenceModel,
  sameModel,
} from '../../engine/search/embed/sentence-model.ts'
import { SearchIndex } from '../../engine/search/search-index.ts'
import { VectorCache } from '../../engine/search/vectors/vector-cache.ts'
import { build as buildSnapshot } from '../../engine/snapshot/build.ts'
import { testFolder } from '../folder.ts'
import { makeLake } from '../make-lake.ts'
import { section } from './section.ts'

const sections = Array.from({ length: 100 }, (_, i) =>
  section(i, `Note ${i} matures in year ${i}.`, {
    section_title: 'Notes',
    shown: { id: String(i), company_name: null, section_title: 'Notes' },
  }),
)
const facts = { name: 'transformers:letters', source: 'letters', fingerprint: null }

/** Counts letters; stops after as many texts as it is told. */
function letters(most = Infinity): SentenceModel & { texts: string[] } {
  const texts: string[] = []
  return {
    wide: 48,
    texts,
    async embed(given) {
      texts.push(...given)
      if (texts.length > most) throw new Error('stopped')
      return given.map(text => {
        const vector = new Float32Array(48)
        for (const c of text.toLowerCase()) vector[c.charCodeAt(0) % 48]! += 1
        return vector
      })
    },
  }
}

async function build(folder: string, path: string, model: SentenceModel) {
  const cache = new VectorCache(path, model.wide)
  try {
    return await buildIndex(
      folder,
      (async function* () {
        yield* sections
      })(),
      { content: '', sentences: { facts, model, cache } },
    )
  } finally {
    cache.close()
  }
}

t.test(
  'passages are embedded under their heading, once, and a stopped build goes on where it was',
  async t => {
    const path = join(testFolder(t), 'cache', 'vectors.bin')
    const [a, b, c] = [testFolder(t), 'b', 'c'].map((name, i) =>
      i === 0 ? join(name, 'a') : join(t.testdirName, name),
    )
    await t.rejects(build(a!, path, letters(70)), /stopped/)
    const second = letters()
    const made = await build(b!, path, second)
    t.equal(made.embedder?.name, 'transformers:letters')
    t.equal(made.embedder?.informative, 48)
    t.equal(
      second.texts.filter(text => text.startsWith('Notes\nNote')).length,
      36,
      'eight batches of 8 were kept',
    )
    const third = letters()
    await build(c!, path, third)
    t.equal(third.texts.filter(text => text.startsWith('Notes\nNote')).length, 0)
    t.ok(readFileSync(join(b!, 'vectors.bin')).equals(readFileSync(join(c!, 'vectors.bin'))))
  },
)

t.test('a record of the cache that is not whole is not believed', async t => {
  const path = join(testFolder(t), 'vectors.bin')
  const cache = new VectorCache(path, 16)
  cache.put('debt', new Int16Array(16).fill(3))
  cache.put('cash', new Int16Array(16).fill(4))
  cache.close()
  const bytes = readFileSync(path)
  bytes[30]! ^= 1
  writeFileSync(path, Buffer.concat([bytes, Buffer.from('torn')]))
  const again = new VectorCache(path, 16)
  t.equal(again.get('debt'), null)
  t.strictSame(again.get('cash'), new Int16Array(16).fill(4))
  again.put('debt', new Int16Array(16).fill(5))
  t.strictSame(again.get('debt'), new Int16Array(16).fill(5))
  again.close()
})

t.test('an embedder is lsa, a folder or a name on the hub', async t => {
  const folder = testFolder(t, { model: { 'config.json': '{}' } })
  t.equal(await chosenModel('lsa'), null)
  t.match(await chosenModel('transformers:Some/model'), { source: 'Some/model', fingerprint: null })
  const local = await chosenModel(`transformers:${folder}/model`)
  t.match(local, { name: 'transformers:model', source: join(folder, 'model'), fingerprint: /^[0-9a-f]{64}$/ })
  await t.rejects(chosenModel('bert'), { code: 'INVALID_PARAMETER' })
  await t.rejects(chosenModel('transformers:./nowhere'), { code: 'INVALID_PARAMETER' })
  writeFileSync(join(folder, 'model', 'config.json'), '{"changed":1}')
  await t.rejects(sameModel(local!), {
    code: 'EMBEDDER_UNAVAILABLE',
    message: /not the same any more.*mode=keyword/,
  })
})

t.test('without its model an index answers by keyword, and says what meaning needs', async t => {
  const folder = join(testFolder(t), 'index')
  mkdirSync(folder)
  await build(folder, join(t.testdirName, 'vectors.bin'), letters())
  const at = join(folder, 'index.json')
  const told = JSON.parse(readFileSync(at, 'utf8'))
  told.embedder = { ...told.embedder, source: join(folder, 'gone'), fingerprint: 'x' }
  writeFileSync(at, JSON.stringify(told))
  const index = new SearchIndex(folder)
  t.teardown(() => index.close())
  const asked = { text: 'matures', filter: {}, order: 'relevance', limit: 10, offset: 0 } as const
  t.equal((await index.ask({ ...asked, mode: 'keyword' })).total, 100)
  for (const mode of ['semantic', 'hybrid'] as const)
    await t.rejects(index.ask({ ...asked, mode }), {
      code: 'EMBEDDER_UNAVAILABLE',
      message: /no longer there/,
    })
})

t.test('weights of 8 bits are used where a folder has them, and their vectors are kept apart', async t => {
  const onnx = { 'model.onnx': '32', 'model_quantized.onnx': '8' }
  const folder = testFolder(t, {
    both: { 'config.json': '{}', onnx },
    full: { 'config.json': '{}', onnx: { 'model.onnx': '32' } },
    none: { 'config.json': '{}' },
  })
  const asked: string[] = []
  const runtime = {
    env: { allowRemoteModels: true, localModelPath: '' },
    async pipeline(_task: string, model: string, { dtype }: { dtype: string }) {
      asked.push(`${model} ${dtype}`)
      return async (texts: readonly string[]) => ({
        dims: [texts.length, 16],
        data: new Float32Array(16 * texts.length).fill(1),
      })
    },
  }
  const open = async (name: string) => {
    const facts = (await chosenModel(`transformers:${folder}/${name}`))!
    return openSentences(facts, join(folder, 'embeddings'), async () => runtime as never)
  }
  const [both, full] = [await open('both'), await open('full')]
  both.cache.close()
  full.cache.close()
  t.equal(both.facts.weights, 'q8')
  t.equal(full.facts.weights, 'fp32')
  t.strictSame(asked, ['both q8', 'full fp32'])
  t.notOk(runtime.env.allowRemoteModels, 'a folder is never fetched')
  t.match(readdirSync(join(folder, 'embeddings')).sort().join(' '), /16x16-q8\.bin/)
  await t.rejects(open('none'), { code: 'INVALID_PARAMETER', message: /no file onnx\/model\.onnx/ })
})

t.test(
  'where the package that runs models is missing, the error names the command for this installation',
  t => {
    const at = (folder: string) => installCommand(`${folder}/dist/engine/search/embed/sentence-model.js`)
    const add = '--ignore-scripts @huggingface/transformers'
    t.equal(at('/home/ana/tranche'), `npm install --no-save ${add}`)
    t.equal(at('/home/ana/desk/node_modules/tranchedb'), `npm install ${add}`)
    for (const folder of [
      '/usr/local/lib/node_modules/tranchedb',
      '/home/ana/.nvm/versions/node/v22.1.0/lib/node_modules/tranchedb',
      'C:\\Users\\ana\\AppData\\Roaming\\npm\\node_modules\\tranchedb',
    ])
      t.equal(at(folder), `npm install --global ${add}`, folder)
    t.equal(
      at('/home/ana/.npm/_npx/0a1b/node_modules/tranchedb'),
      'npx -p tranchedb -p @huggingface/transformers tranche build',
    )
    t.end()
  },
)

t.test('a build whose model cannot be run fails before its work', async t => {
  const model = testFolder(t, { model: { 'config.json': '{}', onnx: { 'model.onnx': '32' } } })
  const lake = await makeLake(t.teardown, {
    documents: [{ id: 'd', ticker: 'ALFA', doc_type: '10-K', section_type: 'mda', content: 'Debt.' }],
  })
  const steps: string[] = []
  const building = buildSnapshot(lake, { embedder: `transformers:${model}/model` }, step => steps.push(step))
  await t.rejects(building, {
    code: 'INVALID_PARAMETER',
    message: /transformers:model needs a package that is not installed: run "npm install --no-save/,
  })
  t.strictSame(steps, [])
})

t.test('passages of like length are embedded together, each text once', async t => {
  const model = letters()
  const batches: number[][] = []
  const watched: SentenceModel = {
    wide: model.wide,
    async embed(texts) {
      batches.push(texts.map(text => text.length))
      return model.embed(texts)
    },
  }
  const cache = new VectorCache(join(testFolder(t), 'vectors.bin'), 48)
  const long = 'The notes mature in equal parts. '.repeat(20)
  const mixed = Array.from({ length: 96 }, (_, i) =>
    section(i, i % 2 === 0 ? `${long}${i}` : i % 3 === 0 ? 'The same.' : `Short ${i}.`, {
      shown: { id: String(i), company_name: null, section_title: null },
    }),
  )
  const folder = join(t.testdirName, 'index')
  await buildIndex(
    folder,
    (async function* () {
      yield* mixed
    })(),
    { content: '', sentences: { facts, model: watched, cache } },
  )
  cache.close()
  const passages = batches.filter(lengths => lengths.length > 1)
  const padded = passages.reduce((sum, lengths) => sum + Math.max(...lengths) * lengths.length, 0)
  const whole = passages.flat().reduce((sum, length) => sum + length, 0)
  t.ok(padded < 1.4 * whole, 'little is filled up')
  t.equal(model.texts.filter(text => text === 'The same.').length, 1)
})

/** A stand-in for the package, for the processes that are forked from now on: it counts letters, and notes each process. */
function installStandIn(t: Test, folder: string): void {
  writeFileSync(
    join(folder, 'stand-in.mjs'),
    `import { appendFileSync } from 'node:fs'
export const env = {}
export async function pipeline(task, model, options) {
  const { dtype, session_options: session } = options
  appendFileSync(${JSON.stringify(join(folder, 'loads'))}, JSON.stringify({ pid: process.pid, model, dtype, threads: session?.intraOpNumThreads }) + '\\n')
  return async texts => {
    const data = new Float32Array(48 * texts.length)
    for (const [i, text] of texts.entries())
      for (const c of text.toLowerCase()) data[48 * i + (c.charCodeAt(0) % 48)] += 1
    return { dims: [texts.length, 48], data }
  }
}
`,
  )
  writeFileSync(
    join(folder, 'hooks.mjs'),
    `const url = new URL('./stand-in.mjs', import.meta.url).href
export const resolve = (name, context, next) =>
  name === '@huggingface/transformers' ? { url, shortCircuit: true } : next(name, context)
`,
  )
  writeFileSync(
    join(folder, 'register.mjs'),
    `import { register } from 'node:module'\nregister('./hooks.mjs', import.meta.url)\n`,
  )
  const before = process.env['NODE_OPTIONS'] ?? ''
  process.env['NODE_OPTIONS'] =
    `${before} --import ${pathToFileURL(join(folder, 'register.mjs')).href}`.trim()
  t.teardown(() => {
    process.env['NODE_OPTIONS'] = before
  })
}

t.test('helpers embed on one thread each, and make the vectors that one process makes', async t => {
  const folder = testFolder(t)
  installStandIn(t, folder)
  const local: ModelFacts = { name: 'transformers:model', source: join(folder, 'model'), fingerprint: 'x' }
  const made = async (name: string, helpers: number, bytes?: number) => {
    const model = letters()
    const cache = new VectorCache(join(folder, `${name}.bin`), 48)
    await buildIndex(
      join(folder, name),
      (async function* () {
        yield* sections
      })(),
      {
        content: '',
        helpers,
        sentences: {
          facts: { ...local, weights: 'q8' },
          model: bytes === undefined ? model : { ...model, bytes },
          cache,
        },
      },
    )
    cache.close()
    const passages = model.texts.filter(text => text.startsWith('Notes\nNote')).length
    return { vectors: readFileSync(join(folder, name, 'vectors.bin')), passages }
  }
  const alone = await made('alone', 0)
  t.notOk(existsSync(join(folder, 'loads')))
  const apart = await made('apart', 2)
  t.equal(alone.passages, 100)
  t.equal(apart.passages, 0, 'the building process embeds none')
  t.ok(apart.vectors.equals(alone.vectors))
  const loads = readFileSync(join(folder, 'loads'), 'utf8').trim().split('\n')
  t.strictSame(
    loads.map(line => JSON.parse(line)).map(({ pid, ...load }) => load),
    Array(2).fill({ model: 'model', dtype: 'q8', threads: 1 }),
    'each helper loads the model once',
  )
  const large = await made('large', 2, 2 ** 50)
  t.equal(large.passages, 100, 'without the memory for a model each, one process embeds')
})
