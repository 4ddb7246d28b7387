import { memberOf } from '../base/elements.ts'
import { invalid, QueryError } from '../base/errors.ts'
import { memoize } from '../base/memoize.ts'
import { isCusip, isIsin } from '../credit/identifiers.ts'
import { meantParameter, whyNoParameter } from '../names/parameter-names.ts'
import { type Column, unitOf } from './column.ts'
import { type Meant, meantChoice, meantDay, meantNumber, meantText } from './meant-value.ts'
import { isCivilDate } from './written-day.ts'

/** How a parameter is given: once or as a list, required or not, and its bounds. */
export interface Param<T = unknown, Alias extends string = string> {
  readonly column: Column
  readonly many: boolean
  readonly required: boolean
  readonly fallback?: unknown
  readonly min?: number
  readonly max?: number
  /** Maximum length of text. */
  readonly length?: number
  /** Accepts whole numbers beyond 2^53, rounded to the nearest double. */
  readonly anySize?: boolean
  /** The documented default, where the argument itself stays absent. */
  readonly usual?: unknown
  /** In words, the value of a filter that applies without being given, and what suspends it. */
  readonly standing?: string
  /** Aliases of the parameter. */
  readonly aliases?: readonly Alias[]
  readonly type?: T | undefined
}

export type Params = Readonly<Record<string, Param>>

interface Bounds {
  min?: number
  max?: number
  length?: number
  anySize?: boolean
}

/** A parameter given at most once. */
export const one = <T>(column: Column<T>, bounds: Bounds = {}): Param<T | undefined> => ({
  column,
  many: false,
  required: false,
  ...bounds,
})
/** A comma list; may be repeated. */
export const many = <T>(column: Column<T>, bounds: Bounds = {}): Param<T[] | undefined> => ({
  column,
  many: true,
  required: false,
  ...bounds,
})
export const required = <T>(param: Param<T>): Param<Exclude<T, undefined>> => ({
  ...(param as Param<never>),
  required: true,
})
export const fallback = <T>(param: Param<T>, value: Exclude<T, undefined>): Param<Exclude<T, undefined>> => ({
  ...(param as Param<never>),
  fallback: value,
})

/** Documents a default that the operation determines. */
export const usually = <T>(param: Param<T>, value: unknown): Param<T> => ({ ...param, usual: value })

/** Gives a parameter aliases, as clients of similar APIs use them. */
export const alsoNamed = <T, const Alias extends string>(
  param: Param<T>,
  ...aliases: readonly Alias[]
): Param<T, Alias> => ({ ...param, aliases })

/** Arguments as an operation receives them: parsed, validated, defaults filled in. */
export type ArgsOf<P> = { [K in keyof P]: P[K] extends Param<infer T> ? T : never }

/** One value as a caller may write it: numbers and flags also as text. */
type Written<T> = [T] extends [string] ? T : T | string
/** Several values: one, a list, or comma text, of which the type checks the first word of an enum. */
type WrittenList<E> =
  | Written<E>
  | readonly Written<E>[]
  | ([E] extends [string] ? (string extends E ? never : `${E},${string}`) : never)
type Loose<T> = T extends readonly (infer E)[] ? WrittenList<E> : Written<T>
/** Input as a caller may write it: typed or as text, lists as arrays or comma text. */
export type InputOf<P> = {
  [K in keyof P]?: InputValue<P[K]>
} & {
  [K in keyof P as AliasOf<P[K]>]?: InputValue<P[K]>
}

type InputValue<P> = P extends Param<infer T> ? Loose<Exclude<T, undefined>> | undefined : never
/** The aliases of a parameter; empty if it has none. */
type AliasOf<P> = P extends Param<infer _T, infer Alias> ? (string extends Alias ? never : Alias) : never

export type Input = Readonly<Record<string, unknown>>

/** Parameters by name, the required ones, and those with a default. */
const readable = memoize((params: Params) => {
  const all = Object.entries(params)
  return {
    named: new Map(all),
    aliases: new Map(all.flatMap(([name, { aliases = [] }]) => aliases.map(alias => [alias, name] as const))),
    required: all.filter(([, param]) => param.required),
    fallbacks: all.filter(([, param]) => param.fallback !== undefined),
  }
})

