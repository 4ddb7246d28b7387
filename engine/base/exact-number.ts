/** A decimal that a double cannot hold, as its digits: `123456789012345678.90`. */
export class ExactDecimal {
  readonly digits: string

  constructor(digits: string) {
    this.digits = digits
  }

  toString(): string {
    return this.digits
  }

  /** Throws, as a bigint does, rather than being rounded or quoted by accident: use `exactJson`. */
  toJSON(): never {
    throw new TypeError('JSON.stringify would not keep this number: use exactJson')
  }
}

/** Significant digits that a double always preserves. */
const SAFE_DIGITS = 15

/** Decimal text as a number if a double holds it exactly, else an ExactDecimal. */
export function exactDecimal(text: string): number | ExactDecimal {
  const number = Number(text)
  if (significant(text).length <= SAFE_DIGITS || isSame(text, String(number))) return number
  return new ExactDecimal(text)
}

/** Digits from the first to the last non-zero one. */
function significant(text: string): string {
  let digits = ''
  for (const c of text) if (c >= '0' && c <= '9' && (c !== '0' || digits !== '')) digits += c
  let end = digits.length
  while (end > 0 && digits[end - 1] === '0') end--
  return digits.slice(0, end)
}

/** Whether two decimal texts are the same number. False where `b` is in exponential notation. */
function isSame(a: string, b: string): boolean {
  if (b.includes('e')) return false
  return withoutPadding(a) === withoutPadding(b)
}

function withoutPadding(text: string): string {
  if (!text.includes('.')) return text
  let end = text.length
  while (text[end - 1] === '0') end--
  return text.slice(0, text[end - 1] === '.' ? end - 1 : end)
}

/** JSON text that keeps every digit of whole numbers and decimals. */
export function exactJson(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  switch (typeof value) {
    case 'number':
      return Number.isFinite(value) ? String(value) : 'null'
    case 'bigint':
    case 'boolean':
      return String(value)
    case 'string':
      return JSON.stringify(value)
  }
  if (value instanceof ExactDecimal) return value.digits
  if (Array.isArray(value)) return `[${value.map(exactJson).join(',')}]`
  const members = Object.entries(value as object)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => `${JSON.stringify(name)}:${exactJson(member)}`)
  return `{${members.join(',')}}`
}

/** Sets a property whatever its name: assigning to `__proto__` would be lost. */
export function setMember(object: object, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
  else (object as Record<string, unknown>)[name] = value
}

/** The value without ExactDecimal, for callers of the library: decimals that a double cannot hold become text. */
export function withDecimalsAsText(value: unknown): unknown {
  if (value instanceof ExactDecimal) return value.digits
  if (Array.isArray(value)) return value.map(withDecimalsAsText)
  if (typeof value !== 'object' || value === null) return value
  const copy = {}
  for (const [name, member] of Object.entries(value)) setMember(copy, name, withDecimalsAsText(member))
  return copy
}

/** The value with whole numbers and decimals that a double cannot hold as text, for readers that would round them. */
export function withLargeNumbersAsText(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (value instanceof ExactDecimal) return value.digits
  if (Array.isArray(value)) return value.map(withLargeNumbersAsText)
  if (typeof value !== 'object' || value === null) return value
  const copy = {}
  for (const [name, member] of Object.entries(value)) setMember(copy, name, withLargeNumbersAsText(member))
  return copy
}

/** A decimal as an integer of its last place: 1.5 at scale 2 is 150. */
export function scaledDecimal(value: unknown, scale: number): bigint {
  const [mantissa, exponent = '0'] = String(value).split('e') as [string, string?]
  const [whole, fraction = ''] = mantissa.split('.') as [string, string?]
  const shift = scale - fraction.length + Number(exponent)
  const digits = BigInt(whole + fraction)
  return shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift)
}

/**
 * Parses JSON without rounding: a whole number that a double cannot hold becomes a bigint, such a decimal an
 * ExactDecimal. Throws SyntaxError on invalid JSON.
 */
export function parseExactJson(text: string): unknown {
  const rounded: unknown = JSON.parse(text)
  if (!/\d{16}/.test(text.replaceAll('.', ''))) return rounded
  // Not `randomUUID`, which browsers offer over TLS only.
  const mark = `${crypto.getRandomValues(new Uint32Array(4)).join('-')}:`
  let marked = ''
  let copied = 0
  for (let at = 0; at < text.length; ) {
    const c = text[at]!
    if (c === '"') at = endOfString(text, at)
    else if (c === '-' || isDigit(c)) {
      const end = endOfNumber(text, at)
      const number = text.slice(at, end)
      if (end - at > SAFE_DIGITS && !isExact(number)) {
        marked += `${text.slice(copied, at)}"${mark}${number}"`
        copied = end
      }
      at = end
    } else at++
  }
  return JSON.parse(marked + text.slice(copied), (_, value) => {
    if (typeof value !== 'string' || !value.startsWith(mark)) return value
    const digits = value.slice(mark.length)
    return digits.includes('.') ? exactDecimal(digits) : BigInt(digits)
  })
}

const isDigit = (c: string): boolean => c >= '0' && c <= '9'

function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

function endOfNumber(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && (isDigit(text[at]!) || '.eE+-'.includes(text[at]!))) at++
  return at
}

/** Whether a double holds a number exactly. True for exponential notation, which came from a double. */
function isExact(number: string): boolean {
  if (number.includes('e') || number.includes('E')) return true
  if (number.includes('.')) return typeof exactDecimal(number) === 'number'
  return Number.isSafeInteger(Number(number))
}
