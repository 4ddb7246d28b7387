import { forkScript } from '../../base/fork-script.ts'
import type { Progress } from '../../base/progress.ts'
import { deserializeError, type SerializedError } from '../../base/serialized-error.ts'
import type { ModelFacts } from '../embed/sentence-model.ts'
import type { IndexFacts } from '../index-facts.ts'
import type { Section } from '../text/section.ts'
import type { BuildIndexOptions } from './build-index.ts'

/** Instructions for the building process. */
export interface Task extends Omit<BuildIndexOptions, 'progress' | 'sentences'> {
  readonly folder: string
  /** A sentence-transformer, and the folder of its cached vectors. */
  readonly sentences: { readonly facts: ModelFacts; readonly cache: string } | null
}

export type ToBuilder =
  | { readonly kind: 'task'; readonly task: Task }
  | { readonly kind: 'sections'; readonly sections: readonly Section[] | null }

export type FromBuilder =
  | { readonly kind: 'more' }
  | {
      readonly kind: 'progress'
      readonly label: string
      readonly done?: number | undefined
      readonly total?: number | undefined
    }
  | { readonly kind: 'built'; readonly facts: IndexFacts }
  | { readonly kind: 'failed'; readonly error: SerializedError }

/** `buildIndex` in a separate process with helpers. Sections are handed over in parts. */
export async function buildApart(
  parts: AsyncIterable<readonly Section[]>,
  task: Task,
  progress: Progress,
): Promise<IndexFacts> {
  const iterator = parts[Symbol.asyncIterator]()
  const builder = forkScript(import.meta.url, 'index-process')
  const send = (message: ToBuilder) => builder.send(message)
  try {
    return await new Promise<IndexFacts>((resolve, reject) => {
      const act = async (message: FromBuilder): Promise<void> => {
        if (message.kind === 'built') resolve(message.facts)
        else if (message.kind === 'failed') reject(deserializeError(message.error))
        else if (message.kind === 'progress') await progress(message.label, message.done, message.total)
        else {
          const { done, value } = await iterator.next()
          send({ kind: 'sections', sections: done ? null : value })
        }
      }
      builder.on('message', (message: FromBuilder) => void act(message).catch(reject))
      builder.once('error', reject)
      builder.once('exit', (code, signal) =>
        reject(
          new Error(
            `the process that builds the search index ended (${signal ?? `code ${code}`}): the lake is as it was before`,
          ),
        ),
      )
      send({ kind: 'task', task })
    })
  } finally {
    builder.removeAllListeners()
    builder.on('error', () => {})
    builder.kill('SIGKILL')
    await iterator.return?.()
  }
}
