import type { Database } from '../../database/database.ts'
import { stored } from '../../database/views.ts'
import { readDescription } from './read-description.ts'

/** One spelling under which an issuer is known, as words. */
export type IssuerText = readonly string[]

/** Bonds that are named in the same words: of one company, issuer and list name. */
export interface IssuerKey {
  readonly ticker: string | null
  readonly texts: readonly IssuerText[]
  readonly forms: ReadonlySet<string>
  /** Rows of its bonds. */
  readonly rows: number[]
}

export const ACTIVE = 1
export const FLOATS = 2
export const PERPETUAL = 4
export const EXTENDED = 8

/**
 * The bonds of a day as columns in memory, by the row of `stored.bonds` in which each lies, with what they can be looked up by.
 * A description is compared with the bonds that the lookups lead to, not with all.
 */
export interface BondIndex {
  readonly rowCount: number
  readonly ids: readonly string[]
  readonly displays: readonly (string | null)[]
  readonly coupons: Float64Array
  /** `20290808`; 0 where there is none. */
  readonly maturities: Int32Array
  readonly flags: Uint8Array
  /** The place of each bond when all are put in the order of an answer: active ones first, larger ones first. */
  readonly ranks: Int32Array
  /** The rows in that order. */
  readonly byRank: Int32Array
  /** The words of each bond's seniority and instrument type. */
  readonly kinds: readonly ReadonlySet<string>[]
  readonly companies: readonly (string | null)[]
  readonly keyOf: Int32Array
  readonly keys: readonly IssuerKey[]
  /** Issuers by a word of their name; `homedepot` leads to `home depot` as well. */
  readonly byWord: ReadonlyMap<string, readonly number[]>
  readonly vocabulary: readonly string[]
  readonly byJoinedWords: ReadonlyMap<string, readonly number[]>
  readonly byTicker: ReadonlyMap<string, readonly number[]>
  /** Rows by CUSIP, ISIN and id, in capitals. */
  readonly byIdentifier: ReadonlyMap<string, readonly number[]>
  readonly byDisplay: ReadonlyMap<string, readonly number[]>
  /** Rows by the coupon in hundredths of a percent. */
  readonly byCoupon: ReadonlyMap<number, readonly number[]>
  /** Rows by the year and month of maturity: `202908`. */
  readonly byMonth: ReadonlyMap<number, readonly number[]>
  readonly byCompany: ReadonlyMap<string, readonly number[]>
  readonly bytes: number
}

/** What a bond takes in an index, roughly: its texts are shared with other tables. */
const BYTES_A_BOND = 700

type Texts = (string | null)[]

