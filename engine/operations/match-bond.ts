import { distance } from 'fastest-levenshtein'
import { isCusip, isIsin } from '../credit/identifiers.ts'

/** What is known of a bond that a person may name it by. */
export interface Described {
  readonly id: string
  readonly name: string | null
  readonly ticker: string | null
  readonly company: string | null
  readonly coupon: number | null
  readonly maturity: string | null
  readonly active: boolean
  readonly seniority: string | null
  readonly instrument: string | null
}

export interface BondQuery {
  readonly identifier?: string
  readonly words: readonly string[]
  readonly coupon?: number
  readonly year?: number
  readonly date?: string
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

/** Reads `trnx 5 1/2 06/15/31`, `KRVWN 5.5% 2031`, a CUSIP or an ISIN. */
export function readQuery(text: string): BondQuery {
  const bare = text.trim().toUpperCase()
  if (isCusip(bare) || isIsin(bare)) return { identifier: bare, words: [] }
  const words: string[] = []
  let coupon: number | undefined
  let year: number | undefined
  let date: string | undefined
  for (const part of text
    .toLowerCase()
    .split(/[\s,;]+/)
    .filter(Boolean)) {
    const slash = /^(\d{1,2})\/(\d{1,2})\/(\d{2}|\d{4})$/.exec(part)
    if (slash) {
      const full = slash[3]!.length === 2 ? `20${slash[3]}` : slash[3]!
      date = `${full}-${slash[1]!.padStart(2, '0')}-${slash[2]!.padStart(2, '0')}`
      year = Number(full)
    } else if (/^\d{4}-\d{2}-\d{2}$/.test(part)) {
      date = part
      year = Number(part.slice(0, 4))
    } else if (fractions[part] !== undefined) coupon = (coupon ?? 0) + fractions[part]
    else if (/^(19|20|21)\d{2}$/.test(part)) year = Number(part)
    else if (/^'\d{2}s?$/.test(part)) year = 2000 + Number(part.slice(1, 3))
    else if (/^\d{1,2}(\.\d+)?%?s?$/.test(part) && coupon === undefined) coupon = Number.parseFloat(part)
    else words.push(part)
  }
  return {
    words,
    ...(coupon !== undefined && { coupon }),
    ...(year !== undefined && { year }),
    ...(date !== undefined && { date }),
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

/** Confidence, 0 to 0.99, that the query means the bond: the share of what was written that the bond agrees with. */
export function score(bond: Described, query: BondQuery & { tokens: readonly string[] }): number {
  let asked = 0
  let agreed = 0
  const words = tokensOf(
    `${bond.company ?? ''} ${bond.name ?? ''} ${(bond.seniority ?? '').replace('_', ' ')} ${(bond.instrument ?? '').replaceAll('_', ' ')}`
      .toLowerCase()
      .split(/\s+/),
  )
  for (const token of query.tokens) {
    asked += 1
    if (bond.ticker && token === bond.ticker.toLowerCase()) agreed += 1
    else agreed += Math.max(0, ...words.map(word => likeness(token, word)))
  }
  if (query.coupon !== undefined) {
    asked += 1.5
    if (bond.coupon !== null && Math.abs(bond.coupon - query.coupon) < 0.0051) agreed += 1.5
  }
  if (query.year !== undefined) {
    asked += 1.5
    const day = query.date === undefined || bond.maturity === query.date
    if (bond.maturity?.startsWith(String(query.year))) agreed += day ? 1.5 : 1
  }
  if (asked === 0) return 0
  // Matured and retired bonds are meant less often.
  return Math.min(0.99, (agreed / asked) * (bond.active ? 0.98 : 0.9))
}

export const describe = (bond: Described): string =>
  [bond.ticker ?? bond.company, bond.coupon === null ? null : `${bond.coupon}%`, bond.maturity?.slice(0, 10)]
    .filter(Boolean)
    .join(' ')
