import { dirname, extname } from 'node:path'
import { elementAt } from '../base/elements.ts'

export interface FileSize {
  readonly name: string
  readonly bytes: number
}

export interface TimeLeft {
  /** From 0 to 1; never falls, and 1 only at the end. */
  readonly share: number
  /** Null until enough was done to tell. */
  readonly seconds_left: number | null
}

/** What a file costs beside its bytes: finding, recognising and recording it. */
const BYTES_OF_A_FILE = 20_000
/** Seconds after which an estimate is shown. */
const LEAST_SECONDS = 2

interface Work {
  seconds: number
  bytes: number
}

/**
 * Estimates the time for the rest of some files from what files like them took: a filing takes a hundred times as long
 * a byte as a document that is refused at sight, so bytes alone are wrong by minutes. Alike are files of one folder and
 * extension, else of one extension, else all.
 */
export function estimateTimeLeft(files: readonly FileSize[], now: () => number = seconds) {
  const began = now()
  const total: Work = { seconds: 0, bytes: 0 }
  const done = new Map<string, Work>()
  /** Bytes to do, by folder and extension. */
  const ahead = new Map<string, { readonly name: string; bytes: number }>()
  const cost = ({ bytes }: FileSize) => bytes + BYTES_OF_A_FILE
  for (const file of files) {
    const [own] = kindsOf(file.name)
    const rest = ahead.get(own) ?? { name: file.name, bytes: 0 }
    ahead.set(own, { ...rest, bytes: rest.bytes + cost(file) })
  }
  const rateFor = (name: string): number => {
    const known = kindsOf(name)
      .map(kind => done.get(kind))
      .find(work => work !== undefined)
    const { seconds, bytes } = known ?? total
    return bytes > 0 ? seconds / bytes : 0
  }
  let current: FileSize | null = null
  let currentBegan = began
  let share = 0
  return {
    /** Ends the file before. */
    begin(index: number): void {
      this.end()
      current = elementAt(files, index)
      currentBegan = now()
    },
    end(): void {
      if (current === null) return
      const work = { seconds: now() - currentBegan, bytes: cost(current) }
      for (const kind of kindsOf(current.name)) done.set(kind, sum(done.get(kind), work))
      Object.assign(total, sum(total, work))
      const rest = ahead.get(kindsOf(current.name)[0])
      if (rest) rest.bytes -= work.bytes
      current = null
    },
    at(): TimeLeft {
      const elapsed = now() - began
      if (files.length > 0 && current === null && total.bytes > 0 && isDone(ahead))
        return { share: 1, seconds_left: 0 }
      if (total.bytes === 0 || elapsed < LEAST_SECONDS) return { share, seconds_left: null }
      let left = 0
      for (const { name, bytes } of ahead.values()) left += bytes * rateFor(name)
      // The current file is among those ahead. One that takes longer than others like it is thought half done.
      if (current !== null) {
        const spent = now() - currentBegan
        const expected = cost(current) * rateFor(current.name)
        left += Math.max(expected - spent, spent / 2) - expected
      }
      share = Math.max(share, Math.min(elapsed / (elapsed + left), 0.99))
      return { share, seconds_left: Math.max(left, 1) }
    },
  }
}

const seconds = (): number => performance.now() / 1000

const isDone = (ahead: ReadonlyMap<string, { readonly bytes: number }>): boolean =>
  [...ahead.values()].every(({ bytes }) => bytes === 0)

const sum = (a: Work | undefined, b: Work): Work => ({
  seconds: (a?.seconds ?? 0) + b.seconds,
  bytes: (a?.bytes ?? 0) + b.bytes,
})

/** Kinds of a file by its name, the most alike first. */
function kindsOf(name: string): readonly [string, string] {
  const extension = extname(name.toLowerCase().replace(/\.gz$/, ''))
  return [`${dirname(name)}/*${extension}`, extension]
}