export async function readBondIndex(database: Database): Promise<BondIndex> {
  const { columns, rowCount } = await database.columns(
    `SELECT id, cusip, isin, display_name, name, company_ticker, company_name, "issuer.name", company_id, coverage,
       concat_ws('_', seniority, instrument_type), coupon_rate,
       coalesce(year(maturity_date) * 10000 + month(maturity_date) * 100 + day(maturity_date), 0)::INTEGER,
       (is_active::INTEGER * ${ACTIVE} + (coalesce(rate_structure = 'floating' OR rate_type = 'floating', FALSE))::INTEGER * ${FLOATS})::INTEGER
     FROM ${stored('bonds')}`,
  )
  // In a statement of its own: the first gives the rows as they lie.
  const ordered = await database.columns(
    `SELECT id FROM ${stored('bonds')} ORDER BY is_active DESC, outstanding DESC NULLS LAST, maturity_date NULLS LAST, id`,
  )
  const [
    ids,
    cusips,
    isins,
    displays,
    names,
    tickers,
    companyNames,
    issuers,
    companies,
    coverages,
    kindTexts,
  ] = columns as Texts[] as [string[], ...Texts[]]
  const rates = columns[11] as (number | null)[]
  const maturities = Int32Array.from(columns[12] as number[])
  const flags = Uint8Array.from(columns[13] as number[])

  const rowOf = new Map(ids.map((id, row) => [id, row]))
  const byRank = Int32Array.from(ordered.columns[0] as string[], id => rowOf.get(id)!)
  const ranks = new Int32Array(rowCount)
  for (const [rank, row] of byRank.entries()) ranks[row] = rank

  const byIdentifier = new Map<string, number[]>()
  const byDisplay = new Map<string, number[]>()
  const byCoupon = new Map<number, number[]>()
  const byMonth = new Map<number, number[]>()
  const byCompany = new Map<string, number[]>()
  const coupons = new Float64Array(rowCount)
  const kindSets = new Map<string, ReadonlySet<string>>()
  const kinds: ReadonlySet<string>[] = []
  const keyOf = new Int32Array(rowCount)
  const keys: IssuerKey[] = []
  const keyNumbers = new Map<string, number>()
  const spelled = new Map<string, Spelling>()
  const spelling = (text: string | null): Spelling => {
    const known = spelled.get(text ?? '')
    if (known) return known
    const { words, forms } = readDescription(text ?? '')
    const made = { words, forms, text: words.join(' ') }
    spelled.set(text ?? '', made)
    return made
  }
  for (let row = 0; row < rowCount; row++) {
    for (const id of new Set([ids[row]!.toUpperCase(), cusips![row], isins![row]])) add(byIdentifier, id, row)
    add(byDisplay, displays![row]?.toUpperCase() ?? null, row)
    add(byCompany, companies![row]!, row)
    const rate = rates[row] ?? null
    coupons[row] = rate ?? Number.NaN
    if (rate !== null) add(byCoupon, Math.round(rate * 100), row)
    if (maturities[row]! > 0) add(byMonth, Math.floor(maturities[row]! / 100), row)
    if (displays![row]?.includes(' PERP')) flags[row]! |= PERPETUAL
    if (coverages![row] === 'extended') flags[row]! |= EXTENDED
    const kindText = kindTexts![row] ?? ''
    let kind = kindSets.get(kindText)
    if (!kind) {
      kind = new Set(kindText.split('_').filter(Boolean))
      kindSets.set(kindText, kind)
    }
    kinds.push(kind)
    const ticker = tickers![row]?.toLowerCase() ?? null
    const spellings = [companyNames![row], issuers![row], names![row], issuerIn(displays![row])].map(text =>
      spelling(text ?? null),
    )
    const told = spellings.filter(({ text }, i) => text !== '' && (i < 3 || text !== ticker))
    const texts = told.filter(({ text }, i) => told.findIndex(other => other.text === text) === i)
    const said = `${ticker ?? ''}|${texts.map(({ text }) => text).join('|')}`
    let key = keyNumbers.get(said)
    if (key === undefined) {
      key = keys.length
      keyNumbers.set(said, key)
      keys.push({
        ticker,
        texts: texts.map(({ words }) => words),
        forms: new Set(texts.flatMap(({ forms }) => forms)),
        rows: [],
      })
    }
    keyOf[row] = key
    keys[key]!.rows.push(row)
  }

  const byWord = new Map<string, number[]>()
  const byJoinedWords = new Map<string, number[]>()
  const byTicker = new Map<string, number[]>()
  for (const [number, { ticker, texts }] of keys.entries()) {
    if (ticker !== null) add(byTicker, ticker, number)
    for (const word of new Set(texts.flat())) add(byWord, word, number)
    for (const pair of new Set(texts.flatMap(joinedPairs))) add(byJoinedWords, pair, number)
  }
  return {
    rowCount,
    ids,
    displays: displays!,
    coupons,
    maturities,
    flags,
    ranks,
    byRank,
    kinds,
    companies: companies!,
    keyOf,
    keys,
    byWord,
    vocabulary: [...byWord.keys()].sort(),
    byJoinedWords,
    byTicker,
    byIdentifier,
    byDisplay,
    byCoupon,
    byMonth,
    byCompany,
    bytes: rowCount * BYTES_A_BOND,
  }
}

/** The issuer in a display name: what stands before the coupon. */
const issuerIn = (display: string | null | undefined): string | null =>
  display?.split(/ (?=\d|FRN\b|PERP\b|TL[AB]?\b|RCF\b|CP\b)/, 1)[0] ?? null

interface Spelling {
  readonly text: string
  readonly words: readonly string[]
  readonly forms: readonly string[]
}

function add<K>(map: Map<K, number[]>, key: K | null | undefined, value: number): void {
  if (key === null || key === undefined) return
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}

/** `homedepot` of `home depot`. */
export const joinedPairs = (words: IssuerText): string[] => words.slice(1).map((word, i) => words[i]! + word)
