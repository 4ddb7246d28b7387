import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { elementAt } from '../../base/elements.ts'
import { usableMemory } from '../../base/machine.ts'
import type { Progress } from '../../base/progress.ts'
import { DIMENSIONS } from '../embed/embedder.ts'
import type { ModelFacts, SentenceModel } from '../embed/sentence-model.ts'
import { readInto } from '../files/array-file.ts'
import type { Written } from '../keyword/section-writer.ts'
import { headingOf, type Section } from '../text/section.ts'
import type { VectorCache } from '../vectors/vector-cache.ts'
import { numbersOf, VectorWriter } from '../vectors/vector-files.ts'
import type { Helpers } from './helpers.ts'
import type { Embedded } from './write-lsa.ts'

/** Passages per call of the model: more are slower with 8-bit weights, and fill up more. */
const BATCH = 8
/** Share of the memory for the models of all processes. */
const MEMORY_SHARE = 0.5
/** Passages among which those of similar length are batched: shorter ones are padded to the longest. */
const BLOCK = 1024
/** Characters of a passage given to the model: far more than it reads. */
const MOST_CHARACTERS = 8000
const QUESTIONS = 100
const CHARACTERS_OF_A_QUESTION = 60

/** Writes the vector of every passage with its heading, by a sentence-transformer, skipping cached ones. Helpers embed if there is memory for one model each. */
export async function writeSentences(
  folder: string,
  written: Written,
  { facts, model, cache }: { facts: ModelFacts; model: SentenceModel; cache: VectorCache },
  helpers: Helpers,
  progress: Progress,
): Promise<Embedded> {
  const count = written.passages.start.length
  const { wide } = model
  const vectors = new VectorWriter(folder, wide, count)
  const asked: string[] = []
  let done = 0
  const label = `embedding passages with ${facts.name}`
  const fits = (model.bytes ?? 0) * (helpers.count + 1) <= MEMORY_SHARE * usableMemory()
  const embed = async (texts: readonly string[]): Promise<Int16Array[]> =>
    helpers.count > 0 && fits
      ? helpers.run('embed', { facts, texts })
      : (await model.embed(texts)).map(numbersOf)
  const write = async (block: readonly string[]) => {
    const missing = new Set(block.filter(text => cache.get(text) === null))
    let left = missing.size
    for await (const [batch, made] of helpers.inOrder(batches(missing), embed)) {
      for (const [i, text] of batch.entries()) cache.put(text, elementAt(made, i))
      left -= batch.length
      await progress(label, done + block.length - left, count)
    }
    for (const text of block) vectors.add(cache.get(text)!)
    done += block.length
    await progress(label, done, count)
  }
  const stride = Math.ceil(count / QUESTIONS)
  let block: string[] = []
  for (const text of passageTexts(folder, written)) {
    if ((done + block.length) % stride === 0)
      asked.push(text.slice(text.length >> 1).slice(0, CHARACTERS_OF_A_QUESTION))
    block.push(text)
    if (block.length < BLOCK) continue
    await write(block)
    block = []
  }
  if (block.length > 0) await write(block)
  vectors.close()
  return {
    facts: { ...facts, dimensions: DIMENSIONS, informative: wide },
    questions: asked.length > 0 ? await model.embed(asked) : [],
  }
}

/** Batches of texts of similar length, longest first, so that helpers end together. */
function* batches(texts: Iterable<string>): Generator<string[]> {
  const sorted = [...texts].sort((a, b) => b.length - a.length)
  for (let from = 0; from < sorted.length; from += BATCH) yield sorted.slice(from, from + BATCH)
}

/** Heading and text of every passage, in order. */
function* passageTexts(folder: string, { sections, passages }: Written): Generator<string> {
  const [texts, records] = ['text.bin', 'records.bin'].map(name => openSync(join(folder, name), 'r')) as [
    number,
    number,
  ]
  const read = (file: number, from: number, to: number) => {
    const bytes = Buffer.allocUnsafe(to - from)
    readInto(file, bytes, from)
    return bytes.toString('utf8')
  }
  try {
    for (let section = 0; section + 1 < sections.textAt.length; section++) {
      const record = read(
        records,
        elementAt(sections.recordAt, section),
        elementAt(sections.recordAt, section + 1),
      )
      const heading = headingOf(JSON.parse(record) as Section)
      for (
        let p = elementAt(sections.passagesFrom, section);
        p < elementAt(sections.passagesFrom, section + 1);
        p++
      ) {
        const from = elementAt(sections.textAt, section) + elementAt(passages.start, p)
        const text = read(texts, from, from + elementAt(passages.bytes, p))
        yield `${heading}\n${text}`.trim().slice(0, MOST_CHARACTERS)
      }
    }
  } finally {
    closeSync(texts)
    closeSync(records)
  }
}