/** Validated arguments with defaults filled in; what is neither given nor has a default is omitted. */
export function parseParams<const P extends Params>(params: P, input: Input): ArgsOf<P> {
  const { named, aliases, required, fallbacks } = readable(params)
  const names = Object.keys(input)
  for (const name of names)
    if (!named.has(name) && input[name] !== undefined && !aliases.has(name))
      throw unknownParameter(name, params, input)
  const args: Record<string, unknown> = {}
  for (const [name, { fallback }] of fallbacks) args[name] = fallback
  for (const name of names) {
    const raw = input[name]
    if (raw === undefined) continue
    const own = aliases.get(name) ?? name
    const param = named.get(own)!
    const value = param.many ? parseList(name, param, raw) : parseOne(name, param, raw)
    if (value === undefined) continue
    if (param.aliases) {
      const other = names.find(n => n !== name && (aliases.get(n) ?? n) === own && !absent(input[n]))
      if (other !== undefined) throw givenTwice(name, other, own)
    }
    args[own] = value
  }
  for (const [name, { column }] of required)
    if (args[name] === undefined)
      throw new QueryError('MISSING_PARAMETER', missing(name, column), {
        parameter: name,
        ...(column.kind === 'enum' && { allowed: column.values }),
      })
  return args as ArgsOf<P>
}

const missing = (name: string, { doc, kind, values = [] }: Column): string =>
  `${name} is required: ${doc}${kind === 'enum' ? ` One of ${values.join(', ')}.` : ''}`

function unknownParameter(name: string, params: Params, input: Input): QueryError {
  const allowed = Object.keys(params)
  const reason = whyNoParameter(name, allowed)
  const suggestion = reason === null ? meantParameter(name, allowed) : undefined
  const hint = reason !== null ? `: ${reason}` : suggestion ? `; did you mean ${suggestion}?` : ''
  return invalid(short(name), shown(input[name]), `there is no parameter ${short(name)}${hint}`, {
    allowed,
    ...(suggestion && { suggestion }),
  })
}

const givenTwice = (name: string, other: string, own: string): QueryError =>
  invalid(name, null, `${name} and ${other} are both names of ${own}: give one of them`, { allowed: [own] })

/** The names in an input that match no parameter. */
export function unknownNames(params: Params, input: Input): string[] {
  const { named, aliases } = readable(params)
  return Object.keys(input).filter(
    name => !named.has(name) && !aliases.has(name) && input[name] !== undefined,
  )
}

/** A parameter by its name or an alias. */
export function paramNamed(params: Params, name: string): { name: string; param: Param } | null {
  const { named, aliases } = readable(params)
  const own = aliases.get(name) ?? name
  const param = named.get(own)
  return param ? { name: own, param } : null
}

const short = (text: string): string => (text.length > 120 ? `${text.slice(0, 120)}…` : text)

/** A value as an error message may quote it: short, on one line. */
const shown = (value: unknown): unknown => {
  if (typeof value === 'string') return short(value)
  if (Array.isArray(value)) return value.slice(0, 20).map(shown)
  return typeof value === 'object' && value !== null
    ? '[object]'
    : typeof value === 'bigint'
      ? String(value)
      : value
}

const absent = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '')

function parseOne(name: string, param: Param, given: unknown): unknown {
  if (Array.isArray(given) && param.column.kind !== 'json') {
    const parts = given.filter(v => !absent(v))
    if (parts.length > 1) throw invalid(name, shown(given), `${name} takes one value, not ${parts.length}`)
    given = parts[0]
  }
  return absent(given) ? undefined : parseValue(name, param, given)
}

/** Unique values in order. A short list is searched linearly. */
const distinct = (values: unknown[]): unknown[] =>
  values.length <= 16 && values.every((value, i) => values.indexOf(value) === i)
    ? values
    : [...new Set(values)]

