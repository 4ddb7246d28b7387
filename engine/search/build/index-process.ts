import { setImmediate } from 'node:timers/promises'
import { serializeError } from '../../base/serialized-error.ts'
import { fault } from '../../lake/fault.ts'
import { openSentences } from '../embed/sentence-model.ts'
import type { Section } from '../text/section.ts'
import type { FromBuilder, Task, ToBuilder } from './build-apart.ts'
import { buildIndex } from './build-index.ts'

/** Interval at which progress is repeated: it shows elapsed time, and lets the caller stop the build. */
const REPEAT_MS = 250

const send = (message: FromBuilder) => void process.send!(message)

let take: ((sections: readonly Section[] | null) => void) | null = null

/** Sections come in parts, on request. */
async function* asked(): AsyncGenerator<Section> {
  for (;;) {
    const part = await new Promise<readonly Section[] | null>(resolve => {
      take = resolve
      send({ kind: 'more' })
    })
    if (part === null) return
    yield* part
  }
}

async function build({ folder, sentences: chosen, ...options }: Task): Promise<void> {
  const sentences = chosen && (await openSentences(chosen.facts, chosen.cache))
  let last: FromBuilder = { kind: 'progress', label: 'reading sections' }
  // At once too: few sections are read within one interval.
  send(last)
  const repeat = setInterval(() => send(last), REPEAT_MS)
  try {
    const facts = await buildIndex(folder, asked(), {
      ...options,
      ...(sentences && { sentences }),
      progress: async (label, done, total) => {
        last = { kind: 'progress', label, done, total }
        send(last)
        await setImmediate()
      },
    })
    fault('index:built')
    send({ kind: 'built', facts })
  } finally {
    clearInterval(repeat)
    sentences?.cache.close()
  }
}

// A terminal sends Ctrl-C to every process. The parent decides; this process exits with it.
process.on('SIGINT', () => {})
process.on('disconnect', () => process.exit())
process.on('message', (message: ToBuilder) => {
  if (message.kind === 'sections') take!(message.sections)
  else build(message.task).catch(error => send({ kind: 'failed', error: serializeError(error) }))
})
