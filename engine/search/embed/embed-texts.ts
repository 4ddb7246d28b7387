import { numbersOf } from '../vectors/vector-files.ts'
import { loadModel, type ModelFacts, type SentenceModel } from './sentence-model.ts'

let loaded: { readonly key: string; readonly model: Promise<SentenceModel> } | null = null

/** The vectors of texts, as an index keeps them, by a sentence-transformer on one thread. It is loaded once in a process. */
export async function embedTexts({
  facts,
  texts,
}: {
  readonly facts: ModelFacts
  readonly texts: readonly string[]
}): Promise<Int16Array[]> {
  const key = JSON.stringify(facts)
  if (loaded?.key !== key) loaded = { key, model: loadModel(facts, 'INVALID_PARAMETER', undefined, 1) }
  const made = await (await loaded.model).embed(texts)
  return made.map(numbersOf)
}
