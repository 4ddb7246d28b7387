import type { Database } from '../../database/database.ts'
import { stored } from '../../database/views.ts'
import { nicknamesOf } from '../../names/nicknames.ts'
import { readDescription } from './read-description.ts'

/** One spelling under which an issuer is known, as words. */
export type IssuerText = readonly string[]

/** What a company is and was called. */
export interface CompanyNames {
  readonly company_id: string
  readonly ticker: string | null
  readonly name: string
  readonly former_names: readonly string[] | null
  readonly lei: string | null
}

/** A company of a day without its figures, which take longest to derive. */
export interface KnownCompany extends CompanyNames {
  readonly aliases: readonly string[] | null
  readonly cik: string | null
  readonly coverage: string
}

/**
 * Bonds that are named in the same words: of one company, issuer and list name. A company without bonds is a key without rows:
 * a description of it means none of the bonds.
 */
export interface IssuerKey {
  readonly ticker: string | null
  readonly texts: readonly IssuerText[]
  /** Names that the company no longer has. */
  readonly formerTexts: readonly IssuerText[]
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
  /** Issuers by initials (`bnsf`), and by tickers without their share class (`goog`, `brk`). */
  readonly byShortName: ReadonlyMap<string, readonly number[]>
  /** Rows by CUSIP, ISIN and id, in capitals. */
  readonly byIdentifier: ReadonlyMap<string, readonly number[]>
  /** Rows by the LEI of the issuer or its company. */
  readonly byLei: ReadonlyMap<string, readonly number[]>
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

/** The bonds of a day as columns, in the order of the table. */
interface BondColumns {
  readonly ids: readonly string[]
  readonly cusips: Texts
  readonly isins: Texts
  readonly displays: Texts
  readonly names: Texts
  readonly tickers: Texts
  readonly companyNames: Texts
  readonly issuers: Texts
  readonly companies: Texts
  readonly coverages: Texts
  readonly kinds: Texts
  readonly leis: Texts
  readonly rates: readonly (number | null)[]
  readonly maturities: Int32Array
  readonly flags: Uint8Array
  /** Ids in the order of an answer. */
  readonly ordered: readonly string[]
}

async function readColumns(database: Database): Promise<BondColumns> {
  const { columns } = await database.columns(
    `SELECT id, cusip, isin, display_name, name, company_ticker, company_name, "issuer.name", company_id, coverage,
       concat_ws('_', seniority, instrument_type), issuer_lei, coupon_rate,
       coalesce(year(maturity_date) * 10000 + month(maturity_date) * 100 + day(maturity_date), 0)::INTEGER,
       (is_active::INTEGER * ${ACTIVE} + (coalesce(rate_structure = 'floating' OR rate_type = 'floating', FALSE))::INTEGER * ${FLOATS})::INTEGER
     FROM ${stored('bonds')}`,
  )
  // In a statement of its own: the first gives the rows as they lie.
  const byRank = await database.columns(
    `SELECT id FROM ${stored('bonds')} ORDER BY is_active DESC, outstanding DESC NULLS LAST, maturity_date NULLS LAST, id`,
  )
  const [ordered] = byRank.columns as [string[]]
  type Eleven = [Texts, Texts, Texts, Texts, Texts, Texts, Texts, Texts, Texts, Texts, Texts]
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
    kinds,
    leis,
    ...numbers
  ] = columns as [string[], ...Eleven, (number | null)[], number[], number[]]
  const [rates, maturities, flags] = numbers
  return {
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
    kinds,
    leis,
    rates,
    maturities: Int32Array.from(maturities),
    flags: Uint8Array.from(flags),
    ordered,
  }
}

/**
 * @param names of the companies of the day, with bonds or without
 */
export async function readBondIndex(database: Database, names: readonly CompanyNames[]): Promise<BondIndex> {
  const columns = await readColumns(database)
  const { ids, displays, companies, maturities, rates, ordered } = columns
  const rowOf = new Map(ids.map((id, row) => [id, row]))
  const byRank = Int32Array.from(ordered, id => rowOf.get(id) ?? -1)
  const ranks = new Int32Array(ids.length)
  for (const [rank, row] of byRank.entries()) ranks[row] = rank
  const { keys, keyOf } = issuerKeys(columns, names)
  return {
    rowCount: ids.length,
    ids,
    displays,
    coupons: Float64Array.from(rates, rate => rate ?? Number.NaN),
    maturities,
    flags: allFlags(columns),
    ranks,
    byRank,
    kinds: kindsOf(columns.kinds),
    companies,
    keyOf,
    keys,
    ...issuerLookups(keys),
    ...bondLookups(columns, names),
    bytes: ids.length * BYTES_A_BOND,
  }
}

function allFlags({ flags, displays, coverages }: BondColumns): Uint8Array {
  return flags.map(
    (flag, row) =>
      flag |
      (displays[row]?.includes(' PERP') ? PERPETUAL : 0) |
      (coverages[row] === 'extended' ? EXTENDED : 0),
  )
}

/** The words of each text, the same set for equal texts. */
function kindsOf(texts: Texts): ReadonlySet<string>[] {
  const sets = new Map<string, ReadonlySet<string>>()
  return texts.map(text => {
    const known = sets.get(text ?? '')
    if (known) return known
    const words = new Set((text ?? '').split('_').filter(Boolean))
    sets.set(text ?? '', words)
    return words
  })
}

