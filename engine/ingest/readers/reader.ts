import type { Readable } from 'node:stream'
import { firstOf } from '../../base/elements.ts'

/** One file to read, already decompressed: a plain file, a `.gz`, or a member of a `.zip`. */
export interface SourceFile {
  /** How reports and `source` name it: the path as given, and `archive.zip!member` inside archives. */
  readonly name: string
  /** The first 64 kB as text; kinds are recognised from it. */
  readonly head: string
  /** The whole head where it is not text. */
  readonly headBytes: Uint8Array
  open(): Promise<Readable>
  bytes(): Promise<Buffer>
  text(): Promise<string>
  /** A plain file on disk with this content, for parts that read files themselves. */
  path(): Promise<string>
}

export interface ReadOptions {
  /** The day a file speaks of where it does not say (`--date`). */
  readonly date?: string
  /** When the market could know its rows, where neither row nor kind says (`--known-from`). */
  readonly known_from?: string
}

/** A row for a dataset. Values are plain: text, numbers, booleans, `YYYY-MM-DD`, lists of text, null. */
export interface Output {
  readonly dataset: string
  readonly values: Readonly<Record<string, unknown>>
}

/**
 * Where a reader puts what it reads. Every row, record or element that a file holds is said exactly once:
 * taken (with the rows it makes; whole or not at all) or refused (with a reason a person can act on).
 */
export interface Sink {
  /**
   * @param at   position in the file, as a person would look for it: `row 12`, `invstOrSec 7`
   * @param outputs rows made of it; values that break the dataset's declaration refuse the whole source row
   */
  take(at: string, outputs: readonly Output[]): void | Promise<void>
  /** @param raw the row as it stands in the file */
  refuse(at: string, raw: string, reason: string): void | Promise<void>
  /** Awaited now and then by readers of long files: lets full buffers be written. */
  drain(): Promise<void>
  /** Something about the whole file the user should read: the price basis used, an assumed date. */
  note(text: string): void
}

/** A file that is recognised but cannot be what is needed, or lacks something it must have. */
export class Refused extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'Refused'
  }
}

/** A file that code of this project failed on for a reason that nobody has thought of: refused, and worth a report. */
export class Failed extends Refused {
  /** Where it happened. */
  readonly trace: string

  constructor(error: unknown) {
    const message = error instanceof Error ? error.message : String(error)
    super(
      `could not be read: ${firstOf(message.split('\n')).slice(0, 300)}. Unless the file is damaged this is a bug in Tranche: please report it`,
    )
    this.name = 'Failed'
    this.trace = (error instanceof Error && error.stack) || message
  }
}

export interface Reader {
  /** As `--kind` and reports name it. */
  readonly kind: string
  readonly doc: string
  /** True when the content is of this kind; cheap, by `head` and never by the file's name alone. */
  recognises(file: SourceFile): boolean
  read(file: SourceFile, sink: Sink, options: ReadOptions): Promise<void>
  /** For kinds whose zip only makes sense as a whole: one member needs another. Positions name the member. */
  readonly archive?: {
    /** @param members names of the members, as they stand in the archive */
    recognises(members: readonly string[]): boolean
    read(members: readonly SourceFile[], sink: Sink, options: ReadOptions): Promise<void>
  }
}

/** What DuckDB says of a file it cannot read, as a refusal of that file; anything else flies on. */
export function unreadable(error: unknown): never {
  if (
    error instanceof Error &&
    /^(Invalid Input|IO|Serialization|Invalid|Conversion) Error/i.test(error.message)
  ) {
    const [reason = ''] = error.message.split('\n')
    if (!/No space left|Permission denied|Too many open|Input\/output/i.test(reason))
      throw new Refused(
        `cannot be read: ${reason
          .replace(/^[A-Za-z ]+ Error: /, '')
          .replace(/"[^"]*\//g, '"')
          .slice(0, 300)}`,
      )
  }
  throw error
}
