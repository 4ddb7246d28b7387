import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { Answer } from '../start.ts'

/** What CONTRACT says of errors: the status of each code. */
export const statuses: Readonly<Record<string, number>> = {
  INVALID_PARAMETER: 400,
  MISSING_PARAMETER: 400,
  INVALID_JSON: 400,
  RESULT_TOO_LARGE: 400,
  INVALID_SQL: 400,
  INVALID_REQUEST: 400,
  UNAUTHORIZED: 401,
  INSUFFICIENT_CREDITS: 402,
  TIER_RESTRICTED: 403,
  INVALID_TICKER: 404,
  INVALID_CUSIP: 404,
  NOT_FOUND: 404,
  NO_SNAPSHOT: 404,
  METHOD_NOT_ALLOWED: 405,
  NOT_ACCEPTABLE: 406,
  REQUEST_TIMEOUT: 408,
  SNAPSHOT_GONE: 410,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  MISDIRECTED_REQUEST: 421,
  RATE_LIMITED: 429,
  HEADERS_TOO_LARGE: 431,
  INTERNAL_ERROR: 500,
  NOT_READY: 503,
  OVERLOADED: 503,
  MEMORY_LIMIT: 503,
  REMOTE_UNAVAILABLE: 503,
  REMOTE_SNAPSHOT_MISSING: 503,
  EMBEDDER_UNAVAILABLE: 503,
  STORAGE_FAILED: 503,
  STATE_UNAVAILABLE: 503,
  DATA_DAMAGED: 503,
  STATE_DAMAGED: 503,
  QUERY_TIMEOUT: 504,
}

// biome-ignore lint/suspicious/noExplicitAny: a document is looked into at many depths
export type Document = Record<string, any>

export interface Asked {
  readonly method: string
  /** Path and query as sent. */
  readonly path: string
  /** When it was sent, in milliseconds of the epoch. */
  readonly at: number
  /** It was sent with an active key. */
  readonly known: boolean
}

/** What is wrong with an answer to any request, by the document and by the rules for all answers. */
export type Judge = (asked: Asked, answer: Answer) => string[]

const LEAK =
  /\/(?:tmp|home|work|root|usr|var|etc)\/|node_modules|\.ts:\d|\.js:\d|\bat \w+ \(|\bSELECT\b.*\bFROM\b|read_parquet|\bstored\.|Binder Error|Parser Error|Conversion Error|duckdb|sqlite/i

export function judgeBy(document: Document): Judge {
  const faults = schemasOf(document)
  const pathOf = templatesOf(document)
  return ({ method, path: sent, known, at }, answer) => {
    const { status, headers, body, text } = answer
    const path = pathOf(method, sent)
    const wrong: string[] = []
    const must = (holds: unknown, says: string) => holds || wrong.push(says)
    const id = headers['x-request-id']
    must(id, 'no X-Request-Id')
    for (const name of ['X-API-Key', 'Accept', 'Accept-Encoding'])
      must(headers['vary']?.includes(name), `Vary without ${name}`)
    must(headers['x-content-type-options'] === 'nosniff' && !headers['x-powered-by'], 'headers that tell')
    if (known) {
      const [limit, left, reset] = ['limit', 'remaining', 'reset'].map(n => headers[`x-ratelimit-${n}`])
      must(
        [limit, left, reset].every(v => /^\d+$/.test(String(v))),
        'no X-RateLimit headers',
      )
      must(Number(left) <= Number(limit), 'more requests left than there are')
      const [asked, answered] = [Number(reset) - at / 1000, Number(reset) - Date.now() / 1000]
      must(asked > -5 && answered < 65, `X-RateLimit-Reset ${asked} s after it was asked`)
    }
    if (status === 304 || status === 204 || method === 'HEAD') {
      must(answer.bytes.length === 0, 'a body where there is none')
      return wrong
    }
    if (status >= 400) {
      const { error, ...rest } = body ?? {}
      must(error && Object.keys(rest).length === 0, `no error body: ${text.slice(0, 100)}`)
      must(
        String(Object.keys(error ?? {})) === 'code,message,details,request_id',
        `an error of ${Object.keys(error ?? {})}`,
      )
      must(statuses[error?.code] === status, `${status} ${error?.code}`)
      must(typeof error?.message === 'string' && error.message.length > 10, 'a message that says nothing')
      must(typeof error?.details === 'object' && error?.details !== null, 'details that are no object')
      must(error?.request_id === id, 'another request id in the body')
      must(!LEAK.test(text), `something leaks: ${LEAK.exec(text)?.[0]}`)
      must((status !== 429 && status !== 503) || /^\d+$/.test(headers['retry-after'] ?? ''), 'no Retry-After')
      must(status !== 401 || headers['www-authenticate'], 'no WWW-Authenticate')
      must(status !== 405 || headers['allow'], 'no Allow')
      must(headers['cache-control'] === 'no-store' && !headers['etag'], 'an error that may be kept')
    } else if (path !== null && body !== undefined) {
      must(body.meta?.request_id === id, 'another request id in the body')
      if (body.meta?.snapshot && method === 'GET') {
        must(/^W\/"[^"]+"$/.test(headers['etag'] ?? ''), 'no weak ETag')
        must(headers['cache-control'] === 'private, max-age=0, must-revalidate', 'Cache-Control')
      }
    }
    if (path !== null && body !== undefined) wrong.push(...faults(method, path, status, body))
    return wrong
  }
}

/** The document's path of a request; null if it has none. */
function templatesOf({ paths }: Document) {
  const known = Object.entries<Document>(paths).map(([path, methods]) => ({
    path,
    methods: Object.keys(methods),
    like: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }))
  return (method: string, sent: string): string | null => {
    const bare = sent.split('?')[0]!
    const found = known.find(k => k.methods.includes(method.toLowerCase()) && k.like.test(bare))
    return found?.path ?? null
  }
}

/** Violations of the status's schema in a body. */
function schemasOf(document: Document) {
  const ajv = new Ajv2020({ strict: false })
  ;(formats as unknown as (ajv: Ajv2020) => void)(ajv)
  const { paths, components } = JSON.parse(
    JSON.stringify(document).replaceAll('"#/', '"document#/'),
  ) as Document
  ajv.addSchema({ $id: 'document', components })
  const validators = new Map<string, ValidateFunction | null>()
  const validatorOf = (method: string, path: string, status: number): ValidateFunction | null => {
    const { responses } = paths[path][method.toLowerCase()]
    const found = responses[status] ?? (status >= 400 ? responses['default'] : undefined)
    const { content } = found?.$ref ? components.responses[found.$ref.split('/').at(-1)] : (found ?? {})
    const schema = content?.['application/json']?.schema
    return schema ? ajv.compile(schema) : null
  }
  return (method: string, path: string, status: number, body: unknown): string[] => {
    const name = `${method} ${path} ${status}`
    if (!validators.has(name)) validators.set(name, validatorOf(method, path, status))
    const validate = validators.get(name)
    if (!validate) return [`the document does not tell of ${name}`]
    if (validate(body)) return []
    const { instancePath, message, params } = validate.errors![0]!
    return [`${name}: ${instancePath} ${message} ${JSON.stringify(params).slice(0, 200)}`]
  }
}