function bondLookups(columns: BondColumns, names: readonly CompanyNames[]) {
  const { ids, cusips, isins, displays, companies, leis, rates, maturities } = columns
  const byIdentifier = new Map<string, number[]>()
  const byDisplay = new Map<string, number[]>()
  const byCoupon = new Map<number, number[]>()
  const byMonth = new Map<number, number[]>()
  const byCompany = new Map<string, number[]>()
  const byLei = new Map<string, number[]>()
  const companyLeis = new Map(names.map(({ company_id, lei }) => [company_id, lei]))
  for (const [row, id] of ids.entries()) {
    for (const name of new Set([id.toUpperCase(), cusips[row], isins[row]])) add(byIdentifier, name, row)
    add(byDisplay, displays[row]?.toUpperCase(), row)
    add(byCompany, companies[row], row)
    for (const lei of new Set([leis[row], companyLeis.get(companies[row] ?? '')])) add(byLei, lei, row)
    const rate = rates[row] ?? null
    if (rate !== null) add(byCoupon, Math.round(rate * 100), row)
    const maturity = maturities[row] ?? 0
    if (maturity > 0) add(byMonth, Math.floor(maturity / 100), row)
  }
  return { byIdentifier, byLei, byDisplay, byCoupon, byMonth, byCompany }
}

/** Groups the bonds that are named in the same words, and adds the companies that have none. */
function issuerKeys(
  columns: BondColumns,
  companyList: readonly CompanyNames[],
): { keys: IssuerKey[]; keyOf: Int32Array } {
  const { ids, displays, names, tickers, companyNames, issuers, companies } = columns
  const keyOf = new Int32Array(ids.length)
  const keys: IssuerKey[] = []
  const numbers = new Map<string, number>()
  const spelled = new Map<string, Spelling>()
  const spelling = (text: string): Spelling => {
    const known = spelled.get(text)
    if (known) return known
    const { words, forms } = readDescription(text)
    const made = { words, forms, text: words.join(' ') }
    spelled.set(text, made)
    return made
  }
  const known = new Map(companyList.map(company => [company.company_id, company]))
  const formerTexts = (company: CompanyNames | undefined) =>
    company === undefined
      ? []
      : [...(company.former_names ?? []), ...nicknamesOf(company)].map(name => spelling(name).words)
  for (const row of ids.keys()) {
    const ticker = tickers[row]?.toLowerCase() ?? null
    const spellings = [companyNames[row], issuers[row], names[row], issuerIn(displays[row])].map(text =>
      spelling(text ?? ''),
    )
    // A list that has only the ticker before the coupon adds no name.
    const named = spellings.filter(({ text }, i) => text !== '' && (i < 3 || text !== ticker))
    const texts = named.filter(({ text }, i) => named.findIndex(other => other.text === text) === i)
    const company = companies[row] ?? ''
    const id = `${company}|${ticker ?? ''}|${texts.map(({ text }) => text).join('|')}`
    let number = numbers.get(id)
    if (number === undefined) {
      number = keys.length
      numbers.set(id, number)
      keys.push({
        ticker,
        texts: texts.map(({ words }) => words),
        formerTexts: formerTexts(known.get(company)),
        forms: new Set(texts.flatMap(({ forms }) => forms)),
        rows: [],
      })
    }
    keyOf[row] = number
    keys[number]!.rows.push(row)
  }
  const issuing = new Set(companies)
  for (const company of companyList) {
    const { words, forms } = spelling(company.name)
    if (issuing.has(company.company_id) || words.length === 0) continue
    const ticker = company.ticker?.toLowerCase() ?? null
    keys.push({
      ticker,
      texts: [words],
      formerTexts: formerTexts(company),
      forms: new Set(forms),
      rows: [],
    })
  }
  return { keys, keyOf }
}

function issuerLookups(keys: readonly IssuerKey[]) {
  const byWord = new Map<string, number[]>()
  const byJoinedWords = new Map<string, number[]>()
  const byTicker = new Map<string, number[]>()
  const byShortName = new Map<string, number[]>()
  for (const [number, { ticker, texts, formerTexts }] of keys.entries()) {
    const spelled = [...texts, ...formerTexts]
    add(byTicker, ticker, number)
    for (const name of new Set([...texts.flatMap(initialsOf), ...withoutClass(ticker ?? '')]))
      add(byShortName, name, number)
    for (const word of new Set(spelled.flat())) add(byWord, word, number)
    for (const pair of new Set(spelled.flatMap(joinedPairs))) add(byJoinedWords, pair, number)
  }
  return { byWord, vocabulary: [...byWord.keys()].sort(), byJoinedWords, byTicker, byShortName }
}

/** Initials of a name of three or more words, without a trailing letter of a name that a list cut. */
function initialsOf(words: IssuerText): string[] {
  const whole = words.filter(word => /^[a-z]{2,}$/.test(word))
  return whole.length < 3 ? [] : [whole.map(word => word[0]).join('')]
}

/** `goog` of `googl`, `brk` of `brk.b`. */
const withoutClass = (ticker: string): string[] =>
  ticker.includes('.') ? ticker.split('.', 1) : ticker.length === 5 ? [ticker.slice(0, -1)] : []

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
export const joinedPairs = (words: IssuerText): string[] =>
  words.slice(1).map((word, i) => `${words[i]}${word}`)
