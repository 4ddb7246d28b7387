import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { QueryError } from '../base/errors.ts'
import { fingerprint } from '../lake/fingerprint.ts'
import { absent } from '../lake/lake.ts'
import type { ContentCheck } from './content-checks.ts'
import { discard, type FetchedFile, type FetchedFolder } from './fetched-folder.ts'
import { type Answer, type HttpClient, Transient } from './http-client.ts'

/** A file to have. */
export interface Wanted {
  readonly url: string
  /** Its path in the folder. */
  readonly file: string
  readonly check: ContentCheck
  /** Never changes once published: a filing under its accession number. */
  readonly isFinal?: boolean
  /** Compressed already: asked for as it is, so that a cut download can be continued. */
  readonly isCompressed?: boolean
}

/**
 * `fetched`: it was not here; `changed`: it replaces an older one; `unchanged`: asked for, and the same; `present`: not
 * asked for, because it never changes.
 */
export type Arrival = 'fetched' | 'changed' | 'unchanged' | 'present'

/**
 * The most bytes of a file, unpacked: an answer without an end must not fill the disk. Text is read whole, and a string
 * has no more characters.
 */
const MOST_BYTES = { text: 500_000_000, compressed: 4_000_000_000 } as const

/** The publisher does not have the file. */
export class NotThere extends Error {}

const ATTEMPTS = 5
const FIRST_BACKOFF_MS = 1000
/** A longer wait is left to the caller: the next run continues. */
const LONGEST_WAIT_MS = 120_000

export interface DownloadOptions {
  readonly now: () => Date
  readonly onBytes: (bytes: number) => void
  /** In place of the usual maximum. */
  readonly mostBytes?: number
}

/** Brings a file into the folder, or finds that it is there. Repeats what may succeed later. */
export async function download(
  client: HttpClient,
  folder: FetchedFolder,
  wanted: Wanted,
  options: DownloadOptions,
): Promise<Arrival> {
  const before = await folder.intact(wanted.file)
  if (before && wanted.isFinal) return 'present'
  for (let attempt = 1; ; attempt++)
    try {
      return await attemptOnce(client, folder, wanted, before, options)
    } catch (error) {
      if (!(error instanceof Transient) || error.isForThisRun) throw error
      const wait = error.retryAfter ?? FIRST_BACKOFF_MS * 2 ** (attempt - 1) * (1 + Math.random() / 4)
      if (wait > LONGEST_WAIT_MS) throw askLater(wanted, error, wait, options.now())
      if (attempt === ATTEMPTS)
        throw new Transient(`${error.message} (${ATTEMPTS} attempts)`, error.retryAfter)
      await client.pause(wait)
    }
}

const askLater = ({ url }: Wanted, { message }: Transient, wait: number, now: Date) =>
  new QueryError(
    'RATE_LIMITED',
    `${message}: run the same command after ${new Date(now.getTime() + wait).toISOString().slice(0, 16).replace('T', ' ')} UTC, and it continues`,
    { url, retry_after: Math.ceil(wait / 1000) },
  )

/** What identifies the version of a file of which a part has arrived. */
interface Version {
  readonly etag: string | null
  readonly last_modified: string | null
}

async function attemptOnce(
  client: HttpClient,
  folder: FetchedFolder,
  wanted: Wanted,
  before: FetchedFile | null,
  { now, onBytes, mostBytes }: DownloadOptions,
): Promise<Arrival> {
  const { url, file, check, isCompressed } = wanted
  const most = mostBytes ?? MOST_BYTES[isCompressed ? 'compressed' : 'text']
  const partial = folder.partial(url)
  const begun = await begunDownload(partial)
  const answer = await client.get(url, {
    // A range of a compressed answer is a range of other bytes.
    'accept-encoding': isCompressed || begun ? 'identity' : 'gzip, deflate',
    ...(begun ? { range: `bytes=${begun.bytes}-`, 'if-range': begun.validator } : conditions(before)),
  })
  try {
    if (answer.status === 304 && before && !begun) {
      await folder.note({ ...before, checked: now().toISOString() })
      return 'unchanged'
    }
    const isContinued = begun !== null && continues(answer, begun.bytes)
    if (answer.status === 416 || (answer.status === 206 && !isContinued)) {
      await discardPartial(partial)
      throw new Transient(`${url} changed while it was fetched`, 0)
    }
    if (answer.status !== 200 && answer.status !== 206) await refuse(answer, url, now())
    const version = versionOf(answer)
    if (!isContinued) await startPartial(partial, answer, version)
    const from = isContinued ? begun.bytes : 0
    if (!(await receive(answer, partial, { from, most, url }, onBytes))) {
      await discardPartial(partial)
      throw new Transient(
        `${url} has more than ${Math.floor(most / 1e6)} MB, far more than expected`,
        null,
        true,
      )
    }
    const wrong = await check(partial)
    if (wrong !== null) {
      await discardPartial(partial)
      throw new Transient(`${url} ${wrong}`)
    }
    const { bytes, sha256 } = await fingerprint(partial)
    const at = now().toISOString()
    if (before?.sha256 === sha256) {
      await discardPartial(partial)
      await folder.note({ ...before, ...version, checked: at })
      return 'unchanged'
    }
    await discard(`${partial}.json`)
    await folder.accept(partial, { file, url, bytes, sha256, ...version, fetched: at, checked: at })
    return before ? 'changed' : 'fetched'
  } finally {
    await answer.close()
  }
}

