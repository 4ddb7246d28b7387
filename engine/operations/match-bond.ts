import { distance } from 'fastest-levenshtein'
import { isCusip, isIsin } from '../credit/identifiers.ts'

/** What is known of a bond that a person may name it by. */
export interface BondCandidate {
  readonly id: string
  readonly display: string | null
  readonly name: string | null
  readonly ticker: string | null
  readonly company: string | null
  /** The legal issuer, where it is another company of the group. */
  readonly issuer: string | null
  readonly coupon: number | null
  readonly maturity: string | null
  readonly floats: boolean
  readonly active: boolean
  readonly seniority: string | null
  readonly instrument: string | null
}

export interface BondQuery {
  readonly identifier?: string
  readonly words: readonly string[]
  readonly coupon?: number | undefined
  readonly year?: number | undefined
  readonly date?: string
  /** `2029-08` where only month and year are given. */
  readonly month?: string
  /** `FRN`, `PERP`. */
  readonly floats?: boolean
  readonly perpetual?: boolean
}

const fractions: Record<string, number> = {
  '1/8': 0.125,
  '1/4': 0.25,
  '3/8': 0.375,
  '1/2': 0.5,
  '5/8': 0.625,
  '3/4': 0.75,
  '7/8': 0.875,
}

/** Reads `trnx 5 1/2 06/15/31`, `KRVWN 5.5% 2031`, `T 4 1/2 48`, `ALFA FRN 06/31`, a CUSIP or an ISIN. */
export function readQuery(text: string): BondQuery {
  const bare = text.trim().toUpperCase()
  if (isCusip(bare) || isIsin(bare)) return { identifier: bare, words: [] }
  const words: string[] = []
  let coupon: number | undefined
  let year: number | undefined
  let date: string | undefined
  let month: string | undefined
  let floats: boolean | undefined
  let perpetual: boolean | undefined
  for (const part of text
    .toLowerCase()
    .split(/[\s,;]+/)
    .filter(Boolean)) {
    const monthYear = /^(0?[1-9]|1[0-2])\/(\d{2}|\d{4})$/.exec(part)
    const slash = /^(\d{1,2})\/(\d{1,2})\/(\d{2}|\d{4})$/.exec(part)
    if (slash) {
      const full = slash[3]!.length === 2 ? `20${slash[3]}` : slash[3]!
      date = `${full}-${slash[1]!.padStart(2, '0')}-${slash[2]!.padStart(2, '0')}`
      year = Number(full)
    } else if (/^\d{4}-\d{2}-\d{2}$/.test(part)) {
      date = part
      year = Number(part.slice(0, 4))
    } else if (monthYear) {
      year = Number(monthYear[2]!.length === 2 ? `20${monthYear[2]}` : monthYear[2])
      month = `${year}-${monthYear[1]!.padStart(2, '0')}`
    } else if (part === 'frn') floats = true
    else if (part === 'perp') perpetual = true
    else if (fractions[part] !== undefined) coupon = (coupon ?? 0) + fractions[part]
    else if (/^(19|20|21)\d{2}$/.test(part)) year = Number(part)
    else if (/^'\d{2}s?$/.test(part)) year = 2000 + Number(part.slice(1, 3))
    else if (/^\d{2}$/.test(part) && coupon !== undefined && year === undefined) year = 2000 + Number(part)
    else if (/^\d{1,2}(\.\d+)?%?s?$/.test(part) && coupon === undefined) coupon = Number.parseFloat(part)
    else words.push(part)
  }
  return {
    words,
    ...(coupon !== undefined && { coupon }),
    ...(year !== undefined && { year }),
    ...(date !== undefined && { date }),
    ...(month !== undefined && { month }),
    ...(floats && { floats }),
    ...(perpetual && { perpetual }),
  }
}

const noise = new Set([
  'the',
  'of',
  'due',
  'at',
  'inc',
  'corp',
  'co',
  'llc',
  'ltd',
  'plc',
  'company',
  'corporation',
  'bond',
  'bonds',
  'note',
  'notes',
])

export const tokensOf = (words: readonly string[]): string[] =>
  words.flatMap(w => w.split(/[^\p{L}\p{N}]+/u)).filter(w => w.length > 0 && !noise.has(w))

/** How much one written word is like one of the bond's: 1 the same, less for a prefix or a slip. */
function likeness(word: string, other: string): number {
  if (word === other) return 1
  if (word.length >= 3 && other.startsWith(word)) return 0.85
  if (word.length < 4 || Math.abs(word.length - other.length) > 2) return 0
  const d = distance(word, other)
  return d === 1 ? 0.8 : d === 2 && word.length >= 6 ? 0.6 : 0
}

/** How one part of what was written agrees with a bond: `share` of its `weight`. */
export interface FieldMatch {
  readonly asked: string | number
  readonly weight: number
  readonly share: number
}

export interface MatchScore {
  /** 0 to 0.99. */
  readonly confidence: number
  readonly parts: readonly FieldMatch[]
  /** Matured and retired bonds are meant less often, and any bond where nothing names an issuer. */
  readonly factor: number
}

/** Coupon and maturity alone are those of many bonds. */
const WITHOUT_ISSUER = 0.6

/**
 * How likely a query means a bond: the share of what was written that the bond agrees with. Bonds say the same few words
 * over and over: each is compared with what was written once.
 */
export function scorer(
  query: BondQuery & { tokens: readonly string[] },
  /** The issuer is given apart, as a ticker. */
  isNamed = false,
): (bond: BondCandidate) => MatchScore {
  const compared = query.tokens.map(() => new Map<string, number>())
  const read = new Map<string, readonly string[]>()
  const wordsOf = (text: string): readonly string[] => {
    let words = read.get(text)
    if (!words) {
      words = tokensOf([text.toLowerCase()])
      read.set(text, words)
    }
    return words
  }
  const shareOf = (
    token: string,
    known: Map<string, number>,
    words: readonly (readonly string[])[],
  ): number => {
    let best = 0
    for (const part of words)
      for (const word of part) {
        let share = known.get(word)
        if (share === undefined) {
          share = likeness(token, word)
          known.set(word, share)
        }
        if (share > best) best = share
      }
    return best
  }
  return bond => {
    const whose = [bond.company, bond.issuer]
    const issuer = (whose.some(text => text !== null) ? whose : [bond.name]).map(text => wordsOf(text ?? ''))
    const words = [
      ...issuer,
      ...[bond.name, bond.seniority, bond.instrument].map(text => wordsOf(text ?? '')),
    ]
    let named = isNamed
    const parts = query.tokens.map((token, i): FieldMatch => {
      const isTicker = bond.ticker !== null && token === bond.ticker.toLowerCase()
      named ||= isTicker || shareOf(token, compared[i]!, issuer) > 0
      return { asked: token, weight: 1, share: isTicker ? 1 : shareOf(token, compared[i]!, words) }
    })
    if (query.coupon !== undefined) {
      const agrees = bond.coupon !== null && Math.abs(bond.coupon - query.coupon) < 0.0051
      parts.push({ asked: query.coupon, weight: 1.5, share: agrees ? 1 : 0 })
    }
    if (query.year !== undefined) {
      const agrees = bond.maturity?.startsWith(String(query.year)) === true
      const isDay =
        query.date === undefined
          ? query.month === undefined || bond.maturity?.startsWith(query.month) === true
          : bond.maturity === query.date
      parts.push({
        asked: query.date ?? query.month ?? query.year,
        weight: 1.5,
        share: agrees ? (isDay ? 1 : 2 / 3) : 0,
      })
    }
    if (query.floats) parts.push({ asked: 'FRN', weight: 1, share: bond.floats ? 1 : 0 })
    if (query.perpetual)
      parts.push({ asked: 'PERP', weight: 1, share: bond.display?.includes(' PERP') === true ? 1 : 0 })
    const asked = parts.reduce((sum, part) => sum + part.weight, 0)
    const agreed = parts.reduce((sum, part) => sum + part.weight * part.share, 0)
    const factor = (bond.active ? 0.98 : 0.9) * (named ? 1 : WITHOUT_ISSUER)
    return { confidence: asked === 0 ? 0 : Math.min(0.99, (agreed / asked) * factor), parts, factor }
  }
}

export const describe = (bond: BondCandidate): string => bond.display ?? bond.id
