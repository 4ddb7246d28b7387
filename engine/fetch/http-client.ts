import { setTimeout as wait } from 'node:timers/promises'
import { invalid, QueryError } from '../base/errors.ts'

export interface ClientOptions {
  /** Who asks, with a mail address: sent as the user agent. */
  readonly agent: string
  /** Serves every public host below its own address, `http://127.0.0.1:9000/www.sec.gov/...`. */
  readonly mirror?: string
  /** Most requests a second to one publisher. */
  readonly perSecond?: number
  readonly signal?: AbortSignal
  /** Milliseconds without an answer, or with hardly any bytes of one, after which it has failed. */
  readonly patience?: number
  /** Waits some milliseconds; throws when the signal is aborted. */
  readonly pause?: (ms: number, signal?: AbortSignal) => Promise<void>
}

/** Requests a second by publisher. The SEC allows ten. */
const PER_SECOND: Readonly<Record<string, number>> = { 'sec.gov': 5 }
const USUAL_PER_SECOND = 1
export const MOST_PER_SECOND = 10

const PATIENCE_MS = 60_000
/** Fewer bytes in that time are no download: a byte a minute would hold a run for years. */
const LEAST_BYTES = 10_000
const MOST_REDIRECTS = 5

/** A failure that another attempt may not meet. */
export class Transient extends Error {
  /** Milliseconds after which the server wants to be asked again. */
  readonly retryAfter: number | null
  /** Whether to leave another attempt to another run. */
  readonly isForThisRun: boolean

  constructor(message: string, retryAfter: number | null = null, isForThisRun = false) {
    super(message)
    this.name = 'Transient'
    this.retryAfter = retryAfter
    this.isForThisRun = isForThisRun
  }
}

/** An answer whose body is read piece by piece; `close` ends it early. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  body(): AsyncGenerator<Uint8Array>
  close(): Promise<void>
}

const usualPause = async (ms: number, signal?: AbortSignal): Promise<void> => {
  await wait(ms, undefined, signal ? { signal } : {})
}

/**
 * Asks public servers, one request at a time: says who asks, keeps a distance between the requests to one publisher,
 * and follows redirects within the publisher's own hosts.
 */
export class HttpClient {
  private readonly options: ClientOptions
  private readonly mirror: URL | null
  /** The earliest time of the next request, by publisher. */
  private readonly next = new Map<string, number>()
  readonly pause: (ms: number) => Promise<void>

  constructor(options: ClientOptions) {
    this.options = { ...options, agent: checkedAgent(options.agent) }
    this.mirror = options.mirror === undefined ? null : mirrorAt(options.mirror)
    const pause = options.pause ?? usualPause
    this.pause = ms => pause(ms, options.signal)
  }

  /** Asks for a public address; throws `Transient` where no answer comes. */
  async get(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const publisher = publisherOf(new URL(url).hostname)
    let address = this.addressOf(new URL(url))
    for (let redirects = 0; ; redirects++) {
      await this.distance(publisher)
      const answer = await this.ask(address, headers, new URL(url).hostname)
      const to = answer.headers.get('location')
      if (![301, 302, 303, 307, 308].includes(answer.status) || to === null) return answer
      await answer.close()
      if (redirects === MOST_REDIRECTS) throw new Transient(`${url} was redirected ${redirects} times`)
      address = this.redirected(to, address, publisher)
    }
  }

  /** Where a public address is asked for: the same without a mirror. */
  private addressOf(url: URL): URL {
    if (this.mirror === null) return url
    const base = this.mirror.pathname.replace(/\/$/, '')
    return new URL(`${base}/${url.hostname}${url.pathname}${url.search}`, this.mirror)
  }

  private redirected(location: string, from: URL, publisher: string): URL {
    if (!URL.canParse(location, from.href))
      throw new Transient(`${from.host} redirects to ${location.slice(0, 100)}, which is no address`)
    const to = new URL(location, from)
    if (this.mirror !== null && to.origin === this.mirror.origin) return to
    // The agent names a person: it goes to the publisher that was asked, and to nobody else.
    if (to.protocol === 'https:' && publisherOf(to.hostname) === publisher) return this.addressOf(to)
    throw new QueryError(
      'SOURCE_UNAVAILABLE',
      `${from.host} redirects to ${to.protocol}//${to.host}, which is not ${publisher}: it was not followed`,
      { from: from.href, to: to.href },
    )
  }

