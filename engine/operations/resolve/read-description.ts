import { elementAt, groupOf } from '../../base/elements.ts'
import { isLei } from '../../credit/identifiers.ts'
import { canonicalWord, LEGAL_FORMS } from '../../names/issuer-name.ts'
import { isIdentifier, writtenIdentifier } from './written-identifier.ts'

/** A written bond description, parsed. */
export interface BondDescription {
  /** A whole CUSIP or ISIN among the words. */
  readonly identifier?: string
  /** A LEI among the words: of the issuer. */
  readonly lei?: string
  /** Words that may be part of a CUSIP or ISIN. */
  readonly fragments: readonly string[]
  /** Words that may name an issuer, in lower case, without legal forms. */
  readonly words: readonly string[]
  /** The first word, whatever it is: a ticker may be spelled like a security word. */
  readonly first?: string
  /** Legal forms of the issuer: `inc`, `plc`. */
  readonly forms: readonly string[]
  /** Words for the kind of instrument, as in `seniority` and `instrument_type`: `senior`, `secured`. */
  readonly kinds: readonly string[]
  readonly coupon?: WrittenCoupon
  readonly maturity?: WrittenMaturity
  readonly floats?: boolean
  readonly perpetual?: boolean
}

export interface WrittenCoupon {
  /** Percent a year. */
  readonly rate: number
  /** Decimals written; fractions are exact. */
  readonly decimals: number
}

/** A maturity as precisely as written. Only the last two digits of `year` count if `isShort`. */
export interface WrittenMaturity {
  readonly year: number
  readonly isShort: boolean
  readonly month?: number
  readonly day?: number
  /** `03/04/30` may be day first. */
  readonly isDayFirstPossible?: boolean
}

