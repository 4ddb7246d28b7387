import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Code, QueryError } from '../../base/errors.ts'
import { VectorCache } from '../vectors/vector-cache.ts'
import { DIMENSIONS } from './embedder.ts'

/** The requested sentence-transformer: a name on the hub, or a folder. */
export interface ModelFacts {
  /** `transformers:NAME`; for a folder, its last name only. */
  readonly name: string
  /** What to load: a name on the hub or an absolute folder. */
  readonly source: string
  /** SHA-256 of a folder's files; null on the hub. */
  readonly fingerprint: string | null
  /** The weights in use; chosen when the model is loaded if not given. */
  readonly weights?: Weights
}

/**
 * Precisions by the runtime's names, in order of preference, with their file suffix. On a CPU, 8-bit weights take
 * half the time and a quarter of the memory of 32-bit ones.
 */
const weightFiles = { q8: '_quantized', int8: '_int8', fp32: '' } as const
export type Weights = keyof typeof weightFiles

export interface SentenceModel {
  readonly wide: number
  readonly weights?: Weights
  /** Bytes of memory that loading it took. */
  readonly bytes?: number
  /** Normalised vectors of `wide` numbers. */
  embed(texts: readonly string[]): Promise<Float32Array[]>
}

const PREFIX = 'transformers:'
const PACKAGE = '@huggingface/transformers'

/** The part of the package in use: it is not installed by default, so its types may be missing. */
export interface Transformers {
  readonly env: { allowRemoteModels: boolean; localModelPath: string }
  pipeline(task: 'feature-extraction', model: string, options: object): Promise<Extractor>
}
type Extractor = (
  texts: readonly string[],
  options: { pooling: 'mean'; normalize: true },
) => Promise<{ readonly dims: readonly number[]; readonly data: Float32Array }>

/** Parses `transformers:MODEL_OR_DIR`; null for the built-in `lsa`. */
export async function chosenModel(embedder: string): Promise<ModelFacts | null> {
  if (embedder === 'lsa') return null
  const given = embedder.startsWith(PREFIX) ? embedder.slice(PREFIX.length) : ''
  if (given === '')
    throw new QueryError(
      'INVALID_PARAMETER',
      `embedder must be lsa or transformers:MODEL_OR_DIR, not ${embedder}`,
      { parameter: 'embedder', value: embedder },
    )
  const folder = resolve(given)
  const isFolder = await stat(folder).then(
    found => found.isDirectory(),
    () => false,
  )
  if (isFolder)
    return {
      name: `${PREFIX}${basename(folder)}`,
      source: folder,
      fingerprint: await fingerprintOf(folder),
    }
  if (/^[./~]|^[a-z]:|\\/i.test(given))
    throw new QueryError('INVALID_PARAMETER', `there is no folder ${given} with a model`, {
      parameter: 'embedder',
      value: embedder,
    })
  return { name: embedder, source: given, fingerprint: null }
}

/** Loads the package that runs models; the error says how to install it. */
export type ImportTransformers = (name: string, missing: Code) => Promise<Transformers>

/** A sentence-transformer with a lake's cached vectors, so an interrupted build loses nothing. */
export async function openSentences(facts: ModelFacts, folder: string, runtime?: ImportTransformers) {
  const model = await loadModel(facts, 'INVALID_PARAMETER', runtime)
  const key = createHash('sha256')
    .update(facts.fingerprint ?? facts.source)
    .digest('hex')
    .slice(0, 16)
  const { wide, weights = 'fp32' } = model
  // Caches of 32-bit weights keep the name they had before other precisions existed.
  const name = `${key}-${wide}x16${weights === 'fp32' ? '' : `-${weights}`}.bin`
  return { facts: { ...facts, weights }, model, cache: new VectorCache(join(folder, name), wide) }
}

/** Loads the model that an index was built with; `EMBEDDER_UNAVAILABLE` if it is missing or has changed. */
export async function sameModel(facts: ModelFacts): Promise<SentenceModel> {
  const { name, source, fingerprint } = facts
  if (fingerprint !== null) {
    const now = await fingerprintOf(source).catch(() => null)
    if (now !== fingerprint)
      throw unavailable(
        `the search index was built with ${name}, whose folder is ${now === null ? 'no longer there' : 'not the same any more'}: ` +
          'put it back, or run "tranche build"; mode=keyword works without it',
      )
  }
  return loadModel(facts, 'EMBEDDER_UNAVAILABLE')
}

/**
 * @param missing the error where the package is not installed or the model cannot be had
 * @param threads with which the model runs; default one per core
 */