function parseList(name: string, param: Param, given: unknown): unknown[] | undefined {
  if (absent(given)) return undefined
  const values: unknown[] = []
  const take = (part: unknown) => {
    if (!absent(part)) values.push(parseValue(name, param, part))
  }
  // Enum values contain no comma, and keep a trailing space that may stand for a plus.
  const split = (item: string) =>
    param.column.kind === 'enum' && !item.includes('"') ? item.split(',') : splitList(item)
  for (const item of Array.isArray(given) ? given : [given])
    if (typeof item === 'string' && /[,"]/.test(item)) split(item).forEach(take)
    else take(item)
  if (values.length > 1000)
    throw invalid(name, values.length, `${name} takes at most 1000 values`, { max: 1000 })
  return values.length > 0 ? distinct(values) : undefined
}

/** Splits at commas; a value containing a comma is written in double quotes. */
export function splitList(text: string): string[] {
  if (!text.includes('"')) return text.split(',').map(s => s.trim())
  const values: string[] = []
  for (let at = 0; at < text.length; ) {
    const quoted = quotedValue(text, at)
    if (quoted) {
      values.push(quoted.value)
      at = quoted.end + 1
    } else {
      const comma = text.indexOf(',', at)
      const end = comma < 0 ? text.length : comma
      values.push(text.slice(at, end).trim())
      at = end + 1
    }
  }
  return values.filter(s => s !== '')
}

const OPENING_QUOTE = /\s*"/y
const END_OF_VALUE = /\s*(?:,|$)/y

/**
 * The double-quoted value that starts at an index, and the index of the comma or end after it; null if there is none.
 */
function quotedValue(text: string, at: number): { value: string; end: number } | null {
  OPENING_QUOTE.lastIndex = at
  if (!OPENING_QUOTE.test(text)) return null
  const from = OPENING_QUOTE.lastIndex
  let close = text.indexOf('"', from)
  // A doubled quote is a quote inside the value.
  while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2)
  if (close < 0) return null
  END_OF_VALUE.lastIndex = close + 1
  const end = END_OF_VALUE.exec(text)
  if (!end) return null
  const stop = end[0].endsWith(',') ? END_OF_VALUE.lastIndex - 1 : text.length
  return { value: text.slice(from, close).replaceAll('""', '"'), end: stop }
}

/** Maximum length in characters of a number, day, flag or enum value. Text has its own limit. */
const LONGEST_SCALAR = 100

const ownLength: ReadonlySet<Column['kind']> = new Set(['text', 'timestamp', 'list', 'json'])

const decimal = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]+)?$/i

export function parseValue(name: string, param: Param, given: unknown): unknown {
  const { column } = param
  if (column.takesNone && typeof given === 'string' && given.trim().toLowerCase() === 'none') return 'none'
  if (typeof given === 'string' && given.length > LONGEST_SCALAR && !ownLength.has(column.kind))
    throw invalid(name, shown(given), `${name} is longer than ${LONGEST_SCALAR} characters`, {
      max: LONGEST_SCALAR,
    })
  switch (column.kind) {
    case 'boolean':
      return parseBoolean(name, given)
    case 'cents':
    case 'integer':
    case 'percent':
    case 'bps':
    case 'ratio':
    case 'years':
    case 'number':
      return parseNumber(name, param, given)
    case 'date':
      return parseDate(name, given)
    case 'enum':
      return parseEnum(name, param, given)
    case 'json':
      return given
    default:
      return parseText(name, param, given)
  }
}

/** The error for a value of another form, with what it probably means. */
const wrongForm = (name: string, given: unknown, says: string, meant: Meant | null, details: object = {}) =>
  invalid(name, shown(given), meant === null ? says : `${says}; ${short(meant.says)}`, {
    ...details,
    ...(meant?.suggestion !== undefined && { suggestion: meant.suggestion }),
  })

const yesNo: Readonly<Record<string, string>> = { yes: 'true', y: 'true', no: 'false', n: 'false' }

function parseBoolean(name: string, given: unknown): boolean {
  // An object may lack a text form.
  const text = typeof given === 'object' ? '' : String(given).trim().toLowerCase()
  if (text === 'true' || text === '1') return true
  if (text === 'false' || text === '0') return false
  const suggestion = Object.hasOwn(yesNo, text) ? yesNo[text] : undefined
  throw invalid(name, shown(given), `${name} must be true or false`, {
    allowed: ['true', 'false'],
    ...(suggestion && { suggestion }),
  })
}

/** The number that was meant, if the parameter may have it. */
function meantInRange({ column, min, max }: Param, given: unknown): Meant | null {
  const meant = typeof given === 'string' ? meantNumber(column, given) : null
  const value = Number(meant?.suggestion ?? Number.NaN)
  return (min !== undefined && value < min) || (max !== undefined && value > max) ? null : meant
}

/** `percent` or `cents`; a ratio has none. */
const wordOfUnit = (column: Column): string => {
  const unit = unitOf(column)
  return unit === undefined || unit === 'ratio' ? '' : unit
}

