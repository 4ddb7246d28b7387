import { QueryError } from '../base/errors.ts'
import { storageError } from '../lake/durable.ts'
import { FetchedFolder } from './fetched-folder.ts'
import { type FredRequest, fetchFred } from './fred.ts'
import { fetchGleif, type GleifRequest } from './gleif.ts'
import { type ClientOptions, HttpClient } from './http-client.ts'
import { fetchNport, type NportRequest, resolveNport } from './nport.ts'
import { fetchSec, resolveSec, type SecRequest } from './sec.ts'
import { type FetchProgress, type FileOutcome, Session } from './session.ts'
import { fetchTreasury, type TreasuryRequest } from './treasury.ts'

export type FetchRequest = SecRequest | TreasuryRequest | FredRequest | NportRequest | GleifRequest
export type Source = FetchRequest['source']
export const sources = ['sec', 'treasury', 'fred', 'nport', 'gleif'] as const satisfies readonly Source[]

export interface FetchOptions extends ClientOptions {
  /** The folder to keep files in. */
  readonly to: string
  readonly now?: () => Date
  readonly progress?: (progress: FetchProgress) => void
  /** Most bytes of one file; by default 500 MB of text and 4 GB of an archive. */
  readonly mostBytes?: number
}

export interface FetchReport {
  /** What became of every file that was wanted, in the order asked for. */
  readonly files: readonly FileOutcome[]
  /** Every file that the folder holds, whenever it came: what there is to ingest. */
  readonly held: readonly string[]
  readonly notes: readonly string[]
  /** Requests that could not be carried out to their end. */
  readonly stopped: readonly { readonly source: Source; readonly error: QueryError }[]
}

/**
 * Fetches public files into a folder, and remembers what was asked for. Throws if no request can be carried out; what
 * has arrived stays, and the same call continues.
 */
export const fetchSources = (
  requests: readonly FetchRequest[],
  options: FetchOptions,
): Promise<FetchReport> => inFolder(options, (session, folder) => run(session, folder, requests))

/** Asks again for everything fetched into a folder before, or for what came of one source. */
export const fetchAgain = (options: FetchOptions, source?: Source): Promise<FetchReport> =>
  inFolder(options, async (session, folder) => {
    const all = (await folder.requests()) as readonly FetchRequest[]
    const requests = all.filter(request => source === undefined || request.source === source)
    if (requests.length === 0)
      throw new QueryError(
        'NOT_FOUND',
        `nothing${source ? ` of ${source}` : ''} has been fetched into ${options.to} yet: begin with "tranche fetch ${source ?? 'sec'}${(source ?? 'sec') === 'sec' ? ' --tickers AAPL,VZ' : ''}"`,
      )
    return run(session, folder, requests)
  })

async function inFolder(
  { to, now = () => new Date(), progress = () => {}, mostBytes, ...options }: FetchOptions,
  work: (session: Session, folder: FetchedFolder) => Promise<FetchReport>,
): Promise<FetchReport> {
  const client = new HttpClient(options)
  try {
    return await FetchedFolder.use(to, folder =>
      work(new Session(client, folder, { now, tell: progress, mostBytes }), folder),
    )
  } catch (error) {
    options.signal?.throwIfAborted()
    throw storageError(error, '; what was fetched is kept')
  }
}

async function run(
  session: Session,
  folder: FetchedFolder,
  requests: readonly FetchRequest[],
): Promise<FetchReport> {
  const stopped: { source: Source; error: QueryError }[] = []
  for (const request of requests)
    try {
      const resolved = await resolve(session, request)
      await folder.remember(merged((await folder.requests()) as readonly FetchRequest[], resolved))
      await carryOut(session, resolved)
    } catch (error) {
      if (!(error instanceof QueryError)) throw error
      stopped.push({ source: request.source, error })
    }
  const [first] = stopped
  if (first && stopped.length === requests.length) throw first.error
  const files = [...session.outcomes.values()].filter(({ file }) => isData(file))
  const held = (await folder.held()).filter(isData)
  return { files, held, notes: session.notes, stopped }
}

/** Not a list that is read only to find others. */
const isData = (file: string): boolean => !file.startsWith('.fetch/')

async function resolve(session: Session, request: FetchRequest): Promise<FetchRequest> {
  if (request.source === 'sec') return resolveSec(session, request)
  return request.source === 'nport' ? resolveNport(session, request) : request
}

async function carryOut(session: Session, request: FetchRequest): Promise<void> {
  switch (request.source) {
    case 'sec':
      return fetchSec(session, request)
    case 'treasury':
      return fetchTreasury(session, request)
    case 'fred':
      return fetchFred(session, request)
    case 'nport':
      return fetchNport(session, request)
    case 'gleif':
      return fetchGleif(session)
  }
}

/** The requests with one more, whose lists join those of a request that differs in nothing else. */
function merged(requests: readonly FetchRequest[], request: FetchRequest): FetchRequest[] {
  const LISTS = ['ciks', 'funds', 'series', 'quarters']
  const rest = (one: FetchRequest) =>
    JSON.stringify(
      Object.entries(one)
        .filter(([name]) => !LISTS.includes(name))
        .sort(),
    )
  const same = requests.find(one => rest(one) === rest(request))
  if (!same) return [...requests, request]
  const listed = (one: FetchRequest, name: string) =>
    (one as unknown as Record<string, readonly string[] | undefined>)[name] ?? []
  const joined = Object.fromEntries(
    Object.entries({ ...same, ...request }).map(([name, value]) => [
      name,
      LISTS.includes(name) ? [...new Set([...listed(same, name), ...listed(request, name)])] : value,
    ]),
  )
  return requests.map(one => (one === same ? (joined as unknown as FetchRequest) : one))
}
