import { Readable } from 'node:stream'
import type { Output, Reader, ReadOptions, Sink, SourceFile } from '../../engine/ingest/readers/reader.ts'

/** A source file made of text, delivered in chunks of `chunk` bytes, so that it may be split anywhere. */
export function sourceOf(text: string, chunk = 64 * 1024): SourceFile {
  const bytes = Buffer.from(text)
  return {
    name: 'made-up',
    head: text.slice(0, 64 * 1024),
    headBytes: bytes,
    open: async () => {
      const parts: Buffer[] = []
      for (let at = 0; at < bytes.length; at += chunk) parts.push(bytes.subarray(at, at + chunk))
      return Readable.from(parts, { objectMode: false })
    },
    bytes: async () => bytes,
    text: async () => text,
    path: async () => {
      throw new Error('not on disk')
    },
  }
}

export interface Reading {
  readonly taken: { at: string; outputs: readonly Output[] }[]
  readonly refused: { at: string; raw: string; reason: string }[]
  readonly notes: string[]
}

/** A sink of a reader, and what it is given. */
export function gathering(): { readonly result: Reading; readonly sink: Sink } {
  const result: Reading = { taken: [], refused: [], notes: [] }
  const sink: Sink = {
    take: (at, outputs) => void result.taken.push({ at, outputs }),
    refuse: (at, raw, reason) => void result.refused.push({ at, raw, reason }),
    drain: async () => {},
    note: text => void result.notes.push(text),
  }
  return { result, sink }
}

/** Everything a reader reports on a file. */
export async function reading(
  reader: Reader,
  text: string,
  options: ReadOptions = {},
  chunk?: number,
): Promise<Reading> {
  const { result, sink } = gathering()
  await reader.read(sourceOf(text, chunk), sink, options)
  return result
}

/** The values of all rows of a dataset. */
export const rowsFor = ({ taken }: Reading, dataset: string): Record<string, unknown>[] =>
  taken.flatMap(({ outputs }) => outputs.filter(o => o.dataset === dataset).map(o => ({ ...o.values })))