function parseNumber(name: string, param: Param, given: unknown): number {
  const whole = param.column.kind === 'cents' || param.column.kind === 'integer'
  const unit = wordOfUnit(param.column)
  const what = `${whole ? 'a whole number' : 'a number'}${unit && ` of ${unit}`}${param.column.takesNone ? ', or none' : ''}`
  const value =
    typeof given === 'number'
      ? given
      : typeof given === 'bigint'
        ? Number(given)
        : typeof given === 'string' && decimal.test(given.trim())
          ? Number(given)
          : Number.NaN
  if (!Number.isFinite(value) || (whole && !Number.isInteger(value)))
    throw wrongForm(name, given, `${name} must be ${what}`, meantInRange(param, given))
  if (whole && !param.anySize && !Number.isSafeInteger(value))
    throw invalid(name, shown(given), `${name} must be ${what} between -(2^53-1) and 2^53-1`, {
      min: Number.MIN_SAFE_INTEGER,
      max: Number.MAX_SAFE_INTEGER,
    })
  const { min, max } = param
  if ((min !== undefined && value < min) || (max !== undefined && value > max)) {
    const range =
      min !== undefined && max !== undefined
        ? `between ${min} and ${max}`
        : min !== undefined
          ? `at least ${min}`
          : `at most ${max}`
    throw invalid(name, shown(given), `${name} must be ${range}`, {
      ...(min !== undefined && { min }),
      ...(max !== undefined && { max }),
    })
  }
  // -0 would print and compare as 0.
  return value === 0 ? 0 : value
}

function parseDate(name: string, given: unknown): string {
  const text = typeof given === 'string' ? given.trim() : ''
  if (!isCivilDate(text))
    throw wrongForm(name, given, `${name} must be a valid day, YYYY-MM-DD`, meantDay(name, text))
  return text
}

function parseEnum(name: string, { column, many }: Param, given: unknown): string {
  const { values: allowed = [], valueAliases } = column
  const text = typeof given === 'string' ? given.trim() : ''
  const word = text.toLowerCase()
  if (valueAliases && Object.hasOwn(valueAliases, word)) return memberOf(valueAliases, word)
  const find = (word: string) => allowed.find(v => v.toLowerCase() === word.toLowerCase())
  // `?sp_rating=BB+` arrives as `BB `: in a query string an unescaped plus is a space.
  const found = (typeof given === 'string' && given.endsWith(' ') && find(`${text}+`)) || find(text)
  if (found !== undefined) return found
  const meant = typeof given === 'string' ? meantChoice(column, given, many) : null
  throw wrongForm(name, given, `${name} must be one of ${allowed.join(', ')}`, meant, { allowed })
}

const shapes: Record<string, { good: (text: string) => boolean; says: string }> = {
  // A name is looked up as a ticker too: the error suggests the ticker of the company.
  ticker: { good: t => /^[^\s,](?:[^\t\n\r,]{0,62}[^\s,])?$/u.test(t), says: 'a ticker' },
  cusip: { good: isCusip, says: 'a CUSIP: 9 characters with a valid check digit' },
  isin: { good: isIsin, says: 'an ISIN: 12 characters with a valid check digit' },
  lei: { good: t => /^[0-9A-Z]{20}$/.test(t), says: 'an LEI: 20 letters and digits' },
  cik: { good: t => /^[0-9]{1,10}$/.test(t), says: 'a CIK: up to 10 digits' },
  uuid: { good: t => /^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/.test(t), says: 'a UUID' },
  currency: { good: t => /^[A-Z]{3}$/.test(t), says: 'an ISO currency of three letters' },
  snapshot: {
    good: t => /^[0-9]{8}T[0-9]{6}Z-[0-9A-F]{8}$/.test(t),
    says: 'the id of a snapshot, as meta.snapshot has it',
  },
}

const ascii = /^[ -~]*$/

function parseText(name: string, param: Param, given: unknown): string {
  if (typeof given !== 'string' && typeof given !== 'number')
    throw invalid(name, shown(given), `${name} must be text`)
  const { column, length = 512 } = param
  const text = String(given).trim()
  if (text.length > length)
    throw invalid(name, shown(text), `${name} is longer than ${length} characters`, { max: length })
  const isAscii = ascii.test(text)
  if (!isAscii && (text.includes('\0') || !text.isWellFormed()))
    throw invalid(name, shown(text.toWellFormed()), `${name} contains invalid characters`)
  if (!column.format) return isAscii ? text : text.normalize('NFC')
  const shaped = text.toUpperCase()
  const { good, says } = memberOf(shapes, column.format)
  if (!good(shaped)) throw wrongForm(name, given, `${name} must be ${says}`, meantText(column.format, text))
  if (column.format === 'cik') return shaped.padStart(10, '0')
  if (column.format === 'snapshot') return shaped.replace(/[A-F]/g, digit => digit.toLowerCase())
  return column.format === 'uuid' ? shaped.toLowerCase() : shaped
}