  /** Waits for this publisher's turn. */
  private async distance(publisher: string): Promise<void> {
    const perSecond = this.options.perSecond ?? PER_SECOND[publisher] ?? USUAL_PER_SECOND
    const now = Date.now()
    const at = Math.max(now, this.next.get(publisher) ?? 0)
    this.next.set(publisher, at + 1000 / Math.min(perSecond, MOST_PER_SECOND))
    if (at > now) await this.pause(at - now)
  }

  private async ask(address: URL, headers: Readonly<Record<string, string>>, host: string): Promise<Answer> {
    const { agent, signal, patience = PATIENCE_MS } = this.options
    signal?.throwIfAborted()
    const silence = silenceTimer(signal, patience)
    const failed = (error: unknown): Error => {
      signal?.throwIfAborted()
      return new Transient(
        `${host} ${silence.isOver() ? `was silent for ${patience / 1000} seconds` : whyNot(error)}`,
      )
    }
    const response = await fetch(address, {
      headers: { 'user-agent': agent, ...headers },
      redirect: 'manual',
      signal: silence.signal,
    }).catch(error => {
      silence.end()
      throw failed(error)
    })
    return {
      status: response.status,
      headers: response.headers,
      async *body() {
        let [since, bytes] = [performance.now(), 0]
        try {
          for await (const part of response.body ?? []) {
            silence.begin()
            bytes += part.length
            yield part
            if (performance.now() - since < patience) continue
            if (bytes < LEAST_BYTES)
              throw new Transient(`${host} sent ${bytes} bytes in ${patience / 1000} seconds`)
            ;[since, bytes] = [performance.now(), 0]
          }
        } catch (error) {
          throw error instanceof Transient ? error : failed(error)
        } finally {
          silence.end()
        }
      },
      async close() {
        silence.end()
        await response.body?.cancel().catch(() => {})
      },
    }
  }
}

/** Aborts its signal after a silence, and when the outer signal is. */
function silenceTimer(outer: AbortSignal | undefined, patience: number) {
  const controller = new AbortController()
  let isOver = false
  let timer: NodeJS.Timeout | undefined
  const stop = () => controller.abort(outer!.reason)
  outer?.addEventListener('abort', stop, { once: true })
  const begin = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      isOver = true
      controller.abort()
    }, patience)
  }
  const end = () => {
    clearTimeout(timer)
    outer?.removeEventListener('abort', stop)
  }
  begin()
  return { signal: controller.signal, isOver: () => isOver, begin, end }
}

const CAUSES: Readonly<Record<string, string>> = {
  ENOTFOUND: 'cannot be found: check the network and the name servers',
  EAI_AGAIN: 'cannot be found: check the network and the name servers',
  ECONNREFUSED: 'refuses the connection',
  ECONNRESET: 'cut the connection',
  EPIPE: 'cut the connection',
  UND_ERR_SOCKET: 'cut the connection',
  UND_ERR_CONNECT_TIMEOUT: 'does not answer',
  ETIMEDOUT: 'does not answer',
}

function whyNot(error: unknown): string {
  const { cause, message } = error as Error & { cause?: { code?: string; message?: string } }
  return CAUSES[cause?.code ?? ''] ?? `cannot be read: ${cause?.message ?? message}`
}

/** `data.sec.gov` and `www.sec.gov` belong to `sec.gov`. */
const publisherOf = (host: string): string => host.split('.').slice(-2).join('.')

export const AGENT_HELP =
  'say who asks, with a mail address, as the SEC demands of programs: --agent "Jane Doe jane@example.com", or set TRANCHE_USER_AGENT'

/** At most 200 characters of printable ASCII with a mail address: what else a header may hold is not for a name. */
function checkedAgent(agent: string): string {
  const text = agent.trim()
  if (text === '') throw new QueryError('MISSING_PARAMETER', AGENT_HELP, { parameter: 'agent' })
  const words = text.split(/\s+/)
  const isMail = (word: string) => {
    const [name = '', host = '', ...more] = word.replace(/^[<(]|[>)]$/g, '').split('@')
    return name !== '' && host.includes('.') && more.length === 0
  }
  if (text.length > 200 || /[^\x20-\x7e]/.test(text) || words.length < 2 || !words.some(isMail))
    throw invalid('agent', text.slice(0, 200), `"${text.slice(0, 80)}" does not: ${AGENT_HELP}`)
  return text
}

function mirrorAt(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw invalid(
      'mirror',
      text,
      `mirror must be the address of a server, such as https://mirror.example/public`,
    )
  return url
}
