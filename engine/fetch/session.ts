import { readFile } from 'node:fs/promises'
import { QueryError } from '../base/errors.ts'
import { type Arrival, download, NotThere, type Wanted } from './download.ts'
import type { FetchedFolder } from './fetched-folder.ts'
import { type HttpClient, Transient } from './http-client.ts'

/** What became of one file. */
export interface FileOutcome {
  readonly file: string
  readonly url: string
  readonly status: Arrival | 'failed'
  /** Why it failed. */
  readonly reason: string | null
  readonly bytes: number
}

export interface FetchProgress {
  readonly file: string
  readonly files: number
  readonly bytes: number
}

/** So many files in a row that fail say that the publisher is the cause. */
const MOST_FAILURES = 3

/** One run: files that several requests want are asked for once, and what became of each is kept. */
export class Session {
  readonly folder: FetchedFolder
  readonly now: () => Date
  readonly outcomes = new Map<string, FileOutcome>()
  readonly notes: string[] = []
  private readonly client: HttpClient
  private readonly tell: (progress: FetchProgress) => void
  private readonly mostBytes: number | undefined
  private failures = 0
  private received = 0

  constructor(
    client: HttpClient,
    folder: FetchedFolder,
    {
      now,
      tell,
      mostBytes,
    }: {
      now: () => Date
      tell: (progress: FetchProgress) => void
      mostBytes: number | undefined
    },
  ) {
    this.client = client
    this.folder = folder
    this.now = now
    this.tell = tell
    this.mostBytes = mostBytes
  }

  /** Brings a file; null if the publisher does not have it. A failure is kept, and the run goes on. */
  async file(wanted: Wanted): Promise<FileOutcome | null> {
    const { url, file } = wanted
    const known = this.outcomes.get(file)
    if (known) return known
    const progress = () => this.tell({ file, files: this.outcomes.size, bytes: this.received })
    progress()
    try {
      const status = await download(this.client, this.folder, wanted, {
        now: this.now,
        ...(this.mostBytes !== undefined && { mostBytes: this.mostBytes }),
        onBytes: bytes => {
          this.received += bytes
          progress()
        },
      })
      if (status !== 'present') this.failures = 0
      return this.keep({ file, url, status, reason: null, bytes: this.folder.record(file)?.bytes ?? 0 })
    } catch (error) {
      if (error instanceof NotThere) return null
      if (!(error instanceof Transient)) throw error
      if (++this.failures >= MOST_FAILURES) throw unavailable(error.message)
      return this.keep({ file, url, status: 'failed', reason: error.message, bytes: 0 })
    }
  }

  /** Brings a file without which nothing else can be asked for, and reads it. `absent` is the error without it. */
  async text(wanted: Wanted, absent: () => QueryError): Promise<string> {
    const outcome = await this.file(wanted)
    if (outcome === null) throw absent()
    if (outcome.status === 'failed') throw unavailable(outcome.reason ?? wanted.url)
    return readFile(this.folder.path(wanted.file), 'utf8')
  }

  async json<T>(wanted: Wanted, absent: () => QueryError): Promise<T> {
    return JSON.parse(await this.text(wanted, absent)) as T
  }

  private keep(outcome: FileOutcome): FileOutcome {
    this.outcomes.set(outcome.file, outcome)
    return outcome
  }
}

const unavailable = (reason: string) =>
  new QueryError('SOURCE_UNAVAILABLE', `${reason}: run the same command later, and it continues`)

/** The error for a file that a publisher has always had. */
export const moved = (url: string) => (): QueryError =>
  new QueryError(
    'SOURCE_UNAVAILABLE',
    `${url} does not exist any more: its publisher may have moved it; look for a newer version of Tranche`,
    { url },
  )