export async function loadModel(
  facts: ModelFacts,
  missing: Code,
  runtime: ImportTransformers = importTransformers,
  threads?: number,
): Promise<SentenceModel> {
  const before = process.memoryUsage.rss()
  const { name, source, fingerprint } = facts
  const transformers = await runtime(name, missing)
  const isLocal = fingerprint !== null
  transformers.env.allowRemoteModels = !isLocal
  if (isLocal) transformers.env.localModelPath = `${dirname(source)}/`
  const { extract, weights } = await extractor(transformers, facts, missing, threads)
  const { dims } = await extract(['debt'], { pooling: 'mean', normalize: true })
  const own = dims.at(-1)!
  if (own > DIMENSIONS)
    throw new QueryError(
      'INVALID_PARAMETER',
      `${name} has ${own} dimensions, the index at most ${DIMENSIONS}`,
      {
        parameter: 'embedder',
      },
    )
  // The comparison code reads sixteen numbers at a time.
  const wide = Math.ceil(own / 16) * 16
  return {
    wide,
    weights,
    bytes: Math.max(0, process.memoryUsage.rss() - before),
    async embed(texts) {
      const { data } = await extract(texts, { pooling: 'mean', normalize: true })
      return texts.map((_, i) => {
        const vector = new Float32Array(wide)
        vector.set(data.subarray(i * own, (i + 1) * own))
        return vector
      })
    },
  }
}

/** The command that installs the package where the program at this path finds it. */
export function installCommand(path: string): string {
  const at = path.replaceAll('\\', '/')
  if (at.includes('/_npx/')) return `npx -p tranchedb -p ${PACKAGE} tranche build`
  if (!at.includes('/node_modules/tranchedb/')) return `npm install --no-save --ignore-scripts ${PACKAGE}`
  const isGlobal = /\/(?:lib|npm)\/node_modules\/tranchedb\//.test(at)
  return `npm install ${isGlobal ? '--global ' : ''}--ignore-scripts ${PACKAGE}`
}

/** An error that comes through a loader in another thread may have lost its code. */
function isNotFound(error: unknown): boolean {
  const { code, message = '' } = (error ?? {}) as Partial<NodeJS.ErrnoException>
  return code === 'ERR_MODULE_NOT_FOUND' || message.startsWith('Cannot find package')
}

const notInstalled = (name: string, code: Code): QueryError =>
  new QueryError(
    code,
    `${name} needs a package that is not installed: run "${installCommand(fileURLToPath(import.meta.url))}"`,
    { parameter: 'embedder' },
  )

/** Throws if the package is not installed, without loading it. */
export function checkInstalled({ name }: ModelFacts): void {
  try {
    import.meta.resolve(PACKAGE)
  } catch (error) {
    throw isNotFound(error) ? notInstalled(name, 'INVALID_PARAMETER') : error
  }
}

async function importTransformers(name: string, missing: Code): Promise<Transformers> {
  return import(PACKAGE).catch(error => {
    throw isNotFound(error) ? notInstalled(name, missing) : error
  }) as Promise<Transformers>
}

/** The model with the weights used before, else the first available. */
async function extractor(
  transformers: Transformers,
  { name, source, fingerprint, weights }: ModelFacts,
  missing: Code,
  threads?: number,
): Promise<{ extract: Extractor; weights: Weights }> {
  const all = Object.keys(weightFiles) as Weights[]
  const wanted = weights ? [weights] : fingerprint === null ? all : await weightsIn(source)
  const model = fingerprint === null ? source : basename(source)
  const session = threads && { intraOpNumThreads: threads, interOpNumThreads: 1 }
  let failure: Error | null = null
  for (const dtype of wanted)
    try {
      const options = { dtype, ...(session && { session_options: session }) }
      return { extract: await transformers.pipeline('feature-extraction', model, options), weights: dtype }
    } catch (error) {
      failure ??= error as Error
    }
  const why = failure?.message.split('\n')[0] ?? 'it has no file onnx/model.onnx'
  throw new QueryError(missing, `${name} could not be loaded: ${why}`, { parameter: 'embedder' })
}

/** The precisions for which a folder has files. */
async function weightsIn(folder: string): Promise<Weights[]> {
  const found: Weights[] = []
  for (const [weights, suffix] of Object.entries(weightFiles) as [Weights, string][])
    if (await isFile(join(folder, 'onnx', `model${suffix}.onnx`))) found.push(weights)
  return found
}

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    found => found.isFile(),
    () => false,
  )

const unavailable = (message: string) => new QueryError('EMBEDDER_UNAVAILABLE', message, {})

async function fingerprintOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter(entry => entry.isFile() && /\.(json|onnx|onnx_data|txt)$/.test(entry.name))
    .map(entry => join(entry.parentPath, entry.name))
    .sort()
  const hash = createHash('sha256')
  for (const file of files) {
    hash.update(file.slice(folder.length))
    for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  }
  return hash.digest('hex')
}
