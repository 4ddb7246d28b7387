import { Readable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import {
  type Output,
  type Reader,
  type ReadOptions,
  Refused,
  type Sink,
  type SourceFile,
} from '../../engine/ingest/readers/reader.ts'

/** A file in memory; `path` exists only for kinds that need one. */
export function sourceOf(name: string, content: string | Uint8Array, path?: string): SourceFile {
  const bytes = Buffer.from(content as string)
  const body = bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes
  const headBytes = body.subarray(0, 65_536)
  return {
    name,
    head: headBytes.toString('utf8'),
    headBytes,
    // Small chunks, so that no reader can rely on whole rows.
    open: async () => Readable.from(pieces(body, 97)),
    bytes: async () => body,
    text: async () => body.toString('utf8'),
    path: async () => path ?? name,
  }
}

function* pieces(body: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < body.length; at += size) yield body.subarray(at, at + size)
}

export interface Taken {
  readonly taken: { at: string; outputs: readonly Output[] }[]
  readonly refused: { at: string; raw: string; reason: string }[]
  readonly notes: string[]
  /** Why the whole file was refused. */
  readonly why: string | null
  rows(dataset: string): Record<string, unknown>[]
}

async function collected(read: (sink: Sink) => Promise<void>): Promise<Taken> {
  const taken: Taken['taken'] = []
  const refused: Taken['refused'] = []
  const notes: string[] = []
  let why: string | null = null
  const sink: Sink = {
    take: (at, outputs) => void taken.push({ at, outputs }),
    refuse: (at, raw, reason) => void refused.push({ at, raw, reason }),
    drain: async () => {},
    note: text => void notes.push(text),
  }
  try {
    await read(sink)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    why = error.message
  }
  const rows = (dataset: string) =>
    taken.flatMap(({ outputs }) => outputs.filter(o => o.dataset === dataset).map(o => o.values))
  return { taken, refused, notes, why, rows }
}

export const readWith = (reader: Reader, file: SourceFile, options: ReadOptions = {}): Promise<Taken> =>
  collected(sink => reader.read(file, sink, options))

export const readArchive = (reader: Reader, members: readonly SourceFile[]): Promise<Taken> =>
  collected(sink => reader.archive!.read(members, sink, {}))