const conditions = (before: FetchedFile | null): Record<string, string> => ({
  ...(before?.etag && { 'if-none-match': before.etag }),
  ...(before?.last_modified && { 'if-modified-since': before.last_modified }),
})

const versionOf = ({ headers }: Answer): Version => ({
  etag: headers.get('etag'),
  last_modified: headers.get('last-modified'),
})

/** What arrived of a download that was cut, if the publisher can tell whether the rest still belongs to it. */
async function begunDownload(partial: string): Promise<{ bytes: number; validator: string } | null> {
  const info = await stat(partial).catch(absent)
  const text = await readFile(`${partial}.json`, 'utf8').catch(absent)
  if (info === null || info.size === 0 || text === null) return null
  try {
    const { etag, last_modified } = JSON.parse(text) as Version
    // A weak tag does not promise the same bytes.
    const validator = etag?.startsWith('"') ? etag : last_modified
    return validator ? { bytes: info.size, validator } : null
  } catch {
    return null
  }
}

const continues = ({ status, headers }: Answer, from: number): boolean =>
  status === 206 && (headers.get('content-range') ?? '').startsWith(`bytes ${from}-`)

async function startPartial(partial: string, { headers }: Answer, version: Version): Promise<void> {
  await discardPartial(partial)
  // Bytes of a compressed answer are unpacked here: a part of them cannot be continued.
  if (headers.get('content-encoding') === null && (version.etag ?? version.last_modified) !== null)
    await writeFile(`${partial}.json`, JSON.stringify(version))
}

const discardPartial = async (partial: string): Promise<void> => {
  await discard(partial)
  await discard(`${partial}.json`)
}

/** Writes what arrives; false if that is more than `most` bytes. */
async function receive(
  answer: Answer,
  partial: string,
  { from, most, url }: { from: number; most: number; url: string },
  onBytes: (bytes: number) => void,
): Promise<boolean> {
  const out = createWriteStream(partial, { flags: from > 0 ? 'a' : 'w' })
  const failed = new Promise<never>((_, reject) => out.once('error', reject))
  failed.catch(() => {})
  let length = 0
  try {
    for await (const part of answer.body()) {
      length += part.length
      if (from + length > most) return false
      onBytes(part.length)
      if (!out.write(part)) await Promise.race([once(out, 'drain'), failed])
    }
  } finally {
    const closed = once(out, 'close')
    out.end()
    await Promise.race([closed, failed])
  }
  const stated = answer.headers.get('content-length')
  if (stated !== null && answer.headers.get('content-encoding') === null && length !== Number(stated))
    throw new Transient(`${url} has ${length} of ${stated} bytes`)
  return true
}

/** Throws what a status other than 200 means. */
async function refuse(answer: Answer, url: string, now: Date): Promise<never> {
  const { status, headers } = answer
  if (status === 404 || status === 410) throw new NotThere(`${url} does not exist`)
  const { host } = new URL(url)
  const retryAfter = retryAfterMs(headers.get('retry-after'), now)
  if (status === 429) throw new Transient(`${host} asks for fewer requests (429)`, retryAfter ?? 30_000)
  if (status === 403) {
    const page = await textOf(answer)
    // The SEC says so with this status, too, and stays so for ten minutes.
    if (/rate threshold|too many requests/i.test(page))
      throw new Transient(`${host} asks for fewer requests (403)`, retryAfter ?? 600_000)
    throw new QueryError(
      'FORBIDDEN',
      `${host} refuses the request (403): give your own name and mail address with --agent, and look whether it blocks this network`,
      { url },
    )
  }
  if (status >= 500 || status === 408 || status === 425)
    throw new Transient(`${host} answers ${status}`, retryAfter)
  throw new QueryError(
    'SOURCE_UNAVAILABLE',
    `${host} answers ${status} for ${url}: its interface may have changed; look for a newer version of Tranche`,
    { url, status },
  )
}

async function textOf(answer: Answer): Promise<string> {
  let text = ''
  for await (const part of answer.body()) {
    text += Buffer.from(part).toString('latin1')
    if (text.length > 20_000) break
  }
  return text
}

/** Seconds or a date. */
function retryAfterMs(value: string | null, now: Date): number | null {
  if (value === null) return null
  if (/^\d{1,6}$/.test(value.trim())) return Number(value) * 1000
  const at = Date.parse(value)
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime())
}