const VULGAR: Readonly<Record<string, string>> = {
  '½': '1/2',
  '¼': '1/4',
  '¾': '3/4',
  '⅛': '1/8',
  '⅜': '3/8',
  '⅝': '5/8',
  '⅞': '7/8',
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** 1 to 12 for `aug`, `august` and `sept`; 0 for any other word. */
function monthNamed(word: string): number {
  const at = MONTHS.indexOf(word.slice(0, 3))
  const isName = word.length === 3 || word === 'sept' || LONG_MONTHS.has(word)
  return isName ? at + 1 : 0
}

const LONG_MONTHS = new Set([
  'january',
  'february',
  'march',
  'april',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
])

/** General security words, which do not distinguish bonds. */
const NOISE = new Set(
  (
    'the of due at and to on dated dtd maturing matures maturity coupon cpn ' +
    'bond bonds bd bds note notes nt nts debenture debentures deb debs debt obligation obligations ' +
    'gtd guar guarnt guaranteed mtn gmtn emtn 144a reg regs regd wi usd eur gbp ser callable clbl ' +
    'cusip isin sedol tranche glbl fixed fxd fix rate fltr var variable vr ftf f2f fxdfrn'
  ).split(' '),
)

/** Kinds of instruments in lists' words and in the columns' words. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  senior: ['senior'],
  sr: ['senior'],
  snr: ['senior'],
  subordinated: ['subordinated'],
  subord: ['subordinated'],
  sub: ['subordinated'],
  junior: ['subordinated'],
  jr: ['subordinated'],
  secured: ['secured'],
  sec: ['secured'],
  secd: ['secured'],
  unsecured: ['unsecured'],
  unsec: ['unsecured'],
  unsecd: ['unsecured'],
  convertible: ['convertible'],
  conv: ['convertible'],
  cvt: ['convertible'],
  loan: ['loan'],
  loans: ['loan'],
  term: ['term', 'loan'],
  tl: ['term', 'loan'],
  tla: ['term', 'loan', 'a'],
  tlb: ['term', 'loan', 'b'],
  revolver: ['revolver'],
  revolving: ['revolver'],
  rcf: ['revolver'],
}

const FLOATS = new Set(['frn', 'frns', 'flt', 'float', 'floating', 'floater', 'fltg'])

/** Maximum length of a description: what a request may hold. */
const LONGEST = 512
/** No coupon is higher; a larger whole number is a year. */
const HIGHEST_WHOLE_COUPON = 20

type Part =
  | { readonly kind: 'word'; readonly text: string }
  | { readonly kind: 'number'; readonly rate: number; readonly decimals: number; readonly form: NumberForm }
  | { readonly kind: 'maturity'; readonly maturity: WrittenMaturity }
type NumberForm = 'percent' | 'fraction' | 'decimal' | 'whole'

/**
 * Reads `AAPL 3.25 08/08/29`, `T 4 1/2 48`, `aapl 3¼ 8/29`, `VOD V7 04.04.79 144A`, `ALFA FRN PERP`,
 * `VERIZON COMMUNICATIONS INC 4.500% 08/10/2033 SR UNSEC`, `Citigroup, Inc., (SOFR + 1.17%), 2.561%, 5/1/2032`, a CUSIP,
 * an ISIN, or a part of one.
 */
export function readDescription(written: string): BondDescription {
  const whole = writtenIdentifier(written.slice(0, LONGEST))
  if (whole !== null) {
    const none = { fragments: [], words: [], forms: [], kinds: [] }
    return isIdentifier(whole) ? { ...none, identifier: whole } : { ...none, fragments: [whole] }
  }
  const all = tokensOf(written)
  const lei = all.map(token => token.toUpperCase()).find(isLei)
  const tokens = lei === undefined ? all : all.filter(token => token !== 'lei' && !isLei(token.toUpperCase()))
  const identifier = tokens.map(token => token.toUpperCase()).find(isIdentifier)
  const parts = joinFractions(partsOf(tokens))
  const maturity = maturityOf(parts)
  const coupon = couponOf(parts, maturity !== undefined)
  const year = maturity === undefined ? shortYearOf(parts, coupon) : undefined
  const rest = wordsLeft(parts, coupon, year, maturity)
  return {
    ...(identifier !== undefined && { identifier }),
    ...(lei !== undefined && { lei }),
    ...(parts[0]?.kind === 'word' && { first: parts[0].text }),
    ...rest,
    ...(coupon && { coupon: { rate: coupon.rate, decimals: coupon.decimals } }),
    ...(maturity && { maturity }),
    ...(year && { maturity: { year: 2000 + year.rate, isShort: true } }),
  }
}

/** Parts of a text between blanks, commas and brackets; a bracketed spread, `(SOFR + 1.17%)`, is dropped. */
function tokensOf(written: string): string[] {
  return (
    written
      .slice(0, LONGEST)
      .replace(/[½¼¾⅛⅜⅝⅞]/g, fraction => ` ${VULGAR[fraction]} `)
      .normalize('NFKD')
      .replace(/[\u0300-\u036f]/g, '')
      .toLowerCase()
      .replace(/[’‘`]/g, "'")
      .replace(/[‐-―−]/g, '-')
      .replace(/^\s*(?:buy|sell|offer)\s/, ' ')
      // `isin:us037833dp29`
      .replace(/\b(cusip|isin|lei)[:=#/]+/g, '$1 ')
      // A level: `@ 99.5`, `@ T+95`.
      .replace(/(?<=\s)@\s*\S+/g, ' ')
      // `1.95s31`
      .replace(/(?<=\d)s(?=\d{2}(?!\d))/g, ' ')
      .replace(/\([^()]*\)/g, inside => (inside.includes('+') ? ' ' : ` ${inside.slice(1, -1)} `))
      .replaceAll('%', '% ')
      .split(/[\s,;()[\]"|]+/)
      .map(trimmed)
      .filter(token => token !== '' && !isTradeTerm(token))
  )
}

/** A size or a spread, which say nothing of the bond: `5mm`, `$10m`, `T+95`, `120bps`. `3M` is a company. */
const isTradeTerm = (token: string): boolean =>
  /^(?:[$€£]\d{1,9}(?:\.\d{1,9})?(?:k|m|bn)?|[$€£]?\d{1,9}(?:\.\d{1,9})?(?:mm|mn|mio|mln))$/.test(token) ||
  /^(?:[a-z]{0,5}\+\d{1,4}(?:bps?)?|\d{1,4}bps?)$/.test(token)

const EDGE = new Set(["'", '.', ':', '-', '/', '*', '&', '_', '#', '+', '@'])

/** Without surrounding punctuation; `.5`, `'48` and `5.468%` stay. */
function trimmed(token: string): string {
  let [from, to] = [0, token.length]
  while (from < to && EDGE.has(elementAt(token, from)) && !/^['.]\d/.test(token.slice(from, from + 2))) from++
  while (to > from && EDGE.has(elementAt(token, to - 1))) to--
  return token.slice(from, to)
}

function partsOf(tokens: readonly string[]): Part[] {
  const parts: Part[] = []
  for (let i = 0; i < tokens.length; i++) {
    const token = elementAt(tokens, i)
    const spelled = spelledDate(tokens, i)
    if (spelled) {
      parts.push({ kind: 'maturity', maturity: spelled.maturity })
      i += spelled.length - 1
      continue
    }
    const maturity = dateOf(token, parts.at(-1))
    if (maturity) parts.push({ kind: 'maturity', maturity })
    else parts.push(numberOf(token) ?? { kind: 'word', text: token })
  }
  return parts
}

/** `aug 10 2033`, `10 aug 33`, `aug 2033`, `feb 34`: the number of words used, or null. */
function spelledDate(
  tokens: readonly string[],
  at: number,
): { maturity: WrittenMaturity; length: number } | null {
  const [first, second, third] = tokens.slice(at, at + 3)
  const month = monthNamed(first!)
  const [fullYear, day] = [spelledYear(second, false), dayIn(second)]
  if (month && fullYear) return { maturity: { ...fullYear, month }, length: 2 }
  // `MAR 5 27` begins with a ticker.
  const isShortAllowed = at > 0
  const after = spelledYear(third, isShortAllowed)
  if (month && isDay(day) && after) return { maturity: { ...after, month, day }, length: 3 }
  const year = spelledYear(second, isShortAllowed)
  if (month && year) return { maturity: { ...year, month }, length: 2 }
  const later = second === undefined ? 0 : monthNamed(second)
  if (later && isDay(dayIn(first)) && after)
    return { maturity: { ...after, month: later, day: dayIn(first) }, length: 3 }
  return null
}

const dayIn = (text: string | undefined): number =>
  text !== undefined && /^\d{1,2}(st|nd|rd|th)?$/.test(text) ? Number.parseInt(text, 10) : 0

/** A year of four digits, or of two where they may stand for one. */
function spelledYear(
  text: string | undefined,
  isShortAllowed: boolean,
): Pick<WrittenMaturity, 'year' | 'isShort'> | null {
  const digits = /^'?((?:19|20|21)?\d{2})$/.exec(text ?? '')?.[1]
  return digits && (digits.length === 4 || isShortAllowed) ? yearOf(digits) : null
}

const isDay = (day: number): boolean => day >= 1 && day <= 31
const isMonth = (month: number): boolean => month >= 1 && month <= 12

function yearOf(digits: string): Pick<WrittenMaturity, 'year' | 'isShort'> {
  return digits.length === 2
    ? { year: 2000 + Number(digits), isShort: true }
    : { year: Number(digits), isShort: false }
}

/** A date, a month with its year, or a four-digit year, in one word. */
function dateOf(token: string, before: Part | undefined): WrittenMaturity | null {
  let found = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})$/.exec(token)
  if (found) {
    const [first, second] = [Number(found[1]), Number(found[2])]
    if (isMonth(first) && isDay(second))
      return {
        ...yearOf(groupOf(found, 3)),
        month: first,
        day: second,
        ...(isMonth(second) && first !== second && { isDayFirstPossible: true }),
      }
    return isMonth(second) && isDay(first)
      ? { ...yearOf(groupOf(found, 3)), month: second, day: first }
      : null
  }
  found =
    /^((?:19|20|21)\d{2})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(token) ??
    /^((?:19|20|21)\d{2})(\d{2})(\d{2})$/.exec(token)
  if (found) {
    const [month, day] = [Number(found[2]), Number(found[3])]
    return isMonth(month) && isDay(day) ? { ...yearOf(groupOf(found, 1)), month, day } : null
  }
  found = /^(\d{1,2})-?([a-z]{3,9})-?'?((?:19|20|21)?\d{2})$/.exec(token)
  if (found && monthNamed(groupOf(found, 2)) && isDay(Number(found[1])))
    return { ...yearOf(groupOf(found, 3)), month: monthNamed(groupOf(found, 2)), day: Number(found[1]) }
  found = /^([a-z]{3,9})[-/']?((?:19|20|21)?\d{2})$/.exec(token)
  if (found && monthNamed(groupOf(found, 1)))
    return { ...yearOf(groupOf(found, 2)), month: monthNamed(groupOf(found, 1)) }
  found = /^(\d{1,2})[/-](\d{4}|\d{2})$/.exec(token)
  if (found && isMonth(Number(found[1])) && !isSixteenth(found, before))
    return /^\d{2}$|^(19|20|21)/.test(groupOf(found, 2))
      ? { ...yearOf(groupOf(found, 2)), month: Number(found[1]) }
      : null
  if (/^'?(19|20|21)\d{2}s?$/.test(token)) return { year: Number(/\d{4}/.exec(token)![0]), isShort: false }
  return /^'\d{2}s?$/.test(token) ? { year: 2000 + Number(token.slice(1, 3)), isShort: true } : null
}

/** `4 3/16` is a coupon, `3/16` alone a month. */
const isSixteenth = (found: RegExpExecArray, before: Part | undefined): boolean =>
  found[2] === '16' && Number(found[1]) % 2 === 1 && before?.kind === 'number' && before.form === 'whole'

function numberOf(token: string): Part | null {
  const given = (rate: number, decimals: number, form: NumberForm): Part | null =>
    rate <= 100 ? { kind: 'number', rate, decimals, form } : null
  // `V7`, `V5.625`: a coupon that resets, in Bloomberg's notation.
  const digits = /^v\d/.test(token) ? token.slice(1) : token
  if (/^(\d{1,3}(\.\d{1,12})?|\.\d{1,12})%$/.test(digits))
    return given(Number.parseFloat(digits), decimalsOf(digits.slice(0, -1)), 'percent')
  const fraction = /^(?:(\d{1,2})-)?(\d{1,2})\/(2|4|8|16)s?%?$/.exec(digits)
  if (fraction && Number(fraction[2]) < Number(fraction[3]))
    return given(Number(fraction[1] ?? 0) + Number(fraction[2]) / Number(fraction[3]), 5, 'fraction')
  if (/^(\d{1,2}\.\d{1,12}|\.\d{1,12})s?$/.test(digits))
    return given(Number.parseFloat(digits), decimalsOf(digits.replace('s', '')), 'decimal')
  if (/^\d{1,2}s?$/.test(digits)) return given(Number.parseInt(digits, 10), 0, 'whole')
  return null
}

/** Significant decimals: `4.50000` has one. */
const decimalsOf = (digits: string): number => {
  const at = digits.indexOf('.')
  let end = digits.length
  while (at >= 0 && digits[end - 1] === '0') end--
  return at < 0 ? 0 : end - at - 1
}

/** `4` before `1/2` is `4 1/2`. */
function joinFractions(parts: readonly Part[]): Part[] {
  const joined: Part[] = []
  for (const part of parts) {
    const before = joined.at(-1)
    const isJoined =
      part.kind === 'number' &&
      part.form === 'fraction' &&
      part.rate < 1 &&
      before?.kind === 'number' &&
      before.form === 'whole'
    if (isJoined) joined.splice(-1, 1, { ...part, rate: before.rate + part.rate })
    else joined.push(part)
  }
  return joined
}

/** The most complete maturity: the last of several dates, the last word of several years. */
function maturityOf(parts: readonly Part[]): WrittenMaturity | undefined {
  let best: WrittenMaturity | undefined
  for (const part of parts) {
    if (part.kind !== 'maturity') continue
    const [mine, other] = [fullness(part.maturity), best ? fullness(best) : -1]
    if (mine > other || (mine === other && (mine === 0 || ordinal(part.maturity) >= ordinal(best!))))
      best = part.maturity
  }
  return best
}

const fullness = ({ month, day }: WrittenMaturity): number => +(month !== undefined) + +(day !== undefined)
const ordinal = ({ year, month = 0, day = 0 }: WrittenMaturity): number => year * 10_000 + month * 100 + day

type NumberPart = Extract<Part, { kind: 'number' }>

/** The coupon: the number with a percent sign, else a fraction, else one with decimals, else the last whole one. */
function couponOf(parts: readonly Part[], isDated: boolean): NumberPart | undefined {
  const numbers = parts.filter((part): part is NumberPart => part.kind === 'number')
  for (const form of ['percent', 'fraction', 'decimal'] as const) {
    const found = numbers.find(part => part.form === form)
    if (found) return found
  }
  const whole = numbers.filter(part => part.rate <= HIGHEST_WHOLE_COUPON)
  // `5 29`: the first is the coupon if the second can only be the year.
  return isDated ? whole.at(-1) : whole[0]
}

/** `48` in `T 4.5 48`. */
function shortYearOf(parts: readonly Part[], coupon: NumberPart | undefined): NumberPart | undefined {
  return parts.findLast(
    (part): part is NumberPart =>
      part.kind === 'number' && part.form === 'whole' && part !== coupon && part.rate >= 10,
  )
}

/** Words that were read neither as coupon nor as maturity. */
function wordsLeft(
  parts: readonly Part[],
  coupon: NumberPart | undefined,
  year: NumberPart | undefined,
  maturity: WrittenMaturity | undefined,
): Pick<BondDescription, 'words' | 'forms' | 'kinds' | 'fragments' | 'floats' | 'perpetual'> {
  const words: string[] = []
  const forms: string[] = []
  const kinds = new Set<string>()
  const fragments: string[] = []
  let floats = false
  let perpetual = false
  for (const part of parts) {
    // A year inside a name: `WPP FINANCE 2010 5.125 09/07/2042`.
    if (part.kind === 'maturity' && part.maturity !== maturity && fullness(part.maturity) === 0)
      words.push(String(part.maturity.year))
    if (part.kind === 'number' && part.form === 'whole' && part !== coupon && part !== year)
      words.push(String(part.rate))
    if (part.kind !== 'word') continue
    const { text } = part
    if (/^perp(etual)?s?$/.test(text)) perpetual = true
    else if (FLOATS.has(text)) floats = true
    else if (isFragment(text)) fragments.push(text.toUpperCase())
    else if (!/^(fxd?|fix(ed)?)[-/]|^v\/r$|^p\/p$/.test(text))
      for (const word of wordsOf(text)) {
        if (NOISE.has(word)) continue
        const kind = Object.hasOwn(KINDS, word) ? KINDS[word] : undefined
        if (kind) for (const one of kind) kinds.add(one)
        else if (LEGAL_FORMS.has(word.toUpperCase())) forms.push(word)
        else words.push(word)
      }
  }
  return {
    words,
    forms,
    kinds: [...kinds],
    fragments,
    ...(floats && { floats }),
    ...(perpetual && { perpetual }),
  }
}

/** Six or more characters with digits: part of a CUSIP or ISIN. */
const isFragment = (text: string): boolean => /^[a-z0-9]{6,12}$/.test(text) && /\d[a-z]*\d/.test(text)

/** The words of a name as they are compared: `AT&T` and `J.P.` are one word each, and abbreviations are unified. */
export function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .replaceAll("'", '')
    .replace(/(?<=[a-z0-9])&(?=[a-z0-9])/g, '')
    .replace(/\b([a-z])\.(?=[a-z]\b)/g, '$1')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word !== '')
    .flatMap(word => canonicalWord(word.toUpperCase()).toLowerCase().split(' '))
    .filter(word => word !== '')
}
