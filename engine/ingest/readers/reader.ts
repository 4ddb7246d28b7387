import type { Readable } from 'node:stream'
import { firstOf } from '../../base/elements.ts'

/** One file to read, decompressed: a plain file, a `.gz`, or a member of a `.zip`. */
export interface SourceFile {
  /** Its name in reports and `source`: the path as given, and `archive.zip!member` inside archives. */
  readonly name: string
  /** The first 64 kB as text; kinds are recognised from it. */
  readonly head: string
  /** The raw head, for files that are not text. */
  readonly headBytes: Uint8Array
  open(): Promise<Readable>
  bytes(): Promise<Buffer>
  text(): Promise<string>
  /** A plain file on disk with this content, for code that reads files itself. */
  path(): Promise<string>
  /** Opens another file of its folder. A member of an archive and a stream have none. */
  readonly beside?: (name: string) => Promise<SourceFile>
}

export interface ReadOptions {
  /** The day of a file that does not give one (`--date`). */
  readonly date?: string
  /** The known day of its rows, if neither row nor kind gives one (`--known-from`). */
  readonly known_from?: string
}

/** A row for a dataset. Values are plain: text, numbers, booleans, `YYYY-MM-DD`, lists of text, null. */
export interface Output {
  readonly dataset: string
  readonly values: Readonly<Record<string, unknown>>
}

/**
 * Where a reader puts what it reads. Every row, record or element of a file is reported exactly once: taken (with the
 * rows made from it; whole or not at all) or refused (with an actionable reason).
 */
export interface Sink {
  /**
   * @param at   position in the file, as a person would look for it: `row 12`, `invstOrSec 7`
   * @param outputs rows made from it; values that violate the dataset's declaration refuse the whole source row
   */
  take(at: string, outputs: readonly Output[]): void | Promise<void>
  /**
   * @param raw the row as in the file
   */
  refuse(at: string, raw: string, reason: string): void | Promise<void>
  /** Awaited regularly by readers of long files, so that full buffers can be written. */
  drain(): Promise<void>
  /** A note about the whole file: the price basis used, an assumed date. */
  note(text: string): void
}

/** A file that is recognised but unusable, or lacks something required. */
export class Refused extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'Refused'
  }
}

/** A file on which our own code failed unexpectedly: refused, and worth a bug report. */
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
  /** Whether the content is of this kind; cheap, by `head` and never by the file's name alone. */
  recognises(file: SourceFile): boolean
  read(file: SourceFile, sink: Sink, options: ReadOptions): Promise<void>
  /** Decodes its text itself; other readers of lines are given UTF-8. */
  readonly decodes?: true
  /** For kinds whose zip only makes sense as a whole: members need each other. Positions name the member. */
  readonly archive?: {
    /**
     * @param members member names as in the archive
     */
    recognises(members: readonly string[]): boolean
    read(members: readonly SourceFile[], sink: Sink, options: ReadOptions): Promise<void>
  }
}

/** DuckDB's error about an unreadable file as that file's refusal; other errors are rethrown. */
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
